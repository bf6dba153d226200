//! Bands: the rows of a grid that one row of tiles covers, worked on by one thread.
//!
//! Columns and spans lie row by row, so a band owns a stretch of every flat array. What a band
//! finds depends on its rows alone, and bands stay in order: threads never show.

use std::ops::Range;

use super::tile::TileResult;
use surefoot::grid::{Cell, GridFrame};

/// Some rows of a grid.
pub(super) struct Band<'a> {
    /// The tiles over them.
    pub tiles: &'a [TileResult],
    /// Positions of their columns in the whole grid.
    pub columns: Range<usize>,
}

/// The bands of a grid, from least to greatest z; tiles come row by row and cover all of it.
pub(super) fn bands<'a>(frame: &GridFrame, tiles: &'a [TileResult]) -> Vec<Band<'a>> {
    let rows = tiles.chunk_by(|a, b| a.frame.min.z == b.frame.min.z);
    let band = |tiles: &'a [TileResult]| {
        let TileResult { frame: tile, .. } = tiles.first()?;
        let start = frame.index(Cell::new(frame.min.x, tile.min.z))?;
        let columns = start..start + (tile.size_z * frame.size_x) as usize;
        Some(Band { tiles, columns })
    };
    rows.filter_map(band).collect()
}

/// Cuts an array with a record for each span where bands end. `first` is the grid's.
pub(super) fn cut<'r, T>(
    bands: &[Band],
    first: &[u32],
    mut records: &'r mut [T],
) -> Vec<&'r mut [T]> {
    let mut pieces = Vec::with_capacity(bands.len());
    for Band { columns, .. } in bands {
        let spans = first[columns.end] - first[columns.start];
        let (piece, rest) = records.split_at_mut(spans as usize);
        pieces.push(piece);
        records = rest;
    }
    pieces
}
