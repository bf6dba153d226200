//! What a search wants to know of every span it looks at, packed closely: a search spends its time
//! on fetching memory.

use super::{Area, AreaId, NavGrid};

/// For each span, in two arrays, what follows from the parts of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Grounds {
    pub places: Vec<GroundPlace>,
    /// Kinds of ground; not looked at where all cost the same.
    pub areas: Vec<AreaId>,
    /// What a metre on each kind of ground costs as baked.
    pub factors: Box<Factors>,
}

/// What a metre on each kind of ground costs; infinite for those there are not.
pub(crate) type Factors = [f32; 256];

/// The factors of some kinds of ground.
pub(crate) fn factors(areas: &[Area]) -> Box<Factors> {
    let mut factors = Box::new([f32::INFINITY; 256]);
    for (factor, area) in factors.iter_mut().zip(areas) {
        *factor = area.cost;
    }
    factors
}

/// Where a span is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GroundPlace {
    /// Row-major position of its column.
    pub column: u32,
    /// Height of its floor [m].
    pub floor: f32,
}

impl NavGrid {
    /// O(spans) the first time: 9 bytes a span.
    pub(crate) fn grounds(&self) -> &Grounds {
        self.grounds.get_or_init(|| {
            let spans = &self.parts.spans;
            let columns = (0..).zip(self.parts.first.windows(2));
            let of_column = columns.flat_map(|(column, range)| {
                let spans = spans[range[0] as usize..range[1] as usize].iter();
                spans.map(move |span| GroundPlace { column, floor: span.floor })
            });
            let mut places = Vec::with_capacity(spans.len());
            places.extend(of_column);
            let areas = spans.iter().map(|span| span.area()).collect();
            Grounds { places, areas, factors: factors(self.areas()) }
        })
    }
}
