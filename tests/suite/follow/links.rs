//! Bodies on links: they go along the motion, can be taken over and handed back, and always come to stand
//! on ground.

use nalgebra::Point3;
use surefoot::follow::{FollowSettings, FollowState, Follower, LinkTraversal, Motion, NotOnLink};
use surefoot::grid::baker::{finish_layer, two_way_ends};
use surefoot::grid::{Link, LinkKind, LinkLane, LinkMotion};
use surefoot::view::{LinkFilter, Obstacle};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, Navigator};

pub const DT: f32 = 1.0 / 60.0;
/// The end of a path on each side of the gap.
pub const START: [f32; 3] = [4.0, 0.0, 5.0];
pub const GOAL: [f32; 3] = [16.0, 0.0, 5.0];

/// Two platforms of 10 by 10 m with a gap of 2 m between them, the first at a height [m].
fn platforms(height: f32) -> NavGrid {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: 88, size_z: 40 };
    let floor = |at: usize| match at % 88 {
        0..40 => height,
        40..48 => f32::NAN,
        _ => 0.0,
    };
    let floors: Vec<f32> = (0..frame.cells()).map(floor).collect();
    let human = Agent { radius: 0.3, ledge_margin: Some(0.0), ..Agent::new("human") };
    NavGrid::from_heights(frame, &floors, &[human]).expect("sound heights")
}

/// The platforms with a link over the gap, with lanes at some places along z [m].
pub fn gap(height: f32, lanes: &[f32], marker: Link) -> NavGrid {
    let grid = platforms(height);
    let ends = |z: &f32| [Point3::new(9.625, height, *z), Point3::new(12.375, 0.0, *z)];
    let all: Vec<[Point3<f32>; 2]> = lanes.iter().map(ends).collect();
    let (first, last) = (all[0], all[all.len() - 1]);
    let span = |point: Point3<f32>| grid.span_at(point, 0.5).expect("ground");
    let lanes = all.iter().map(|ends| LinkLane::new(ends.map(span))).collect();
    let link = Link {
        from: [first[0], last[0]],
        to: [first[1], last[1]],
        cost: 3.0,
        lanes: vec![lanes],
        ..marker
    };
    with_links(grid.clone(), vec![link])
}

/// The grid with links, which join regions if they lead both ways.
pub fn with_links(grid: NavGrid, links: Vec<Link>) -> NavGrid {
    let mut parts = grid.into_parts();
    parts.links = links;
    let joined = two_way_ends(&parts.links, AgentId(0));
    let layer = &mut parts.layers[0];
    finish_layer(&parts.frame, &parts.first, &joined, layer).expect("few regions");
    NavGrid::new(parts).expect("sound links")
}

pub fn marker(kind: LinkKind, two_way: bool) -> Link {
    Link { two_way, ..Link::new(kind.name(), kind, [Point3::origin(); 2]) }
}

fn jump() -> NavGrid {
    gap(0.0, &[5.125], marker(LinkKind::Jump, true))
}

/// A body that goes wherever its follower tells it.
pub struct Body {
    pub nav: Navigator,
    pub follower: Follower,
    pub motion: Motion,
}

impl Body {
    pub fn new(grid: NavGrid, from: [f32; 3], settings: FollowSettings) -> Self {
        let nav = Navigator::new(grid, "human").expect("an agent");
        let follower = Follower::new(settings).expect("sound settings");
        Body { nav, follower, motion: Motion::at(from) }
    }

    /// A body that is half over the gap, on its way to the goal.
    fn in_the_air() -> Self {
        let mut body = Body::new(jump(), START, FollowSettings::default());
        body.follower.set_goal(GOAL);
        assert!(body.until(|body| body.traversal().is_some_and(|own| own.progress > 0.5)));
        body
    }

    pub fn traversal(&self) -> Option<LinkTraversal> {
        self.follower.traversal()
    }

    fn step(&mut self) {
        self.motion.velocity = self.follower.step(&mut self.nav, &self.motion, DT).velocity;
        self.motion.position += self.motion.velocity * DT;
    }

    /// Walks until something holds, for 20 seconds at most.
    pub fn until(&mut self, holds: impl Fn(&Self) -> bool) -> bool {
        (0..1200).any(|_| {
            self.step();
            holds(self)
        })
    }

    fn is_on_ground(&self) -> bool {
        let at = self.motion.position;
        let span = self.nav.grid().span_at(at, 0.5);
        let ground = span.and_then(|span| self.nav.grid().ground_height(at.x, at.z, span));
        ground.is_some_and(|ground| (ground - at.y).abs() < 0.05)
    }
}

#[test]
fn a_body_flies_along_the_motion_of_the_link_both_ways() {
    let grid = gap(1.0, &[5.125], marker(LinkKind::Jump, true));
    let link = grid.links()[0].clone();
    let settings = FollowSettings::default();
    let lane = link.lanes[0][0];
    let there = LinkMotion::new(&link, &lane, [link.from[0], link.to[0]], settings.speed);
    let back = there.reversed();
    let high = [4.0, 1.0, 5.0];
    for (from, to, motion) in [(high, GOAL, there), (GOAL, high, back)] {
        let mut body = Body::new(grid.clone(), from, settings.clone());
        body.follower.set_goal(to);
        let (mut seen, mut last) = (0, 0.0);
        while body.follower.state() != FollowState::Arrived {
            body.step();
            let Some(own) = body.traversal() else { continue };
            assert_eq!((own.link, own.id, own.kind), (0, link.id, LinkKind::Jump));
            assert!(own.progress >= last && own.progress <= 1.0);
            assert!((body.motion.position - own.position).norm() < 1e-3, "{seen}");
            if own.progress > 0.0 && own.progress < 1.0 {
                let seconds = motion.duration() - own.seconds_left;
                assert!((own.position - motion.position(seconds)).norm() < 1e-3);
                assert!((own.velocity - motion.velocity(seconds)).norm() < 1e-3);
                assert!((own.progress - seconds / motion.duration()).abs() < 1e-3);
                let launch = motion.launch().map(|(_, velocity)| velocity);
                assert_eq!(own.launch_velocity, launch);
                seen += 1;
            }
            last = own.progress;
        }
        assert!(seen as f32 > 0.9 * motion.duration() / DT, "{seen}");
        assert!(body.is_on_ground());
    }
}

