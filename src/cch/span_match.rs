//! Provides [`SpanMatch`]: which spans of a grid are still there in the next grid of a level that
//! changes.
//!
//! In: the same agent's views of two grids of one frame. A span's id moves with every span that comes
//! or goes before it, so columns are compared by what they hold. Clearance and regions do not count:
//! prepared routes know neither.

use std::ops::Range;

use crate::grid::{AgentId, NavGrid, Standing};
use crate::view::ViewRef;

/// No span.
pub(crate) const NO_SPAN: u32 = u32::MAX;

/// Which spans of an old grid are which ones of a new grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SpanMatch {
    /// For each span of the old grid the one in its place; [`NO_SPAN`] if there is none.
    pub new_of: Vec<u32>,
    /// The spans of the new grid in columns that differ, ascending.
    pub changed: Vec<u32>,
}

impl SpanMatch {
    /// Matches the spans of an old view and a new one; `None` if their frames or agents differ. O(spans).
    pub(crate) fn new(views: [&ViewRef; 2]) -> Option<Self> {
        let [old, new] = views;
        let bodies = views.map(ViewRef::agent);
        if old.frame() != new.frame() || bodies[0] != bodies[1] {
            return None;
        }
        let columns = ColumnComparison::new(views);
        let mut spans = SpanMatch { new_of: vec![NO_SPAN; old.spans().len()], changed: Vec::new() };
        let first = views.map(|view| &view.grid().parts().first);
        for (old, new) in first[0].windows(2).zip(first[1].windows(2)) {
            let ranges = [old, new].map(|ends| ends[0] as usize..ends[1] as usize);
            if columns.are_alike(&ranges) {
                spans.match_by_layers(ranges);
            } else {
                spans.changed.extend(new[0]..new[1]);
                spans.match_column(views, ranges);
            }
        }
        Some(spans)
    }

    fn match_by_layers(&mut self, [old, new]: [Range<usize>; 2]) {
        for (matched, new) in self.new_of[old].iter_mut().zip(new) {
            *matched = new as u32;
        }
    }

    /// Matches the spans of columns that differ: all if there are as many as before, or else those with
    /// the same floors. This decides where spans stand in an order, never what paths cost.
    fn match_column(&mut self, views: [&ViewRef; 2], [old, new]: [Range<usize>; 2]) {
        if old.len() == new.len() {
            self.match_by_layers([old, new]);
            return;
        }
        let floors = views.map(|view| view.spans());
        let mut new = new.peekable();
        for at in old {
            let floor = floors[0][at].floor;
            while new.next_if(|&other| floors[1][other].floor < floor).is_some() {}
            if let Some(other) = new.next_if(|&other| floors[1][other].floor == floor) {
                self.new_of[at] = other as u32;
            }
        }
    }
}

/// Compares columns by their spans, and by what an agent may do there: as baked, and now.
struct ColumnComparison<'a> {
    grids: [&'a NavGrid; 2],
    /// As baked, and where there are run-time changes, as it is now.
    standings: Vec<[&'a [Standing]; 2]>,
}

impl<'a> ColumnComparison<'a> {
    fn new(views: [&ViewRef<'a>; 2]) -> Self {
        let baked = |view: &ViewRef<'a>| baked_standings(view.grid(), view.agent_id());
        let mut standings = vec![views.map(baked)];
        let now = views.map(|view| view.connections().standings());
        if (0..2).any(|at| !std::ptr::eq(now[at], standings[0][at])) {
            standings.push(now);
        }
        ColumnComparison { grids: views.map(ViewRef::grid), standings }
    }

    fn are_alike(&self, [old, new]: &[Range<usize>; 2]) -> bool {
        let [old_grid, new_grid] = self.grids;
        let alike = |[before, after]: &[&[Standing]; 2]| {
            let mut pairs = before[old.clone()].iter().zip(&after[new.clone()]);
            pairs.all(|(before, after)| before.leads_alike(after))
        };
        old.len() == new.len()
            && old_grid.spans()[old.clone()] == new_grid.spans()[new.clone()]
            && self.standings.iter().all(alike)
    }
}

fn baked_standings(grid: &NavGrid, agent: AgentId) -> &[Standing] {
    &grid.layers()[agent.index()].standings
}
