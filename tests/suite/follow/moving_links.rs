//! Links that move: paths lead over them wherever they are, and bodies wait in front of them until they
//! come.

use nalgebra::Point3;
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::grid::{Link, LinkId, LinkKind, LinkLane, LinkStop};
use surefoot::{Agent, Cell, Crowd, GridFrame, HeightCost, NavGrid, Navigator, Overlay, SpanId};

use super::links::{Body, DT, GOAL, START, gap, marker, with_links};

/// The gap with a link that moves at its far end, from z = 5.125 at stop 0 to z = 1.125 at stop 1.
fn lift(capacity: u32) -> NavGrid {
    let grid = gap(0.0, &[5.125], marker(LinkKind::Authored, true));
    let stop = |number| Some(LinkStop { moving: LinkId(7), number });
    let first = Link { stop: stop(0), capacity, ..grid.links()[0].clone() };
    let [near, far] = first.lanes[0][0].spans;
    let second = Link {
        id: LinkId(8),
        stop: stop(1),
        to: [Point3::new(12.375, 0.0, 1.125); 2],
        lanes: vec![vec![LinkLane::new([near, SpanId(far.0 - 16 * 80)])]],
        cost: 9.0,
        ..first.clone()
    };
    with_links(grid, vec![first, second])
}

#[test]
fn paths_lead_over_the_cheapest_stop_that_is_open() {
    let mut nav = Navigator::new(lift(0), "human").expect("an agent");
    nav.prepare().expect("ground that comes apart");
    let end = |nav: &mut Navigator| {
        let path = nav.path(START, GOAL).ok()?;
        let at = path.waypoints().iter().position(|waypoint| waypoint.link.is_some())?;
        Some(path.waypoints()[at + 1].point.z)
    };
    for link in [0, 1] {
        for stop in [Some(1), None, Some(0)] {
            nav.set_link_stop(link, stop).expect("a stop");
            assert!(end(&mut nav).is_some_and(|z| z > 4.0));
        }
    }
    nav.set_link_open(0, false).expect("a link");
    assert!(end(&mut nav).is_some_and(|z| z < 2.0));
    nav.set_link_stop(0, Some(0)).expect("a stop");
    assert!(end(&mut nav).is_some_and(|z| z < 2.0), "what is closed stays closed");
    nav.set_link_open(1, false).expect("a link");
    assert_eq!(end(&mut nav), None);
    assert!(nav.set_link_stop(0, Some(2)).is_err_and(|error| error.to_string().contains("stop 2")));
    assert!(nav.set_link_stop(9, None).is_err());
}

#[test]
fn another_grid_has_the_links_where_they_are() {
    let (grid, fixed) = (lift(0), gap(0.0, &[5.125], marker(LinkKind::Jump, true)));
    let mut overlay = Overlay::new(&grid);
    assert_eq!([0, 1, 2].map(|link| overlay.is_link_at_stop(link)), [true, false, true]);
    overlay.set_link_stop(0, Some(1)).expect("a stop");
    overlay.set_link_open(0, false).expect("a link");
    let moved = overlay.over(&lift(2));
    assert_eq!([0, 1].map(|link| moved.is_link_at_stop(link)), [false, true]);
    assert_eq!([0, 1].map(|link| moved.is_link_open(link)), [false, true]);
    assert!(overlay.over(&fixed).is_link_at_stop(0));
}

#[test]
fn a_follower_waits_in_front_of_a_link_until_it_comes() {
    let mut body = Body::new(lift(0), START, FollowSettings::default());
    body.nav.set_link_stop(0, None).expect("no stop");
    body.follower.set_goal(GOAL);
    assert!(body.until(|body| body.follower.state() == FollowState::MakingWay));
    assert!(!body.until(|body| body.follower.state() != FollowState::MakingWay), "for 20 s");
    let at = body.motion.position;
    assert!(body.motion.velocity.norm() < 1e-3 && (8.5..9.5).contains(&at.x), "{at}");
    body.nav.set_link_stop(0, Some(0)).expect("a stop");
    assert!(body.until(|body| body.traversal().is_some()));
    // Whoever is on it comes off it.
    body.nav.set_link_stop(0, None).expect("no stop");
    assert!(body.until(|body| body.follower.state() == FollowState::Arrived));
}

#[test]
fn a_follower_that_waits_can_be_sent_elsewhere() {
    let mut body = Body::new(lift(0), START, FollowSettings::default());
    body.nav.set_link_stop(0, None).expect("no stop");
    body.follower.set_goal(GOAL);
    assert!(body.until(|body| body.follower.state() == FollowState::MakingWay));
    body.follower.set_goal(START);
    assert_eq!(body.follower.state(), FollowState::Waiting);
    assert!(body.until(|body| body.follower.state() == FollowState::Arrived));
}

