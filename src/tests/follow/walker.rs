//! Provides [`Walker`]: a body that a follower steers and that slides over the ground.

use nalgebra::Point3;

use crate::follow::follower::{Follower, Motion};
use crate::follow::settings::FollowSettings;
use crate::follow::slide::slide;
use crate::follow::state::FollowState;
use crate::grid::{AgentId, NavGrid};
use crate::navigator::Navigator;
use crate::path::sight::Sight;
use crate::view::NavPoint;
use crate::view::View;

/// A body on the ground, its follower, and its track.
pub(crate) struct Walker {
    pub follower: Follower,
    pub at: NavPoint,
    pub motion: Motion,
    pub nav: Navigator,
    /// Confirms every segment.
    pub sight: Option<Box<dyn Sight>>,
    pub dt: f32,
    /// Where it has been.
    pub track: Vec<Point3<f32>>,
}

impl Walker {
    pub fn new(view: &View, settings: FollowSettings, at: NavPoint, dt: f32) -> Self {
        let nav = Navigator::new(view.grid().clone(), view.agent_id()).expect("an agent");
        let follower = Follower::new(settings).expect("sound settings");
        let motion = Motion::at(at.point);
        let track = vec![at.point];
        Walker { follower, at, motion, nav, sight: None, dt, track }
    }

    /// Walks one step, over the ground and along links.
    pub fn step(&mut self) {
        let Walker { follower, nav, motion, .. } = self;
        let steering = match &self.sight {
            Some(sight) => follower.step(nav.with_sight(&**sight), motion, self.dt),
            None => follower.step(nav, motion, self.dt),
        };
        let by = steering.velocity * self.dt;
        match self.follower.nav_point() {
            Some(at) => {
                self.at = slide(self.nav.view(), at, [by.x, by.z]);
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

    /// Walks until it rests or is stuck, for at most this time [s]. Returns the time it took.
    pub fn walk(&mut self, most: f32) -> f32 {
        let mut time = 0.0;
        while time < most {
            self.step();
            time += self.dt;
            let state = self.follower.state();
            if state.is_at_rest() || matches!(state, FollowState::Stuck { .. }) {
                break;
            }
        }
        time
    }
}

/// Returns the ground at a point of a grid with one storey.
pub(crate) fn ground(grid: &NavGrid, at: [f32; 2]) -> NavPoint {
    let point = Point3::new(at[0], 0.0, at[1]);
    let span = grid.span_at(point, 100.0).expect("ground");
    let view = View::new(grid, AgentId(0)).expect("an agent");
    NavPoint::at(&view.parts(), span, point)
}
