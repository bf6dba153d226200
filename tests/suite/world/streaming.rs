//! The window of a world follows its points of interest.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use nalgebra::Point3;
use surefoot::world::{TilePlace, World, WorldError, WorldInfo};
use surefoot::{Cell, NavGrid};

use super::{endless, hills, human, info, tile_of, write_world};

fn at(x: f32, z: f32) -> Point3<f32> {
    Point3::new(x, 0.0, z)
}

fn bytes_of(grid: &NavGrid) -> Vec<u8> {
    grid.to_bytes().expect("it can be written")
}

#[test]
fn the_nearest_tiles_are_loaded_as_many_as_fit() {
    let mut world = endless();
    assert!(world.wait().is_none(), "nobody is interested");
    world.set_interest(&[at(-1000.0, 500.0)]).expect("a point");
    let grid = world.wait().expect("ground");
    let tiles: BTreeSet<TilePlace> = world.loaded().collect();
    let under = world.info().place_at(-1000.0, 500.0);
    for z in -1..=1 {
        for x in -1..=1 {
            assert!(tiles.contains(&TilePlace::new(under.x + x, under.z + z)));
        }
    }
    let used = grid.spans().len() as u64 * 24 + grid.frame().cells() as u64 * 4;
    assert!((400_000..=800_000).contains(&used), "{used}");
    assert!(world.is_loaded(at(-1000.0, 500.0)) && !world.is_loaded(at(0.0, 0.0)));
    assert_eq!(world.grid(), Some(&grid));
    assert!(world.wait().is_none(), "nothing is new");
}

#[test]
fn nobody_who_walked_on_meanwhile_is_left_behind() {
    let mut world = endless();
    let home = at(4.0, 4.0);
    world.set_interest(&[home]).expect("a point");
    world.wait().expect("ground");
    for round in 1..6 {
        // The next window is planned for a place from where home is not in reach; then they are at home again.
        let away = at(160.0 * round as f32, 4.0);
        world.set_interest(&[away]).expect("a point");
        assert!(world.update().is_none() && world.is_loading(), "it has begun");
        world.set_interest(&[home]).expect("a point");
        while world.is_loading() {
            if let Some(grid) = world.update() {
                assert!(grid.column_at(home).is_some(), "round {round}");
            }
            assert!(world.is_loaded(home), "round {round}");
        }
        world.wait();
        assert!(world.is_loaded(home) && !world.is_loaded(away));
        assert!(world.wait().is_none(), "it has settled");
    }
}

#[test]
fn updates_and_waiting_lead_to_the_same_bytes() {
    let track: Vec<Point3<f32>> = (0..12).map(|step| at(step as f32 * 11.0, -40.0)).collect();
    let mut waits = endless();
    let mut grids = Vec::new();
    for &point in &track {
        waits.set_interest(&[point]).expect("a point");
        waits.wait();
        grids.push(bytes_of(waits.grid().expect("ground")));
    }
    // Frame by frame, without ever waiting; a slow machine only takes longer.
    let mut updates = endless();
    for (&point, expected) in track.iter().zip(&grids) {
        updates.set_interest(&[point]).expect("a point");
        let begun = Instant::now();
        loop {
            updates.update();
            if updates.grid().is_some_and(|grid| bytes_of(grid) == *expected) {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not get there");
        }
    }
    // On one thread, where each update loads a tile.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    pool.install(|| {
        let mut world = endless();
        world.set_interest(&[track[0]]).expect("a point");
        let grids_seen = (0..200).filter_map(|_| world.update()).collect::<Vec<_>>();
        assert!(grids_seen.len() <= 2, "the tiles at hand, then all");
        assert!(bytes_of(grids_seen.last().expect("a grid")) == grids[0]);
    });
}

#[test]
fn small_steps_change_nothing() {
    let mut world = endless();
    world.set_interest(&[at(16.1, 0.0)]).expect("a point");
    world.wait().expect("ground");
    for step in 0..50 {
        let x = if step % 2 == 0 { 15.9 } else { 16.1 };
        world.set_interest(&[at(x, 0.0)]).expect("a point");
        assert!(world.wait().is_none(), "a border is crossed without a change");
    }
    world.set_interest(&[at(40.0, 0.0)]).expect("a point");
    let grid = world.wait();
    assert!(grid.is_some(), "{:?}", world.take_faults());
}

#[test]
fn groups_that_are_far_apart_take_a_window_each() {
    let mut world = endless();
    let error = world.set_interest(&[at(0.0, 0.0), at(5000.0, 5000.0)]).expect_err("too far");
    assert!(matches!(error, WorldError::TooFarApart { .. }), "{error}");
    let error = world.set_interest(&[at(0.0, f32::NAN)]).expect_err("no point");
    assert!(matches!(error, WorldError::NotFinite { at: 0 }), "{error}");
    let mut other = world.another();
    world.set_interest(&[at(0.0, 0.0)]).expect("a point");
    other.set_interest(&[at(5000.0, 5000.0)]).expect("a point");
    let grids = [world.wait().expect("ground"), other.wait().expect("ground")];
    assert_eq!(grids[0].frame().overlap(grids[1].frame()).cells(), 0);
}

#[test]
fn damaged_tiles_are_reported_and_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.navworld");
    write_world(&path, &info(100, 32), hills);
    let mut bytes = std::fs::read(&path).expect("it was written");
    bytes[40] ^= 1;
    let options = surefoot::grid::LoadOptions::default();
    let mut world = World::from_source(Box::new(bytes), &options).expect("it opens");
    world.set_interest(&[at(-49.0, -49.0)]).expect("a point");
    let grid = world.wait();
    let faults = world.take_faults();
    assert!(grid.is_some(), "{faults:?}");
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert!(fault.to_string().contains("tile (-4, -4), byte 16: its checksum"), "{fault}");
    let tiles = world.loaded().count();
    assert_eq!(tiles, 63, "all others");
    assert_eq!(world.grid().expect("a grid").frame().min, Cell::new(-100, -100));
}

#[test]
fn where_there_is_no_ground_for_a_long_way_nothing_is_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.navworld");
    let info = WorldInfo::endless(0.5, 32, human());
    let place = TilePlace::new(9000, 0);
    let tile = tile_of(&info, place, hills).expect("ground");
    let mut writer = surefoot::world::WorldWriter::create(&path, info).expect("a writer");
    writer.tile(place, &tile).expect("it is written");
    writer.finish().expect("it is complete");
    let mut world = World::open(&path).expect("it opens");
    world.set_interest(&[at(0.0, 0.0)]).expect("a point");
    assert!(world.wait().is_none(), "the only tile is 144 km away");
    world.set_interest(&[at(9000.0 * 16.0 - 40.0, 0.0)]).expect("a point");
    assert!(world.wait().is_some());
    assert_eq!(world.loaded().collect::<Vec<_>>(), [place]);
}
