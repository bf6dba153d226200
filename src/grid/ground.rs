//! What a search wants to know of every span it looks at, packed closely: a search spends its time
//! on fetching memory.

use super::{AreaId, NavGrid};

/// For each span, in two arrays, what follows from the parts of a grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grounds {
    pub places: Vec<GroundPlace>,
    /// Kinds of ground; not looked at where all cost the same.
    pub areas: Vec<AreaId>,
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
            Grounds { places, areas: spans.iter().map(|span| span.area()).collect() }
        })
    }
}
