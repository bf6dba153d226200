//! Assembly: from tiles to the flat arrays of one grid.
//!
//! Tiles hold the steps of four directions; `back.rs` fills in the way back of each.

use rayon::prelude::*;

use super::BakeError;
use super::back::Back;
use super::bands::{Band, bands, cut};
use super::rims::Rim;
use super::tile::TileResult;
use surefoot::grid::{Dir, FarConnection, GridFrame, Span, SpanId, Standing};

/// The columns of a grid: where they lie, and where the spans of each start.
pub(super) struct Layout {
    pub frame: GridFrame,
    pub first: Vec<u32>,
}

/// A step that its nibble cannot say: span, direction, layer of the target.
pub(super) type Far = (SpanId, Dir, u32);

/// What one agent may do, in the arrays of the whole grid; ledges not yet marked.
pub(super) struct AgentSpans {
    pub standings: Vec<Standing>,
    pub far: Vec<FarConnection>,
    /// Where floors end, sorted by span and direction.
    pub rims: Vec<Rim>,
}

impl Layout {
    /// The columns of a frame, as the tiles over it fill them.
    pub fn of(frame: GridFrame, tiles: &[TileResult]) -> Result<Self, BakeError> {
        let first = count(&frame, tiles)?;
        Ok(Layout { frame, first })
    }

    /// Puts the spans of all tiles together.
    pub fn spans(&self, tiles: &[TileResult]) -> Vec<Span> {
        let bands = bands(&self.frame, tiles);
        let blank = Span::new(0.0, 0.0, nalgebra::Vector3::y());
        let mut spans = vec![blank; self.count()];
        let jobs = bands.par_iter().zip(cut(&bands, &self.first, &mut spans));
        jobs.for_each(|(band, spans)| {
            for tile in band.tiles {
                tile.rows_in(&self.frame, |cell, _, from| {
                    if let Some(start) = self.frame.index(cell) {
                        let to = (self.first[start] - self.first[band.columns.start]) as usize;
                        spans[to..to + from.len()].copy_from_slice(&tile.spans[from]);
                    }
                });
            }
        });
        spans
    }

    /// Number of all spans.
    fn count(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// Puts together what one agent may do.
    pub fn assemble_agent(&self, tiles: &[TileResult], agent: usize) -> AgentSpans {
        let bands = bands(&self.frame, tiles);
        let mut standings = vec![Standing::WALKABLE; self.count()];
        let jobs = bands.par_iter().zip(cut(&bands, &self.first, &mut standings));
        let lists = jobs.map(|(band, standings)| self.gather(agent, band, standings));
        let (mut far, mut rims) = (Vec::new(), Vec::new());
        for found in lists.collect::<Vec<Lists>>() {
            far.extend(found.far);
            rims.extend(found.rims);
        }
        let back = Back { frame: &self.frame, first: &self.first, far: &far };
        let far = back.fill_in(&bands, &mut standings);
        AgentSpans { standings, far, rims }
    }

    /// Fills in the standings of a band, with the steps of four directions.
    fn gather(&self, agent: usize, band: &Band, standings: &mut [Standing]) -> Lists {
        let first = &self.first;
        let (mut far, mut rims) = (Vec::new(), Vec::new());
        for tile in band.tiles {
            let found = &tile.agents[agent];
            let (mut far_left, mut rims_left) = (&found.far[..], &found.rims[..]);
            tile.rows_in(&self.frame, |cell, _, from| {
                let Some(start) = self.frame.index(cell) else { return };
                let whole = |span: u32| SpanId(first[start] + (span as usize - from.start) as u32);
                let far_connections = taken(&mut far_left, &from, |entry| entry.0);
                far.extend(far_connections.iter().map(|&(span, dir, layer)| (whole(span), dir, layer)));
                let ends = taken(&mut rims_left, &from, |rim| rim.floor);
                rims.extend(ends.iter().map(|rim| Rim { floor: whole(rim.floor).0, ..*rim }));
                let to = (first[start] - first[band.columns.start]) as usize;
                standings[to..to + from.len()].copy_from_slice(&found.standings[from]);
            });
        }
        // Tile by tile they are sorted already, which this kind of sorting makes use of.
        far.sort();
        rims.sort_by_key(Rim::place);
        Lists { far, rims }
    }
}

/// What a band lists beside its standings; each sorted.
struct Lists {
    far: Vec<Far>,
    rims: Vec<Rim>,
}

/// Where each column starts.
fn count(frame: &GridFrame, tiles: &[TileResult]) -> Result<Vec<u32>, BakeError> {
    let mut first = vec![0u32; frame.cells() + 1];
    for tile in tiles {
        tile.rows_in(frame, |cell, cells, _| {
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

/// The entries for a range of spans, from a list sorted by span that is used up on the way.
fn taken<'l, E>(
    list: &mut &'l [E],
    spans: &std::ops::Range<usize>,
    span: impl Fn(&E) -> u32,
) -> &'l [E] {
    let before = |end: usize| list.iter().take_while(|entry| (span(entry) as usize) < end).count();
    let found = &list[before(spans.start)..before(spans.end)];
    *list = &list[before(spans.end)..];
    found
}
