//! Provides [`Occupancy`]: when bodies need places for themselves.

use crate::mapf::place_graph::{PlaceGraph, PlaceId};
use crate::mapf::task::BodyId;
use crate::mapf::timetable::{NEVER, Time, TimedPath};

/// For each place, when nobody else may be there, or pass near it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occupancy {
    /// For each place, in order.
    taken: Vec<Vec<Interval>>,
}

/// A body needs a place.
#[derive(Clone, Copy, Debug)]
struct Interval {
    begin: Time,
    end: Time,
    body: BodyId,
}

impl Occupancy {
    pub(crate) fn new(places: usize) -> Self {
        Occupancy { taken: vec![Vec::new(); places] }
    }

    /// A body stands where it starts, makes its moves, and stands where they lead.
    pub(crate) fn add(&mut self, graph: &PlaceGraph, path: TimedPath) {
        let TimedPath { body, start, moves } = path;
        let (mut at, mut time) = (start, 0);
        for own in moves {
            self.take(graph, at, Interval { begin: time, end: own.begin, body });
            for place in own.touched(graph) {
                self.take(graph, place, Interval { begin: own.begin, end: own.end, body });
            }
            (at, time) = (own.step(graph).to, own.end);
        }
        self.take(graph, at, Interval { begin: time, end: NEVER, body });
    }

    fn take(&mut self, graph: &PlaceGraph, place: PlaceId, interval: Interval) {
        if !graph.is_roomy(place) && interval.begin < interval.end {
            let taken = &mut self.taken[usize::from(place)];
            let at = taken.partition_point(|other| other.begin < interval.begin);
            taken.insert(at, interval);
        }
    }

    /// Takes out what was added of a body.
    pub(crate) fn remove(&mut self, graph: &PlaceGraph, path: TimedPath) {
        let TimedPath { body, start, moves } = path;
        let touched = moves.iter().flat_map(|own| own.touched(graph));
        let end = moves.last().map(|last| last.step(graph).to);
        for place in touched.chain([start]).chain(end) {
            self.taken[usize::from(place)].retain(|interval| interval.body != body);
        }
    }

    /// From when on a place is free for some time, not before a given time; `None` if it never is.
    pub(crate) fn free_from(
        &self,
        place: PlaceId,
        not_before: Time,
        duration: Time,
    ) -> Option<Time> {
        let taken = &self.taken[usize::from(place)];
        let mut begin = not_before;
        let next = taken.partition_point(|interval| interval.end <= not_before);
        for interval in &taken[next..] {
            if interval.begin >= begin.saturating_add(duration) {
                break;
            }
            begin = begin.max(interval.end);
        }
        Some(begin).filter(|&begin| begin != NEVER)
    }

    /// Until when a place is free that is free at a time; [`NEVER`] if nobody comes there any more.
    pub(crate) fn free_until(&self, place: PlaceId, time: Time) -> Time {
        let taken = &self.taken[usize::from(place)];
        let next = taken.partition_point(|interval| interval.end <= time);
        taken.get(next).map_or(NEVER, |interval| interval.begin.max(time))
    }
}
