//! How ways go on from a span, in every kind of search: by steps that may better what is known, and
//! by links.

use crate::grid::{Dir, Exit, Spot};

use super::Flow;
use super::cost::CostModel;
use super::natural::{EvenGround, natural};
use super::nodes::{Came, Nodes};
use super::tariff::{Foothold, Tariff};

/// A search: what it knows, and how it takes note of a way.
pub(crate) trait Explore {
    fn nodes(&self) -> &Nodes;

    /// Hears of a way by a step that costs so much in all, and may be cheaper than what is known.
    fn hear_of(&mut self, to: &Foothold, way: (u32, Came));
}

/// By what rules ways go on.
pub(crate) struct Onward<'a, M: ?Sized> {
    pub tariff: &'a Tariff<'a, M>,
    pub flow: Flow,
    /// The step codes of the directions there are.
    pub codes: u32,
    /// Where only natural steps need to be looked at.
    pub even_ground: Option<EvenGround<'a>>,
}

impl<'a, M: CostModel + ?Sized> Onward<'a, M> {
    /// Tells a search of the ways by every neighbor of a span that counts.
    #[inline(always)]
    pub(crate) fn step_out<E: Explore>(&self, search: &mut E, from: Spot) {
        let (tariff, steps) = (self.tariff, self.tariff.terrain.steps());
        let so_far = search.nodes().cost(from.span);
        let came = search.nodes().came(from.span);
        if let Some(natural) = natural(self.even_ground, steps, (from, came)) {
            let here = tariff.foothold(from);
            for (dir, spot) in natural {
                let cost = so_far.saturating_add(tariff.level_step(from.span, dir));
                search.hear_of(&Foothold { spot, ..here }, (cost, Came::Step(dir)));
            }
            return;
        }
        let mut targets = [0; 8];
        steps.find_targets(from, self.codes, &mut targets);
        // Most neighbors are known by a way that no step from here can better.
        let by = tariff.least.flat_costs().map(|least| so_far.saturating_add(least));
        let here = tariff.foothold(from);
        let mut dearer = search.nodes().dearer(&targets, by);
        while dearer != 0 {
            let at = dearer.trailing_zeros() as usize % 8;
            dearer &= dearer - 1;
            let (span, dir) = (targets[at], Dir::ALL[at]);
            let column = steps.neighbor_of(from.column as usize, dir) as u32;
            let there = tariff.foothold(Spot { span, column });
            if let Some(cost) = tariff.flowing(self.flow, [&here, &there], dir) {
                search.hear_of(&there, (so_far.saturating_add(cost), Came::Step(dir)));
            }
        }
    }

    /// The links from a span, or to it where ways lead to sources: each with what a way costs with it
    /// that has cost `so_far` up to here [units].
    pub(crate) fn links<'s>(
        &'s self,
        (span, so_far): (u32, u32),
    ) -> impl Iterator<Item = (&'a Exit, u32)> + use<'s, 'a, M> {
        let exits = self.tariff.terrain.links_at(span, self.flow);
        exits.filter_map(move |exit| Some((exit, so_far.saturating_add(self.tariff.link(exit)?))))
    }
}
