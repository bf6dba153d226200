//! The most memory a bake of 16 million cells takes, over the loaded scene.
//!
//! Each bake runs in a process of its own, this program again, and asks the system what it took
//! (Linux: `VmHWM` in `/proc/self/status`).

use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use surefoot_bake::{BakeSettings, bake};

use crate::levels::{CELL_SIZE, terrain, three_agents};

/// The word that makes this program the process that bakes; the tile size follows.
pub const CHILD: &str = "bake-terrain-with-tiles-of";

const TILE_SIZES: [u32; 3] = [32, 64, 256];

/// Prints the table.
pub fn compare() {
    println!("\n### Memory: the terrain, three agents\n");
    if peak().is_none() {
        println!("skipped: this system does not tell what a process took");
        return;
    }
    println!(
        "| tile | cells | spans | loaded scene | peak over it | bytes a span | the grid itself | time |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|");
    for tile_size in TILE_SIZES {
        let program = env::current_exe().expect("this program has a path");
        let child = Command::new(program).arg(CHILD).arg(tile_size.to_string()).output();
        let child = child.expect("this program can be started");
        assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
        print!("{}", String::from_utf8_lossy(&child.stdout));
    }
}

/// Bakes all of the terrain and prints one row of the table.
pub fn bake_as_child(tile_size: u32) {
    let scene = terrain();
    // Making the scene took more than the scene: forget that. Without it, the peak of the bake
    // would look smaller than it is.
    fs::write("/proc/self/clear_refs", "5").expect("the peak can be reset");
    let before = peak().expect("asked before");
    let agents = three_agents();
    let settings = BakeSettings { cell_size: Some(CELL_SIZE), agents, ..BakeSettings::default() };
    let start = Instant::now();
    let baked = bake(&scene, &BakeSettings { tile_size, ..settings }, &());
    let (seconds, after) = (start.elapsed().as_secs_f64(), peak().expect("asked before"));
    let grid = baked.expect("a sound scene").grid;
    let (cells, spans) = (grid.frame().cells(), grid.spans().len());
    let over = after - before;
    let result = 4 * cells + spans * (16 + 8 * grid.layers().len());
    println!(
        "| {tile_size} | {cells} | {spans} | {:.0} MB | {:.0} MB | **{:.0}** | {:.0} | {seconds:.1} s |",
        before as f64 / 1e6,
        over as f64 / 1e6,
        over as f64 / spans as f64,
        result as f64 / spans as f64,
    );
}

/// The most memory this process took at any one time [bytes]; `None` if the system does not tell.
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: usize = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kilobytes * 1024)
}
