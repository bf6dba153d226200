//! Provides [`LinkTraversal`]: where a body on a link is on its motion, for those who animate it.
//!
//! What comes in is the link that a path takes and the ground at both its ends; what goes out, as time
//! goes by, is the pose on the link's motion. The body first walks to the very start of the link, since
//! the motion was baked from there.

use nalgebra::{Point3, Vector3};

use super::progress::ARRIVAL_DISTANCE;
use super::settings::FollowSettings;
use crate::follow::horizontal::horizontal_distance;
use crate::level::{Link, LinkId, LinkKind, LinkLane, LinkMotion};
use crate::view::{NavPoint, ViewRef};

/// Where a body on a link is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinkTraversal {
    /// The index of the link in the grid.
    pub link: u32,
    /// Tells it from the other links of the grid, in later bakes too.
    pub id: LinkId,
    /// What kind of movement it takes.
    pub kind: LinkKind,
    /// Where the body gets on the link: on the ground [m].
    pub from: Point3<f32>,
    /// Where it gets off: on the ground [m].
    pub to: Point3<f32>,
    /// The part of its time that has passed [0..=1]; 0 while the body walks the last step to its start.
    pub progress: f32,
    /// Where its feet are on the motion [m].
    pub position: Point3<f32>,
    /// Its velocity on the motion [m/s].
    pub velocity: Vector3<f32>,
    /// How long it takes to the end [s, >= 0].
    pub seconds_left: f32,
    /// The velocity with which the body leaves the ground [m/s]; `None` if it does not fly.
    pub launch_velocity: Option<Vector3<f32>>,
    /// Whether the caller has taken it over: nobody else moves the body until it is handed back.
    pub is_taken_over: bool,
}

/// The body is on no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the body is on no link; ask for its traversal first")]
pub struct NotOnLink;

/// A link that a path takes, and the ground at both its ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkAhead {
    /// Its index in the grid.
    pub link: u32,
    pub from: NavPoint,
    pub to: NavPoint,
}

/// A body's way along a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traversal {
    pub(super) ahead: LinkAhead,
    id: LinkId,
    kind: LinkKind,
    /// Where the body was when it began.
    begun_at: Point3<f32>,
    /// How long it walks from there to the start [s].
    approach: f32,
    motion: LinkMotion,
    /// Since it began [s].
    seconds: f32,
    pub is_taken_over: bool,
    /// The path that led to the link is still followed.
    pub is_on_path: bool,
}

/// A body within the waypoint tolerance of the end has come to it if it is late by this [s]: physics does
/// not put it on the exact point.
const ARRIVAL_TIME: f32 = 0.25;
/// A body that is late by this was kept from the end, and goes on from where it is [s].
const LOST_TIME: f32 = 2.0;

impl Traversal {
    /// Begins at a point, for a body of a speed [m/s, > 0].
    pub(crate) fn new(view: &ViewRef, ahead: LinkAhead, at: Point3<f32>, speed: f32) -> Self {
        let LinkAhead { link, from, to } = ahead;
        let plain;
        let link = match view.grid().links().get(link as usize) {
            Some(link) => link,
            None => {
                plain = Link::new("", LinkKind::Authored, [from.point, to.point]);
                &plain
            }
        };
        let lanes = link.lanes_of(view.agent_id().index());
        let lane = |spans| lanes.iter().find(|lane| lane.spans == spans);
        let ends = [from.point, to.point];
        let motion = match (lane([from.span, to.span]), lane([to.span, from.span])) {
            (None, Some(lane)) => LinkMotion::new(link, lane, [ends[1], ends[0]], speed).reversed(),
            (Some(lane), _) => LinkMotion::new(link, lane, ends, speed),
            _ => LinkMotion::new(link, &LinkLane::new([from.span, to.span]), ends, speed),
        };
        Traversal {
            ahead,
            id: link.id,
            kind: link.kind,
            begun_at: at,
            approach: (from.point - at).norm() / speed,
            motion,
            seconds: 0.0,
            is_taken_over: false,
            is_on_path: true,
        }
    }

