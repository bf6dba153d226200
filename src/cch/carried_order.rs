//! Provides [`CarriedOrder`]: the order of a grid, made from that of the grid before it.
//!
//! In: the elimination tree of the old grid, and which of its spans are which of the new one. Out: an
//! order of the new grid in which nearly all spans are in the supernode they were in. A supernode is a
//! place to put spans, and neighbors have to lie in the same one or one below the other:
//!
//! - Where a connection or link is new between two spans that stay, one of them moves up to the lowest
//!   supernode around both. That keeps all its other neighbors above or below it.
//! - New spans are put in from the edges of the change inward, each into the lowest supernode that its
//!   neighbors leave. Where those of two cells meet, the separator between the cells goes on.
//! - What is then higher up than its neighbors ask for moves down again.
//! - New ground that nothing leads to is dissected by itself.

use std::collections::VecDeque;

use crate::grid::{MOST_LEVELS, RouteOrder, RouteSupernode, SpanId};
use crate::view::ViewRef;

use crate::cch::dissect::dissect;
use crate::cch::elimination_tree::{EliminationTree, NONE};
use crate::cch::span_match::{NO_SPAN, SpanMatch};
use crate::cch::subgraph::{Subgraph, neighbors};

/// An order, and where its spans and supernodes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CarriedOrder {
    pub order: RouteOrder,
    /// For each supernode which one of the old tree it was; [`NONE`] for new ones.
    pub old_of: Vec<u32>,
    /// For each rank of the old tree that of the same span now; [`NONE`] if it is gone.
    pub new_ranks: Vec<u32>,
    /// The supernodes of the old tree that spans have left.
    pub left: Vec<u32>,
    /// The spans that came into a supernode.
    pub arrived: Vec<u32>,
}

/// The supernode of each span of a new grid, by the tree of the old one.
struct Placement<'a> {
    tree: &'a EliminationTree,
    /// The new ground as it was baked.
    baked: &'a ViewRef<'a>,
    /// For each span its supernode; [`NONE`] for spans that have none yet. The number of supernodes
    /// stands for one that all roots lie below.
    supernode_of: Vec<u32>,
    /// The spans that are new in the order, ascending.
    new: Vec<u32>,
}

impl CarriedOrder {
    /// Makes the order of a new grid from the tree of an old one; `None` if supernodes would lie too
    /// deep. O(spans), and O(depth) for each of those that changed.
    pub(crate) fn new(
        tree: &EliminationTree,
        spans: &SpanMatch,
        baked: &ViewRef,
    ) -> Option<CarriedOrder> {
        let supernode_of = vec![NONE; baked.spans().len()];
        let mut placement = Placement { tree, baked, supernode_of, new: Vec::new() };
        placement.keep(spans);
        placement.move_up(&spans.changed);
        placement.spread();
        placement.move_down(&spans.changed);
        placement.into_order(spans)
    }

    /// For each supernode of the old tree which one it is now; [`NONE`] if it is gone.
    pub(crate) fn new_of(&self, old: &EliminationTree) -> Vec<u32> {
        let mut new_of = vec![NONE; old.supernodes.len()];
        for (at, &old) in (0..).zip(&self.old_of) {
            if let Some(new) = new_of.get_mut(old as usize) {
                *new = at;
            }
        }
        new_of
    }
}

