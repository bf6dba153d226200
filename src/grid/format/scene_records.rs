//! The section of a grid's scene: a hash of what matters everywhere, then for each collider its hash and
//! the rectangle that it lies over: least x and z, greatest x and z.

use super::super::scene_record::{ColliderRecord, ContentHash, SceneRecord};
use super::container::{FileSection, u32_at};
use super::error::FormatError;

/// Bytes of a hash.
const HASH_BYTES: usize = size_of::<ContentHash>();
/// Bytes of a collider.
const COLLIDER_BYTES: usize = HASH_BYTES + 4 * size_of::<f32>();

/// The bytes of a record.
pub(super) fn pack_scene(record: &SceneRecord) -> Vec<u8> {
    let mut raw = Vec::with_capacity(HASH_BYTES + COLLIDER_BYTES * record.colliders.len());
    raw.extend(record.surroundings);
    for ColliderRecord { hash, min, max } in &record.colliders {
        raw.extend(hash);
        raw.extend(min.iter().chain(max).flat_map(|side| side.to_le_bytes()));
    }
    raw
}

/// The record in a section; validation checks the colliders.
pub(super) fn read_scene(section: &FileSection) -> Result<SceneRecord, FormatError> {
    let raw = section.unpack()?;
    let parts = raw.split_first_chunk().map(|(hash, rest)| (hash, rest.as_chunks()));
    let Some((&surroundings, (colliders, []))) = parts else {
        let problem = format!("it has {} bytes, which are no whole colliders", raw.len());
        return Err(section.damaged(problem));
    };
    Ok(SceneRecord { surroundings, colliders: colliders.iter().map(collider).collect() })
}

fn collider(bytes: &[u8; COLLIDER_BYTES]) -> ColliderRecord {
    let mut hash = ContentHash::default();
    hash.copy_from_slice(&bytes[..HASH_BYTES]);
    let side = |at: usize| f32::from_bits(u32_at(bytes, HASH_BYTES + 4 * at));
    ColliderRecord { hash, min: [side(0), side(1)], max: [side(2), side(3)] }
}
