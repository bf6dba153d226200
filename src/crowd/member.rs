//! Provides [`Member`]: one body of a crowd.

use nalgebra::{Point3, Vector3};

use crate::cost::{CostModel, Metric, SlopeLimit};
use crate::crowd::avoidance::Disc;
use crate::crowd::neighbors::Body;
use crate::follow::FollowSettings;
use crate::follow::FollowState;
use crate::follow::norm;
use crate::follow::slide_on;
use crate::follow::{DesiredVelocity, PathFollowing};
use crate::follow::{approach, turn};
use crate::grid::{AgentId, SpanId};
use crate::path::{Segments, Waypoint};
use crate::view::{NavPoint, ViewRef};

/// Names a member of a crowd; never given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// One body of a crowd.
#[derive(Clone, Debug)]
pub struct Member {
    pub(crate) id: MemberId,
    pub(crate) agent: AgentId,
    pub(crate) settings: FollowSettings,
    pub(crate) priority: u8,
    pub(crate) following: PathFollowing,
    pub(crate) desired: DesiredVelocity,
    /// The ground under it; on a link, that where it began.
    pub(crate) at: NavPoint,
    pub(crate) position: Point3<f32>,
    pub(crate) velocity: Vector3<f32>,
    pub(crate) facing: f32,
    /// Where the link it is on leads.
    pub(crate) ride_end: Option<NavPoint>,
    /// It stands in the queue for a path.
    pub(crate) is_queued: bool,
    /// How long it has been next to others that rest at the same goal [s].
    pub(crate) crowded: f32,
    /// For so long it does not press on: it could not be pushed clear of others [s].
    pub(crate) eased: f32,
}

impl Member {
    pub(crate) fn new(
        (id, agent): (MemberId, AgentId),
        settings: FollowSettings,
        at: NavPoint,
    ) -> Self {
        Member {
            id,
            agent,
            settings,
            priority: EVEN,
            following: PathFollowing::with_leeway(LEEWAY),
            desired: DesiredVelocity::default(),
            at,
            position: at.point,
            velocity: Vector3::zeros(),
            facing: 0.0,
            ride_end: None,
            is_queued: false,
            crowded: 0.0,
            eased: 0.0,
        }
    }

    /// Its name in the crowd.
    pub fn id(&self) -> MemberId {
        self.id
    }

    /// Whose body it has.
    pub fn agent(&self) -> AgentId {
        self.agent
    }

    /// Where its feet are [m].
    pub fn position(&self) -> Point3<f32> {
        self.position
    }

    /// How fast it moves [m/s].
    pub fn velocity(&self) -> Vector3<f32> {
        self.velocity
    }

    /// Where it faces: the angle from +x towards +z [rad, -π..π].
    pub fn facing(&self) -> f32 {
        self.facing
    }

    /// The span it stands on; `None` on a link.
    pub fn span(&self) -> Option<SpanId> {
        self.following.traversal().is_none().then_some(self.at.span)
    }

    /// What it is doing, and why it is not doing more.
    pub fn state(&self) -> FollowState {
        self.following.state()
    }

    /// Where it wants to go.
    pub fn goal(&self) -> Option<Point3<f32>> {
        self.following.goal()
    }

    /// The waypoints still ahead, the next one first.
    pub fn waypoints(&self) -> &[Waypoint] {
        self.following.waypoints()
    }

    /// How far it is along the path to its end [m]; `None` where there is no path.
    pub fn remaining_distance(&self) -> Option<f32> {
        self.following.remaining(&self.at)
    }

    /// How it walks.
    pub fn settings(&self) -> &FollowSettings {
        &self.settings
    }

    /// Others of lower priority make way for it.
    pub fn priority(&self) -> u8 {
        self.priority
    }

    /// What it would do alone.
    pub(crate) fn follow<M: CostModel + ?Sized>(&mut self, metric: &Metric<M>, model: &M, dt: f32) {
        let view = metric.view;
        self.following.wait(dt);
        if self.following.traversal().is_some() {
            self.desired = self.following.traverse(self.position, (&self.settings, dt));
        } else if !view.is_walkable(self.at.span) {
            self.desired = self.step_back(view);
        } else {
            let limit = SlopeLimit::of(view, self.settings.slope_limit);
            let own = limit.map(|limit| Metric::new(view, model, Some(limit), 0));
            let segments = Segments { metric: own.as_ref().unwrap_or(metric), sight: None };
            let asks = self.desired.asks;
            self.desired = self.following.advance(&segments, &self.at, (&self.settings, dt));
            self.desired.asks |= asks;
        }
        if let Some(end) = self.following.traversal() {
            self.velocity = self.desired.velocity;
            self.ride_end = Some(end);
        } else if let Some(end) = self.ride_end.take() {
            (self.at, self.position) = (end, end.point);
        }
    }

