//! Laws of walking: bodies arrive, in time, without turning back, and then stand still.

use nalgebra::Point3;

use crate::agent::Agent;
use crate::cost::model::HeightCost;
use crate::follow::settings::FollowSettings;
use crate::follow::state::{FollowState, StuckReason};
use crate::grid::{AgentId, Cell, GridFrame, NavGrid};
use crate::path::path_search::PathSearch;
use crate::path::sight::Sight;
use crate::path::waypoints::{Path, Waypoint};
use crate::search::query::Query;
use crate::tests::follow::walker::{Walker, ground};
use crate::tests::search::cases::cases;
use crate::tests::search::random::Random;
use crate::view::NavPoint;
use crate::view::View;

fn plain() -> NavGrid {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: 160, size_z: 160 };
    NavGrid::from_heights(frame, &vec![0.0; frame.cells()], &[Agent::new("human")]).expect("level")
}

/// On an open plain it walks straight, in the time that speed and acceleration allow, and no farther.
#[test]
fn alone_in_the_open_it_walks_straight_to_its_goal_and_stops() {
    let grid = plain();
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let mut random = Random(1);
    for _ in 0..60 {
        let mut random_point = || ground(&grid, [0; 2].map(|_| random.between(1.0, 39.0)));
        let (from, to) = (random_point(), random_point());
        let settings = FollowSettings {
            speed: random.between(0.5, 8.0),
            acceleration: random.between(2.0, 20.0),
            ..FollowSettings::default()
        };
        let (speed, acceleration) = (settings.speed, settings.acceleration);
        let dt = random.pick(&[1.0 / 120.0, 1.0 / 60.0, 1.0 / 30.0, 0.1]);
        let mut walker = Walker::new(&view, settings, from, dt);
        walker.follower.set_goal(to.point);
        let time = walker.walk(200.0);
        assert_eq!(walker.follower.state(), FollowState::Arrived);
        let length = (to.point - from.point).norm();
        // The ideal: accelerating, full speed, braking; plus some time steps.
        let to_speed = speed * speed / acceleration;
        let ideal = if length > to_speed {
            length / speed + speed / acceleration
        } else {
            2.0 * (length / acceleration).sqrt()
        };
        assert!(time <= 1.05 * ideal + 6.0 * dt, "{time} s for {ideal} s, dt {dt}");
        let direction = (to.point - from.point) / length;
        for pair in walker.track.windows(2) {
            let along = (pair[1] - pair[0]).dot(&direction);
            assert!(along >= -1e-4, "turned back by {along}");
            assert!(along <= speed * dt + 1e-4, "too fast: {along}, {}", speed * dt);
        }
        let end = *walker.track.last().expect("a track");
        assert!((end - to.point).norm() < 1e-3);
        for _ in 0..50 {
            walker.step();
            let moved = (walker.at.point - end).norm();
            assert!(moved < 1e-3, "moved {moved} m after it arrived");
        }
    }
}

/// A step that is not positive changes nothing.
#[test]
fn a_step_without_time_changes_nothing() {
    let grid = plain();
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let mut walker =
        Walker::new(&view, FollowSettings::default(), ground(&grid, [5.0, 5.0]), 1.0 / 60.0);
    walker.follower.set_goal([20.0, 0.0, 5.0]);
    walker.walk(1.0);
    let (state, left) = (walker.follower.state(), walker.follower.remaining_distance());
    for dt in [0.0, -0.1, f32::NAN] {
        let steering = walker.follower.step(&mut walker.nav, &walker.motion, dt);
        assert_eq!(steering.velocity, walker.motion.velocity, "dt {dt}");
        assert_eq!((walker.follower.state(), walker.follower.remaining_distance()), (state, left));
    }
}

/// A strip across the plain where a body touches something, so that a cast from there sees nothing.
struct Strip;

impl Sight for Strip {
    fn is_clear(&self, _: &View, from: &NavPoint, to: &NavPoint) -> bool {
        let touches = |at: &NavPoint| (5.0..5.6).contains(&at.point.x);
        !touches(from) && !touches(to)
    }
}

/// A body that touches something, so that casts see nothing, gets out by the grid.
#[test]
fn it_gets_out_of_where_it_touches_something() {
    let grid = plain();
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    for x in [5.01, 5.125, 5.3, 5.59] {
        let mut walker =
            Walker::new(&view, FollowSettings::default(), ground(&grid, [x, 5.0]), 1.0 / 60.0);
        walker.sight = Some(Box::new(Strip));
        walker.follower.set_goal([9.0, 0.0, 6.0]);
        let time = walker.walk(20.0);
        assert_eq!(walker.follower.state(), FollowState::Arrived, "from {x}");
        assert!(time < 3.5, "{time} s from {x}");
    }
}

