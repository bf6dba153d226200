//! Provides [`Recording`]: how a search went, span by span.

use surefoot::grid::{Dir, SpanId};
use surefoot::navigator::Navigator;
use surefoot::path::{Progress, SpanState};
use surefoot::search::Query;

/// Which spans a search reached and expanded, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    expanded: Vec<SpanId>,
    /// Spans as they were reached, each with the number that had been expanded by then; ascending.
    reached: Vec<(usize, SpanId)>,
}

impl Recording {
    /// Runs a query's A* search to its end, one expansion at a time.
    /// [`Navigator::finish`] then straightens the path that was found.
    ///
    /// O(expanded), and a byte for each span of the grid.
    pub fn of(navigator: &mut Navigator, query: &Query) -> Self {
        let mut recording = Recording::default();
        let mut seen = vec![false; navigator.grid().spans().len()];
        let mut progress = navigator.begin_search(query);
        while progress == Progress::Running {
            let before = navigator.expanded();
            progress = navigator.advance(1);
            if navigator.expanded() > before
                && let Some(span) = navigator.last_expanded()
            {
                recording.expanded.push(span);
                seen[span.index()] = true;
                recording.note_reached(navigator, span, &mut seen);
            }
        }
        recording
    }

    /// The spans that were expanded, in order.
    pub fn expanded(&self) -> &[SpanId] {
        &self.expanded
    }

    /// Spans as they were reached, each with the number that had been expanded by then; ascending. Those
    /// at the far ends of links are missing.
    pub(super) fn reached(&self) -> &[(usize, SpanId)] {
        &self.reached
    }

    fn note_reached(&mut self, navigator: &Navigator, span: SpanId, seen: &mut [bool]) {
        let around = Dir::ALL.into_iter().filter_map(|dir| navigator.view().neighbor(span, dir));
        for next in around.filter(|&next| navigator.span_state(next) != SpanState::Unseen) {
            if !std::mem::replace(&mut seen[next.index()], true) {
                self.reached.push((self.expanded.len(), next));
            }
        }
    }
}
