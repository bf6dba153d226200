//! The ground that routes are prepared on: levels, a flat map, a mountain.

use surefoot::{Agent, Cell, GridFrame, HeightCost, NavGrid};
use surefoot_bake::{BakeSettings, bake};
use surefoot_testing::{data_folder, load};

use crate::heights::Heights;

/// Some ground, and what paths over it cost.
pub struct Site {
    pub name: &'static str,
    pub model: HeightCost,
    /// It is large and open: searches take long.
    pub is_open: bool,
    make: fn() -> Option<NavGrid>,
}

/// A map of the Moving AI Lab.
pub const MAP: &str = "orz900d";

const COUNT_HEIGHTS: HeightCost = HeightCost { ascend: 1.0, descend: 0.0 };

pub const SITES: [Site; 7] = [
    level("quake_e1m1, 0.25 m", || baked("quake_e1m1.glb", 0.25)),
    level("quake_e1m1, 0.125 m", || baked("quake_e1m1.glb", 0.125)),
    level("quake_e1m1, 0.088 m", || baked("quake_e1m1.glb", 0.088)),
    level("dungeon, 0.15 m", || baked("dungeon.gltf", 0.15)),
    Site { name: MAP, model: HeightCost::FLAT, is_open: false, make: map },
    mountain("fuji 512", || Some(raised(&fuji()?, 30.0))),
    mountain("fuji 1024", || Some(raised(&fuji()?.doubled(), 15.0))),
];

const fn level(name: &'static str, make: fn() -> Option<NavGrid>) -> Site {
    Site { name, model: COUNT_HEIGHTS, is_open: false, make }
}

const fn mountain(name: &'static str, make: fn() -> Option<NavGrid>) -> Site {
    Site { name, model: COUNT_HEIGHTS, is_open: true, make }
}

impl Site {
    /// Its grid, for one agent; `None`, with a printed line, where the test data is absent.
    pub fn grid(&self) -> Option<NavGrid> {
        (self.make)()
    }
}

fn baked(file: &str, cell_size: f32) -> Option<NavGrid> {
    let scene = load(&data_folder()?.join("scenes").join(file));
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { agents, cell_size: Some(cell_size), ..BakeSettings::default() };
    Some(bake(&scene, &settings, &()).expect("it bakes").grid)
}

fn map() -> Option<NavGrid> {
    let file = data_folder()?.join("maps").join(MAP).with_extension("map");
    let text = std::fs::read_to_string(file).expect("the map can be read");
    Some(NavGrid::from_map(&text, 1.0, &[]).expect("it is a map"))
}

fn fuji() -> Option<Heights> {
    Some(Heights::load(&data_folder()?.join("terrain/fuji.npy")))
}

/// Ground for a body that is small on a mountain.
fn raised(heights: &Heights, cell_size: f32) -> NavGrid {
    let agent = Agent { height: 100.0, max_climb: 30.0, slope_limit: 1.0, ..Agent::new("climber") };
    let side = heights.side;
    let frame = GridFrame { cell_size, min: Cell::new(0, 0), size_x: side, size_z: side };
    NavGrid::from_heights(frame, &heights.values, &[agent]).expect("a grid")
}
