//! Provides [`Walker`]: a body that a follower leads and that slides over the ground.

use nalgebra::Point3;

use crate::cost::model::HeightCost;
use crate::follow::follower::{Follower, Guide, Motion};
use crate::follow::settings::FollowSettings;
use crate::follow::slide::slide;
use crate::follow::state::FollowState;
use crate::grid::{AgentId, NavGrid};
use crate::path::path_search::PathSearch;
use crate::path::sight::Sight;
use crate::view::NavPoint;
use crate::view::view_ref::ViewRef;

/// A body on the ground, its follower, and what it walked.
pub(crate) struct Walker {
    pub follower: Follower,
    pub at: NavPoint,
    pub motion: Motion,
    pub search: PathSearch,
    /// Confirms what the grid allows.
    pub sight: Option<Box<dyn Sight>>,
    pub dt: f32,
    /// Where it has been.
    pub track: Vec<Point3<f32>>,
}

impl Walker {
    pub fn new(settings: FollowSettings, at: NavPoint, dt: f32) -> Self {
        let follower = Follower::new(settings).expect("sound settings");
        let motion = Motion::at(at.point);
        let track = vec![at.point];
        Walker { follower, at, motion, search: PathSearch::default(), sight: None, dt, track }
    }

    /// Walks one step, over the ground and along links.
    pub fn step(&mut self, view: &ViewRef) {
        let model = HeightCost::default();
        let search = &mut self.search;
        let mut guide = Guide { view, model: &model, search, sight: self.sight.as_deref() };
        let steering = self.follower.step(&mut guide, &self.motion, self.dt);
        let by = steering.velocity * self.dt;
        match self.follower.nav_point() {
            Some(at) => {
                self.at = slide(view, at, [by.x, by.z]);
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
    pub fn walk(&mut self, view: &ViewRef, most: f32) -> f32 {
        let mut time = 0.0;
        while time < most {
            self.step(view);
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
pub(crate) fn ground(grid: &NavGrid, at: [f32; 2]) -> NavPoint {
    let point = Point3::new(at[0], 0.0, at[1]);
    let span = grid.span_at(point, 100.0).expect("ground");
    let view = ViewRef::new(grid, AgentId(0)).expect("an agent");
    NavPoint::at(&view, span, point)
}
