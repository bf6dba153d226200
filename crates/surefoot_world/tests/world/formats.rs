//! Every format and type of numbers: read chunk by chunk, each gives the samples that were written.

use std::collections::BTreeMap;
use std::path::Path;

use nalgebra::Point3;
use surefoot_bake::scene::Shape;
use surefoot_bake::{Scene, WorldSource};
use surefoot_rapier::distance::GroundRect;
use surefoot_world::{ComposedWorld, HeightFileOptions, WorldFile};
use tiff::encoder::colortype::{Gray8, Gray16, Gray32, Gray32Float, Gray64Float, GrayI16, GrayI32};
use tiff::encoder::{Compression, DeflateLevel};

use crate::files::{
    GRAY_16, Heights, PngKind, TiffOptions, npy, tiled_tiff, write, write_png, write_tiff,
};

pub const EVERYWHERE: GroundRect = GroundRect { min: [-1e9; 2], max: [1e9; 2] };

/// A lattice of metres, with heights as they are.
pub fn plain() -> HeightFileOptions {
    HeightFileOptions {
        spacing: Some([1.0; 2]),
        height_scale: Some(1.0),
        ..HeightFileOptions::default()
    }
}

pub fn open(file: &Path, options: HeightFileOptions) -> ComposedWorld {
    let world = WorldFile::of_heights(file, options).open(&Default::default(), 1 << 30, &());
    world.unwrap_or_else(|error| panic!("{error}"))
}

/// The message of the error that opening a height file gives.
pub fn refused(file: &Path, options: HeightFileOptions) -> String {
    let world = WorldFile::of_heights(file, options).open(&Default::default(), 1 << 30, &());
    world.expect_err("it cannot be used").to_string()
}

/// All vertices of a scene of terrain, by x and z [m], as bits that are in order for numbers of at least 0.
pub fn vertices(scene: &Scene) -> BTreeMap<[u32; 2], f32> {
    let mut found = BTreeMap::new();
    for solid in &scene.solids {
        let Shape::Mesh(mesh) = solid.shape else { panic!("{solid:?}") };
        for Point3 { coords } in &scene.meshes[mesh].vertices {
            let key = [coords.x.to_bits(), coords.z.to_bits()];
            let known = found.insert(key, coords.y);
            assert!(known.is_none_or(|known| known == coords.y), "chunks disagree at {coords:?}");
        }
    }
    found
}

/// Checks that a file has exactly some heights, whole and by windows.
fn check(file: &Path, options: HeightFileOptions, heights: &Heights) {
    let world = open(file, options);
    let key = |column: usize, row: usize| [(column as f32).to_bits(), (row as f32).to_bits()];
    let expected = |columns: std::ops::Range<usize>, rows: std::ops::Range<usize>| {
        let all = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
        let sample = |(column, row): (usize, usize)| {
            (key(column, row), heights.samples[row * heights.columns + column] as f32)
        };
        all.map(sample).collect::<BTreeMap<_, _>>()
    };
    let Heights { columns, rows, .. } = *heights;
    let whole = world.scene_over(&EVERYWHERE).expect("all of it");
    assert!(vertices(&whole) == expected(0..columns, 0..rows), "{}", file.display());
    assert_eq!(world.outline().report.triangles, 2 * (columns - 1) * (rows - 1));
    // The last chunk first, then the others.
    for row in (0..rows - 1).step_by(64).rev() {
        for column in (0..columns - 1).step_by(64).rev() {
            let inside = [column as f32 + 0.5, row as f32 + 0.5];
            let part = world.scene_over(&GroundRect { min: inside, max: inside }).expect("a chunk");
            let ends = [(column + 65).min(columns), (row + 65).min(rows)];
            let expected = expected(column..ends[0], row..ends[1]);
            assert!(vertices(&part) == expected, "{}: {column} {row}", file.display());
        }
    }
}

