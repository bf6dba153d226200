//! Provides [`ExpansionMap`]: the ground of paths, tinted where a search looked.

use surefoot::grid::{Cell, SpanId};

use super::super::ground::GroundMap;
use super::super::palette::{Rgb, mix, order_tint};
use super::super::relief::{GroundKind, MapContent, MapSpan};

/// Ground with the order in which it was expanded.
pub(super) struct ExpansionMap<'a> {
    ground: &'a GroundMap<'a>,
    /// Spans that were expanded, ascending, each with its part of the order [0..=1].
    order: Vec<(SpanId, f32)>,
}

/// How much of the order's tint lies over the ground.
pub(super) const ORDER_COVER: f32 = 0.74;

impl<'a> ExpansionMap<'a> {
    pub(super) fn new(ground: &'a GroundMap, expanded: &[SpanId]) -> Self {
        let last = expanded.len().saturating_sub(1).max(1) as f32;
        let parts = expanded.iter().enumerate().map(|(at, &span)| (span, at as f32 / last));
        let mut order: Vec<(SpanId, f32)> = parts.collect();
        // The sort is stable: of a span that was expanded twice the first time counts.
        order.sort_by_key(|(span, _)| *span);
        order.dedup_by_key(|(span, _)| *span);
        ExpansionMap { ground, order }
    }

    fn part(&self, span: SpanId) -> Option<f32> {
        let found = self.order.binary_search_by_key(&span, |(span, _)| *span).ok()?;
        Some(self.order[found].1)
    }
}

impl MapContent for ExpansionMap<'_> {
    fn span_at(&self, cell: Cell) -> Option<MapSpan> {
        self.ground.span_at(cell)
    }

    fn tint(&self, spot: MapSpan) -> Rgb {
        let tint = self.ground.tint(spot);
        let order = self.part(SpanId(spot.span as u32)).map(order_tint);
        order.map_or(tint, |order| mix(tint, order, ORDER_COVER))
    }

    fn kind(&self, spot: MapSpan) -> GroundKind {
        self.ground.kind(spot)
    }
}
