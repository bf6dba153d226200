//! The file of a world: what is written is read, equal tiles are stored once, damage is refused.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use surefoot::grid::{LoadOptions, RegionId};
use surefoot::world::{
    ReadAt, RegionIndex, TilePlace, TileRegions, World, WorldError, WorldInfo, WorldRegion,
    WorldWriter,
};
use surefoot::{Cell, NavGrid};

use super::{flat, hills, info, tile_of, write_world};

fn file(info: &WorldInfo, height: super::Heights) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.navworld");
    write_world(&path, info, height);
    fs::read(path).expect("it was written")
}

fn open(bytes: Vec<u8>) -> Result<World, WorldError> {
    World::from_source(Box::new(bytes), &LoadOptions::default())
}

#[test]
fn tiles_come_back_as_they_were() {
    let info = info(100, 64);
    let world = open(file(&info, hills)).expect("it opens");
    assert_eq!(world.info(), &info);
    assert_eq!(world.tiles(), Some(16));
    for z in -3..3 {
        for x in -3..3 {
            let place = TilePlace::new(x, z);
            let tile = world.tile(place).expect("it loads");
            let is_inside = (-2..2).contains(&x) && (-2..2).contains(&z);
            assert_eq!(tile.is_some(), is_inside, "{place}");
            assert_eq!(world.has_tile(place).expect("a directory"), is_inside);
            if let Some(tile) = tile {
                assert_eq!(Some(tile), tile_of(&info, place, hills), "{place}");
            }
        }
    }
}

#[test]
fn a_rectangle_loads_as_one_grid() {
    let info = info(100, 64);
    let world = open(file(&info, hills)).expect("it opens");
    let grid = world.load([-50.0, -50.0, 50.0, 50.0]).expect("the whole");
    let heights: Vec<f32> =
        (0..info.frame.cells()).map(|at| hills(info.frame.cell(at)).unwrap_or(f32::NAN)).collect();
    let whole = NavGrid::from_heights(info.frame, &heights, &info.agents).expect("heights");
    assert_eq!(grid.parts().spans, whole.parts().spans);
    assert_eq!(grid.parts().layers, whole.parts().layers);
    assert_eq!(world.load([-1e6, -1e6, 1e6, 1e6]).expect("the whole"), grid);
    let part = world.load([1.0, 1.0, 2.0, 40.0]).expect("a part");
    assert_eq!((part.frame().min, part.frame().size_x), (Cell::new(0, 0), 64));
    assert_eq!(part.frame().size_z, 100);
    assert!(matches!(world.load([90.0, 0.0, 99.0, 1.0]), Err(WorldError::NoTile)));
    assert!(matches!(world.load([0.0, f32::NAN, 1.0, 1.0]), Err(WorldError::NotFinite { at: 1 })));
    let little = LoadOptions { memory_limit: 1_500_000 };
    let little = World::from_source(Box::new(file(&info, hills)), &little).expect("it opens");
    little.load([1.0, 1.0, 2.0, 2.0]).expect("a tile fits");
    let error = little.load([-50.0, -50.0, 50.0, 50.0]).expect_err("all do not");
    assert!(error.to_string().contains("more than the limit of 1500000"), "{error}");
}

#[test]
fn equal_tiles_are_stored_once() {
    let bytes = file(&info(64 * 16, 64), flat);
    let each = bytes.len() / 1024;
    println!("flat: {} bytes for 1024 tiles, {each} each", bytes.len());
    assert!(each < 64, "{each} bytes a tile");
    let world = open(bytes).expect("it opens");
    let place = TilePlace::new(-3, 7);
    assert_eq!(world.tile(place).expect("it loads"), tile_of(world.info(), place, flat));
}

