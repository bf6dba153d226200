//! Tiles that change while they are loaded: what is baked again is what a bake of the changed world gives.

use nalgebra::{Isometry3, Point3};
use surefoot::world::{World, WorldBudget, WorldInfo, WorldWriter};
use surefoot::{AgentId, NavGrid, SpanId};
use surefoot_bake::scene::Placement;
use surefoot_bake::{
    BakeSettings, ColliderId, LiveBake, LiveTile, Scene, SceneSource, WorldTiling,
};
use surefoot_rapier::distance::GroundRect;
use surefoot_testing::{human_and_goat, load, repository};

/// Side of a tile [cells].
const SIDE: u32 = 64;

fn settings() -> BakeSettings {
    human_and_goat(0.6, true)
}

/// The village, its tiles, and a place on its ground.
struct Level {
    scene: Scene,
    source: SceneSource,
    tiling: WorldTiling,
    tiles: Vec<Option<NavGrid>>,
    place: Point3<f32>,
}

impl Level {
    fn new() -> Self {
        // Links are merged over the whole world; these are about its tiles.
        let scene = load(&repository().join("scenes/village.glb"));
        let scene = Scene { links: Vec::new(), ..scene };
        let source = SceneSource::new(scene.clone()).expect("a source");
        let tiling = WorldTiling::new(&source, &settings(), SIDE).expect("a tiling");
        let bake = |index| tiling.bake_tile(&source, index, &()).expect("a tile");
        let tiles: Vec<Option<NavGrid>> = (0..tiling.tiles()).map(|at| Some(bake(at))).collect();
        // At the corner of four tiles, so that all of them see it.
        let (rows, columns) = (tiling.tiles() / tiling.columns(), tiling.columns());
        let middle = rows / 2 * columns + columns / 2;
        let corner = tiling.own_cells(middle).expect("a tile").bounds().0;
        let tile = tiles[middle].as_ref().expect("a tile");
        let near = [corner[0] + 0.5, 0.0, corner[1] + 0.5];
        let place = tile.nearest_walkable(AgentId(0), near, 20.0).expect("ground").1;
        Level { scene, source, tiling, tiles, place }
    }

    /// Writes the tiles as a world, and loads what is near the place.
    fn world(&self, folder: &std::path::Path) -> World {
        let file = folder.join("village.navworld");
        let tile = self.tiles[0].as_ref().expect("a tile");
        let info = WorldInfo::of_tile(tile, *self.tiling.frame(), SIDE);
        let first = info.first_place();
        let mut writer = WorldWriter::create(&file, info).expect("a file");
        for place in writer.order() {
            let (column, row) = ((place.x - first.x) as usize, (place.z - first.z) as usize);
            let tile = self.tiles[row * self.tiling.columns() + column].as_ref();
            if let Some(tile) = tile.filter(|tile| !tile.spans().is_empty()) {
                writer.tile(place, tile).expect("a tile");
            }
        }
        writer.finish().expect("a world");
        let mut world = World::open(&file).expect("a world");
        world.set_budget(WorldBudget { bytes: 3 << 20, ..WorldBudget::default() });
        world.set_interest(&[self.place]).expect("a point");
        world
    }
}

/// Adds a block of rock where the goat can get on it.
fn add(live: &mut LiveBake, place: Point3<f32>) -> ColliderId {
    let mut parts = live.builder();
    parts.cuboid("rock", [1.5, 0.6, 1.0], Placement::at([place.x, place.y + 0.3, place.z]));
    live.add(parts).expect("a part")[0]
}

/// Checks that a window has what the whole grid has.
fn check_window(grid: &NavGrid, whole: &NavGrid, tiling: &WorldTiling, loaded: &World) {
    let places = loaded.loaded().map(|place| loaded.info().cells_of(place));
    let mut compared = 0;
    for own in places {
        for span in (0..own.cells()).flat_map(|at| grid.column_spans(own.cell(at))) {
            let address = grid.cell_layer(SpanId(span)).expect("a span");
            let other = whole.span_of(address).expect("the same floors");
            for agent in [AgentId(0), AgentId(1)] {
                // Nodes have other numbers.
                let can_stand = grid.is_walkable(agent, SpanId(span));
                assert_eq!(can_stand, whole.is_walkable(agent, other), "{address:?}");
            }
            compared += 1;
        }
    }
    assert!(compared > 10_000 && tiling.tiles() > loaded.loaded().count(), "{compared}");
}

