//! 500 agents cross a world in fast motion: along a route that is laid out as the window moves.

use std::time::{Duration, Instant};

use nalgebra::Point3;
use surefoot::crowd::{CrowdSettings, MemberId};
use surefoot::follow::FollowSettings;
use surefoot::world::{World, WorldBudget, WorldError};
use surefoot::{Crowd, HeightCost, NavGrid, Navigator};

use super::{DT, HUMAN, MEMBERS, Times};

/// Points of the route lie this far apart [m].
const SPACING: f32 = 4.0;
/// Members go to a point of the route so many points ahead, once they are half as far from their goal.
const AHEAD: usize = 20;
/// Members stand this far apart in their formation [m].
const GAP: f32 = 2.0;
/// Each member looks at its goal once in so many steps.
const TURNS: usize = 10;
/// Steps after a grid that may be slower because of it.
const AFTER: usize = 5;
/// More than a step may take.
const LIMIT: Duration = Duration::from_millis(5);

/// A way across a world.
pub(super) struct Trek {
    pub world: World,
    /// Where the route leads by, from its start to its end.
    pub gates: Vec<Point3<f32>>,
    /// [m/s]
    pub speed: f32,
    pub planning_budget: u32,
}

/// A member on its way.
struct Walker {
    id: MemberId,
    /// Its place in the formation [m].
    offset: [f32; 2],
    /// The point of the route that it has come to.
    at: usize,
}

/// The route so far.
struct Route {
    nav: Navigator,
    points: Vec<Point3<f32>>,
    gates: Vec<Point3<f32>>,
    /// How many gates it has passed.
    passed: usize,
}

#[derive(Default)]
struct Report {
    quiet: Times,
    loading: Times,
    after: Times,
    set_grids: Times,
    updates: Times,
    handovers: Times,
    routes: Times,
    lost: usize,
    off_ground: usize,
    checked: usize,
}

impl Route {
    fn new(grid: NavGrid, gates: Vec<Point3<f32>>) -> Self {
        let nav = Navigator::new(grid, HUMAN).expect("an agent");
        Route { nav, points: vec![gates[0]], gates, passed: 0 }
    }

    /// Lays out the route as far as ground is loaded.
    fn extend(&mut self, world: &World) {
        while let Some(&gate) = self.gates.get(self.passed + 1) {
            let from = *self.points.last().expect("a start");
            if !world.is_loaded(gate) || !world.is_loaded(from) {
                return;
            }
            let Ok(path) = self.nav.path(from, gate) else { return };
            let mut left = SPACING;
            for pair in path.track().windows(2) {
                let (mut at, way) = (pair[0].point, pair[1].point - pair[0].point);
                let mut length = way.norm();
                while length >= left {
                    at += way.normalize() * left;
                    self.points.push(at);
                    length -= left;
                    left = SPACING;
                }
                left -= length;
            }
            self.passed += 1;
        }
    }

    fn is_complete(&self) -> bool {
        self.passed + 1 == self.gates.len()
    }
}

