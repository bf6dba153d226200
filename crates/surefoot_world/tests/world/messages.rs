//! What is said of files that cannot be used: one line, the file, and what to do.

use std::path::{Path, PathBuf};

use surefoot_bake::scene::{SceneError, SceneMarks};
use surefoot_testing::repository;
use surefoot_world::{HeightFileOptions, WorldFile};
use tiff::encoder::colortype::{Gray8, Gray64, RGB8};
use tiff::encoder::{Compression, DeflateLevel};

use crate::files::{
    GRAY_16, Heights, PngKind, TiffOptions, npy, write, write_npy, write_png, write_tiff,
};
use crate::formats::{plain, refused};

/// Checks the message of a height file, after its name.
fn check(file: &Path, options: HeightFileOptions, expected: &str) {
    let message = refused(file, options);
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    let (_, message) = message.split_once(&format!("{name}: ")).expect("it names the file");
    assert!(message.starts_with(expected), "{message}\nin place of\n{expected}");
    assert!(!message.contains('\n'));
}

#[test]
fn height_files_that_cannot_be_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = |name: &str, bytes: &[u8]| write(folder.path(), name, bytes);
    check(&folder.path().join("none.npy"), plain(), "No such file");
    check(&bytes("a.txt", b""), plain(), "it is no height file; use .png");
    check(&bytes("a.npy", b"\x93NUMPY\x01\x00"), plain(), "it ends within its header");
    check(&bytes("a.npy", b"no numpy file"), plain(), "it is no NumPy file");
    check(&bytes("a.npy", b"\x93NUMPY\x09\x00    "), plain(), "its format is newer");
    check(&bytes("a.npy", b"\x93NUMPY\x02\x00\0\0\0\x7f"), plain(), "its header is too long");
    check(&bytes("a.npy", b"\x93NUMPY\x01\x00\x01\0\xff"), plain(), "its header is damaged");
    let sized = |shape, samples: &[u8]| bytes("a.npy", &npy("<f4", false, shape, samples));
    check(
        &sized([4, 4], &[0; 63]),
        plain(),
        "it has 191 bytes, but 4 x 4 samples of 4 bytes each take 192",
    );
    check(&sized([0, 4], &[]), plain(), "it has 4 columns and 0 rows; both must be from 2");
    check(&sized([1, 4], &[0; 16]), plain(), "it has 4 columns and 1 rows");
    check(&sized([1_000_000, 1_000_000], &[]), plain(), "it has 1000000000000 samples, of at most");
    check(&sized([usize::MAX, 2], &[]), plain(), "it has 2 columns and 18446744073709551615 rows");
    let no_size = HeightFileOptions { size: None, ..plain() };
    check(&bytes("a.f32", &[0; 16]), no_size, "a raw file does not say how large it is");
    let sized = HeightFileOptions { size: Some([3, 2]), ..plain() };
    check(
        &bytes("a.r16", &[0; 13]),
        sized.clone(),
        "it has 13 bytes, but 3 x 2 samples of 2 bytes each take 12; check its size",
    );
    let file = write_npy(folder.path(), "a.npy", &Heights::whole(3, 2));
    check(&file, sized, "only raw files (.f32, .raw, .r16) take a size");
}

#[test]
fn pictures_that_cannot_be_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.png");
    let kind = PngKind { color: png::ColorType::Rgb, depth: png::BitDepth::Eight, ..GRAY_16 };
    write_png(&path, [2, 2], kind, &[0; 12]);
    check(&path, plain(), "it is Rgb with 8 bits; save it as grayscale with 16 bits");
    write_png(&path, [2, 2], PngKind { transparent: Some(&[0, 0]), ..GRAY_16 }, &[0; 8]);
    check(&path, plain(), "it has a transparent color");
    write_png(&path, [2, 2], GRAY_16, &[0; 8]);
    let sound = std::fs::read(&path).expect("bytes");
    write(folder.path(), "a.png", &sound[..sound.len() - 20]);
    check(&path, plain(), "it is damaged (");
    // Interlaced, with the checksum of that header.
    let mut interlaced = sound.clone();
    interlaced[28] = 1;
    let crc = crc32(&interlaced[12..29]);
    interlaced[29..33].copy_from_slice(&crc.to_be_bytes());
    write(folder.path(), "a.png", &interlaced);
    check(&path, plain(), "it is interlaced; save it without interlacing");
    let mut claims = sound;
    claims[16..24].copy_from_slice(&[0, 15, 0, 0, 0, 0, 60, 0]);
    let crc = crc32(&claims[12..29]);
    claims[29..33].copy_from_slice(&crc.to_be_bytes());
    write(folder.path(), "a.png", &claims);
    check(&path, plain(), "it claims 983040 x 15360 samples, more than its");
}

