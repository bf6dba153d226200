//! The tiled caster against plain calls to rapier, one thread: the same bake with either.

use surefoot_bake::bake_with;
use surefoot_bake::casts::{Caster, CollisionWorld, RapierCaster, TiledCaster};

use crate::levels::Level;
use crate::threads::pool;
use crate::timing::{alternate, millis, ratio, time};

/// Side of the part of the terrain that is baked [m]: all of it would take rapier too long.
const WINDOW: f32 = 100.0;
const TURNS: usize = 3;

/// Prints the table.
pub fn compare() {
    println!("\n### The tiled caster against plain rapier calls, three agents, one thread\n");
    println!(
        "| level | triangles | cells | index: rapier, tiled | rapier, a cell | tiled, a cell | ratio |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for level in Level::all(WINDOW) {
        pool(1).install(|| compare_on(&level));
    }
}

fn compare_on(level: &Level) {
    let world = CollisionWorld::new(&level.scene).expect("a sound scene");
    let (mut tiled, mut rapier) = (None, None);
    let tiled_index = time(&mut || tiled = Some(TiledCaster::new(&world)));
    let rapier_index = time(&mut || rapier = RapierCaster::new(&world).ok());
    let (tiled, rapier) = (tiled.expect("made above"), rapier.expect("a sound scene"));
    let (mut cells, mut slow_cells) = (0, 0);
    let [slow, fast] = alternate(
        TURNS,
        [&mut || slow_cells = bake(level, &rapier), &mut || cells = bake(level, &tiled)],
    );
    assert_eq!(cells, slow_cells);
    println!(
        "| {} | {} | {cells} | {:.0}, {:.0} ms | {:.2} µs | {:.2} µs | **{:.1}** |",
        level.name,
        level.scene.triangle_count(),
        millis(rapier_index),
        millis(tiled_index),
        millis(slow) * 1e3 / cells as f64,
        millis(fast) * 1e3 / cells as f64,
        ratio(slow, fast),
    );
}

/// Returns the number of cells baked.
fn bake<C: Caster>(level: &Level, caster: &C) -> usize {
    let baked = bake_with(&level.scene, caster, &level.settings(), &());
    baked.expect("a sound scene").grid.frame().cells()
}
