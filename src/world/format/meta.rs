//! The sections `HEAD` and `META`: what the tiles have in common.

use serde::{Deserialize, Serialize};

use super::container::{u32_at, u64_at};
use crate::agent::Agent;
use crate::grid::{Area, Cell, GridFrame, Provenance};
use crate::world::error::WorldError;
use crate::world::info::WorldInfo;
use crate::world::links::WorldLink;

/// Bytes of the section `HEAD`.
const HEAD_BYTES: usize = 32;

/// The section `META`.
#[derive(Serialize, Deserialize)]
struct Meta {
    name: String,
    agents: Vec<Agent>,
    areas: Vec<Area>,
    provenance: Provenance,
    #[serde(default)]
    links: Vec<WorldLink>,
}

/// The bytes of `HEAD`.
pub(super) fn head_bytes(info: &WorldInfo, tiles: u64) -> Vec<u8> {
    let GridFrame { cell_size, min, size_x, size_z } = info.frame;
    let mut bytes = Vec::with_capacity(HEAD_BYTES);
    for number in [min.x as u32, min.z as u32, size_x, size_z] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(cell_size.to_le_bytes());
    bytes.extend(info.tile_side.to_le_bytes());
    bytes.extend(tiles.to_le_bytes());
    bytes
}

/// The bytes of `META`.
///
/// # Errors
/// Settings that nest too deeply for JSON.
pub(super) fn meta_bytes(info: &WorldInfo) -> Result<Vec<u8>, WorldError> {
    let WorldInfo { name, agents, areas, provenance, links, .. } = info.clone();
    let unwritable = |error: serde_json::Error| WorldError::Unwritable {
        part: "section META".to_owned(),
        problem: error.to_string(),
    };
    let bytes =
        serde_json::to_vec(&Meta { name, agents, areas, provenance, links }).map_err(unwritable)?;
    // What nests deeper than the reader allows would make a file that never opens.
    serde_json::from_slice::<Meta>(&bytes).map_err(unwritable)?;
    Ok(bytes)
}

/// The most bytes of memory for each byte of `META`: `{"":` is four bytes, and a map's node takes 632.
pub(super) const MEMORY_PER_META_BYTE: u64 = 160;

/// Reads both sections, given where each starts; returns the number of tiles as well.
///
/// # Errors
/// Damage, and a world that there cannot be.
pub(super) fn read_info(
    [head, meta]: [&[u8]; 2],
    [head_at, meta_at]: [u64; 2],
) -> Result<(WorldInfo, u64), WorldError> {
    if head.len() != HEAD_BYTES {
        let problem = format!("it has {} bytes in place of {HEAD_BYTES}", head.len());
        return Err(WorldError::damaged("section HEAD", head_at, problem));
    }
    let meta: Meta = serde_json::from_slice(meta)
        .map_err(|error| WorldError::damaged("section META", meta_at, error.to_string()))?;
    let frame = GridFrame {
        cell_size: f32::from_bits(u32_at(head, 16)),
        min: Cell::new(u32_at(head, 0) as i32, u32_at(head, 4) as i32),
        size_x: u32_at(head, 8),
        size_z: u32_at(head, 12),
    };
    let Meta { name, agents, areas, provenance, links } = meta;
    let tile_side = u32_at(head, 20);
    let info = WorldInfo { name, frame, tile_side, agents, areas, provenance, links };
    info.check()?;
    Ok((info, u64_at(head, 24)))
}
