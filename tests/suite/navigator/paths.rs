//! Paths over real levels, with Recast's agent in cells of 0.3 m.

use surefoot::cost::HeightCost;
use surefoot::path::{GridSight, Sight};
use surefoot::search::{GoalMode, Outcome, PathError, Query};
use surefoot::view::{NavPoint, View};
use surefoot::{Agent, AgentId, GridFrame, NavGrid, Navigator, SpanId};
use surefoot_bake::casts::{Caster, CollisionWorld, RapierCaster};
use surefoot_bake::{BakeSettings, bake};
use surefoot_testing::{DEMO_LEVELS, Random, load, own_scenes};

/// The only agent of these grids.
const AGENT: AgentId = AgentId(0);
const PAIRS: usize = 1000;
/// Costs are sums of single precision.
const ROUNDING: f32 = 1e-5;

/// Pairs of spans of one region.
fn pairs(view: &View, count: usize) -> Vec<[SpanId; 2]> {
    let spans = (0..view.grid().spans().len() as u32).map(SpanId);
    let open: Vec<SpanId> = spans.filter(|&span| view.is_walkable(span)).collect();
    let mut random = Random(5);
    let mut pick = || open[random.below(open.len())];
    let any = std::iter::repeat_with(|| [pick(), pick()]);
    any.filter(|[from, to]| view.may_reach(*from, *to)).take(count).collect()
}

fn nav_point(grid: &NavGrid, span: SpanId) -> NavPoint {
    NavPoint { span, point: grid.point(span).expect("a span of the grid") }
}

#[test]
fn paths_cost_no_more_than_their_corridors_and_are_straight_when_that_is_cheapest() {
    for level in DEMO_LEVELS {
        let Some((_, grid)) = level.bake() else { return };
        let view = View::new(&grid, AGENT).expect("one agent");
        let mut nav = Navigator::with_model(grid.clone(), AGENT, HeightCost::FLAT).expect("one");
        let (mut clear, mut straight) = (0, 0);
        for ends in pairs(&view, PAIRS) {
            let [from, to] = ends.map(|span| nav_point(&grid, span));
            let answer = nav.find(&Query::new(from.point, to.point));
            assert_eq!(answer.outcome, Outcome::Complete, "{}: {ends:?}", level.file);
            let path = answer.path().expect("a path");
            assert!(
                path.cost() <= path.corridor_cost() * (1.0 + ROUNDING),
                "{}: {ends:?}",
                level.file
            );
            for pair in path.waypoints().windows(2) {
                let ends = [pair[0], pair[1]].map(|w| NavPoint { span: w.span, point: w.point });
                assert!(GridSight.is_clear(&view, &ends[0], &ends[1]), "{}: {pair:?}", level.file);
            }
            // On ground as good as level, what is clear is the cheapest.
            if GridSight.is_clear(&view, &from, &to) {
                clear += 1;
                let steepness = path.length() / (to.point - from.point).norm().max(1e-3);
                straight += usize::from(path.waypoints().len() == 2);
                assert!(
                    path.waypoints().len() == 2 || steepness > 1.0 + ROUNDING,
                    "{}: {:?} to {:?} bends",
                    level.file,
                    from.point,
                    to.point
                );
            }
        }
        println!("{}: {clear} of {PAIRS} in sight, {straight} of them straight", level.file);
        assert!(clear > 20);
    }
}

/// Five paths that the tests of DotRecast know, of agents that keep to its navmesh: start, goal,
/// and what its straightened path measures [m].
const KNOWN: [([f32; 3], [f32; 3], f32); 5] = [
    ([22.60652, 10.197294, -45.918674], [6.4576626, 10.197294, -18.33406], 39.515),
    ([22.331268, 10.197294, -1.0401875], [-5.8023443, 0.19729415, 3.008419], 66.947),
    ([18.694363, 15.803535, -73.090416], [38.423977, 10.197294, -0.116066754], 110.688),
    ([0.7453353, 10.197294, -5.94005], [0.8635526, 10.197294, -10.31032], 4.372),
    ([-20.651257, 5.904126, -13.712508], [18.784092, 10.197294, 3.0543678], 48.464),
];

