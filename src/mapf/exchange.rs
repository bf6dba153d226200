//! Provides [`Exchanges`]: where two bodies that stand one behind the other can change places by themselves.

use std::collections::{HashMap, VecDeque};

use crate::mapf::place_graph::{PlaceGraph, PlaceId};

/// Two bodies change places, while all others are out of their way.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// Where the two stand before, and the other way round after.
    pub places: [PlaceId; 2],
    /// Who moves where.
    pub moves: Vec<ExchangeMove>,
    /// Where nobody else may stand meanwhile, in order.
    pub clear: Vec<PlaceId>,
}

/// One of the two goes to a place beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExchangeMove {
    /// Which of the two.
    pub who: usize,
    pub to: PlaceId,
}

/// All exchanges on a graph, found place by place.
#[derive(Debug, Default)]
pub(crate) struct Exchanges {
    pub found: Vec<Exchange>,
    next: PlaceId,
}

/// Two do not make more moves than this to change places: at a junction that is as many as they need if
/// places overlap there.
const MOST_MOVES: usize = 14;

/// How two bodies have come to stand where they do.
#[derive(Clone, Copy)]
struct Origin {
    before: [PlaceId; 2],
    last: ExchangeMove,
    moves: usize,
}

impl Exchange {
    /// The same for two that stand the other way round.
    pub(crate) fn turned(&self) -> Self {
        let mut turned = self.clone();
        turned.places.reverse();
        turned.moves.iter_mut().for_each(|next| next.who = 1 - next.who);
        turned
    }
}

impl Exchanges {
    /// Looks for exchanges at the next place. Returns false if there are no more places.
    pub(crate) fn find_next(&mut self, graph: &PlaceGraph) -> bool {
        if usize::from(self.next) >= graph.len() {
            return false;
        }
        let first = self.next;
        self.next += 1;
        if graph.is_roomy(first) {
            return true;
        }
        let beside = graph.steps(first).iter().map(|step| step.to);
        let mut others: Vec<PlaceId> = beside
            .clone()
            .chain(beside.flat_map(|place| graph.steps(place).iter().map(|step| step.to)))
            .filter(|&other| other > first && !graph.is_roomy(other))
            .filter(|&other| has_room_for_both(graph, [first, other]))
            .collect();
        others.sort_unstable();
        others.dedup();
        self.found.extend(others.into_iter().filter_map(|other| exchange(graph, [first, other])));
        true
    }
}

/// Whether two bodies can stand on two places: one can come to its place while the other is there.
fn has_room_for_both(graph: &PlaceGraph, [one, other]: [PlaceId; 2]) -> bool {
    let comes = |to: PlaceId, standing: PlaceId| {
        graph.steps(to).iter().filter(|back| back.to != standing).any(|back| {
            graph.step(back.to, to).is_some_and(|step| !graph.in_the_way(step).contains(&standing))
        })
    };
    comes(one, other) || comes(other, one)
}

/// The fewest moves by which two bodies change places; `None` if they cannot.
fn exchange(graph: &PlaceGraph, places: [PlaceId; 2]) -> Option<Exchange> {
    let goal = [places[1], places[0]];
    let mut origins: HashMap<[PlaceId; 2], Option<Origin>> = HashMap::from([(places, None)]);
    let mut queue = VecDeque::from([places]);
    while let Some(at) = queue.pop_front() {
        if at == goal {
            return Some(retrace(graph, &origins, places));
        }
        let moves = origins[&at].map_or(0, |origin| origin.moves) + 1;
        if moves > MOST_MOVES {
            return None;
        }
        for who in [0, 1] {
            let standing = at[1 - who];
            for step in graph.steps(at[who]) {
                if graph.in_the_way(step).contains(&standing) && !graph.is_roomy(standing) {
                    continue;
                }
                let mut next = at;
                next[who] = step.to;
                origins.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    Some(Origin { before: at, last: ExchangeMove { who, to: step.to }, moves })
                });
            }
        }
    }
    None
}

/// The moves that lead to where two bodies have changed places.
fn retrace(
    graph: &PlaceGraph,
    origins: &HashMap<[PlaceId; 2], Option<Origin>>,
    places: [PlaceId; 2],
) -> Exchange {
    let mut at = [places[1], places[0]];
    let (mut moves, mut clear) = (Vec::new(), Vec::new());
    while let Some(Origin { before, last, .. }) = origins[&at] {
        moves.push(last);
        let step = graph.step(before[last.who], last.to);
        clear.extend(step.into_iter().flat_map(|step| graph.in_the_way(step)).copied());
        at = before;
    }
    moves.reverse();
    clear.extend(places);
    clear.sort_unstable();
    clear.dedup();
    Exchange { places, moves, clear }
}
