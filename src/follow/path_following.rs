//! Provides [`PathFollowing`]: what a body is about, how far it has got, and when it needs another path.
//!
//! What comes in at every step is the ground under the body; what goes out is the velocity it
//! should have, and whether a path has to be found for it. Who finds it, and when, is another's
//! affair: a single follower asks at once, a crowd by a queue.

use nalgebra::{Point3, Vector3};

use crate::cost::CostModel;
use crate::follow::horizontal::norm;
use crate::follow::path_corridor::PathCorridor;
use crate::follow::settings::FollowSettings;
use crate::follow::speed::speed_ahead;
use crate::follow::state::{FollowState, StuckReason};
use crate::path::{Segments, Waypoint};
use crate::search::Outcome;
use crate::view::{NavPoint, Stamp};

/// What a body is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathFollowing {
    goal: Option<Point3<f32>>,
    state: FollowState,
    corridor: PathCorridor,
    /// What the course was found for; `None` before the first.
    plan: Option<Plan>,
    /// The link it is on: its index, and where it leads.
    traversal: Option<(u32, NavPoint)>,
    clocks: Clocks,
    /// Which part of the right half of the path it keeps from its edge [0..=1]; `None` where it is
    /// alone, and goes straight.
    pub(crate) lane: Option<f32>,
    /// It walks back when it was pushed so much farther than a radius from where it came to rest
    /// [radii].
    leeway: f32,
    /// Where it came to rest.
    resting: Option<Point3<f32>>,
}

/// What a course was found for.
#[derive(Clone, Copy, Debug)]
struct Plan {
    goal: Point3<f32>,
    outcome: Outcome,
    stamp: Stamp,
}

/// How long things have lasted [s], and how often they happened.
#[derive(Clone, Copy, Debug)]
struct Clocks {
    since_asking: f32,
    since_progress: f32,
    /// How long it has been next to the end of its path.
    at_end: f32,
    /// The least distance to the end since the path was found [m].
    nearest: f32,
    /// Ways asked for since it got on last.
    tries: u32,
}

impl Default for Clocks {
    fn default() -> Self {
        Clocks {
            since_asking: f32::INFINITY,
            since_progress: 0.0,
            at_end: 0.0,
            nearest: f32::INFINITY,
            tries: 0,
        }
    }
}

/// What a body should do next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DesiredVelocity {
    /// The velocity it should have [m/s].
    pub velocity: Vector3<f32>,
    /// A way to its goal has to be found.
    pub asks: bool,
}

/// Coming nearer by this part of what it could in the time of its patience is getting on.
const PROGRESS: f32 = 0.15;
/// A body this near to where it stops has arrived [m].
const ARRIVED: f32 = 5e-4;
/// A body within the waypoint tolerance of where it stops has arrived after so long [s]: physics
/// does not put it on the spot.
const SETTLED: f32 = 0.5;
/// The longest time between two tries of a body that is held up, as a number of patiences.
const SLOWEST_TRIES: f32 = 8.0;

impl PathFollowing {
    /// One that does not walk back when it was pushed no farther than so many radii.
    pub(crate) fn with_leeway(leeway: f32) -> Self {
        PathFollowing { leeway, ..PathFollowing::default() }
    }

    /// Sets out for a goal; gives up what it was about.
    pub(crate) fn set_goal(&mut self, goal: Option<Point3<f32>>) {
        let since_asking = self.clocks.since_asking;
        self.goal = goal;
        self.clocks = Clocks { since_asking, ..Clocks::default() };
        self.plan = None;
        self.resting = None;
        self.corridor.clear();
        self.state = if goal.is_some() { FollowState::Waiting } else { FollowState::Idle };
    }

    /// Goes for where a target is now; the path so far stays until there is a better one.
    pub(crate) fn set_target(&mut self, target: Point3<f32>) {
        if self.goal.is_none() {
            self.set_goal(Some(target));
        }
        self.goal = Some(target);
    }

    pub(crate) fn goal(&self) -> Option<Point3<f32>> {
        self.goal
    }

    pub(crate) fn state(&self) -> FollowState {
        self.state
    }

    pub(crate) fn waypoints(&self) -> &[Waypoint] {
        self.corridor.ahead()
    }

    /// How far it is along the path [m]; `None` where there is none.
    pub(crate) fn remaining(&self, at: &NavPoint) -> Option<f32> {
        self.corridor.end().map(|_| self.corridor.remaining(at))
    }

