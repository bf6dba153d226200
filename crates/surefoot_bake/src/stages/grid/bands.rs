//! Bands: the rows of a grid that one row of tiles covers, for one thread.
//!
//! Columns and spans are stored row by row, so a band owns a contiguous part of every flat array.
//! Its result depends on its rows alone, and bands stay in order: the number of threads never
//! shows.

use std::ops::Range;

use crate::stages::tile::TileResult;
use surefoot::grid::{Cell, GridFrame};

/// Some rows of a grid.
pub(super) struct Band<'a> {
    /// The tiles over them.
    pub tiles: &'a [TileResult],
    /// Indices of their columns in the whole grid.
    pub columns: Range<usize>,
}

/// Returns the bands of a grid, from least to greatest z. Tiles must be in rows and cover all of
/// it.
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

/// Splits an array with one record for each span where bands end. `first` is the grid's.
pub(super) fn split_at_bands<'r, T>(
    bands: &[Band],
    first: &[u32],
    mut records: &'r mut [T],
) -> Vec<&'r mut [T]> {
    let mut split = Vec::with_capacity(bands.len());
    for Band { columns, .. } in bands {
        let spans = first[columns.end] - first[columns.start];
        let (of_band, rest) = records.split_at_mut(spans as usize);
        split.push(of_band);
        records = rest;
    }
    split
}
