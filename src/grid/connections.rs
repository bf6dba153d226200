//! Steps: from a span to its neighbors in O(1), and how a builder writes them.
//!
//! A step is a nibble of the span's [`Standing`]: the target's layer relative to the span's own.
//! Targets too many layers away stand in [`AgentLayer::far_connections`], which is nearly always empty.

use std::ops::Range;

use super::span::{ConnectionCode, LEVEL_CONNECTIONS};
use super::{AgentLayer, Cell, Dir, FarConnection, GridFrame, NavGrid, Span, SpanId, Standing};

impl NavGrid {
    /// The neighboring span that an agent can step to from a span in a direction; `None` if there
    /// is no connection. O(log columns), and O(1) once a search has been made.
    pub fn neighbor(&self, agent: super::AgentId, span: SpanId, dir: Dir) -> Option<SpanId> {
        let layer = self.data.parts.layers.get(agent.index())?;
        let connections = Connections::new(&self.data.parts.frame, &self.data.parts.first, layer);
        connections.known_target(self.column_of(span)?, span.0, dir).map(SpanId)
    }

    /// The spans over a cell, low to high; empty outside the frame. O(1).
    pub fn column(&self, cell: Cell) -> &[Span] {
        let range = self.column_spans(cell);
        &self.data.parts.spans[range.start as usize..range.end as usize]
    }

    /// The ids of the spans over a cell, low to high; empty outside the frame. O(1).
    pub fn column_spans(&self, cell: Cell) -> Range<u32> {
        self.data.parts.frame.index(cell).map_or(0..0, |index| self.column_range(index))
    }

    /// The ids of the spans in the column at a row-major position, which is inside the frame.
    pub(crate) fn column_range(&self, index: usize) -> Range<u32> {
        self.data.parts.first[index]..self.data.parts.first[index + 1]
    }

    /// The cell under a span; `None` for an id beyond the last span. O(log columns), and O(1) once
    /// a search has been made.
    pub fn cell_of(&self, span: SpanId) -> Option<Cell> {
        self.column_of(span).map(|index| self.data.parts.frame.cell(index))
    }

    /// Index of a span in its column; `None` for an id beyond the last span. O(log columns), and
    /// O(1) once a search has been made.
    pub fn layer_of(&self, span: SpanId) -> Option<u32> {
        self.column_of(span).map(|index| span.0 - self.data.parts.first[index])
    }

    /// The row-major position of a span's column; `None` for an id beyond the last span.
    fn column_of(&self, span: SpanId) -> Option<usize> {
        if let Some(attributes) = self.data.attributes.get() {
            return attributes.columns.get(span.index()).map(|&column| column as usize);
        }
        let known = span.index() < self.data.parts.spans.len();
        known.then(|| self.data.parts.first.partition_point(|&first| first <= span.0) - 1)
    }
}

/// A span together with the column it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnPosition {
    /// Row-major position of the column.
    pub index: usize,
    /// The column's position in its row, counted from the frame's edge.
    pub x: usize,
    /// Index of the span.
    pub span: u32,
}

/// A span, and the row-major position of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SpanAddress {
    pub span: u32,
    pub column: u32,
}

/// Where someone has got to who goes from span to span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    column: usize,
    pub span: u32,
    /// Index of the span in its column.
    layer: u32,
}

/// One agent's steps over the columns they connect. Never panics, whatever the nibbles say, as
/// long as `first` closes and there is a standing for each span.
#[derive(Clone, Copy)]
pub struct Connections<'a> {
    first: &'a [u32],
    standings: &'a [Standing],
    far: &'a [FarConnection],
    size_x: usize,
    /// From a column to its neighbor in row-major order, for each direction.
    offsets: [isize; 8],
}

impl<'a> Connections<'a> {
    pub fn new(frame: &GridFrame, first: &'a [u32], layer: &'a AgentLayer) -> Self {
        Connections {
            first,
            standings: &layer.standings,
            far: &layer.far_connections,
            size_x: frame.size_x as usize,
            offsets: row_major_offsets(frame),
        }
    }

    /// The same steps but for those that other standings have no more.
    pub(crate) fn with_standings(self, standings: &'a [Standing]) -> Self {
        Connections { standings, ..self }
    }

