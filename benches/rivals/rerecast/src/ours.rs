//! surefoot's side: whole bakes, from a loaded scene to a grid with steps, clearance and regions.

use rayon::{ThreadPool, ThreadPoolBuilder};
use surefoot::{Agent, NavGrid};
use surefoot_bake::{BakeSettings, bake as bake_scene};

use crate::level::Level;

/// Radius and height of a body [m].
pub type Body = [f32; 2];

/// The agent of the Recast demo.
pub const RECAST: Body = [0.6, 2.0];
/// Three sizes at once, the demo's in the middle.
pub const THREE: [Body; 3] = [[0.3, 1.8], RECAST, [1.2, 2.2]];
/// Highest step [m].
pub const MAX_CLIMB: f32 = 0.9;
/// Steepest floor [degrees].
pub const SLOPE_LIMIT: f32 = 45.0;
/// Side of a cell [m].
pub const CELL_SIZE: f32 = 0.3;

/// All of the level, for these bodies.
pub fn settings(bodies: &[Body]) -> BakeSettings {
    let agent = |&[radius, height]: &Body| Agent {
        radius,
        height,
        max_climb: MAX_CLIMB,
        slope_limit: SLOPE_LIMIT.to_radians(),
        ..Agent::new(format!("{radius}"))
    };
    let agents = bodies.iter().map(agent).collect();
    BakeSettings { cell_size: Some(CELL_SIZE), agents, ..BakeSettings::default() }
}

/// Bakes on the threads of a pool.
pub fn bake(level: &Level, settings: &BakeSettings, pool: &ThreadPool) -> NavGrid {
    let baked = pool.install(|| bake_scene(&level.scene, settings, &()));
    baked.expect("a sound level").grid
}

/// A pool of some threads.
pub fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
}