impl Placement<'_> {
    /// The supernode that stands for one above all roots.
    fn top(&self) -> u32 {
        self.tree.supernodes.len() as u32
    }

    /// Spans that stay keep their supernodes for now.
    fn keep(&mut self, spans: &SpanMatch) {
        for (at, supernode) in (0..).zip(&self.tree.supernodes) {
            for rank in supernode.separator_ranks() {
                let span = spans.new_of[self.tree.order[rank as usize] as usize];
                if span != NO_SPAN {
                    self.supernode_of[span as usize] = at;
                }
            }
        }
        // What was walkable need not be so any more.
        for &span in &spans.changed {
            if !self.baked.is_walkable(SpanId(span)) {
                self.supernode_of[span as usize] = NONE;
            } else if self.supernode_of[span as usize] == NONE {
                self.new.push(span);
            }
        }
    }

    /// Moves up one end of each connection and link between spans that lie apart.
    fn move_up(&mut self, changed: &[u32]) {
        let mut apart = Vec::new();
        for &span in changed {
            neighbors(self.baked, span, |other| {
                if !self.allows([span, other]) {
                    apart.push([span, other]);
                }
            });
        }
        // Links may be new where no column changed.
        let links = self.baked.open_links().map(|link_edge| [link_edge.at.0, link_edge.other.0]);
        apart.extend(links.filter(|&ends| !self.allows(ends)));
        for [from, to] in apart {
            if self.allows([from, to]) {
                continue;
            }
            let [one, other] = [from, to].map(|span| self.supernode_of[span as usize]);
            // Always the end whose supernode comes first: so a line of them stays one span wide.
            let moved = if one <= other { from } else { to };
            self.supernode_of[moved as usize] = self.lowest_around([one, other]);
        }
    }

    /// Whether two spans may be neighbors; true if one has no supernode yet.
    fn allows(&self, ends: [u32; 2]) -> bool {
        let [one, other] = ends.map(|span| self.supernode_of[span as usize]);
        one == NONE || other == NONE || self.encloses(one.max(other), one.min(other))
    }

    /// Whether one supernode is another, or encloses it.
    fn encloses(&self, outer: u32, inner: u32) -> bool {
        let supernode = self.tree.supernodes.get(outer as usize);
        inner <= outer && supernode.is_none_or(|outer| outer.first <= inner)
    }

    /// The lowest supernode around two.
    fn lowest_around(&self, [one, other]: [u32; 2]) -> u32 {
        let lowest = one.min(other);
        if lowest == self.top() {
            return lowest;
        }
        let mut around = self.tree.path_to_root(lowest as usize).map(|at| at as u32);
        around.find(|&at| self.encloses(at, one.max(other))).unwrap_or(self.top())
    }

    /// The lowest supernode that a span's neighbors leave for it; `None` if none has a supernode yet.
    fn lowest_by_neighbors(&self, span: u32) -> Option<u32> {
        let mut lowest = NONE;
        let each = |visit: &mut dyn FnMut(u32)| {
            neighbors(self.baked, span, |other| {
                let supernode = self.supernode_of[other as usize];
                if supernode != NONE {
                    visit(supernode);
                }
            });
        };
        each(&mut |supernode| lowest = lowest.min(supernode));
        let mut place = lowest;
        each(&mut |supernode| {
            if !self.encloses(supernode, lowest) {
                place = place.max(self.lowest_around([lowest, supernode]));
            }
        });
        (lowest != NONE).then_some(place)
    }

    /// Puts new spans into supernodes, breadth first from those that have one.
    fn spread(&mut self) {
        let at_edge = self.new.iter().filter(|&&span| self.lowest_by_neighbors(span).is_some());
        let mut queue: VecDeque<u32> = at_edge.copied().collect();
        while let Some(span) = queue.pop_front() {
            if self.supernode_of[span as usize] != NONE {
                continue;
            }
            self.supernode_of[span as usize] = self.lowest_by_neighbors(span).unwrap_or(NONE);
            neighbors(self.baked, span, |other| {
                if self.supernode_of[other as usize] == NONE {
                    queue.push_back(other);
                }
            });
        }
    }

    /// Moves spans down that are higher up than their neighbors ask for: separators get no wider than
    /// they have to be, however often the ground changes.
    fn move_down(&mut self, changed: &[u32]) {
        for &span in changed {
            let own = self.supernode_of[span as usize];
            let place = self.lowest_by_neighbors(span).filter(|&place| own != NONE && place < own);
            self.supernode_of[span as usize] = place.unwrap_or(own);
        }
    }

    /// The spans in the order of their supernodes: those that stay as before, then those that arrive.
    fn into_order(self, spans: &SpanMatch) -> Option<CarriedOrder> {
        let arriving = self.arriving(spans);
        let arrived = arriving.iter().map(|arrival| arrival.span).collect();
        let mut arriving = arriving.into_iter().peekable();
        let mut writer = OrderWriter::below(self.top(), self.tree.order.len());
        for at in 0..=self.top() {
            let before = writer.order.spans.len();
            let old = self.tree.supernodes.get(at as usize);
            let ranks = old.map_or(0..0, |old| old.separator_ranks());
            let many = ranks.len();
            for rank in ranks {
                let span = spans.new_of[self.tree.order[rank as usize] as usize];
                if span != NO_SPAN && self.supernode_of[span as usize] == at {
                    writer.write(span, rank);
                }
            }
            if writer.order.spans.len() - before < many {
                writer.left.push(at);
            }
            while let Some(arrival) = arriving.next_if(|arrival| arrival.supernode == at) {
                writer.write(arrival.span, arrival.rank);
            }
            let own = (writer.order.spans.len() - before) as u32;
            writer.close(at, own, old.map_or(NONE, |old| old.parent))?;
        }
        let apart: Vec<u32> = arriving.map(|arrival| arrival.span).collect();
        let apart = Subgraph::among(self.baked, apart);
        writer.append(dissect(&apart, self.tree.parameters, &()).ok()?);
        let OrderWriter { order, old_of, new_ranks, left, .. } = writer;
        Some(CarriedOrder { order, old_of, new_ranks, left, arrived })
    }

    /// The spans that come into each supernode, sorted; last those that have none.
    fn arriving(&self, spans: &SpanMatch) -> Vec<Arrival> {
        let arrival = |span: u32, rank: u32| {
            let supernode = self.supernode_of[span as usize];
            Arrival { supernode, span, rank }
        };
        let mut arriving: Vec<Arrival> = self.new.iter().map(|&span| arrival(span, NONE)).collect();
        for (at, supernode) in (0..).zip(&self.tree.supernodes) {
            let known = supernode.separator_ranks().filter_map(|rank| {
                let span = spans.new_of[self.tree.order[rank as usize] as usize];
                (span != NO_SPAN).then(|| arrival(span, rank))
            });
            let moved = |known: &Arrival| known.supernode != at && known.supernode != NONE;
            arriving.extend(known.filter(moved));
        }
        arriving.sort_unstable();
        arriving
    }
}

