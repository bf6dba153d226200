//! Provides [`PlanRefinement`]: makes plans shorter, and brings bodies home that they leave out.
//!
//! The moves of one body are taken out of a plan, and the best ones are found that fit in between the moves of
//! all others. What it leaves out others need not make way for, so they gain in turn. Body by body this is
//! repeated until nobody gains any more.
//!
//! Source: Okumura, Tamura and Défago, "Iterative refinement for real-time multi-robot path planning", 2021;
//! here with one body at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::mapf::place_graph::{PlaceGraph, PlaceId, Step};
use crate::mapf::task::{BodyId, NOBODY, PlannedMove, Standing, Task};

/// Makes a plan shorter, in slices.
#[derive(Debug)]
pub(crate) struct PlanRefinement {
    moves: Vec<PlannedMove>,
    /// Whose moves are looked at next.
    next: BodyId,
    /// So many bodies in a row have gained nothing.
    in_vain: usize,
    /// No more bodies than this are looked at.
    left: usize,
    path: PathInTime,
}

/// The best path of one body between the moves of all others.
#[derive(Debug, Default)]
struct PathInTime {
    /// For each place, the steps that nobody can make while somebody stands there.
    steps_past: Vec<Vec<StepId>>,
    /// Where everyone else is by now.
    standing: Standing,
    /// For each place, how the body can be there by now.
    reached: Vec<Option<Reached>>,
    arrivals: Vec<Arrival>,
    open: BinaryHeap<Reverse<(u32, PlaceId)>>,
}

/// A step of a graph.
#[derive(Clone, Copy, Debug)]
struct StepId {
    from: PlaceId,
    /// Which one it is of those from there.
    number: u32,
}

/// A body can be on a place.
#[derive(Clone, Copy, Debug)]
struct Reached {
    /// See [`MOVE_COST`].
    cost: u32,
    /// How it has come there.
    arrival: u32,
}

/// A body comes to a place.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    place: PlaceId,
    /// After so many moves of others.
    time: usize,
    /// How it came to where it was before; `None` where it starts.
    before: Option<u32>,
}

/// What a move costs besides its length [mm]: the time to start and stop.
const MOVE_COST: u32 = 500;
/// Each body is looked at so often at most.
const MOST_ROUNDS: usize = 8;
/// To look at one move takes as long as so many decisions of a search.
const DECISIONS_OF_MOVE: usize = 2;

impl PlanRefinement {
    pub(crate) fn new(task: &Task, moves: Vec<PlannedMove>) -> Self {
        let path = PathInTime { steps_past: steps_past(&task.graph), ..PathInTime::default() };
        PlanRefinement { moves, next: 0, in_vain: 0, left: MOST_ROUNDS * task.bodies.len(), path }
    }

    /// Goes on for as long as so many steps of a search take. Returns the moves once nothing more is gained.
    pub(crate) fn go_on(&mut self, task: &Task, steps: usize) -> Option<Vec<PlannedMove>> {
        let work = DECISIONS_OF_MOVE * (self.moves.len() + 1);
        for _ in 0..(steps * task.bodies.len() / work).max(1) {
            if self.in_vain >= task.bodies.len() || self.left == 0 {
                return Some(std::mem::take(&mut self.moves));
            }
            self.refine(task, self.next);
            self.next = (self.next + 1) % task.bodies.len() as BodyId;
            self.left -= 1;
        }
        None
    }

    /// Finds better moves for a body.
    fn refine(&mut self, task: &Task, body: BodyId) {
        self.in_vain += 1;
        let rank = |moves: &[PlannedMove]| rank_of(task, body, moves);
        let better = self.path.find(task, body, &self.moves);
        if let Some(better) = better.filter(|better| rank(better) < rank(&self.moves)) {
            self.moves = better;
            self.in_vain = 0;
        }
    }
}

/// How far from its target the moves leave a body, and what they cost.
fn rank_of(task: &Task, body: BodyId, moves: &[PlannedMove]) -> (u32, u32) {
    let (mut at, mut cost) = (task.bodies[usize::from(body)].start, 0);
    for own in moves.iter().filter(|own| own.body == body) {
        cost += task.graph.step(at, own.to).map_or(0, cost_of);
        at = own.to;
    }
    (task.distance(body, at), cost)
}

fn cost_of(step: &Step) -> u32 {
    step.length + MOVE_COST
}

