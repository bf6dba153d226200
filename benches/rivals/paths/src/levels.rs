//! The levels, as surefoot loads them and as rerecast takes them, and for whom they are baked.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Instant;

use glam::{UVec3, Vec3A};
use nalgebra::Point3;
use rerecast::{AreaType, TriMesh};
use surefoot::{Agent, NavGrid};
use surefoot_bake::scene::Shape;
use surefoot_bake::{BakeSettings, Scene, bake};

use crate::memory::held;

/// Whom both sides bake for, and how finely [m].
#[derive(Clone, Copy)]
pub struct Body {
    pub radius: f32,
    pub height: f32,
    pub max_climb: f32,
    pub cell_size: f32,
    /// Of a voxel of rerecast's.
    pub cell_height: f32,
}

/// Steepest floor [degrees].
pub const SLOPE_LIMIT: f32 = 45.0;

/// The Recast demo's agent and cells.
const RECAST: Body =
    Body { radius: 0.6, height: 2.0, max_climb: 0.9, cell_size: 0.3, cell_height: 0.2 };

/// A person who takes the steps of a shooter's level; three whole voxels are his climb.
const PERSON: Body =
    Body { radius: 0.4, height: 1.75, max_climb: 0.57, cell_size: 0.25, cell_height: 0.19 };

/// A file, and what it is baked as.
pub struct Source {
    pub name: &'static str,
    file: &'static str,
    /// What its lengths have to be multiplied by: the demo's `nav_test` is five times as large as the
    /// file's.
    scale: f32,
    pub body: Body,
    /// But for stairs and a few slopes, so that shortest paths bend at corners of walls alone.
    pub is_flat: bool,
}

pub const LEVELS: [Source; 5] = [
    source("nav_test", "nav_test.glb", RECAST, false).scaled(5.0),
    source("dungeon", "dungeon.gltf", RECAST, true),
    source("undulating", "undulating.glb", RECAST, false),
    source("quake_e1m1", "quake_e1m1.glb", PERSON, true),
    source("proto_level", "proto_level.glb", PERSON, true),
];

const fn source(name: &'static str, file: &'static str, body: Body, is_flat: bool) -> Source {
    Source { name, file, scale: 1.0, body, is_flat }
}

impl Source {
    const fn scaled(self, scale: f32) -> Source {
        Source { scale, ..self }
    }

    /// The level; none, with a line about it, if its file is not there.
    pub fn load(&self) -> Option<Scene> {
        let file = data_folder().join("scenes").join(self.file);
        if !file.is_file() {
            println!("skipped: no {}", file.display());
            return None;
        }
        let scene = Scene::load(&file, &Default::default());
        Some(scaled(scene.unwrap_or_else(|error| panic!("{error}")), self.scale))
    }

    /// surefoot's bake.
    pub fn ground(&self, scene: &Scene) -> Ground {
        ground(scene, &self.body)
    }

    /// As if the body's radius were a cell less.
    pub fn slim_ground(&self, scene: &Scene) -> Ground {
        let radius = self.body.radius - self.body.cell_size;
        ground(scene, &Body { radius, ..self.body })
    }
}

fn ground(scene: &Scene, body: &Body) -> Ground {
    let &Body { radius, height, max_climb, cell_size, .. } = body;
    let slope_limit = SLOPE_LIMIT.to_radians();
    let agent = Agent { radius, height, max_climb, slope_limit, ..Agent::new("body") };
    let settings =
        BakeSettings { cell_size: Some(cell_size), agents: vec![agent], ..BakeSettings::default() };
    let before = held();
    let start = Instant::now();
    let grid = bake(scene, &settings, &()).expect("a sound level").grid;
    Ground { grid, seconds: start.elapsed().as_secs_f64(), bytes: held() - before }
}

/// A grid, how long its bake took and how much it holds.
pub struct Ground {
    pub grid: NavGrid,
    pub seconds: f64,
    pub bytes: usize,
}

fn data_folder() -> PathBuf {
    env::var_os("SUREFOOT_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"),
        PathBuf::from,
    )
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

/// All triangles of a scene of meshes, in world space, none marked as walkable yet.
pub fn triangles(scene: &Scene) -> TriMesh {
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