#[test]
fn a_crowd_lines_up_for_a_link_until_it_comes() {
    let mut crowd = Crowd::new(lift(1), HeightCost::default());
    crowd.set_link_stop(0, None).expect("no stop");
    for at in 0..8 {
        let from = [1.0 + (at / 4) as f32, 0.0, 3.0 + (at % 4) as f32];
        let id = crowd.add("human", from, FollowSettings::default()).expect("ground");
        crowd.set_goal(id, [20.0 - from[0], 0.0, from[2]]).expect("a member");
    }
    let count = |crowd: &Crowd, state| crowd.members().filter(|own| own.state() == state).count();
    let walk = |crowd: &mut Crowd, seconds: usize| {
        (0..seconds * 60)
            .map(|_| {
                crowd.step(DT);
                crowd.members().filter(|member| member.traversal().is_some()).count()
            })
            .max()
    };
    assert_eq!(walk(&mut crowd, 30), Some(0));
    assert_eq!(count(&crowd, FollowState::MakingWay), 8);
    assert!(crowd.members().all(|member| member.position().x < 9.0));
    crowd.set_link_stop(0, Some(0)).expect("a stop");
    assert_eq!(walk(&mut crowd, 8), Some(1));
    // It leaves those behind who are not on it yet.
    crowd.set_link_stop(0, Some(1)).expect("a stop");
    walk(&mut crowd, 30);
    let gone = count(&crowd, FollowState::Arrived);
    assert!((1..7).contains(&gone), "{gone}");
    assert_eq!(count(&crowd, FollowState::MakingWay), 8 - gone);
    crowd.set_link_stop(1, Some(0)).expect("a stop");
    walk(&mut crowd, 60);
    assert_eq!(count(&crowd, FollowState::Arrived), 8);
}

/// Two floors, the second 4 m up, and between them a cabin that nothing but a moving link joins to them.
fn cabin() -> NavGrid {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: 88, size_z: 40 };
    let floor = |at: usize| match at % 88 {
        0..36 | 40..48 => 0.0,
        52..88 => 4.0,
        _ => f32::NAN,
    };
    let floors: Vec<f32> = (0..frame.cells()).map(floor).collect();
    let human = Agent { radius: 0.3, ledge_margin: Some(0.0), ..Agent::new("human") };
    let grid = NavGrid::from_heights(frame, &floors, &[human]).expect("sound heights");
    let span = |point: Point3<f32>| grid.span_at(point, 0.5).expect("ground");
    let lead = |number: u32, [from, to]: [[f32; 3]; 2]| {
        let ends = [from, to].map(Point3::from);
        Link {
            two_way: true,
            stop: Some(LinkStop { moving: LinkId(7), number }),
            lanes: vec![vec![LinkLane::new(ends.map(span))]],
            ..Link::new(format!("stop {number}"), LinkKind::Authored, ends)
        }
    };
    let doors =
        [[[10.125, 0.0, 5.125], [8.875, 0.0, 5.125]], [[11.875, 0.0, 5.125], [13.125, 4.0, 5.125]]];
    let links = vec![lead(0, doors[0]), lead(1, doors[1])];
    with_links(grid, links)
}

#[test]
fn a_cabin_takes_a_crowd_from_floor_to_floor() {
    let mut crowd = Crowd::new(cabin(), HeightCost::default());
    for at in 0..6 {
        let (x, z) = (2.0 + (at / 3) as f32, 3.0 + 2.0 * (at % 3) as f32);
        let mut ends = [[x, 0.0, z], [22.0 - x, 4.0, z]];
        ends.rotate_left(at % 2);
        let id = crowd.add("human", ends[0], FollowSettings::default()).expect("ground");
        crowd.set_goal(id, ends[1]).expect("a member");
    }
    for turn in 0..24 {
        let stop = [Some(0), None, Some(1), None][turn % 4];
        crowd.set_link_stop(0, stop).expect("a stop");
        (0..300).for_each(|_| crowd.step(DT));
        // Whoever was on it has come off, and nobody else has got on.
        let is_on = crowd.members().any(|member| member.traversal().is_some());
        assert!(stop.is_some() || !is_on);
    }
    let late: Vec<_> = crowd.members().filter(|own| own.state() != FollowState::Arrived).collect();
    assert!(late.is_empty(), "{late:?}");
}