#[test]
fn numpy_files_of_every_type_and_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let heights = Heights::whole(150, 140);
    for by_columns in [false, true] {
        let stored = if by_columns { heights.turned() } else { heights.clone() };
        for (descr, samples) in [
            ("<f4", stored.bytes(|v| (v as f32).to_le_bytes())),
            (">f4", stored.bytes(|v| (v as f32).to_be_bytes())),
            ("<f8", stored.bytes(f64::to_le_bytes)),
            (">f8", stored.bytes(f64::to_be_bytes)),
            ("<i2", stored.bytes(|v| (v as i16).to_le_bytes())),
            (">i2", stored.bytes(|v| (v as i16).to_be_bytes())),
            ("<u2", stored.bytes(|v| (v as u16).to_le_bytes())),
            (">u2", stored.bytes(|v| (v as u16).to_be_bytes())),
            ("<i4", stored.bytes(|v| (v as i32).to_le_bytes())),
            (">i4", stored.bytes(|v| (v as i32).to_be_bytes())),
            ("<u4", stored.bytes(|v| (v as u32).to_le_bytes())),
            ("|u1", stored.bytes(|v| [v as u8])),
        ] {
            let bytes = npy(descr, by_columns, [140, 150], &samples);
            check(&write(folder.path(), "a.npy", &bytes), plain(), &heights);
        }
    }
    let negative = Heights::of(70, 3, |column, row| column as f64 - 40.0 - row as f64);
    let bytes = npy("|i1", false, [3, 70], &negative.bytes(|v| (v as i8).to_le_bytes()));
    check(&write(folder.path(), "b.npy", &bytes), plain(), &negative);
}

#[test]
fn raw_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let heights = Heights::whole(131, 97);
    let options = HeightFileOptions { size: Some([131, 97]), ..plain() };
    let floats = heights.bytes(|v| (v as f32).to_le_bytes());
    check(&write(folder.path(), "a.f32", &floats), options.clone(), &heights);
    let whole = heights.bytes(|v| (v as u16).to_le_bytes());
    for name in ["a.raw", "a.r16", "a.U16"] {
        check(&write(folder.path(), name, &whole), options.clone(), &heights);
    }
}

#[test]
fn png_pictures_of_8_and_16_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.png");
    let heights = Heights::whole(150, 140);
    let large = Heights { samples: heights.samples.iter().map(|v| v * 257.0).collect(), ..heights };
    write_png(&path, [150, 140], GRAY_16, &large.bytes(|v| (v as u16).to_be_bytes()));
    check(&path, plain(), &large);
    let heights = Heights::whole(65, 66);
    let kind = PngKind { depth: png::BitDepth::Eight, ..GRAY_16 };
    write_png(&path, [65, 66], kind, &heights.bytes(|v| [v as u8]));
    check(&path, plain(), &heights);
}

#[test]
fn a_large_png_picture_is_kept_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.png");
    // 68 MB.
    let heights = Heights::of(33_000, 1030, |column, row| (column * 3 + row * 5) as f64 % 60_000.0);
    write_png(&path, [33_000, 1030], GRAY_16, &heights.bytes(|v| (v as u16).to_be_bytes()));
    let world = open(&path, plain());
    let inside = [32_990.5, 1000.5];
    let part = world.scene_over(&GroundRect { min: inside, max: inside }).expect("a chunk");
    let found = vertices(&part);
    assert_eq!(found.len(), 40 * 65, "the last column is narrower");
    for (key, height) in found {
        let [x, z] = key.map(f32::from_bits);
        assert_eq!(height, (x * 3.0 + z * 5.0) % 60_000.0, "{x} {z}");
    }
}

