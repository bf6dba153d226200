//! Provides [`Escort`]: brings one body to a place, while all others go wherever they have to.
//!
//! First all others are moved off its way. Since it does not matter who of them stands where, somebody can be
//! moved as soon as there is a free place beside the way: everyone between moves up by one. If there is no room
//! for all, the body goes aside, so that those get past it who are ahead.
//!
//! Compare: Papadimitriou, Raghavan, Sudan and Tamaki, "Motion planning on a graph", 1994.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::vec;

use crate::mapf::place_graph::{PlaceGraph, PlaceId};
use crate::mapf::task::{BodyId, PlannedMove, Standing};

/// Where one body has to be, and the ways there that were not tried yet.
#[derive(Debug)]
pub(crate) struct Errand {
    pub body: BodyId,
    pub goal: PlaceId,
    /// For each place, whether all others have to be off it in the end.
    pub is_lost: Vec<bool>,
    /// Where the body may still go aside; `None` if it has not tried to come there without.
    aside: Option<vec::IntoIter<PlaceId>>,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Arrived,
    /// Another escort, from where this one began, may succeed.
    Retry,
    Failed,
}

/// Brings a body to a place.
#[derive(Debug)]
pub(crate) struct Escort<'a> {
    graph: &'a PlaceGraph,
    /// Where everyone is after all moves.
    pub standing: Standing,
    pub moves: Vec<PlannedMove>,
    /// How much was done [decisions of a search].
    pub work: usize,
    /// For each place, the one from which it was reached; [`NOT_REACHED`] if it was not.
    before: Vec<PlaceId>,
    /// The places that were reached, in order.
    reached: Vec<PlaceId>,
}

/// What is to be cleared for a body.
struct Clearing<'a> {
    /// Where that body stands.
    own: PlaceId,
    /// For each place, whether all others have to leave it.
    is_needed: &'a [bool],
    /// Who stands there would be in the way of those who move up behind.
    bad_ends: Vec<PlaceId>,
    /// Nobody moves up by these steps: others do not get out of their way.
    bad_steps: Vec<[PlaceId; 2]>,
}

/// No more places to go aside on are tried.
const MOST_ASIDE: usize = 60;
/// They are tried in the order of the detour over them, and of how far they are, divided by this.
const FAR_SHARE: u32 = 4;
/// On a way, each other that has to be moved off it counts as much as this distance [mm]...
const OTHER_COST: u32 = 200;
/// ...and each place beside it that has to be free as well as this one [mm].
const BESIDE_COST: u32 = 300;
/// To look at so many places takes as long as one decision of a search.
const PLACES_OF_DECISION: usize = 4;
const NOT_REACHED: PlaceId = PlaceId::MAX;

impl Errand {
    pub(crate) fn new(body: BodyId, goal: PlaceId, is_lost: Vec<bool>) -> Self {
        Errand { body, goal, is_lost, aside: None }
    }
}

impl<'a> Escort<'a> {
    pub(crate) fn new(graph: &'a PlaceGraph, at: &[PlaceId]) -> Self {
        let mut standing = Standing::default();
        standing.fill(graph, at);
        let before = vec![NOT_REACHED; graph.len()];
        Escort { graph, standing, moves: Vec::new(), work: 0, before, reached: Vec::new() }
    }

    /// Brings a body to its goal, and all others off the places that are lost to them then: by the next way that
    /// was not tried yet.
    pub(crate) fn attempt(&mut self, errand: &mut Errand) -> Outcome {
        let Errand { body, goal, ref is_lost, ref mut aside } = *errand;
        let start = self.standing.at[usize::from(body)];
        let is_there = match aside {
            None => self.go(body, goal, is_lost),
            Some(places) => places.next().is_some_and(|place| {
                let nothing = vec![false; self.graph.len()];
                self.go(body, place, &nothing) && self.go(body, goal, is_lost)
            }),
        };
        if is_there {
            return Outcome::Arrived;
        }
        let left = aside.get_or_insert_with(|| self.places_aside(start, goal).into_iter());
        if left.len() == 0 { Outcome::Failed } else { Outcome::Retry }
    }

