//! Worlds: their file, the window that follows points of interest, and crowds that walk through it.

mod answers;
mod carried_paths;
mod crossing;
mod files;
mod origins;
mod streaming;

use std::path::Path;

use surefoot::world::{TilePlace, World, WorldBudget, WorldInfo, WorldWriter};
use surefoot::{Agent, Cell, GridFrame, NavGrid};

/// The height of a floor over a cell [m]; `None` where there is none.
type Heights = fn(Cell) -> Option<f32>;

/// A tile of ground whose heights follow from its cells.
fn tile_of(info: &WorldInfo, place: TilePlace, height: Heights) -> Option<NavGrid> {
    // Ledges beside a cell tell whether a body can stand there.
    let cells = info.cells_of(place).grown(4).overlap(&info.frame);
    let heights = (0..cells.cells()).map(|at| height(cells.cell(at)).unwrap_or(f32::NAN));
    let heights: Vec<f32> = heights.collect();
    if heights.iter().all(|height| height.is_nan()) {
        return None;
    }
    let tile = NavGrid::from_heights(cells, &heights, &info.agents).expect("sound heights");
    Some(tile)
}

/// Even ground, everywhere.
fn flat(_: Cell) -> Option<f32> {
    Some(0.0)
}

/// Gentle hills with square pillars' holes.
fn hills(Cell { x, z }: Cell) -> Option<f32> {
    let is_hole = x.rem_euclid(23) < 4 && z.rem_euclid(31) < 5;
    let wave = (x as f32 * 0.05).sin() + (z as f32 * 0.07).cos();
    (!is_hole).then_some(0.6 * wave)
}

fn human() -> Vec<Agent> {
    vec![Agent::new("human")]
}

/// A world of so many cells each way, around cell 0.
fn info(half: u32, tile_side: u32) -> WorldInfo {
    let min = Cell::new(-(half as i32), -(half as i32));
    let frame = GridFrame { cell_size: 0.5, min, size_x: 2 * half, size_z: 2 * half };
    WorldInfo { frame, name: "test".to_owned(), ..WorldInfo::endless(0.5, tile_side, human()) }
}

/// Writes a world of ground whose heights follow from its cells.
fn write_world(path: &Path, info: &WorldInfo, height: Heights) {
    let mut writer = WorldWriter::create(path, info.clone()).expect("a writer");
    for place in writer.order() {
        if let Some(tile) = tile_of(info, place, height) {
            writer.tile(place, &tile).expect("it is written");
        }
    }
    writer.finish().expect("it is complete");
}

/// Endless hills in tiles of 32 cells, 16 m wide. A tile takes about 29 KB.
fn endless() -> World {
    let info = WorldInfo::endless(0.5, 32, human());
    let own = info.clone();
    let mut world =
        World::generated(info, move |place| tile_of(&own, place, hills)).expect("a world");
    world.set_budget(WorldBudget { bytes: 800_000, ..WorldBudget::default() });
    world
}
