//! surefoot's side: the grid baked from the level, everything else the crowd's own.

use std::time::Instant;

use glam::Vec3;
use nalgebra::Point3;
use surefoot::crowd::{Crowd as Members, MemberId};
use surefoot::follow::FollowSettings;
use surefoot::{Agent, AgentId, Cell, GridFrame, HeightCost, NavGrid};
use surefoot_bake::{BakeSettings, bake};

use crate::course::Course;
use crate::level::Level;
use crate::race::Side;
use crate::{DT, HEIGHT, RADIUS, SPEED};

/// Side of a cell [m].
const CELL_SIZE: f32 = 0.25;

/// Bakes a level for the agent that all sides have.
pub fn grid(level: &Level) -> NavGrid {
    let agents = vec![agent()];
    let settings = BakeSettings { cell_size: Some(CELL_SIZE), agents, ..BakeSettings::default() };
    bake(&level.scene, &settings, &()).expect("a sound level").grid
}

/// A plane that is wide enough for a course.
pub fn plane(course: &Course) -> NavGrid {
    let reach = course.starts.iter().map(|start| start.length()).fold(0.0, f32::max);
    let half = (reach / CELL_SIZE) as i32 + 80;
    let size = 2 * half as u32;
    let frame = GridFrame {
        cell_size: CELL_SIZE,
        min: Cell::new(-half, -half),
        size_x: size,
        size_z: size,
    };
    let heights = vec![0.0; frame.cells()];
    NavGrid::from_heights(frame, &heights, &[agent()]).expect("level ground")
}

fn agent() -> Agent {
    Agent { radius: RADIUS, height: HEIGHT, ..Agent::new("human") }
}

/// How paths are found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ways {
    /// By a search each, some in a step.
    Searched,
    /// By routes that are prepared before the first step.
    Prepared,
}

pub struct Crowd {
    members: Members,
    ids: Vec<MemberId>,
    ways: Ways,
}

impl Crowd {
    pub fn new(grid: &NavGrid, course: &Course, ways: Ways) -> Crowd {
        let mut members = Members::new(grid.clone(), HeightCost::default());
        if ways == Ways::Prepared {
            let start = Instant::now();
            members.prepare(AgentId(0)).expect("a grid of this agent");
            let (spans, time) = (grid.spans().len(), start.elapsed().as_secs_f64());
            eprintln!("routes over {spans} spans prepared in {time:.2} s");
        }
        let settings = FollowSettings { speed: SPEED, ..FollowSettings::default() };
        let mut add = |start: &Vec3| {
            let snapped = grid.nearest_walkable(AgentId(0), to_ours(*start), 2.0);
            let at = snapped.map_or(to_ours(*start), |(_, point)| point);
            members.add(AgentId(0), at, settings.clone()).expect("ground near the start")
        };
        let ids: Vec<MemberId> = course.starts.iter().map(&mut add).collect();
        for (agent, &id) in ids.iter().enumerate() {
            members.set_goal(id, to_ours(course.goal(agent, 0))).expect("a member");
        }
        Crowd { members, ids, ways }
    }
}

impl Side for Crowd {
    fn name(&self) -> &'static str {
        match self.ways {
            Ways::Searched => "surefoot",
            Ways::Prepared => "surefoot, prepared",
        }
    }

    fn step(&mut self) {
        self.members.step(DT);
    }

    fn position(&self, agent: usize) -> Vec3 {
        let at = self.members.member(self.ids[agent]).expect("nobody is removed").position();
        Vec3::new(at.x, at.y, at.z)
    }

    fn send(&mut self, agent: usize, goal: Vec3) {
        self.members.set_goal(self.ids[agent], to_ours(goal)).expect("nobody is removed");
    }
}

fn to_ours(point: Vec3) -> Point3<f32> {
    Point3::new(point.x, point.y, point.z)
}
