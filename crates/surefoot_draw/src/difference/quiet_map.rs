//! Provides [`QuietMap`]: the ground that changes are drawn over, in pale tints.

use surefoot::grid::{AgentId, Cell, GridFrame, NavGrid, Verdict};
use surefoot::observer::for_each_observed;
use surefoot::{Cancelled, Observer};

use super::super::heights::share;
use super::super::palette::{CLOSED, GHOST, Rgb, SOLID, height_tint};
use super::super::relief::{GroundKind, MapContent, MapSpan};
use super::super::storeys::{StoreyRef, Storeys};

/// One storey of the new grid as one agent finds it; lower storeys lie dimly beneath.
pub(super) struct QuietMap<'a> {
    pub grid: &'a NavGrid,
    pub agent: AgentId,
    pub storeys: &'a Storeys,
    pub storey: usize,
    /// The heights at the ends of the tints [m].
    pub heights: [f32; 2],
}

impl QuietMap<'_> {
    fn verdict(&self, spot: MapSpan) -> Verdict {
        self.grid.layers()[self.agent.index()].standings[spot.span].verdict()
    }
}

/// What there is to see of the ground in a part of a map.
pub(super) struct GroundKinds {
    /// Whether there is walkable ground, ground that is not, solids, and floors beneath.
    pub kinds: [bool; 4],
    /// For each area whether there is any of it.
    pub areas: Vec<bool>,
}

impl QuietMap<'_> {
    /// Looks at all cells of a part of the map.
    pub(super) fn kinds(
        &self,
        window: &GridFrame,
        observer: &dyn Observer,
    ) -> Result<GroundKinds, Cancelled> {
        let mut found = GroundKinds { kinds: [false; 4], areas: vec![false; 256] };
        let part = window.overlap(self.grid.frame());
        for_each_observed(0..part.cells(), observer, |at| {
            let Some(spot) = self.span_at(part.cell(at)) else { return };
            let kind = match self.verdict(spot) {
                _ if !spot.here => 3,
                Verdict::Walkable => 0,
                Verdict::InsideSolid => 2,
                _ => 1,
            };
            found.kinds[kind] = true;
            let area = self.grid.spans()[spot.span].area();
            found.areas[usize::from(area.0)] |= spot.here;
        })?;
        Ok(found)
    }
}

impl MapContent for QuietMap<'_> {
    fn span_at(&self, cell: Cell) -> Option<MapSpan> {
        StoreyRef { storeys: self.storeys, number: self.storey }.span_at(self.grid, cell)
    }

    fn tint(&self, spot: MapSpan) -> Rgb {
        if !spot.here {
            return GHOST;
        }
        match self.verdict(spot) {
            Verdict::Walkable => {
                height_tint(share(self.heights, self.grid.spans()[spot.span].floor))
            }
            Verdict::InsideSolid => SOLID,
            _ => CLOSED,
        }
    }

    fn kind(&self, spot: MapSpan) -> GroundKind {
        let area = self.grid.spans()[spot.span].area().0;
        match self.verdict(spot) {
            Verdict::Walkable => GroundKind::Open { group: 0, area },
            _ => GroundKind::Closed { reason: 0, area },
        }
    }
}
