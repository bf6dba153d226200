//! The state of each span in a search: 8 bytes, never cleared.
//!
//! Each search has its own number. A state with an older number counts as blank, so that beginning a
//! search costs nothing, however large the grid.

use crate::grid::Dir;

/// How a span was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    /// The search began there.
    Start,
    /// By a step in this direction.
    Step(Dir),
    /// By a link.
    Link,
    /// Unknown: no path continues from there.
    Border,
}

impl Parent {
    fn code(self) -> u32 {
        match self {
            Parent::Step(dir) => dir.index() as u32,
            Parent::Link => 8,
            Parent::Start => 9,
            Parent::Border => 10,
        }
    }

    fn of(code: u32) -> Self {
        match Dir::ALL.get(code as usize) {
            Some(&dir) => Parent::Step(dir),
            None if code == 8 => Parent::Link,
            None if code == 9 => Parent::Start,
            None => Parent::Border,
        }
    }
}

/// The state of a span in one word. From the top: the number of the search that reached it, its cost from
/// the start, whether it is closed, and its parent. Numbers of searches count down, so that the state of
/// an older search compares as more expensive than every state of the current one: one comparison tests
/// both.
type Node = u64;

const PARENT_BITS: u32 = 4;
const PARENT: Node = (1 << PARENT_BITS) - 1;
const CLOSED: Node = 1 << PARENT_BITS;
/// Where the cost begins.
const COST_SHIFT: u32 = PARENT_BITS + 1;
/// The lowest bit of a search's number.
const SEARCH: Node = 1 << (COST_SHIFT + u32::BITS);
/// Of no search: older than all.
const BLANK: Node = Node::MAX;

/// One node for each span of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    /// The complement of each node: those that no search has reached are 0. Memory that is all zeros is taken as
    /// it comes, so that the spans that nobody looks at cost nothing on a new grid.
    nodes: Vec<Node>,
    /// The number of the current search, in place.
    search: Node,
}

impl Default for Nodes {
    fn default() -> Self {
        Nodes { nodes: Vec::new(), search: FIRST }
    }
}

/// Above the first search's number by one.
const FIRST: Node = BLANK & !(SEARCH - 1);

impl Nodes {
    /// Begins a search: forgets everything. O(1), but that the first time on a larger grid takes memory.
    pub(crate) fn clear(&mut self, spans: usize) {
        if self.nodes.len() < spans {
            // With some to spare, since the next window of a world may be a little larger.
            let room = if self.nodes.is_empty() { 0 } else { spans / 4 };
            self.nodes = vec![!BLANK; spans + room];
            self.search = FIRST;
        }
        if self.search == 0 {
            // After 134 million searches the numbers begin again.
            self.nodes.fill(!BLANK);
            self.search = FIRST;
        }
        self.search -= SEARCH;
    }

    #[inline(always)]
    fn node(&self, span: u32) -> Node {
        !self.nodes[span as usize]
    }

    /// The highest state of the current search; below those of all older ones.
    #[inline]
    fn highest(&self) -> Node {
        self.search | (SEARCH - 1)
    }

    /// The least known cost to a span; `u32::MAX` if it was not reached.
    #[inline]
    pub(crate) fn cost(&self, span: u32) -> u32 {
        (self.node(span).min(self.highest()) >> COST_SHIFT) as u32
    }

    /// As [`Nodes::cost`]; `u32::MAX` also for a span that does not exist.
    pub(crate) fn cost_if_any(&self, span: u32) -> u32 {
        if (span as usize) < self.nodes.len() { self.cost(span) } else { u32::MAX }
    }

    /// Which of the neighbors in 8 directions cost more than `by`, straight and diagonal: a bit for each.
    /// Without branches, since none of them could be predicted.
    #[inline(always)]
    pub(crate) fn costlier(&self, neighbors: &[u32; 8], by: [u32; 2]) -> u32 {
        let by = by.map(|cost| !(self.search | Node::from(cost) << COST_SHIFT | CLOSED | PARENT));
        let mut costlier = 0;
        for (at, &neighbor) in neighbors.iter().enumerate() {
            costlier |= u32::from(self.nodes[neighbor as usize] < by[at % 2]) << at;
        }
        costlier
    }

    /// Whether a span is closed; false if it was not reached.
    #[inline]
    pub(crate) fn is_closed(&self, span: u32) -> bool {
        self.node(span) & (!(SEARCH - 1) | CLOSED) == self.search | CLOSED
    }

    /// How a span was reached; `None` if it was not.
    #[inline]
    pub(crate) fn parent(&self, span: u32) -> Option<Parent> {
        let node = !*self.nodes.get(span as usize)?;
        (node <= self.highest()).then(|| Parent::of((node & PARENT) as u32))
    }

    /// Keeps a path to a span and opens it.
    #[inline]
    pub(crate) fn reach(&mut self, span: u32, cost: u32, parent: Parent) {
        let node = self.search | Node::from(cost) << COST_SHIFT | Node::from(parent.code());
        self.nodes[span as usize] = !node;
    }

    /// Closes a span.
    #[inline]
    pub(crate) fn close(&mut self, span: u32) {
        self.nodes[span as usize] &= !CLOSED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_older_searches_knew_is_forgotten() {
        let mut nodes = Nodes::default();
        let blank = |nodes: &Nodes| {
            (0..8).all(|span| {
                let unknown = nodes.cost(span) == u32::MAX && nodes.parent(span).is_none();
                unknown && !nodes.is_closed(span)
            })
        };
        // The last rounds are those before and after the numbers begin again.
        for (round, last) in [false, false, true, false].into_iter().enumerate() {
            if last {
                nodes.search = 0;
            }
            nodes.clear(8);
            assert!(blank(&nodes), "round {round}");
            for (span, cost) in [(0, 0), (1, 7), (2, u32::MAX)] {
                nodes.reach(span, cost, Parent::Step(Dir::ALL[5]));
                nodes.close(span);
                assert_eq!(nodes.cost(span), cost);
                assert_eq!(nodes.parent(span), Some(Parent::Step(Dir::ALL[5])));
                assert!(nodes.is_closed(span));
            }
            nodes.reach(1, 6, Parent::Start);
            assert_eq!((nodes.cost(1), nodes.is_closed(1)), (6, false));
            // Straight neighbors at even places, diagonal ones at odd places.
            let neighbors = [0, 0, 1, 1, 2, 2, 3, 3];
            assert_eq!(nodes.costlier(&neighbors, [5, 6]), 0b1111_0100);
            assert_eq!(nodes.costlier(&neighbors, [0, u32::MAX]), 0b0101_0100 | 0b1000_0000);
        }
    }
}
