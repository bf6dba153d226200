//! A body goes on to another grid: it keeps its path as far as the ground there is the same, and asks for
//! another only where that may be better, or where its own is cut.

use nalgebra::Point3;

use super::path_corridor::{PathCorridor, SeenTarget, is_link_open, nav_point};
use super::path_following::{AnsweredRequest, PathFollowing};
use super::progress::{FollowProgress, NOT_SINCE};
use super::state::FollowState;
use super::traversal::{LinkAhead, Traversal};
use crate::cost::{CostModel, Metric};
use crate::grid::{GroundRect, NextGrid};
use crate::path::Waypoint;
use crate::portable;
use crate::search::{Outcome, PathError};
use crate::view::{NavPoint, Stamp};

/// The ground that bodies of an agent go on to.
pub(crate) struct NextGround<'a, M: ?Sized> {
    pub next: &'a NextGrid<'a>,
    /// Names the ground so far.
    pub before: Stamp,
    /// The costs on the new one.
    pub metric: &'a Metric<'a, M>,
    /// Whether some link may be cheaper than all walking between its ends.
    pub has_shortcuts: bool,
}

/// What is left of a path on another grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeptPath {
    Whole,
    /// Its first part.
    Part,
    Nothing,
}

impl<'a, M: CostModel + ?Sized> NextGround<'a, M> {
    pub(crate) fn new(next: &'a NextGrid<'a>, before: Stamp, metric: &'a Metric<'a, M>) -> Self {
        let mut links = metric.view.open_links();
        let has_shortcuts = !next.changed().is_empty()
            && links.any(|link| {
                let [start, end] = NavPoint::link_ends(metric.view, link);
                let between = metric.least_between(start.point, end.point);
                metric.link_price(link).is_some_and(|cost| f64::from(cost) < between)
            });
        NextGround { next, before, metric, has_shortcuts }
    }
}

impl PathFollowing {
    /// Goes on along a link on another grid, if both its ends are there. Returns where it begins; `None`
    /// if it is gone, or the body was on none.
    pub(crate) fn keep_traversal(&mut self, next: &NextGrid) -> Option<NavPoint> {
        let kept = self.traversal.take()?.on_next(next);
        self.traversal = kept.map(Box::new);
        if matches!(self.state, FollowState::OnLink { .. }) {
            self.state = self.state_without_path();
        }
        kept.as_ref().map(Traversal::begin)
    }

    /// Goes on to another grid, where the body is at a nav point.
    pub(crate) fn go_on<M: CostModel + ?Sized>(&mut self, ground: &NextGround<M>, at: &NavPoint) {
        let Some(goal) = self.goal else { return };
        if self.corridor.end().is_none() {
            self.go_on_without_path(ground);
            return;
        }
        let kept = self.corridor.go_on(ground.next, at);
        let is_cut_behind_link = self.traversal.as_ref().is_some_and(|own| own.is_on_path)
            && self.corridor.ahead().len() < 2;
        match kept {
            _ if self.state == FollowState::Arrived => {
                if kept != KeptPath::Whole {
                    self.corridor.clear();
                }
            }
            KeptPath::Part if !is_cut_behind_link => self.go_part_of_the_way(goal, ground.before),
            KeptPath::Whole if !is_cut_behind_link => {}
            _ => return self.change_path(),
        }
        if kept == KeptPath::Whole {
            self.keep_answer(ground, at);
        }
    }

    /// Asks again if there was no path and the ground is another now.
    fn go_on_without_path<M: ?Sized>(&mut self, ground: &NextGround<M>) {
        let next = ground.next;
        let is_other = !next.changed().is_empty() || !next.gained().is_empty();
        let has_failed = |answered: &AnsweredRequest| !answered.outcome.has_path();
        if is_other && self.answered.as_ref().is_some_and(has_failed) {
            self.change_path();
        }
    }

    /// Drops the path; the body asks for another as if it had just set out.
    fn change_path(&mut self) {
        self.set_goal(self.goal);
        self.progress = FollowProgress::default();
    }

    /// The end of the path is gone: the body follows the rest until there is another.
    fn go_part_of_the_way(&mut self, goal: Point3<f32>, stamp: Stamp) {
        let gap = self.corridor.end().map_or(0.0, |end| (goal - end.point).norm());
        let reason = PathError::GoalOffGrid { nearest: None };
        let outcome = Outcome::Partial { reason, gap };
        self.answered = Some(AnsweredRequest { goal, outcome, stamp });
        self.progress.since_request = NOT_SINCE;
    }

    /// Keeps what is known of the whole path, unless there may be a better one now.
    fn keep_answer<M: CostModel + ?Sized>(&mut self, ground: &NextGround<M>, at: &NavPoint) {
        let Some(answered) = &mut self.answered else { return };
        if answered.stamp == ground.before && self.corridor.is_same_on(ground, at) {
            // Else the path is looked at when the body goes on.
            answered.stamp = ground.metric.view.stamp();
        }
        if self.state == FollowState::Arrived {
            return;
        }
        let is_complete = answered.outcome == Outcome::Complete;
        if is_complete && self.corridor.may_be_beaten(ground, at) {
            self.answered = None;
            self.progress.since_request = NOT_SINCE;
        } else if !is_complete && ground.may_come_nearer(answered, at) {
            answered.stamp = ground.before;
            self.progress.since_request = NOT_SINCE;
        }
    }
}

