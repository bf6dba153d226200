//! Provides [`WayMap`]: the ground of ways, tinted where a search looked.

use surefoot::grid::{Cell, SpanId};

use super::super::ground::Ground;
use super::super::palette::{Rgb, mix, order_tint};
use super::super::relief::{Kind, Spot, Subject};

/// Ground with the order in which it was expanded.
pub(super) struct WayMap<'a> {
    ground: &'a Ground<'a>,
    /// Spans that were expanded, ascending, each with its part of the order [0..=1].
    order: Vec<(SpanId, f32)>,
}

/// How much of the order's tint lies over the ground.
pub(super) const ORDER_COVER: f32 = 0.74;

impl<'a> WayMap<'a> {
    pub(super) fn new(ground: &'a Ground, expanded: &[SpanId]) -> Self {
        let last = expanded.len().saturating_sub(1).max(1) as f32;
        let parts = expanded.iter().enumerate().map(|(at, &span)| (span, at as f32 / last));
        let mut order: Vec<(SpanId, f32)> = parts.collect();
        // The sort is stable: of a span that was expanded twice the first time counts.
        order.sort_by_key(|(span, _)| *span);
        order.dedup_by_key(|(span, _)| *span);
        WayMap { ground, order }
    }

    fn part(&self, span: SpanId) -> Option<f32> {
        let found = self.order.binary_search_by_key(&span, |(span, _)| *span).ok()?;
        Some(self.order[found].1)
    }
}

impl Subject for WayMap<'_> {
    fn spot(&self, cell: Cell) -> Option<Spot> {
        self.ground.spot(cell)
    }

    fn tint(&self, spot: Spot) -> Rgb {
        let tint = self.ground.tint(spot);
        let order = self.part(SpanId(spot.span as u32)).map(order_tint);
        order.map_or(tint, |order| mix(tint, order, ORDER_COVER))
    }

    fn kind(&self, spot: Spot) -> Kind {
        self.ground.kind(spot)
    }
}