/// Its velocity and facing change no faster than the settings allow.
#[test]
fn it_speeds_up_brakes_and_turns_within_its_limits() {
    let grid = plain();
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let settings = FollowSettings::default();
    let dt = 1.0 / 60.0;
    let mut walker = Walker::new(&view, settings.clone(), ground(&grid, [5.0, 5.0]), dt);
    walker.follower.set_goal([20.0, 0.0, 20.0]);
    let (mut before, mut facing) = (walker.motion.velocity, 0f32);
    for tick in 0..400 {
        if tick == 60 {
            walker.follower.set_goal([5.0, 0.0, 20.0]);
        }
        let steering = walker.follower.step(&mut walker.nav, &walker.motion, dt);
        let change = (steering.velocity - before).norm();
        assert!(change <= settings.acceleration * dt * 1.001, "tick {tick}: {change}");
        let turned = (steering.facing - facing).abs();
        assert!(turned.min(std::f32::consts::TAU - turned) <= settings.turn_rate * dt * 1.001);
        (before, facing) = (steering.velocity, steering.facing);
        walker.motion.velocity = steering.velocity;
        walker.motion.position += steering.velocity * dt;
    }
    assert_eq!(walker.follower.state(), FollowState::Arrived);
}

/// A body that an engine holds back at the edge of a step is pushed, and not harder with time.
#[test]
fn it_pushes_when_it_is_held_up() {
    let grid = plain();
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let settings = FollowSettings::default();
    let acceleration = settings.acceleration;
    let mut walker = Walker::new(&view, settings, ground(&grid, [5.0, 5.0]), 1.0 / 60.0);
    walker.follower.set_goal([20.0, 0.0, 5.0]);
    for tick in 0..120 {
        let pushed = walker.follower.step(&mut walker.nav, &walker.motion, walker.dt).velocity.x;
        assert!(pushed < 0.3 * acceleration, "tick {tick}: {pushed}");
        assert!(pushed > 0.25 * acceleration || tick < 15, "tick {tick}: {pushed}");
    }
}

/// Something that the grid does not know stands in front of its goal. Within its own radius of the goal
/// it has arrived and stands still; farther off it is stuck and keeps trying.
#[test]
fn it_arrives_as_near_as_something_lets_it() {
    let grid = plain();
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let radius = view.agent().radius;
    for (off, is_near) in [(0.3, true), (0.9, true), (1.1, false), (3.0, false)] {
        let wall = 20.0 - off * radius;
        let mut walker =
            Walker::new(&view, FollowSettings::default(), ground(&grid, [5.0, 5.0]), 0.02);
        walker.follower.set_goal([20.0, 0.0, 5.0]);
        for _ in 0..1000 {
            let desired = walker.follower.step(&mut walker.nav, &walker.motion, walker.dt).velocity;
            let before = walker.motion.position;
            walker.motion.position.x = (before.x + desired.x * walker.dt).min(wall);
            walker.motion.velocity = (walker.motion.position - before) / walker.dt;
        }
        let state = walker.follower.state();
        if is_near {
            assert_eq!(state, FollowState::Arrived, "{off} radii off");
            assert_eq!(walker.motion.velocity.norm(), 0.0);
        } else {
            assert_eq!(
                state,
                FollowState::Stuck { reason: StuckReason::HeldUp },
                "{off} radii off"
            );
        }
        assert!((walker.motion.position.x - wall).abs() < 1e-3, "{off} radii off");
    }
}

/// Around the corners of a block it swings out by no more than its waypoint tolerance.
#[test]
fn it_takes_corners_within_its_tolerance() {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: 80, size_z: 80 };
    let is_block = |[x, z]: [f32; 2]| (x - 10.0).abs().max((z - 10.0).abs()) < 5.0;
    let ground_at = |at| if is_block(frame.center(frame.cell(at))) { f32::NAN } else { 0.0 };
    let heights: Vec<f32> = (0..frame.cells()).map(ground_at).collect();
    let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("level");
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let mut random = Random(1);
    let mut corners = 0;
    for walk in 0..200 {
        let [from, to] = [1.0, 16.0]
            .map(|x| ground(&grid, [random.between(x, x + 3.0), random.between(1.0, 19.0)]));
        let settings = FollowSettings {
            speed: random.between(1.0, 6.0),
            acceleration: random.between(3.0, 30.0),
            waypoint_tolerance: random.between(0.05, 0.5),
            ..FollowSettings::default()
        };
        let tolerance = settings.waypoint_tolerance;
        let query = Query::new(from.point, to.point);
        let mut walker = Walker::new(&view, settings, from, 1.0 / 120.0);
        let answer = walker.nav.find(&query);
        let path = answer.path().expect("a path around the block").clone();
        walker.follower.set_goal(to.point);
        walker.walk(60.0);
        let off = walker.track.iter().map(|at| distance_to(&path, at)).fold(0.0, f32::max);
        assert!(off <= 1.1 * tolerance, "walk {walk}: {off} m off, tolerance {tolerance} m");
        corners += path.waypoints().len() - 2;
    }
    assert!(corners > 200, "only {corners} corners");
}

