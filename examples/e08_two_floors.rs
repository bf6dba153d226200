//! Floors above floors: two goals at the same x and z, one on a bridge and one under it.
//!
//! A span of a grid is one floor of one column, so the height of a goal picks the floor. A follower
//! stays on its floor from step to step.
//!
//! `cargo run --example e08_two_floors` draws `target/two_floors.png`.

use std::error::Error;
use std::path::Path;

use nalgebra::Point3;
use surefoot::follow::{FollowSettings, Follower, Motion, slide};
use surefoot::{Agent, Navigator};
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;
/// Where both start, beside the bridge.
const START: [f32; 3] = [16.5, 0.0, 2.0];

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::load(Path::new("scenes/bridge.glb"), &Default::default())?;
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.15), agents, ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &())?.grid;
    let mut nav = Navigator::new(grid, "human")?;

    let goals = [[15.0, 3.5, 8.0], [15.0, 0.0, 8.0]];
    let tracks = [walk(&mut nav, goals[0])?, walk(&mut nav, goals[1])?];
    for (track, goal) in tracks.iter().zip(goals) {
        let end = track[track.len() - 1];
        println!("{} s to {end}", track.len() as f32 * DT);
        assert!((end - Point3::from(goal)).norm() < 0.01, "it stands on its own floor");
    }
    let highest = |track: &[Point3<f32>]| track.iter().map(|at| at.y).fold(0.0, f32::max);
    assert!(highest(&tracks[0]) > 3.4 && highest(&tracks[1]) < 0.1);

    let radius = nav.view().agent().radius;
    let tracks = tracks.map(|points| Track { points, radius, end: TrackEnd::Arrived });
    let picture = track_picture(&TrackPicture {
        view: nav.view(),
        title: "Two floors",
        tracks: &tracks,
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/two_floors.png"))?;
    Ok(())
}

/// Walks to a goal. Returns where it was at each step.
fn walk(nav: &mut Navigator, goal: [f32; 3]) -> Result<Vec<Point3<f32>>, Box<dyn Error>> {
    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_goal(goal);
    let mut motion = Motion::at(START);
    let mut track = vec![motion.position];
    while !follower.state().is_at_rest() && track.len() < 6000 {
        let wanted = follower.step(&mut *nav, &motion, DT).velocity;
        let ground = follower.nav_point().ok_or("no ground underfoot")?;
        let position = slide(nav.view(), ground, [wanted.x * DT, wanted.z * DT]).point;
        motion = Motion { position, velocity: (position - motion.position) / DT };
        track.push(position);
    }
    Ok(track)
}
