//! Provides [`SafePathSearch`]: the fastest way of one body between all others, whose moves are known.
//!
//! A place is free from when one body leaves it until the next comes. In each such interval only the earliest
//! arrival counts, so the search goes over intervals instead of times.
//!
//! Source: Phillips and Likhachev, "SIPP: Safe interval path planning for dynamic environments", 2011.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::mapf::occupancy::Occupancy;
use crate::mapf::place_graph::PlaceId;
use crate::mapf::task::{BodyId, Task};
use crate::mapf::timetable::{NEVER, Time, TimedMove};

/// Finds ways between others.
#[derive(Debug, Default)]
pub(crate) struct SafePathSearch {
    states: Vec<State>,
    /// For each place, its states.
    known: Vec<Vec<StateId>>,
    open: BinaryHeap<Reverse<Open>>,
    /// How much was done so far [decisions of a search].
    pub work: usize,
}

/// A body that looks for a way.
#[derive(Clone, Copy)]
pub(crate) struct Seeker<'a> {
    pub task: &'a Task,
    pub body: BodyId,
    /// When all others need places.
    pub others: &'a Occupancy,
}

type StateId = u32;

/// A body can be on a place in an interval in which that is free.
#[derive(Clone, Copy, Debug)]
struct State {
    place: PlaceId,
    arrival: Time,
    /// When it has to be gone.
    leave: Time,
    /// So many moves lead there.
    moves: u32,
    /// The last of them, and where it began; `None` at the start.
    before: Option<(StateId, TimedMove)>,
}

/// States are looked at in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    /// When the body could be at its target, if nobody were in its way.
    estimate: Time,
    moves: u32,
    state: StateId,
}

/// No more states are looked at.
const MOST_STATES: usize = 4_000;
/// To look at a state takes as long as so many decisions of a search.
const DECISIONS_OF_STATE: usize = 8;

impl SafePathSearch {
    /// The moves that bring a body to its target first, or else as near to it as can be; `None` if others
    /// leave it no place.
    pub(crate) fn find(&mut self, seeker: Seeker) -> Option<Vec<TimedMove>> {
        let Seeker { task, body, others } = seeker;
        let start = task.bodies[usize::from(body)].start;
        self.clear(task.graph.len());
        if others.free_from(start, 0, 1) != Some(0) {
            return None;
        }
        let leave = others.free_until(start, 0);
        let first = State { place: start, arrival: 0, leave, moves: 0, before: None };
        self.reach(first, task.distance(body, start));
        let mut nearest = None;
        let mut looked_at = 0;
        while let Some(Reverse(Open { state: id, .. })) = self.open.pop() {
            let state = self.states[id as usize];
            if !self.known[usize::from(state.place)].contains(&id) {
                continue; // An earlier arrival was found.
            }
            looked_at += 1;
            if state.leave == NEVER {
                if task.distance(body, state.place) == 0 {
                    nearest = Some(id);
                    break;
                }
                nearest = nearest.or(Some(id));
            }
            if looked_at > MOST_STATES {
                break;
            }
            self.go_on(seeker, id);
        }
        self.work += DECISIONS_OF_STATE * looked_at;
        nearest.map(|end| self.moves_to(end))
    }

    fn clear(&mut self, places: usize) {
        for state in &self.states {
            self.known[usize::from(state.place)].clear();
        }
        self.states.clear();
        self.open.clear();
        self.known.resize(places, Vec::new());
    }

    /// Makes all steps from a state, in all intervals that they lead to.
    fn go_on(&mut self, seeker: Seeker, id: StateId) {
        let Seeker { task, body, others } = seeker;
        let State { place: from, arrival, leave, moves, .. } = self.states[id as usize];
        for (number, step) in task.graph.steps(from).iter().enumerate() {
            let mut own = TimedMove { from, step: number as u16, begin: arrival, end: 0 };
            while let Some(begin) = seeker.begin(&own, leave) {
                let end = begin.saturating_add(step.length);
                (own.begin, own.end) = (begin, end);
                let next = others.free_until(step.to, end);
                if next > end {
                    let before = Some((id, own));
                    let state = State {
                        place: step.to,
                        arrival: end,
                        leave: next,
                        moves: moves + 1,
                        before,
                    };
                    self.reach(state, task.distance(body, step.to));
                }
                if next == NEVER {
                    break;
                }
                own.begin = next.max(begin + 1);
            }
        }
    }

    /// Adds a state, if it is not known that the body can be there as early.
    fn reach(&mut self, state: State, distance: u32) {
        let SafePathSearch { states, known, open, .. } = self;
        let known = &mut known[usize::from(state.place)];
        let id = states.len() as StateId;
        match known.iter_mut().find(|known| states[**known as usize].leave == state.leave) {
            Some(known) if states[*known as usize].arrival <= state.arrival => return,
            Some(known) => *known = id,
            None => known.push(id),
        }
        states.push(state);
        let estimate = state.arrival.saturating_add(distance);
        open.push(Reverse(Open { estimate, moves: state.moves, state: id }));
    }

    fn moves_to(&self, end: StateId) -> Vec<TimedMove> {
        let before = |id: StateId| self.states[id as usize].before;
        let moves = std::iter::successors(before(end), |&(id, _)| before(id));
        let mut moves: Vec<TimedMove> = moves.map(|(_, own)| own).collect();
        moves.reverse();
        moves
    }
}

impl Seeker<'_> {
    /// When a move can begin, not before the time that it has, if the body has to be gone by another.
    fn begin(self, own: &TimedMove, leave: Time) -> Option<Time> {
        let length = own.step(&self.task.graph).length;
        let mut begin = own.begin;
        loop {
            let before = begin;
            for place in own.touched(&self.task.graph) {
                begin = self.others.free_from(place, begin, length)?;
            }
            if begin.checked_add(length).is_none_or(|end| end > leave) {
                return None;
            }
            if begin == before {
                return Some(begin);
            }
        }
    }
}