    /// How long it has not come nearer to its goal [s].
    pub(crate) fn held_up(&self) -> f32 {
        if self.state.is_at_rest() { 0.0 } else { self.clocks.since_progress }
    }

    /// The link it is on leads there.
    pub(crate) fn traversal(&self) -> Option<NavPoint> {
        self.traversal.map(|(_, end)| end)
    }

    /// It stands on no ground.
    pub(crate) fn strand(&mut self, nearest: Option<Point3<f32>>) {
        if self.goal.is_some() {
            self.state = FollowState::OffGrid { nearest };
            self.plan = None;
            self.corridor.clear();
        }
    }

    /// Whether it is within so far of where it stops [m] and gets no nearer, by another path either.
    pub(crate) fn is_held_up_within(
        &self,
        reach: f32,
        at: &NavPoint,
        settings: &FollowSettings,
    ) -> bool {
        let has_tried = self.clocks.tries >= settings.most_tries.min(1);
        let is_near = |rest: f32| rest - settings.stopping_distance <= reach;
        has_tried && self.held_up() > settings.patience && self.remaining(at).is_some_and(is_near)
    }

    /// Comes to rest where it is: there is no room at the goal.
    pub(crate) fn settle(&mut self) {
        self.state = self.rest();
    }

    /// Takes the answer to what it asked for: the waypoints, if there is a path.
    pub(crate) fn answer<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        (outcome, way): (Outcome, &[Waypoint]),
    ) {
        let Some(goal) = self.goal else { return };
        self.note(segments, (goal, outcome));
        if outcome.has_path() {
            self.corridor.take(segments, way);
            self.resting = None;
            self.state = FollowState::Following;
        } else {
            self.corridor.clear();
            self.state = FollowState::Stuck { why: StuckReason::NoWay(outcome) };
        }
    }

    /// Takes a path someone else has found.
    pub(crate) fn take<M: CostModel + ?Sized>(&mut self, segments: &Segments<M>, way: &[Waypoint]) {
        let Some(end) = way.last() else { return };
        self.set_goal(Some(end.point));
        self.note(segments, (end.point, Outcome::Complete));
        self.corridor.take(segments, way);
        self.state = FollowState::Following;
    }

    fn note<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        (goal, outcome): (Point3<f32>, Outcome),
    ) {
        self.plan = Some(Plan { goal, outcome, stamp: segments.metric.view.stamp() });
        self.clocks.nearest = f32::INFINITY;
        self.clocks.at_end = 0.0;
    }

    /// Lets time pass.
    pub(crate) fn wait(&mut self, dt: f32) {
        self.clocks.since_asking += dt;
        self.clocks.since_progress += dt;
    }

    /// What to do next, standing on a place.
    pub(crate) fn advance<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        (settings, dt): (&FollowSettings, f32),
    ) -> DesiredVelocity {
        let Some(goal) = self.goal else { return DesiredVelocity::default() };
        let asks = self.asks(segments, at, (settings, goal));
        if asks {
            self.clocks.since_asking = 0.0;
        }
        if self.corridor.end().is_none() {
            if self.plan.is_none() {
                self.state = FollowState::Waiting;
            }
            return DesiredVelocity { asks, ..DesiredVelocity::default() };
        }
        if self.state.is_at_rest() && !self.is_pushed_away(segments, at) {
            return DesiredVelocity { asks, ..DesiredVelocity::default() };
        }
        if let Some(traversal) = self.corridor.link_here(at, settings.waypoint_tolerance) {
            self.traversal = Some(traversal);
            return DesiredVelocity { asks, ..self.traverse(at.point, (settings, dt)) };
        }
        self.corridor.look(segments, at, (settings.waypoint_tolerance, self.lane));
        self.observe(at, (settings, dt));
        DesiredVelocity { velocity: self.velocity(at, (settings, dt)), asks }
    }

    /// Whether another path is needed, and it is time to ask for it.
    fn asks<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        (settings, goal): (&FollowSettings, Point3<f32>),
    ) -> bool {
        if self.clocks.since_asking < settings.replan_interval {
            return false;
        }
        let Some(plan) = &mut self.plan else { return true };
        let to_go = (goal - at.point).norm();
        let near_enough =
            settings.replan_distance.min(0.5 * to_go).max(settings.waypoint_tolerance);
        if (goal - plan.goal).norm() > near_enough {
            return true;
        }
        let stamp = segments.metric.view.stamp();
        if plan.stamp != stamp {
            plan.stamp = stamp;
            self.corridor.look_again();
            if plan.outcome != Outcome::Complete || !self.corridor.is_open(segments) {
                return true;
            }
        }
        self.is_held_up(settings)
    }

    /// Whether it is time for another try of a body that does not get on.
    fn is_held_up(&mut self, settings: &FollowSettings) -> bool {
        let moving = !self.state.is_at_rest() && self.corridor.end().is_some();
        let lost = moving && self.corridor.is_lost();
        let patience = settings.patience;
        let pause = (patience * 2f32.powi(self.clocks.tries as i32)).min(SLOWEST_TRIES * patience);
        let first = lost && self.clocks.tries == 0;
        let is_new = self.clocks.tries < settings.most_tries;
        let held_up = moving && (lost || is_new && self.clocks.since_progress > patience);
        let tries = held_up && (first || self.clocks.since_asking > pause);
        self.clocks.tries += u32::from(tries);
        tries
    }

    /// Keeps account of whether it gets on, and tells when it is there.
    fn observe(&mut self, at: &NavPoint, (settings, dt): (&FollowSettings, f32)) {
        let remaining = self.corridor.remaining(at);
        let clocks = &mut self.clocks;
        if clocks.nearest == f32::INFINITY {
            clocks.nearest = remaining;
        } else if remaining < clocks.nearest - PROGRESS * settings.speed * settings.patience {
            (clocks.nearest, clocks.since_progress, clocks.tries) = (remaining, 0.0, 0);
        }
        let to_stop = remaining - settings.stopping_distance;
        let is_next = to_stop <= settings.waypoint_tolerance;
        clocks.at_end = if is_next { clocks.at_end + dt } else { 0.0 };
        let is_stuck = clocks.since_progress > 2.0 * settings.patience
            || clocks.tries >= settings.most_tries.max(1);
        self.state = if to_stop <= ARRIVED || clocks.at_end > SETTLED {
            self.rest()
        } else if is_stuck {
            FollowState::Stuck { why: StuckReason::HeldUp }
        } else {
            FollowState::Following
        };
    }

    /// How it has come to rest.
    fn rest(&self) -> FollowState {
        match self.plan.map(|plan| plan.outcome) {
            Some(Outcome::Partial { reason, gap }) => FollowState::Partial { reason, gap },
            _ => FollowState::Arrived,
        }
    }

    /// Whether a body at rest was moved so far that it has to walk back.
    fn is_pushed_away<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
    ) -> bool {
        let radius = segments.metric.view.agent().radius;
        let leeway = (1.0 + self.leeway) * radius;
        let resting = *self.resting.get_or_insert(at.point);
        let away = (at.point - resting).norm() > leeway;
        if away {
            self.resting = None;
            self.clocks.at_end = 0.0;
            self.clocks.since_progress = 0.0;
            self.clocks.nearest = f32::INFINITY;
        }
        away
    }

    fn velocity(&self, at: &NavPoint, (settings, dt): (&FollowSettings, f32)) -> Vector3<f32> {
        let Some(aim) = self.corridor.aim().filter(|_| !self.state.is_at_rest()) else {
            return Vector3::zeros();
        };
        let along = aim.point - at.point;
        let level = norm([along.x, along.z]);
        if level <= 0.0 {
            return Vector3::zeros();
        }
        let ahead = speed_ahead(&self.corridor, at, (settings, dt)) * self.corridor.pitch();
        // No further than to where it heads.
        let speed = ahead.min(level / dt);
        along * (speed / level)
    }

    /// What to do on a link: straight on to its end.
    pub(crate) fn traverse(
        &mut self,
        point: Point3<f32>,
        (settings, dt): (&FollowSettings, f32),
    ) -> DesiredVelocity {
        let Some((link, end)) = self.traversal else { return DesiredVelocity::default() };
        self.state = FollowState::OnLink { link };
        self.clocks.since_progress = 0.0;
        let along = end.point - point;
        let length = along.norm();
        if length <= ARRIVED {
            self.traversal = None;
            self.state = FollowState::Following;
            self.corridor.leave_link();
            return DesiredVelocity::default();
        }
        let speed = settings.speed.min(length / dt);
        DesiredVelocity { velocity: along * (speed / length), asks: false }
    }
}
