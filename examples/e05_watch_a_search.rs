//! A search, step by step: from corner to corner of a random map.
//!
//! The picture is an animated PNG. It shows what a search with diagonal steps reaches and expands,
//! from first to last, and at the end its path and that of a search without diagonals, both
//! with the corridors they were straightened from.
//!
//! `cargo run --example e05_watch_a_search` draws `target/watch_a_search.png`.

use std::error::Error;
use std::path::Path;

use surefoot::cost::CellCost;
use surefoot::search::{Outcome, Query};
use surefoot::view::Directions;
use surefoot::{NavGrid, Navigator};
use surefoot_draw::{DrawnPath, PathPicture, Recording, film};

const WIDTH: u32 = 48;
const HEIGHT: u32 = 32;
/// Share of the cells that are obstacles [%].
const OBSTACLES: u32 = 30;

fn main() -> Result<(), Box<dyn Error>> {
    let grid = NavGrid::from_map(&random_map(3), 1.0, &[])?;
    let mut nav = Navigator::with_model(grid, "human", CellCost::ten_fourteen(1.0))?;
    let ends = [[0.5, 0.0, 0.5], [WIDTH as f32 - 0.5, 0.0, HEIGHT as f32 - 0.5]];

    let mut watch = |directions| {
        let query = Query { directions, ..Query::new(ends[0], ends[1]) };
        let recording = Recording::of(&mut nav, &query);
        let path = nav.finish().path().cloned();
        (recording, nav.corridor().clone(), path)
    };
    let [(straight, by_four, path_by_four), (diagonal, by_eight, path_by_eight)] =
        [Directions::Four, Directions::Eight].map(&mut watch);
    println!("4 directions: cost {}, {} expanded", by_four.cost(), straight.expanded().len());
    println!("8 directions: cost {}, {} expanded", by_eight.cost(), diagonal.expanded().len());
    assert!(by_eight.cost() < by_four.cost(), "diagonals are shorter");
    assert_eq!(by_four.cost(), 10.0 * (by_four.spans().len() - 1) as f32, "10 a step");

    let drawn = |name, path, corridor| DrawnPath {
        name,
        path,
        corridor: Some(corridor),
        outcome: Outcome::Complete,
    };
    let paths = [
        drawn("8 directions", path_by_eight.as_ref().ok(), &by_eight),
        drawn("4 directions", path_by_four.as_ref().ok(), &by_four),
    ];
    let picture = PathPicture {
        view: nav.view(),
        title: "A random map",
        ends: ends.map(Into::into),
        paths: &paths,
        expanded: &[],
    };
    std::fs::create_dir_all("target")?;
    film(&picture, &diagonal)?.save(Path::new("target/watch_a_search.png"))?;
    Ok(())
}

/// A map in the format of the Moving AI benchmarks; `.` is floor, `@` is none.
fn random_map(seed: u32) -> String {
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let mut map = format!("type octile\nheight {HEIGHT}\nwidth {WIDTH}\nmap\n");
    for at in 1..=WIDTH * HEIGHT {
        let is_end = at == 1 || at == WIDTH * HEIGHT;
        let is_free = is_end || random() % 100 >= OBSTACLES;
        map.push(if is_free { '.' } else { '@' });
        if at % WIDTH == 0 {
            map.push('\n');
        }
    }
    map
}
