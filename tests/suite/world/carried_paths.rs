//! Members of a crowd keep their paths from window to window of a world.

use nalgebra::Point3;
use surefoot::crowd::MemberId;
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::path::Waypoint;
use surefoot::world::World;
use surefoot::{AgentId, Crowd, HeightCost, NavGrid};

use super::endless;

const HUMAN: AgentId = AgentId(0);
const DT: f32 = 1.0 / 30.0;

/// Endless hills with holes in tiles of 32 cells, 16 m wide, of which about 25 are loaded.
struct Walk {
    world: World,
    crowd: Crowd,
}

impl Walk {
    fn begin() -> Self {
        let mut world = endless();
        let grid = window(&mut world, [0.0, 0.0]).expect("ground");
        Walk { world, crowd: Crowd::new(grid, HeightCost::default()) }
    }

    /// Adds a member with a goal; both are put on ground near.
    fn send(&mut self, from: [f32; 2], to: [f32; 2]) -> MemberId {
        let place = |[x, z]: [f32; 2]| {
            let near = self.crowd.grid().nearest_walkable(HUMAN, [x, 0.0, z], 4.0);
            near.map_or(Point3::new(x, 0.0, z), |near| near.1)
        };
        let (from, to) = (place(from), place(to));
        let id = self.crowd.add(HUMAN, from, FollowSettings::default()).expect("ground");
        self.crowd.set_goal(id, to).expect("a member");
        id
    }

    fn steps(&mut self, count: usize) {
        (0..count).for_each(|_| self.crowd.step(DT));
    }

    /// Moves the window, and lets the crowd go on.
    fn go_on(&mut self, at: [f32; 2]) {
        let grid = window(&mut self.world, at).expect("another window");
        assert_eq!(self.crowd.set_grid(&grid), Ok(Vec::new()));
    }

    fn state(&self, id: MemberId) -> FollowState {
        self.crowd.member(id).expect("a member").state()
    }

    fn ahead(&self, id: MemberId) -> Vec<Waypoint> {
        self.crowd.member(id).expect("a member").waypoints().to_vec()
    }
}

fn window(world: &mut World, [x, z]: [f32; 2]) -> Option<NavGrid> {
    world.set_interest(&[Point3::new(x, 0.0, z)]).expect("a point");
    world.wait()
}

fn points(waypoints: &[Waypoint]) -> Vec<Point3<f32>> {
    waypoints.iter().map(|waypoint| waypoint.point).collect()
}

/// Two crowds walk alike, and one of them goes on to window after window: to the last bit.
#[test]
fn windows_that_move_change_no_motion() {
    let [mut stays, mut goes_on] = [0; 2].map(|_| {
        let mut walk = Walk::begin();
        for at in 0..40 {
            let (row, column) = (at / 8, at % 8);
            let from = [2.0 * row as f32 - 14.0, 2.0 * column as f32 - 8.0];
            walk.send(from, [from[0] + 22.0, -from[1]]);
        }
        walk.steps(1);
        walk
    });
    assert_eq!(goes_on.crowd.waiting(), 0, "all have their paths");
    for step in 0..300 {
        if step % 20 == 10 {
            // To and fro, so that tiles come and go at all sides.
            let to = [[9.0, 0.0], [0.0, 9.0], [-9.0, 0.0], [0.0, -9.0]][step / 20 % 4];
            goes_on.go_on(to);
            let states = goes_on.crowd.members().map(|own| own.state());
            assert!(states.into_iter().all(|state| state != FollowState::Waiting));
        }
        stays.steps(1);
        goes_on.steps(1);
        assert_eq!(goes_on.crowd.waiting(), 0, "nobody asks again");
        let places = |walk: &Walk| -> Vec<Point3<f32>> {
            walk.crowd.members().map(|member| member.position()).collect()
        };
        assert_eq!(places(&stays), places(&goes_on), "step {step}");
    }
    let arrived = goes_on.crowd.members().filter(|own| own.state() == FollowState::Arrived);
    assert!(arrived.count() > 30);
}

/// A path whose end has left the window is followed as far as it is there, until there is another.
#[test]
fn what_is_left_of_a_path_is_followed() {
    let mut walk = Walk::begin();
    let id = walk.send([-8.0, 0.0], [36.0, 3.0]);
    walk.steps(10);
    let before = walk.ahead(id);
    assert!(before.len() > 1, "it goes around holes: {before:?}");
    walk.go_on([-40.0, 0.0]);
    let after = walk.ahead(id);
    assert!(after.len() < before.len());
    assert_eq!(points(&after), points(&before)[..after.len()]);
    assert_eq!(walk.state(id), FollowState::Following, "it goes on");
    walk.steps(1);
    assert!(matches!(walk.state(id), FollowState::Following));
    // The answer leads to the ground of the window that is nearest to the goal.
    walk.steps(20);
    let end = walk.ahead(id).last().map(|last| last.point).expect("a path");
    assert!(end.x > points(&after).last().expect("an end").x);
    walk.steps(600);
    assert!(matches!(walk.state(id), FollowState::Partial { .. }), "{:?}", walk.state(id));
    walk.go_on([0.0, 0.0]);
    walk.steps(900);
    assert_eq!(walk.state(id), FollowState::Arrived, "it sets out again once the goal is there");
}

/// A member whose path ends short of its goal asks again only if there is new ground nearer to the goal.
#[test]
fn a_member_short_of_its_goal_asks_when_it_can_come_nearer() {
    let mut walk = Walk::begin();
    let id = walk.send([0.0, 0.0], [300.0, 0.0]);
    walk.steps(2);
    let before = walk.ahead(id);
    // What there is now at one side is farther from the goal than the end of the path.
    walk.go_on([0.0, 9.0]);
    for _ in 0..10 {
        walk.steps(1);
        assert_eq!((walk.crowd.waiting(), points(&walk.ahead(id))), (0, points(&before)));
    }
    walk.go_on([24.0, 0.0]);
    walk.steps(5);
    let end = |path: &[Waypoint]| path.last().expect("a path").point.x;
    assert!(end(&walk.ahead(id)) > end(&before) + 8.0);
    assert_eq!(walk.state(id), FollowState::Following);
}