    /// Where a body may go aside between two places: at junctions, and off the way.
    fn places_aside(&mut self, start: PlaceId, goal: PlaceId) -> Vec<PlaceId> {
        self.look_at(4 * self.graph.len());
        let [from_start, from_goal] = [start, goal].map(|place| self.graph.distances(&[place]));
        let cost = |place: PlaceId| {
            let far = from_start[usize::from(place)];
            let total = far.checked_add(from_goal[usize::from(place)])?;
            let detour = total.saturating_sub(from_start[usize::from(goal)]);
            let is_aside = detour > 0 || self.graph.is_junction(place);
            (is_aside && ![start, goal].contains(&place)).then_some(detour + far / FAR_SHARE)
        };
        let places = 0..self.graph.len() as PlaceId;
        let mut aside: Vec<(u32, PlaceId)> =
            places.filter_map(|place| Some((cost(place)?, place))).collect();
        aside.sort_unstable();
        aside.into_iter().take(MOST_ASIDE).map(|(_, place)| place).collect()
    }

    /// Moves all others off the way of a body to a place, and off some more places; then it goes there. Returns
    /// false if that cannot be done; some may have moved then.
    fn go(&mut self, body: BodyId, to: PlaceId, is_lost: &[bool]) -> bool {
        let own = self.standing.at[usize::from(body)];
        let Some(way) = self.way(own, to) else { return false };
        let mut is_needed = is_lost.to_vec();
        for ends in way.windows(2) {
            let step = self.graph.step(ends[0], ends[1]);
            let places = step.map_or(&[][..], |step| self.graph.in_the_way(step));
            places.iter().for_each(|&place| is_needed[usize::from(place)] = true);
        }
        let (bad_ends, bad_steps) = (Vec::new(), Vec::new());
        let clearing = Clearing { own, is_needed: &is_needed, bad_ends, bad_steps };
        self.has_room(&clearing)
            && self.clear(clearing)
            && way[1..].iter().all(|&next| self.step(body, next))
    }

    /// The places on the way from one to another on which fewest others are; `None` if there is none.
    fn way(&mut self, from: PlaceId, to: PlaceId) -> Option<Vec<PlaceId>> {
        self.look_at(2 * self.graph.len());
        let mut costs = vec![u32::MAX; self.graph.len()];
        self.before.fill(NOT_REACHED);
        let mut open = BinaryHeap::from([Reverse((0, from))]);
        costs[usize::from(from)] = 0;
        while let Some(Reverse((cost, at))) = open.pop() {
            if at == to {
                break;
            }
            if cost > costs[usize::from(at)] {
                continue;
            }
            for step in self.graph.steps(at) {
                let places = self.graph.in_the_way(step);
                let others = places.iter().filter(|&&place| self.standing.on(place).is_some());
                let beside = BESIDE_COST * (places.len() as u32 - 1);
                let total = cost + step.length + OTHER_COST * others.count() as u32 + beside;
                if total < costs[usize::from(step.to)] {
                    costs[usize::from(step.to)] = total;
                    self.before[usize::from(step.to)] = at;
                    open.push(Reverse((total, step.to)));
                }
            }
        }
        self.before[usize::from(from)] = from;
        (self.before[usize::from(to)] != NOT_REACHED).then(|| {
            let mut way = self.back(to);
            way.reverse();
            way
        })
    }

    /// From a place that was reached back to where that began.
    fn back(&self, end: PlaceId) -> Vec<PlaceId> {
        let mut way = vec![end];
        let mut at = end;
        while self.before[usize::from(at)] != at {
            at = self.before[usize::from(at)];
            way.push(at);
        }
        way
    }

    /// Whether those who have to leave find as many free places, in each part of the ground around a body.
    fn has_room(&mut self, clearing: &Clearing) -> bool {
        self.look_at(self.graph.len());
        self.before.fill(NOT_REACHED);
        (0..self.graph.len() as PlaceId).all(|first| {
            if self.before[usize::from(first)] != NOT_REACHED || self.is_blocked(clearing, first) {
                return true;
            }
            self.reached.clear();
            self.reach(first, first);
            let (mut leaving, mut free) = (0, 0);
            let mut next = 0;
            while let Some(&at) = self.reached.get(next) {
                next += 1;
                match (clearing.is_needed[usize::from(at)], self.standing.on(at)) {
                    (true, Some(_)) => leaving += 1,
                    (false, None) if self.graph.is_roomy(at) => free += self.standing.at.len(),
                    (false, None) => free += 1,
                    _ => {}
                }
                for step in self.graph.steps(at) {
                    if !self.is_blocked(clearing, step.to) {
                        self.reach(step.to, at);
                    }
                }
            }
            leaving <= free
        })
    }

