//! Provides [`Splice`]: puts what was baked again in place of parts of a grid.
//!
//! Columns are stored row by row, so the new arrays are pieces of rows, from the older grid and from the
//! windows in turn. Whatever lies outside of the windows is copied as it is, long pieces at once.

use std::ops::Range;

use rayon::prelude::*;

use super::tile_store::NodeNumbers;
use surefoot::grid::baker::{ConnectionCode, UNKNOWN_REGION};
use surefoot::grid::{
    AgentLayer, Dir, FarConnection, GridFrame, GridParts, LimitedSpan, Rooms, Span, SpanId,
    Standing, Verdict,
};

/// A part of a grid that was baked again.
pub(super) struct Window {
    /// The cells that replace those of the older grid.
    pub inner: GridFrame,
    /// The cells that it has: more, so that those inside are exact.
    pub frame: GridFrame,
    pub first: Vec<u32>,
    pub spans: Vec<Span>,
    /// Ledges are marked.
    pub layers: Vec<AgentLayer>,
}

/// A new grid in the making: pieces of an older one and of windows.
pub(super) struct Splice<'a> {
    pub old: &'a GridParts,
    pub windows: &'a [Window],
    /// What nodes of the older grid are called now; `None` if nothing changed.
    pub nodes: Option<NodeNumbers>,
    /// Where the columns of the new grid start.
    pub first: Vec<u32>,
    pieces: Vec<Piece>,
}

/// Columns that follow each other, in the grid and where they come from.
#[derive(Clone)]
struct Piece {
    /// The window; `None` for the older grid.
    window: Option<usize>,
    /// Indices of the columns there.
    columns: Range<usize>,
}

impl<'a> Splice<'a> {
    pub fn new(old: &'a GridParts, windows: &'a [Window], nodes: Option<NodeNumbers>) -> Self {
        let mut splice = Splice { old, windows, nodes, first: Vec::new(), pieces: Vec::new() };
        splice.cut();
        splice.first = splice.column_starts();
        splice
    }

    /// Cuts the rows of the grid into pieces.
    fn cut(&mut self) {
        let frame = &self.old.frame;
        let width = frame.size_x as usize;
        let mut start = 0;
        for row in 0..frame.size_z as usize {
            let z = frame.min.z + row as i32;
            let is_here = |inner: &GridFrame| {
                inner.cells() > 0 && (inner.min.z..inner.min.z + inner.size_z as i32).contains(&z)
            };
            let here = self.windows.iter().enumerate().filter(|(_, w)| is_here(&w.inner));
            let mut here: Vec<(usize, &Window)> = here.collect();
            here.sort_by_key(|(_, window)| window.inner.min.x);
            for (at, window) in here {
                let from = row * width + (window.inner.min.x - frame.min.x) as usize;
                self.add_piece(None, start..from);
                let columns = window.columns(z);
                start = from + columns.len();
                self.add_piece(Some(at), columns);
            }
        }
        self.add_piece(None, start..frame.cells());
    }

    fn add_piece(&mut self, window: Option<usize>, columns: Range<usize>) {
        if !columns.is_empty() {
            self.pieces.push(Piece { window, columns });
        }
    }

    /// Where the columns of a piece start, where it comes from.
    fn starts(&self, piece: &Piece) -> &[u32] {
        let first = piece.window.map_or(&self.old.first, |at| &self.windows[at].first);
        &first[piece.columns.start..=piece.columns.end]
    }

    fn spans_of(&self, piece: &Piece) -> Range<usize> {
        let starts = self.starts(piece);
        starts[0] as usize..starts[starts.len() - 1] as usize
    }

    fn column_starts(&self) -> Vec<u32> {
        let mut first = Vec::with_capacity(self.old.first.len());
        let mut total = 0u32;
        first.push(0);
        for piece in &self.pieces {
            let starts = self.starts(piece);
            let shift = total.wrapping_sub(starts[0]);
            first.extend(starts[1..].iter().map(|start| start.wrapping_add(shift)));
            total = first[first.len() - 1];
        }
        first
    }

