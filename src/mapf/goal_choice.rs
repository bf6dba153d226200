//! Provides [`GoalChoice`]: which goals may be taken first, so that nobody else is cut off from its own.

use crate::mapf::place_graph::{PlaceGraph, PlaceId};
use crate::mapf::task::{BodyId, Task};

/// Bodies that are still to come home, and what is open to them.
#[derive(Clone, Copy)]
pub(crate) struct GoalChoice<'a> {
    pub task: &'a Task,
    pub graph: &'a PlaceGraph,
    /// Where everyone is.
    pub at: &'a [PlaceId],
    /// For each body, its goal, if it is still to come there.
    pub goals: &'a [Option<PlaceId>],
}

/// Goals that may be taken together.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub bodies: Vec<BodyId>,
    /// The places that stay open to the others.
    pub open: Vec<PlaceId>,
}

/// What a goal leaves open.
struct Candidate {
    body: BodyId,
    goal: PlaceId,
    open: Vec<PlaceId>,
}

/// Of all goals, nearer ones are taken first; each place that is lost to the others counts as much as this
/// distance [mm].
const LOSS: usize = 700;

impl GoalChoice<'_> {
    /// The nearest goals of some bodies that cut off no others, no more than so many; `None` if there are none.
    pub(crate) fn nearest(self, bodies: &[BodyId], most: usize) -> Option<Choice> {
        let mut candidates: Vec<Candidate> =
            bodies.iter().filter_map(|&body| self.candidate(body)).collect();
        candidates.sort_by_cached_key(|candidate| {
            let start = self.at[usize::from(candidate.body)];
            let far = self.task.distance(candidate.body, start) as usize;
            (far + LOSS * (self.graph.len() - candidate.open.len()), candidate.body)
        });
        let mut candidates = candidates.into_iter();
        let Candidate { body, goal, open } = candidates.next()?;
        let mut choice = Choice { bodies: vec![body], open };
        let (mut graph, mut goals) = (self.graph.clone(), self.goals.to_vec());
        graph.close(goal);
        goals[usize::from(body)] = None;
        for Candidate { body, goal, .. } in candidates {
            if choice.bodies.len() >= most {
                break;
            }
            let rest = GoalChoice { graph: &graph, goals: &goals, ..self };
            let again = rest.candidate(body);
            let is_open = choice.open.binary_search(&goal).is_ok();
            if let Some(Candidate { open, .. }) = again.filter(|_| is_open) {
                choice.bodies.push(body);
                choice.open = open;
                graph.close(goal);
                goals[usize::from(body)] = None;
            }
        }
        Some(choice)
    }

    /// What a body leaves open at its goal; `None` if it cuts off the goal of another.
    fn candidate(&self, body: BodyId) -> Option<Candidate> {
        let goal = self.goals[usize::from(body)]?;
        let open = self.open_without(body)?;
        let is_open = |goal: &PlaceId| open.binary_search(goal).is_ok();
        self.goals_but(body).all(|goal| is_open(&goal)).then_some(Candidate { body, goal, open })
    }

    /// The largest part of the ground that is left with most goals, if a body stands at its own.
    pub(crate) fn open_without(&self, body: BodyId) -> Option<Vec<PlaceId>> {
        let goal = self.goals[usize::from(body)];
        let mut parts = parts(self.graph, |place| Some(place) == goal);
        parts.sort_by_cached_key(|part| {
            let is_open = |goal: &PlaceId| part.binary_search(goal).is_ok();
            (self.goals_but(body).filter(is_open).count(), part.len())
        });
        parts.pop()
    }

    /// The goals of all others.
    fn goals_but(&self, body: BodyId) -> impl Iterator<Item = PlaceId> {
        let others =
            self.goals.iter().enumerate().filter(move |&(own, _)| own != usize::from(body));
        others.filter_map(|(_, goal)| *goal)
    }

    /// Whether somebody is cut off from its goal.
    pub(crate) fn cuts_off(&self) -> bool {
        let mut part_of = vec![None; self.graph.len()];
        for (number, part) in parts(self.graph, |_| false).iter().enumerate() {
            part.iter().for_each(|&place| part_of[usize::from(place)] = Some(number));
        }
        let part = |place: PlaceId| part_of[usize::from(place)];
        let mut ways = self.at.iter().zip(self.goals);
        ways.any(|(&at, goal)| goal.is_some_and(|goal| part(goal) != part(at)))
    }
}

/// The ground in parts, each of the places that bodies get to from one another, in order, if some places are
/// closed.
pub(crate) fn parts(graph: &PlaceGraph, is_closed: impl Fn(PlaceId) -> bool) -> Vec<Vec<PlaceId>> {
    let mut is_seen: Vec<bool> = (0..graph.len() as PlaceId).map(&is_closed).collect();
    let mut parts = Vec::new();
    for first in 0..graph.len() as PlaceId {
        if std::mem::replace(&mut is_seen[usize::from(first)], true) {
            continue;
        }
        let mut part = vec![first];
        let mut at = 0;
        while at < part.len() {
            for step in graph.steps(part[at]) {
                let is_open = !graph.in_the_way(step).iter().any(|&place| is_closed(place));
                if is_open && !std::mem::replace(&mut is_seen[usize::from(step.to)], true) {
                    part.push(step.to);
                }
            }
            at += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}
