//! Two threads against one: whole bakes, from a loaded scene to a grid.

use std::cell::Cell;

use rayon::{ThreadPool, ThreadPoolBuilder};
use surefoot_bake::bake;

use crate::levels::Level;
use crate::timing::{alternate, millis, ratio};

/// Side of the part of the terrain that is baked [m].
const WINDOW: f32 = 500.0;
const TURNS: usize = 15;

/// Prints the table.
pub fn compare() {
    println!("\n### Two threads against one, three agents\n");
    println!("| level | cells | one thread | two threads | ratio |");
    println!("|---|--:|--:|--:|--:|");
    for level in Level::all(WINDOW) {
        let (settings, cells) = (level.settings(), Cell::new(0));
        let bake_in = |pool: &ThreadPool| {
            let baked = pool.install(|| bake(&level.scene, &settings, &()));
            cells.set(baked.expect("a sound scene").grid.frame().cells());
        };
        let (single, double) = (pool(1), pool(2));
        let [one, two] = alternate(TURNS, [&mut || bake_in(&single), &mut || bake_in(&double)]);
        let cells = cells.get();
        let (name, ratio) = (level.name, ratio(one, two));
        let [one, two] = [one, two].map(millis);
        println!("| {name} | {cells} | {one:.0} ms | {two:.0} ms | **{ratio:.2}** |");
    }
}

/// A pool of some threads.
pub fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
}