/// For each place, the steps that nobody can make while somebody stands there.
fn steps_past(graph: &PlaceGraph) -> Vec<Vec<StepId>> {
    let mut steps_past = vec![Vec::new(); graph.len()];
    for from in 0..graph.len() as PlaceId {
        for (number, step) in graph.steps(from).iter().enumerate() {
            for &place in graph.in_the_way(step) {
                steps_past[usize::from(place)].push(StepId { from, number: number as u32 });
            }
        }
    }
    steps_past
}

impl PathInTime {
    /// All moves, with the best ones of a body between those of the others; `None` if there are none.
    fn find(
        &mut self,
        task: &Task,
        body: BodyId,
        moves: &[PlannedMove],
    ) -> Option<Vec<PlannedMove>> {
        let graph = &task.graph;
        let others: Vec<PlannedMove> =
            moves.iter().filter(|own| own.body != body).copied().collect();
        self.begin(task, body);
        for (time, other) in others.iter().enumerate() {
            let from = self.standing.at[usize::from(other.body)];
            let in_the_way = graph.in_the_way(graph.step(from, other.to)?);
            for &place in in_the_way.iter().filter(|&&place| !graph.is_roomy(place)) {
                self.reached[usize::from(place)] = None;
            }
            self.standing.put(graph, other.body, other.to);
            for &place in in_the_way.iter().chain([&from]) {
                for at in 0..self.steps_past[usize::from(place)].len() {
                    self.take(graph, self.steps_past[usize::from(place)][at], time + 1);
                }
            }
            self.spread(graph, time + 1);
        }
        let ends = (0..graph.len() as PlaceId)
            .filter_map(|place| Some((place, self.reached[usize::from(place)]?)));
        let end = ends.min_by_key(|(place, end)| (task.distance(body, *place), end.cost))?;
        Some(self.merge(body, &others, end.1.arrival))
    }

    /// Begins where everyone starts.
    fn begin(&mut self, task: &Task, body: BodyId) {
        let graph = &task.graph;
        let starts: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
        self.standing.fill(graph, &starts);
        let start = starts[usize::from(body)];
        if self.standing.on(start) == Some(body) {
            self.standing.on[usize::from(start)] = NOBODY;
        }
        self.reached.clear();
        self.reached.resize(graph.len(), None);
        self.arrivals.clear();
        self.open.clear();
        self.arrive(Arrival { place: start, time: 0, before: None }, 0);
        self.spread(graph, 0);
    }

    fn arrive(&mut self, arrival: Arrival, cost: u32) {
        let number = self.arrivals.len() as u32;
        self.reached[usize::from(arrival.place)] = Some(Reached { cost, arrival: number });
        self.arrivals.push(arrival);
        self.open.push(Reverse((cost, arrival.place)));
    }

    /// Goes on from all places that were newly reached.
    fn spread(&mut self, graph: &PlaceGraph, time: usize) {
        while let Some(Reverse((cost, place))) = self.open.pop() {
            if self.reached[usize::from(place)].is_some_and(|reached| reached.cost == cost) {
                let steps = 0..graph.steps(place).len() as u32;
                steps.for_each(|number| self.take(graph, StepId { from: place, number }, time));
            }
        }
    }

    /// Makes a step, if nobody is in the way, and there is no better way to where it leads.
    fn take(&mut self, graph: &PlaceGraph, step: StepId, time: usize) {
        let StepId { from, number } = step;
        let step = &graph.steps(from)[number as usize];
        let Some(before) = self.reached[usize::from(from)] else { return };
        let cost = before.cost + cost_of(step);
        let is_better = self.reached[usize::from(step.to)].is_none_or(|known| cost < known.cost);
        let is_free = |&place: &PlaceId| self.standing.on(place).is_none();
        if is_better && graph.in_the_way(step).iter().all(is_free) {
            let arrival = Arrival { place: step.to, time, before: Some(before.arrival) };
            self.arrive(arrival, cost);
        }
    }

    /// The others' moves, and those between them that lead a body to one of its arrivals.
    fn merge(&self, body: BodyId, others: &[PlannedMove], end: u32) -> Vec<PlannedMove> {
        let arrival = |number: u32| self.arrivals[number as usize];
        let all = std::iter::successors(Some(arrival(end)), |own| own.before.map(arrival));
        let mut own: Vec<Arrival> = all.filter(|own| own.before.is_some()).collect();
        let mut merged = Vec::with_capacity(others.len() + own.len());
        for time in 0..=others.len() {
            while own.last().is_some_and(|next| next.time == time) {
                merged.extend(own.pop().map(|next| PlannedMove { body, to: next.place }));
            }
            merged.extend(others.get(time));
        }
        merged
    }
}
