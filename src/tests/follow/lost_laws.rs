//! Laws of bodies that were pushed to where they see nothing of their path.

use crate::cost::Metric;
use crate::cost::model::HeightCost;
use crate::follow::path_following::PathFollowing;
use crate::follow::{FollowSettings, FollowStep, approach, horizontal_distance, slide_on};
use crate::grid::{AgentId, AreaId};
use crate::path::{Segments, Sight, Waypoint};
use crate::tests::crowd::trail_laws::{narrow, room, trail};
use crate::view::{NavPoint, View};

const DT: f32 = 1.0 / 30.0;

fn waypoint(at: &NavPoint, distance: f32) -> Waypoint {
    Waypoint { point: at.point, span: at.span, area: AreaId::default(), link: None, distance }
}

/// Others push a body off a path that is no wider than a line. It sees nothing of the path from there, and does not get
/// back: it tries to reach what it saw last, but not for ever. It asks for another path, and goes on asking.
#[test]
fn who_does_not_see_its_path_any_more_asks_for_another() {
    let grid = narrow(12);
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let view = view.parts();
    let model = HeightCost::default();
    let metric = Metric::new(&view, &model, None, 0);
    let segments = Segments { metric: &metric, sight: None };
    let [start, beside, goal] = trail(&view, [[2, 5], [3, 5], [8, 5]].into_iter())[..] else {
        panic!("three places")
    };
    let settings = FollowSettings::default();
    let step = FollowStep { settings: &settings, dt: DT };
    let mut following = PathFollowing::with_leeway(0.5);
    following.edge_offset = Some(1.0);
    following.set_path(&segments, &[waypoint(&start, 0.0), waypoint(&goal, 1.8)]);
    assert!(following.advance(&segments, &start, step).velocity.x > 0.0, "it sets out");
    let aside = slide_on(&view, beside, [0.05, 0.05]);
    let mut advance = || {
        following.add_time(DT);
        following.look_again();
        following.advance(&segments, &aside, step)
    };
    assert!(advance().velocity.x > 0.0, "it tries to go on");
    let requests: Vec<bool> = (0..1800).map(|_| advance().needs_path).collect();
    let late = requests[900..].iter().filter(|&&needs_path| needs_path).count();
    assert!(late > 1, "{late} requests after half a minute");
}

/// Sees along a line from the line itself only, and straight across from beside it.
struct AlongLine {
    z: f32,
}

impl Sight for AlongLine {
    fn is_clear(&self, _: &View, from: &NavPoint, to: &NavPoint) -> bool {
        let is_on_line = |at: &NavPoint| (at.point.z - self.z).abs() < 0.0002;
        let is_across = (to.point.x - from.point.x).abs() < 0.001;
        is_across || [from, to].into_iter().all(is_on_line)
    }
}

/// Others push a body off a path that is no wider than a line, a hair or farther. It comes to rest on the line exactly,
/// and goes on to the end of the path that it has; alone, and among others.
#[test]
fn who_is_beside_a_line_gets_back_onto_it() {
    let grid = room(12);
    let view = View::new(&grid, AgentId(0)).expect("an agent");
    let view = view.parts();
    let model = HeightCost::default();
    let metric = Metric::new(&view, &model, None, 0);
    let [start, beside, goal] = trail(&view, [[2, 5], [4, 5], [9, 5]].into_iter())[..] else {
        panic!("three places")
    };
    let line = AlongLine { z: start.point.z };
    let segments = Segments { metric: &metric, sight: Some(&line) };
    let settings = FollowSettings::default();
    let step = FollowStep { settings: &settings, dt: DT };
    for case in 0..40 {
        let (aside, speed) = (0.005 * (1 + case / 4) as f32, (case / 2 % 2) as f32);
        let mut following = PathFollowing::with_leeway(0.5);
        following.edge_offset = (case % 2 == 0).then_some(0.8);
        following.set_path(&segments, &[waypoint(&start, 0.0), waypoint(&goal, 2.1)]);
        assert!(following.advance(&segments, &start, step).velocity.x > 0.0, "it sets out");
        let (mut at, mut velocity) = (slide_on(&view, beside, [0.1, aside]), [0.0, speed]);
        for _ in 0..300 {
            following.add_time(DT);
            let desired = following.advance(&segments, &at, step).velocity;
            velocity = approach(velocity, [desired.x, desired.z], settings.acceleration * DT);
            at = slide_on(&view, at, velocity.map(|v| v * DT));
        }
        let left = horizontal_distance(&at.point, &goal.point);
        assert!(left < 0.02, "{aside} m aside at {speed} m/s: {left} m left");
    }
}
