//! Provides [`StepMaker`]: one step of all bodies, by priority inheritance with backtracking (PIBT).
//!
//! Bodies decide in an order. Each goes to the place beside it that is nearest to its target; who stands in
//! the way there goes first, by the same rule. Unlike in the source, the moves of a step are made one after
//! another: a body moves once all that is in its way is free. So bodies may walk them at their own pace, and
//! nobody has to turn round in a ring with others.

use crate::mapf::place_graph::{PlaceGraph, PlaceId};
use crate::mapf::swap::SwapCheck;
use crate::mapf::task::{BodyId, Standing, Task};
use crate::search::Random;

/// Makes steps, one after another.
#[derive(Debug)]
pub(crate) struct StepMaker {
    /// Where everyone is after the step.
    pub standing: Standing,
    /// Those that moved, in order.
    pub moved: Vec<BodyId>,
    decisions: Vec<Decision>,
    /// For each place, how many bodies go there next.
    claims: Vec<u16>,
    /// For each place, how many bodies need it free to pass by.
    passing: Vec<u16>,
    random: Random,
    /// How many push others now, one the other.
    pushing: usize,
    /// How often a body avoids the way of who pushes it, out of [`LOTS`].
    aversion: usize,
}

/// Where some bodies have to go in a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demands {
    pub bodies: Vec<BodyId>,
    /// For each of them.
    pub places: Vec<PlaceId>,
}

/// What a body does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Open,
    /// Others are pushed out of its way.
    Pushes,
    Made,
}

/// A place that a body may go to.
#[derive(Clone, Copy)]
struct Candidate {
    place: PlaceId,
    /// Somebody passes by there next, who would have to wait.
    is_in_the_way: bool,
    /// From there to the target [mm].
    distance: u32,
    is_taken: bool,
    /// Decides between those that are as good.
    lot: u64,
}

/// Not more places beside a body are looked at.
const MOST_CANDIDATES: usize = 16;
/// A row of bodies that push each other is no longer than this: each takes up some of the stack.
const LONGEST_PUSH: usize = 250;
const LOTS: usize = 8;
/// How often bodies avoid the ways of those that push them, from attempt to attempt. Never would lead to
/// rounds without end where two are on the same way; always would scatter those that only go ahead.
const AVERSIONS: [usize; 4] = [2, 4, 1, 6];

impl StepMaker {
    /// The one for an attempt. Attempts differ in their random choices, as do those of other seeds.
    pub(crate) fn of_attempt(attempt: u32, seed: u64) -> Self {
        StepMaker {
            standing: Standing::default(),
            moved: Vec::new(),
            decisions: Vec::new(),
            claims: Vec::new(),
            passing: Vec::new(),
            random: Random((seed << 32) + u64::from(attempt)),
            pushing: 0,
            aversion: AVERSIONS[attempt as usize % AVERSIONS.len()],
        }
    }

    /// Begins a step from a configuration.
    pub(crate) fn begin(&mut self, task: &Task, configuration: &[PlaceId]) {
        let places = task.graph.len();
        self.standing.fill(&task.graph, configuration);
        self.moved.clear();
        self.decisions.clear();
        self.decisions.resize(configuration.len(), Decision::Open);
        self.claims.clear();
        self.claims.resize(places, 0);
        self.passing.clear();
        self.passing.resize(places, 0);
    }

    /// Does first what is demanded. Returns false if that cannot be done.
    pub(crate) fn meet(&mut self, task: &Task, demands: &Demands) -> bool {
        demands.bodies.iter().zip(&demands.places).all(|(&body, &place)| {
            let is_there = self.standing.at[usize::from(body)] == place;
            match self.decisions[usize::from(body)] {
                Decision::Open if is_there => {
                    self.decisions[usize::from(body)] = Decision::Made;
                    true
                }
                Decision::Open => self.try_move(task, body, place),
                _ => is_there,
            }
        })
    }

    /// Lets all others decide in an order.
    pub(crate) fn decide_all(&mut self, task: &Task, order: &[BodyId]) {
        for &body in order {
            if self.decisions[usize::from(body)] == Decision::Open {
                self.decide(task, body, None);
            }
        }
    }

