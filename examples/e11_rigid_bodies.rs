//! A dynamic rapier capsule, steered by velocities, climbs a stair.
//!
//! The collision world is the one the grid was baked from. At every step the follower gets the
//! position and the velocity of the capsule, and returns the velocity it should have along x and z;
//! up and down are left to gravity and the ground.
//!
//! `cargo run --example e11_rigid_bodies` draws `target/rigid_bodies.png`.

use std::error::Error;
use std::path::Path;

use nalgebra::Point3;
use rapier3d::prelude::{CoefficientCombineRule, ColliderBuilder, RigidBodyBuilder, Vector};
use surefoot::follow::{FollowSettings, FollowState, Follower, Motion};
use surefoot::{Agent, Navigator};
use surefoot_bake::casts::World;
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::load(Path::new("scenes/stairs.gltf"), &Default::default())?;
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.15), agents, ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &())?.grid;
    let mut nav = Navigator::new(grid, "human")?;
    let (start, goal) = (Point3::new(1.0, 0.0, 10.0), Point3::new(10.0, 2.0, 8.0));
    let path = nav.path(start, goal)?.clone();

    let agent = nav.view().agent().clone();
    let mut physics = World::new(&scene)?.to_physics()?;
    physics.integration_parameters.dt = DT;
    let to_feet = 0.5 * agent.height;
    let center = Vector::from(start) + Vector::Y * to_feet;
    let capsule = ColliderBuilder::capsule_y(to_feet - agent.radius, agent.radius)
        .friction(0.0)
        .friction_combine_rule(CoefficientCombineRule::Min);
    let (body, _) =
        physics.insert(RigidBodyBuilder::dynamic().translation(center).lock_rotations(), capsule);

    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_path(&nav, &path);
    let mut points = vec![start];
    while follower.state() != FollowState::Arrived && points.len() < 3000 {
        let body = &mut physics.bodies[body];
        let feet = body.translation() - Vector::Y * to_feet;
        let motion = Motion { position: feet.into(), velocity: body.linvel().into() };
        let wanted = follower.step(&mut nav, &motion, DT).velocity;
        body.set_linvel(Vector::new(wanted.x, body.linvel().y, wanted.z), true);
        physics.step();
        points.push(motion.position);
    }
    let time = points.len() as f32 * DT;
    println!("{:.1} m in {time:.1} s", path.length());
    assert_eq!(follower.state(), FollowState::Arrived);
    assert!((points[points.len() - 1] - goal).norm() < 0.15, "it stands on the upper floor");
    assert!(time < 1.5 * path.length() / follower.settings().speed);

    let picture = track_picture(&TrackPicture {
        view: nav.view(),
        title: "A rigid body on a stair",
        tracks: &[Track { points, radius: agent.radius, end: TrackEnd::Arrived }],
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/rigid_bodies.png"))?;
    Ok(())
}
