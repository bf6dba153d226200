//! Provides [`PathFollowing`]: the goal of a body, its progress along its path, and when it needs
//! another one.
//!
//! What comes in at every step is the ground under the body; what goes out is its desired velocity,
//! and whether it needs a path. Finding the path is left to the caller: a follower does it at once, a
//! crowd by a queue.
//! Based on: Reynolds, "Steering behaviors for autonomous characters", 1999 (path following, arrival).

use nalgebra::{Point3, Vector3};

use crate::cost::CostModel;
use crate::follow::horizontal::norm;
use crate::follow::path_corridor::{CorridorParameters, PathCorridor};
use crate::follow::progress::{FollowProgress, GainClock};
use crate::follow::settings::FollowSettings;
use crate::follow::speed::{DesiredVelocity, FollowStep};
use crate::follow::state::{FollowState, StuckReason};
use crate::follow::traversal::{LinkAhead, Traversal};
use crate::path::{Segments, Waypoint};
use crate::search::Outcome;
use crate::view::{NavPoint, Stamp};

/// The goal of a body, and its progress along its path.
#[derive(Clone, Debug, Default)]
pub(crate) struct PathFollowing {
    pub(super) goal: Option<Point3<f32>>,
    pub(super) state: FollowState,
    pub(super) corridor: PathCorridor,
    /// The last answered request; `None` before the first.
    pub(super) answered: Option<AnsweredRequest>,
    /// The link it is on; boxed, because it is large and few bodies of a crowd are on one.
    pub(super) traversal: Option<Box<Traversal>>,
    pub(super) progress: FollowProgress,
    gain: GainClock,
    /// Distance that it keeps from the right edge of the ground ahead, as a part of the half width
    /// [0..=1]; `None` if it is alone and goes straight.
    pub(crate) edge_offset: Option<f32>,
    /// It must not get on the link ahead yet.
    pub(crate) is_link_barred: bool,
    /// It walks back if it was pushed this much farther than its radius from where it came to rest
    /// [radii].
    leeway: f32,
    /// Where it came to rest.
    resting: Option<Point3<f32>>,
    /// How often it was pushed away from there since it set out, and had to walk back.
    returns: u32,
}

/// What a path was asked for, and how that ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnsweredRequest {
    pub goal: Point3<f32>,
    pub outcome: Outcome,
    /// The ground that the path was found on.
    pub stamp: Stamp,
}

impl PathFollowing {
    /// A body without a goal that stays where it is if it is pushed by no more than `leeway` radii
    /// beyond its own.
    pub(crate) fn with_leeway(leeway: f32) -> Self {
        PathFollowing { leeway, ..PathFollowing::default() }
    }

    /// Replaces the goal and drops the path.
    pub(crate) fn set_goal(&mut self, goal: Option<Point3<f32>>) {
        let since_request = self.progress.since_request;
        self.goal = goal;
        self.progress = FollowProgress::default();
        self.progress.since_request = since_request;
        self.gain = GainClock::default();
        self.answered = None;
        self.resting = None;
        self.returns = 0;
        self.drop_path();
        self.state = self.state_without_path();
    }

    /// Drops the path. A body on a link goes on to its end all the same: it cannot stop in the air.
    fn drop_path(&mut self) {
        self.corridor.clear();
        if let Some(traversal) = &mut self.traversal {
            traversal.is_on_path = false;
        }
    }

    pub(super) fn state_without_path(&self) -> FollowState {
        match (&self.traversal, self.goal) {
            (Some(traversal), _) => FollowState::OnLink { link: traversal.link() },
            (None, Some(_)) => FollowState::Waiting,
            (None, None) => FollowState::Idle,
        }
    }

    /// Follows a target to where it is now; the path so far is kept until there is a better one.
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

    /// Returns the nearest point of the path for a body beside it.
    pub(crate) fn beside(&self, at: &NavPoint) -> Option<Point3<f32>> {
        self.corridor.beside(at)
    }

    /// Returns the distance to the end along the path [m]; `None` without a path.
    pub(crate) fn remaining(&self, at: &NavPoint) -> Option<f32> {
        self.corridor.end().map(|_| self.corridor.remaining(at))
    }

