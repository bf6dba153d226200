//! Provides [`Cutaway`]: which floor is shown over each cell.
//!
//! The floors that are walked on come first, and what is near them; then the floors that were
//! expanded; then all that is connected with these. Last, walls and other spans off the walked floors take
//! the floor that is nearest in height to what is shown beside them. So a house that a path leads
//! through is seen without its roof.

use std::collections::VecDeque;

use surefoot::grid::{Cell, Dir, GridFrame, NavGrid, SpanId};
use surefoot::observer::{check_cancelled, for_each_observed};
use surefoot::view::View;
use surefoot::{Cancelled, Observer};

use super::super::storeys::Storeys;

/// The floor shown over each cell of a window.
pub(in super::super) struct Cutaway {
    window: GridFrame,
    shown: Vec<Option<u32>>,
}

/// Floors that a cutaway is to show; of several over one cell the first.
pub(in super::super) struct CutawayRequest<'a> {
    /// Floors that are walked on, in groups: one comes before the next with all that is near it.
    pub walked: &'a [Vec<SpanId>],
    /// What is near.
    pub near: Nearness<'a>,
    /// Floors that a search expanded.
    pub expanded: &'a [SpanId],
}

/// What is shown with a floor that is walked on.
#[derive(Clone, Copy)]
pub(in super::super) enum Nearness<'a> {
    /// What can be walked to within this many cells.
    Cells(u32),
    /// What can be walked to without leaving the storey.
    Storey(&'a Storeys),
}

impl Cutaway {
    /// Chooses the floors. O(cells of the window + floors wanted).
    pub(in super::super) fn of(
        view: &View,
        window: &GridFrame,
        wanted: &CutawayRequest,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let mut flood = CutawayFlood { observer, ..CutawayFlood::over(view, window) };
        let mut border = VecDeque::new();
        for group in wanted.walked {
            flood.claim_all(group);
            border.append(&mut flood.spread(wanted.near)?);
        }
        flood.queue = border;
        flood.claim_all(wanted.expanded);
        flood.spread(Nearness::Cells(u32::MAX))?;
        flood.fill()?;
        Ok(Cutaway { window: *window, shown: flood.shown })
    }

    /// The part of the grid it covers.
    pub(in super::super) fn window(&self) -> &GridFrame {
        &self.window
    }

    /// The floor over a cell; `None` where there is none, and outside the window.
    pub(in super::super) fn at(&self, cell: Cell) -> Option<SpanId> {
        self.shown[self.window.index(cell)?].map(SpanId)
    }

    /// The floor over a cell, by the index that the window has for it.
    pub(in super::super) fn at_index(&self, index: usize) -> Option<SpanId> {
        self.shown.get(index).copied().flatten().map(SpanId)
    }

    /// Whether a span is shown.
    pub(in super::super) fn shows(&self, grid: &NavGrid, span: SpanId) -> bool {
        grid.cell_of(span).and_then(|cell| self.at(cell)) == Some(span)
    }
}

/// The observer is asked once for so many cells of a flood.
const STEPS_PER_LOOK: u32 = 1 << 12;

/// Floors while they are being chosen.
struct CutawayFlood<'a> {
    view: &'a View,
    grid: &'a NavGrid,
    window: &'a GridFrame,
    observer: &'a dyn Observer,
    shown: Vec<Option<u32>>,
    /// Cells whose neighbors have not been looked at, with the distance gone [cells].
    queue: VecDeque<(usize, u32)>,
    /// Cells in the order in which their floors were chosen.
    chosen: Vec<usize>,
}

impl<'a> CutawayFlood<'a> {
    fn over(view: &'a View, window: &'a GridFrame) -> Self {
        let (queue, chosen) = (VecDeque::new(), Vec::new());
        let shown = vec![None; window.cells()];
        CutawayFlood { view, grid: view.grid(), window, observer: &(), shown, queue, chosen }
    }

    /// Shows some spans; of several over one cell the first.
    fn claim_all(&mut self, spans: &[SpanId]) {
        for &span in spans {
            self.claim(span, 0);
        }
    }

    fn claim(&mut self, span: SpanId, distance: u32) {
        let at = self.grid.cell_of(span).and_then(|cell| self.window.index(cell));
        if let Some(at) = at.filter(|&at| self.shown[at].is_none()) {
            self.shown[at] = Some(span.0);
            self.queue.push_back((at, distance));
            self.chosen.push(at);
        }
    }

    /// Shows what is near what is shown; returns from where it would go on.
    fn spread(&mut self, near: Nearness) -> Result<VecDeque<(usize, u32)>, Cancelled> {
        let (mut border, mut steps) = (VecDeque::new(), 0u32);
        while let Some((at, distance)) = self.queue.pop_front() {
            if steps.is_multiple_of(STEPS_PER_LOOK) {
                check_cancelled(self.observer)?;
            }
            steps = steps.wrapping_add(1);
            let Some(span) = self.shown[at].map(SpanId) else { continue };
            let around = Dir::STRAIGHT.map(|dir| self.view.neighbor(span, dir));
            let is_near = |next: SpanId| match near {
                Nearness::Cells(most) => distance < most,
                Nearness::Storey(storeys) => storeys.storey(next) == storeys.storey(span),
            };
            for next in around.into_iter().flatten().filter(|&next| is_near(next)) {
                self.claim(next, distance + 1);
            }
            if around.into_iter().flatten().any(|next| !is_near(next)) {
                border.push_back((at, 0));
            }
        }
        Ok(border)
    }

    /// Shows the floor nearest in height to its neighbor's over every cell that is left.
    fn fill(&mut self) -> Result<(), Cancelled> {
        let grid = self.grid;
        let floor = |span: u32| grid.spans()[span as usize].floor;
        let mut heights: Vec<Option<f32>> = self.shown.iter().map(|span| span.map(floor)).collect();
        let mut order = std::mem::take(&mut self.chosen);
        if order.is_empty() {
            // Nothing is known to look for: the level is seen from above.
            return for_each_observed(0..self.shown.len(), self.observer, |at| {
                self.shown[at] = grid.column_spans(self.window.cell(at)).next_back();
            });
        }
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            if next.is_multiple_of(STEPS_PER_LOOK as usize) {
                check_cancelled(self.observer)?;
            }
            next += 1;
            let height = heights[at].unwrap_or_default();
            for dir in Dir::STRAIGHT {
                let cell = self.window.cell(at).neighbor(dir);
                let Some(beside) = self.window.index(cell) else { continue };
                if heights[beside].is_none() {
                    self.shown[beside] = self.nearest(grid.column_spans(cell), height);
                    heights[beside] = Some(self.shown[beside].map_or(height, floor));
                    order.push(beside);
                }
            }
        }
        Ok(())
    }

    /// Of some spans the one whose floor is nearest to a height.
    fn nearest(&self, spans: std::ops::Range<u32>, height: f32) -> Option<u32> {
        let off = |span: &u32| (self.grid.spans()[*span as usize].floor - height).abs();
        spans.min_by(|a, b| off(a).total_cmp(&off(b)))
    }
}
