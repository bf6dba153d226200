//! Provides [`SceneStore`]: scenes that are loaded where they are needed, and kept within a limit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use surefoot::Observer;
use surefoot::grid::{Area, AreaId};
use surefoot_bake::Scene;
use surefoot_bake::scene::{SceneError, SceneMarks, Volume, VolumeEffect};

use super::area_named;
use crate::fault::in_file;

/// Scenes of files, in the scales in which they are used.
pub struct SceneStore {
    files: Vec<SceneFile>,
    marks: SceneMarks,
    memory_limit: u64,
    kept: Mutex<Kept>,
}

/// A scene file, and what is known of it.
pub struct SceneFile {
    path: PathBuf,
    name: String,
    /// The names of its areas, by their ids.
    area_names: Vec<String>,
    /// What its areas are in the world.
    areas: Vec<AreaId>,
    /// Hash of its content when it was loaded first.
    hash: String,
    has_markers: bool,
    /// The first entry of the same path: its scenes serve all of them.
    first: u32,
}

/// A file, and a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredKey {
    file: u32,
    /// As bits, so that keys have an order.
    scale: u32,
}

/// The scenes that are in memory.
#[derive(Default)]
struct Kept {
    scenes: BTreeMap<StoredKey, KeptScene>,
    /// What they take [bytes].
    bytes: u64,
    /// How often scenes were asked for.
    asked: u64,
}

struct KeptScene {
    scene: Arc<Scene>,
    bytes: u64,
    last_asked: u64,
}

impl StoredKey {
    pub fn new(file: u32, scale: f32) -> Self {
        StoredKey { file, scale: scale.to_bits() }
    }
}

impl SceneFile {
    pub fn new(path: &Path, name: &str) -> Self {
        SceneFile {
            path: path.to_owned(),
            name: name.to_owned(),
            area_names: Vec::new(),
            areas: Vec::new(),
            hash: String::new(),
            has_markers: false,
            first: 0,
        }
    }
}

impl SceneStore {
    /// Keeps scenes within so many bytes.
    pub fn new(marks: &SceneMarks, memory_limit: u64) -> Self {
        let (marks, kept) = (marks.clone(), Mutex::default());
        SceneStore { files: Vec::new(), marks, memory_limit, kept }
    }

    /// Adds a file, and loads it, unless it is there under another name.
    pub fn add(
        &mut self,
        mut file: SceneFile,
        observer: &dyn Observer,
    ) -> Result<Arc<Scene>, SceneError> {
        let known = self.files.iter().position(|known| known.path == file.path);
        file.first = known.unwrap_or(self.files.len()) as u32;
        let key = StoredKey::new(file.first, 1.0);
        let scene = match known {
            Some(_) => self.scene(key, observer)?,
            None => {
                let path = &file.path;
                let scene = Scene::load_within(path, &self.marks, self.memory_limit, observer)?;
                self.kept().keep(key, scene, self.memory_limit)
            }
        };
        file.area_names = scene.areas.iter().map(|area| area.name.clone()).collect();
        file.hash.clone_from(&scene.report.hash);
        file.has_markers = !scene.links.is_empty() || !scene.volumes.is_empty();
        self.files.push(file);
        Ok(scene)
    }

    /// Finds what the areas of all files are in the world.
    pub fn number_areas(&mut self, areas: &[Area]) -> Result<(), SceneError> {
        for file in &mut self.files {
            let id = |name: &String| {
                let missing =
                    || in_file(&file.path, format!("its area {name:?} is not in the world"));
                area_named(areas, name).ok_or_else(missing)
            };
            file.areas = file.area_names.iter().map(id).collect::<Result<_, _>>()?;
        }
        Ok(())
    }

    /// Returns a scene; loads it unless it was kept.
    pub fn scene(&self, key: StoredKey, observer: &dyn Observer) -> Result<Arc<Scene>, SceneError> {
        let key = StoredKey { file: self.file(key).first, ..key };
        // Others wait: they may need the same.
        let mut kept = self.kept();
        if let Some(scene) = kept.find(key) {
            return Ok(scene);
        }
        let plain = StoredKey { scale: 1f32.to_bits(), ..key };
        let scene = match kept.find(plain) {
            Some(scene) => scene,
            None => {
                let scene = self.load(plain, observer)?;
                kept.keep(plain, scene, self.memory_limit)
            }
        };
        if key == plain {
            return Ok(scene);
        }
        let scaled = scene.scaled(f32::from_bits(key.scale));
        let scaled = scaled.map_err(|error| in_file(self.path(key), error.to_string()))?;
        Ok(kept.keep(key, scaled, self.memory_limit))
    }

