//! A world that is larger than what is in memory: a village is baked tile by tile, and a crowd walks through
//! it while only the tiles around it are loaded.
//!
//! Every frame the program says where its members are. Now and then the world answers with a grid of the
//! tiles around them, and the crowd goes on to it. A goal beyond the loaded tiles is reached step by step:
//! by goals on the straight line to it.
//!
//! `cargo run --example e17_stream_a_world`

use std::error::Error;
use std::path::Path;

use nalgebra::Point3;
use surefoot::crowd::MemberId;
use surefoot::follow::FollowSettings;
use surefoot::world::{World, WorldBudget, WorldInfo, WorldWriter};
use surefoot::{Agent, AgentId, Crowd, HeightCost, NavGrid};
use surefoot_bake::{BakeSettings, SceneSource, WorldTiling};
use surefoot_testing::{load, repository};

const DT: f32 = 1.0 / 30.0;
const HUMAN: AgentId = AgentId(0);

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("village.navworld");
    write_village(&path)?;
    println!("{} KB", std::fs::metadata(&path)?.len() >> 10);

    let mut world = World::open(&path)?;
    world.set_budget(WorldBudget { bytes: 2 << 20, ..WorldBudget::default() });
    let (low, high) = world.info().frame.bounds();
    let start = Point3::new(low[0] + 8.0, 0.0, 0.5 * (low[1] + high[1]));
    let end = Point3::new(high[0] - 8.0, 0.0, start.z);
    world.set_interest(&[start])?;
    let grid = world.wait().ok_or("there is no ground")?;

    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let mut ids = Vec::new();
    for at in 0..8 {
        let place = Point3::new(start.x, 0.0, start.z + 1.2 * at as f32 - 4.2);
        let place = grid.nearest_walkable(HUMAN, place, 8.0).ok_or("no ground near the start")?.1;
        ids.push(crowd.add(HUMAN, place, FollowSettings::default())?);
    }
    let (mut grids, mut most) = (1, 0);
    for step in 0..20_000 {
        let positions: Vec<Point3<f32>> = crowd.members().map(|member| member.position()).collect();
        if positions.iter().all(|at| at.x > end.x - 12.0) {
            println!("{:.0} s over {grids} grids", step as f32 * DT);
            break;
        }
        world.set_interest(&positions)?;
        // A game calls `update`, which never waits; `wait` makes every run the same.
        if let Some(grid) = world.wait() {
            let lost = crowd.set_grid(&grid)?;
            assert!(lost.is_empty(), "the tiles under all members are loaded");
            grids += 1;
            most = most.max(world.loaded().count());
        }
        if step % 60 == 0 {
            for &id in &ids {
                send_on(&mut crowd, id, end)?;
            }
        }
        crowd.step(DT);
    }
    let tiles = world.tiles().unwrap_or(0);
    println!("at most {most} of {tiles} tiles were loaded");
    assert!(crowd.members().all(|member| member.position().x > end.x - 12.0), "all cross");
    assert!(grids > 5 && (most as u64) < tiles);
    Ok(())
}

/// Bakes the village in tiles, and writes each before the next is baked.
fn write_village(path: &Path) -> Result<(), Box<dyn Error>> {
    let scene = load(&repository().join("scenes/village.glb"));
    let source = SceneSource::new(scene)?;
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.25), agents, ..BakeSettings::default() };
    let tiling = WorldTiling::new(&source, &settings, 64)?;
    let info = WorldInfo::of_tile(&tiling.bake_tile(&source, 0, &())?, *tiling.frame(), 64);
    let first = info.first_place();
    let mut writer = WorldWriter::create(path, info)?;
    for place in writer.order() {
        let (column, row) = ((place.x - first.x) as usize, (place.z - first.z) as usize);
        let tile = tiling.bake_tile(&source, row * tiling.columns() + column, &())?;
        if !tile.spans().is_empty() {
            writer.tile(place, &tile)?;
        }
    }
    Ok(writer.finish()?)
}

/// Sends a member towards the end: to the farthest place on the straight line that it can reach on the
/// loaded ground.
fn send_on(crowd: &mut Crowd, id: MemberId, end: Point3<f32>) -> Result<(), Box<dyn Error>> {
    let Some(member) = crowd.member(id) else { return Err("a member is lost".into()) };
    let (at, grid): (_, &NavGrid) = (member.position(), crowd.grid());
    let own = member.span().and_then(|span| grid.region(HUMAN, span));
    let way = Point3::new(end.x, at.y, end.z) - at;
    let mut places = (1..=8).rev().filter_map(|part| {
        let place = at + way * (part as f32 * 5.0 / way.norm()).min(1.0);
        grid.nearest_walkable(HUMAN, place, 3.0)
    });
    let goal = places.find(|(span, _)| grid.region(HUMAN, *span) == own);
    if let Some((_, goal)) = goal {
        crowd.set_goal(id, goal)?;
    }
    Ok(())
}
