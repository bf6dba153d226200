//! A kinematic character: rapier's character controller climbs a stair.
//!
//! The collision world is the one the grid was baked from. The controller moves the capsule as far
//! as it can go, up steps as high as the agent climbs. It has no inertia: the follower gets its
//! position, and continues from the velocity that it proposed.
//!
//! `cargo run --example e12_character_controller` draws `target/character_controller.png`.

use std::error::Error;
use std::path::Path;

use nalgebra::Point3;
use rapier3d::control::CharacterLength::Absolute;
use rapier3d::control::{CharacterAutostep, KinematicCharacterController};
use rapier3d::prelude::{Capsule, Pose, Vector};
use surefoot::follow::{FollowSettings, Follower, Motion};
use surefoot::{Agent, Navigator};
use surefoot_bake::casts::CollisionWorld;
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::load(Path::new("scenes/two_storeys.glb"), &Default::default())?;
    let settings = BakeSettings { agents: vec![Agent::new("human")], ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &())?.grid;
    let mut nav = Navigator::new(grid, "human")?;
    let (start, goal) = (Point3::new(2.0, 0.0, 2.0), Point3::new(12.0, 3.0, 9.0));
    let path = nav.path(start, goal)?.clone();

    let (agent, offset) = (nav.view().agent().clone(), 0.02);
    let physics = CollisionWorld::new(&scene)?.to_physics()?;
    let solids = physics.query_pipeline();
    let to_feet = 0.5 * agent.height + offset;
    let capsule = Capsule::new_y(0.5 * agent.height - agent.radius, agent.radius);
    let controller = KinematicCharacterController {
        offset: Absolute(offset),
        autostep: Some(CharacterAutostep {
            max_height: Absolute(agent.max_climb),
            min_width: Absolute(agent.radius),
            include_dynamic_bodies: false,
        }),
        snap_to_ground: Some(Absolute(agent.max_climb)),
        ..KinematicCharacterController::default()
    };
    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_path(&nav, &path);

    let mut pose = Pose::from_translation(Vector::from(start) + Vector::Y * to_feet);
    let (mut motion, mut fall, mut points) = (Motion::at(start), 0.0, Vec::new());
    while !follower.state().is_at_rest() && points.len() < 3000 {
        let wanted = follower.step(&mut nav, &motion, DT).velocity;
        let by = Vector::new(wanted.x, wanted.y + fall, wanted.z) * DT;
        let moved = controller.move_shape(DT, &solids, &capsule, &pose, by, |_| {});
        fall = if moved.grounded { 0.0 } else { fall - 9.81 * DT };
        pose.translation += moved.translation;
        let feet = pose.translation - Vector::Y * to_feet;
        motion = Motion { position: feet.into(), velocity: wanted };
        points.push(motion.position);
    }
    let (time, least) = (points.len() as f32 * DT, path.length() / follower.settings().speed);
    println!("{time:.1} s, at full speed {least:.1} s");
    assert!((motion.position - goal).norm() < 0.15, "it stands on the upper floor");
    assert!(time < 1.5 * least);

    let picture = track_picture(&TrackPicture {
        view: nav.view(),
        title: "A character on a stair",
        tracks: &[Track { points, radius: agent.radius, end: TrackEnd::Arrived }],
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/character_controller.png"))?;
    Ok(())
}