#[test]
fn tiff_files_of_every_type() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tif");
    let heights = Heights::whole(150, 140);
    let size = [150, 140];
    macro_rules! check_type {
        ($color:ty, $number:ty, $options:expr) => {
            let samples: Vec<$number> = heights.samples.iter().map(|&v| v as $number).collect();
            write_tiff::<$color>(&path, size, $options, &samples);
            check(&path, plain(), &heights);
        };
    }
    for compression in
        [Compression::Uncompressed, Compression::Lzw, Compression::Deflate(DeflateLevel::Fast)]
    {
        let options =
            TiffOptions { compression, rows_per_strip: Some(17), ..TiffOptions::default() };
        check_type!(Gray8, u8, options);
        check_type!(Gray16, u16, options);
        check_type!(GrayI16, i16, options);
        check_type!(Gray32, u32, options);
        check_type!(GrayI32, i32, options);
        check_type!(Gray32Float, f32, options);
        check_type!(Gray64Float, f64, options);
    }
    // All in one strip, which may be higher than the picture.
    for rows in [140, 141, u32::MAX] {
        let options = TiffOptions { rows_per_strip: Some(rows), ..TiffOptions::default() };
        check_type!(Gray32Float, f32, options);
    }
}

#[test]
fn tiff_files_in_tiles() {
    let folder = tempfile::tempdir().expect("a folder");
    let heights = Heights::whole(150, 140);
    for side in [16, 48, 256] {
        let path = write(folder.path(), "a.tiff", &tiled_tiff(&heights, side));
        check(&path, plain(), &heights);
    }
    // Several bands.
    let wide = Heights::whole(5000, 70);
    let path = write(folder.path(), "wide.tif", &tiled_tiff(&wide, 64));
    check(&path, plain(), &wide);
}

#[test]
fn tiles_that_are_left_out_have_no_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let heights = Heights::of(70, 70, |column, row| {
        // The first tile, and one amid others.
        let is_out = column < 16 && row < 16 || column / 16 == 2 && row / 16 == 2;
        if is_out { f64::NAN } else { 3.0 }
    });
    let path = write(folder.path(), "a.tif", &tiled_tiff(&heights, 16));
    let found = |no_data: Option<f64>| {
        let world = open(&path, HeightFileOptions { no_data, ..plain() });
        vertices(&world.scene_over(&EVERYWHERE).expect("all of it"))
    };
    let with_holes = found(Some(-1.0));
    assert_eq!(with_holes.len(), 70 * 70 - 2 * 16 * 16);
    assert!(with_holes.values().all(|height| *height == 3.0));
    let filled = found(None);
    assert_eq!(filled.values().filter(|height| **height == 0.0).count(), 2 * 16 * 16);
    let nothing = Heights::of(20, 20, |_, _| f64::NAN);
    let path = write(folder.path(), "b.tif", &tiled_tiff(&nothing, 16));
    assert!(refused(&path, plain()).ends_with("b.tif: it has no data at all; save it again"));
}

#[test]
fn tags_of_geotiff_say_where_it_is_and_what_is_no_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tif");
    let mut samples = vec![5i16; 4 * 3];
    samples[11] = -9999;
    let options = TiffOptions {
        scale: Some([2.0, 4.0, 0.0]),
        tie: Some([0.0, 0.0, 0.0, 100.0, 500.0, 0.0]),
        no_data: Some("-9999"),
        ..TiffOptions::default()
    };
    write_tiff::<GrayI16>(&path, [4, 3], options, &samples);
    let world = open(&path, HeightFileOptions::default());
    // The corner of the first cell is at 100 to the east and 500 to the north.
    let (low, high) = world.bounds().expect("ground");
    assert_eq!([low, high], [Point3::new(101.0, 5.0, -498.0), Point3::new(107.0, 5.0, -490.0)]);
    assert_eq!(world.outline().report.triangles, 11);
    let moved = HeightFileOptions { origin: Some([0.0, 1.0, 0.0]), ..Default::default() };
    assert_eq!(open(&path, moved).bounds().expect("ground").0, Point3::new(0.0, 6.0, 0.0));

    let degrees = TiffOptions { keys: &[1, 1, 0, 1, 1024, 0, 1, 2], ..options };
    write_tiff::<GrayI16>(&path, [4, 3], degrees, &samples);
    let message = refused(&path, HeightFileOptions::default());
    assert!(
        message.ends_with(
            "a.tif: its places are in degrees; add spacing, in metres, or project it \
                               to metres"
        ),
        "{message}"
    );
    let points = TiffOptions { keys: &[1, 1, 0, 1, 1025, 0, 1, 2], ..options };
    write_tiff::<GrayI16>(&path, [4, 3], points, &samples);
    let world = open(&path, HeightFileOptions::default());
    assert_eq!(world.bounds().expect("ground").0, Point3::new(100.0, 5.0, -500.0));
}

