//! Provides [`KnownSupernodes`]: which supernodes of an order that was carried over have the separators
//! and boundaries that they had.
//!
//! A boundary changes only where a span of the cell, or a neighbor of one, comes, goes or moves to another
//! supernode, or where a connection or link of the cell does. So what changed is found from there, up to
//! the roots; everything else only has other ranks.

use crate::view::ViewRef;

use crate::cch::carried_order::CarriedOrder;
use crate::cch::elimination_tree::{EliminationTree, NONE};
use crate::cch::subgraph::neighbors;

/// The supernodes of an old tree that are as before in a new one, but for ranks.
pub(crate) struct KnownSupernodes<'a> {
    /// The old tree.
    pub tree: &'a EliminationTree,
    carried: &'a CarriedOrder,
    /// For each supernode of the new tree, whether its separator or boundary may have changed.
    pub is_changed: Vec<bool>,
}

/// The new ground as it was baked, and where it differs from the old.
pub(crate) struct ChangedGround<'a> {
    pub baked: &'a ViewRef<'a>,
    /// The spans whose connections or links changed.
    pub changed: Vec<u32>,
}

impl<'a> KnownSupernodes<'a> {
    /// Finds what is known of a new tree, as yet without boundaries, by an old one.
    pub(crate) fn new(
        old: &'a EliminationTree,
        new: &EliminationTree,
        carried: &'a CarriedOrder,
        ground: &ChangedGround,
    ) -> Self {
        let is_changed = carried.old_of.iter().map(|&old| old == NONE).collect();
        let mut known = KnownSupernodes { tree: old, carried, is_changed };
        known.add_left();
        for &span in ground.changed.iter().chain(&carried.arrived) {
            known.add_span(new, span);
            neighbors(ground.baked, span, |other| known.add_span(new, other));
        }
        for (at, supernode) in new.supernodes.iter().enumerate() {
            if known.is_changed[at] && supernode.parent != NONE {
                known.is_changed[supernode.parent as usize] = true;
            }
        }
        known
    }

    /// Adds the supernodes that spans have left, or if all have, the ones above.
    fn add_left(&mut self) {
        let new_of = self.carried.new_of(self.tree);
        for &left in &self.carried.left {
            let mut around = self.tree.path_to_root(left as usize).map(|at| new_of[at]);
            if let Some(around) = around.find(|&around| around != NONE) {
                self.is_changed[around as usize] = true;
            }
        }
    }

    fn add_span(&mut self, new: &EliminationTree, span: u32) {
        let rank = new.ranks[span as usize];
        if rank != NONE {
            self.is_changed[new.supernode_of(rank)] = true;
        }
    }

    /// The old supernode of a new one that is as before.
    pub(crate) fn old_of(&self, supernode: usize) -> Option<usize> {
        (!self.is_changed[supernode]).then_some(self.carried.old_of[supernode] as usize)
    }

    /// What the ranks of an old supernode's boundary are now. Their order is the same.
    pub(crate) fn boundary(&self, old: usize) -> impl Iterator<Item = u32> {
        self.tree.boundary(old).iter().map(|&rank| self.carried.new_ranks[rank as usize])
    }

    /// The relative indices of a supernode below another, if both are as before.
    pub(crate) fn relative_indices(&self, supernodes: [usize; 2]) -> Option<&[u32]> {
        let [own, parent] = supernodes.map(|at| self.old_of(at));
        let own = own?;
        let is_parent = self.tree.supernodes[own].parent as usize == parent?;
        is_parent.then(|| self.tree.relative_indices(own))
    }
}