#[test]
fn live_tiles_are_those_of_the_changed_world() {
    let level = Level::new();
    let Level { scene, source, tiling, place, .. } = &level;
    let mut tiles = level.tiles.clone();
    let around = |reach: f32| GroundRect {
        min: [place.x - reach, place.z - reach],
        max: [place.x + reach, place.z + reach],
    };
    let numbers = tiling.tiles_that_see(&around(6.0));
    assert!((4..tiling.tiles()).contains(&numbers.len()), "{numbers:?}");
    let mut live = tiling.live_tiles(source, &numbers, &()).expect("live tiles");
    let mut whole = LiveBake::new(scene.clone(), &settings(), &()).expect("a level");
    let folder = tempfile::tempdir().expect("a folder");
    let mut world = level.world(folder.path());
    world.wait().expect("a window");
    let rocks = [add(live.live(), *place), add(&mut whole, *place)];
    for step in 0..3 {
        if step == 1 {
            let pose = Isometry3::translation(place.x + 2.0, place.y + 0.3, place.z + 1.0);
            live.live().move_to(rocks[0], pose).expect("the rock");
            whole.move_to(rocks[1], pose).expect("the rock");
        } else if step == 2 {
            live.live().remove(rocks[0]).expect("the rock");
            whole.remove(rocks[1]).expect("the rock");
        }
        let changed = live.update(&()).expect("tiles");
        whole.update(&()).expect("a level");
        let now = SceneSource::new(whole.scene().expect("a scene")).expect("a source");
        for LiveTile { index, grid, .. } in &changed {
            let baked = tiling.bake_tile(&now, *index, &()).expect("a tile");
            let same = grid.to_bytes().expect("bytes") == baked.to_bytes().expect("bytes");
            assert!(same, "tile {index}: its bytes are those of a new bake");
            tiles[*index] = Some(grid.clone());
        }
        let merged = tiling.merge(&now, &tiles, &()).expect("a grid").grid;
        let bytes = |grid: &NavGrid| grid.to_bytes().expect("it can be written");
        assert!(bytes(&merged) == bytes(whole.grid()), "step {step}");
        // The window follows.
        let places = changed.into_iter();
        let places = places.map(|tile| (world.info().place_of(tile.own.min), Some(tile.grid)));
        let places: Vec<_> = places.collect();
        world.set_tiles(places).expect("tiles of the world");
        let grid = world.wait().expect("another grid");
        assert!(world.take_faults().is_empty());
        check_window(&grid, whole.grid(), tiling, &world);
        assert!(world.wait().is_none(), "nothing more has changed");
    }
    assert!(tiles == level.tiles, "without the rock everything is as before");
    assert!(tiling.live_tiles(source, &[], &()).is_err());
    assert!(tiling.live_tiles(source, &[9999], &()).is_err());
}

#[test]
fn tiles_that_are_set_stand_in_for_those_of_the_file() {
    let level = Level::new();
    let folder = tempfile::tempdir().expect("a folder");
    let mut world = level.world(folder.path());
    let before = world.wait().expect("a window");
    let place = world.info().place_at(level.place.x, level.place.z);
    let far = world.loaded().next().expect("a tile");
    let tile = world.tile(place).expect("it can be read").expect("a tile");
    let error = world.set_tiles([(far, Some(tile.clone()))]).expect_err("another tile");
    assert!(error.to_string().contains("bake it again"), "{error}");
    assert!(world.wait().is_none(), "nothing was set");
    // Without ground.
    world.set_tiles([(far, None)]).expect("a tile");
    let without = world.wait().expect("another grid");
    assert!(before != without && world.loaded().all(|place| place != far));
    assert!(world.tile(far).expect("it can be read").is_none());
    assert!(!world.has_tile(far).expect("it can be read"));
    assert!(world.another().tile(far).expect("it can be read").is_none());
}
