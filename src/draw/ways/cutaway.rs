//! Provides [`Cutaway`]: which floor is shown over each cell.
//!
//! The floors that the ways lead over come first, and what can be walked to from them within a few
//! cells; then the floors that were expanded; then all that these hang together with. Last, walls
//! and other places nobody walks take the floor that is nearest in height to what is shown beside
//! them. So a house that a way leads through is seen without its roof.

use std::cmp::Reverse;
use std::collections::VecDeque;

use nalgebra::Point3;

use crate::grid::{Cell, Dir, GridFrame, NavGrid, SpanId};
use crate::solve::Terrain;

use super::WayPicture;
use super::window::cell_under;

/// The floor shown over each cell of a window.
pub(super) struct Cutaway {
    window: GridFrame,
    shown: Vec<Option<u32>>,
}

/// Floors within so many cells of a way are shown before those that were expanded.
const BRUSH_CELLS: u32 = 10;

impl Cutaway {
    /// Chooses the floors. O(cells of the window + spans given · log).
    pub(super) fn of(picture: &WayPicture, window: &GridFrame) -> Self {
        let mut flood = Flood::over(picture.terrain, window);
        let tracks = picture.ways.iter().filter_map(|way| way.path).flat_map(|path| path.track());
        // Where a way leads above itself its highest floor is seen; ids rise within a column.
        let mut walked: Vec<SpanId> = tracks.map(|point| point.span).collect();
        walked.sort_by_key(|&span| Reverse(span));
        flood.claim_all(&walked);
        for end in &picture.ends {
            flood.claim_near(end);
        }
        flood.spread(BRUSH_CELLS);
        flood.claim_all(picture.expanded);
        flood.spread(u32::MAX);
        flood.fill();
        Cutaway { window: *window, shown: flood.shown }
    }

    /// The floor over a cell; `None` where there is none, and outside the window.
    pub(super) fn at(&self, cell: Cell) -> Option<SpanId> {
        self.shown[self.window.index(cell)?].map(SpanId)
    }

    /// Whether a span is shown.
    pub(super) fn shows(&self, grid: &NavGrid, span: SpanId) -> bool {
        grid.cell_of(span).and_then(|cell| self.at(cell)) == Some(span)
    }

    /// All floors that are shown.
    pub(super) fn shown(&self) -> impl Iterator<Item = SpanId> + Clone + '_ {
        self.shown.iter().flatten().map(|&span| SpanId(span))
    }
}

/// Floors while they are being chosen.
struct Flood<'a> {
    terrain: &'a Terrain<'a>,
    grid: &'a NavGrid,
    window: &'a GridFrame,
    shown: Vec<Option<u32>>,
    /// Cells whose neighbors have not been looked at, with the distance gone [cells].
    queue: VecDeque<(usize, u32)>,
    /// Cells in the order in which their floors were chosen.
    chosen: Vec<usize>,
}

impl<'a> Flood<'a> {
    fn over(terrain: &'a Terrain<'a>, window: &'a GridFrame) -> Self {
        let (queue, chosen) = (VecDeque::new(), Vec::new());
        let shown = vec![None; window.cells()];
        Flood { terrain, grid: terrain.grid(), window, shown, queue, chosen }
    }

    /// Shows some spans; of several over one cell the first.
    fn claim_all(&mut self, spans: &[SpanId]) {
        for &span in spans {
            self.claim(span, 0);
        }
    }

    /// Shows the floor nearest in height to a point.
    fn claim_near(&mut self, point: &Point3<f32>) {
        if let Some(cell) = cell_under(self.window, point)
            && let Some(span) = self.nearest(self.grid.column_spans(cell), point.y)
        {
            self.claim(SpanId(span), 0);
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

    /// Shows what can be walked to from what is shown, as far as so many cells.
    fn spread(&mut self, most: u32) {
        let mut far = Vec::new();
        while let Some((at, distance)) = self.queue.pop_front() {
            if distance >= most {
                far.push((at, 0));
                continue;
            }
            let (cell, span) = (self.window.cell(at), self.shown[at]);
            for dir in Dir::STRAIGHT {
                let next = span.and_then(|span| self.terrain.step(SpanId(span), (cell, dir)));
                if let Some(next) = next {
                    self.claim(next, distance + 1);
                }
            }
        }
        self.queue.extend(far);
    }

    /// Shows the floor nearest in height to its neighbor's over every cell that is left.
    fn fill(&mut self) {
        let grid = self.grid;
        let floor = |span: u32| grid.spans()[span as usize].floor;
        let mut heights: Vec<Option<f32>> = self.shown.iter().map(|span| span.map(floor)).collect();
        let mut order = std::mem::take(&mut self.chosen);
        if order.is_empty() {
            // Nothing is known to look for: the level is seen from above.
            for (at, shown) in self.shown.iter_mut().enumerate() {
                *shown = grid.column_spans(self.window.cell(at)).next_back();
            }
            return;
        }
        let mut next = 0;
        while let Some(&at) = order.get(next) {
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
    }

    /// Of some spans the one whose floor is nearest to a height.
    fn nearest(&self, spans: std::ops::Range<u32>, height: f32) -> Option<u32> {
        let off = |span: &u32| (self.grid.spans()[*span as usize].floor - height).abs();
        spans.min_by(|a, b| off(a).total_cmp(&off(b)))
    }
}
