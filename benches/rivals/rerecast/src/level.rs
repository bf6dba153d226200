//! The levels of the Recast demo, as surefoot loads them and as rerecast takes them.

use std::env;
use std::path::{Path, PathBuf};

use glam::{UVec3, Vec3A};
use nalgebra::Point3;
use rerecast::{AreaType, TriMesh};
use surefoot_bake::Scene;
use surefoot_bake::scene::Shape;

/// A level in both forms.
pub struct Level {
    pub name: &'static str,
    pub scene: Scene,
    mesh: TriMesh,
}

/// Name, file, and what its lengths have to be multiplied by: the demo's `nav_test` is five times
/// as large as the file's.
const LEVELS: [(&str, &str, f32); 3] = [
    ("nav_test", "nav_test.glb", 5.0),
    ("dungeon", "dungeon.gltf", 1.0),
    ("undulating", "undulating.glb", 1.0),
];

impl Level {
    /// The levels that are there.
    pub fn all() -> Vec<Level> {
        let Some(folder) = data_folder() else { return Vec::new() };
        let load = |(name, file, scale)| {
            let scene = Scene::load(&folder.join("scenes").join(file), &Default::default());
            let scene = scaled(scene.unwrap_or_else(|error| panic!("{error}")), scale);
            let mesh = triangles(&scene);
            Level { name, scene, mesh }
        };
        LEVELS.map(load).into()
    }

    /// Its triangles, none marked as walkable yet.
    pub fn triangles(&self) -> &TriMesh {
        &self.mesh
    }
}

fn data_folder() -> Option<PathBuf> {
    let folder = env::var_os("SUREFOOT_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"),
        PathBuf::from,
    );
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no test data at {}", folder.display());
    None
}

fn scaled(mut scene: Scene, scale: f32) -> Scene {
    for vertex in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.vertices) {
        *vertex *= scale;
    }
    for solid in &mut scene.solids {
        solid.pose.translation.vector *= scale;
    }
    scene
}

/// All triangles of a scene of meshes, in world space.
fn triangles(scene: &Scene) -> TriMesh {
    let mut all = TriMesh::default();
    for solid in &scene.solids {
        let Shape::Mesh(mesh) = solid.shape else { panic!("these levels are meshes") };
        let mesh = &scene.meshes[mesh];
        let point = |vertex: &Point3<f32>| Vec3A::from_array((solid.pose * vertex).coords.into());
        all.extend(TriMesh {
            vertices: mesh.vertices.iter().map(point).collect(),
            indices: mesh.triangles.iter().map(|&corners| UVec3::from_array(corners)).collect(),
            area_types: vec![AreaType::NOT_WALKABLE; mesh.triangles.len()],
        });
    }
    all
}