#[test]
fn a_traversal_that_was_taken_over_goes_on_where_it_is_handed_back() {
    let mut body = Body::in_the_air();
    let taken = body.follower.take_over().expect("on the link");
    assert!(taken.is_taken_over);
    let place = body.motion.position;
    for _ in 0..120 {
        body.step();
    }
    assert_eq!(body.motion.position, place);
    assert_eq!(body.follower.state(), FollowState::OnLink { link: 0 });
    body.motion = Motion::at(taken.to);
    body.follower.hand_back_at_end().expect("on the link");
    assert_eq!(body.traversal(), None);
    assert!(body.until(|body| body.follower.state() == FollowState::Arrived));
    assert!((body.motion.position.x - GOAL[0]).abs() < 0.01);
    assert_eq!(body.follower.take_over(), Err(NotOnLink));
    assert_eq!(body.follower.hand_back_at_end(), Err(NotOnLink));
}

#[test]
fn a_traversal_that_is_broken_off_ends_on_the_nearest_ground() {
    // Knocked back, it jumps once more; knocked over, it walks on.
    for (x, jumps) in [(10.4, true), (11.8, false)] {
        let mut body = Body::in_the_air();
        body.follower.take_over().expect("on the link");
        let ground = body.follower.hand_back(&body.nav, [x, -0.5, 5.0]).expect("on the link");
        assert!(body.nav.view().is_walkable(ground.span));
        assert_eq!(ground.point.x < 11.0, jumps);
        body.motion = Motion::at(ground.point);
        let mut jumped = false;
        while body.follower.state() != FollowState::Arrived {
            body.step();
            jumped |= body.traversal().is_some();
        }
        assert_eq!(jumped, jumps);
        assert!(body.is_on_ground());
    }
}

#[test]
fn whatever_changes_in_the_air_the_body_lands_on_ground() {
    type Change = fn(&mut Body);
    let back: Change = |body| body.follower.set_goal(START);
    let stop: Change = |body| body.follower.stop();
    let close: Change = |body| body.nav.set_link_open(0, false).expect("a link");
    let obstacle: Change = |body| {
        let (base, radius, height) = ([12.4, 0.0, 5.0].into(), 0.5, 1.0);
        body.nav.block(Obstacle::Cylinder { base, radius, height }).expect("a shape");
    };
    let changes = [
        (back, FollowState::Arrived),
        (stop, FollowState::Idle),
        (close, FollowState::Arrived),
        (obstacle, FollowState::Arrived),
    ];
    for (at, (change, end)) in changes.into_iter().enumerate() {
        let mut body = Body::in_the_air();
        change(&mut body);
        body.step();
        assert_eq!(body.follower.state(), FollowState::OnLink { link: 0 }, "{at}");
        // It may take the link back at once.
        let has_landed = |body: &Body| body.traversal().is_none_or(|own| own.from.x > 11.0);
        assert!(body.until(has_landed), "{at}");
        assert!((body.motion.position.x - 12.375).abs() < 0.1, "{at}: {}", body.motion.position);
        assert!(
            body.until(|body| body.follower.state() == end),
            "{at}: {:?}",
            body.follower.state()
        );
        assert!(body.is_on_ground(), "{at}");
    }
}

#[test]
fn nobody_takes_a_link_that_has_been_closed() {
    let mut body = Body::new(jump(), START, FollowSettings::default());
    body.follower.set_goal(GOAL);
    assert!(body.until(|body| body.motion.position.x > 9.3));
    body.nav.set_link_open(0, false).expect("a link");
    assert!(!body.until(|body| body.traversal().is_some()));
    assert!(body.is_on_ground() && body.motion.position.x < 10.0);
    body.nav.set_link_open(0, true).expect("a link");
    assert!(body.until(|body| body.follower.state() == FollowState::Arrived));
}

/// A follower that must not jump stays on its side, and one that may not climb jumps all the same.
#[test]
fn a_follower_takes_only_the_kinds_that_it_may() {
    for (links, arrives) in [
        (LinkFilter::default().forbid(LinkKind::Jump), false),
        (LinkFilter::default().forbid(LinkKind::Climb), true),
        (LinkFilter::only(&[LinkKind::Jump]), true),
    ] {
        let settings = FollowSettings { links, ..FollowSettings::default() };
        let text = serde_json::to_string(&settings).expect("it is written");
        assert_eq!(serde_json::from_str::<FollowSettings>(&text).expect("it is read"), settings);
        let mut body = Body::new(jump(), START, settings);
        body.follower.set_goal(GOAL);
        assert!(body.until(|body| body.follower.state().is_at_rest()));
        assert_eq!(body.follower.state() == FollowState::Arrived, arrives, "{text}");
        assert!(body.motion.velocity.norm() < 0.1 || body.is_on_ground());
    }
}
