//! Provides [`EliminationTree`]: the supernodes of an order, which one encloses which, and the
//! boundary of each.
//!
//! In: a view and an order by nested dissection. Out: what costs do not change, so that many
//! metrics share it. A supernode is the separator of a cell, eliminated as one; its parent is the
//! separator of the cell around. Only ancestors' spans are neighbors of a cell, and they are its
//! boundary.
//! Based on: Dibbelt, Strasser and Wagner, "Customizable contraction hierarchies", 2016; relative
//! indices as in Schreiber, "A new implementation of sparse Gaussian elimination", 1982.

use std::ops::Range;

use crate::grid::{RouteOrder, RouteSupernode};
use crate::view::ViewRef;

use crate::cch::known_supernodes::KnownSupernodes;
use crate::cch::parameters::{CellSize, OrderParameters, is_open};
use crate::cch::subgraph::neighbors;

/// What costs do not change: the order, its supernodes and their boundaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EliminationTree {
    pub parameters: OrderParameters,
    /// For each rank its span.
    pub order: Vec<u32>,
    /// For each span its rank; [`NONE`] for spans the agent cannot stand on.
    pub ranks: Vec<u32>,
    /// Children before their parents.
    pub supernodes: Vec<Supernode>,
    /// The spans with the lowest and the highest floor of all; 0 for both if there are none.
    pub heights: [u32; 2],
    /// Some supernodes are directed.
    pub has_directed: bool,
    /// The ground is open as a whole, or the ground that the order was carried over from was.
    pub is_open: bool,
    /// The ranks around each supernode's cell, ascending.
    boundaries: Vec<u32>,
    /// For each of them its index in the frontal matrix of the supernode's parent.
    relative_indices: Vec<u32>,
}

/// The separator of a cell, and the cell. A leaf's separator is its whole cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Supernode {
    /// Ranks of the cell: those of its children's cells first.
    pub begin: u32,
    /// The first rank of the separator.
    pub separator: u32,
    pub end: u32,
    /// The supernode of the cell around; [`NONE`] for roots.
    pub parent: u32,
    /// The first of its descendants, which end before itself.
    pub first: u32,
    /// The block that it is or lies within; [`NONE`] above blocks.
    pub block: u32,
    /// Levels above blocks; 0 for blocks and what is within them.
    pub height: u8,
    /// Links lead within its cell or from there to its boundary, or it lies in a block where they
    /// do: costs there and back differ, whatever the model.
    is_directed: bool,
    /// Where its boundary lies in the list of all.
    boundary: [u32; 2],
}

/// No supernode, no rank.
pub(crate) const NONE: u32 = u32::MAX;

impl EliminationTree {
    /// The tree of an order that was validated for the view's agent, or found for it.
    pub(crate) fn new(view: &ViewRef, order: &RouteOrder, parameters: OrderParameters) -> Self {
        let mut tree = Self::without_boundaries(view, order, parameters);
        tree.find_boundaries(view, None);
        tree.find_relative_indices(None);
        tree.is_open = is_open(tree.order.len(), tree.widest_front());
        tree.classify(view);
        tree
    }

    /// The tree of an order that was carried over from that of another tree. What counts as open stays,
    /// so that no small change turns all blocks into something else.
    pub(crate) fn carried_over(mut self, view: &ViewRef, known: &KnownSupernodes) -> Self {
        self.find_boundaries(view, Some(known));
        self.find_relative_indices(Some(known));
        self.is_open = known.tree.is_open;
        self.classify(view);
        self
    }

    /// The supernodes of an order, without their boundaries and what follows from those.
    pub(crate) fn without_boundaries(
        view: &ViewRef,
        order: &RouteOrder,
        parameters: OrderParameters,
    ) -> Self {
        let mut ranks = vec![NONE; view.spans().len()];
        for (rank, span) in (0..).zip(&order.spans) {
            ranks[span.index()] = rank;
        }
        let mut tree = EliminationTree {
            parameters,
            order: order.spans.iter().map(|span| span.0).collect(),
            ranks,
            supernodes: Vec::new(),
            heights: [0; 2],
            has_directed: false,
            is_open: false,
            boundaries: Vec::new(),
            relative_indices: Vec::new(),
        };
        tree.heights = tree.lowest_and_highest(view);
        tree.link(&order.supernodes);
        tree
    }

    /// The spans with the lowest and the highest floor; 0 for both if there are none.
    fn lowest_and_highest(&self, view: &ViewRef) -> [u32; 2] {
        let ranks = (0u32..).zip(&self.ranks);
        let spans = || ranks.clone().filter(|&(_, &rank)| rank != NONE).map(|(span, _)| span);
        let by_floor = |one: &u32, other: &u32| view.floor(*one).total_cmp(&view.floor(*other));
        [spans().min_by(by_floor), spans().max_by(by_floor)].map(Option::unwrap_or_default)
    }

    /// Finds which supernodes are blocks, and which are directed.
    fn classify(&mut self, view: &ViewRef) {
        self.find_blocks();
        self.find_heights();
        self.find_directed(view);
    }

