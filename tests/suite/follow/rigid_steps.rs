//! Rigid capsules on a stair of high steps: how high a step one climbs by itself, and that one that
//! floats above the ground climbs all that its agent does.

use nalgebra::{Point3, Vector3};
use rapier3d::prelude::{
    CoefficientCombineRule, ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle,
    Vector,
};
use surefoot::follow::{FollowSettings, FollowState, Follower, Motion};
use surefoot::{Agent, AgentId, Navigator};
use surefoot_bake::casts::CollisionWorld;
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, Scene, bake};

const DT: f32 = 1.0 / 60.0;
/// Steps of the stair, and how deep they are [m].
const STEPS: usize = 4;
const DEPTH: f32 = 1.2;

/// A stair of `rise` along x, between two landings.
fn stair(rise: f32) -> Scene {
    let mut builder = SceneBuilder::new("stair");
    for step in 0..=STEPS + 1 {
        let half = Vector3::new(0.5 * DEPTH, 0.25 + 0.5 * rise * step as f32, 2.0);
        let at = [(step as f32 + 0.5) * DEPTH, half.y - 0.5, 0.0];
        builder.cuboid("step", half, Placement::at(at));
    }
    builder.build().expect("a sound scene")
}

/// How a body is carried.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Carriage {
    /// Its sole is on the ground.
    Resting,
    /// Its sole is as far above the ground as the agent climbs.
    Floating,
}

/// A capsule that a follower steers.
struct RigidBody {
    physics: PhysicsWorld,
    handle: RigidBodyHandle,
    to_feet: f32,
    carriage: Carriage,
}

impl RigidBody {
    fn new(scene: &Scene, agent: &Agent, carriage: Carriage, feet: Point3<f32>) -> Self {
        let mut physics = CollisionWorld::new(scene).unwrap().to_physics().unwrap();
        physics.integration_parameters.dt = DT;
        let lift = if carriage == Carriage::Floating { agent.max_climb } else { 0.0 };
        let half = 0.5 * (agent.height - lift);
        let capsule = ColliderBuilder::capsule_y(half - agent.radius, agent.radius)
            .friction(0.0)
            .friction_combine_rule(CoefficientCombineRule::Min);
        let to_feet = lift + half;
        let center = Vector::from(feet) + Vector::Y * to_feet;
        let gravity = if carriage == Carriage::Floating { 0.0 } else { 1.0 };
        let body = RigidBodyBuilder::dynamic().translation(center).lock_rotations();
        let (handle, _) = physics.insert(body.gravity_scale(gravity), capsule);
        RigidBody { physics, handle, to_feet, carriage }
    }

    fn motion(&self) -> Motion {
        let body = &self.physics.bodies[self.handle];
        let feet = body.translation() - Vector::Y * self.to_feet;
        Motion { position: feet.into(), velocity: body.linvel().into() }
    }

    fn go(&mut self, wanted: Vector3<f32>, ground: Option<f32>) {
        let feet = self.motion().position;
        let body = &mut self.physics.bodies[self.handle];
        let y = match (self.carriage, ground) {
            (Carriage::Floating, Some(ground)) => ((ground - feet.y) / DT).clamp(-3.0, 3.0),
            _ => body.linvel().y,
        };
        body.set_linvel(Vector::new(wanted.x, y, wanted.z), true);
        self.physics.step();
    }
}

/// Whether a capsule gets up a stair of `rise` within 30 s.
fn climbs(agent: &Agent, rise: f32, carriage: Carriage) -> bool {
    let scene = stair(rise);
    let settings = BakeSettings {
        cell_size: Some(0.15),
        agents: vec![agent.clone()],
        ..BakeSettings::default()
    };
    let mut nav = Navigator::new(bake(&scene, &settings, &()).unwrap().grid, AgentId(0)).unwrap();
    let start = Point3::new(0.5 * DEPTH, 0.0, 0.0);
    let goal = Point3::new((STEPS as f32 + 1.5) * DEPTH, rise * (STEPS + 1) as f32, 0.0);
    let mut body = RigidBody::new(&scene, agent, carriage, start);
    let mut follower = Follower::new(FollowSettings::default()).unwrap();
    let path = nav.path(start, goal).unwrap_or_else(|error| panic!("{rise}: {error}")).clone();
    follower.set_path(&nav, &path);
    for _ in 0..1800 {
        let motion = body.motion();
        let wanted = follower.step(&mut nav, &motion, DT).velocity;
        if follower.state() == FollowState::Arrived {
            return (motion.position.y - goal.y).abs() < 0.3;
        }
        body.go(wanted, follower.nav_point().map(|ground| ground.point.y));
    }
    false
}

/// Pushed along the ground, a capsule rises over an edge that it touches below the middle of its lower
/// half ball. At a step as high as its radius it meets a wall.
const UNAIDED: f32 = 0.9;

#[test]
fn a_capsule_climbs_low_steps_by_itself_and_all_steps_floating() {
    for radius in [0.2, 0.3, 0.5] {
        let agent = Agent { radius, max_climb: 0.62, ..Agent::new("walker") };
        for rise in (1..=12).map(|rise| 0.05 * rise as f32) {
            let climbs = |carriage| climbs(&agent, rise, carriage);
            assert!(climbs(Carriage::Floating), "radius {radius}, step {rise}");
            let may_climb = climbs(Carriage::Resting);
            assert!(may_climb || rise > UNAIDED * radius + 1e-3, "radius {radius}, step {rise}");
            assert!(!may_climb || rise < radius, "radius {radius}, step {rise}");
        }
    }
}