/// The checksum of a chunk of a picture.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[test]
fn tiff_files_that_cannot_be_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.tif");
    write_tiff::<RGB8>(&path, [2, 2], TiffOptions::default(), &[0; 12]);
    check(&path, plain(), "its samples are RGB(8); save one band of heights");
    write_tiff::<Gray64>(&path, [2, 2], TiffOptions::default(), &[0; 4]);
    check(&path, plain(), "its numbers are of a type that heights do not have");
    let no_data = TiffOptions { no_data: Some("none"), ..TiffOptions::default() };
    write_tiff::<Gray8>(&path, [2, 2], no_data, &[0; 4]);
    check(&path, plain(), "its tag for no data is \"none\", which is no number");
    let backwards = TiffOptions {
        scale: Some([1.0, -1.0, 0.0]),
        tie: Some([0.0; 6]),
        ..TiffOptions::default()
    };
    write_tiff::<Gray8>(&path, [2, 2], backwards, &[0; 4]);
    check(&path, plain(), "its tags say that samples are 1 and -1 m apart");
    let large = TiffOptions {
        compression: Compression::Deflate(DeflateLevel::Fast),
        rows_per_strip: Some(u32::MAX),
        ..TiffOptions::default()
    };
    write_tiff::<Gray8>(&path, [8193, 8192], large, &vec![0; 8193 * 8192]);
    check(&path, plain(), "a strip or tile of it takes more than 256 MiB; save it in tiles");
    write(folder.path(), "a.tif", b"II\x2a\0");
    check(&path, plain(), "it ends early");
    write(folder.path(), "a.tif", b"a picture");
    check(&path, plain(), "it is damaged (");
}

#[test]
fn options_that_make_no_sense() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write_npy(folder.path(), "a.npy", &Heights::whole(3, 3));
    let options = |change: &dyn Fn(&mut HeightFileOptions)| {
        let mut options = plain();
        change(&mut options);
        options
    };
    let refused = |change: &dyn Fn(&mut HeightFileOptions), expected: &str| {
        check(&file, options(change), expected);
    };
    refused(&|o| o.spacing = None, "it does not say how far its samples are apart; add spacing");
    refused(
        &|o| o.spacing = Some([1.0, 0.0]),
        "its spacing is [1.0, 0.0] m; it must be more than 0",
    );
    refused(&|o| o.height_scale = Some(0.0), "its height_scale is 0; it must not be 0");
    refused(&|o| o.height_offset = f64::NAN, "its origin or height_offset is no number");
    refused(
        &|o| o.origin = Some([0.0, 0.0, 2e7]),
        "it lies out to z = 20000002 m, of at most 10000000; set",
    );
    refused(
        &|o| o.origin = Some([4_190_000.0, 0.0, 0.0]),
        "it lies out to x = 4190002 m, where numbers are 0.25 m apart",
    );
    refused(
        &|o| o.height_scale = Some(1e6),
        "the sample at column 2, row 0 is 14; if that stands for no data",
    );
    refused(&|o| o.cost = Some(2.0), "its cost has no effect without an area; name one");
    let whole = write(folder.path(), "b.npy", &npy("|u1", false, [2, 2], &[0; 4]));
    let no_scale = HeightFileOptions { height_scale: None, ..plain() };
    check(&whole, no_scale, "its heights are whole numbers in an unknown unit; add height_scale");
    let odd =
        Heights::of(70, 70, |column, row| if column + row == 138 { f64::INFINITY } else { 0.0 });
    let odd = write_npy(folder.path(), "c.npy", &odd);
    check(&odd, plain(), "the sample at column 69, row 69 is inf");
}

/// The message that a world gives when it is read and opened, after the name of its folder.
fn world_message(folder: &Path, text: &str) -> String {
    let path = write(folder, "world.toml", text.as_bytes());
    let opened = |world: WorldFile| world.open(&SceneMarks::default(), 1 << 30, &());
    let error: SceneError = WorldFile::read(&path).and_then(opened).expect_err(text);
    let message = error.to_string();
    assert!(!message.contains('\n'), "{message}");
    let folder = format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR);
    message.replace(&folder, "")
}