    /// What the agent may do on each span.
    pub fn standings(&self) -> &'a [Standing] {
        self.standings
    }

    /// From a column to its neighbor in row-major order, for each direction.
    #[inline]
    pub fn neighbor_of(&self, index: usize, dir: Dir) -> usize {
        index.wrapping_add_signed(self.offsets[dir.index()])
    }

    /// Where a step leads; `None` where there is none, or it leads out of its column or the frame.
    #[inline]
    pub fn target(&self, from: ColumnPosition, dir: Dir) -> Option<ColumnPosition> {
        let code = self.standings[from.span as usize].connection_code(dir);
        if code.0 == 0 {
            return None;
        }
        let (index, x) = self.neighbor(from, dir)?;
        let (low, high) = (self.first[index], self.first[index + 1]);
        let span = if code == ConnectionCode::FAR {
            self.far_target(SpanId(from.span), dir)?
        } else {
            let layer = i64::from(from.span) - i64::from(self.first[from.index]);
            u32::try_from(i64::from(low) + layer + code.rise()).ok()?
        };
        (low <= span && span < high).then_some(ColumnPosition { index, x, span })
    }

    /// Where a step with a near code leads; `None` for a far one, or out of the column or frame.
    #[inline]
    pub(crate) fn near_target(
        &self,
        from: ColumnPosition,
        dir: Dir,
        code: ConnectionCode,
    ) -> Option<u32> {
        let (index, _) = self.neighbor(from, dir)?;
        let (low, high) = (self.first[index], self.first[index + 1]);
        let layer = from.span - self.first[from.index];
        let span = low.wrapping_add(layer).wrapping_add(u32::from(code.0)).wrapping_sub(7);
        (code != ConnectionCode::FAR && low <= span && span < high).then_some(span)
    }

    /// Where a step leads that is known to be sound; some span otherwise.
    #[inline]
    pub fn known_target(&self, index: usize, span: u32, dir: Dir) -> Option<u32> {
        let code = self.standings[span as usize].connection_code(dir);
        match code {
            ConnectionCode(0) => None,
            ConnectionCode::FAR => self.far_target(SpanId(span), dir),
            ConnectionCode(code) => {
                let neighbor = index.wrapping_add_signed(self.offsets[dir.index()]);
                let layer = span - self.first[index];
                let above = self.first[neighbor].wrapping_add(layer + u32::from(code));
                Some(above.wrapping_sub(7))
            }
        }
    }

    /// Sets out from a span in a column, where all steps are known to be sound.
    #[inline]
    pub(crate) fn set_out(&self, column: usize, span: u32) -> Cursor {
        Cursor { column, span, layer: span.wrapping_sub(self.first[column]) }
    }

    /// Goes on by a step. False where there is none.
    #[inline]
    pub(crate) fn go(&self, stroll: &mut Cursor, dir: Dir) -> bool {
        // Most steps stay in their layer. The next span then follows from the column alone, and need
        // not wait until the code of the last one is fetched.
        if self.standings[stroll.span as usize].connection_code(dir) != ConnectionCode::LEVEL {
            let Some(layer) = self.layer_beyond(stroll, dir) else { return false };
            stroll.layer = layer;
        }
        stroll.column = self.neighbor_of(stroll.column, dir);
        stroll.span = self.first[stroll.column].wrapping_add(stroll.layer);
        true
    }

    #[cold]
    #[inline(never)]
    fn layer_beyond(&self, stroll: &Cursor, dir: Dir) -> Option<u32> {
        let target = self.known_target(stroll.column, stroll.span, dir)?;
        Some(target.wrapping_sub(self.first[self.neighbor_of(stroll.column, dir)]))
    }

    /// Where a step leads that is known to be there and to lead to the span's own layer.
    #[inline]
    pub(crate) fn level_target(&self, from: SpanAddress, dir: Dir) -> SpanAddress {
        let (column, beyond) = (from.column as usize, self.neighbor_of(from.column as usize, dir));
        let span = self.first[beyond] + (from.span - self.first[column]);
        SpanAddress { span, column: beyond as u32 }
    }

    /// Finds where the steps of a span lead, which is known to be sound: for each direction the target,
    /// or the span itself where there is none. Only the codes in `mask` count. In place: handed back,
    /// the targets would be copied before they are all written, and a processor waits for that.
    #[inline(always)]
    pub(crate) fn find_targets(&self, from: SpanAddress, mask: u32, targets: &mut [u32; 8]) {
        *targets = [from.span; 8];
        let (span, column) = (from.span, from.column as usize);
        let standing = &self.standings[span as usize];
        let codes = standing.connection_codes() & mask;
        let layer = span.wrapping_sub(self.first[column]);
        if codes == LEVEL_CONNECTIONS
            && let Some([north, row, south]) = self.rows_round(column)
        {
            // Most spans are of this kind, and for them each target is a sum.
            let [west, _, east] = row;
            let lows =
                [east, &south[2], &south[1], &south[0], west, &north[0], &north[1], &north[2]];
            *targets = lows.map(|low| low.wrapping_add(layer));
            return;
        }
        for dir in Dir::ALL {
            let code = codes >> (4 * dir.index()) & 15;
            if let Some(low) = self.first.get(self.neighbor_of(column, dir)) {
                let target = low.wrapping_add(layer).wrapping_add(code).wrapping_sub(7);
                targets[dir.index()] = if code == 0 { span } else { target };
            }
        }
        if standing.has_far_connection() {
            self.find_far(span, codes, targets);
        }
    }

    /// The first spans of the columns round one and of itself, row by row.
    #[inline(always)]
    fn rows_round(&self, column: usize) -> Option<[&'a [u32; 3]; 3]> {
        let row = |start: usize| self.first.get(start..)?.first_chunk();
        let [north_west, south_west] = [Dir::ALL[5], Dir::ALL[3]];
        Some([
            row(self.neighbor_of(column, north_west))?,
            row(column.wrapping_sub(1))?,
            row(self.neighbor_of(column, south_west))?,
        ])
    }

    #[cold]
    fn find_far(&self, span: u32, codes: u32, targets: &mut [u32; 8]) {
        for dir in Dir::ALL {
            if codes >> (4 * dir.index()) & 15 == u32::from(ConnectionCode::FAR.0) {
                targets[dir.index()] = self.far_target(SpanId(span), dir).unwrap_or(span);
            }
        }
    }

    /// Whether a span has a step in a direction.
    #[inline]
    pub fn has_connection(&self, span: u32, dir: Dir) -> bool {
        self.standings[span as usize].has_connection(dir)
    }

    /// The directions in which a span has steps.
    #[inline]
    pub fn dirs(&self, span: u32) -> impl Iterator<Item = Dir> + use<> {
        let mut bits = self.standings[span as usize].connection_bits();
        std::iter::from_fn(move || {
            let dir = *Dir::ALL.get(bits.trailing_zeros() as usize / 4)?;
            bits &= bits - 1;
            Some(dir)
        })
    }

    /// The column next to a place: row-major position, and position in its row.
    #[inline]
    fn neighbor(&self, from: ColumnPosition, dir: Dir) -> Option<(usize, usize)> {
        let x = from.x.wrapping_add_signed(dir.offset().0 as isize);
        let index = from.index.wrapping_add_signed(self.offsets[dir.index()]);
        // North of the first row the position wraps round to the largest numbers.
        (x < self.size_x && index < self.first.len() - 1).then_some((index, x))
    }

    #[cold]
    fn far_target(&self, from: SpanId, dir: Dir) -> Option<u32> {
        let found = self.far.binary_search_by_key(&(from, dir), |far| (far.from, far.dir)).ok()?;
        Some(self.far[found].to.0)
    }
}

/// From a column to its neighbor in row-major order, for each direction.
pub fn row_major_offsets(frame: &GridFrame) -> [isize; 8] {
    Dir::ALL.map(|dir| {
        let (x, z) = dir.offset();
        z as isize * frame.size_x as isize + x as isize
    })
}

/// Writes the steps of one agent; the caller writes each step and the way back.
#[derive(Debug, Default)]
pub struct ConnectionWriter {
    /// Steps that no nibble can say, for [`AgentLayer::far_connections`]; finishing a layer sorts them.
    pub far_connections: Vec<FarConnection>,
}

/// A span and its layer.
#[derive(Clone, Copy, Debug)]
pub struct SpanLayer {
    pub span: SpanId,
    /// Index in its column.
    pub layer: u32,
}

impl ConnectionWriter {
    /// Writes the step in a direction into the standing of the span it starts from.
    pub fn write(&mut self, standing: &mut Standing, dir: Dir, ends: [SpanLayer; 2]) {
        let [from, to] = ends;
        let code = ConnectionCode::new(i64::from(to.layer) - i64::from(from.layer));
        standing.set_connection(dir, code);
        if code == ConnectionCode::FAR {
            self.far_connections.push(FarConnection { from: from.span, dir, to: to.span });
        }
    }
}
