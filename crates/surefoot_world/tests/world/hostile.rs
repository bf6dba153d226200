//! Damaged height files: an error or heights, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use surefoot_bake::WorldSource;
use surefoot_world::{HeightFileOptions, WorldFile};
use tiff::encoder::colortype::Gray32Float;
use tiff::encoder::{Compression, DeflateLevel};

use crate::files::{GRAY_16, Heights, TiffOptions, npy, tiled_tiff, write, write_png, write_tiff};
use crate::formats::{EVERYWHERE, plain};

/// A sound file of each format.
fn sound(folder: &std::path::Path) -> Vec<(&'static str, Vec<u8>)> {
    let heights = Heights::whole(20, 18);
    let floats = heights.bytes(|v| (v as f32).to_le_bytes());
    let picture = folder.join("sound.png");
    write_png(&picture, [20, 18], GRAY_16, &heights.bytes(|v| (v as u16).to_be_bytes()));
    let strips = folder.join("sound.tif");
    let samples: Vec<f32> = heights.samples.iter().map(|&v| v as f32).collect();
    let options = TiffOptions {
        compression: Compression::Deflate(DeflateLevel::Fast),
        rows_per_strip: Some(5),
        scale: Some([1.0; 3]),
        tie: Some([0.0; 6]),
        no_data: Some("-1"),
        ..TiffOptions::default()
    };
    write_tiff::<Gray32Float>(&strips, [20, 18], options, &samples);
    let read = |path| std::fs::read(path).expect("bytes");
    vec![
        ("a.npy", npy("<f4", false, [18, 20], &floats)),
        ("a.png", read(picture)),
        ("a.tif", read(strips)),
        ("a.tiff", tiled_tiff(&heights, 16)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_makes_it_panic(
        format in 0usize..4,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in proptest::option::weighted(0.3, any::<prop::sample::Index>()),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let (name, mut bytes) = sound(folder.path()).swap_remove(format);
        for (place, value) in changes {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let path = write(folder.path(), name, &bytes);
        let options = HeightFileOptions { no_data: None, ..plain() };
        let opened = catch_unwind(AssertUnwindSafe(|| {
            let world = WorldFile::of_heights(&path, options).open(&Default::default(), 1 << 30, &())?;
            world.scene_over(&EVERYWHERE)
        }));
        let opened = opened.map_err(|_| TestCaseError::fail("it panicked"))?;
        if let Err(error) = opened {
            let message = error.to_string();
            prop_assert!(message.contains(name) && !message.contains('\n'), "{}", message);
        }
    }
}
