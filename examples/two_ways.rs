//! Two ways between the same places, one that minds heights and one that does not, in one picture.
//!
//! The ground is made in code: two hills with a pass between them. The way that pays for every
//! metre of rise goes round; the other goes over.
//!
//! `cargo run --example two_ways`

use std::path::Path;

use surefoot::draw::{Way, WayPicture, way_picture};
use surefoot::solve::{HeightCost, Query, Search, Terrain};
use surefoot::{Agent, Cell, GridFrame, NavGrid};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(-120, -80), size_x: 240, size_z: 160 };
    let ground = |x: f32, z: f32| {
        let hill = |x: f32, z: f32, high: f32| high * (-(x * x + z * z) / 60.0).exp();
        hill(x, z + 1.0, 6.0) + hill(x - 16.0, z - 12.0, 4.0) + 0.3 * (0.4 * x).sin()
    };
    let centers = (0..frame.cells()).map(|at| frame.center(frame.cell(at)));
    let heights: Vec<f32> = centers.map(|[x, z]| ground(x, z)).collect();
    let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("human")])?;
    let human = grid.agent_id("human").ok_or("no such agent")?;
    let terrain = Terrain::new(&grid, human).ok_or("no such agent")?;

    let ends = [[-22.0, ground(-22.0, 0.0), 0.0], [22.0, ground(22.0, 0.0), 0.0]];
    let query = Query::new(ends[0], ends[1]);
    let mut search = Search::default();
    let mut way = |ascend| {
        let answer = search.path(&terrain, &HeightCost { ascend, descend: 0.0 }, &query);
        answer.path().cloned().ok_or("no way")
    };
    let (over, round) = (way(0.0)?, way(5.0)?);
    assert!(over.length() < round.length());
    assert!(over.climb() > 2.0 * round.climb());

    let named = |name, path| Way { name, path: Some(path), corridor: None };
    let picture = way_picture(&WayPicture {
        terrain: &terrain,
        title: "What a metre of rise costs",
        ends: ends.map(Into::into),
        ways: &[named("rise costs nothing", &over), named("a metre of rise costs 5", &round)],
        expanded: &[],
    });
    let file = Path::new("target/two_ways.png");
    std::fs::create_dir_all("target")?;
    picture.image.save(file)?;
    println!("{}", file.display());
    Ok(())
}
