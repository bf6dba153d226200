//! The cost of rise decides: over the hill, or around it by the level road.
//!
//! Two agents walk the same ground, which is made in code. For one only length counts; for the
//! other a metre of rise costs as much as five metres of length. Both are timed, and their climbs
//! are compared.
//!
//! `cargo run --example e04_hill_or_road` draws `target/hill_or_road.png`.

use std::error::Error;

use surefoot::follow::{FollowSettings, FollowState, Follower, Motion, slide};
use surefoot::search::Outcome;
use surefoot::{Agent, Cell, GridFrame, HeightCost, NavGrid, Navigator, Path};
use surefoot_draw::{DrawnPath, PathPicture, path_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;
const START: [f32; 3] = [-22.0, 1.0, 0.0];
const GOAL: [f32; 3] = [22.0, 1.0, 0.0];

fn main() -> Result<(), Box<dyn Error>> {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(-120, -80), size_x: 240, size_z: 160 };
    let heights: Vec<f32> =
        (0..frame.cells()).map(|at| ground(frame.center(frame.cell(at)))).collect();
    let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("human")])?;
    let mut nav = Navigator::new(grid, "human")?;

    let (over, over_time) = walk(&mut nav, 0.0)?;
    let (around, around_time) = walk(&mut nav, 5.0)?;
    for (path, time) in [(&over, over_time), (&around, around_time)] {
        println!("{:.1} m, {:.1} m up: {time:.1} s", path.length(), path.climb());
    }
    assert!(over_time < around_time, "the path over the hill is shorter");
    assert!(over.climb() > 3.0 * around.climb(), "the road is the level one");

    let named = |name, path| DrawnPath {
        name,
        path: Some(path),
        corridor: None,
        outcome: Outcome::Complete,
    };
    let picture = path_picture(&PathPicture {
        view: nav.view(),
        title: "What a metre of rise costs",
        ends: [START, GOAL].map(Into::into),
        paths: &[named("rise costs nothing", &over), named("a metre of rise costs 5", &around)],
        expanded: &[],
    });
    std::fs::create_dir_all("target")?;
    picture.image.save("target/hill_or_road.png".as_ref())?;
    Ok(())
}

/// A hill of 7 m, and a level road around it.
fn ground([x, z]: [f32; 2]) -> f32 {
    let from = x.hypot(z - 3.0);
    let hill = 7.0 * (-from * from / 70.0).exp();
    let wild = hill + 0.3 * (0.5 * x + 0.2 * z).sin() + 0.3 * (0.4 * z - 0.15 * x).cos();
    let on_road = (-((from - 15.0) / 2.5).powi(4)).exp();
    wild * (1.0 - on_road) + 0.3 * on_road
}

/// Finds the path by a cost of rise, and walks it. Returns it, and how long that took [s].
fn walk(nav: &mut Navigator, ascend: f32) -> Result<(Path, f32), Box<dyn Error>> {
    nav.set_model(HeightCost { ascend, descend: 0.0 });
    let path = nav.path(START, GOAL)?.clone();
    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_path(nav, &path);
    let (mut motion, mut time) = (Motion::at(START), 0.0);
    while follower.state() != FollowState::Arrived && time < 60.0 {
        let wanted = follower.step(&mut *nav, &motion, DT).velocity;
        let ground = follower.nav_point().ok_or("no ground underfoot")?;
        let position = slide(nav.view(), ground, [wanted.x * DT, wanted.z * DT]).point;
        motion = Motion { position, velocity: (position - motion.position) / DT };
        time += DT;
    }
    Ok((path, time))
}
