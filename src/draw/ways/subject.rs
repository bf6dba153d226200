//! Provides [`WayMap`]: quiet ground for ways to be drawn on, tinted where a search looked.

use crate::grid::{Cell, SpanId, Verdict};
use crate::solve::Terrain;

use super::super::heights::share;
use super::super::palette::{
    CLOSED, OUT_OF_REACH, Rgb, SOLID, height_tint, mix, order_tint, reason,
};
use super::super::relief::{Kind, Spot, Subject};
use super::WayScene;
use super::cutaway::Cutaway;

/// The floors that ways lead over, as one agent finds them.
pub(super) struct WayMap<'a> {
    terrain: &'a Terrain<'a>,
    cutaway: &'a Cutaway,
    heights: [f32; 2],
    /// The start, from which ground can be in reach.
    start: Option<SpanId>,
    /// Spans that were expanded, ascending, each with its part of the order [0..=1].
    order: Vec<(SpanId, f32)>,
}

/// How much of the order's tint lies over the ground.
pub(super) const ORDER_COVER: f32 = 0.74;

impl<'a> WayMap<'a> {
    pub(super) fn new(scene: &'a WayScene, expanded: &[SpanId]) -> Self {
        let last = expanded.len().saturating_sub(1).max(1) as f32;
        let parts = expanded.iter().enumerate().map(|(at, &span)| (span, at as f32 / last));
        let mut order: Vec<(SpanId, f32)> = parts.collect();
        // The sort is stable: of a span that was expanded twice the first time counts.
        order.sort_by_key(|(span, _)| *span);
        order.dedup_by_key(|(span, _)| *span);
        let WayScene { picture, cutaway, heights, .. } = scene;
        WayMap { terrain: picture.terrain, cutaway, heights: *heights, start: scene.start(), order }
    }

    fn verdict(&self, spot: Spot) -> Verdict {
        let standing = self.terrain.standing(SpanId(spot.span as u32));
        standing.map_or(Verdict::InsideSolid, |standing| standing.verdict())
    }

    /// Whether a way may lead to a span; true where it is not known from where.
    fn in_reach(&self, span: SpanId) -> bool {
        self.start.is_none_or(|start| self.terrain.may_reach(start, span))
    }

    fn part(&self, span: SpanId) -> Option<f32> {
        let found = self.order.binary_search_by_key(&span, |(span, _)| *span).ok()?;
        Some(self.order[found].1)
    }
}

impl Subject for WayMap<'_> {
    fn spot(&self, cell: Cell) -> Option<Spot> {
        self.cutaway.at(cell).map(|span| Spot { span: span.index(), here: true })
    }

    fn tint(&self, spot: Spot) -> Rgb {
        let span = SpanId(spot.span as u32);
        match self.verdict(spot) {
            Verdict::Walkable if !self.in_reach(span) => OUT_OF_REACH,
            Verdict::Walkable => {
                let floor = self.terrain.grid().spans()[spot.span].floor;
                let tint = height_tint(share(self.heights, floor));
                let order = self.part(span).map(order_tint);
                order.map_or(tint, |order| mix(tint, order, ORDER_COVER))
            }
            Verdict::InsideSolid => SOLID,
            _ => CLOSED,
        }
    }

    fn kind(&self, spot: Spot) -> Kind {
        let span = SpanId(spot.span as u32);
        let area = self.terrain.grid().spans()[spot.span].area().0;
        match self.verdict(spot) {
            Verdict::Walkable => Kind::Open { group: self.in_reach(span).into(), area },
            Verdict::InsideSolid => Kind::Closed {
                reason: reason(Verdict::InsideSolid).unwrap_or_default() as u8,
                area,
            },
            _ => Kind::Closed { reason: 0, area },
        }
    }
}
