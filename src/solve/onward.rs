//! How ways go on from a span: by steps that may better what a search knows, and by links.

use crate::grid::{Dir, Exit};

use super::Flow;
use super::cost::CostModel;
use super::nodes::Nodes;
use super::tariff::{Foothold, Tariff};

/// The neighbors of a span whose ways by it may be cheaper than what a search knows. No iterator: by
/// one a search takes a quarter longer.
pub(crate) struct Better {
    here: Foothold,
    so_far: u32,
    targets: [u32; 8],
    dirs: [usize; 8],
    count: usize,
}

impl Better {
    /// The directions in which they lie.
    #[inline(always)]
    pub(crate) fn dirs(&self) -> &[usize] {
        &self.dirs[..self.count]
    }
}

impl<'a, M: CostModel + ?Sized> Tariff<'a, M> {
    /// The neighbors that a search has to look at; only the step codes in `codes` count.
    #[inline(always)]
    pub(crate) fn better(&self, nodes: &Nodes, (column, span): (usize, u32), codes: u32) -> Better {
        let so_far = nodes.cost(span);
        let targets = self.terrain.steps().targets(column, span, codes);
        // Most neighbors are known by a way that no step from here can better.
        let by = self.least.flat_costs().map(|least| so_far.saturating_add(least));
        let (dirs, count) = nodes.dearer(&targets, by);
        Better { here: self.foothold(span), so_far, targets, dirs, count }
    }

    /// The neighbor in a direction, and what the way costs with the step [units].
    #[inline(always)]
    pub(crate) fn step_to(
        &self,
        better: &Better,
        dir: usize,
        flow: Flow,
    ) -> Option<(Dir, Foothold, u32)> {
        let there = self.foothold(better.targets[dir % 8]);
        let cost = self.flowing(flow, [&better.here, &there], Dir::ALL[dir % 8])?;
        Some((Dir::ALL[dir % 8], there, better.so_far.saturating_add(cost)))
    }

    /// The links from a span, or to it where ways lead to sources: each with what a way costs with it
    /// that has cost `so_far` up to here [units].
    pub(crate) fn priced_links<'s>(
        &'s self,
        (span, so_far): (u32, u32),
        flow: Flow,
    ) -> impl Iterator<Item = (&'a Exit, u32)> + use<'s, 'a, M> {
        let exits = self.terrain.links_at(span, flow);
        exits.filter_map(move |exit| Some((exit, so_far.saturating_add(self.link(exit)?))))
    }
}
