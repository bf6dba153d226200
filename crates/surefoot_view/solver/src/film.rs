//! A search step by step: the cells it expanded, in order.

use surefoot::navigator::Navigator;
use surefoot::path::Progress;
use surefoot::{Query, SpanId};

/// Searches of more expansions are shown by every so many [spans].
const MOST_SHOWN: usize = 200_000;

/// The spans that a search expanded, in order; of long ones, evenly spread ones.
pub struct Film {
    /// x, y, z of the centers [m].
    pub centers: Vec<f32>,
    /// Number of spans expanded.
    pub expanded: u32,
}

impl Film {
    /// Runs a query's search to its end, one expansion at a time. O(expanded).
    pub fn of(navigator: &mut Navigator, query: &Query) -> Self {
        let mut spans: Vec<SpanId> = Vec::new();
        let mut progress = navigator.begin_search(query);
        while progress == Progress::Running {
            let before = navigator.expanded();
            progress = navigator.advance(1);
            if navigator.expanded() > before {
                spans.extend(navigator.last_expanded());
            }
        }
        let grid = navigator.grid();
        let stride = spans.len().div_ceil(MOST_SHOWN).max(1);
        let shown = spans.iter().step_by(stride).filter_map(|&span| grid.point(span));
        Film {
            centers: shown.flat_map(|point| [point.x, point.y, point.z]).collect(),
            expanded: spans.len() as u32,
        }
    }
}