#[test]
fn tiles_are_refused_that_do_not_belong() {
    let folder = tempfile::tempdir().expect("a folder");
    let info = info(100, 64);
    let path = folder.path().join("a.navworld");
    let mut writer = WorldWriter::create(&path, info.clone()).expect("a writer");
    let tile = |place| tile_of(&info, place, flat).expect("ground");
    let order: Vec<TilePlace> = writer.order().collect();
    assert_eq!(order.len(), 16);
    writer.tile(order[1], &tile(order[1])).expect("a tile");
    let mut refused = |place, tile: &NavGrid, expected: &str| {
        let error = writer.tile(place, tile).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(order[0], &tile(order[0]), "does not follow the one before");
    refused(order[1], &tile(order[1]), "does not follow the one before");
    refused(order[2], &tile(order[5]), "does not have all of its cells");
    refused(TilePlace::new(9, 9), &tile(order[2]), "lies outside the world");
    let whole = World::generated(info.clone(), {
        let info = info.clone();
        move |place| tile_of(&info, place, flat)
    });
    let whole = whole.expect("a world").load([-49.0, -49.0, 49.0, 49.0]).expect("a grid");
    refused(order[2], &whole, "reaches farther");
    let mut other = info.clone();
    other.agents[0].radius = 0.4;
    let alien = tile_of(&other, order[2], flat).expect("ground");
    refused(order[2], &alien, "other agents");
    drop(writer);
    assert!(!path.exists(), "nothing is left of a file that was not finished");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let odd = WorldInfo { tile_side: 0, ..info };
    let error = WorldWriter::create(&path, odd).expect_err("no side").to_string();
    assert!(error.contains("side of 0 cells"), "{error}");
}

#[test]
fn regions_come_back_as_they_were() {
    let world = open(with_index()).expect("it opens");
    let index = world.regions("human").expect("it reads").expect("regions");
    assert_eq!((index.regions.len(), index.tiles.len()), (2, 2));
    let of = |x: i32, region: u32| index.region_of(TilePlace::new(x, 0), RegionId(region));
    assert_eq!(
        [of(-1, 0), of(0, 2), of(0, 1), of(0, 3), of(5, 0)],
        [Some(0), Some(1), None, None, None]
    );
    assert!(world.regions("nobody").expect_err("no agent").to_string().contains("human"));
    // Wherever such a section ends too early, that is said.
    let folder = tempfile::tempdir().expect("a folder");
    let section = world.section(*b"REGN").expect("it reads").expect("a section");
    for length in 0..section.len() + 1 {
        let path = folder.path().join("cut.navworld");
        let mut writer = WorldWriter::create(&path, info(32, 64)).expect("a writer");
        writer.section(*b"REGN", &section[..length]).expect("a section");
        writer.finish().expect("it is complete");
        let world = World::open(&path).expect("it opens");
        match world.regions("human") {
            Ok(found) => assert!(length == section.len() && found == Some(index.clone())),
            Err(error) => assert!(error.to_string().contains("section REGN"), "{length}: {error}"),
        }
    }
}

#[test]
fn sections_of_a_programs_own_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.navworld");
    let mut writer = WorldWriter::create(&path, info(32, 64)).expect("a writer");
    writer.section(*b"IDEX", b"an index").expect("a section");
    assert!(writer.section(*b"IDEX", b"again").is_err());
    assert!(writer.section(*b"LEAF", b"not yours").is_err());
    writer.finish().expect("it is complete");
    let world = World::open(&path).expect("it opens");
    assert_eq!(world.section(*b"IDEX").expect("it reads").as_deref(), Some(&b"an index"[..]));
    assert_eq!(world.section(*b"NONE").expect("it reads"), None);
    assert_eq!(world.tiles(), Some(0));
    assert!(
        World::open(folder.path().join("none")).expect_err("none").to_string().contains("none")
    );
}

/// Bytes that count how often, and how many of them, are read.
struct Counted {
    bytes: Vec<u8>,
    reads: Arc<[AtomicU64; 2]>,
}

impl ReadAt for Counted {
    fn read_at(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        self.reads[0].fetch_add(1, Ordering::Relaxed);
        self.reads[1].fetch_add(length as u64, Ordering::Relaxed);
        self.bytes.read_at(offset, length)
    }

    fn length(&self) -> io::Result<u64> {
        self.bytes.length()
    }
}

/// Writes a world of 100,000 flat tiles, of which each has the same bytes.
fn large(path: &Path) {
    let info = info(8 * 158, 8);
    let tile = tile_of(&info, TilePlace::new(0, 0), flat).expect("ground");
    let mut writer = WorldWriter::create(path, info.clone()).expect("a writer");
    let edge = |at: i32| at == -158 || at == 157;
    let inner = writer.order().filter(|place| !edge(place.x) && !edge(place.z));
    let tiles = inner.map(|place| {
        let mut parts = tile.parts().clone();
        parts.frame.min = Cell::new(8 * place.x - 4, 8 * place.z - 4);
        (place, NavGrid::from_baker(parts).expect("a tile"))
    });
    writer.tiles(tiles).expect("they are written");
    writer.finish().expect("it is complete");
}

#[test]
fn a_world_of_100_000_tiles_opens_with_two_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.navworld");
    large(&path);
    let bytes = fs::read(&path).expect("it was written");
    let length = bytes.len();
    let reads: Arc<[AtomicU64; 2]> = Arc::default();
    let counted = || {
        let all = [0, 1].map(|at: usize| reads[at].swap(0, Ordering::Relaxed));
        (all[0], all[1])
    };
    let source = Counted { bytes, reads: reads.clone() };
    let start = std::time::Instant::now();
    let world = World::from_source(Box::new(source), &LoadOptions::default()).expect("it opens");
    let time = start.elapsed();
    let tiles = world.tiles().expect("a number");
    let (times, amount) = counted();
    println!(
        "{tiles} tiles, {length} bytes: opened in {time:?} with {times} reads of {amount} bytes"
    );
    assert!(tiles > 98_000, "{tiles}");
    assert_eq!(times, 2, "the header, and the root directory with what is before it");
    assert!(amount <= 16 + (16 << 10), "{amount}");
    world.tile(TilePlace::new(30, -50)).expect("it loads").expect("a tile");
    let (times, amount) = counted();
    assert_eq!(times, 2, "a leaf, and the tile");
    assert!(amount < 20 << 10, "{amount}");
}

