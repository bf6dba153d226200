//! How ways go on from a span: by steps that may better what a search knows, and by links.

use crate::grid::{Dir, Exit, Spot};

use super::Flow;
use super::cost::CostModel;
use super::nodes::Nodes;
use super::tariff::{Foothold, Tariff};

/// The neighbors of a span whose ways by it may be cheaper than what a search knows.
pub(crate) struct Better {
    here: Foothold,
    so_far: u32,
    targets: [u32; 8],
    /// A bit for each direction.
    dirs: u32,
}

impl Better {
    /// The directions in which they lie.
    #[inline(always)]
    pub(crate) fn dirs(&self) -> impl Iterator<Item = usize> + use<> {
        let mut dirs = self.dirs;
        std::iter::from_fn(move || {
            let dir = dirs.trailing_zeros() as usize;
            dirs &= dirs.wrapping_sub(1);
            (dir < 8).then_some(dir)
        })
    }
}

impl<'a, M: CostModel + ?Sized> Tariff<'a, M> {
    /// The neighbors that a search has to look at; only the step codes in `codes` count.
    #[inline(always)]
    pub(crate) fn better(&self, nodes: &Nodes, spot: Spot, codes: u32) -> Better {
        let so_far = nodes.cost(spot.span);
        let targets = self.terrain.steps().targets(spot, codes);
        // Most neighbors are known by a way that no step from here can better.
        let by = self.least.flat_costs().map(|least| so_far.saturating_add(least));
        let dirs = nodes.dearer(&targets, by);
        Better { here: self.foothold(spot), so_far, targets, dirs }
    }

    /// The neighbor in a direction, and what the way costs with the step [units].
    #[inline(always)]
    pub(crate) fn step_to(
        &self,
        better: &Better,
        dir: usize,
        flow: Flow,
    ) -> Option<(Dir, Foothold, u32)> {
        let (span, dir) = (better.targets[dir % 8], Dir::ALL[dir % 8]);
        let column = self.terrain.steps().neighbor_of(better.here.spot.column as usize, dir);
        let there = self.foothold(Spot { span, column: column as u32 });
        let cost = self.flowing(flow, [&better.here, &there], dir)?;
        Some((dir, there, better.so_far.saturating_add(cost)))
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
