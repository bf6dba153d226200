//! Provides [`Recording`]: how a search went, span by span.

use surefoot::cost::CostModel;
use surefoot::grid::{Dir, SpanId};
use surefoot::navigator::Navigator;
use surefoot::path::{Progress, SpanState};
use surefoot::search::Query;
use surefoot::view::View;

/// Which spans a search reached and expanded, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    expanded: Vec<SpanId>,
    /// Spans as they were reached, each with how many had been expanded by then; ascending.
    reached: Vec<(usize, SpanId)>,
}

impl Recording {
    /// Runs a search to its end one span at a time. The way is then had from
    /// [`Navigator::straighten`].
    ///
    /// O(expanded), and a byte a span of the grid.
    pub fn of<M: CostModel + ?Sized>(
        search: &mut Navigator,
        terrain: &View,
        model: &M,
        query: &Query,
    ) -> Self {
        let mut recording = Recording::default();
        let mut seen = vec![false; terrain.grid().spans().len()];
        let mut progress = search.begin(terrain, model, query);
        while progress == Progress::Running {
            let before = search.expanded();
            progress = search.advance(terrain, model, 1);
            if search.expanded() > before
                && let Some(span) = search.last_expanded()
            {
                recording.expanded.push(span);
                seen[span.index()] = true;
                recording.note_reached((search, terrain), span, &mut seen);
            }
        }
        recording
    }

    /// The spans that were expanded, in order.
    pub fn expanded(&self) -> &[SpanId] {
        &self.expanded
    }

    /// Spans as they were reached, each with how many had been expanded by then; ascending. Those
    /// at the far ends of links are missing.
    pub(super) fn reached(&self) -> &[(usize, SpanId)] {
        &self.reached
    }

    fn note_reached(
        &mut self,
        (search, terrain): (&Navigator, &View),
        span: SpanId,
        seen: &mut [bool],
    ) {
        let Some(cell) = terrain.grid().cell_of(span) else { return };
        let around = Dir::ALL.into_iter().filter_map(|dir| terrain.step(span, (cell, dir)));
        for next in around.filter(|&next| search.state(next) != SpanState::Unseen) {
            if !std::mem::replace(&mut seen[next.index()], true) {
                self.reached.push((self.expanded.len(), next));
            }
        }
    }
}
