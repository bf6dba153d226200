//! A body of a physics engine, led by velocities: a rapier capsule climbs a stair.
//!
//! The collision world is the one the grid was baked from. At every step the follower hears where
//! the capsule is and how fast it really moves, and tells how fast it should move along x and z;
//! up and down are left to gravity and the ground.
//!
//! `cargo run --example rigid_bodies` draws `target/rigid_bodies.png`.

use std::error::Error;
use std::path::Path;

use rapier3d::prelude::{CoefficientCombineRule, ColliderBuilder, RigidBodyBuilder, Vector};
use surefoot::cost::HeightCost;
use surefoot::follow::{FollowSettings, FollowState, Follower, Motion};
use surefoot::navigator::Navigator;
use surefoot::search::Query;
use surefoot::view::View;
use surefoot::{Agent, AgentId};
use surefoot_bake::bake;
use surefoot_bake::casts::World;
use surefoot_bake::{BakeSettings, Scene};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::load(Path::new("scenes/stairs.gltf"), &Default::default())?;
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.15), agents, ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &())?.grid;
    let terrain = View::new(&grid, AgentId(0)).ok_or("no such agent")?;
    let (model, mut search) = (HeightCost::default(), Navigator::default());
    let query = Query::new([1.0, 0.0, 10.0], [10.0, 2.0, 8.0]);
    let path = search.path(&terrain, &model, &query).path().cloned().ok_or("no way")?;

    let agent = terrain.agent();
    let mut physics = World::new(&scene)?.to_physics()?;
    physics.integration_parameters.dt = DT;
    let to_feet = 0.5 * agent.height;
    let start = Vector::from(query.from) + Vector::Y * to_feet;
    let capsule = ColliderBuilder::capsule_y(to_feet - agent.radius, agent.radius)
        .friction(0.0)
        .friction_combine_rule(CoefficientCombineRule::Min);
    let (body, _) =
        physics.insert(RigidBodyBuilder::dynamic().translation(start).lock_rotations(), capsule);

    let mut guide = Guide { terrain: &terrain, model: &model, search: &mut search, sight: None };
    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_path(&guide, &path);
    let mut points = vec![query.from];
    while follower.state() != FollowState::Arrived && points.len() < 3000 {
        let body = &mut physics.bodies[body];
        let feet = body.translation() - Vector::Y * to_feet;
        let motion = Motion { position: feet.into(), velocity: body.linvel().into() };
        let wanted = follower.step(&mut guide, &motion, DT).velocity;
        body.set_linvel(Vector::new(wanted.x, body.linvel().y, wanted.z), true);
        physics.step();
        points.push(motion.position);
    }
    let time = points.len() as f32 * DT;
    println!("{:.1} m in {time:.1} s", path.length());
    assert_eq!(follower.state(), FollowState::Arrived);
    assert!((points[points.len() - 1] - query.to).norm() < 0.15, "it stands on the upper floor");
    assert!(time < 1.5 * path.length() / follower.settings().speed);

    let picture = track_picture(&TrackPicture {
        terrain: &terrain,
        title: "A rigid body on a stair",
        tracks: &[Track { points, radius: agent.radius, end: TrackEnd::Arrived }],
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/rigid_bodies.png"))?;
    Ok(())
}