impl<M: CostModel + ?Sized> NextGround<'_, M> {
    /// Whether a path that ended short of its goal may get nearer to it now.
    fn may_come_nearer(&self, answered: &AnsweredRequest, at: &NavPoint) -> bool {
        let AnsweredRequest { goal, outcome: Outcome::Partial { reason, gap }, .. } = *answered
        else {
            return true;
        };
        let (next, view) = (self.next, self.metric.view);
        let is_nearer = |rect: &GroundRect| {
            let [x, z] = rect.nearest([goal.x, goal.z]);
            portable::hypot(x - goal.x, z - goal.z) < gap
        };
        let is_cut_off = matches!(reason, PathError::DifferentRegion | PathError::Unreachable);
        let is_joined = || {
            let span = view.grid().span_at(goal, view.agent().height);
            span.is_some_and(|span| view.view.may_reach(at.span, span))
        };
        !next.changed().is_empty()
            || next.gained().iter().any(is_nearer)
            || is_cut_off && !next.gained().is_empty() && is_joined()
    }
}

impl PathCorridor {
    /// Goes on to another grid with what the path ahead has in common with it.
    fn go_on(&mut self, next: &NextGrid, at: &NavPoint) -> KeptPath {
        // Of what is passed, only the start of the segment to the next waypoint is needed.
        let passed = self.next.saturating_sub(1);
        self.waypoints.drain(..passed);
        self.costs.drain(..passed);
        self.next -= passed;
        let before = self.waypoints.len();
        let mut end = self.next;
        while let Some(waypoint) = self.waypoints.get_mut(end) {
            let Some(span) = next.span(waypoint.span) else { break };
            waypoint.span = span;
            end += 1;
            if let Some(link) = waypoint.link {
                waypoint.link = next.link(link);
                if waypoint.link.is_none() {
                    break;
                }
            }
        }
        if end == self.next {
            self.clear();
            return KeptPath::Nothing;
        }
        let is_cut = end < before;
        self.waypoints.truncate(end);
        self.costs.truncate(end);
        if let Some(last) = self.waypoints.last_mut().filter(|_| is_cut) {
            last.link = None;
        }
        self.keep_places(next, at);
        if is_cut { KeptPath::Part } else { KeptPath::Whole }
    }

    /// Keeps where the body has come from, and where it steers to.
    fn keep_places(&mut self, next: &NextGrid, at: &NavPoint) {
        let ahead = self.waypoints[self.next].span;
        for passed in &mut self.waypoints[..self.next] {
            passed.span = next.span(passed.span).unwrap_or(ahead);
        }
        self.origin = self.origin.map(|origin| origin.on_next(next).unwrap_or(*at));
        self.target = self.target.and_then(|target| {
            let [point, seen_from] = [target.point, target.seen_from].map(|at| at.on_next(next));
            Some(SeenTarget { point: point?, seen_from: seen_from?, ..target })
        });
    }

    /// Whether all ground ahead is certain to be as before.
    fn is_same_on<M: ?Sized>(&self, ground: &NextGround<M>, at: &NavPoint) -> bool {
        let NextGround { next, metric, .. } = ground;
        let place = |waypoint: &Waypoint| [waypoint.point.x, waypoint.point.z];
        let ahead = self.ahead();
        let is_same = |pair: &[Waypoint]| match pair[0].link {
            Some(link) => is_link_open(metric.view, pair[0].span, link),
            None => next.is_same_along(place(&pair[0]), place(&pair[1])),
        };
        ahead.first().is_none_or(|first| next.is_same_along(at.place(), place(first)))
            && ahead.windows(2).all(is_same)
    }

    /// Whether a path over ground that has changed may cost less than what is ahead.
    fn may_be_beaten<M: CostModel + ?Sized>(&self, ground: &NextGround<M>, at: &NavPoint) -> bool {
        let NextGround { next, metric, has_shortcuts, .. } = ground;
        let (false, Some(end)) = (next.changed().is_empty(), self.end()) else { return false };
        let Some(cost) = self.cost_ahead(metric, at) else { return true };
        let least_by = |rect: &GroundRect| {
            let least = |from: &NavPoint| {
                let [x, z] = rect.nearest(from.place());
                metric.least_between(from.point, Point3::new(x, from.point.y, z))
            };
            least(at) + least(&end)
        };
        *has_shortcuts || next.changed().iter().any(|rect| least_by(rect) < cost)
    }

    /// What the path ahead costs [metres-equivalent]; `None` if it takes a link, or its next waypoint is
    /// out of sight.
    fn cost_ahead<M: CostModel + ?Sized>(&self, metric: &Metric<M>, at: &NavPoint) -> Option<f64> {
        let next = self.ahead().first().map(nav_point)?;
        if self.ahead().iter().any(|waypoint| waypoint.link.is_some()) {
            return None;
        }
        let first = metric.segment(at, &next, f64::INFINITY)?;
        Some(first + self.costs[self.next + 1..].iter().sum::<f64>())
    }
}

impl Traversal {
    /// The same on another grid; `None` if the link or the ground at an end is gone.
    fn on_next(mut self, next: &NextGrid) -> Option<Self> {
        let LinkAhead { link, from, to } = self.ahead;
        let (from, to) = (from.on_next(next)?, to.on_next(next)?);
        self.ahead = LinkAhead { link: next.link(link)?, from, to };
        Some(self)
    }
}