    pub(crate) fn link(&self) -> u32 {
        self.ahead.link
    }

    pub(crate) fn ahead(&self) -> LinkAhead {
        self.ahead
    }

    /// Where it gets on the link.
    pub(crate) fn begin(&self) -> NavPoint {
        self.ahead.from
    }

    /// Where it gets off.
    pub(crate) fn end(&self) -> NavPoint {
        self.ahead.to
    }

    /// Whether the body flies, and so cannot wait on the way.
    pub(crate) fn flies(&self) -> bool {
        self.motion.launch().is_some()
    }

    /// How long it takes to the end [s].
    pub(crate) fn seconds_left(&self) -> f32 {
        (self.approach + self.motion.duration() - self.seconds).max(0.0)
    }

    /// How late the body is [s]; negative before it should be at the end.
    fn late(&self) -> f32 {
        self.seconds - self.approach - self.motion.duration()
    }

    pub(crate) fn advance(&mut self, dt: f32) {
        self.seconds += dt;
    }

    /// Where the feet are now.
    pub(crate) fn position(&self) -> Point3<f32> {
        let on_motion = self.seconds - self.approach;
        if on_motion >= 0.0 {
            return self.motion.position(on_motion);
        }
        let part = self.seconds / self.approach;
        self.begun_at + (self.ahead.from.point - self.begun_at) * part
    }

    fn velocity(&self) -> Vector3<f32> {
        let on_motion = self.seconds - self.approach;
        if on_motion >= 0.0 {
            return self.motion.velocity(on_motion);
        }
        (self.ahead.from.point - self.begun_at) / self.approach
    }

    pub(crate) fn pose(&self) -> LinkTraversal {
        let progress = (self.seconds - self.approach) / self.motion.duration();
        LinkTraversal {
            link: self.ahead.link,
            id: self.id,
            kind: self.kind,
            from: self.ahead.from.point,
            to: self.ahead.to.point,
            progress: if progress.is_finite() { progress.clamp(0.0, 1.0) } else { 1.0 },
            position: self.position(),
            velocity: self.velocity(),
            seconds_left: self.seconds_left(),
            launch_velocity: self.motion.launch().map(|(_, velocity)| velocity),
            is_taken_over: self.is_taken_over,
        }
    }

    /// Whether a body is at the end, or as near to it as it will come.
    pub(crate) fn is_over(&self, position: Point3<f32>, settings: &FollowSettings) -> bool {
        let end = self.ahead.to.point;
        let is_near = horizontal_distance(&position, &end) <= settings.waypoint_tolerance
            && (position.y - end.y).abs() <= NEAR_HEIGHT;
        let late = self.late();
        late >= 0.0
            && ((position - end).norm() <= ARRIVAL_DISTANCE
                || late > ARRIVAL_TIME && is_near
                || self.is_lost())
    }

    /// Whether the body was kept from the end.
    pub(crate) fn is_lost(&self) -> bool {
        self.late() > LOST_TIME
    }

    /// Lets time pass, and returns the velocity that brings a body to where it should be then [m/s].
    pub(crate) fn follow(
        &mut self,
        position: Point3<f32>,
        settings: &FollowSettings,
        dt: f32,
    ) -> Vector3<f32> {
        let before = self.position();
        self.advance(dt);
        let now = self.position();
        let velocity = (now - position) / dt;
        // A body that lags behind catches up, but not in one leap.
        let fastest = (now - before).norm() / dt + settings.speed;
        let speed = velocity.norm();
        if !speed.is_finite() {
            return Vector3::zeros();
        }
        if speed > fastest { velocity * (fastest / speed) } else { velocity }
    }
}

/// A body whose feet are this near to the height of the end stands there [m].
const NEAR_HEIGHT: f32 = 0.5;
