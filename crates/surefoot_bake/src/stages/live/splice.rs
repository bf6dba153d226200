//! Provides [`Splice`]: puts what was baked again in place of parts of a grid.
//!
//! Columns are stored row by row. The rows that changed are made of pieces, from the older grid and from
//! the windows in turn; the rows before and after them are copied as they are. If the grid before the
//! older one is at hand, only the rows in which it differs are written into it.

use std::ops::Range;

use rayon::prelude::*;

use super::tile_store::NodeNumbers;
use surefoot::NavGrid;
use surefoot::grid::baker::{ConnectionCode, UNKNOWN_REGION};
use surefoot::grid::{
    AgentLayer, Dir, EntriesOfRange, FarConnection, GridFrame, GridParts, Span, SpanEntry, SpanId,
    SpanTable, Standing,
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

/// A grid that an update replaced, to build the next one in.
#[derive(Debug)]
pub(super) struct ReplacedGrid {
    pub grid: NavGrid,
    /// The rows in which it differs from the grid that replaced it.
    pub rows: Range<usize>,
    /// Whether rows tell for the standings of all agents, too: else they differ anywhere.
    pub is_local: bool,
}

/// A new grid in the making.
pub(super) struct Splice<'a> {
    old: &'a GridParts,
    windows: &'a [Window],
    /// What nodes of the older grid are called now; `None` if nothing changed.
    nodes: Option<NodeNumbers>,
    /// The rows that are made of pieces.
    rows: Range<usize>,
    pieces: Vec<Piece>,
    /// The number of spans in those rows.
    row_spans: usize,
    /// The number of all spans.
    spans: usize,
}

/// Columns that follow each other, in the grid and where they come from.
#[derive(Clone)]
struct Piece {
    /// The window; `None` for the older grid.
    window: Option<usize>,
    /// Indices of the columns there.
    columns: Range<usize>,
}

/// What an array of the new grid is built in.
enum Target<T> {
    /// Memory to be used again.
    Memory(Vec<T>),
    /// Another grid's array, which is the same but for a range.
    Alike(Vec<T>, Range<usize>),
}

impl<'a> Splice<'a> {
    /// Prepares to put windows in place of parts of a grid.
    pub fn new(old: &'a GridParts, windows: &'a [Window], nodes: Option<NodeNumbers>) -> Self {
        let mut splice =
            Splice { old, windows, nodes, rows: 0..0, pieces: Vec::new(), row_spans: 0, spans: 0 };
        splice.rows = splice.window_rows();
        splice
    }

    /// Builds the new grid; without clearance and regions inside of the windows, and without links.
    pub fn build(mut self, replaced: Option<ReplacedGrid>) -> GridParts {
        let (mut parts, mut differs) = (None, 0..0);
        let (mut is_alike, mut is_local) = (false, false);
        if let Some(ReplacedGrid { grid, rows, is_local: local }) = replaced {
            parts = grid.try_into_parts().ok();
            is_alike = parts.is_some() && self.nodes.is_none();
            (differs, is_local) = (rows, local);
        }
        if is_alike {
            self.rows = hull(&self.rows, &differs);
        }
        self.cut();
        let old = self.old;
        let mut parts = parts.unwrap_or_else(|| blank(old));
        let changed = self.spans_in(&parts.first);
        let target = |is_alike: bool| is_alike.then(|| changed.clone());
        let (spans, own_layers) =
            (std::mem::take(&mut parts.spans), std::mem::take(&mut parts.layers));
        let layers = || self.layers(own_layers, target(is_alike && is_local));
        let (spans, layers) = rayon::join(|| self.new_spans(spans, target(is_alike)), layers);
        let first = self.column_starts(parts.first, is_alike);
        GridParts { first, spans, layers, ..blank(old) }
    }

    /// The rows that the windows lie in.
    fn window_rows(&self) -> Range<usize> {
        let rows = |inner: &GridFrame| {
            let start = (inner.min.z - self.old.frame.min.z) as usize;
            start..start + inner.size_z as usize
        };
        let inner = self.windows.iter().map(|window| &window.inner);
        inner.filter(|inner| inner.cells() > 0).map(rows).fold(0..0, |all, rows| hull(&all, &rows))
    }

