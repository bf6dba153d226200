//! A path across a world of which only a small part is in memory.
//!
//! A square kilometre of hills with houses is baked tile by tile into one `.navworld`. What it costs to cross
//! each tile is in it, so the cost of a path from one end to the other is known before anything between is
//! loaded, and so are the places where it crosses the borders of tiles. Whoever walks it asks for the path to
//! the farthest of those that is loaded, again and again.
//!
//! `cargo run --example e18_far_path` draws `target/far_path.png`.

use std::error::Error;
use std::path::Path;

use nalgebra::Point3;
use surefoot::world::{FarJourney, World, WorldBudget};
use surefoot::{Agent, AgentId, NavGrid, Navigator, View};
use surefoot_bake::BakeSettings;
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};
use surefoot_testing::repository;
use surefoot_world::{WorldJobs, WorldPlan, WorldRequest, WorldStore, all_seams, pack};

const HUMAN: AgentId = AgentId(0);
/// After so much of a path the walker looks again what is loaded [m].
const STAGE: f32 = 40.0;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("valley.navworld");
    bake_valley(&folder.path().join("tiles"), &file)?;

    let mut world = World::open(&file)?;
    world.set_budget(WorldBudget { bytes: 8 << 20, ..WorldBudget::default() });
    let routes = world.far_routes("human")?;
    let start = ground_near(&world, [20.0, 512.0])?;
    let end = ground_near(&world, [1000.0, 300.0])?;
    let far = world.far_path(&routes, start, end)?;
    let kilobytes = routes.bytes() >> 10;
    println!(
        "far path: cost {:.1}, {} crossings; {kilobytes} KB of border costs",
        far.cost,
        far.gates.len()
    );

    let mut journey = FarJourney::new(&far, end);
    let (mut at, mut goal, mut length, mut most) = (start, start, 0.0, 0);
    let mut points = vec![at];
    while at != end {
        world.set_interest(&[at])?;
        let Some(grid) = world.wait().or_else(|| world.grid().cloned()) else {
            return Err("there is no ground".into());
        };
        most = most.max(world.loaded().count());
        // The farthest crossing that loaded ground leads to.
        goal = journey.next_goal(&world, at).unwrap_or(goal);
        let mut nav = Navigator::new(grid, HUMAN)?;
        let path = nav.path(at, goal)?;
        let mut walked = 0.0;
        for next in path.track() {
            walked += (next.point - at).norm();
            length += (next.point - at).norm();
            at = next.point;
            points.push(at);
            if walked > STAGE && !journey.is_last() {
                break;
            }
        }
        if journey.is_last() {
            at = end;
        }
    }
    let tiles = world.tiles().unwrap_or(0);
    println!("walked {length:.1} m; at most {most} of {tiles} tiles were loaded");

    let (low, high) = world.info().frame.bounds();
    let whole = world.load([low[0], low[1], high[0], high[1]])?;
    check_against(&whole, [start, end], far.cost)?;
    draw(&whole, points)
}

/// The far cost is a little more than the least, since paths have to pass through gates.
fn check_against(
    whole: &NavGrid,
    [start, end]: [Point3<f32>; 2],
    far: f32,
) -> Result<(), Box<dyn Error>> {
    let mut nav = Navigator::new(whole.clone(), HUMAN)?;
    let spans = [start, end].map(|at| whole.nearest_walkable(HUMAN, at, 1.0));
    let [Some((from, _)), Some((to, _))] = spans else { return Err("no ground".into()) };
    nav.prepare()?;
    let least = nav.table(&[from], &[to]).ok_or("it is prepared")?[0];
    println!("the least cost over the whole grid: {least:.1}, {:.4} of the far cost", least / far);
    assert!(least <= 1.001 * far && far < 1.03 * least);
    Ok(())
}

/// Bakes the world tile by tile, and packs it into one file.
fn bake_valley(store: &Path, file: &Path) -> Result<(), Box<dyn Error>> {
    let settings = BakeSettings {
        cell_size: Some(1.0),
        agents: vec![Agent { radius: 0.5, ..Agent::new("human") }],
        ..BakeSettings::default()
    };
    let request = WorldRequest::new(repository().join("scenes/valley/world.toml"), settings);
    let request = WorldRequest { tile_side: 128, ..request };
    let source = request.open(&())?;
    let store = WorldStore::in_folder(store)?;
    let plan = WorldPlan::new(&*source, request, &())?;
    WorldJobs::new(&*source, &plan, &store)?.all_tiles(&())?;
    all_seams(&plan, &store, &())?;
    pack(&plan, &store, file, &())?;
    Ok(())
}

/// Returns the ground near a place (x, z) [m].
fn ground_near(world: &World, [x, z]: [f32; 2]) -> Result<Point3<f32>, Box<dyn Error>> {
    let tile = world.tile(world.info().place_at(x, z))?.ok_or("no tile there")?;
    let height = tile.column(tile.frame().cell_at(x, z)).first().ok_or("no ground there")?.floor;
    let (_, point) = tile
        .nearest_walkable(HUMAN, Point3::new(x, height, z), 10.0)
        .ok_or("nobody can stand there")?;
    Ok(point)
}

fn draw(whole: &NavGrid, points: Vec<Point3<f32>>) -> Result<(), Box<dyn Error>> {
    let view = View::new(whole, HUMAN)?;
    let tracks = [Track { points, radius: 0.5, end: TrackEnd::Arrived }];
    let picture = track_picture(&TrackPicture {
        view: &view,
        title: "Across a square kilometre, tile by tile",
        tracks: &tracks,
        interval: 0.3,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/far_path.png"))?;
    Ok(())
}
