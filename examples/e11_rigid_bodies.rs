//! A dynamic rapier capsule, steered by velocities, climbs steps that are twice as high as its radius.
//!
//! A capsule whose sole rests on the ground cannot do that: it meets such a step with its side. So this
//! one floats: its sole is as high above the ground as the agent climbs, and a vertical velocity keeps it
//! there. The bake has checked that the body fits when it is lifted like that. At every step the follower
//! gets the position and velocity of the feet, and returns the velocity they should have along x and z.
//!
//! `cargo run --example e11_rigid_bodies` draws `target/rigid_bodies.png`.

use std::error::Error;
use std::path::Path;

use nalgebra::{Point3, Vector3};
use rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder, Vector};
use surefoot::follow::{FollowSettings, FollowState, Follower, Motion};
use surefoot::{Agent, Navigator};
use surefoot_bake::casts::CollisionWorld;
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};
use surefoot_draw::{Track, TrackEnd, TrackPicture, track_picture};

/// Seconds between two steps of the simulation.
const DT: f32 = 1.0 / 60.0;
/// How fast the body rises and sinks to where it floats [m/s].
const FLOAT_SPEED: f32 = 3.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = SceneBuilder::new("high steps");
    for step in 0..6 {
        let half = Vector3::new(0.6, 0.25 + 0.275 * step as f32, 2.0);
        let center = [0.6 + 1.2 * step as f32, half.y - 0.5, 0.0];
        builder.cuboid("step", half, Placement::at(center));
    }
    let scene = builder.build()?;
    let agent = Agent { max_climb: 0.6, ..Agent::new("human") };
    let settings = BakeSettings { agents: vec![agent.clone()], ..BakeSettings::default() };
    let mut nav = Navigator::new(bake(&scene, &settings, &())?.grid, "human")?;
    let (start, goal) = (Point3::new(0.6, 0.0, 0.0), Point3::new(6.6, 2.75, 0.0));
    let path = nav.path(start, goal)?.clone();

    let mut physics = CollisionWorld::new(&scene)?.to_physics()?;
    physics.integration_parameters.dt = DT;
    let half = 0.5 * (agent.height - agent.max_climb);
    let to_feet = agent.max_climb + half;
    let capsule = ColliderBuilder::capsule_y(half - agent.radius, agent.radius);
    let center = Vector::from(start) + Vector::Y * to_feet;
    let body = RigidBodyBuilder::dynamic().translation(center).lock_rotations();
    let (body, _) = physics.insert(body.gravity_scale(0.0), capsule);

    let mut follower = Follower::new(FollowSettings::default())?;
    follower.set_path(&nav, &path);
    let mut points = vec![start];
    while follower.state() != FollowState::Arrived && points.len() < 3000 {
        let body = &mut physics.bodies[body];
        let feet = body.translation() - Vector::Y * to_feet;
        let motion = Motion { position: feet.into(), velocity: body.linvel().into() };
        let wanted = follower.step(&mut nav, &motion, DT).velocity;
        // Off the ground it falls: here it never is.
        let ground = follower.nav_point().map_or(f32::MIN, |at| at.point.y);
        let rise = ((ground - feet.y) / DT).clamp(-FLOAT_SPEED, FLOAT_SPEED);
        body.set_linvel(Vector::new(wanted.x, rise, wanted.z), true);
        physics.step();
        points.push(motion.position);
    }
    let time = points.len() as f32 * DT;
    println!("{:.1} m in {time:.1} s", path.length());
    assert_eq!(follower.state(), FollowState::Arrived);
    assert!((points[points.len() - 1] - goal).norm() < 0.15, "it stands on the highest step");

    let picture = track_picture(&TrackPicture {
        view: nav.view(),
        title: "A rigid body on high steps",
        tracks: &[Track { points, radius: agent.radius, end: TrackEnd::Arrived }],
        interval: DT,
    });
    std::fs::create_dir_all("target")?;
    picture.image.save(Path::new("target/rigid_bodies.png"))?;
    Ok(())
}
