//! What a search wants to know of every span it looks at, packed closely: a search spends its time
//! on fetching memory.

use super::{Area, AreaId, NavGrid};

/// For each span, an array for each thing, what follows from the parts of a grid.
#[derive(Clone, Debug)]
pub(crate) struct SpanAttributes {
    /// Row-major positions of columns.
    pub columns: Vec<u32>,
    /// Heights of floors [m].
    pub floors: Vec<f32>,
    /// Kinds of ground; not looked at where all cost the same.
    pub areas: Vec<AreaId>,
    /// The kinds that some span is of, ascending.
    pub kinds: Vec<AreaId>,
    /// What a metre on each area costs as baked.
    pub factors: Box<Factors>,
}

/// What a metre on each area costs; infinite for those there are not.
pub(crate) type Factors = [f32; 256];

/// The factors of some areas.
pub(crate) fn factors(areas: &[Area]) -> Box<Factors> {
    let mut factors = Box::new([f32::INFINITY; 256]);
    for (factor, area) in factors.iter_mut().zip(areas) {
        *factor = area.cost;
    }
    factors
}

impl NavGrid {
    /// O(spans) the first time: 9 bytes a span.
    pub(crate) fn attributes(&self) -> &SpanAttributes {
        self.data.attributes.get_or_init(|| {
            let spans = &self.data.parts.spans;
            let mut columns = Vec::with_capacity(spans.len());
            for (column, range) in (0..).zip(self.data.parts.first.windows(2)) {
                columns.extend((range[0]..range[1]).map(|_| column));
            }
            let floors = spans.iter().map(|span| span.floor).collect();
            let areas: Vec<AreaId> = spans.iter().map(|span| span.area()).collect();
            let mut is_there = [false; 256];
            areas.iter().for_each(|area| is_there[usize::from(area.0)] = true);
            let kinds = (0..=u8::MAX).filter(|&area| is_there[usize::from(area)]).map(AreaId);
            let (kinds, factors) = (kinds.collect(), factors(self.areas()));
            SpanAttributes { columns, floors, areas, kinds, factors }
        })
    }
}
