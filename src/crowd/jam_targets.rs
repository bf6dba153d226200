//! Provides [`JamTargets`]: where the members of a jam stand, and where each has to be.

use std::collections::HashSet;

use nalgebra::Point3;

use crate::crowd::member::{Member, MemberId};
use crate::crowd::nearby::waits_in_vain;
use crate::follow::{SAME_STOREY, horizontal_distance};
use crate::mapf::{LocalGround, Occupants, PlaceGraph, PlaceId, Target};
use crate::view::{NavPoint, ViewRef};

/// Places for the members of a jam.
pub(crate) struct JamTargets<'a> {
    view: &'a ViewRef<'a>,
    ground: &'a LocalGround,
    graph: PlaceGraph,
    halls: Halls,
    /// For each place, whether somebody stands on it.
    is_start: Vec<bool>,
    /// For each place, whether it is somebody's goal.
    is_goal: Vec<bool>,
    /// The member that all this is for.
    jammed: MemberId,
    /// Whether others may have to be moved for it in a hall.
    is_held_up: bool,
    /// Whether those who rest away from their goals, because they were pushed, go back there: one has been jammed again
    /// and again that goes where larger ones cannot.
    go_back: bool,
}

/// Open ground with room for many: bodies there get around each other, and whoever comes to a hall is out of
/// the jam.
#[derive(Debug)]
pub(crate) struct Halls {
    /// For each place, the hall that it is in.
    of: Vec<Option<u32>>,
}

/// A hall has at least so many places.
const LEAST_PLACES: usize = 20;
/// Paths are looked at this often [m].
const SAMPLE_DISTANCE: f32 = 0.3;
/// Where the ground ends before a path does, a member has to come this near to there [m].
const AROUND: f32 = 3.0;
/// A member that is jammed on open ground has to get on so far along its path [m].
const BEYOND: f32 = 5.0;
/// A member on open ground that gains nothing on its goal for this long is jammed [s].
pub(crate) const LONG_TIME: f32 = 25.0;
/// A member that gains nothing on its goal for this long, where two cannot pass, is jammed [s].
pub(crate) const JAMMED_TIME: f32 = 4.0;
/// Around those who are held up this near to a jammed member, corners of cells are places too [m].
const CLOSE: f32 = 3.0;
/// One that is jammed more often than this on its way may have to be moved by others in a hall.
pub(crate) const MOST_TRIES: u32 = 3;
/// Up to so many get dense places for every other plan, more for every fourth: such plans take long to find.
const FEW: usize = 8;
/// On ground of no more spans than this, dense places include all corners of cells.
const FEW_SPANS: usize = 400;
/// Who rests farther from its goal than this was pushed away from there [radii].
const PUSHED_RADII: f32 = 3.0;
/// On a larger agent's ground a member counts as where that may stand, within this [radii].
const ASIDE_RADII: f32 = 2.0;

impl<'a> JamTargets<'a> {
    /// Places on some ground: where members stand, at their goals, and everywhere else. Unless the jam is in a
    /// hall, halls have room for all.
    pub(crate) fn new(
        view: &'a ViewRef<'a>,
        ground: &'a LocalGround,
        members: &[&Member],
        jammed: &Member,
    ) -> Self {
        let mut graph = places(view, ground, members, jammed);
        let halls = Halls::of(ground, &graph);
        let span = standing(view, ground, jammed).and_then(|at| ground.number(at.span));
        let is_in_hall = span.is_some_and(|span| halls.at(graph.nearest(span)).is_some());
        // One that is jammed at the edge of a hall, or again and again, is no better off if it is left to itself.
        let is_at_edge = span.is_some_and(|span| !ground.is_open(span));
        let is_long = jammed.following.time_without_gain() > LONG_TIME
            || jammed.jams > MOST_TRIES
            || waits_in_vain(jammed, members.iter().copied());
        if !is_in_hall || !is_at_edge && !is_long {
            // One that stands in front of a passage keeps others from getting into the hall there.
            let stands = |member: &Member| {
                let gains_nothing = member.following.time_without_gain() > JAMMED_TIME;
                member.stands() || gains_nothing || member.turn.is_in_line()
            };
            let standing_there = members.iter().filter(|member| is_long && stands(member));
            let spans = standing_there.filter_map(|member| standing(view, ground, member));
            let spans = spans.filter_map(|at| ground.number(at.span));
            let is_taken: HashSet<PlaceId> = spans.map(|span| graph.nearest(span)).collect();
            graph.make_roomy(|place| halls.at(place).is_some() && !is_taken.contains(&place));
        }
        let (is_start, is_goal) = (vec![false; graph.len()], vec![false; graph.len()]);
        JamTargets {
            view,
            ground,
            halls,
            graph,
            is_start,
            is_goal,
            jammed: jammed.id(),
            is_held_up: is_long,
            go_back: jammed.jams > MOST_TRIES && jammed.agent != view.agent_id(),
        }
    }

