//! What an update of a level that changes costs, in parts of the whole bake: a crate of 1 m is moved.
//! As a Markdown table. `cargo bench --bench live`.

use std::time::Instant;

use nalgebra::Isometry3;
use surefoot::Agent;
use surefoot_bake::scene::Placement;
use surefoot_bake::{BakeSettings, LiveBake, bake};
use surefoot_testing::{load, name, repository};

/// Each is timed so often; the least counts.
const TURNS: usize = 9;

fn main() {
    println!("| level | cells | spans | cells baked | update | whole bake | part |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (file, cell_size, jumps) in
        [("village.glb", 0.2, false), ("village.glb", 0.2, true), ("two_storeys.glb", 0.1, false)]
    {
        let scene = load(&repository().join("scenes").join(file));
        let drop = if jumps { 3.0 } else { 0.0 };
        let agents = vec![Agent { drop, ..Agent::new("human") }];
        let settings = BakeSettings { cell_size: Some(cell_size), agents, ..Default::default() };
        let mut whole = f64::INFINITY;
        for _ in 0..TURNS {
            let start = Instant::now();
            bake(&scene, &settings, &()).expect("it bakes");
            whole = whole.min(start.elapsed().as_secs_f64());
        }
        let mut live = LiveBake::new(scene, &settings, &()).expect("it bakes");
        let mut parts = live.builder();
        parts.cuboid("moved crate", [0.5; 3], Placement::at([0.0, 1.0, 0.0]));
        let ids = live.add(parts).expect("a crate");
        live.update(&()).expect("it bakes");
        let (mut update, mut cells) = (f64::INFINITY, 0);
        for turn in 0..TURNS {
            let x = 0.1 * turn as f32;
            live.move_to(ids[0], Isometry3::translation(x, 1.0, 0.0)).expect("it is there");
            let start = Instant::now();
            cells = live.update(&()).expect("it bakes").cells_baked;
            update = update.min(start.elapsed().as_secs_f64());
        }
        let what = if jumps { ", drop 3 m" } else { "" };
        println!(
            "| {}{what} | {cell_size} | {} | {cells} | {:.1} ms | {:.1} ms | 1/{:.0} |",
            name(file.as_ref()),
            live.grid().spans().len(),
            1e3 * update,
            1e3 * whole,
            whole / update
        );
    }
}
