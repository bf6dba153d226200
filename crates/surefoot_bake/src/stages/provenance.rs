//! Where a grid comes from: the settings, the scene, and a record of the scene's colliders.

use serde::Serialize;

use super::settings::BakeSettings;
use crate::casts::CollisionWorld;
use crate::scene::canonical::{solid_hashes, surroundings_hash};
use crate::scene::{Scene, SceneMarks, SceneReport};
use surefoot::grid::{ColliderRecord, ContentHash, Provenance, SceneRecord};
use surefoot_rapier::distance::GroundRect;

/// Returns where a grid comes from: the scene and the settings, with the marks of the scene if
/// there were any.
pub(super) fn provenance(
    scene: &Scene,
    settings: &BakeSettings,
    record: SceneRecord,
) -> Provenance {
    let SceneReport { file, hash, marks, .. } = &scene.report;
    let mut settings = settings_json(settings);
    if let (Some(settings), true) = (settings.as_object_mut(), *marks != SceneMarks::default()) {
        settings.insert("marks".to_owned(), to_json(marks));
    }
    let (scene, scene_hash) = (file.clone(), hash.clone());
    Provenance { scene, scene_hash, settings, record: Some(record) }
}

/// Returns settings as they are kept in grids.
pub(super) fn settings_json(settings: &BakeSettings) -> serde_json::Value {
    to_json(settings)
}

/// Returns the record of a scene. The world is that of its solids.
pub(super) fn scene_record(scene: &Scene, world: &CollisionWorld) -> SceneRecord {
    let hashes = solid_hashes(scene).into_iter();
    let colliders = hashes.zip(world.ground_rects());
    let colliders = colliders.map(|(hash, rect)| collider_record(hash, &rect)).collect();
    SceneRecord::new(surroundings_hash(scene), colliders)
}

/// Returns the record of a collider that lies over a rectangle.
pub(super) fn collider_record(hash: ContentHash, rect: &GroundRect) -> ColliderRecord {
    ColliderRecord { hash, min: rect.min, max: rect.max }
}

/// Converts a value to JSON by way of text, so that 0.3 stays 0.3: a cast to `f64` would make it
/// 0.30000001192092896.
fn to_json(value: &impl Serialize) -> serde_json::Value {
    let text = serde_json::to_string(value).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}