    /// Makes the supernodes, and links parents and children.
    fn link(&mut self, cells: &[RouteSupernode]) {
        let mut orphans: Vec<usize> = Vec::new();
        let mut separator = 0;
        for (at, cell) in cells.iter().enumerate() {
            let end = separator + cell.spans;
            let (mut begin, mut first) = (separator, at as u32);
            for child in orphans.drain(orphans.len() - cell.children as usize..) {
                self.supernodes[child].parent = at as u32;
                begin = begin.min(self.supernodes[child].begin);
                first = first.min(self.supernodes[child].first);
            }
            let (parent, block, height, is_directed) = (NONE, NONE, 0, false);
            self.supernodes.push(Supernode {
                begin,
                separator,
                end,
                parent,
                first,
                block,
                height,
                is_directed,
                boundary: [0; 2],
            });
            orphans.push(at);
            separator = end;
        }
    }

    /// Symbolic elimination: a boundary is what is around a cell's separator and its children's
    /// boundaries, but for the separator itself.
    fn find_boundaries(&mut self, view: &ViewRef, known: Option<&KnownSupernodes>) {
        let mut boundary = Vec::new();
        for at in 0..self.supernodes.len() {
            boundary.clear();
            if let Some((known, old)) = known.and_then(|known| Some((known, known.old_of(at)?))) {
                boundary.extend(known.boundary(old));
            } else {
                self.find_around(view, at, &mut boundary);
            }
            let start = self.boundaries.len() as u32;
            self.boundaries.extend(&boundary);
            self.supernodes[at].boundary = [start, self.boundaries.len() as u32];
        }
    }

    /// Fills in the boundary of a supernode whose children have theirs.
    fn find_around(&self, view: &ViewRef, supernode: usize, boundary: &mut Vec<u32>) {
        let Supernode { end, .. } = self.supernodes[supernode];
        for child in self.children_reversed(supernode) {
            boundary.extend(self.boundary(child));
        }
        for rank in self.supernodes[supernode].separator_ranks() {
            neighbors(view, self.order[rank as usize], |other| {
                boundary.push(self.ranks[other as usize]);
            });
        }
        boundary.sort_unstable();
        boundary.dedup();
        boundary.retain(|&rank| rank >= end);
    }

    fn find_relative_indices(&mut self, known: Option<&KnownSupernodes>) {
        self.relative_indices = vec![0; self.boundaries.len()];
        for at in 0..self.supernodes.len() {
            let Supernode { parent, .. } = self.supernodes[at];
            if parent == NONE {
                continue;
            }
            let own = self.supernodes[at].boundary();
            let parent = parent as usize;
            if let Some(known) = known.and_then(|known| known.relative_indices([at, parent])) {
                self.relative_indices[own].copy_from_slice(known);
                continue;
            }
            for entry in own {
                let index = self.front_index(parent, self.boundaries[entry]);
                self.relative_indices[entry] = index.unwrap_or(0) as u32;
            }
        }
    }

    /// Finds the blocks, from the largest cells down.
    fn find_blocks(&mut self) {
        for at in (0..self.supernodes.len()).rev() {
            let Supernode { parent, .. } = self.supernodes[at];
            let around = if parent == NONE { NONE } else { self.supernodes[parent as usize].block };
            let spans = self.supernodes[at].spans();
            let cell = CellSize { spans, boundary: self.boundary(at).len() };
            let is_block = self.parameters.makes_block(cell, self.is_open);
            let own = if is_block { at as u32 } else { NONE };
            self.supernodes[at].block = if around == NONE { own } else { around };
        }
    }

    fn find_heights(&mut self) {
        for at in 0..self.supernodes.len() {
            let Supernode { parent, block, height, .. } = self.supernodes[at];
            if parent != NONE && self.supernodes[parent as usize].block == NONE {
                let above = if block == NONE { height + 1 } else { 1 };
                let parent = &mut self.supernodes[parent as usize];
                parent.height = parent.height.max(above);
            }
        }
    }

