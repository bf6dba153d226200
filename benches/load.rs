//! Loading a grid of a million spans, against reading and unpacking its bytes, in one run.
//!
//! `cargo bench --no-default-features --bench load`

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use flate2::{Decompress, FlushDecompress};
use surefoot::{Agent, Cell, GridFrame, NavGrid};

const SIDE: u32 = 1000;
const RUNS: usize = 15;

fn main() {
    let grid = terrain();
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("terrain.navgrid");
    let save = best_of(1, || grid.save(&path).expect("the folder can be written"));
    let size = fs::metadata(&path).expect("the file was written").len();
    let unpack = best_of(RUNS, || assert!(read_and_unpack(&path) > 0));
    let load = best_of(RUNS, || NavGrid::load(&path).expect("what was saved loads"));
    let clone = best_of(RUNS, || grid.parts().clone());
    let validate = best_of(RUNS, || NavGrid::new(grid.parts().clone()).expect("valid"));
    let validate = validate.saturating_sub(clone);
    let standings = grid.spans().len() * grid.layers().len();
    let each = validate.as_nanos() as f64 / standings as f64;
    let ratio = load.as_secs_f64() / unpack.as_secs_f64();
    println!("{} spans, {} agents, {size} bytes", grid.spans().len(), grid.layers().len());
    println!("save                {save:>12.1?}");
    println!("read and unpack     {unpack:>12.1?}");
    println!("validate            {validate:>12.1?}, {each:.1} ns a span and agent");
    println!("load                {load:>12.1?}");
    println!("load over read and unpack: {ratio:.2} (at most 3)");
}

/// Rolling hills with scattered holes, for three agents.
fn terrain() -> NavGrid {
    let frame =
        GridFrame { cell_size: 0.25, min: Cell::new(-500, -500), size_x: SIDE, size_z: SIDE };
    let height = |index: u32| {
        let (x, z) = ((index % SIDE) as f32 * 0.25, (index / SIDE) as f32 * 0.25);
        let hole = (index.wrapping_mul(2_654_435_761) >> 16).is_multiple_of(200);
        let hills =
            (x * 0.13).sin() * 3.0 + (z * 0.17).cos() * 2.0 + (x * 1.3 + z * 0.7).sin() * 0.3;
        if hole { f32::NAN } else { hills }
    };
    let heights: Vec<f32> = (0..SIDE * SIDE).map(height).collect();
    NavGrid::from_heights(frame, &heights, &Agent::default_set()).expect("sound heights")
}

/// The least any reader has to do; returns the number of bytes unpacked.
fn read_and_unpack(path: &Path) -> usize {
    let bytes = fs::read(path).expect("the file was written");
    let number =
        |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes")) as usize;
    let (mut at, mut sum) = (32, 0);
    while at < bytes.len() {
        let (stored, raw) = (number(at + 8), number(at + 16));
        let mut unpacked = Vec::with_capacity(raw + 16);
        Decompress::new(false)
            .decompress_vec(
                &bytes[at + 32..at + 32 + stored],
                &mut unpacked,
                FlushDecompress::Finish,
            )
            .expect("a sound section");
        sum += unpacked.len();
        at += 32 + stored;
    }
    sum
}

/// The shortest of some runs; what a run made is dropped when the clock has stopped.
fn best_of<T>(runs: usize, mut run: impl FnMut() -> T) -> Duration {
    let once = |_| {
        let start = Instant::now();
        let made = run();
        let took = start.elapsed();
        drop(made);
        took
    };
    (0..runs).map(once).min().unwrap_or_default()
}
