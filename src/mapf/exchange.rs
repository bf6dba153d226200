//! Provides [`Exchanges`]: where two bodies that stand one behind the other can change places by themselves.

use std::collections::VecDeque;
use std::vec;

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

/// All exchanges on a graph, found one after another.
#[derive(Debug)]
pub(crate) struct Exchanges {
    pub found: Vec<Exchange>,
    /// Places near each other where two bodies can stand, that were not looked at yet.
    left: vec::IntoIter<[PlaceId; 2]>,
    search: PairSearch,
}

/// Finds how two bodies change places, over all pairs of places that they come to.
#[derive(Debug)]
struct PairSearch {
    places: usize,
    /// For each pair of places, the fewest steps from the first to the second; [`NOT_REACHED`] if there are none, or
    /// too many.
    steps: Vec<u8>,
    /// For each pair of places, how the two came there, and in which search.
    origins: Vec<(u32, Origin)>,
    searches: u32,
    queue: VecDeque<[PlaceId; 2]>,
}

/// Two do not make more moves than this to change places: at a junction that is as many as they need if
/// places overlap there.
const MOST_MOVES: u8 = 14;
/// To look at a pair of places takes as long as so many decisions of a search.
const DECISIONS_OF_PAIR: usize = 1;
const NOT_REACHED: u8 = u8::MAX;

/// How two bodies have come to stand where they do.
#[derive(Clone, Copy, Debug)]
struct Origin {
    before: [PlaceId; 2],
    last: ExchangeMove,
    moves: u8,
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
    /// None are found yet.
    pub(crate) fn new(graph: &PlaceGraph) -> Self {
        let places = (0..graph.len() as PlaceId).filter(|&place| !graph.is_roomy(place));
        let pairs: Vec<[PlaceId; 2]> = places.flat_map(|first| pairs_of(graph, first)).collect();
        Exchanges { found: Vec::new(), left: pairs.into_iter(), search: PairSearch::new(graph) }
    }

    /// Looks for the next one. Returns how much was done [decisions of a search]; `None` if there are no more.
    pub(crate) fn find_next(&mut self, graph: &PlaceGraph) -> Option<usize> {
        let places = self.left.next()?;
        self.found.extend(self.search.exchange(graph, places));
        Some(DECISIONS_OF_PAIR * self.search.queue.len())
    }
}

/// A place, and each beside it, or beside one of those, where two bodies can stand.
fn pairs_of(graph: &PlaceGraph, first: PlaceId) -> impl Iterator<Item = [PlaceId; 2]> {
    let beside = graph.steps(first).iter().map(|step| step.to);
    let mut others: Vec<PlaceId> = beside
        .clone()
        .chain(beside.flat_map(|place| graph.steps(place).iter().map(|step| step.to)))
        .filter(|&other| other > first && !graph.is_roomy(other))
        .filter(|&other| has_room_for_both(graph, [first, other]))
        .collect();
    others.sort_unstable();
    others.dedup();
    others.into_iter().map(move |other| [first, other])
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

impl PairSearch {
    fn new(graph: &PlaceGraph) -> Self {
        let places = graph.len();
        let nowhere = ExchangeMove { who: 0, to: 0 };
        let none = (0, Origin { before: [0, 0], last: nowhere, moves: 0 });
        PairSearch {
            places,
            steps: (0..places as PlaceId).flat_map(|from| steps_from(graph, from)).collect(),
            origins: vec![none; places * places],
            searches: 0,
            queue: VecDeque::new(),
        }
    }

    /// The fewest moves by which two bodies change places; `None` if they cannot.
    fn exchange(&mut self, graph: &PlaceGraph, places: [PlaceId; 2]) -> Option<Exchange> {
        let goal = [places[1], places[0]];
        self.searches += 1;
        self.queue.clear();
        self.come_to(
            places,
            Origin { before: places, last: ExchangeMove { who: 0, to: places[0] }, moves: 0 },
        );
        let mut next = 0;
        while let Some(&at) = self.queue.get(next) {
            next += 1;
            if at == goal {
                return Some(self.retrace(graph, places));
            }
            let moves = self.origin(at).moves + 1;
            for who in [0, 1] {
                let standing = at[1 - who];
                for step in graph.steps(at[who]) {
                    if graph.in_the_way(step).contains(&standing) && !graph.is_roomy(standing) {
                        continue;
                    }
                    let mut to = at;
                    to[who] = step.to;
                    // Each has to get to where the other was.
                    let left = [0, 1].map(|who| self.steps_between(to[who], goal[who]));
                    if left[0].saturating_add(left[1]) <= MOST_MOVES.saturating_sub(moves) {
                        let last = ExchangeMove { who, to: step.to };
                        self.come_to(to, Origin { before: at, last, moves });
                    }
                }
            }
        }
        None
    }

    /// Notes how the two came to a pair of places, unless they have been there before.
    fn come_to(&mut self, at: [PlaceId; 2], origin: Origin) {
        let known = self.number(at);
        if self.origins[known].0 != self.searches {
            self.origins[known] = (self.searches, origin);
            self.queue.push_back(at);
        }
    }

    fn origin(&self, at: [PlaceId; 2]) -> Origin {
        self.origins[self.number(at)].1
    }

    fn steps_between(&self, from: PlaceId, to: PlaceId) -> u8 {
        self.steps[self.number([from, to])]
    }

    fn number(&self, pair: [PlaceId; 2]) -> usize {
        usize::from(pair[0]) * self.places + usize::from(pair[1])
    }

    /// The moves that lead to where two bodies have changed places.
    fn retrace(&self, graph: &PlaceGraph, places: [PlaceId; 2]) -> Exchange {
        let mut at = [places[1], places[0]];
        let (mut moves, mut clear) = (Vec::new(), Vec::new());
        while at != places {
            let Origin { before, last, .. } = self.origin(at);
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
}

/// For each place, the fewest steps to it from one; [`NOT_REACHED`] if an exchange has no time for so many.
fn steps_from(graph: &PlaceGraph, from: PlaceId) -> Vec<u8> {
    let mut steps = vec![NOT_REACHED; graph.len()];
    steps[usize::from(from)] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        let next = steps[usize::from(at)] + 1;
        if next > MOST_MOVES {
            break;
        }
        for step in graph.steps(at) {
            if steps[usize::from(step.to)] == NOT_REACHED {
                steps[usize::from(step.to)] = next;
                queue.push_back(step.to);
            }
        }
    }
    steps
}