    /// Finds the supernodes that links make directed. An arc belongs to the supernode of its lower
    /// end, and counts for all ancestors of that.
    fn find_directed(&mut self, view: &ViewRef) {
        for link_edge in view.open_links() {
            let [one, other] = [link_edge.at, link_edge.other].map(|end| self.ranks[end.index()]);
            if one != other {
                let lower = self.supernode_of(one.min(other));
                self.supernodes[lower].is_directed = true;
                self.has_directed = true;
            }
        }
        for at in 0..self.supernodes.len() {
            let Supernode { parent, is_directed, .. } = self.supernodes[at];
            if let Some(above) = self.supernodes.get_mut(parent as usize) {
                above.is_directed |= is_directed;
            }
        }
        // A block is searched as a whole.
        for at in 0..self.supernodes.len() {
            if let Some(block) = self.block(at) {
                self.supernodes[at].is_directed = self.supernodes[block].is_directed;
            }
        }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.order, &self.ranks, &self.boundaries, &self.relative_indices];
        let supernodes = self.supernodes.len() * size_of::<Supernode>();
        supernodes + lists.map(|list| 4 * list.len()).iter().sum::<usize>()
    }

    /// Whether costs of a supernode differ there and back, whatever the model.
    pub(crate) fn is_directed(&self, supernode: usize) -> bool {
        self.supernodes[supernode].is_directed
    }

    /// Whether a supernode is a block or lies within one.
    pub(crate) fn is_in_block(&self, supernode: usize) -> bool {
        self.supernodes[supernode].block != NONE
    }

    /// The block that a supernode is or lies within; `None` above blocks.
    pub(crate) fn block(&self, supernode: usize) -> Option<usize> {
        let block = self.supernodes[supernode].block;
        (block != NONE).then_some(block as usize)
    }

    /// Whether a metric stores the costs through a cell, its supernode's contribution.
    pub(crate) fn stores_contribution(&self, supernode: usize) -> bool {
        let OrderParameters { contribution_levels, cheap_contribution, .. } = self.parameters;
        let Supernode { parent, height, .. } = self.supernodes[supernode];
        let boundary = self.boundary(supernode).len();
        let spans = self.supernodes[supernode].spans() as usize;
        let is_cheap = boundary * boundary <= cheap_contribution * spans;
        let is_stored_level = height % contribution_levels == contribution_levels / 2;
        parent != NONE && (is_stored_level || is_cheap)
    }

    /// The ranks around a supernode's cell, ascending.
    pub(crate) fn boundary(&self, supernode: usize) -> &[u32] {
        &self.boundaries[self.supernodes[supernode].boundary()]
    }

    /// For each rank of a supernode's boundary its index in the parent's frontal matrix, ascending.
    pub(crate) fn relative_indices(&self, supernode: usize) -> &[u32] {
        &self.relative_indices[self.supernodes[supernode].boundary()]
    }

    /// Rows of a supernode's frontal matrix: its separator, then its boundary.
    pub(crate) fn front_size(&self, supernode: usize) -> usize {
        self.separator_size(supernode) + self.boundary(supernode).len()
    }

    /// Rows of the largest frontal matrix.
    pub(crate) fn widest_front(&self) -> usize {
        (0..self.supernodes.len()).map(|at| self.front_size(at)).max().unwrap_or(0)
    }

    /// Spans of a supernode's separator.
    pub(crate) fn separator_size(&self, supernode: usize) -> usize {
        self.supernodes[supernode].separator_ranks().len()
    }

    /// The index of a rank in a supernode's frontal matrix; `None` if it has none.
    pub(crate) fn front_index(&self, supernode: usize, rank: u32) -> Option<usize> {
        let Supernode { separator, end, .. } = self.supernodes[supernode];
        if rank < end {
            return rank.checked_sub(separator).map(|index| index as usize);
        }
        let found = self.boundary(supernode).binary_search(&rank).ok()?;
        Some((end - separator) as usize + found)
    }

    /// The rank at an index of a supernode's frontal matrix.
    pub(crate) fn rank_at(&self, supernode: usize, index: usize) -> u32 {
        let Supernode { separator, end, .. } = self.supernodes[supernode];
        match index.checked_sub((end - separator) as usize) {
            None => separator + index as u32,
            Some(beyond) => self.boundary(supernode)[beyond],
        }
    }

    /// The children of a supernode, in order.
    pub(crate) fn children(&self, supernode: usize) -> Vec<usize> {
        let mut children: Vec<usize> = self.children_reversed(supernode).collect();
        children.reverse();
        children
    }

    /// The children of a supernode, the last one first.
    pub(crate) fn children_reversed(&self, supernode: usize) -> impl Iterator<Item = usize> {
        let first = self.supernodes[supernode].first as usize;
        let before = move |end: usize| end.checked_sub(1).filter(|&before| before >= first);
        let next = move |&child: &usize| before(self.supernodes[child].first as usize);
        std::iter::successors(before(supernode), next)
    }

    /// A supernode and its ancestors, up to the root.
    pub(crate) fn path_to_root(&self, supernode: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(supernode), |&at| {
            let parent = self.supernodes[at].parent;
            (parent != NONE).then_some(parent as usize)
        })
    }

    /// The roots, in order: one for each part of the ground that is connected.
    pub(crate) fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.supernodes.len()).filter(|&at| self.supernodes[at].parent == NONE)
    }

    /// The supernode whose separator a rank belongs to. O(log supernodes).
    pub(crate) fn supernode_of(&self, rank: u32) -> usize {
        self.supernodes.partition_point(|supernode| supernode.end <= rank)
    }
}

impl Supernode {
    /// Spans of the cell.
    pub(crate) fn spans(&self) -> u32 {
        self.end - self.begin
    }

    /// The ranks of the cell.
    pub(crate) fn ranks(&self) -> Range<u32> {
        self.begin..self.end
    }

    /// The ranks of the separator.
    pub(crate) fn separator_ranks(&self) -> Range<u32> {
        self.separator..self.end
    }

    fn boundary(&self) -> Range<usize> {
        self.boundary[0] as usize..self.boundary[1] as usize
    }
}
