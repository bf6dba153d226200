//! A moving target: something runs around a hall of pillars, and a follower catches it.
//!
//! `set_target` gets the place of the target at every step. The follower replans only when the
//! target has moved far enough to matter, and no more often than the settings allow.
//!
//! `cargo run --example e09_chase` draws `target/chase.png`.

use std::error::Error;
use std::path::Path;

use nalgebra::Point3;
use surefoot::follow::{FollowSettings, Follower, Motion, slide};
use surefoot::{Agent, Navigator};
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;
/// A target this near is caught [m].
const REACH: f32 = 1.0;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::load(Path::new("scenes/pillars.gltf"), &Default::default())?;
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.15), agents, ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &())?.grid;
    let mut nav = Navigator::new(grid, "human")?;

    let settings = FollowSettings { replan_interval: 0.25, ..FollowSettings::default() };
    let mut follower = Follower::new(settings)?;
    let mut motion = Motion::at([4.0, 0.0, 22.0]);
    let (mut runs, mut follows) = (Vec::new(), Vec::new());
    let (mut end, mut replanned) = (None, Vec::new());
    let mut time = 0.0;
    while (motion.position - target(time)).norm() > REACH && time < 60.0 {
        time += DT;
        follower.set_target(target(time));
        let wanted = follower.step(&mut nav, &motion, DT).velocity;
        let ground = follower.nav_point().ok_or("no ground underfoot")?;
        let position = slide(nav.view(), ground, [wanted.x * DT, wanted.z * DT]).point;
        motion = Motion { position, velocity: (position - motion.position) / DT };
        runs.push(target(time));
        follows.push(position);
        // A new path ends elsewhere: where the target is now.
        let last = follower.waypoints().last().map(|last| last.point);
        if last != end {
            end = last;
            replanned.push(time);
        }
    }
    println!("caught after {time:.1} s and {} paths", replanned.len());
    assert!((motion.position - target(time)).norm() <= REACH);
    let interval = follower.settings().replan_interval;
    assert!(replanned.windows(2).all(|pair| pair[1] - pair[0] > interval - 1e-3), "{replanned:?}");
    assert!(replanned.len() > 3, "one path was not enough");

    let track = |points, end| Track { points, radius: nav.view().agent().radius, end };
    let picture = track_picture(&TrackPicture {
        view: nav.view(),
        title: "A chase",
        tracks: &[track(runs, TrackEnd::Moving), track(follows, TrackEnd::Arrived)],
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/chase.png"))?;
    Ok(())
}

/// Where the target is after a time [s]: on a square between the pillars, at 2 m/s.
fn target(time: f32) -> Point3<f32> {
    let corners = [[4.0, 4.0], [20.0, 4.0], [20.0, 20.0], [4.0, 20.0]];
    let sides = 2.0 * time / 16.0;
    let [from, to] = [0, 1].map(|next| corners[(sides as usize + next) % 4]);
    let along = |axis: usize| from[axis] + (to[axis] - from[axis]) * sides.fract();
    Point3::new(along(0), 0.0, along(1))
}
