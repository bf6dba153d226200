//! Provides [`QueryContext`]: what every query runs on.

use crate::cost::CostModel;

use crate::cch::arc_costs::ArcCosts;
use crate::cch::elimination_tree::EliminationTree;
use crate::cch::hierarchy::CustomizedHierarchy;

/// What every query runs on: a customized hierarchy, and the arc costs it was customized by.
pub(crate) struct QueryContext<'a, M: ?Sized> {
    pub customized: CustomizedHierarchy<'a>,
    pub arc_costs: &'a ArcCosts<'a, M>,
}

impl<'a, M: CostModel + ?Sized> QueryContext<'a, M> {
    pub(crate) fn tree(&self) -> &'a EliminationTree {
        self.customized.tree()
    }

    /// The arc costs as they are counted at a supernode.
    pub(crate) fn at(&self, supernode: usize) -> ArcCosts<'a, M> {
        self.arc_costs.at(self.tree(), supernode)
    }

    /// The spans of two ranks.
    pub(crate) fn spans(&self, ranks: [u32; 2]) -> [u32; 2] {
        ranks.map(|rank| self.tree().order[rank as usize])
    }
}
