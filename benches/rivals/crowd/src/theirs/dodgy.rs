//! dodgy_2d: avoidance alone, of the agents that a hash grid finds.
//!
//! Its own `Simulator` compares all agents with each other and keeps those that are far.

use std::borrow::Cow;

use dodgy_2d::{Agent, AvoidanceOptions, Vec2 as Theirs};
use glam::{Vec2, Vec3};

use crate::course::Course;
use crate::nearby::Nearby;
use crate::race::Side;
use crate::{DT, RADIUS, SPEED};

/// Who is further away is not avoided [m].
const REACH: f32 = 5.0;
/// At most so many are, the nearest.
const MOST: usize = 10;
/// Collisions are avoided that would come within this time [s].
const HORIZON: f32 = 2.0;

pub struct Crowd {
    agents: Vec<Agent>,
    goals: Vec<Theirs>,
    nearby: Nearby,
}

impl Crowd {
    pub fn new(course: &Course) -> Crowd {
        let agent = |start: &Vec3| Agent {
            position: to_theirs(*start),
            velocity: Theirs::ZERO,
            radius: RADIUS,
            avoidance_responsibility: 1.0,
        };
        let goals = (0..course.starts.len()).map(|agent| to_theirs(course.goal(agent, 0)));
        Crowd {
            agents: course.starts.iter().map(agent).collect(),
            goals: goals.collect(),
            nearby: Nearby::new(REACH / 2.0),
        }
    }

    fn velocities(&self) -> Vec<Theirs> {
        let options = AvoidanceOptions {
            obstacle_margin: 0.0,
            time_horizon: HORIZON,
            obstacle_time_horizon: HORIZON,
        };
        let mut near = Vec::new();
        let mut neighbors = Vec::new();
        let velocity = |(index, agent): (usize, &Agent)| {
            near.clear();
            self.nearby.visit(to_ours(agent.position), REACH, |other, distance| {
                if other != index {
                    near.push((distance, other));
                }
            });
            if near.len() > MOST {
                near.select_nth_unstable_by(MOST, |a, b| a.0.total_cmp(&b.0));
                near.truncate(MOST);
            }
            neighbors.clear();
            neighbors.extend(near.iter().map(|&(_, other)| Cow::Borrowed(&self.agents[other])));
            let to_goal = self.goals[index] - agent.position;
            let wanted = (to_goal / DT).clamp_length_max(SPEED);
            agent.compute_avoiding_velocity(&neighbors, &[], wanted, SPEED, DT, &options)
        };
        self.agents.iter().enumerate().map(velocity).collect()
    }
}

impl Side for Crowd {
    fn name(&self) -> &'static str {
        "dodgy_2d"
    }

    fn step(&mut self) {
        self.nearby.fill(self.agents.iter().map(|agent| to_ours(agent.position)));
        let velocities = self.velocities();
        for (agent, velocity) in self.agents.iter_mut().zip(velocities) {
            agent.velocity = velocity;
            agent.position += velocity * DT;
        }
    }

    fn position(&self, agent: usize) -> Vec3 {
        let Theirs { x, y } = self.agents[agent].position;
        Vec3::new(x, 0.0, y)
    }

    fn send(&mut self, agent: usize, goal: Vec3) {
        self.goals[agent] = to_theirs(goal);
    }
}

fn to_theirs(point: Vec3) -> Theirs {
    Theirs::new(point.x, point.z)
}

fn to_ours(point: Theirs) -> Vec2 {
    Vec2::new(point.x, point.y)
}