    /// Returns how long the body has not come nearer to its goal [s].
    pub(crate) fn held_up(&self) -> f32 {
        if self.state.is_at_rest() { 0.0 } else { self.progress.since_progress }
    }

    /// Returns how long the body has gained nothing on its goal, by any path [s].
    pub(crate) fn time_without_gain(&self) -> f32 {
        let wants_to_go = self.goal.is_some() && !self.state.is_at_rest();
        if wants_to_go { self.gain.time } else { 0.0 }
    }

    /// Returns how often the body was pushed away from where it rested, and had to walk back.
    pub(crate) fn returns(&self) -> u32 {
        self.returns
    }

    /// Counts anew how long the body has not come nearer to its goal.
    pub(crate) fn forget_hold_up(&mut self) {
        self.progress.since_progress = 0.0;
    }

    /// The ground ended before the body had made its step: what it steers to may be out of sight by now.
    pub(crate) fn look_again(&mut self) {
        self.corridor.look_again();
    }

    /// Counts anew how long the body has gained nothing.
    pub(crate) fn postpone_jam(&mut self) {
        self.gain.time = 0.0;
        self.returns = 0;
    }

    /// Goes on to the goal after the body was led elsewhere: by another path, as if it had just set out.
    pub(crate) fn resume(&mut self) {
        self.progress = FollowProgress::default();
        self.gain = GainClock::default();
        self.returns = 0;
        if self.state.is_at_rest() {
            return;
        }
        self.answered = None;
        self.drop_path();
    }

    /// Forgets everything that refers to the grid. The goal stays; a body at rest stays at rest if it has
    /// arrived.
    pub(crate) fn change_grid(&mut self) {
        if self.traversal.take().is_some() {
            self.state = self.state_without_path();
        }
        self.corridor.clear();
        if self.state == FollowState::Arrived || self.goal.is_none() {
            return;
        }
        self.set_goal(self.goal);
        self.progress = FollowProgress::default();
    }

    /// Returns the link that the body is on.
    pub(crate) fn traversal(&self) -> Option<&Traversal> {
        self.traversal.as_deref()
    }

    pub(crate) fn is_on_link(&self) -> bool {
        self.traversal.is_some()
    }

    /// Returns the link that the path takes next.
    pub(crate) fn link_ahead(&self) -> Option<LinkAhead> {
        self.corridor.link_ahead()
    }

    /// The body is not on the grid: drops its path.
    pub(crate) fn leave_grid(&mut self, nearest: Option<Point3<f32>>) {
        if self.goal.is_some() {
            self.state = FollowState::OffGrid { nearest };
            self.answered = None;
            self.drop_path();
        }
    }

    /// Whether the body is within a distance of where it stops [m] and comes no nearer, even by another
    /// path.
    pub(crate) fn is_held_up_within(
        &self,
        distance: f32,
        at: &NavPoint,
        settings: &FollowSettings,
    ) -> bool {
        let has_tried = self.progress.tries >= settings.most_tries.min(1);
        let is_near = |remaining: f32| remaining - settings.stopping_distance <= distance;
        has_tried && self.held_up() > settings.patience && self.remaining(at).is_some_and(is_near)
    }

    /// Whether its last path was asked for to within a distance of its goal [m].
    pub(crate) fn has_answer_within(&self, distance: f32) -> bool {
        let answered = self.answered.zip(self.goal);
        answered.is_some_and(|(answered, goal)| (goal - answered.goal).norm() < distance)
    }

    /// Comes to rest where the body is, because there is no room at the goal.
    pub(crate) fn rest_here(&mut self) {
        self.state = self.resting_state();
    }