/// What a unit of GeoTIFF is called, and how long it is [m].
const FEET: [(u16, f64); 2] = [(9002, 0.3048), (9003, 1200.0 / 3937.0)];

#[test]
fn geotiff_in_feet_becomes_metres() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("feet.tif");
    let options = TiffOptions {
        scale: Some([10.0, 20.0, 0.0]),
        tie: Some([0.0, 0.0, 0.0, 100.0, 500.0, 0.0]),
        ..TiffOptions::default()
    };
    let write = |keys: &[u16]| {
        write_tiff::<GrayI16>(&path, [4, 3], TiffOptions { keys, ..options }, &[50; 12]);
    };
    let ground = |options: HeightFileOptions| open(&path, options).bounds().expect("ground");
    let default = HeightFileOptions::default;
    for (unit, metres) in FEET {
        let expected = |height: f64, unit: f64| {
            let corner = |x: f64, z: f64| Point3::new(x * unit, height, z * unit).cast::<f32>();
            (corner(105.0, -490.0), corner(135.0, -450.0))
        };
        // Places and heights, heights alone, and places alone.
        write(&[1, 1, 0, 3, 1024, 0, 1, 1, 3076, 0, 1, unit, 4099, 0, 1, unit]);
        assert_eq!(ground(default()), expected(50.0 * metres, metres));
        write(&[1, 1, 0, 2, 3076, 0, 1, 9001, 4099, 0, 1, unit]);
        assert_eq!(ground(default()), expected(50.0 * metres, 1.0));
        write(&[1, 1, 0, 2, 3076, 0, 1, unit, 4099, 0, 1, 9001]);
        assert_eq!(ground(default()), expected(50.0, metres));

        // Nobody knows what heights are in.
        write(&[1, 1, 0, 1, 3076, 0, 1, unit]);
        let message = refused(&path, default());
        let words =
            format!("whether its heights are, too; add height_scale, {metres} for feet or 1");
        assert!(
            message.contains("feet.tif: its places are in feet") && message.contains(&words),
            "{message}"
        );
        let said = HeightFileOptions { height_scale: Some(1.0), ..default() };
        assert_eq!(ground(said), expected(50.0, metres));
        // What the user says is stronger.
        write(&[1, 1, 0, 2, 3076, 0, 1, unit, 4099, 0, 1, unit]);
        let said = HeightFileOptions { height_scale: Some(2.0), ..default() };
        assert_eq!(ground(said), expected(100.0, metres));
        // Degrees have no length, and heights have one all the same.
        write(&[1, 1, 0, 3, 1024, 0, 1, 2, 3076, 0, 1, unit, 4099, 0, 1, unit]);
        let said = HeightFileOptions { spacing: Some([1.0; 2]), ..default() };
        assert_eq!(ground(said).0, Point3::new(0.0, 50.0 * metres, 0.0).cast());
    }
    for (key, what) in [(3076, "places"), (4099, "heights")] {
        write(&[1, 1, 0, 1, key, 0, 1, 9036]);
        let words = format!("feet.tif: its {what} are in unit 9036 of GeoTIFF, which is neither");
        let message = refused(&path, default());
        assert!(message.contains(&words), "{message}");
    }
}