    /// Returns the number of all spans.
    pub fn span_count(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// Returns an array with one record a span, from those of the older grid and of each window.
    fn copy<T: Copy>(&self, old: &[T], window: impl Fn(&Window) -> &[T]) -> Vec<T> {
        let mut copied = Vec::with_capacity(self.span_count());
        for piece in &self.pieces {
            let from = piece.window.map_or(old, |at| window(&self.windows[at]));
            copied.extend_from_slice(&from[self.spans_of(piece)]);
        }
        copied
    }

    /// Calls back with each piece of the older grid: its spans there, and the first of them in the new.
    fn for_each_old(&self, mut call: impl FnMut(Range<usize>, usize)) {
        let mut start = 0;
        for piece in &self.pieces {
            let spans = self.spans_of(piece);
            let len = spans.len();
            if piece.window.is_none() {
                call(spans, start);
            }
            start += len;
        }
    }

    /// Returns the spans of the new grid.
    pub fn spans(&self) -> Vec<Span> {
        let mut spans = self.copy(&self.old.spans, |window| &window.spans);
        if let Some(numbers) = &self.nodes {
            self.for_each_old(|old, start| {
                let own = &mut spans[start..start + old.len()];
                own.iter_mut().for_each(|span| *span = numbers.span(*span));
            });
        }
        spans
    }

    /// Returns the layers of the new grid, without clearance and regions inside of the windows.
    pub fn layers(&self) -> Vec<AgentLayer> {
        (0..self.old.layers.len()).into_par_iter().map(|agent| self.layer(agent)).collect()
    }

    fn layer(&self, agent: usize) -> AgentLayer {
        let old = &self.old.layers[agent];
        let (standings, rooms) = rayon::join(|| self.standings(agent), || self.rooms(agent));
        AgentLayer {
            agent: old.agent.clone(),
            standings,
            far_connections: self.far_connections(agent),
            regions: old.regions.clone(),
            rooms,
            order: None,
        }
    }

    fn standings(&self, agent: usize) -> Vec<Standing> {
        let mut standings =
            self.copy(&self.old.layers[agent].standings, |window| &window.layers[agent].standings);
        if let Some(numbers) = &self.nodes {
            self.for_each_old(|old, start| {
                for standing in &mut standings[start..start + old.len()] {
                    if let Verdict::Obstacle(node) = standing.verdict() {
                        *standing = Standing::new(Verdict::Obstacle(numbers.node(node)));
                    }
                }
            });
        }
        standings
    }

    fn rooms(&self, agent: usize) -> Rooms {
        let mut limited = Vec::with_capacity(self.old.layers[agent].rooms.len());
        let mut old = self.old.layers[agent].rooms.limited().peekable();
        let windows = self.windows.iter().map(|w| w.layers[agent].rooms.limited().collect());
        let windows: Vec<Vec<LimitedSpan>> = windows.collect();
        let mut start = 0u32;
        for piece in &self.pieces {
            let spans = self.spans_of(piece);
            let [low, high] = [spans.start as u32, spans.end as u32];
            let moved = |limited: LimitedSpan| LimitedSpan {
                span: SpanId(limited.span.0 - low + start),
                ..limited
            };
            match piece.window {
                Some(at) => {
                    let all = &windows[at];
                    let from = all.partition_point(|limited| limited.span.0 < low);
                    let to = all.partition_point(|limited| limited.span.0 < high);
                    limited.extend(all[from..to].iter().copied().map(moved));
                }
                None => {
                    while old.next_if(|limited| limited.span.0 < low).is_some() {}
                    while let Some(own) = old.next_if(|limited| limited.span.0 < high) {
                        limited.push(moved(own));
                    }
                }
            }
            start += high - low;
        }
        Rooms::new(self.span_count(), &limited)
    }

    /// Returns the far connections of an agent, not sorted.
    fn far_connections(&self, agent: usize) -> Vec<FarConnection> {
        let far = |layer: &AgentLayer,
                   frame: &GridFrame,
                   first: &[u32],
                   is_own: &dyn Fn(usize) -> bool| {
            let column = |span: SpanId| first.partition_point(|&first| first <= span.0) - 1;
            let moved = |span: SpanId| {
                let at = self.old.frame.index(frame.cell(column(span)))?;
                Some(SpanId(self.first[at] + (span.0 - first[column(span)])))
            };
            let own = layer.far_connections.iter().filter(|far| is_own(column(far.from)));
            let moved = own.filter_map(|far| {
                Some(FarConnection { from: moved(far.from)?, to: moved(far.to)?, dir: far.dir })
            });
            moved.collect::<Vec<_>>()
        };
        let GridParts { frame, first, layers, .. } = self.old;
        let is_outside = |column: usize| {
            let cell = frame.cell(column);
            !self.windows.iter().any(|window| window.inner.index(cell).is_some())
        };
        let mut all = far(&layers[agent], frame, first, &is_outside);
        for window in self.windows {
            let is_inside = |column: usize| window.inner.index(window.frame.cell(column)).is_some();
            all.extend(far(&window.layers[agent], &window.frame, &window.first, &is_inside));
        }
        all
    }
}

impl Window {
    /// Returns the indices of the window's own columns in a row.
    fn columns(&self, z: i32) -> Range<usize> {
        let row = (z - self.frame.min.z) as usize * self.frame.size_x as usize;
        let start = row + (self.inner.min.x - self.frame.min.x) as usize;
        start..start + self.inner.size_x as usize
    }

    /// Removes the connections that lead out of a frame, and marks regions as not known.
    pub fn prepare(&mut self, frame: &GridFrame) {
        for layer in &mut self.layers {
            for column in 0..self.frame.cells() {
                let cell = self.frame.cell(column);
                let leads_out = |dir: &Dir| frame.index(cell.neighbor(*dir)).is_none();
                let out: Vec<Dir> = Dir::ALL.into_iter().filter(leads_out).collect();
                let spans = self.first[column] as usize..self.first[column + 1] as usize;
                for standing in &mut layer.standings[spans] {
                    out.iter().for_each(|&dir| standing.set_connection(dir, ConnectionCode::NONE));
                    if standing.is_walkable() {
                        standing.set_region(UNKNOWN_REGION);
                    }
                }
            }
        }
    }
}
