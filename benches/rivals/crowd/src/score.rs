//! How well a crowd does: who arrives, how fast, and through whom.

use glam::{Vec3, Vec3Swizzles};

use crate::course::Course;
use crate::nearby::Nearby;
use crate::race::Side;
use crate::{DT, HEIGHT, RADIUS, SPEED};

/// An agent has reached a goal that is no further away [m].
const ARRIVED: f32 = 1.0;
/// Two agents overlap where their centers are nearer [m]: by more than a twentieth of a radius.
const APART: f32 = 1.95 * RADIUS;

/// Who moves further on the plane in a step leaps instead of walking [m].
const LEAP: f32 = 2.0 * SPEED * DT;

/// Kept up step by step.
pub struct Score {
    /// Goals, by agent.
    reached: Vec<usize>,
    places: Vec<Vec3>,
    /// On the plane, by all together [m].
    walked: f64,
    leaps: usize,
    /// Pairs that overlap, by step.
    overlaps: Vec<usize>,
    /// Of two agents [m].
    nearest: f32,
    nearby: Nearby,
}

impl Score {
    pub fn new(course: &Course, side: &dyn Side) -> Score {
        let agents = course.starts.len();
        Score {
            reached: vec![0; agents],
            // Who starts where a side has no ground is put onto the nearest.
            places: (0..agents).map(|agent| side.position(agent)).collect(),
            walked: 0.0,
            leaps: 0,
            overlaps: Vec::new(),
            nearest: APART,
            nearby: Nearby::new(APART),
        }
    }

    /// After a step; returns whom to send on, and where to.
    pub fn watch(&mut self, course: &Course, side: &dyn Side) -> Vec<(usize, Vec3)> {
        let mut sent = Vec::new();
        for (agent, place) in self.places.iter_mut().enumerate() {
            let before = std::mem::replace(place, side.position(agent));
            let moved = place.xz().distance(before.xz());
            if moved > LEAP {
                self.leaps += 1;
            } else {
                self.walked += f64::from(moved);
            }
            let reached = &mut self.reached[agent];
            if near(*place, course.goal(agent, *reached), ARRIVED) {
                *reached += 1;
                sent.push((agent, course.goal(agent, *reached)));
            }
        }
        self.count_overlaps();
        sent
    }

    fn count_overlaps(&mut self) {
        self.nearby.fill(self.places.iter().map(|place| place.xz()));
        let mut pairs = 0;
        for (agent, place) in self.places.iter().enumerate() {
            self.nearby.visit(place.xz(), APART, |other, distance| {
                if other < agent && near(*place, self.places[other], APART) {
                    pairs += 1;
                    self.nearest = self.nearest.min(distance.sqrt());
                }
            });
        }
        self.overlaps.push(pairs);
    }

    pub fn agents(&self) -> usize {
        self.places.len()
    }

    /// Agents that have reached their first goal.
    pub fn arrived(&self) -> usize {
        self.reached.iter().filter(|&&goals| goals > 0).count()
    }

    /// Goals that have been reached.
    pub fn goals(&self) -> usize {
        self.reached.iter().sum()
    }

    /// Of all agents, all the time, without leaps [m/s].
    pub fn speed(&self) -> f64 {
        self.walked / (self.agents() * self.overlaps.len()) as f64 / f64::from(DT)
    }

    /// Of any agent, in any step.
    pub fn leaps(&self) -> usize {
        self.leaps
    }

    /// Pairs in the mean of all steps.
    pub fn overlaps(&self) -> f64 {
        self.overlaps.iter().sum::<usize>() as f64 / self.overlaps.len() as f64
    }

    /// Pairs in the worst step.
    pub fn most_overlaps(&self) -> usize {
        self.overlaps.iter().copied().max().unwrap_or(0)
    }

    /// The deepest of all overlaps [m]; of two agents on one spot it is 0.6 m.
    pub fn deepest(&self) -> f32 {
        2.0 * RADIUS - self.nearest
    }
}

/// Whether two places are near on the plane, and not one above the other.
fn near(a: Vec3, b: Vec3, distance: f32) -> bool {
    a.xz().distance(b.xz()) <= distance && (a.y - b.y).abs() < HEIGHT
}
