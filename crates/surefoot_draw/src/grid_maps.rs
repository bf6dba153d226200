//! What the pictures are about: one storey for one agent, or the level from above for all.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use surefoot::grid::{AgentId, Cell, NavGrid, SpanId, Standing};

use super::heights::share;
use super::palette::{
    GHOST, NOBODY, REASON_INKS, Rgb, SOMEBODY, height_tint, lighten, mix, reason, region_tint,
};
use super::relief::{GroundKind, MapContent, MapSpan};
use super::storeys::{StoreyRef, Storeys};

/// One storey as one agent sees it; lower storeys lie dimly beneath.
pub(super) struct StoreyMap<'a> {
    pub grid: &'a NavGrid,
    pub storeys: &'a Storeys,
    pub storey: usize,
    pub agent: AgentId,
    /// The heights at the ends of the tints [m].
    pub heights: [f32; 2],
}

/// How much narrow ground is darkened, and over how many cells it fades.
const NARROW_SHADE: f32 = 0.2;
const NARROW_CELLS: f32 = 2.0;

impl StoreyMap<'_> {
    fn standing(&self, spot: MapSpan) -> &Standing {
        &self.grid.layers()[self.agent.index()].standings[spot.span]
    }
}

impl MapContent for StoreyMap<'_> {
    fn span_at(&self, cell: Cell) -> Option<MapSpan> {
        StoreyRef { storeys: self.storeys, number: self.storey }.span_at(self.grid, cell)
    }

    fn tint(&self, spot: MapSpan) -> Rgb {
        if !spot.here {
            return GHOST;
        }
        let standing = self.standing(spot);
        if let Some(reason) = reason(standing.verdict()) {
            return REASON_INKS[reason];
        }
        let region = standing.region().map_or(0, |region| region.0 as usize);
        let share = share(self.heights, self.grid.spans()[spot.span].floor);
        let clearance = self.grid.clearance(self.agent, SpanId(spot.span as u32)).unwrap_or(0.0);
        let cells = clearance / self.grid.frame().cell_size;
        lighten(region_tint(region, share), 1.0 - NARROW_SHADE * (-cells / NARROW_CELLS).exp())
    }

    fn kind(&self, spot: MapSpan) -> GroundKind {
        let area = self.grid.spans()[spot.span].area().0;
        let standing = self.standing(spot);
        match reason(standing.verdict()) {
            Some(reason) => GroundKind::Closed { reason: reason as u8, area },
            None => {
                GroundKind::Open { group: standing.region().map_or(0, |region| region.0), area }
            }
        }
    }
}

/// The level from above: the highest floors, and which agents can stand on them.
pub(super) struct OverviewMap<'a> {
    pub grid: &'a NavGrid,
    /// The heights at the ends of the tints [m].
    pub heights: [f32; 2],
    /// The combinations of some agents, but not all, that can stand somewhere on the map; those of more
    /// agents come first.
    groups: Vec<u32>,
}

impl<'a> OverviewMap<'a> {
    /// A map of some spans.
    pub(super) fn new(grid: &'a NavGrid, heights: [f32; 2], spans: &[u32]) -> Self {
        let mut map = OverviewMap { grid, heights, groups: Vec::new() };
        let groups: BTreeSet<u32> = spans.iter().map(|&span| map.who(span as usize)).collect();
        map.groups = groups.into_iter().filter(|&who| who != 0 && !map.is_everybody(who)).collect();
        map.groups.sort_by_key(|&who| group_order(who));
        map
    }

    fn is_everybody(&self, who: u32) -> bool {
        who.count_ones() as usize == self.grid.layers().len().min(32)
    }

    /// A bit for each agent that can stand on a span; those past the 32nd share the last.
    pub(super) fn who(&self, span: usize) -> u32 {
        let layers = self.grid.layers().iter().enumerate();
        let able = layers.filter(|(_, layer)| layer.standings[span].is_walkable());
        able.fold(0, |who, (agent, _)| who | 1 << agent.min(31))
    }

    /// The tint of ground where the agents in `who` can stand, at a height as a share.
    pub(super) fn group_tint(&self, who: u32, share: f32) -> Rgb {
        let tint = height_tint(share);
        match self.groups.binary_search_by_key(&group_order(who), |&group| group_order(group)) {
            _ if self.is_everybody(who) => tint,
            // After the last color they begin again, paler.
            Ok(number) => {
                let (round, color) = (number / SOMEBODY.len(), number % SOMEBODY.len());
                mix(tint, SOMEBODY[color], (0.8 - 0.25 * round as f32).max(0.2))
            }
            Err(_) => mix(tint, NOBODY, 0.8),
        }
    }
}

/// Combinations of more agents come first.
fn group_order(who: u32) -> (Reverse<u32>, u32) {
    (Reverse(who.count_ones()), who)
}

impl MapContent for OverviewMap<'_> {
    fn span_at(&self, cell: Cell) -> Option<MapSpan> {
        let span = self.grid.column_spans(cell).next_back()?;
        Some(MapSpan { span: span as usize, here: true })
    }

    fn tint(&self, spot: MapSpan) -> Rgb {
        let share = share(self.heights, self.grid.spans()[spot.span].floor);
        self.group_tint(self.who(spot.span), share)
    }

    fn kind(&self, spot: MapSpan) -> GroundKind {
        let area = self.grid.spans()[spot.span].area().0;
        match self.who(spot.span) {
            0 => GroundKind::Closed { reason: 0, area },
            group => GroundKind::Open { group, area },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::agent::Agent;
    use surefoot::grid::GridFrame;

    /// Ground that is steeper and steeper, for agents that climb slopes of their own.
    #[test]
    fn every_combination_of_agents_has_a_tint_of_its_own() {
        let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 12, size_z: 1 };
        let heights: Vec<f32> = (0..12).map(|x| 0.02 * (x * x) as f32).collect();
        let agents: Vec<Agent> = (1..=5u8)
            .map(|at| Agent {
                slope_limit: (6.0 * f32::from(at)).to_radians(),
                ..Agent::new(at.to_string())
            })
            .collect();
        let grid = NavGrid::from_heights(frame, &heights, &agents).expect("a sound grid");
        let spans: Vec<u32> = (0..12).collect();
        let map = OverviewMap::new(&grid, [0.0, 1.0], &spans);
        let groups: BTreeSet<u32> = spans.iter().map(|&span| map.who(span as usize)).collect();
        let tints: BTreeSet<Rgb> = groups.iter().map(|&who| map.group_tint(who, 0.45)).collect();
        assert!(groups.len() > 3, "{groups:?}");
        assert_eq!(tints.len(), groups.len());
    }
}