/// Reads all that a file says; returns the first error.
fn read_all(bytes: Vec<u8>, memory_limit: u64) -> Result<(), WorldError> {
    let world = World::from_source(Box::new(bytes), &LoadOptions { memory_limit })?;
    world.section(*b"IDEX")?;
    let first = world.info().first_place();
    for agent in world.info().agents.iter().take(3) {
        if let Some(index) = world.regions(&agent.name)? {
            index
                .regions
                .iter()
                .take(3)
                .try_for_each(|region| world.region_at(&index, &agent.name, region.at).map(drop))?;
        }
    }
    // A tile may be nowhere.
    world.at_origin(first).ok();
    let most = |count: u32| count.min(8) as i32;
    for z in 0..most(world.info().rows()) {
        for x in 0..most(world.info().columns()) {
            world.tile(TilePlace::new(first.x.saturating_add(x), first.z.saturating_add(z)))?;
        }
    }
    Ok(())
}

fn with_index() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.navworld");
    let info = info(40, 32);
    let mut writer = WorldWriter::create(&path, info.clone()).expect("a writer");
    let order = writer.order();
    let tiles = order.filter_map(|place| Some((place, tile_of(&info, place, hills)?)));
    writer.tiles(tiles).expect("they are written");
    writer.section(*b"IDEX", b"an index").expect("a section");
    let at = [1.0, 0.0, 1.0].into();
    let regions = vec![WorldRegion { spans: 9, at, min: at, max: at }; 2];
    let tile =
        |x: i32| TileRegions { place: TilePlace::new(x, 0), regions: vec![Some(0), None, Some(1)] };
    let index = RegionIndex { regions, tiles: vec![tile(-1), tile(0)] };
    writer.regions(&[index]).expect("a section");
    writer.finish().expect("it is complete");
    fs::read(&path).expect("it was written")
}

#[test]
fn whatever_is_cut_off_is_missed() {
    let bytes = with_index();
    read_all(bytes.clone(), 1 << 30).expect("it is sound");
    for length in (0..bytes.len()).step_by(7).chain(bytes.len() - 200..bytes.len()) {
        let error = read_all(bytes[..length].to_vec(), 1 << 30).expect_err("it is cut off");
        let text = error.to_string();
        assert!(text.contains("trailer") || text.contains("not a .navworld"), "{length}: {text}");
    }
}

#[test]
fn every_flipped_bit_is_refused_with_its_place() {
    let bytes = with_index();
    for at in (0..bytes.len()).step_by(11).chain(bytes.len() - 400..bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let error = read_all(damaged, 1 << 30).expect_err("it is damaged").to_string();
        let is_known =
            ["byte", "version", "not a .navworld"].iter().any(|&word| error.contains(word));
        assert!(is_known, "{at}: {error}");
    }
}

#[test]
fn no_more_memory_is_taken_than_allowed() {
    let bytes = with_index();
    for limit in [0, 10, 1000, 20_000, 60_000] {
        let error = read_all(bytes.clone(), limit).expect_err("it takes more").to_string();
        assert!(error.contains("limit of"), "{limit}: {error}");
    }
}

/// Makes the checksums of the file's end right again, so that readers see what lies behind them.
fn seal(bytes: &mut [u8]) {
    let end = bytes.len();
    if end < 48 {
        return;
    }
    let u64_at = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize
    };
    let checksum = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum().to_le_bytes()
    };
    let table = u64_at(bytes, end - 32);
    if table < end - 32 {
        for row in (table..end - 32).step_by(32).filter(|row| row + 32 <= end - 32) {
            let (offset, length) = (u64_at(bytes, row + 8), u64_at(bytes, row + 16));
            if let Some(section) = bytes.get(offset..offset.saturating_add(length)) {
                let sum = checksum(section);
                bytes[row + 24..row + 28].copy_from_slice(&sum);
            }
        }
        let sum = checksum(&bytes[table..end - 32]);
        bytes[end - 12..end - 8].copy_from_slice(&sum);
    }
    let length = (end as u64).to_le_bytes();
    bytes[end - 24..end - 16].copy_from_slice(&length);
    let sum = checksum(&bytes[end - 32..end - 4]);
    bytes[end - 4..].copy_from_slice(&sum);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn hostile_files_are_harmless(
        changes in prop::collection::vec((0usize..2000, any::<u8>()), 1..6),
        cut in 0usize..400,
        is_sealed: bool,
    ) {
        let mut bytes = with_index();
        for (back, value) in changes {
            let at = bytes.len() - 1 - back.min(bytes.len() - 1);
            bytes[at] = value;
        }
        if cut < 100 {
            bytes.truncate(bytes.len() - cut);
        }
        if is_sealed {
            seal(&mut bytes);
        }
        if let Err(error) = read_all(bytes, 64 << 20) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