    fn load(&self, key: StoredKey, observer: &dyn Observer) -> Result<Scene, SceneError> {
        let SceneFile { path, hash, .. } = self.file(key);
        let scene = Scene::load_within(path, &self.marks, self.memory_limit, observer)?;
        if scene.report.hash != *hash {
            return Err(in_file(path, "it has changed since the world was opened; start again"));
        }
        Ok(scene)
    }

    pub fn path(&self, key: StoredKey) -> &Path {
        &self.file(key).path
    }

    /// What comes before the names of its nodes.
    pub fn name(&self, key: StoredKey) -> &str {
        &self.file(key).name
    }

    /// Whether a scene has links or volumes.
    pub fn has_markers(&self, key: StoredKey) -> bool {
        self.file(key).has_markers
    }

    /// What an area of a scene is in the world.
    pub fn area(&self, key: StoredKey, own: AreaId) -> AreaId {
        self.file(key).areas.get(own.index()).copied().unwrap_or_default()
    }

    /// Returns a volume with the area that its own is in the world.
    pub fn numbered_volume(&self, key: StoredKey, volume: Volume) -> Volume {
        let effect = match volume.effect {
            VolumeEffect::Area(own) => VolumeEffect::Area(self.area(key, own)),
            VolumeEffect::Clear => VolumeEffect::Clear,
        };
        Volume { effect, ..volume }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self, key: StoredKey) -> &SceneFile {
        &self.files[key.file as usize]
    }
}

impl Kept {
    fn find(&mut self, key: StoredKey) -> Option<Arc<Scene>> {
        self.asked += 1;
        let kept = self.scenes.get_mut(&key)?;
        kept.last_asked = self.asked;
        Some(kept.scene.clone())
    }

    /// Keeps a scene; lets go of those that were asked for the longest time ago where the limit asks for it.
    fn keep(&mut self, key: StoredKey, scene: Scene, limit: u64) -> Arc<Scene> {
        self.asked += 1;
        let bytes = bytes_of(&scene);
        let scene = Arc::new(scene);
        while self.bytes + bytes > limit {
            let oldest = self.scenes.iter().min_by_key(|(_, kept)| kept.last_asked);
            let Some((&oldest, _)) = oldest else { break };
            self.bytes -= self.scenes.remove(&oldest).map_or(0, |kept| kept.bytes);
        }
        self.bytes += bytes;
        let kept = KeptScene { scene: scene.clone(), bytes, last_asked: self.asked };
        self.bytes -= self.scenes.insert(key, kept).map_or(0, |kept| kept.bytes);
        scene
    }
}

/// About what a scene takes.
fn bytes_of(scene: &Scene) -> u64 {
    let meshes = scene
        .meshes
        .iter()
        .map(|mesh| 12 * (mesh.vertices.len() + mesh.triangles.len()) + mesh.slots.len() + SMALL);
    let solids = scene.solids.iter().map(|solid| solid.name.len() + SMALL);
    let others = (scene.links.len() + scene.volumes.len()) * 2 * SMALL;
    (meshes.chain(solids).sum::<usize>() + others) as u64
}

/// About what a thing with a few numbers takes [bytes].
const SMALL: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_bake::scene::{Placement, SceneBuilder};

    fn scene(crates: usize) -> Scene {
        let mut builder = SceneBuilder::new("yard");
        for at in 0..crates {
            builder.cuboid("crate", [0.5; 3], Placement::at([at as f32, 0.0, 0.0]));
        }
        builder.build().expect("a scene")
    }

    #[test]
    fn scenes_that_were_not_asked_for_go_first() {
        let mut kept = Kept::default();
        let limit = 2 * bytes_of(&scene(10)) + 10;
        let [a, b, c] = [0, 1, 2].map(|file| StoredKey::new(file, 1.0));
        kept.keep(a, scene(10), limit);
        kept.keep(b, scene(10), limit);
        assert!(kept.find(a).is_some());
        kept.keep(c, scene(10), limit);
        assert!(kept.find(b).is_none() && kept.find(a).is_some() && kept.find(c).is_some());
        assert!(kept.bytes <= limit);
        // One that is larger than the limit is kept alone.
        kept.keep(b, scene(100), limit);
        assert!(kept.find(b).is_some() && kept.scenes.len() == 1);
        assert_eq!(kept.bytes, bytes_of(&scene(100)));
    }
}
