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
use crate::cch::span_match::SpanMatch;
use crate::cch::subgraph::{Subgraph, neighbors};

/// An order, and where its supernodes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CarriedOrder {
    pub order: RouteOrder,
    /// For each supernode which one of the old tree it was; [`NONE`] for new ones.
    pub old_of: Vec<u32>,
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
                if span != NONE {
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

    /// The spans in the order of their supernodes: those that stay as before, then those that come.
    fn into_order(self, spans: &SpanMatch) -> Option<CarriedOrder> {
        let mut arriving = self.arriving(spans).into_iter().peekable();
        let mut writer = OrderWriter::above(self.top());
        for at in 0..=self.top() {
            let start = writer.order.spans.len();
            let staying = self.known_spans(spans, at);
            let staying = staying.filter(|&span| self.supernode_of[span as usize] == at);
            writer.order.spans.extend(staying.map(SpanId));
            while let Some([_, span]) = arriving.next_if(|&[supernode, _]| supernode == at) {
                writer.order.spans.push(SpanId(span));
            }
            let own = (writer.order.spans.len() - start) as u32;
            let parent = self.tree.supernodes.get(at as usize).map(|supernode| supernode.parent);
            writer.close(at, own, parent.unwrap_or(NONE))?;
        }
        let is_apart = |&&span: &&u32| self.supernode_of[span as usize] == NONE;
        let apart: Vec<u32> = self.new.iter().filter(is_apart).copied().collect();
        let apart = dissect(&Subgraph::among(self.baked, apart), self.tree.parameters, &()).ok()?;
        writer.append(apart);
        Some(CarriedOrder { order: writer.order, old_of: writer.old_of })
    }

    /// The spans of a supernode of the old tree that are still there.
    fn known_spans(&self, spans: &SpanMatch, supernode: u32) -> impl Iterator<Item = u32> {
        let ranks = self.tree.supernodes.get(supernode as usize);
        let ranks = ranks.map_or(0..0, |supernode| supernode.separator_ranks());
        let spans = ranks.map(|rank| spans.new_of[self.tree.order[rank as usize] as usize]);
        spans.filter(|&span| span != NONE && self.supernode_of[span as usize] != NONE)
    }

    /// The spans that come into each supernode: supernode and span, sorted.
    fn arriving(&self, spans: &SpanMatch) -> Vec<[u32; 2]> {
        let with_supernode = |&span: &u32| [self.supernode_of[span as usize], span];
        let mut arriving: Vec<[u32; 2]> = self.new.iter().map(with_supernode).collect();
        for at in 0..self.top() {
            let known = self.known_spans(spans, at).map(|span| with_supernode(&span));
            arriving.extend(known.filter(|&[supernode, _]| supernode != at));
        }
        arriving.retain(|&[supernode, _]| supernode != NONE);
        arriving.sort_unstable();
        arriving
    }
}

/// Writes an order from the supernodes of an old tree, without those that have no spans left: their
/// children become those of the supernode above.
struct OrderWriter {
    order: RouteOrder,
    /// For each supernode written which one of the old tree it was.
    old_of: Vec<u32>,
    /// The supernode above all roots.
    top: u32,
    /// For each supernode of the old tree, and the one above, the children written so far.
    children: Vec<u32>,
    /// For each of them the height of the highest tree below it.
    levels: Vec<u8>,
}

impl OrderWriter {
    fn above(top: u32) -> Self {
        let count = top as usize + 1;
        OrderWriter {
            order: RouteOrder::default(),
            old_of: Vec::with_capacity(count),
            top,
            children: vec![0; count],
            levels: vec![0; count],
        }
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
