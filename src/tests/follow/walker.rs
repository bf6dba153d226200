//! Provides [`Walker`]: a body that a follower leads and that slides over the ground.

use nalgebra::Point3;

use crate::follow::{FollowSettings, FollowState, Follower, Guide, Motion, slide};
use crate::grid::{AgentId, NavGrid};
use crate::solve::{Footing, HeightCost, Search, Sight, Terrain};

/// A body on the ground, its follower, and what it walked.
pub(crate) struct Walker {
    pub follower: Follower,
    pub at: Footing,
    pub motion: Motion,
    pub search: Search,
    /// Confirms what the grid allows.
    pub sight: Option<Box<dyn Sight>>,
    pub dt: f32,
    /// Where it has been.
    pub track: Vec<Point3<f32>>,
}

impl Walker {
    pub fn new(settings: FollowSettings, at: Footing, dt: f32) -> Self {
        let follower = Follower::new(settings).expect("sound settings");
        let motion = Motion::at(at.point);
        let track = vec![at.point];
        Walker { follower, at, motion, search: Search::default(), sight: None, dt, track }
    }

    /// Walks one step, over the ground and along links.
    pub fn step(&mut self, terrain: &Terrain) {
        let model = HeightCost::default();
        let search = &mut self.search;
        let mut guide = Guide { terrain, model: &model, search, sight: self.sight.as_deref() };
        let steering = self.follower.step(&mut guide, &self.motion, self.dt);
        let by = steering.velocity * self.dt;
        match self.follower.footing() {
            Some(at) => {
                self.at = slide(terrain, at, [by.x, by.z]);
                self.motion.velocity = (self.at.point - self.motion.position) / self.dt;
                self.motion.position = self.at.point;
            }
            None => {
                self.motion.velocity = steering.velocity;
                self.motion.position += by;
            }
        }
        self.track.push(self.motion.position);
    }

    /// Walks until it rests or is stuck, at most so long [s]. Returns how long it took.
    pub fn walk(&mut self, terrain: &Terrain, most: f32) -> f32 {
        let mut time = 0.0;
        while time < most {
            self.step(terrain);
            time += self.dt;
            let state = self.follower.state();
            if state.is_at_rest() || matches!(state, FollowState::Stuck { .. }) {
                break;
            }
        }
        time
    }
}

/// The ground at a point of a grid's only storey.
pub(crate) fn ground(grid: &NavGrid, at: [f32; 2]) -> Footing {
    let point = Point3::new(at[0], 0.0, at[1]);
    let span = grid.span_at(point, 100.0).expect("ground");
    let terrain = Terrain::new(grid, AgentId(0)).expect("an agent");
    Footing::at(&terrain, span, point)
}