    /// Whether there is open ground where one is out of the jam.
    pub(crate) fn has_halls(&self) -> bool {
        self.halls.are_any()
    }

    pub(crate) fn into_parts(self) -> (PlaceGraph, Halls) {
        (self.graph, self.halls)
    }

    /// The place where a member stands; `None` if it is elsewhere, or where there is room for all. Nobody else
    /// is given the same, nor as a goal if the member rests.
    pub(crate) fn start(&mut self, member: &Member) -> Option<PlaceId> {
        let at = standing(self.view, self.ground, member)?;
        let nearest = self.graph.nearest(self.ground.number(at.span)?);
        if self.graph.is_roomy(nearest) {
            return None;
        }
        let start = nearest_free(&self.graph, &self.is_start, nearest)?;
        self.is_start[usize::from(start)] = true;
        self.is_goal[usize::from(start)] |= member.following.state().is_at_rest();
        Some(start)
    }

    /// Where a member has to be that starts at a place. In a hall that does not matter, unless it is about to
    /// go into a passage, or jammed. Whoever rests stays, or comes back; the others go to the first hall on
    /// their path, or to their goal.
    pub(crate) fn target(&mut self, member: &Member, start: PlaceId) -> Target {
        let is_in_hall = self.halls.at(start).is_some();
        let is_own = member.id() == self.jammed;
        let is_jammed =
            self.is_held_up && is_own || member.following.time_without_gain() > LONG_TIME;
        if is_in_hall && !member.turn.passes() && !is_jammed {
            return Target::Anywhere;
        }
        if member.following.state().is_at_rest() {
            let goal = match self.go_back && is_pushed_away(member) {
                true => self.goal(member),
                false => None,
            };
            return goal.unwrap_or(Target::Place(start));
        }
        if !is_in_hall && !is_jammed && member.turn.waits() && !member.is_deep_inside() {
            let halls = self.places(|place| self.halls.at(place).is_some());
            if !halls.is_empty() {
                return Target::OneOf(halls);
            }
        }
        let mut has_left = !is_in_hall;
        let (mut last, mut along) = (None, 0.0);
        let mut from = member.position();
        for waypoint in member.waypoints() {
            let samples = (horizontal_distance(&from, &waypoint.point) / SAMPLE_DISTANCE).ceil();
            for sample in 1..=samples.max(1.0) as u32 {
                let point = from + (waypoint.point - from) * (sample as f32 / samples.max(1.0));
                let span = self.view.grid().span_at(point, self.view.agent().height);
                let Some(number) = span.and_then(|span| self.ground.number(span)) else { continue };
                let hall = self.halls.at(self.graph.nearest(number));
                has_left |= hall.is_none();
                // One that is jammed in a hall is not out of the jam in that hall.
                has_left &= !is_jammed || hall.is_none() || hall != self.halls.at(start);
                if let Some(hall) = hall.filter(|_| has_left) {
                    let jammed_at = is_jammed.then(|| member.position());
                    return self.beyond(hall, point, jammed_at);
                }
                along += horizontal_distance(&from, &waypoint.point) / samples.max(1.0);
                if is_jammed && !has_left && along > BEYOND {
                    return self.around(number, None);
                }
                last = Some(number).filter(|_| has_left || is_jammed);
            }
            if waypoint.link.is_some() {
                break;
            }
            from = waypoint.point;
        }
        match last {
            Some(last) => self.goal(member).unwrap_or_else(|| {
                // On a larger agent's ground its path may end nearby.
                let is_smaller = is_own && member.agent != self.view.agent_id();
                self.around(last, is_smaller.then(|| member.position()))
            }),
            None => Target::Anywhere,
        }
    }

    /// The place of a member's goal; `None` if that is elsewhere.
    fn goal(&mut self, member: &Member) -> Option<Target> {
        let goal = self.ground.number(member.waypoints().last()?.span)?;
        let place = nearest_free(&self.graph, &self.is_goal, self.graph.nearest(goal))?;
        self.is_goal[usize::from(place)] = true;
        Some(Target::Place(place))
    }

    /// Where a member is out of the jam whose path comes to a hall at a point: anywhere in that hall. One that is
    /// jammed may have the same hall behind it, and has to be nearer to that point than to where it stands.
    fn beyond(&self, hall: u32, point: Point3<f32>, jammed_at: Option<Point3<f32>>) -> Target {
        let is_ahead = |place: PlaceId| {
            let place = self.graph.points[usize::from(place)].point;
            jammed_at.is_none_or(|at| (place - point).norm() < (place - at).norm())
        };
        Target::OneOf(self.places(|place| self.halls.at(place) == Some(hall) && is_ahead(place)))
    }

    /// The places around a span on a path; for one that is jammed, those that it gets on by from where it stands, if
    /// there are any.
    fn around(&self, number: u32, jammed_at: Option<Point3<f32>>) -> Target {
        let middle = self.ground.point(number);
        let away = |place: PlaceId| (self.graph.points[usize::from(place)].point - middle).norm();
        let nearer = jammed_at.map_or(AROUND, |at| (at - middle).norm().min(AROUND));
        let places = self.places(|place| away(place) < nearer);
        match places.is_empty() {
            true => Target::OneOf(self.places(|place| away(place) < AROUND)),
            false => Target::OneOf(places),
        }
    }

