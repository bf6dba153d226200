//! Provides [`GoalChoice`]: which goals may be taken next, so that nobody else is cut off from its own.

use crate::mapf::place_graph::{PlaceGraph, PlaceId};
use crate::mapf::task::BodyId;

/// Bodies that are still to come home, and what is open to them.
#[derive(Clone, Copy)]
pub(crate) struct GoalChoice<'a> {
    pub graph: &'a PlaceGraph,
    /// For each body, its goal, if it is still to come there.
    pub goals: &'a [Option<PlaceId>],
}

/// A goal that may be taken next.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub body: BodyId,
    pub goal: PlaceId,
    /// For each place, whether it stays open to the others.
    pub is_open: Vec<bool>,
    /// What is lost to the others [mm].
    pub loss: u32,
}

/// Each place that is lost to the others counts as much as this distance [mm]...
const PLACE_LOSS: usize = 700;
/// ...and each junction, where they get past each other, as this one [mm].
const JUNCTION_LOSS: usize = 5_000;

impl GoalChoice<'_> {
    /// What is left to the others once a body is at its goal; `None` if somebody is cut off from its own then.
    pub(crate) fn candidate(self, body: BodyId) -> Option<Candidate> {
        let goal = self.goals[usize::from(body)]?;
        let parts = parts(self.graph, goal);
        let others = self.goals.iter().enumerate().filter(|&(own, _)| own != usize::from(body));
        let mut others = others.filter_map(|(_, goal)| *goal).map(|goal| parts[usize::from(goal)]);
        let part = match others.next() {
            Some(part) => part?,
            None => largest(&parts)?,
        };
        if others.any(|other| other != Some(part)) {
            return None;
        }
        let is_open: Vec<bool> = parts.iter().map(|own| *own == Some(part)).collect();
        let loss = self.loss(&is_open);
        Some(Candidate { body, goal, is_open, loss })
    }

    fn loss(self, is_open: &[bool]) -> u32 {
        let all = || 0..self.graph.len() as PlaceId;
        let has_ways = |place: PlaceId| {
            let steps = self.graph.steps(place).iter();
            let mut places = steps.map(|step| self.graph.in_the_way(step));
            let is_way = |places: &[PlaceId]| places.iter().all(|&at| is_open[usize::from(at)]);
            places.by_ref().filter(|places| is_way(places)).nth(2).is_some()
        };
        let places = all().filter(|&place| !is_open[usize::from(place)]).count();
        let junctions = all()
            .filter(|&place| self.graph.is_junction(place))
            .filter(|&place| !(is_open[usize::from(place)] && has_ways(place)));
        (PLACE_LOSS * places + JUNCTION_LOSS * junctions.count()) as u32
    }
}

/// The ground in parts, each of the places that bodies get to from one another and back, if one place is closed:
/// for each place, the first one of its part; `None` for the closed one.
fn parts(graph: &PlaceGraph, closed: PlaceId) -> Vec<Option<PlaceId>> {
    let mut parts = vec![None; graph.len()];
    let mut seen = Vec::new();
    for first in (0..graph.len() as PlaceId).filter(|&place| place != closed) {
        if parts[usize::from(first)].is_some() {
            continue;
        }
        parts[usize::from(first)] = Some(first);
        seen.push(first);
        while let Some(at) = seen.pop() {
            for step in graph.steps(at) {
                let is_open = |from: PlaceId, to: PlaceId| {
                    let step = graph.step(from, to);
                    step.is_some_and(|step| !graph.in_the_way(step).contains(&closed))
                };
                if parts[usize::from(step.to)].is_none()
                    && step.to != closed
                    && is_open(at, step.to)
                    && is_open(step.to, at)
                {
                    parts[usize::from(step.to)] = Some(first);
                    seen.push(step.to);
                }
            }
        }
    }
    parts
}

/// The part with most places.
fn largest(parts: &[Option<PlaceId>]) -> Option<PlaceId> {
    let mut sizes = vec![0u32; parts.len()];
    parts.iter().flatten().for_each(|&part| sizes[usize::from(part)] += 1);
    let size = |part: PlaceId| sizes[usize::from(part)];
    let all = (0..parts.len() as PlaceId).filter(|&part| size(part) > 0);
    all.max_by_key(|&part| (size(part), std::cmp::Reverse(part)))
}
