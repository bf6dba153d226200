//! What holds for every grid, baked or loaded: its order, its file, and what is found on it.

use nalgebra::{Point3, Vector3};
use surefoot::cost::HeightCost;
use surefoot::crowd::Crowd;
use surefoot::follow::{FollowSettings, slide};
use surefoot::grid::Dir;
use surefoot::path::{Answer, GridSight, Path, Progress, Sight};
use surefoot::search::{Engine, FieldQuery, GoalMode, Heuristic, Outcome, PathError, Query};
use surefoot::view::NavPoint;
use surefoot::{AgentId, Cell, NavGrid, Navigator, SpanId, View};
use surefoot_testing::Random;

/// Grids with more cells or spans are only taken apart and written again.
const MOST_WALKED: usize = 6000;
/// Agents beyond these do not walk.
const MOST_AGENTS: usize = 3;
/// Paths for each agent.
const PATHS: usize = 4;
/// Steps of the crowd.
const STEPS: usize = 25;
/// Cells farther out are not told apart well [cells].
const FARTHEST: i64 = 1 << 14;
/// Nor are greater heights [cells].
const HIGHEST: f32 = 1e4;
/// Cells of other sizes are no use to anybody [m].
const CELL_SIZES: std::ops::Range<f32> = 1e-4..1e5;
/// Sums of the same pieces differ by less than this part.
pub(crate) const ROUNDING: f32 = 1e-4;

/// Checks a grid; a seed makes the choices.
///
/// # Panics
/// A law does not hold.
pub fn check(grid: &NavGrid, seed: u64) {
    come_back_from_a_file(grid);
    if grid.frame().cells().max(grid.spans().len()) > MOST_WALKED {
        return;
    }
    columns_are_sorted(grid);
    let mut random = Random(seed);
    if is_beyond_measure(grid) {
        return wander(grid, &mut random);
    }
    for agent in (0..grid.layers().len().min(MOST_AGENTS) as u16).map(AgentId) {
        connections_come_in_pairs(grid, agent);
        let mut walker = Walker::new(grid, agent, &mut random);
        for _ in 0..PATHS {
            walker.find_a_path();
            walker.look_and_slide();
        }
    }
    walk_together(grid, &mut random, members_are_on_the_ground);
}

/// Whether places or heights are so large, or so small, that coordinates do not tell them apart. There
/// nothing panics, but the laws do not hold.
fn is_beyond_measure(grid: &NavGrid) -> bool {
    let frame = grid.frame();
    let is_far = |min: i32, size: u32| {
        let far = |cell: i64| cell.abs() > FARTHEST;
        far(i64::from(min)) || far(i64::from(min) + i64::from(size))
    };
    is_far(frame.min.x, frame.size_x)
        || is_far(frame.min.z, frame.size_z)
        || !CELL_SIZES.contains(&frame.cell_size)
        || grid.spans().iter().any(|span| span.floor.abs() > HIGHEST * frame.cell_size)
}

/// Asks everything and checks nothing.
fn wander(grid: &NavGrid, random: &mut Random) {
    for agent in (0..grid.layers().len().min(MOST_AGENTS) as u16).map(AgentId) {
        let mut walker = Walker::new(grid, agent, random);
        let (from, to) = (walker.place(), walker.place());
        let query = Query { goal: GoalMode::NearestByRing, ..Query::new(from.point, to.point) };
        walker.nav.find(&query);
        walker.nav.why_not_by(&query).ok();
        let field = walker.nav.field(&FieldQuery::to(&[to.span]));
        field.cost(from.span);
        let view = walker.nav.view();
        GridSight.is_clear(view, &from, &to);
        let _ = slide(view, from, [view.cell_size(), 1.0]);
    }
    walk_together(grid, random, |_| {});
}

fn come_back_from_a_file(grid: &NavGrid) {
    // Settings that came with a file may be nested too deeply to be written.
    let Ok(bytes) = grid.to_bytes() else { return };
    let again = NavGrid::from_bytes(&bytes).expect("what was written can be read");
    assert_eq!(again.to_bytes().expect("it was written before"), bytes);
}

fn columns_are_sorted(grid: &NavGrid) {
    let frame = grid.frame();
    for at in 0..frame.cells() {
        let [x, z] = [at % frame.size_x as usize, at / frame.size_x as usize];
        let column = grid.column(Cell::new(frame.min.x + x as i32, frame.min.z + z as i32));
        assert!(column.is_sorted_by(|low, high| low.floor < high.floor), "{column:?}");
        assert!(column.iter().all(|span| span.floor <= span.ceiling), "{column:?}");
    }
}

