//! Connections: from a span to its neighbors in O(1), and how a baker writes them.
//!
//! A connection is a nibble of the span's [`Standing`]: the layer of its target relative to the span's
//! own. Targets too many layers away are listed in [`AgentLayer::far_connections`], which is nearly
//! always empty.
//! Based on: `rcSetCon` of Recast (Mononen, 2009), which stores the target's layer itself.

use super::frame::{CellOffset, Dir, GridFrame};
use super::parts::{AgentLayer, FarConnection};
use super::standing::{ConnectionCode, LEVEL_CONNECTIONS, Standing};
use crate::level::SpanId;

/// A span and the position of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnPosition {
    /// Row-major position of the column.
    pub index: usize,
    /// The column's position in its row `[0..size_x)`.
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

/// A position that moves from span to span along connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor {
    pub column: usize,
    pub span: u32,
    /// Index of the span in its column.
    layer: u32,
}

/// One agent's connections. Reading them never panics, whatever the nibbles hold, if `first` closes
/// and there is a standing for each span; validation relies on that.
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
    /// The connections of a layer over columns that start at `first`.
    pub fn new(frame: &GridFrame, first: &'a [u32], layer: &'a AgentLayer) -> Self {
        Connections {
            first,
            standings: &layer.standings,
            far: &layer.far_connections,
            size_x: frame.size_x as usize,
            offsets: row_major_offsets(frame),
        }
    }

    /// The connections of other standings over the same columns.
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

    /// The target of a connection; `None` if there is no connection, or if it leads out of its column
    /// or the frame.
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

    /// The target of a connection with a near code; `None` for a far code, or if it leads out of its
    /// column or the frame.
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

    /// The target of a connection in validated parts; `None` if there is no connection. Faster than
    /// [`Connections::target`]; returns any span if the parts are not sound.
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

    /// A cursor at a span in a column, in validated parts.
    #[inline]
    pub(crate) fn cursor_at(&self, column: usize, span: u32) -> Cursor {
        Cursor { column, span, layer: span.wrapping_sub(self.first[column]) }
    }

    /// Moves a cursor along a connection; returns false if there is none.
    #[inline]
    #[must_use]
    pub(crate) fn advance(&self, cursor: &mut Cursor, dir: Dir) -> bool {
        // Most connections stay in their layer. Then the next span follows from the column alone, and
        // the processor need not wait until the code of the last one is fetched.
        if self.standings[cursor.span as usize].connection_code(dir) != ConnectionCode::LEVEL {
            let Some(layer) = self.next_layer(cursor, dir) else { return false };
            cursor.layer = layer;
        }
        cursor.column = self.neighbor_of(cursor.column, dir);
        cursor.span = self.first[cursor.column].wrapping_add(cursor.layer);
        true
    }

    #[cold]
    #[inline(never)]
    fn next_layer(&self, cursor: &Cursor, dir: Dir) -> Option<u32> {
        let target = self.known_target(cursor.column, cursor.span, dir)?;
        Some(target.wrapping_sub(self.first[self.neighbor_of(cursor.column, dir)]))
    }

    /// The target of a connection that is known to exist and to stay in the span's own layer.
    #[inline]
    pub(crate) fn level_target(&self, from: SpanAddress, dir: Dir) -> SpanAddress {
        let (column, next) = (from.column as usize, self.neighbor_of(from.column as usize, dir));
        let span = self.first[next] + (from.span - self.first[column]);
        SpanAddress { span, column: next as u32 }
    }

    /// Writes the targets of a span's connections in validated parts: for each direction the target, or
    /// the span itself if there is none. Only the codes in `mask` count. Written in place: a returned
    /// array would be copied before it is all written, and the processor would wait for that.
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
            // Most spans have eight level connections, and each target is one addition.
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

    /// The first spans of a column and of those round it, row by row from the north.
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

    /// Whether a span has a connection in a direction.
    #[inline]
    pub fn has_connection(&self, span: u32, dir: Dir) -> bool {
        self.standings[span as usize].has_connection(dir)
    }

    /// The directions in which a span has connections.
    #[inline]
    pub fn dirs(&self, span: u32) -> impl Iterator<Item = Dir> + use<> {
        let mut bits = self.standings[span as usize].connection_bits();
        std::iter::from_fn(move || {
            let dir = *Dir::ALL.get(bits.trailing_zeros() as usize / 4)?;
            bits &= bits - 1;
            Some(dir)
        })
    }

    /// The neighboring column: row-major position, and position in its row; `None` outside the frame.
    #[inline]
    fn neighbor(&self, from: ColumnPosition, dir: Dir) -> Option<(usize, usize)> {
        let x = from.x.wrapping_add_signed(dir.offset().x as isize);
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
        let CellOffset { x, z } = dir.offset();
        z as isize * frame.size_x as isize + x as isize
    })
}

/// Writes the connections of one agent; the caller writes each connection in both directions.
#[derive(Debug, Default)]
pub struct ConnectionWriter {
    /// Connections that no nibble can store, for [`AgentLayer::far_connections`];
    /// [`finish_layer`](super::baker::finish_layer) sorts them.
    pub far_connections: Vec<FarConnection>,
}

/// A span and its layer.
#[derive(Clone, Copy, Debug)]
pub struct SpanLayer {
    /// The span.
    pub span: SpanId,
    /// Its index in its column.
    pub layer: u32,
}

impl ConnectionWriter {
    /// Writes the connection from the first of two spans to the second, in a direction, into the
    /// standing of the first.
    pub fn write(&mut self, standing: &mut Standing, dir: Dir, ends: [SpanLayer; 2]) {
        let [from, to] = ends;
        let code = ConnectionCode::new(i64::from(to.layer) - i64::from(from.layer));
        standing.set_connection(dir, code);
        if code == ConnectionCode::FAR {
            self.far_connections.push(FarConnection { from: from.span, dir, to: to.span });
        }
    }
}
