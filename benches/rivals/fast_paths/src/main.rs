//! Prepared routes: surefoot's against the contraction hierarchies of the `fast_paths` crate, in
//! one run.
//!
//! `cargo run --release` prepares a Moving AI map and a level with both, asks both the same
//! queries, compares the costs of their paths, and prints a line for each.

mod graph;
mod level;
#[path = "../../pathfinding/src/map.rs"]
#[allow(dead_code, reason = "only its scenarios are read")]
mod map;
mod ours;
#[path = "../../../../tests/support/random.rs"]
#[allow(dead_code, reason = "only some numbers are needed")]
mod random;
mod theirs;

use level::Level;

/// Sums of whole units agree to this part: steps are rounded alike but for the last unit.
const AGREE: f64 = 1e-4;

/// What one side comes to.
pub struct Side {
    /// Until queries can be answered.
    pub seconds: f64,
    /// Of memory, for what is prepared.
    pub bytes: usize,
    /// For all queries, with the spans of each path.
    pub micros: f64,
    /// Of each path [metres-equivalent]; NaN if there is no corridor to compare.
    pub costs: Vec<f64>,
}

fn main() {
    println!("| level | spans | queries | by | prepare, s | query, mean µs | B a span |");
    println!("|---|--:|--:|---|--:|--:|--:|");
    for level in [Level::map(), Level::quake()] {
        let ours = ours::run(&level);
        print(&level, "surefoot", &ours);
        let theirs = theirs::run(&level);
        print(&level, "fast_paths", &theirs);
        for (query, (ours, theirs)) in ours.costs.iter().zip(&theirs.costs).enumerate() {
            let near = ours.is_nan() || (ours - theirs).abs() <= AGREE * theirs;
            assert!(near, "{}, query {query}: {ours} is not {theirs}", level.name);
        }
    }
}

fn print(level: &Level, name: &str, side: &Side) {
    let spans = level.walkable();
    println!(
        "| {} | {spans} | {} | {name} | {:.2} | {:.1} | {} |",
        level.name,
        level.queries.len(),
        side.seconds,
        side.micros / level.queries.len() as f64,
        side.bytes / spans,
    );
}