/// Returns the distance of a point from a path, seen from above [m].
fn distance_to(path: &Path, at: &Point3<f32>) -> f32 {
    let from_segment = |segment: &[Waypoint]| {
        let (along, beside) = (segment[1].point - segment[0].point, at - segment[0].point);
        let part = (along.x * beside.x + along.z * beside.z) / (along.x.powi(2) + along.z.powi(2));
        let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
        let off = beside - along * part;
        off.x.hypot(off.z)
    };
    path.waypoints().windows(2).map(from_segment).fold(f32::INFINITY, f32::min)
}

/// On any ground, at any speed: it reaches every goal that a path leads to, in about the time the path
/// takes.
#[test]
fn it_arrives_wherever_a_path_leads() {
    let mut walks = 0;
    let mut slowest = 0f32;
    for mut case in cases(0..3000) {
        let ([from, to], _) = case.query();
        let mut random = case.random.clone();
        let view = case.view();
        let [from, to] = [from, to].map(|span| NavPoint::center(&view.parts(), span));
        let mut search = PathSearch::default();
        let query = Query { snap_radius: Some(0.0), ..Query::new(from.point, to.point) };
        let answer = search.path(&view, &HeightCost::default(), &query);
        // Another floor near the goal may be what is reached.
        let reached = |path: &&Path| path.waypoints().last().map(|end| end.span) == Some(to.span);
        let Some(path) = answer.path().ok().filter(reached) else { continue };
        let settings = FollowSettings {
            speed: random.between(0.5, 6.0),
            acceleration: random.between(4.0, 30.0),
            waypoint_tolerance: random.between(0.02, 0.3),
            ..FollowSettings::default()
        };
        let dt = random.pick(&[1.0 / 60.0, 1.0 / 30.0, 0.05]);
        let ideal = path.length() / settings.speed;
        let corners = path.waypoints().len() as f32;
        let slow = 2.0 * settings.speed / settings.acceleration;
        let mut walker = Walker::new(&view, settings, from, dt);
        walker.follower.set_goal(to.point);
        let time = walker.walk(500.0);
        let state = walker.follower.state();
        assert_eq!(
            state,
            FollowState::Arrived,
            "seed {} after {time} s, {:?} {:?}",
            case.seed,
            walker.track.last(),
            walker.follower.waypoints()
        );
        let off = (walker.motion.position - to.point).norm();
        assert!(off < 0.31, "seed {}: {off} m off", case.seed);
        let ratio = time / (ideal + corners * slow + 10.0 * dt + 0.5);
        assert!(ratio < 1.5, "seed {}: {time} s for {ideal} s, {corners} corners", case.seed);
        slowest = slowest.max(ratio);
        walks += 1;
    }
    assert!(walks > 1000, "only {walks} walks; slowest {slowest}");
}

/// Engines return such motions after a division by zero. The next sound one is followed as before.
#[test]
fn a_motion_that_is_not_finite_is_forgotten() {
    let grid = plain();
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX];
    for value in odd {
        for is_position in [false, true] {
            let from = ground(&grid, [2.0, 2.0]);
            let goal = ground(&grid, [12.0, 9.0]);
            let mut walker = Walker::new(&view, FollowSettings::default(), from, 1.0 / 60.0);
            walker.follower.set_goal(goal.point);
            (0..30).for_each(|_| walker.step());
            let mut motion = walker.motion;
            match is_position {
                true => motion.position = Point3::new(value, 0.0, value),
                false => motion.velocity = nalgebra::Vector3::repeat(value),
            }
            for dt in [1.0 / 60.0, 0.0] {
                let steering = walker.follower.step(&mut walker.nav, &motion, dt);
                let is_finite = steering.velocity.iter().all(|value| value.is_finite());
                assert!(is_finite && steering.facing.is_finite(), "{value}: {steering:?}");
            }
            walker.walk(30.0);
            assert_eq!(walker.follower.state(), FollowState::Arrived, "{value}");
        }
    }
}