fn connections_come_in_pairs(grid: &NavGrid, agent: AgentId) {
    for span in spans(grid) {
        assert_eq!(grid.region(agent, span).is_some(), grid.is_walkable(agent, span));
        for dir in Dir::ALL {
            let Some(to) = grid.neighbor(agent, span, dir) else { continue };
            assert!(grid.is_walkable(agent, span) && grid.is_walkable(agent, to));
            assert_eq!(grid.neighbor(agent, to, dir.opposite()), Some(span));
            assert_eq!(grid.region(agent, span), grid.region(agent, to));
        }
    }
}

pub(crate) fn spans(grid: &NavGrid) -> impl Iterator<Item = SpanId> {
    (0..grid.spans().len() as u32).map(SpanId)
}

/// Confirms nothing, so that the straight line is never the answer.
struct NoSight;

impl Sight for NoSight {
    fn is_clear(&self, _: &View, _: &NavPoint, _: &NavPoint) -> bool {
        false
    }
}

/// An agent that asks for paths.
struct Walker<'a> {
    nav: Navigator,
    walkable: Vec<SpanId>,
    random: &'a mut Random,
}

impl<'a> Walker<'a> {
    fn new(grid: &NavGrid, agent: AgentId, random: &'a mut Random) -> Self {
        let mut nav = Navigator::new(grid.clone(), agent).expect("a known agent");
        // Ground that does not come apart is searched.
        nav.prepare().ok();
        let walkable = spans(grid).filter(|&span| grid.is_walkable(agent, span)).collect();
        Walker { nav, walkable, random }
    }

    /// A point on some ground, or somewhere if there is none.
    fn place(&mut self) -> NavPoint {
        let at = self.random.below(self.walkable.len());
        let span = self.walkable.get(at).copied().unwrap_or(SpanId(0));
        let point = self.nav.grid().point(span).unwrap_or_default();
        NavPoint { span, point }
    }

    fn find_a_path(&mut self) {
        let (from, to) = (self.place(), self.place());
        let query = Query::new(from.point, to.point);
        let answer = self.nav.find(&query).clone();
        check_answer(&self.nav, &query, &answer);
        explain(&mut self.nav, &query);
        same_cost_by_every_engine(&mut self.nav, &query);
        let goals = [GoalMode::NearestByRing, GoalMode::NearestAlongLine];
        let goal = goals[self.random.below(2)];
        let weight = [1.0, 2.0, 1e9][self.random.below(3)];
        let budget = [u32::MAX, 0, 40][self.random.below(3)];
        let query = Query { goal, weight, budget, ..query };
        let answer = self.nav.find(&query).clone();
        check_answer(&self.nav, &query, &answer);
    }

    fn look_and_slide(&mut self) {
        let (from, to) = (self.place(), self.place());
        let view = self.nav.view();
        let seen = GridSight.is_clear(view, &from, &to);
        assert_eq!(GridSight.is_clear(view, &to, &from), seen, "{from:?} {to:?}");
        let size = view.cell_size();
        let by = [0, 1].map(|_| size * (self.random.below(100) as f32 - 50.0) / 7.0);
        let end = slide(view, from, by);
        if view.is_walkable(from.span) {
            assert!(view.is_walkable(end.span), "{from:?} {by:?} {end:?}");
            assert!(view.may_reach(from.span, end.span), "{from:?} {by:?} {end:?}");
        }
        if end != from {
            let ground = view.feet_height(end.point.x, end.point.z, end.span);
            assert_eq!(ground, Some(end.point.y), "{from:?} {by:?} {end:?}");
        }
    }
}

/// A path leads over clear segments and valid spans, and costs no more than its corridor.
pub(crate) fn check_answer(nav: &Navigator, query: &Query, answer: &Answer) {
    let Ok(path) = answer.path() else { return };
    let view = nav.view();
    assert!(nav.corridor().is_valid(view), "{query:?}");
    let (waypoints, track) = (path.waypoints(), path.track());
    assert!(waypoints.len() >= 2 && track.len() >= 2, "{query:?}");
    assert!(waypoints.iter().all(|waypoint| view.is_walkable(waypoint.span)), "{query:?}");
    assert!(track.is_sorted_by(|a, b| a.distance <= b.distance), "{query:?}");
    for pair in waypoints.windows(2).filter(|pair| pair[0].link.is_none()) {
        let [from, to] = [0, 1].map(|at| NavPoint { span: pair[at].span, point: pair[at].point });
        assert!(GridSight.is_clear(view, &from, &to), "{query:?}: {from:?} {to:?}");
    }
    assert!(path.cost() <= path.corridor_cost() * (1.0 + ROUNDING), "{query:?}: {}", sums(path));
    assert!(path.length() >= 0.0 && path.climb() >= 0.0 && path.descent() >= 0.0, "{}", sums(path));
    assert!(path.sample(view, path.length() / 2.0).is_some());
}

fn sums(path: &Path) -> String {
    format!("{} of {}, {} m", path.cost(), path.corridor_cost(), path.length())
}

