//! Where agents start and where they want to, the same for every side.

use std::f32::consts::TAU;

use glam::Vec3;

use crate::RADIUS;
use crate::ground::Ground;
use crate::random::Random;

const SEED: u64 = 5;
/// Between the centers of two agents at the start [m]: a little more than their radii.
const GAP: f32 = 2.2 * RADIUS;
/// Of an agent on a level, one after the other, and then again.
const GOALS: usize = 32;
/// For each agent on a disc [m²].
const ROOM: f32 = 4.0;

/// Starts and goals.
pub struct Course {
    pub starts: Vec<Vec3>,
    goals: Vec<Vec<Vec3>>,
}

impl Course {
    /// Random places on the largest part of the ground that is connected.
    pub fn on(ground: &Ground, count: usize) -> Course {
        let mut random = Random(SEED);
        let starts = apart(count, || ground.random_point(&mut random));
        let mut goals = || (0..GOALS).map(|_| ground.random_point(&mut random)).collect();
        let goals = starts.iter().map(|_| goals()).collect();
        Course { starts, goals }
    }

    /// Random places on a disc; everyone goes to the opposite place and back.
    pub fn across_disc(count: usize) -> Course {
        let mut random = Random(SEED);
        let radius = (ROOM * count as f32 / (TAU / 2.0)).sqrt();
        let starts = apart(count, || {
            let distance = radius * unit(&mut random).sqrt();
            let (sin, cos) = (TAU * unit(&mut random)).sin_cos();
            Vec3::new(cos, 0.0, sin) * distance
        });
        let goals = starts.iter().map(|&start| vec![-start, start]).collect();
        Course { starts, goals }
    }

    /// Of an agent that has reached so many.
    pub fn goal(&self, agent: usize, reached: usize) -> Vec3 {
        let goals = &self.goals[agent];
        goals[reached % goals.len()]
    }
}

/// `[0, 1)`.
pub fn unit(random: &mut Random) -> f32 {
    (random.next() >> 40) as f32 / (1_u64 << 24) as f32
}

/// So many places that no two are nearer than the gap.
fn apart(count: usize, mut place: impl FnMut() -> Vec3) -> Vec<Vec3> {
    let mut starts: Vec<Vec3> = Vec::with_capacity(count);
    while starts.len() < count {
        let start = place();
        if starts.iter().all(|other| other.distance(start) >= GAP) {
            starts.push(start);
        }
    }
    starts
}