    /// Whether nobody gets past a place, because the body stands there whose way is being cleared.
    fn is_blocked(&self, clearing: &Clearing, place: PlaceId) -> bool {
        place == clearing.own && !self.graph.is_roomy(place)
    }

    /// Notes that a place was reached from another, unless it was before.
    fn reach(&mut self, place: PlaceId, from: PlaceId) {
        if self.before[usize::from(place)] == NOT_REACHED {
            self.before[usize::from(place)] = from;
            self.reached.push(place);
        }
    }

    /// Moves all others off what is needed. Returns false if there is no room for them; some may have moved
    /// then.
    fn clear(&mut self, mut clearing: Clearing) -> bool {
        loop {
            self.begin_with_those_who_leave(&clearing);
            if self.reached.is_empty() {
                return true;
            }
            let Some(row) = self.row(&clearing) else { return false };
            match self.move_up(&row) {
                None => {
                    clearing.bad_ends.clear();
                    clearing.bad_steps.clear();
                }
                Some(step) => clearing.learn(self.graph, step),
            }
        }
    }

    fn begin_with_those_who_leave(&mut self, clearing: &Clearing) {
        self.before.fill(NOT_REACHED);
        self.reached.clear();
        for place in 0..self.graph.len() as PlaceId {
            let is_needed = clearing.is_needed[usize::from(place)] && place != clearing.own;
            if is_needed && self.standing.on(place).is_some() {
                self.reach(place, place);
            }
        }
    }

    /// The shortest row of places from a free one back to one that somebody has to leave; `None` if there is
    /// none.
    fn row(&mut self, clearing: &Clearing) -> Option<Vec<PlaceId>> {
        let mut next = 0;
        while let Some(&at) = self.reached.get(next) {
            next += 1;
            let is_end = !clearing.is_needed[usize::from(at)] && !clearing.bad_ends.contains(&at);
            if is_end && self.standing.on(at).is_none() {
                self.look_at(next);
                return Some(self.back(at));
            }
            for step in self.graph.steps(at) {
                let mut beside =
                    self.graph.in_the_way(step).iter().filter(|&&place| place != step.to);
                if beside.all(|&place| self.standing.on(place).is_none())
                    && !self.is_blocked(clearing, step.to)
                    && !clearing.bad_steps.contains(&[at, step.to])
                {
                    self.reach(step.to, at);
                }
            }
        }
        self.look_at(next);
        None
    }

    /// Everyone in a row moves up to where the one ahead was, the first to the free place. Returns the step
    /// that somebody cannot make, and then nobody has moved.
    fn move_up(&mut self, row: &[PlaceId]) -> Option<[PlaceId; 2]> {
        let (at, made) = (self.standing.at.clone(), self.moves.len());
        let mut free = 0;
        for place in 1..row.len() {
            let Some(other) = self.standing.on(row[place]) else { continue };
            for to in (free..place).rev() {
                if !self.step(other, row[to]) {
                    self.standing.fill(self.graph, &at);
                    self.moves.truncate(made);
                    return Some([row[to + 1], row[to]]);
                }
            }
            free = place;
        }
        None
    }

    /// A body goes to a place beside it. Returns false if somebody is in its way.
    fn step(&mut self, body: BodyId, to: PlaceId) -> bool {
        let from = self.standing.at[usize::from(body)];
        let Some(step) = self.graph.step(from, to) else { return false };
        let is_free = |&place: &PlaceId| self.standing.on(place).is_none();
        if !self.graph.in_the_way(step).iter().all(is_free) {
            return false;
        }
        self.standing.put(self.graph, body, to);
        self.moves.push(PlannedMove { body, to });
        true
    }

    fn look_at(&mut self, places: usize) {
        self.work += places / PLACES_OF_DECISION;
    }
}

impl Clearing<'_> {
    /// Somebody could not make a step, because others moved up to places beside it. The next row leads past
    /// those places; if that was known, not over this step.
    fn learn(&mut self, graph: &PlaceGraph, step @ [from, to]: [PlaceId; 2]) {
        let places = graph.step(from, to).map_or(&[][..], |step| graph.in_the_way(step));
        let is_new = |place: &PlaceId| *place != to && !self.bad_ends.contains(place);
        let new: Vec<PlaceId> = places.iter().copied().filter(is_new).collect();
        if new.is_empty() {
            self.bad_steps.push(step);
        }
        self.bad_ends.extend(new);
    }
}