/// What separates two places is empty exactly if a path joins them. It knows no costs: the model must
/// forbid nothing. Nor does it choose among places near an end, as a query for a path does.
pub(crate) fn explain(nav: &mut Navigator, query: &Query) {
    let (snap_radius, vertical_tolerance) = (Some(0.0), Some(0.01));
    let query = &Query { snap_radius, vertical_tolerance, ..query.clone() };
    let outcome = nav.find(query).outcome;
    let separation = nav.why_not_by(query);
    match outcome {
        Outcome::Complete => {
            let separation = separation.expect("both ends are on the ground");
            assert!(separation.is_connected(), "{query:?}: {separation}");
        }
        Outcome::Failed(PathError::DifferentRegion | PathError::Unreachable) => {
            let separation = separation.expect("both ends are on the ground");
            assert!(!separation.is_connected(), "{query:?}");
        }
        _ => {}
    }
}

/// A\*, Dijkstra's search, prepared routes and a cost field find the same cost.
pub(crate) fn same_cost_by_every_engine(nav: &mut Navigator, query: &Query) {
    let expected = searched(nav, &Query { heuristic: Heuristic::None, ..query.clone() });
    let cost = searched(nav, query);
    assert!(is_same(cost, expected), "{cost:?} by A*, not {expected:?}: {query:?}");
    for engine in [Engine::Routes, Engine::Field] {
        let query = Query { engine: Some(engine), ..query.clone() };
        let outcome = nav.with_sight(&NoSight).find(&query).outcome;
        let cost = (outcome == Outcome::Complete).then(|| nav.corridor().cost());
        assert!(is_same(cost, expected), "{cost:?} by {engine:?}, not {expected:?}: {query:?}");
    }
    let Some(cost) = expected else { return };
    let spans = nav.corridor().spans();
    let (Some(&from), Some(&to)) = (spans.first(), spans.last()) else { return };
    let slope_limit = query.slope_limit;
    let field = nav.field(&FieldQuery { slope_limit, ..FieldQuery::to(&[to]) });
    let by_field = field.cost(from).unwrap_or(f32::NAN);
    assert!(is_close(by_field, cost), "{by_field} for {cost}: {query:?}");
}

/// Costs up to this are counted in the same units by every search [metres-equivalent]. For larger ones a
/// search takes coarser units once it meets ground whose costs overflow, and not all meet the same ground.
const SAME_UNITS: f32 = 1e5;

fn is_same(cost: Option<f32>, expected: Option<f32>) -> bool {
    let is_large = expected.is_some_and(|expected| expected > SAME_UNITS);
    cost == expected || is_large && cost.zip(expected).is_some_and(|(a, b)| is_close(a, b))
}

fn is_close(cost: f32, expected: f32) -> bool {
    cost == expected || (cost - expected).abs() <= expected * ROUNDING
}

/// The cost of the cheapest corridor by a search from nothing; `None` if there is none.
fn searched(nav: &mut Navigator, query: &Query) -> Option<f32> {
    nav.begin_search(query);
    while nav.advance(u32::MAX) == Progress::Running {}
    let outcome = nav.finish().outcome;
    (outcome == Outcome::Complete).then(|| nav.corridor().cost())
}

/// A small crowd walks, and is checked after every step.
fn walk_together(grid: &NavGrid, random: &mut Random, check: impl Fn(&Crowd)) {
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let mut place = || {
        let span = SpanId(random.below(grid.spans().len()) as u32);
        grid.point(span).unwrap_or_default()
    };
    for agent in (0..grid.layers().len().min(MOST_AGENTS) as u16).map(AgentId) {
        for _ in 0..3 {
            let Ok(id) = crowd.add(agent, place(), FollowSettings::default()) else { continue };
            crowd.set_goal(id, place()).expect("a member");
        }
    }
    for _ in 0..STEPS {
        crowd.step(1.0 / 20.0);
        check(&crowd);
    }
}

/// Every member has a finite place on ground that is walkable as it was baked, or is on its way up a step.
pub(crate) fn members_are_on_the_ground(crowd: &Crowd) {
    let is_finite = |point: Point3<f32>, velocity: Vector3<f32>| {
        point.iter().chain(velocity.iter()).all(|v| v.is_finite())
    };
    for member in crowd.members() {
        let at = member.position();
        assert!(is_finite(at, member.velocity()), "{member:?}");
        let Some(span) = member.span() else { continue };
        assert!(crowd.grid().is_walkable(member.agent(), span), "{at}");
        if crowd.grid().ground_height(at.x, at.z, span) != Some(at.y) {
            let view = View::new(crowd.grid(), member.agent()).expect("an agent of the grid");
            assert_eq!(view.feet_height(at.x, at.z, span), Some(at.y), "{at}");
        }
    }
}
