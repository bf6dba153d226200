//! The attributes of spans that a search needs, in arrays of their own: a search spends its time on
//! cache misses, and a [`Span`](super::Span) holds twice as much as it needs.

use super::parts::GridParts;
use crate::level::{Area, AreaId};

/// For each span of a grid, one array for each attribute.
#[derive(Clone, Debug)]
pub(crate) struct SpanAttributes {
    /// Row-major position of its column.
    pub columns: Vec<u32>,
    /// Height of its floor [m].
    pub floors: Vec<f32>,
    /// Its area; not read if all areas in use cost the same.
    pub areas: Vec<AreaId>,
    /// The areas of all spans, ascending and without repeats.
    pub areas_in_use: Vec<AreaId>,
    /// The cost factor of each area as baked.
    pub factors: Box<Factors>,
}

/// The cost factor of each area, indexed by [`AreaId`]; infinite for areas that do not exist.
pub(crate) type Factors = [f32; 256];

/// The cost factors of a list of areas.
pub(crate) fn factors(areas: &[Area]) -> Box<Factors> {
    let mut factors = Box::new([f32::INFINITY; 256]);
    for (factor, area) in factors.iter_mut().zip(areas) {
        *factor = area.cost;
    }
    factors
}

impl SpanAttributes {
    /// The attributes of validated parts. O(spans): 9 bytes a span.
    pub(super) fn new(parts: &GridParts) -> Self {
        let mut columns = Vec::with_capacity(parts.spans.len());
        for (column, range) in (0..).zip(parts.first.windows(2)) {
            columns.extend((range[0]..range[1]).map(|_| column));
        }
        let floors = parts.spans.iter().map(|span| span.floor).collect();
        let areas: Vec<AreaId> = parts.spans.iter().map(|span| span.area()).collect();
        let mut in_use = [false; 256];
        areas.iter().for_each(|area| in_use[area.index()] = true);
        let areas_in_use = (0..=u8::MAX).map(AreaId).filter(|area| in_use[area.index()]).collect();
        let factors = factors(&parts.areas);
        SpanAttributes { columns, floors, areas, areas_in_use, factors }
    }
}