impl Trek {
    pub(super) fn walk(mut self) {
        self.world.set_budget(WorldBudget::default());
        self.world.set_interest(&self.gates[..1]).expect("a point");
        let grid = self.world.wait().expect("ground");
        let spans = grid.spans().len();
        println!("{spans} spans in {} tiles; {} m/s", self.world.loaded().count(), self.speed);
        let settings =
            CrowdSettings { planning_budget: self.planning_budget, ..CrowdSettings::default() };
        let crowd = Crowd::with_settings(grid.clone(), HeightCost::default(), settings);
        let mut crowd = crowd.expect("sound settings");
        let mut walkers = self.line_up(&mut crowd);
        let mut route = Route::new(grid, std::mem::take(&mut self.gates));
        route.extend(&self.world);
        let (mut report, mut since) = (Report::default(), usize::MAX);
        let most = (1.2 * 12_000.0 / self.speed / DT) as usize;
        let begun = Instant::now();
        for step in 0..most {
            since = since.saturating_add(1);
            if self.follow(&mut crowd, &mut route, &mut report) {
                since = 0;
            }
            report.handovers.take(|| hand_on(&mut crowd, &mut walkers, &route, step));
            let times = match () {
                () if since < AFTER => &mut report.after,
                () if self.world.is_loading() => &mut report.loading,
                () => &mut report.quiet,
            };
            times.take(|| crowd.step(DT));
            if step % 60 == 0 {
                check_ground(&crowd, &mut report);
                let end = route.points.len() - 1;
                let has_come = |own: &&Walker| own.at + AHEAD / 2 >= end;
                if route.is_complete()
                    && walkers.iter().filter(has_come).count() > MEMBERS * 49 / 50
                {
                    break;
                }
            }
        }
        let steps = report.steps();
        let there = walkers.iter().filter(|own| own.at + AHEAD >= route.points.len());
        println!(
            "{} of {MEMBERS} crossed {:.1} km in {steps} steps, {:.0} s of the clock; route {}",
            there.count(),
            route.points.len() as f32 * SPACING / 1000.0,
            begun.elapsed().as_secs_f32(),
            if route.is_complete() { "complete" } else { "not complete" },
        );
        report.print();
    }

    /// Puts the members around the start, on ground that is joined to it.
    fn line_up(&self, crowd: &mut Crowd) -> Vec<Walker> {
        let grid = crowd.grid().clone();
        let start = self.gates[0];
        let ground = |at| {
            let (span, point) = grid.nearest_walkable(HUMAN, at, 1.0)?;
            Some((grid.region(HUMAN, span)?, point))
        };
        let (own, _) = ground(start).expect("ground at the start");
        let settings = FollowSettings {
            speed: self.speed,
            acceleration: 20.0,
            waypoint_tolerance: 0.5,
            ..FollowSettings::default()
        };
        // Rows of a square, from the one beside the start outwards.
        let mut offsets: Vec<[f32; 2]> =
            (0..60 * 60).map(|at| [at % 60, at / 60].map(|v| (v as f32 - 30.0) * GAP)).collect();
        offsets.sort_by(|a, b| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])));
        let places = offsets.into_iter().filter_map(|offset| {
            let at = Point3::new(start.x + offset[0], start.y, start.z + offset[1]);
            let (region, point) = ground(at)?;
            (region == own).then_some((offset, point))
        });
        let add = |(offset, point)| {
            let id = crowd.add(HUMAN, point, settings.clone()).expect("a place");
            Walker { id, offset, at: 0 }
        };
        let walkers: Vec<Walker> = places.take(MEMBERS).map(add).collect();
        assert_eq!(walkers.len(), MEMBERS, "there is no room around the start");
        walkers
    }

    /// Lets the window follow the members, and them go on to its grid. Returns whether there was one.
    fn follow(&mut self, crowd: &mut Crowd, route: &mut Route, report: &mut Report) -> bool {
        // Where they are, and where they will be when the tiles are there.
        let places = crowd.members().flat_map(|member| {
            let at = member.position();
            [at, member.goal().unwrap_or(at)]
        });
        let places: Vec<Point3<f32>> = places.collect();
        let world = &mut self.world;
        let grid = report.updates.take(|| {
            world.set_interest(&places).expect("points that are near to each other");
            world.update()
        });
        let Some(grid) = grid else { return false };
        let lost = report.set_grids.take(|| crowd.set_grid(&grid)).expect("the same agents");
        report.lost += lost.len();
        report.routes.take(|| {
            route.nav.set_grid(&grid).expect("the same agent");
            route.extend(world);
        });
        true
    }
}