    /// Something was put where it stands: goes for the nearest ground that is free.
    fn step_back(&mut self, view: &ViewRef) -> DesiredVelocity {
        let nearest = view.view.nearest_walkable(self.position, STEP_BACK * view.agent().radius);
        let nearest = nearest.map(|(_, point)| point);
        self.following.strand(nearest);
        let away = nearest.map_or(Vector3::zeros(), |point| point - self.position);
        let off = away.norm();
        let velocity = if off > 0.0 { away * (self.settings.speed / off) } else { away };
        DesiredVelocity { velocity, asks: false }
    }

    /// Takes up a velocity, as fast as it can; none while it eases off. Among others it keeps to
    /// the right, each in a lane of its own.
    pub(crate) fn decide(&mut self, (velocity, is_alone): ([f32; 2], bool), dt: f32) {
        self.following.lane = (!is_alone).then(|| lane(self.id.index));
        self.eased = (self.eased - dt).max(0.0);
        let velocity = if self.eased > 0.0 { [0.0; 2] } else { velocity };
        let before = [self.velocity.x, self.velocity.z];
        let [x, z] = approach(before, velocity, self.settings.acceleration * dt);
        self.velocity = Vector3::new(x, self.velocity.y, z);
    }

    /// Is pushed to a place within a step. It takes up the velocity of the push, as far as that
    /// makes it no faster than it may be: so it does not press on against those who pushed it.
    pub(crate) fn push(&mut self, to: NavPoint, dt: f32) {
        self.velocity += (to.point - self.position) / dt;
        let fastest = self.settings.speed / norm([self.velocity.x, self.velocity.z]);
        if fastest < 1.0 {
            self.velocity *= fastest;
        }
        (self.at, self.position) = (to, to.point);
    }

    /// Moves for a step: over the ground as it is now, or as it was baked where something was put
    /// on it since.
    pub(crate) fn walk(&mut self, [view, baked]: [&ViewRef; 2], dt: f32) {
        self.facing =
            turn(self.facing, [self.velocity.x, self.velocity.z], self.settings.turn_rate * dt);
        let by = self.velocity * dt;
        if self.following.traversal().is_some() {
            self.position += by;
            return;
        }
        let is_free = view.is_walkable(self.at.span);
        self.at = slide_on(if is_free { view } else { baked }, self.at, [by.x, by.z]);
        let moved = self.at.point - self.position;
        // Steps may be smaller than numbers far from the origin can tell apart.
        let is_free = norm([moved.x - by.x, moved.z - by.z]) <= ROUNDING;
        let [x, z] = if is_free { [by.x, by.z] } else { [moved.x, moved.z] };
        self.velocity = Vector3::new(x, moved.y, z) / dt;
        self.position = self.at.point;
    }

    /// What others see of it.
    pub(crate) fn body(&self, radius: f32, height: f32) -> Body {
        let (at, velocity, wanted) = (self.position, self.velocity, self.desired.velocity);
        Body {
            disc: Disc { place: [at.x, at.z], velocity: [velocity.x, velocity.z], radius },
            heights: [at.y, at.y + height],
            wanted: [wanted.x, wanted.z],
            index: self.id.index,
            agent: self.agent,
            priority: self.priority,
            held_up: self.following.held_up(),
            is_at_rest: self.state().is_at_rest() || self.state() == FollowState::Idle,
        }
    }
}

/// The priority of members that were given none.
pub(crate) const EVEN: u8 = 128;

/// Free ground is looked for so far from a body that something was put on [radii].
const STEP_BACK: f32 = 8.0;
/// A step that falls short by no more than this was not held up by anything [m].
const ROUNDING: f32 = 1e-3;
/// Who was pushed no farther than this from its goal stays there, so that nobody fights for a spot
/// [radii].
const LEEWAY: f32 = 3.0;

/// A lane of its own for each member, the same for ever: without a pattern, but not at random.
fn lane(index: u32) -> f32 {
    let part = (index.wrapping_mul(2_654_435_769) >> 8) as f32 / (1 << 24) as f32;
    0.05 + 0.9 * part
}
