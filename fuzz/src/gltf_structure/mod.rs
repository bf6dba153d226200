//! Target `gltf_structure`: levels that are nearly right, loaded, baked and walked on.
//!
//! An input chooses meshes, nodes, marks and physics shapes, and a bake. What loads as a `.glb` loads
//! the same as a `.gltf`, and in any order; what is baked is the same for any threads and tiles, holds the laws of
//! grids, and comes back from its file.

mod document;
mod meshes;
mod nodes;
mod numbers;
mod order;

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use rayon::{ThreadPool, ThreadPoolBuilder};
use surefoot::{Agent, BodyShape};
use surefoot_bake::{BakeError, BakeSettings, Baked, Scene, bake};

use crate::choices::once_in;
use crate::{gltf_bytes, grid_laws, scene_laws};
use document::Level;
use numbers::{number, positive};

/// The most cells along a side of a level, by the bake's cell size.
const MOST_CELLS: u8 = 40;
/// What a bake may take [bytes].
const MEMORY_LIMIT: u64 = 64 << 20;

/// Loads, bakes and checks the level that an input describes.
///
/// # Panics
/// A law of scenes, bakes or grids does not hold.
pub fn run(data: &[u8]) {
    let mut input = Unstructured::new(data);
    // An input that is too short describes what it gets to.
    let Ok(Level { file, is_broken }) = document::level(&mut input) else { return };
    let scene = match gltf_bytes::load(&file.glb()) {
        Ok(scene) => scene,
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            return;
        }
    };
    scene_laws::check(&scene);
    let as_text = gltf_bytes::load(&file.gltf()).expect("the same level loads as text");
    assert_eq!(as_text, scene);
    let seed = input.arbitrary().unwrap_or_default();
    if !is_broken && let Some(other) = order::shuffled(&file, seed) {
        let other = gltf_bytes::load(&other.glb()).expect("the same level loads in another order");
        assert_eq!(other, scene);
    }
    let Ok(settings) = settings(&mut input, &scene) else { return };
    match bake_twice(&scene, &settings) {
        Ok(baked) => {
            assert_eq!(baked.grid.layers().len(), settings.agents.len());
            grid_laws::check(&baked.grid, seed);
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
    }
}

/// One thread with the usual tiles, and two with small ones.
fn bake_twice(scene: &Scene, settings: &BakeSettings) -> std::result::Result<Baked, BakeError> {
    static POOLS: LazyLock<[ThreadPool; 2]> = LazyLock::new(|| {
        [1, 2]
            .map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"))
    });
    let baked = POOLS[0].install(|| bake(scene, settings, &()));
    let small = BakeSettings { tile_size: 8, ..settings.clone() };
    let again = POOLS[1].install(|| bake(scene, &small, &()));
    match (&baked, &again) {
        (Ok(baked), Ok(again)) => assert_eq!(baked, again),
        // Errors may hold numbers that equal nothing.
        _ => assert_eq!(format!("{:?}", baked.as_ref().err()), format!("{:?}", again.err())),
    }
    baked
}

fn settings(input: &mut Unstructured, scene: &Scene) -> Result<BakeSettings> {
    let size = scene.bounds().map_or(1.0, |(low, high)| {
        let extent = high - low;
        extent.x.max(extent.z).max(1e-3)
    });
    let cells = input.int_in_range(MOST_CELLS / 5..=MOST_CELLS)?;
    let cell_size = if once_in(input, 30)? { number(input)? } else { size / f32::from(cells) };
    let bounds = if once_in(input, 8)? {
        let [x0, z0] = [number(input)?, number(input)?];
        // Seldom the wrong way around.
        Some([x0, z0, x0.max(8.0), z0.max(8.0)])
    } else {
        None
    };
    let mut agents = Vec::new();
    for name in ["a", "b"].iter().take(input.int_in_range(1..=2)?) {
        agents.push(agent(input, name, cell_size)?);
    }
    let cell_size = Some(cell_size);
    let defaults = BakeSettings::default();
    Ok(BakeSettings { cell_size, bounds, agents, memory_limit: MEMORY_LIMIT, ..defaults })
}

/// An agent of a size that suits the cells, or of any.
fn agent(input: &mut Unstructured, name: &str, cell_size: f32) -> Result<Agent> {
    if once_in(input, 3)? {
        return Ok(Agent::new(name));
    }
    let height = positive(input)? * cell_size * 2.0;
    Ok(Agent {
        radius: positive(input)? * cell_size * 0.4,
        height,
        max_climb: height * f32::from(input.int_in_range(0..=9u8)?) / 10.0,
        slope_limit: f32::from(input.int_in_range(0..=85u8)?).to_radians(),
        shape: if input.arbitrary()? { BodyShape::Box } else { BodyShape::Capsule },
        ledge_margin: if input.arbitrary()? {
            Some(positive(input)? * cell_size * 0.3)
        } else {
            None
        },
        jump_up: reach(input, cell_size)?,
        jump_across: reach(input, cell_size)?,
        drop: reach(input, cell_size)?,
        ..Agent::new(name)
    })
}

/// How far an agent jumps or drops: mostly not at all, else a few cells.
fn reach(input: &mut Unstructured, cell_size: f32) -> Result<f32> {
    if once_in(input, 2)? { Ok(positive(input)?.min(20.0) * cell_size) } else { Ok(0.0) }
}
