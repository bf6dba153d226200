//! What a search knows of each span: 8 bytes, never cleared.
//!
//! Each search has its own number. What bears an older number is as good as blank, so that
//! beginning a search costs nothing, however large the grid.

use std::hint::select_unpredictable;

use crate::grid::Dir;

/// How a span was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// It is where the search began.
    Start,
    /// By a step in this direction.
    Step(Dir),
    /// By a link.
    Link,
    /// In whatever way: nothing goes on from there.
    Border,
}

impl Came {
    fn code(self) -> u32 {
        match self {
            Came::Step(dir) => dir.index() as u32,
            Came::Link => 8,
            Came::Start => 9,
            Came::Border => 10,
        }
    }

    fn of(code: u32) -> Self {
        match Dir::ALL.get(code as usize) {
            Some(&dir) => Came::Step(dir),
            None if code == 8 => Came::Link,
            None if code == 9 => Came::Start,
            None => Came::Border,
        }
    }
}

/// Cost from the start, and a mark: the search's number, whether the span was left, and how it was
/// reached.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    cost: u32,
    mark: u32,
}

const CAME_BITS: u32 = 4;
const CLOSED: u32 = 1 << CAME_BITS;
/// The lowest bit of a search's number in a mark.
const SEARCH: u32 = CLOSED << 1;

/// One node for each span of a grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    /// The number of the current search, in place.
    search: u32,
}

impl Nodes {
    /// Forgets everything; O(1) but for the first time on a larger grid.
    pub(crate) fn clear(&mut self, spans: usize) {
        if self.nodes.len() < spans {
            self.nodes.resize(spans, Node::default());
        }
        self.search = self.search.wrapping_add(SEARCH);
        if self.search == 0 {
            // After 134 million searches the numbers begin again.
            self.nodes.fill(Node::default());
            self.search = SEARCH;
        }
    }

    /// The least cost known to a span; the largest number where none is. Whether one is cannot be
    /// guessed of the neighbors that a search looks at.
    #[inline]
    pub(crate) fn cost(&self, span: u32) -> u32 {
        let Node { cost, mark } = self.nodes[span as usize];
        select_unpredictable(mark & !(SEARCH - 1) == self.search, cost, u32::MAX)
    }

    /// As [`Nodes::cost`]; the largest number where there is no such span, too.
    pub(crate) fn cost_if_any(&self, span: u32) -> u32 {
        if (span as usize) < self.nodes.len() { self.cost(span) } else { u32::MAX }
    }

    /// Of the neighbors in 8 directions those whose least cost is more than `by`, straight and
    /// diagonal: a bit for each. Which ones cannot be guessed, so it is told without branches.
    #[inline(always)]
    pub(crate) fn dearer(&self, neighbors: &[u32; 8], by: [u32; 2]) -> u32 {
        let mut dearer = 0;
        for (at, &neighbor) in neighbors.iter().enumerate() {
            dearer |= u32::from(self.cost(neighbor) > by[at % 2]) << at;
        }
        dearer
    }

    /// Whether a span was left; false for those never reached.
    #[inline]
    pub(crate) fn is_closed(&self, span: u32) -> bool {
        let mark = self.nodes[span as usize].mark;
        mark & (!(SEARCH - 1) | CLOSED) == self.search | CLOSED
    }

    /// How a span was reached; `None` where it was not.
    pub(crate) fn came(&self, span: u32) -> Option<Came> {
        let mark = self.nodes.get(span as usize)?.mark;
        (mark & !(SEARCH - 1) == self.search).then(|| Came::of(mark & (CLOSED - 1)))
    }

    /// Notes a way to a span, which is open again.
    #[inline]
    pub(crate) fn reach(&mut self, span: u32, cost: u32, came: Came) {
        self.nodes[span as usize] = Node { cost, mark: self.search | came.code() };
    }

    /// Leaves a span.
    #[inline]
    pub(crate) fn close(&mut self, span: u32) {
        self.nodes[span as usize].mark |= CLOSED;
    }
}
