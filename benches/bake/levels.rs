//! The levels that are baked: two real ones, and a terrain of two million triangles with boxes.

use std::ops::Range;

use nalgebra::{Isometry3, Point3, Vector3};
use surefoot::Agent;
use surefoot_bake::scene::{SceneBuilder, Triangles};
use surefoot_bake::{BakeSettings, Scene};

use surefoot_testing::{Random, agent, data_folder, load};

/// Side of the cells everything is baked at [m].
pub const CELL_SIZE: f32 = 0.25;
/// Length of the terrain's sides [m]; its quads measure one meter.
const SIDE: u32 = 1000;
const BOXES: usize = 2000;

/// Something to bake.
pub struct Level {
    pub name: &'static str,
    pub scene: Scene,
    /// x0, z0, x1, z1 [m]; `None` means all of it.
    pub bounds: Option<[f32; 4]>,
}

impl Level {
    /// The real levels, as far as the test data is there, and a window of the terrain that
    /// measures so much a side [m].
    pub fn all(window: f32) -> Vec<Level> {
        let real = |(name, file)| {
            let path = data_folder()?.join("scenes").join(file);
            Some(Level { name, scene: load(&path), bounds: None })
        };
        let files = [("dungeon", "dungeon.gltf"), ("hospital", "hospital_collision.glb")];
        let mut levels: Vec<Level> = files.into_iter().filter_map(real).collect();
        let [low, high] = [-0.5, 0.5].map(|half| SIDE as f32 / 2.0 + half * window);
        let bounds = Some([low, low, high, high]);
        levels.push(Level { name: "terrain", scene: terrain(), bounds });
        levels
    }

    /// Three agents, cells of [`CELL_SIZE`].
    pub fn settings(&self) -> BakeSettings {
        let settings = BakeSettings { bounds: self.bounds, ..BakeSettings::default() };
        BakeSettings { cell_size: Some(CELL_SIZE), agents: three_agents(), ..settings }
    }
}

/// A child, a grown-up and a cart.
pub fn three_agents() -> Vec<Agent> {
    vec![agent("small", 0.3, 1.8), agent("medium", 0.6, 2.0), agent("large", 1.2, 2.2)]
}

/// Gentle hills, 1000 m by 1000 m, with boxes of up to 6 m scattered over them.
pub fn terrain() -> Scene {
    let row = SIDE + 1;
    let vertices: Vec<[f32; 3]> = (0..row * row)
        .map(|index| [(index % row) as f32, (index / row) as f32])
        .map(|[x, z]| [x, hills(x, z), z])
        .collect();
    let quads = (0..SIDE).flat_map(|z| (0..SIDE).map(move |x| z * row + x));
    let triangles: Vec<[u32; 3]> =
        quads.flat_map(|i| [[i, i + row, i + row + 1], [i, i + row + 1, i + 1]]).collect();
    let mut builder = SceneBuilder::new("terrain");
    builder.mesh(
        "hills",
        Triangles { vertices: &vertices, triangles: &triangles },
        Isometry3::identity(),
    );
    scatter_boxes(&mut builder);
    builder.build().expect("a sound scene")
}

fn hills(x: f32, z: f32) -> f32 {
    (x * 0.021).sin() * 6.0 + (z * 0.017).cos() * 5.0 + (x * 0.19 + z * 0.13).sin() * 0.8
}

fn scatter_boxes(builder: &mut SceneBuilder) {
    let mut random = Random(1);
    let mut within = |range: Range<f32>| {
        let share = random.below(1 << 20) as f32 / (1 << 20) as f32;
        range.start + share * (range.end - range.start)
    };
    for _ in 0..BOXES {
        let half = Vector3::from_fn(|_, _| within(0.25..3.0));
        let [x, z] = [(); 2].map(|()| within(0.0..SIDE as f32));
        let turn = Vector3::y() * within(0.0..std::f32::consts::PI);
        let center = Point3::new(x, hills(x, z) + 0.5 * half.y, z);
        builder.cuboid("box", half, Isometry3::new(center.coords, turn));
    }
}