/// Gives members whose turn it is a goal farther along the route.
fn hand_on(crowd: &mut Crowd, walkers: &mut [Walker], route: &Route, step: usize) {
    let grid = crowd.grid().clone();
    for walker in walkers.iter_mut().skip(step % TURNS).step_by(TURNS) {
        let Some(member) = crowd.member(walker.id) else { continue };
        let at = member.position();
        let end = route.points.len().min(walker.at + 2 * AHEAD);
        let distance = |point: usize| (route.points[point] - at).norm();
        let nearest = (walker.at..end).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        walker.at = nearest.unwrap_or(walker.at);
        let is_near = |goal: Point3<f32>| (goal - at).norm() < 0.5 * SPACING * AHEAD as f32;
        if !member.goal().is_none_or(is_near) {
            continue;
        }
        let next = route.points[(walker.at + AHEAD).min(route.points.len() - 1)];
        let own = member.span().and_then(|span| grid.region(HUMAN, span));
        // Beside the route if there is ground that is joined to it.
        let places = [1.0, 0.5, 0.0].map(|part| {
            let [x, z] = walker.offset.map(|v| v * part);
            Point3::new(next.x + x, next.y, next.z + z)
        });
        let places = places.into_iter().filter_map(|at| grid.nearest_walkable(HUMAN, at, 4.0));
        let goal = places.into_iter().find(|(span, _)| grid.region(HUMAN, *span) == own);
        if let Some((_, goal)) = goal {
            crowd.set_target(walker.id, goal).expect("a member");
        }
    }
}

/// Counts the members that are off the ground of the present grid.
fn check_ground(crowd: &Crowd, report: &mut Report) {
    let grid = crowd.grid();
    for member in crowd.members() {
        let at = member.position();
        let Some(span) = member.span() else { continue };
        let height = grid.ground_height(at.x, at.z, span);
        let is_on = grid.is_walkable(HUMAN, span)
            && height.is_some_and(|height| (height - at.y).abs() < 0.05);
        report.checked += 1;
        report.off_ground += usize::from(!is_on);
    }
}

impl Report {
    fn steps(&self) -> usize {
        self.quiet.count() + self.loading.count() + self.after.count()
    }

    fn print(&self) {
        self.updates.print("interest and update");
        self.set_grids.print("Crowd::set_grid");
        self.routes.print("the program's route, after a grid");
        self.handovers.print("the program's new goals, a step");
        let steps = [
            ("Crowd::step, nothing loads", &self.quiet),
            ("Crowd::step, tiles load meanwhile", &self.loading),
            ("the first five steps after a grid", &self.after),
        ];
        for (what, times) in steps {
            times.print(what);
            println!("{:>34} {} over {LIMIT:?}", "", times.over(LIMIT));
        }
        println!("{} lost, {} of {} samples off ground", self.lost, self.off_ground, self.checked);
    }
}

/// The gates of the far path across a world of a file, from one side to the other.
pub(super) fn gates_of(world: &World) -> Result<Vec<Point3<f32>>, WorldError> {
    let start = Instant::now();
    let routes = world.far_routes("human")?;
    let (low, high) = world.info().frame.bounds();
    let middle = 0.5 * (low[1] + high[1]);
    let ends = [low[0] + 80.0, high[0] - 80.0].map(|x| ground_near(world, [x, middle]));
    let [from, to] = ends;
    let (from, to) = (from?, to?);
    let loaded = start.elapsed();
    let start = Instant::now();
    let path = world.far_path(&routes, from, to)?;
    println!(
        "far path: cost {:.0}, {} gates, in {:.1?}; the borders are loaded in {loaded:.1?}",
        path.cost,
        path.gates.len(),
        start.elapsed()
    );
    Ok([from].into_iter().chain(path.gates).chain([to]).collect())
}

/// Returns the ground near a place (x, z) [m].
fn ground_near(world: &World, [x, z]: [f32; 2]) -> Result<Point3<f32>, WorldError> {
    let tile = world.tile(world.info().place_at(x, z))?.ok_or(WorldError::NoTile)?;
    let column = tile.column(tile.frame().cell_at(x, z));
    let height = column.first().map_or(0.0, |span| span.floor);
    let near = tile.nearest_walkable(HUMAN, Point3::new(x, height, z), 60.0);
    Ok(near.ok_or(WorldError::NoTile)?.1)
}