    /// Decides where a body goes that may be pushed by another. Returns false if it stays where that other
    /// needs its place.
    fn decide(&mut self, task: &Task, body: BodyId, pushed_by: Option<BodyId>) -> bool {
        let from = self.standing.at[usize::from(body)];
        let nowhere =
            Candidate { place: from, is_in_the_way: false, distance: 0, is_taken: false, lot: 0 };
        let mut candidates = [nowhere; MOST_CANDIDATES];
        let count = self.find_candidates(task, body, &mut candidates);
        let candidates = &mut candidates[..count];
        if let Some(other) = pushed_by.filter(|_| self.random.below(LOTS) < self.aversion) {
            let here = task.distance(other, from);
            candidates.sort_by_key(|candidate| task.distance(other, candidate.place) < here);
        }
        let check = SwapCheck { task, standing: &self.standing };
        let is_open = |other: &BodyId| self.decisions[usize::from(*other)] == Decision::Open;
        let partner = check.partner(body, candidates[0].place).filter(is_open);
        if partner.is_some() {
            candidates.reverse();
        }
        let first = candidates[0].place;
        for place in candidates.iter().map(|candidate| candidate.place) {
            if place == from {
                if !self.is_needed(from) {
                    break;
                }
            } else if self.try_move(task, body, place) {
                if let Some(partner) = partner.filter(|_| place == first) {
                    self.follow(task, partner, from);
                }
                return true;
            }
        }
        self.decisions[usize::from(body)] = Decision::Made;
        !self.is_needed(from)
    }

    /// Whether others go to a place next, or pass by there.
    fn is_needed(&self, place: PlaceId) -> bool {
        self.claims[usize::from(place)] + self.passing[usize::from(place)] > 0
    }

    /// Finds the places that a body may go to, the best first. Returns how many.
    fn find_candidates(
        &mut self,
        task: &Task,
        body: BodyId,
        candidates: &mut [Candidate; MOST_CANDIDATES],
    ) -> usize {
        let from = self.standing.at[usize::from(body)];
        let beside = task.graph.steps(from).iter().map(|step| step.to);
        let mut count = 0;
        for place in beside.take(MOST_CANDIDATES - 1).chain([from]) {
            let is_taken = place != from && self.standing.on(place).is_some();
            let lot = if place == from { 0 } else { self.random.next() };
            let distance = task.distance(body, place);
            let is_in_the_way = place != from && self.passing[usize::from(place)] > 0;
            candidates[count] = Candidate { place, is_in_the_way, distance, is_taken, lot };
            count += 1;
        }
        candidates[..count]
            .sort_unstable_by_key(|at| (at.is_in_the_way, at.distance, at.is_taken, at.lot));
        count
    }

    /// Moves a body to a place beside it, once all others are out of its way. Returns false if they cannot
    /// get out of it; some of them may have moved then.
    fn try_move(&mut self, task: &Task, body: BodyId, to: PlaceId) -> bool {
        let Some(in_the_way) = in_the_way(&task.graph, self.standing.at[usize::from(body)], to)
        else {
            return false;
        };
        let may_go = |&place: &PlaceId| {
            let other = self.standing.on(place);
            other.is_none_or(|other| self.decisions[usize::from(other)] == Decision::Open)
        };
        let is_too_long = self.pushing == LONGEST_PUSH;
        if is_too_long || self.claims[usize::from(to)] > 0 || !in_the_way.iter().all(may_go) {
            return false;
        }
        self.decisions[usize::from(body)] = Decision::Pushes;
        self.pushing += 1;
        let passed =
            || in_the_way.iter().filter(|&&place| place != to && !task.graph.is_roomy(place));
        passed().for_each(|&place| self.passing[usize::from(place)] += 1);
        let claim = u16::from(!task.graph.is_roomy(to));
        self.claims[usize::from(to)] += claim;
        let goes = |own: &mut Self, other: BodyId| {
            own.decisions[usize::from(other)] == Decision::Open
                && own.decide(task, other, Some(body))
        };
        let all_go = in_the_way
            .iter()
            .all(|&place| self.standing.on(place).is_none_or(|other| goes(self, other)));
        let is_free = all_go && in_the_way.iter().all(|&place| self.standing.on(place).is_none());
        passed().for_each(|&place| self.passing[usize::from(place)] -= 1);
        self.claims[usize::from(to)] -= claim;
        self.pushing -= 1;
        self.decisions[usize::from(body)] = if is_free { Decision::Made } else { Decision::Open };
        if is_free {
            self.standing.put(&task.graph, body, to);
            self.moved.push(body);
        }
        is_free
    }

    /// Moves a body to a place that another has just left, if nobody is in the way.
    fn follow(&mut self, task: &Task, body: BodyId, to: PlaceId) {
        if self.decisions[usize::from(body)] != Decision::Open {
            return;
        }
        let is_free =
            |&place: &PlaceId| !self.is_needed(place) && self.standing.on(place).is_none();
        let in_the_way = in_the_way(&task.graph, self.standing.at[usize::from(body)], to);
        if in_the_way.is_some_and(|places| places.iter().all(is_free)) {
            self.decisions[usize::from(body)] = Decision::Made;
            self.standing.put(&task.graph, body, to);
            self.moved.push(body);
        }
    }
}

/// The places that have to be free for a step; `None` if there is no such step.
fn in_the_way(graph: &PlaceGraph, from: PlaceId, to: PlaceId) -> Option<&[PlaceId]> {
    graph.step(from, to).map(|step| graph.in_the_way(step))
}