    fn places(&self, is_meant: impl Fn(PlaceId) -> bool) -> Vec<PlaceId> {
        (0..self.graph.len() as PlaceId).filter(|&place| is_meant(place)).collect()
    }
}

/// Places on some ground. From one try to the next they differ: another choice may leave a way.
fn places(
    view: &ViewRef,
    ground: &LocalGround,
    members: &[&Member],
    jammed: &Member,
) -> PlaceGraph {
    let starts = members.iter().filter_map(|member| standing(view, ground, member));
    let starts: Vec<NavPoint> = starts.collect();
    let goals = members.iter().filter_map(|member| {
        let goal = member.waypoints().last()?;
        Some(NavPoint { span: goal.span, point: goal.point })
    });
    let goals: Vec<NavPoint> = goals.collect();
    // Those who are pressed together in front of a passage may have no way past each other otherwise.
    let may_push = jammed.jams > 1;
    let held_up = members.iter().filter(|member| may_push && is_held_up(member, jammed));
    let held_up = held_up.filter_map(|member| standing(view, ground, member));
    let held_up: Vec<NavPoint> = held_up.collect();
    let dense_tries = if starts.len() <= FEW { 2 } else { 4 };
    let is_dense = jammed.jams.is_multiple_of(dense_tries);
    let is_small = ground.len() <= FEW_SPANS;
    let corners = if is_dense && is_small { &ground.points } else { &held_up };
    let occupants = Occupants { starts: &starts, goals: &goals, corners, may_push, is_dense };
    PlaceGraph::new(view, ground, occupants)
}

/// Where a member stands on some ground; beside it, if the ground is a larger agent's.
fn standing(view: &ViewRef, ground: &LocalGround, member: &Member) -> Option<NavPoint> {
    if ground.number(member.at.span).is_some() {
        return Some(member.at);
    }
    if member.agent == view.agent_id() {
        return None;
    }
    let within = ASIDE_RADII * view.agent().radius;
    let (span, point) = view.view.nearest_walkable(member.position(), within)?;
    let is_level = (point.y - member.position().y).abs() < SAME_STOREY;
    (is_level && ground.number(span).is_some()).then_some(NavPoint { span, point })
}

impl Halls {
    /// The halls of a graph: open places beside each other.
    fn of(ground: &LocalGround, graph: &PlaceGraph) -> Self {
        let is_open = |place: PlaceId| ground.is_open(graph.span(place));
        let mut of = vec![None; graph.len()];
        let mut is_seen = vec![false; graph.len()];
        for first in 0..graph.len() as PlaceId {
            if !is_open(first) || std::mem::replace(&mut is_seen[usize::from(first)], true) {
                continue;
            }
            let mut places = vec![first];
            let mut at = 0;
            while at < places.len() {
                for step in graph.steps(places[at]) {
                    let is_seen = &mut is_seen[usize::from(step.to)];
                    if is_open(step.to) && !std::mem::replace(is_seen, true) {
                        places.push(step.to);
                    }
                }
                at += 1;
            }
            if places.iter().filter(|&&place| !graph.is_corner(place)).count() >= LEAST_PLACES {
                places.iter().for_each(|&place| of[usize::from(place)] = Some(u32::from(first)));
            }
        }
        Halls { of }
    }

    /// Whether there are any.
    pub(crate) fn are_any(&self) -> bool {
        self.of.iter().any(Option::is_some)
    }

    /// The hall that a place is in.
    pub(crate) fn at(&self, place: PlaceId) -> Option<u32> {
        self.of[usize::from(place)]
    }
}

/// Whether a member near a jammed one does not get on either; it may be that one itself.
fn is_held_up(member: &Member, jammed: &Member) -> bool {
    let away = (member.position() - jammed.position()).norm();
    away < CLOSE && member.is_under_way() && member.following.time_without_gain() > JAMMED_TIME
}

/// Whether a member that rests is too far from its goal to have come to rest there by itself.
fn is_pushed_away(member: &Member) -> bool {
    let goal = member.waypoints().last();
    goal.is_some_and(|goal| (goal.point - member.position()).norm() > PUSHED_RADII * member.radius)
}

/// The nearest place that is not taken, and has room beside those that are.
fn nearest_free(graph: &PlaceGraph, is_taken: &[bool], from: PlaceId) -> Option<PlaceId> {
    if !is_taken[usize::from(from)] {
        return Some(from);
    }
    let distances = graph.distances(&[from]);
    let is_free = |&place: &PlaceId| !is_taken[usize::from(place)] && !graph.is_corner(place);
    let free = (0..graph.len() as PlaceId).filter(is_free);
    free.min_by_key(|&place| (distances[usize::from(place)], place))
}