    /// Takes the answer to a request: the waypoints, if there is a path.
    pub(crate) fn take_answer<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        outcome: Outcome,
        waypoints: &[Waypoint],
    ) {
        let Some(goal) = self.goal else { return };
        if self.is_on_link() {
            // The path begins where the body is no more. It asks again once it has come off the link.
            self.answered = None;
            return;
        }
        self.record(segments, goal, outcome);
        match outcome {
            Outcome::Complete | Outcome::Partial { .. } => {
                self.corridor.set_path(segments, waypoints);
                self.resting = None;
                self.state = FollowState::Following;
            }
            Outcome::Failed(error) => {
                self.corridor.clear();
                self.state = FollowState::Stuck { reason: StuckReason::NoPath(error) };
            }
        }
    }

    /// Takes a path that the caller has found, and its end as the goal.
    pub(crate) fn set_path<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        waypoints: &[Waypoint],
    ) {
        let Some(end) = waypoints.last() else { return };
        self.set_goal(Some(end.point));
        self.record(segments, end.point, Outcome::Complete);
        self.corridor.set_path(segments, waypoints);
        if !self.is_on_link() {
            self.state = FollowState::Following;
        }
    }

    fn record<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        goal: Point3<f32>,
        outcome: Outcome,
    ) {
        let stamp = segments.metric.view.stamp();
        let is_same = |old: &AnsweredRequest| old.goal == goal && old.stamp == stamp;
        if !self.answered.as_ref().is_some_and(is_same) {
            self.gain = GainClock::default();
        }
        self.answered = Some(AnsweredRequest { goal, outcome, stamp });
        self.progress.begin_path();
    }

    /// Lets time pass while the body stands of its own accord: that it comes no nearer does not count.
    pub(crate) fn wait(&mut self, dt: f32) {
        self.progress.since_request += dt;
    }

    /// Lets time pass.
    pub(crate) fn add_time(&mut self, dt: f32) {
        self.progress.since_request += dt;
        self.progress.since_progress += dt;
        self.gain.time += dt;
    }

    /// Returns what a body on the ground should do in a step.
    pub(crate) fn advance<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
        step: FollowStep,
    ) -> DesiredVelocity {
        let settings = step.settings;
        let Some(goal) = self.goal else { return DesiredVelocity::default() };
        let is_due = self.progress.since_request >= settings.replan_interval;
        let needs_path = is_due && {
            let moved_enough = settings.replan_distance.min(0.5 * (goal - at.point).norm());
            let replan_distance = moved_enough.max(settings.waypoint_tolerance);
            self.is_path_outdated(segments, goal, replan_distance) || self.is_try_due(settings)
        };
        if needs_path {
            self.progress.since_request = 0.0;
        }
        if self.corridor.end().is_none() {
            if self.answered.is_none() {
                self.state = FollowState::Waiting;
            }
            return DesiredVelocity { needs_path, ..DesiredVelocity::default() };
        }
        if self.state.is_at_rest() && !self.is_pushed_away(segments, at) {
            return DesiredVelocity { needs_path, ..DesiredVelocity::default() };
        }
        let tolerance = settings.waypoint_tolerance;
        let view = segments.metric.view;
        let may_take_link = !needs_path && !self.is_link_barred;
        let link_here = self.corridor.link_here(view, at, tolerance).filter(|_| may_take_link);
        if let Some(link) = link_here {
            let traversal = Traversal::new(view, link, at.point, settings.speed);
            self.traversal = Some(Box::new(traversal));
            return self.traverse_link(at.point, step);
        }
        let keeps_target = self.progress.since_progress <= settings.patience;
        let parameters =
            CorridorParameters { tolerance, edge_offset: self.edge_offset, keeps_target };
        self.corridor.update(segments, at, parameters);
        self.update_state(at, step);
        DesiredVelocity { velocity: self.velocity(at, step), needs_path }
    }

    /// Whether the path is missing, leads to a point too far from the goal [m], or was cut by a change.
    fn is_path_outdated<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        goal: Point3<f32>,
        replan_distance: f32,
    ) -> bool {
        let Some(answered) = &mut self.answered else { return true };
        if (goal - answered.goal).norm() > replan_distance {
            return true;
        }
        let stamp = segments.metric.view.stamp();
        if answered.stamp == stamp {
            return false;
        }
        answered.stamp = stamp;
        self.corridor.forget_target();
        answered.outcome != Outcome::Complete || !self.corridor.is_open(segments)
    }

    /// Whether it is time for another try of a body that makes no progress. Counts the try.
    fn is_try_due(&mut self, settings: &FollowSettings) -> bool {
        let is_moving = !self.state.is_at_rest() && self.corridor.end().is_some();
        is_moving && self.progress.is_try_due(self.corridor.is_lost(), settings)
    }

    /// Measures the progress, and decides whether the body has arrived or is stuck.
    fn update_state(&mut self, at: &NavPoint, step: FollowStep) {
        let FollowStep { settings, dt } = step;
        let remaining = self.corridor.remaining(at);
        self.progress.measure(remaining, settings, dt);
        self.gain.measure(remaining);
        self.state = if self.progress.has_arrived(remaining, settings) {
            self.resting_state()
        } else if self.progress.is_stuck(settings) {
            FollowState::Stuck { reason: StuckReason::HeldUp }
        } else {
            FollowState::Following
        };
    }

    /// Returns the state of a body that comes to rest at the end of its path.
    fn resting_state(&self) -> FollowState {
        match self.answered.map(|answered| answered.outcome) {
            Some(Outcome::Partial { reason, gap }) => FollowState::Partial { reason, gap },
            _ => FollowState::Arrived,
        }
    }

    /// Whether a body at rest was pushed so far that it has to walk back.
    fn is_pushed_away<M: CostModel + ?Sized>(
        &mut self,
        segments: &Segments<M>,
        at: &NavPoint,
    ) -> bool {
        let radius = segments.metric.view.agent().radius;
        let leeway = (1.0 + self.leeway) * radius;
        let resting = *self.resting.get_or_insert(at.point);
        let is_away = (at.point - resting).norm() > leeway;
        if is_away {
            self.resting = None;
            self.returns += 1;
            self.progress.begin_again();
            self.gain = GainClock::default();
        }
        is_away
    }

    fn velocity(&self, at: &NavPoint, step: FollowStep) -> Vector3<f32> {
        let target = self.corridor.steering_target().filter(|_| !self.state.is_at_rest());
        let Some(target) = target else { return Vector3::zeros() };
        let along = target.point - at.point;
        let distance = norm([along.x, along.z]);
        if distance <= 0.0 {
            return Vector3::zeros();
        }
        let speed = step.speed_ahead(&self.corridor, at) * self.corridor.horizontal_part();
        let most = match self.corridor.rests_at_target() {
            true => step.braking_speed(distance, 0.0),
            false => f32::INFINITY,
        };
        // Not past the target within this step.
        let speed = speed.min(most).min(distance / step.dt);
        along * (speed / distance)
    }

    /// Returns what a body on a link should do: go along its motion.
    pub(crate) fn traverse_link(
        &mut self,
        position: Point3<f32>,
        step: FollowStep,
    ) -> DesiredVelocity {
        let FollowStep { settings, dt } = step;
        let Some(traversal) = &mut self.traversal else { return DesiredVelocity::default() };
        self.state = FollowState::OnLink { link: traversal.link() };
        self.progress.since_progress = 0.0;
        if traversal.is_taken_over || !position.iter().all(|value| value.is_finite()) {
            return DesiredVelocity::default();
        }
        if traversal.is_over(position, settings) {
            if traversal.is_lost() {
                self.interrupt()
            } else {
                self.land()
            }
            return DesiredVelocity::default();
        }
        let velocity = traversal.follow(position, settings, dt);
        DesiredVelocity { velocity, needs_path: false }
    }

    /// Takes over the traversal of the link that the body is on.
    pub(crate) fn take_over(&mut self) -> Option<&Traversal> {
        let traversal = self.traversal.as_mut()?;
        traversal.is_taken_over = true;
        Some(traversal)
    }

    /// Gets the body off the link at its end. It goes on along its path, or finds another if that was
    /// dropped.
    pub(crate) fn land(&mut self) {
        let Some(traversal) = self.traversal.take() else { return };
        self.state = self.state_without_path();
        if self.corridor.end().is_some() {
            self.state = FollowState::Following;
        }
        if traversal.is_on_path {
            self.corridor.leave_link();
        }
    }

    /// Gets the body off the link somewhere else. It goes on to its goal by another path.
    pub(crate) fn interrupt(&mut self) {
        self.traversal = None;
        self.progress = FollowProgress::default();
        self.answered = None;
        self.corridor.clear();
        self.state = self.state_without_path();
    }
}
