//! A crowd crosses a world of which only a part fits into memory.

use nalgebra::Point3;
use surefoot::crowd::{Member, MemberId};
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::world::{World, WorldBudget, WorldInfo};
use surefoot::{AgentId, Cell, Crowd, GridFrame, HeightCost};

use super::{hills, info, write_world};

const HUMAN: AgentId = AgentId(0);
const DT: f32 = 1.0 / 30.0;
const MEMBERS: usize = 60;
/// How far it is to the other side [m].
const FAR: f32 = 300.0;
/// A member goes so far at a time [m].
const STRIDE: f32 = 24.0;
/// So many steps lie between two looks at where members are.
const PACE: usize = 10;

/// Hills with holes, 360 m long and 80 m wide, in 23 by 5 tiles.
fn strip() -> WorldInfo {
    let frame =
        GridFrame { min: Cell::new(-40, -80), size_x: 720, size_z: 160, ..info(1, 32).frame };
    WorldInfo { frame, ..info(1, 32) }
}

/// A member and where it is to go in the end.
struct Walker {
    id: MemberId,
    goal: Point3<f32>,
}

struct Crossing {
    world: World,
    crowd: Crowd,
    walkers: Vec<Walker>,
    grids: usize,
}

impl Crossing {
    fn begin(mut world: World) -> Self {
        let starts: Vec<Point3<f32>> = (0..MEMBERS)
            .map(|at| Point3::new((at % 6) as f32 * 1.5, 0.0, (at / 6) as f32 * 1.5 - 6.0))
            .collect();
        world.set_interest(&starts).expect("points");
        let grid = world.wait().expect("ground");
        let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
        let add = |at: Point3<f32>| {
            let place = grid.nearest_walkable(HUMAN, at, 4.0).expect("ground").1;
            let id = crowd.add(HUMAN, place, FollowSettings::default()).expect("a place");
            Walker { id, goal: Point3::new(at.x + FAR, 0.0, at.z) }
        };
        let walkers = starts.into_iter().map(add).collect();
        Crossing { world, crowd, walkers, grids: 1 }
    }

    fn member(&self, walker: &Walker) -> &Member {
        self.crowd.member(walker.id).expect("nobody is lost")
    }

    /// Lets the world follow the members, and the crowd go on to its grid.
    fn follow(&mut self, waits: bool) {
        let positions: Vec<Point3<f32>> =
            self.crowd.members().map(|member| member.position()).collect();
        self.world.set_interest(&positions).expect("points");
        let grid = if waits { self.world.wait() } else { self.world.update() };
        if let Some(grid) = grid {
            let lost = self.crowd.set_grid(&grid).expect("the same agents");
            assert_eq!(lost, [], "nobody is lost");
            self.grids += 1;
        }
        assert!(self.world.take_faults().is_empty());
    }

    /// Sends a member on once it is near its last goal, or rests short of it because the ground there was not
    /// loaded any more: along the straight line, as far as is loaded.
    fn send_on(&mut self) {
        let grid = self.crowd.grid().clone();
        for walker in &self.walkers {
            let member = self.member(walker);
            let (at, end) = (member.position(), walker.goal);
            let is_last = |goal: Point3<f32>| (goal.x - end.x).hypot(goal.z - end.z) < 4.0;
            let is_near = |goal: Point3<f32>| (goal - at).norm() < 0.5 * STRIDE;
            let is_due = |goal| !is_last(goal) && (is_near(goal) || member.state().is_at_rest());
            if member.goal().is_some_and(|goal| !is_due(goal)) {
                continue;
            }
            let way = Point3::new(end.x, at.y, end.z) - at;
            let strides =
                [1.0f32, 0.75, 0.5, 0.25].map(|part| (part * STRIDE / way.norm()).min(1.0));
            let mut places = strides.into_iter().map(|part| at + way * part);
            let next = places.find_map(|place| grid.nearest_walkable(HUMAN, place, 4.0));
            if let Some((_, next)) = next {
                self.crowd.set_goal(walker.id, next).expect("a member");
            }
        }
    }

    /// Whether a member is at its end of the world, or beside it.
    fn has_arrived(&self, walker: &Walker) -> bool {
        let member = self.member(walker);
        let (at, goal) = (member.position(), walker.goal);
        member.state() == FollowState::Arrived && (at.x - goal.x).hypot(at.z - goal.z) < 8.0
    }

    /// Checks that everybody stands on ground of the present grid.
    fn check_ground(&self) {
        let grid = self.crowd.grid();
        for walker in &self.walkers {
            let member = self.member(walker);
            let span = member.span().expect("a span");
            assert!(grid.is_walkable(HUMAN, span));
            let own = grid.cell_of(span).expect("a cell");
            assert_eq!(grid.column_at(member.position()), Some(own));
            let height = hills(own).expect("no hole");
            assert!((member.position().y - height).abs() < 0.1, "{:?}", member.position());
        }
    }

    /// Walks until all have arrived; returns how many steps that takes.
    fn walk(&mut self, waits: bool) -> usize {
        for step in 0..16_000 {
            if step % PACE == 0 {
                self.follow(waits);
                self.send_on();
                self.check_ground();
                if self.walkers.iter().all(|walker| self.has_arrived(walker)) {
                    return step;
                }
            }
            self.crowd.step(DT);
        }
        let late = self.walkers.iter().filter(|walker| !self.has_arrived(walker));
        let late: Vec<_> = late
            .map(|walker| {
                let member = self.member(walker);
                (member.position(), member.state(), member.goal(), walker.goal)
            })
            .collect();
        panic!("{} did not arrive: {late:?}", late.len());
    }
}

fn cross(waits: bool) -> Vec<Point3<f32>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("strip.navworld");
    write_world(&path, &strip(), hills);
    let mut world = World::open(&path).expect("it opens");
    world.set_budget(WorldBudget { bytes: 900_000, ..WorldBudget::default() });
    let mut crossing = Crossing::begin(world);
    let steps = crossing.walk(waits);
    let loaded = crossing.world.loaded().count();
    println!(
        "crossed in {:.0} s over {} grids; {loaded} of {:?} tiles are loaded",
        steps as f32 * DT,
        crossing.grids,
        crossing.world.tiles(),
    );
    assert!(crossing.grids > 15, "the window follows: {} grids", crossing.grids);
    assert!(loaded < 40);
    crossing.crowd.members().map(|member| member.position()).collect()
}

#[test]
fn a_crowd_crosses_a_world_that_is_larger_than_the_window() {
    let positions = cross(true);
    assert_eq!(positions, cross(true), "the same motion each time");
}

#[test]
fn a_crowd_crosses_while_tiles_arrive_whenever_they_do() {
    cross(false);
}