/// A span that comes into a supernode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    supernode: u32,
    span: u32,
    /// Its rank in the old tree; [`NONE`] if it had none.
    rank: u32,
}

/// Writes an order from the supernodes of an old tree, without those that have no spans left: their
/// children become those of the supernode above.
struct OrderWriter {
    order: RouteOrder,
    /// For each supernode written which one of the old tree it was.
    old_of: Vec<u32>,
    new_ranks: Vec<u32>,
    left: Vec<u32>,
    /// The supernode above all roots.
    top: u32,
    /// For each supernode of the old tree, and the one above, the children written so far.
    children: Vec<u32>,
    /// For each of them the height of the highest tree below it.
    levels: Vec<u8>,
}

impl OrderWriter {
    /// Begins below a supernode, with the ranks of an old tree of so many spans.
    fn below(top: u32, spans: usize) -> Self {
        let count = top as usize + 1;
        OrderWriter {
            order: RouteOrder { spans: Vec::with_capacity(spans), ..RouteOrder::default() },
            old_of: Vec::with_capacity(count),
            new_ranks: vec![NONE; spans],
            left: Vec::new(),
            top,
            children: vec![0; count],
            levels: vec![0; count],
        }
    }

    /// Writes a span, which had a rank in the old tree or [`NONE`].
    fn write(&mut self, span: u32, rank: u32) {
        if let Some(new) = self.new_ranks.get_mut(rank as usize) {
            *new = self.order.spans.len() as u32;
        }
        self.order.spans.push(SpanId(span));
    }

    /// Ends a supernode, whose last spans were written; `None` if its tree is too high.
    fn close(&mut self, at: u32, spans: u32, parent: u32) -> Option<()> {
        let (mut children, mut levels) = (self.children[at as usize], self.levels[at as usize]);
        if spans > 0 {
            if levels >= MOST_LEVELS {
                return None;
            }
            self.order.supernodes.push(RouteSupernode { children, spans });
            self.old_of.push(if at == self.top { NONE } else { at });
            (children, levels) = (1, levels + 1);
        }
        if at != self.top {
            let parent = parent.min(self.top) as usize;
            self.children[parent] += children;
            self.levels[parent] = self.levels[parent].max(levels);
        }
        Some(())
    }

    /// Appends trees of their own.
    fn append(&mut self, order: RouteOrder) {
        self.old_of.resize(self.old_of.len() + order.supernodes.len(), NONE);
        self.order.spans.extend(order.spans);
        self.order.supernodes.extend(order.supernodes);
    }
}
