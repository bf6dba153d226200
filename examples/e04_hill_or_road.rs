//! What a metre of rise costs decides: over the hill, or round it by the level road.
//!
//! Two bodies walk the same ground, which is made in code. For one only length counts; for the
//! other every metre up costs as much as five metres more. Both are timed, and their climbs
//! compared.
//!
//! `cargo run --example hill_or_road --no-default-features --features draw`
//! draws `target/hill_or_road.png`.

use std::error::Error;

use surefoot::cost::HeightCost;
use surefoot::follow::{FollowSettings, FollowState, Follower, Motion, slide};
use surefoot::navigator::Navigator;
use surefoot::path::Path;
use surefoot::search::Query;
use surefoot::view::View;
use surefoot::{Agent, Cell, GridFrame, NavGrid};
use surefoot_draw::{Way, WayPicture, way_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;
const START: [f32; 3] = [-22.0, 1.0, 0.0];
const GOAL: [f32; 3] = [22.0, 1.0, 0.0];

fn main() -> Result<(), Box<dyn Error>> {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(-120, -80), size_x: 240, size_z: 160 };
    let heights: Vec<f32> =
        (0..frame.cells()).map(|at| ground(frame.center(frame.cell(at)))).collect();
    let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("human")])?;
    let human = grid.agent_id("human").ok_or("no such agent")?;
    let terrain = View::new(&grid, human).ok_or("no such agent")?;

    let (over, over_time) = walk(&terrain, 0.0)?;
    let (round, round_time) = walk(&terrain, 5.0)?;
    for (path, time) in [(&over, over_time), (&round, round_time)] {
        println!("{:.1} m, {:.1} m up: {time:.1} s", path.length(), path.climb());
    }
    assert!(over_time < round_time, "the hill is the shorter way");
    assert!(over.climb() > 3.0 * round.climb(), "the road is the level one");

    let named = |name, path| Way { name, path: Some(path), corridor: None };
    let picture = way_picture(&WayPicture {
        terrain: &terrain,
        title: "What a metre of rise costs",
        ends: [START, GOAL].map(Into::into),
        ways: &[named("rise costs nothing", &over), named("a metre of rise costs 5", &round)],
        expanded: &[],
    });
    std::fs::create_dir_all("target")?;
    picture.image.save("target/hill_or_road.png".as_ref())?;
    Ok(())
}

/// A hill of 7 m, and a level road round it.
fn ground([x, z]: [f32; 2]) -> f32 {
    let from = x.hypot(z - 3.0);
    let hill = 7.0 * (-from * from / 70.0).exp();
    let wild = hill + 0.3 * (0.5 * x + 0.2 * z).sin() + 0.3 * (0.4 * z - 0.15 * x).cos();
    let on_road = (-((from - 15.0) / 2.5).powi(4)).exp();
    wild * (1.0 - on_road) + 0.3 * on_road
}

/// Finds the way by a cost of rise, and walks it. Returns it, and how long it took [s].
fn walk(terrain: &View, ascend: f32) -> Result<(Path, f32), Box<dyn Error>> {
    let (model, mut search) = (HeightCost { ascend, descend: 0.0 }, Navigator::default());
    let answer = search.path(terrain, &model, &Query::new(START, GOAL));
    let path = answer.path().cloned().ok_or("no way")?;
    let mut guide = Guide { terrain, model: &model, search: &mut search, sight: None };
    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_path(&guide, &path);
    let (mut motion, mut time) = (Motion::at(START), 0.0);
    while follower.state() != FollowState::Arrived && time < 60.0 {
        let wanted = follower.step(&mut guide, &motion, DT).velocity;
        let ground = follower.footing().ok_or("no ground underfoot")?;
        let position = slide(terrain, ground, [wanted.x * DT, wanted.z * DT]).point;
        motion = Motion { position, velocity: (position - motion.position) / DT };
        time += DT;
    }
    Ok((path, time))
}
