//! From a level to a body that walks it: bakes a house, finds the path upstairs, and follows it.
//!
//! A `Follower` proposes a velocity at every step of a simulation and moves nothing itself. Here
//! `slide` moves the body over the ground, and never off it.
//!
//! `cargo run --example e06_bake_and_walk` draws `target/bake_and_walk.png`.

use std::error::Error;
use std::path::Path;

use nalgebra::Point3;
use surefoot::follow::{FollowSettings, FollowState, Follower, Motion, slide};
use surefoot::{Agent, Navigator};
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::load(Path::new("scenes/two_storeys.glb"), &Default::default())?;
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.1), agents, ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &())?.grid;
    let mut nav = Navigator::new(grid.clone(), "human")?;

    let (start, goal) = ([2.0, 0.0, 2.0], Point3::new(12.0, 3.0, 9.0));
    let path = nav.path(start, goal)?.clone();

    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_path(&nav, &path);
    let mut motion = Motion::at(start);
    let mut points = vec![motion.position];
    while !follower.state().is_at_rest() && points.len() < 3000 {
        let wanted = follower.step(&mut nav, &motion, DT).velocity;
        let ground = follower.nav_point().ok_or("no ground underfoot")?;
        let position = slide(nav.view(), ground, [wanted.x * DT, wanted.z * DT]).point;
        motion = Motion { position, velocity: (position - motion.position) / DT };
        points.push(position);
    }

    let time = points.len() as f32 * DT;
    println!("{:.1} m, {:.1} m up, in {time:.1} s", path.length(), path.climb());
    assert_eq!(follower.state(), FollowState::Arrived);
    assert!((motion.position - goal).norm() < 0.01);
    assert!(time < 1.25 * path.length() / follower.settings().speed);
    let on_ground = |&at| grid.span_at(at, 1e-3).is_some_and(|span| nav.view().is_walkable(span));
    assert!(points.iter().all(on_ground), "it never left the ground");

    let picture = track_picture(&TrackPicture {
        view: nav.view(),
        title: "Upstairs",
        tracks: &[Track { points, radius: nav.view().agent().radius, end: TrackEnd::Arrived }],
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/bake_and_walk.png"))?;
    Ok(())
}
