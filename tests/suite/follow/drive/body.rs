//! A body in the physics world, moved by rapier's character controller.

use nalgebra::{Point3, Vector3};
use rapier3d::control::{
    CharacterAutostep, CharacterCollision, CharacterLength, KinematicCharacterController,
};
use rapier3d::parry::query::{ShapeCastOptions, distance};
use rapier3d::prelude::{Collider, PhysicsWorld, Pose, SharedShape, Vector};
use surefoot::follow::Motion;
use surefoot::{Agent, BodyShape};
use surefoot_rapier::Body;

/// Seconds between two steps of the simulation.
pub const DT: f32 = 1.0 / 60.0;
/// What the controller keeps from everything [m].
const OFFSET: f32 = 0.01;
/// Up to here rapier's controller may round a step that is exactly as high as the agent climbs [m].
const ROUNDING: f32 = 0.01;
const GRAVITY: f32 = 9.81;

/// An agent's body, smaller on all sides by the distance that the controller keeps.
pub struct DrivenBody<'a> {
    physics: &'a PhysicsWorld,
    controller: KinematicCharacterController,
    shape: SharedShape,
    pose: Pose,
    pub to_feet: f32,
    /// As far as the bake lifts it above the ground [m].
    lift: f32,
    fall: f32,
    pub touched: Option<CharacterCollision>,
    pub motion: Motion,
}

impl<'a> DrivenBody<'a> {
    /// The body of an agent, standing with its feet at a place.
    pub fn new(physics: &'a PhysicsWorld, agent: &Agent, feet: Point3<f32>) -> Self {
        let (radius, half) = (agent.radius - OFFSET, 0.5 * agent.height - OFFSET);
        let shape = match agent.shape {
            BodyShape::Capsule => SharedShape::capsule_y((half - radius).max(0.0), radius),
            BodyShape::Box => SharedShape::cuboid(radius, half, radius),
        };
        let to_feet = 0.5 * agent.height.max(2.0 * agent.radius);
        // The controller climbs a step only where it then stands on it no steeper than its limit: so
        // far on, a capsule touches the step's edge with a part of its sole that is flat enough.
        let onto_step = (1.0 - agent.slope_limit.sin()) * agent.radius + OFFSET;
        let controller = KinematicCharacterController {
            offset: CharacterLength::Absolute(OFFSET),
            autostep: Some(CharacterAutostep {
                max_height: CharacterLength::Absolute(agent.max_climb + ROUNDING),
                min_width: CharacterLength::Absolute(onto_step),
                include_dynamic_bodies: false,
            }),
            max_slope_climb_angle: agent.slope_limit + 0.01,
            min_slope_slide_angle: agent.slope_limit + 0.01,
            snap_to_ground: Some(CharacterLength::Absolute(agent.max_climb + ROUNDING)),
            ..KinematicCharacterController::default()
        };
        let pose = Pose::from_translation(Vector::from(feet) + Vector::Y * to_feet);
        let motion = Motion::at(feet);
        let mut body = DrivenBody {
            physics,
            controller,
            shape,
            pose,
            to_feet,
            lift: Body::new(agent).bottom,
            fall: 0.0,
            touched: None,
            motion,
        };
        body.go(Vector::Y * body.rise(feet));
        body
    }

    /// How far above a place on the ground it comes to rest: on slopes and stairs it stands on a
    /// flank of its sole [m].
    pub fn rise(&self, feet: Point3<f32>) -> f32 {
        let lift = Vector::Y * (self.to_feet + self.lift);
        let above = Pose::from_translation(Vector::from(feet) + lift);
        let options = ShapeCastOptions {
            target_distance: OFFSET,
            max_time_of_impact: self.lift,
            ..ShapeCastOptions::default()
        };
        let queries = self.physics.query_pipeline();
        let hit = queries.cast_shape(&above, -Vector::Y, &*self.shape, options);
        let fall = hit.map_or(self.lift, |(_, hit)| hit.time_of_impact);
        // Under a low ceiling it has to begin where the ground is.
        if fall > 0.0 { self.lift - fall } else { 0.0 }
    }

    /// How far it is from a collider [m].
    pub fn distance(&self, collider: &Collider) -> f32 {
        distance(&self.pose, &*self.shape, collider.position(), collider.shape())
            .map_or(f32::NAN, |found| found.distance)
    }

    /// Moves for a step by a velocity, as far as the world allows.
    pub fn walk(&mut self, velocity: Vector3<f32>) {
        let by = Vector::new(velocity.x, velocity.y + self.fall, velocity.z) * DT;
        let queries = self.physics.query_pipeline();
        let touched = &mut self.touched;
        *touched = None;
        let moved =
            self.controller.move_shape(DT, &queries, &*self.shape, &self.pose, by, |collision| {
                *touched = Some(collision)
            });
        self.fall = if moved.grounded { 0.0 } else { self.fall - GRAVITY * DT };
        self.go(moved.translation);
        // It has no inertia: that the controller set it back from an edge is not a velocity.
        self.motion.velocity = velocity;
    }

    /// Moves for a step by a velocity, through everything: on links.
    pub fn ride(&mut self, velocity: Vector3<f32>) {
        self.fall = 0.0;
        self.go(Vector::from(velocity) * DT);
    }

    fn go(&mut self, by: Vector) {
        self.pose.translation += by;
        let feet = self.pose.translation - Vector::Y * self.to_feet;
        self.motion = Motion { position: feet.into(), velocity: (by / DT).into() };
    }
}
