//! Builds a grid from a text map, saves it, loads it, and looks places up: all a program does that
//! only uses baked grids. It needs no physics and no glTF (`default-features = false`).
//!
//! `cargo run --example load_a_grid --no-default-features`

use std::error::Error;
use std::path::Path;

use surefoot::grid::Dir;
use surefoot::{Agent, AgentId, NavGrid};

/// In the format of the Moving AI benchmarks: `.` is floor, `@` is nothing.
const MAP: &str = "type octile\nheight 5\nwidth 8\nmap\n\
    ........\n\
    ..@@@@..\n\
    ..@..@..\n\
    ..@@@@..\n\
    ........\n";

fn main() -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all("target")?;
    let file = Path::new("target/map.navgrid");
    NavGrid::from_map(MAP, 1.0, &[Agent::new("walker")])?.save(file)?;

    let grid = NavGrid::load(file)?;
    let walker = AgentId(0);
    let corner = grid.span_at([0.5, 0.0, 0.5], 0.5).ok_or("floor in the corner")?;
    let (inside, _) = grid.nearest_walkable(walker, [3.4, 0.0, 2.5], 1.0).ok_or("floor inside")?;

    let neighbors = Dir::ALL.iter().filter_map(|&dir| grid.neighbor(walker, corner, dir));
    println!("the corner has {} neighbors", neighbors.count());
    println!("regions: {:?} outside, {:?} inside", region(&grid, corner), region(&grid, inside));
    assert_ne!(region(&grid, corner), region(&grid, inside), "walls part them");

    let clearance = grid.clearance(walker, corner).ok_or("a span has a clearance")?;
    println!("clearance in the corner: {clearance} m");
    assert_eq!(clearance, 0.5);
    Ok(())
}

fn region(grid: &NavGrid, span: surefoot::SpanId) -> Option<surefoot::grid::RegionId> {
    grid.region(AgentId(0), span)
}
