//! Worlds: their places, files and windows.

use surefoot::grid::{GridTile, LoadOptions, merge_tiles};
use surefoot::world::{ReadAt, TilePlace, World, WorldBudget, WorldInfo, WorldWriter};
use surefoot::{Cell, GridFrame, NavGrid};

use super::odd::{self, FLOATS, IDS, INTEGERS};
use super::{Attack, call};

pub fn attack(attack: &mut Attack) {
    let infos = infos(attack);
    for info in &infos {
        places(attack, info);
        writing(attack, info);
        if let Some(Ok(mut world)) = call!(attack, World::generated, info.clone(), |_| None) {
            asking(attack, &mut world);
        }
    }
    for grid in odd::grids() {
        let frame = *grid.frame();
        let info = call!(attack, WorldInfo::of_tile, &grid, frame, frame.size_x);
        let info = info.expect("an info");
        writing(attack, &info);
        let tile = move |_| Some(grid.clone());
        if let Some(Ok(mut world)) = call!(attack, World::generated, info, tile) {
            asking(attack, &mut world);
        }
    }
    sources(attack);
    merging(attack);
}

fn merging(attack: &mut Attack) {
    let grids = odd::grids();
    for frame in odd::frames().into_iter().chain(grids.iter().map(|grid| *grid.frame())) {
        call!(attack, merge_tiles, &frame, &[]);
        for grid in &grids {
            for own in [frame, *grid.frame()] {
                let tile = GridTile { own, grid };
                call!(attack, merge_tiles, &frame, &[tile]);
                call!(attack, merge_tiles, &frame, &[tile, tile]);
            }
        }
    }
}

fn infos(attack: &mut Attack) -> Vec<WorldInfo> {
    let mut infos = Vec::new();
    for size in FLOATS {
        for side in [0, 1, 64, u32::MAX] {
            infos.extend(call!(attack, WorldInfo::endless, size, side, Vec::new()));
        }
    }
    for frame in odd::frames() {
        let endless = WorldInfo::endless(1.0, 8, Vec::new());
        infos.push(WorldInfo { frame, ..endless });
    }
    infos
}

fn odd_places() -> Vec<TilePlace> {
    let ends = [i32::MIN, -1, 0, 3, i32::MAX];
    ends.iter().flat_map(|&x| ends.map(|z| TilePlace::new(x, z))).collect()
}

fn places(attack: &mut Attack, info: &WorldInfo) {
    call!(attack, WorldInfo::check, info);
    call!(attack, WorldInfo::first_place, info);
    call!(attack, WorldInfo::columns, info);
    call!(attack, WorldInfo::rows, info);
    for cell in odd::cells() {
        call!(attack, WorldInfo::place_of, info, cell);
        call!(attack, TilePlace::new, cell.x, cell.z);
    }
    for [x, z] in odd::pairs() {
        call!(attack, WorldInfo::place_at, info, x, z);
    }
    for place in odd_places() {
        call!(attack, WorldInfo::cells_of, info, place);
    }
}

fn writing(attack: &mut Attack, info: &WorldInfo) {
    let folder = tempfile::tempdir().expect("a folder");
    for path in ["", "missing/a.navworld", "a.navworld"] {
        let path = folder.path().join(path);
        let writer = call!(attack, WorldWriter::create, &path, info.clone());
        let Some(Ok(mut writer)) = writer else { continue };
        let order = call!(attack, WorldWriter::order, &writer).expect("an order");
        let places: Vec<TilePlace> = order.take(9).chain(odd_places()).collect();
        for grid in odd::grids() {
            for &place in &places {
                call!(attack, WorldWriter::tile, &mut writer, place, &grid);
            }
            let tiles = places.iter().map(|&place| (place, grid.clone()));
            call!(attack, WorldWriter::tiles, &mut writer, tiles);
        }
        for kind in [*b"HEAD", *b"IDEX", *b"IDEX", [0; 4], [255; 4]] {
            call!(attack, WorldWriter::section, &mut writer, kind, &[1, 2]);
        }
        call!(attack, WorldWriter::finish, writer);
        for memory_limit in [0, 1, 100_000, u64::MAX] {
            let options = LoadOptions { memory_limit };
            if let Some(Ok(mut world)) = call!(attack, World::open_with, &path, &options) {
                asking(attack, &mut world);
            }
        }
        call!(attack, World::open, &path);
    }
}

fn asking(attack: &mut Attack, world: &mut World) {
    call!(attack, World::info, world);
    call!(attack, World::tiles, world);
    call!(attack, World::summary, world);
    call!(attack, World::section, world, *b"IDEX");
    for place in odd_places() {
        call!(attack, World::has_tile, world, place);
        call!(attack, World::tile, world, place);
        for grid in odd::grids().into_iter().take(2) {
            call!(attack, World::set_tiles, world, [(place, Some(grid)), (place, None)]);
        }
        call!(attack, World::set_tiles, world, [(place, None)]);
    }
    for [a, b] in odd::pairs() {
        call!(attack, World::load, world, [a, b, b, a]);
    }
    let points: Vec<_> = odd::points().collect();
    for bytes in [0, 1, 100_000] {
        for tiles_per_update in IDS {
            let budget = WorldBudget { bytes, tiles_per_update };
            call!(attack, World::set_budget, world, budget);
        }
        call!(attack, World::budget, world);
        call!(attack, World::set_interest, world, &points);
        for point in &points {
            call!(attack, World::set_interest, world, &[*point]);
            call!(attack, World::is_loaded, world, *point);
            call!(attack, World::update, world);
            call!(attack, World::is_loading, world);
        }
        call!(attack, World::wait, world);
        call!(attack, World::take_faults, world);
        call!(attack, World::grid, world);
        call!(attack, World::loaded, world);
    }
    if let Some(mut other) = call!(attack, World::another, world) {
        call!(attack, World::wait, &mut other);
    }
    for x in INTEGERS {
        for place in [TilePlace::new(x, 0), TilePlace::new(1, x)] {
            if let Some(Ok(seen)) = call!(attack, World::at_origin, world, place) {
                call!(attack, World::tile, &seen, TilePlace::new(0, 0));
                call!(attack, World::at_origin, &seen, place);
                call!(attack, World::summary, &seen);
            }
        }
    }
}

fn sources(attack: &mut Attack) {
    let bytes: Vec<u8> = b"\x8eNAVW\r\n\x1a".iter().copied().chain(0..99).collect();
    for offset in [0, 50, u64::MAX] {
        for length in [0, 3, usize::MAX] {
            call!(attack, ReadAt::read_at, &bytes, offset, length);
        }
    }
    call!(attack, ReadAt::length, &bytes);
    for length in 0..bytes.len() {
        let source = Box::new(bytes[..length].to_vec());
        call!(attack, World::from_source, source, &LoadOptions::default());
    }
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 4, size_z: 4 };
    let tile = NavGrid::from_heights(frame, &[0.0; 16], &[]).expect("a tile");
    let info = WorldInfo::of_tile(&tile, frame, 4);
    let panics = |_| panic!("a callback that panics");
    if let Ok(mut world) = World::generated(info, panics) {
        world.set_interest(&[[1.0, 0.0, 1.0].into()]).expect("a point");
        call!(attack, World::update, &mut world);
    }
}
