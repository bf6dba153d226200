//! All that a game needs which only uses baked grids: load one, follow a path.
//!
//! The grid is made here from heights in metres. The run time alone is enough; only the picture
//! needs `surefoot_draw`.
//!
//! `cargo run --example e07_load_and_follow` draws `target/load_and_follow.png`.

use std::error::Error;
use std::path::Path;

use surefoot::follow::{FollowSettings, FollowState, Follower, Motion, slide};
use surefoot::{Agent, Cell, GridFrame, NavGrid, Navigator};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new("target/load_and_follow.navgrid");
    std::fs::create_dir_all("target")?;
    hills()?.save(file)?;

    let mut nav = Navigator::new(NavGrid::load(file)?, "human")?;

    let (start, goal) = ([-12.0, 3.0, -16.0], [10.0, 1.0, 18.0]);
    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_goal(goal);
    let mut motion = Motion::at(start);
    let mut points = Vec::new();
    while follower.state() != FollowState::Arrived && points.len() < 3000 {
        let wanted = follower.step(&mut nav, &motion, DT).velocity;
        // Your simulation moves the body. This one slides over the ground.
        let ground = follower.nav_point().ok_or("no ground underfoot")?;
        let position = slide(nav.view(), ground, [wanted.x * DT, wanted.z * DT]).point;
        motion = Motion { position, velocity: (position - motion.position) / DT };
        points.push(position);
    }
    let time = points.len() as f32 * DT;
    println!("{:?} at {} after {time:.1} s", follower.state(), motion.position);

    let path = nav.path(start, goal)?.clone();
    let end = path.waypoints().last().ok_or("a path has an end")?;
    assert!((motion.position - end.point).norm() < 0.01, "it stands where it was to go");
    assert!(time < 1.2 * path.length() / follower.settings().speed, "and took no detour");

    let picture = track_picture(&TrackPicture {
        view: nav.view(),
        title: "Around the lake",
        tracks: &[Track { points, radius: nav.view().agent().radius, end: TrackEnd::Arrived }],
        interval: DT,
    });
    picture.image.save(Path::new("target/load_and_follow.png"))?;
    Ok(())
}

/// Hills of 60 by 60 m around a lake, in cells of 0.25 m.
fn hills() -> Result<NavGrid, Box<dyn Error>> {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(-120, -120), size_x: 240, size_z: 240 };
    let height = |[x, z]: [f32; 2]| {
        let hills =
            2.2 + 1.4 * (0.23 * x).sin() * (0.19 * z).cos() + 0.5 * (0.3 * x + 0.5 * z).sin();
        hills - 4.5 * (-(x * x + 0.6 * z * z) / 90.0).exp()
    };
    // No floor where there is water.
    let dry = |y: f32| if y > 0.0 { y } else { f32::NAN };
    let heights: Vec<f32> =
        (0..frame.cells()).map(|at| dry(height(frame.center(frame.cell(at))))).collect();
    Ok(NavGrid::from_heights(frame, &heights, &[Agent::new("human")])?)
}