#[test]
fn known_paths_through_the_dungeon_are_as_long_as_known() {
    let Some((_, grid)) = DEMO_LEVELS[1].bake() else { return };
    let mut nav = Navigator::with_model(grid, AGENT, HeightCost::FLAT).expect("one agent");
    for (at, (from, to, known)) in KNOWN.into_iter().enumerate() {
        let query = Query { goal: GoalMode::NearestByRing, ..Query::new(from, to) };
        let answer = nav.find(&query);
        let path = answer.path().expect("a path");
        println!("{}: {:?}, {:.3} m, known {known} m", at + 1, answer.outcome, path.length());
        // The second ends where the goal's region begins: Detour and we stop at other places.
        if at == 1 {
            let unreachable = PathError::DifferentRegion;
            let partial =
                matches!(answer.outcome, Outcome::Partial { reason, .. } if reason == unreachable);
            assert!(partial, "{:?}", answer.outcome);
            continue;
        }
        assert_eq!(answer.outcome, Outcome::Complete);
        assert!(
            (path.length() - known).abs() <= 0.03 * known,
            "{} m, not {known} m",
            path.length()
        );
    }
}

#[test]
fn samples_of_paths_lie_on_the_ground() {
    for level in DEMO_LEVELS {
        let Some((scene, grid)) = level.bake() else { return };
        let world = CollisionWorld::new(&scene).expect("a world");
        let rapier = RapierCaster::new(&world).expect("rapier takes it");
        let (low, high) = world.bounds().expect("not empty");
        let frame = GridFrame::covering(0.3, [low.x, low.z], [high.x, high.z]).expect("small");
        let rays = rapier.tile(&frame, &[]);
        let view = View::new(&grid, AGENT).expect("one agent");
        let mut nav = Navigator::new(grid.clone(), AGENT).expect("one agent");
        let (mut samples, mut off, mut worst, mut hits) = (0, 0, 0f32, Vec::new());
        for [from, to] in pairs(&view, PAIRS / 5) {
            let [from, to] = [from, to].map(|span| nav_point(&grid, span).point);
            let path = nav.path(from, to).expect("a path");
            for part in 0..=50 {
                let point =
                    path.sample(&view, path.length() * part as f32 / 50.0).expect("a point");
                rays.hits_at([point.x, point.z], [low.y - 1.0, high.y + 1.0], &mut hits);
                let error =
                    hits.iter().map(|hit| (hit.y - point.y).abs()).fold(f32::INFINITY, f32::min);
                samples += 1;
                off += usize::from(error > 0.05 * level.metre);
                worst = worst.max(error);
            }
        }
        println!(
            "{}: {off} of {samples} samples more than 5 cm off the ground, worst {worst:.3} m",
            level.file
        );
        // Between the centers of its cells a grid does not know where treads and ridges end; what
        // it does not see there is lower than a step.
        assert!(off * 500 < samples && worst < 0.9 * level.metre);
    }
}

#[test]
fn every_pair_of_a_region_of_own_scenes_has_a_path() {
    let settings = BakeSettings { agents: vec![Agent::new("human")], ..BakeSettings::default() };
    for path in own_scenes() {
        let grid = bake(&load(&path), &settings, &()).expect("it bakes").grid;
        let Ok(view) = View::new(&grid, AGENT) else { continue };
        let mut nav = Navigator::new(grid.clone(), AGENT).expect("one agent");
        for ends in pairs(&view, 40) {
            let [from, to] = ends.map(|span| nav_point(&grid, span).point);
            let answer = nav.find(&Query::new(from, to));
            assert_eq!(answer.outcome, Outcome::Complete, "{}", path.display());
        }
    }
}
