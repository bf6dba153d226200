//! The bytes of a tile: a grid without its provenance, and at cell 0 if it has no links.

use crate::grid::{
    Cell, FormatError, GridError, GridFrame, GridParts, LoadOptions, NavGrid, Provenance,
};

/// A tile as it is stored.
pub(super) struct StoredTile {
    pub bytes: Vec<u8>,
    /// Whether it is stored as if its least cell were cell 0.
    pub is_moved: bool,
}

/// Packs the tile whose own cells are `own`.
///
/// # Errors
/// As [`NavGrid::to_bytes`].
pub(super) fn pack_tile(tile: &NavGrid, own: &GridFrame) -> Result<StoredTile, FormatError> {
    let is_moved = tile.links().is_empty();
    let mut parts = tile.parts().clone();
    parts.provenance = Provenance::default();
    let by = if is_moved { [-i64::from(own.min.x), -i64::from(own.min.z)] } else { [0, 0] };
    let bytes = NavGrid::from_baker(moved(parts, by)?)?.to_bytes()?;
    Ok(StoredTile { bytes, is_moved })
}

/// Unpacks the tile whose own cells are `own`.
///
/// # Errors
/// As [`NavGrid::from_bytes_with`].
pub(super) fn unpack_tile(
    stored: &StoredTile,
    own: &GridFrame,
    options: &LoadOptions,
) -> Result<NavGrid, FormatError> {
    let tile = NavGrid::from_bytes_with(&stored.bytes, options)?;
    if !stored.is_moved {
        return Ok(tile);
    }
    let by = [i64::from(own.min.x), i64::from(own.min.z)];
    Ok(NavGrid::from_baker(moved(tile.into_parts(), by)?)?)
}

/// Returns the parts of a grid that lies elsewhere. Spans, standings and rooms know no x and z, and there
/// are no links.
fn moved(mut parts: GridParts, by: [i64; 2]) -> Result<GridParts, GridError> {
    let at = |v: i32, by: i64| {
        i32::try_from(i64::from(v) + by).map_err(|_| GridError {
            place: "frame".to_owned(),
            problem: format!("cell {v} moved by {by} is beyond the last one"),
        })
    };
    let Cell { x, z } = parts.frame.min;
    parts.frame.min = Cell::new(at(x, by[0])?, at(z, by[1])?);
    Ok(parts)
}
