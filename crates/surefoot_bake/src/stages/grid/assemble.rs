//! Assembles the grid: from tiles to the flat arrays of one grid.
//!
//! Tiles hold the connections of four directions; [`ConnectionMirror`] adds the others.

use rayon::prelude::*;

use super::bands::{Band, bands, split_at_bands};
use super::mirror_connections::ConnectionMirror;
use crate::stages::BakeError;
use crate::stages::tile::{BorderEdge, FarStep, TileResult, TileRow};
use surefoot::grid::{
    FarConnection, GridFrame, Span, SpanEntry, SpanId, SpanMeasure, SpanRoom, Standing,
};

/// The columns of a grid: where they lie, and where the spans of each start.
pub(in crate::stages) struct GridColumns {
    pub frame: GridFrame,
    /// For each column the index of its first span; one more closes the last.
    pub first: Vec<u32>,
}

/// What one agent may do, in the arrays of the whole grid; ledges not yet marked.
pub(in crate::stages) struct AgentSpans {
    pub standings: Vec<Standing>,
    pub far: Vec<FarConnection>,
    /// Where floors end, sorted by span and direction.
    pub border_edges: Vec<BorderEdge>,
    /// The rooms that are less than the cell, sorted by span.
    pub rooms: Vec<SpanEntry<SpanRoom>>,
    /// What is beside the agent where it does not fit, sorted by span.
    pub passages: Vec<SpanEntry<SpanMeasure>>,
}

impl GridColumns {
    /// Returns the columns of a frame, as the tiles over it fill them.
    ///
    /// # Errors
    /// Fails if there are more than 2^32 spans.
    pub fn new(frame: GridFrame, tiles: &[TileResult]) -> Result<Self, BakeError> {
        let first = column_starts(&frame, tiles)?;
        Ok(GridColumns { frame, first })
    }

    /// Assembles the spans of all tiles.
    pub fn assemble_spans(&self, tiles: &[TileResult]) -> Vec<Span> {
        let bands = bands(&self.frame, tiles);
        let blank = Span::new(0.0, 0.0, nalgebra::Vector3::y());
        let mut spans = vec![blank; self.span_count()];
        let jobs = bands.par_iter().zip(split_at_bands(&bands, &self.first, &mut spans));
        jobs.for_each(|(band, spans)| {
            for tile in band.tiles {
                tile.for_each_row_in(&self.frame, |TileRow { cell, spans: from, .. }| {
                    if let Some(start) = self.frame.index(cell) {
                        let to = (self.first[start] - self.first[band.columns.start]) as usize;
                        spans[to..to + from.len()].copy_from_slice(&tile.spans[from]);
                    }
                });
            }
        });
        spans
    }

    /// Returns the number of all spans.
    fn span_count(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// Assembles what one agent may do.
    pub fn assemble_agent(&self, tiles: &[TileResult], agent: usize) -> AgentSpans {
        let bands = bands(&self.frame, tiles);
        let mut standings = vec![Standing::WALKABLE; self.span_count()];
        let jobs = bands.par_iter().zip(split_at_bands(&bands, &self.first, &mut standings));
        let found = jobs.map(|(band, standings)| self.assemble_band(agent, band, standings));
        let (mut far, mut border_edges) = (Vec::new(), Vec::new());
        let (mut rooms, mut passages) = (Vec::new(), Vec::new());
        for found in found.collect::<Vec<BandSteps>>() {
            far.extend(found.far);
            border_edges.extend(found.border_edges);
            rooms.extend(found.rooms);
            passages.extend(found.passages);
        }
        let mirror = ConnectionMirror { frame: &self.frame, first: &self.first, far: &far };
        let far = mirror.mirror_all(&bands, &mut standings);
        AgentSpans { standings, far, border_edges, rooms, passages }
    }

    /// Fills in the standings of a band, with the connections of four directions.
    fn assemble_band(&self, agent: usize, band: &Band, standings: &mut [Standing]) -> BandSteps {
        let first = &self.first;
        let (mut far, mut border_edges) = (Vec::new(), Vec::new());
        let (mut rooms, mut passages) = (Vec::new(), Vec::new());
        for tile in band.tiles {
            let found = &tile.agents[agent];
            let (mut far_left, mut edges_left) = (&found.far[..], &found.border_edges[..]);
            let (mut rooms_left, mut passages_left) = (&found.rooms[..], &found.passages[..]);
            tile.for_each_row_in(&self.frame, |TileRow { cell, spans: from, .. }| {
                let Some(start) = self.frame.index(cell) else { return };
                let in_grid =
                    |span: u32| SpanId(first[start] + (span as usize - from.start) as u32);
                let steps = take_range(&mut far_left, &from, |step| step.from.0);
                far.extend(
                    steps.iter().map(|step| FarStep { from: in_grid(step.from.0), ..*step }),
                );
                let edges = take_range(&mut edges_left, &from, |edge| edge.floor);
                border_edges.extend(
                    edges.iter().map(|edge| BorderEdge { floor: in_grid(edge.floor).0, ..*edge }),
                );
                let own = take_range(&mut rooms_left, &from, |room| room.span.0);
                rooms.extend(
                    own.iter().map(|room| SpanEntry { span: in_grid(room.span.0), ..*room }),
                );
                let own = take_range(&mut passages_left, &from, |passage| passage.span.0);
                passages.extend(
                    own.iter()
                        .map(|passage| SpanEntry { span: in_grid(passage.span.0), ..*passage }),
                );
                let to = (first[start] - first[band.columns.start]) as usize;
                standings[to..to + from.len()].copy_from_slice(&found.standings[from]);
            });
        }
        // Each tile's are sorted already, which a stable sort takes advantage of.
        far.sort();
        border_edges.sort_by_key(BorderEdge::sort_key);
        rooms.sort_by_key(|room| room.span);
        passages.sort_by_key(|passage| passage.span);
        BandSteps { far, border_edges, rooms, passages }
    }
}

/// What a band lists beside its standings; each sorted.
struct BandSteps {
    far: Vec<FarStep>,
    border_edges: Vec<BorderEdge>,
    rooms: Vec<SpanEntry<SpanRoom>>,
    passages: Vec<SpanEntry<SpanMeasure>>,
}

/// Returns for each column the index of its first span; one more closes the last.
fn column_starts(frame: &GridFrame, tiles: &[TileResult]) -> Result<Vec<u32>, BakeError> {
    let mut first = vec![0u32; frame.cells() + 1];
    for tile in tiles {
        tile.for_each_row_in(frame, |TileRow { cell, cells, .. }| {
            if let Some(start) = frame.index(cell) {
                let row = &mut first[start + 1..][..cells.len()];
                row.copy_from_slice(&tile.counts[cells]);
            }
        });
    }
    let mut total = 0u32;
    for entry in &mut first {
        total = total.checked_add(*entry).ok_or(BakeError::TooManySpans)?;
        *entry = total;
    }
    Ok(first)
}

/// Returns the entries for a range of spans, and removes them and all before them from the front of
/// a list that is sorted by span.
fn take_range<'l, E>(
    list: &mut &'l [E],
    spans: &std::ops::Range<usize>,
    span: impl Fn(&E) -> u32,
) -> &'l [E] {
    let before = |end: usize| list.iter().take_while(|entry| (span(entry) as usize) < end).count();
    let found = &list[before(spans.start)..before(spans.end)];
    *list = &list[before(spans.end)..];
    found
}
