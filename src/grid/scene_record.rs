//! Provides [`SceneRecord`]: what a grid was baked from, so that a baker can tell later what changed.

use super::parts::{GridError, fail};

/// A hash of content: the first half of a BLAKE3 hash.
pub type ContentHash = [u8; 16];

/// What a grid was baked from, as far as it takes to tell what has changed since. Agents need none of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneRecord {
    /// Hash of what matters everywhere: areas, volumes, and which baker it was.
    pub surroundings: ContentHash,
    /// One for each collider, sorted by hash.
    pub colliders: Vec<ColliderRecord>,
}

/// A collider that a grid was baked from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColliderRecord {
    /// Hash of all that counts of it: its name, shape, pose and surfaces.
    pub hash: ContentHash,
    /// The least x and z that it lies over [m].
    pub min: [f32; 2],
    /// The greatest x and z that it lies over [m].
    pub max: [f32; 2],
}

impl SceneRecord {
    /// Makes a record of colliders in any order.
    pub fn new(surroundings: ContentHash, mut colliders: Vec<ColliderRecord>) -> Self {
        // Equal hashes are those of equal colliders.
        colliders.sort_unstable_by_key(|collider| collider.hash);
        SceneRecord { surroundings, colliders }
    }

    /// Checks that rectangles have sides and that colliders are sorted.
    pub(super) fn check(&self) -> Result<(), GridError> {
        for (at, ColliderRecord { min, max, .. }) in self.colliders.iter().enumerate() {
            let is_side = |axis: usize| min[axis] <= max[axis];
            let is_finite = min.iter().chain(max).all(|side| side.is_finite());
            if !is_finite || ![0, 1].into_iter().all(is_side) {
                let problem = format!("it lies from {min:?} to {max:?}, which is no rectangle");
                return fail(format!("collider {at}"), problem);
            }
        }
        if !self.colliders.is_sorted_by_key(|collider| collider.hash) {
            return fail("colliders", "they are not sorted by hash");
        }
        Ok(())
    }
}