#[test]
fn world_files_that_cannot_be_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |text: &str, expected: &str| {
        let message = world_message(folder.path(), text);
        assert!(message.starts_with(expected), "{message}\nin place of\n{expected}");
    };
    refused(
        "name = 'a'\nnames = 'b'",
        "world.toml: line 2: unknown field `names`, expected one of",
    );
    refused("a = [", "world.toml: line 1: ");
    refused("name = 'a'", "world.toml: line 1: there is nothing in this world; add [[scenes]]");
    refused("[[scenes]]\nname = 'a'", "world.toml: line 1: missing field `file`");
    refused(
        "\n[[scenes]]\nfile = 'a.glb'\nplaces = 3",
        "world.toml: line 4: expected a list of places",
    );
    refused(
        "\n[[scenes]]\nfile = 'a.glb'\nplaces = [[1, 2, 3], [1, 2]]",
        "world.toml: line 2: place 2: it has 2 numbers; a place is x, y, z, turn, scale",
    );
    refused(
        "[[scenes]]\nfile = 'a.glb'\nname = ''",
        "world.toml: line 1: the scene's name is empty",
    );
    refused("[[scenes]]\nfile = 'a.glb'", "a.glb: No such file");
    refused("[[scenes]]\nfile = 'a.glb'\nplaces = 'a.csv'", "a.csv: No such file");
    let places = |text: &[u8], expected: &str| {
        write(folder.path(), "a.csv", text);
        refused("[[scenes]]\nfile = 'a.glb'\nplaces = 'a.csv'", expected);
    };
    places(b"x,y,z\n1,2,3\nx,y,z\n", "a.csv: line 3: \"x\" is not a number");
    places(b"# none\n1,2\n", "a.csv: line 2: it has 2 numbers");
    places(b"1,2,3\n\n1,2,3,4,-1 # large\n", "a.csv: line 3: its scale is -1; it must be from");
    places(b"1,2,3\n\xff", "a.csv: line 2: it is no UTF-8 text; save it as UTF-8");
    refused(
        "[[terrain]]\nfile = 'a.npy'\nspacing = 'far'",
        "world.toml: line 3: expected metres between",
    );
    refused(
        "[[terrain]]\nfile = 'a.npy'\ncost = 'much'",
        "world.toml: line 3: expected a number or \"forbidden\"",
    );
    refused(
        "[[terrain]]\nfile = 'a.npy'\nname = ''",
        "world.toml: line 1: the terrain's name is empty",
    );
    refused("[[terrain]]\nfile = 'a.npy'\nsize = [-1, 2]", "world.toml: line 3: ");
    refused("[[terrain]]\nfile = 'a.npy'", "a.npy: No such file");
    refused("origin = [1, 2]", "world.toml: line 1: invalid length 2");
}

#[test]
fn files_of_a_world_that_disagree_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let heights = Heights::whole(3, 3);
    write_npy(folder.path(), "a.npy", &heights);
    let tagged: PathBuf = repository().join("scenes/tagged.gltf");
    let text = |cost: &str| {
        format!(
            "[[scenes]]\nfile = '{}'\n[[terrain]]\nfile = 'a.npy'\nspacing = 1\narea = 'marsh'\n{cost}",
            tagged.display()
        )
    };
    let message = world_message(folder.path(), &text("cost = 2"));
    assert!(
        message.starts_with("a.npy: the area \"marsh\" costs 2 here, but costs 4 in "),
        "{message}"
    );
    assert!(message.contains("tagged.gltf; make them equal"), "{message}");
    let message = world_message(folder.path(), &text("cost = 'forbidden'"));
    assert!(message.contains("is forbidden here, but costs 4 in"), "{message}");
    // A terrain that says no cost takes that of the scene.
    let path = write(folder.path(), "world.toml", text("").as_bytes());
    let world = WorldFile::read(&path).expect("a world");
    world.open(&SceneMarks::default(), 1 << 30, &()).expect("they agree");
}

#[test]
fn opening_can_be_cancelled() {
    struct Impatient;
    impl surefoot::Observer for Impatient {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = write_npy(folder.path(), "a.npy", &Heights::whole(70, 70));
    let world = WorldFile::of_heights(&file, plain());
    let error = world.open(&SceneMarks::default(), 1 << 30, &Impatient).expect_err("cancelled");
    assert!(matches!(error, SceneError::Cancelled(_)), "{error}");
}