    /// Cuts the rows into pieces.
    fn cut(&mut self) {
        let frame = &self.old.frame;
        let width = frame.size_x as usize;
        let mut start = self.rows.start * width;
        for row in self.rows.clone() {
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
        self.add_piece(None, start..self.rows.end * width);
        let of_rows = self.pieces.iter().map(|piece| self.spans_of(piece).len());
        self.row_spans = of_rows.sum();
        self.spans = self.old.spans.len() - self.spans_in(&self.old.first).len() + self.row_spans;
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

    /// The columns of the rows.
    fn columns(&self) -> Range<usize> {
        let width = self.old.frame.size_x as usize;
        self.rows.start * width..self.rows.end * width
    }

    /// The spans in the rows, in a grid whose columns start at `first`.
    fn spans_in(&self, first: &[u32]) -> Range<usize> {
        let Range { start, end } = self.columns();
        let at = |column: usize| first.get(column).copied().unwrap_or(0) as usize;
        at(start)..at(end)
    }

    /// Returns where the columns start, in the memory of another array.
    fn column_starts(&self, mut first: Vec<u32>, is_alike: bool) -> Vec<u32> {
        let columns = self.columns();
        let old = &self.old.first;
        if !is_alike {
            first.clear();
            first.extend_from_slice(old);
        }
        let mut total = old[columns.start];
        let mut column = columns.start;
        for piece in &self.pieces {
            let starts = self.starts(piece);
            let shift = total.wrapping_sub(starts[0]);
            let into = &mut first[column + 1..column + starts.len()];
            for (to, from) in into.iter_mut().zip(&starts[1..]) {
                *to = from.wrapping_add(shift);
            }
            column += piece.columns.len();
            total = first[column];
        }
        let moved = total.wrapping_sub(old[columns.end]);
        for (to, from) in first[columns.end..].iter_mut().zip(&old[columns.end..]) {
            *to = from.wrapping_add(moved);
        }
        first
    }

    /// Returns an array with one record a span, from those of the older grid and of each window, in the
    /// memory of another array.
    fn array<T: Copy>(
        &self,
        target: Target<T>,
        old: &[T],
        window: impl Fn(&Window) -> &[T],
    ) -> Vec<T> {
        let mut rows = Vec::with_capacity(self.row_spans);
        for piece in &self.pieces {
            let from = piece.window.map_or(old, |at| window(&self.windows[at]));
            rows.extend_from_slice(&from[self.spans_of(piece)]);
        }
        match target {
            Target::Alike(mut array, changed) => {
                array.splice(changed, rows);
                array
            }
            Target::Memory(mut array) => {
                let replaced = self.spans_in(&self.old.first);
                array.clear();
                array.reserve(self.spans);
                array.extend_from_slice(&old[..replaced.start]);
                array.extend_from_slice(&rows);
                array.extend_from_slice(&old[replaced.end..]);
                array
            }
        }
    }

    /// Calls back with the spans of the new grid that come from the older one.
    fn for_each_old(&self, mut call: impl FnMut(Range<usize>)) {
        let rows = self.spans_in(&self.old.first);
        call(0..rows.start);
        let mut start = rows.start;
        for piece in &self.pieces {
            let end = start + self.spans_of(piece).len();
            if piece.window.is_none() {
                call(start..end);
            }
            start = end;
        }
        call(start..self.spans);
    }

    fn new_spans(&self, memory: Vec<Span>, changed: Option<Range<usize>>) -> Vec<Span> {
        let target = Target::new(memory, changed);
        let mut spans = self.array(target, &self.old.spans, |window| &window.spans);
        if let Some(numbers) = &self.nodes {
            self.for_each_old(|own| {
                spans[own].iter_mut().for_each(|span| *span = numbers.span(*span));
            });
        }
        spans
    }

    fn layers(&self, memory: Vec<AgentLayer>, changed: Option<Range<usize>>) -> Vec<AgentLayer> {
        let mut memory: Vec<Option<AgentLayer>> = memory.into_iter().map(Some).collect();
        memory.resize_with(self.old.layers.len(), || None);
        let layers = memory.into_par_iter().enumerate();
        layers.map(|(agent, memory)| self.layer(agent, memory, changed.clone())).collect()
    }

    fn layer(
        &self,
        agent: usize,
        memory: Option<AgentLayer>,
        changed: Option<Range<usize>>,
    ) -> AgentLayer {
        let AgentLayer { agent: name, regions, rooms, measures, .. } = &self.old.layers[agent];
        let memory = memory.map(|layer| layer.standings).unwrap_or_default();
        let standings = || self.standings(agent, Target::new(memory, changed));
        let rooms = || self.table(rooms, |window| &window.layers[agent].rooms);
        let measures = || self.table(measures, |window| &window.layers[agent].measures);
        let (standings, (rooms, measures)) =
            rayon::join(standings, || rayon::join(rooms, measures));
        AgentLayer {
            agent: name.clone(),
            standings,
            far_connections: self.far_connections(agent),
            regions: regions.clone(),
            rooms,
            measures,
            order: None,
        }
    }

    fn standings(&self, agent: usize, target: Target<Standing>) -> Vec<Standing> {
        let old = &self.old.layers[agent].standings;
        let mut standings = self.array(target, old, |window| &window.layers[agent].standings);
        if let Some(numbers) = &self.nodes {
            self.for_each_old(|own| {
                for standing in &mut standings[own] {
                    *standing = standing.renumbered(|node| numbers.node(node));
                }
            });
        }
        standings
    }

    /// Returns the values of spans, given the older ones and those of windows.
    fn table<T: Copy>(
        &self,
        old: &SpanTable<T>,
        of_window: impl Fn(&Window) -> &SpanTable<T>,
    ) -> SpanTable<T> {
        let replaced = self.spans_in(&self.old.first);
        let replaced = replaced.start as u32..replaced.end as u32;
        let of_windows = self.windows.iter().map(|window| of_window(window).entries().collect());
        let of_windows: Vec<Vec<SpanEntry<T>>> = of_windows.collect();
        let of_rows: Vec<SpanEntry<T>> = old.entries_in(replaced.clone()).collect();
        let (mut entries, mut start) = (Vec::new(), replaced.start);
        for piece in &self.pieces {
            let all = piece.window.map_or(&of_rows, |at| &of_windows[at]);
            let spans = self.spans_of(piece);
            let before = |span: usize| all.partition_point(|own| own.span.index() < span);
            let own = &all[before(spans.start)..before(spans.end)];
            entries.extend(own.iter().map(|own| SpanEntry {
                span: SpanId(own.span.0 - spans.start as u32 + start),
                ..*own
            }));
            start += spans.len() as u32;
        }
        let spans = self.row_spans as u32;
        let mut table = old.clone();
        table.replace(
            replaced,
            &EntriesOfRange { spans, entries: &entries, total: self.spans as u32 },
        );
        table
    }

    /// Returns the far connections of an agent, not sorted.
    fn far_connections(&self, agent: usize) -> Vec<FarConnection> {
        let GridParts { frame, first, layers, .. } = self.old;
        let is_outside = |column: usize| {
            let cell = frame.cell(column);
            !self.windows.iter().any(|window| window.inner.index(cell).is_some())
        };
        let old = Ground { frame, first, far: &layers[agent].far_connections };
        let mut all = self.renumbered(&old, &is_outside);
        for Window { inner, frame, first, layers, .. } in self.windows {
            let is_inside = |column: usize| inner.index(frame.cell(column)).is_some();
            let ground = Ground { frame, first, far: &layers[agent].far_connections };
            all.extend(self.renumbered(&ground, &is_inside));
        }
        all
    }

    /// Returns far connections that start in some columns by the new numbers of their spans.
    fn renumbered(&self, from: &Ground, is_own: &dyn Fn(usize) -> bool) -> Vec<FarConnection> {
        if from.far.is_empty() {
            return Vec::new();
        }
        let new_first = self.column_starts(Vec::new(), false);
        let column = |span: SpanId| from.first.partition_point(|&first| first <= span.0) - 1;
        let moved = |span: SpanId| {
            let at = self.old.frame.index(from.frame.cell(column(span)))?;
            Some(SpanId(new_first[at] + (span.0 - from.first[column(span)])))
        };
        let own = from.far.iter().filter(|far| is_own(column(far.from)));
        let moved = own.filter_map(|far| {
            Some(FarConnection { from: moved(far.from)?, to: moved(far.to)?, dir: far.dir })
        });
        moved.collect()
    }
}

/// The columns of a grid, and one agent's far connections there.
struct Ground<'a> {
    frame: &'a GridFrame,
    first: &'a [u32],
    far: &'a [FarConnection],
}

impl<T> Target<T> {
    fn new(memory: Vec<T>, changed: Option<Range<usize>>) -> Self {
        match changed {
            Some(changed) => Target::Alike(memory, changed),
            None => Target::Memory(memory),
        }
    }
}

/// Returns a grid without spans and links over the same frame.
fn blank(old: &GridParts) -> GridParts {
    GridParts {
        frame: old.frame,
        first: Vec::new(),
        spans: Vec::new(),
        layers: Vec::new(),
        links: Vec::new(),
        areas: Vec::new(),
        nodes: Vec::new(),
        provenance: Default::default(),
    }
}

/// The smallest range that holds two; an empty one is held by any.
pub(super) fn hull(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b.clone(),
        (_, true) => a.clone(),
        _ => a.start.min(b.start)..a.end.max(b.end),
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
                let spans = self.first[column] as usize..self.first[column + 1] as usize;
                for standing in &mut layer.standings[spans] {
                    let out = Dir::ALL.into_iter().filter(leads_out);
                    out.for_each(|dir| standing.set_connection(dir, ConnectionCode::NONE));
                    if standing.is_walkable() {
                        standing.set_region(UNKNOWN_REGION);
                    }
                }
            }
        }
    }
}
