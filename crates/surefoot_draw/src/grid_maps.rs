//! What the pictures are about: one storey for one agent, or the level from above for all.

use surefoot::grid::{AgentId, Cell, NavGrid, SpanId, Standing};

use super::heights::share;
use super::palette::{
    GHOST, NOBODY, REASON_INKS, Rgb, SOMEBODY, height_tint, lighten, mix, reason, region_tint,
};
use super::relief::{GroundKind, MapContent, MapSpan};
use super::storeys::Storeys;

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
        let mut beneath = None;
        for span in self.grid.column_spans(cell).rev() {
            let spot = MapSpan { span: span as usize, here: true };
            match self.storeys.storey(SpanId(span)) {
                Some(storey) if storey == self.storey => return Some(spot),
                Some(storey) if storey < self.storey && beneath.is_none() => {
                    beneath = Some(MapSpan { here: false, ..spot });
                }
                _ => {}
            }
        }
        beneath
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
}

impl OverviewMap<'_> {
    /// A bit for each agent that can stand on a span; those past the 32nd share the last.
    pub(super) fn who(&self, span: usize) -> u32 {
        let layers = self.grid.layers().iter().enumerate();
        let able = layers.filter(|(_, layer)| layer.standings[span].is_walkable());
        able.fold(0, |who, (agent, _)| who | 1 << agent.min(31))
    }

    /// The tint of ground where the agents in `who` can stand, at a height as a share.
    pub(super) fn group_tint(&self, who: u32, share: f32) -> Rgb {
        let all = self.grid.layers().len().min(32) as u32;
        let able = who.count_ones();
        let tint = height_tint(share);
        match able {
            0 => mix(tint, NOBODY, 0.8),
            able if able == all => tint,
            able => mix(tint, SOMEBODY, 0.15 + 0.8 * (all - able) as f32 / all as f32),
        }
    }
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
