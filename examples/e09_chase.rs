//! A moving target: something runs round a hall of pillars, and a body runs it down.
//!
//! `set_target` is told at every step where the target is. Another way is found only when the
//! target has gone far enough to matter, and no more often than the settings allow.
//!
//! `cargo run --example chase` draws `target/chase.png`.

use std::error::Error;
use std::path::Path;

use nalgebra::Point3;
use surefoot::cost::HeightCost;
use surefoot::follow::{FollowSettings, Follower, Motion, slide};
use surefoot::navigator::Navigator;
use surefoot::view::View;
use surefoot::{Agent, AgentId};
use surefoot_bake::bake;
use surefoot_bake::{BakeSettings, Scene};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;
/// Who is as near as this to its target has caught it [m].
const REACH: f32 = 1.0;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::load(Path::new("scenes/pillars.gltf"), &Default::default())?;
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.15), agents, ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &())?.grid;
    let terrain = View::new(&grid, AgentId(0)).ok_or("no such agent")?;
    let (model, mut search) = (HeightCost::default(), Navigator::default());
    let mut guide = Guide { terrain: &terrain, model: &model, search: &mut search, sight: None };

    let settings = FollowSettings { replan_interval: 0.25, ..FollowSettings::default() };
    let mut follower = Follower::new(settings)?;
    let mut motion = Motion::at([4.0, 0.0, 22.0]);
    let (mut runs, mut follows) = (Vec::new(), Vec::new());
    let (mut end, mut asked) = (None, Vec::new());
    let mut time = 0.0;
    while (motion.position - target(time)).norm() > REACH && time < 60.0 {
        time += DT;
        follower.set_target(target(time));
        let wanted = follower.step(&mut guide, &motion, DT).velocity;
        let ground = follower.footing().ok_or("no ground underfoot")?;
        let position = slide(&terrain, ground, [wanted.x * DT, wanted.z * DT]).point;
        motion = Motion { position, velocity: (position - motion.position) / DT };
        runs.push(target(time));
        follows.push(position);
        // Another way ends elsewhere: where the target is now.
        let last = follower.waypoints().last().map(|last| last.point);
        if last != end {
            end = last;
            asked.push(time);
        }
    }
    println!("caught after {time:.1} s and {} ways", asked.len());
    assert!((motion.position - target(time)).norm() <= REACH);
    let interval = follower.settings().replan_interval;
    assert!(asked.windows(2).all(|pair| pair[1] - pair[0] > interval - 1e-3), "{asked:?}");
    assert!(asked.len() > 3, "one way was not enough");

    let track = |points, end| Track { points, radius: terrain.agent().radius, end };
    let picture = track_picture(&TrackPicture {
        terrain: &terrain,
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
