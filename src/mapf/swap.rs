//! Provides [`SwapCheck`]: whether two bodies have to change places, and can.
//!
//! In a passage a body that pushes another before it may push it into a blind end, for ever. The two have to
//! go the other way, to where one can let the other by. That is found out by going along the passage in
//! thought.
//!
//! Source: Okumura, "Improving LaCAM for scalable eventually optimal multi-agent pathfinding", 2023.

use crate::mapf::place_graph::{PlaceId, Step};
use crate::mapf::task::{BodyId, Standing, Task};

/// Bodies in a configuration.
#[derive(Clone, Copy)]
pub(crate) struct SwapCheck<'a> {
    pub task: &'a Task,
    pub standing: &'a Standing,
}

/// Two bodies one behind the other: the first pushes the second.
#[derive(Clone, Copy)]
struct Pair {
    behind: PlaceId,
    ahead: PlaceId,
}

/// The ways on from a place.
enum WaysOn {
    None,
    One(PlaceId),
    /// Two bodies can go two ways.
    More,
}

impl SwapCheck<'_> {
    /// With whom a body has to change places that wants to go to a place beside it: it goes the other way, and
    /// the other follows.
    pub(crate) fn partner(self, body: BodyId, wanted: PlaceId) -> Option<BodyId> {
        let from = self.standing.at[usize::from(body)];
        if wanted == from {
            return None;
        }
        let is_possible = || self.is_possible(Pair { behind: wanted, ahead: from });
        let ahead = self.standing.on(wanted).filter(|&ahead| {
            self.is_required([body, ahead], Pair { behind: from, ahead: wanted }) && is_possible()
        });
        if ahead.is_some() {
            return ahead;
        }
        let beside = self.task.graph.steps(from).iter().map(|step| step.to);
        let others = beside.filter(|&place| place != wanted);
        others.filter_map(|place| self.standing.on(place)).find(|&other| {
            self.is_required([other, body], Pair { behind: from, ahead: wanted }) && is_possible()
        })
    }

    /// Whether a body would push another until it gets no further, and the other wants to get past it, or
    /// would leave it no room.
    fn is_required(self, [pushing, pushed]: [BodyId; 2], mut pair: Pair) -> bool {
        let far = |body, place| self.task.distance(body, place);
        if far(pushed, pair.behind) == far(pushed, pair.ahead) && self.is_caught(pushing, pair) {
            return true;
        }
        for _ in 0..self.task.graph.len() {
            if far(pushing, pair.ahead) >= far(pushing, pair.behind) {
                break;
            }
            match self.ways_on(pair) {
                WaysOn::None => break,
                WaysOn::One(next) => pair = Pair { behind: pair.ahead, ahead: next },
                WaysOn::More => return false,
            }
        }
        let has_arrived = far(pushing, pair.behind) == 0;
        far(pushed, pair.behind) < far(pushed, pair.ahead)
            && (has_arrived || far(pushing, pair.ahead) < far(pushing, pair.behind))
    }

    /// Whether a body that pushes others into a blind end does not get to its target, or to where it turns off,
    /// before there is no more room for them.
    fn is_caught(self, pushing: BodyId, mut pair: Pair) -> bool {
        let far = |place| self.task.distance(pushing, place);
        // So many are pushed, and so many places are left for them.
        let (mut pushed, mut left) = (1, 0);
        let mut is_there = false;
        for _ in 0..self.task.graph.len() {
            is_there |= far(pair.ahead) >= far(pair.behind);
            left += usize::from(is_there);
            match self.ways_on(pair) {
                WaysOn::None => return pushed > left,
                WaysOn::One(next) => pair = Pair { behind: pair.ahead, ahead: next },
                WaysOn::More => return false,
            }
            pushed += usize::from(self.standing.on(pair.ahead).is_some());
        }
        false
    }

    /// Whether the two come to where one can let the other by.
    fn is_possible(self, begin: Pair) -> bool {
        let mut pair = begin;
        for _ in 0..self.task.graph.len() {
            match self.ways_on(pair) {
                WaysOn::None => return false,
                WaysOn::One(next) if next == begin.behind => return false,
                WaysOn::One(next) => pair = Pair { behind: pair.ahead, ahead: next },
                WaysOn::More => return true,
            }
        }
        false
    }

    /// Where a pushed body can go on to.
    fn ways_on(self, pair: Pair) -> WaysOn {
        let graph = &self.task.graph;
        if graph.is_roomy(pair.ahead) {
            return WaysOn::More;
        }
        let behind = graph.step(pair.behind, pair.ahead);
        let behind = behind.map_or(&[][..], |step| graph.in_the_way(step));
        let is_way = |step: &&Step| {
            // Who has arrived in a blind end does not have to move; and beside the way of who pushes nobody is
            // out of its way.
            let is_blind = graph.steps(step.to).len() == 1
                && self
                    .standing
                    .on(step.to)
                    .is_some_and(|other| self.task.distance(other, step.to) == 0);
            step.to != pair.behind && !is_blind && !behind.contains(&step.to)
        };
        let mut ways = graph.steps(pair.ahead).iter().filter(is_way);
        let Some(first) = ways.next() else { return WaysOn::None };
        let blocks = |one: &Step, other: &Step| graph.in_the_way(one).contains(&other.to);
        match ways.any(|other| !blocks(first, other) && !blocks(other, first)) {
            true => WaysOn::More,
            false => WaysOn::One(first.to),
        }
    }
}
