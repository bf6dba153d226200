//! Sweeps of a body through a rapier world, with everything that is in it at the time.
//!
//! A body and the points it is to walk through go in; whether it touches anything comes out. The
//! world is the user's own, with its moving bodies and the user's filter.
//!
//! rapier's BVHs find the shapes near the sweep. Whether the body clears them is decided as in a
//! bake, by distances that are exact to a tenth of a millimetre wherever the sweep starts. rapier's
//! own shape cast along a wall of 20 m hits it from 1 cm away in one case of seven, and sometimes
//! misses a shape that the body overlaps at the start.

use nalgebra::Point3;
use parry3d::bounding_volume::Aabb;
use parry3d::glamx::Mat3;
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::Bvh;
use parry3d::query::{QueryDispatcher, Ray, RayCast, ShapeCastOptions};
use parry3d::shape::{Capsule, Cuboid, HalfSpace, Shape, Triangle};
use rapier3d::prelude::{PhysicsWorld, QueryPipeline};

use super::body::Body;
use super::core_shape::{ConvexObstacle, CoreShape};
use surefoot::agent::BodyShape;

/// Sweeps bodies through what a rapier query pipeline sees.
///
/// The pipeline's filter decides what counts. By default that is everything that was there when the
/// world was last stepped, including sensors and the agent's own collider: exclude those two.
/// Meshes are hollow: a body entirely inside one touches nothing.
///
/// ```
/// use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, QueryFilter};
/// use surefoot::Agent;
/// use surefoot_rapier::{Body, BodySweep};
/// let mut physics = PhysicsWorld::new();
/// physics.insert_collider(ColliderBuilder::cuboid(0.5, 1.0, 0.5), None);
/// physics.detect_collisions(&(), &());
/// let body = Body::new(&Agent::new("human"));
/// let (through, round) = ([[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]], [[-3.0, 0.0, 0.0], [0.0, 0.0, 2.0]]);
/// let sweep = BodySweep::from(&physics);
/// assert!(sweep.can_go(&body, round) && !sweep.can_go(&body, through));
/// let filtered = physics.query_pipeline_with_filter(QueryFilter::exclude_fixed());
/// assert!(BodySweep::from(filtered).can_go(&body, through));
/// ```
#[derive(Clone, Copy)]
pub struct BodySweep<'a> {
    pipeline: QueryPipeline<'a>,
}

impl<'a> From<QueryPipeline<'a>> for BodySweep<'a> {
    fn from(pipeline: QueryPipeline<'a>) -> Self {
        BodySweep { pipeline }
    }
}

impl<'a> From<&'a PhysicsWorld> for BodySweep<'a> {
    fn from(physics: &'a PhysicsWorld) -> Self {
        BodySweep { pipeline: physics.query_pipeline() }
    }
}

impl BodySweep<'_> {
    /// Returns whether a body touches nothing while its feet follow the straight lines from point
    /// to point, ends included. Allocates nothing. O(log triangles + triangles near the lines).
    ///
    /// Touching means overlapping by more than a tenth of a millimetre, at the start as anywhere
    /// else: a body that something presses on cannot move. For a single point, returns whether the
    /// body can stand there. Returns `false` for no points, and for points that are not finite or
    /// farther than 10,000 km from the origin.
    #[must_use]
    pub fn can_go<P>(&self, body: &Body, points: impl IntoIterator<Item = P>) -> bool
    where
        P: Into<Point3<f32>>,
    {
        let mut points = points.into_iter().map(Into::into).peekable();
        let Some(mut from) = points.next() else { return false };
        if points.peek().is_none() {
            return self.can_move(body, [from, from]);
        }
        points.all(|to| {
            let clear = self.can_move(body, [from, to]);
            from = to;
            clear
        })
    }

    fn can_move(&self, body: &Body, [from, to]: [Point3<f32>; 2]) -> bool {
        if !from.iter().chain(to.iter()).all(|v| v.abs() <= MAX_SWEEP_COORDINATE) {
            return false;
        }
        let QueryPipeline { dispatcher, bvh, bodies, colliders, filter } = self.pipeline;
        let (core, motion) = (CoreShape::new(body, from.into()), (to - from).into());
        let sweep = ShapeSweep { body, core, motion, dispatcher };
        sweep.swept_box().leaves(bvh).all(|index| {
            let Some((collider, handle)) = colliders.get_unknown_gen(index) else { return true };
            !filter.test(bodies, handle, collider)
                || sweep.clears(collider.shape(), collider.position())
        })
    }
}

/// The greatest coordinate [m]: squares of distances stay finite.
const MAX_SWEEP_COORDINATE: f32 = 1e7;

/// A body in straight motion.
struct ShapeSweep<'a> {
    body: &'a Body,
    core: CoreShape,
    motion: Vector,
    dispatcher: &'a dyn QueryDispatcher,
}

impl ShapeSweep<'_> {
    /// Returns whether the body touches no part of a shape; composite shapes are taken apart.
    fn clears(&self, shape: &dyn Shape, pose: &Pose) -> bool {
        if let Some(mesh) = shape.as_trimesh() {
            let near = self.swept_box().in_space_of(pose);
            let mut triangles = near.leaves(mesh.bvh()).map(|index| mesh.triangle(index));
            triangles.all(|triangle| self.clears_triangle(&triangle, pose))
        } else if let Some(field) = shape.as_heightfield() {
            let mut clear = true;
            let near = self.swept_box().in_space_of(pose).bounds();
            field.map_elements_in_local_aabb(&near, &mut |_, triangle| {
                clear = clear && self.clears_triangle(triangle, pose);
            });
            clear
        } else if let Some(composite) = shape.as_composite_shape() {
            let near = self.swept_box().in_space_of(pose);
            near.leaves(composite.bvh()).all(|index| {
                let mut clear = true;
                composite.map_part_at(index, &mut |part_pose, part, _| {
                    let pose = part_pose.map_or(*pose, |part_pose| pose * part_pose);
                    clear = self.clears(part, &pose);
                });
                clear
            })
        } else if shape.is_convex() || shape.as_shape::<HalfSpace>().is_some() {
            self.core.sweep_is_clear(&ConvexObstacle::Solid(shape, pose), self.motion)
        } else {
            self.cast_misses(shape, pose)
        }
    }

    fn clears_triangle(&self, triangle: &Triangle, pose: &Pose) -> bool {
        let corners = [triangle.a, triangle.b, triangle.c].map(|corner| pose * corner);
        self.core.sweep_is_clear(&ConvexObstacle::Triangle(&corners), self.motion)
    }

    /// Asks rapier's own shape cast: for voxels, and for shapes that only the dispatcher knows.
    fn cast_misses(&self, shape: &dyn Shape, pose: &Pose) -> bool {
        let half = self.core.half_extents();
        let (capsule, block) = (Capsule::new_y(half.y, self.body.radius), Cuboid::new(half));
        let body: &dyn Shape = match self.body.shape {
            BodyShape::Capsule => &capsule,
            BodyShape::Box => &block,
        };
        let start = pose.inv_mul(&Pose::from_translation(self.core.center()));
        let motion = pose.rotation.inverse() * self.motion;
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        // A cast is reliable only if it starts clear.
        let overlap = self.dispatcher.intersection_test(&start, shape, body);
        let cast = || self.dispatcher.cast_shapes(&start, motion, shape, body, options);
        overlap.is_ok_and(|overlap| !overlap.intersecting) && matches!(cast(), Ok(None))
    }

    fn swept_box(&self) -> SweptBox {
        let half_extents = self.core.half_extents() + self.core.radius;
        SweptBox { half_extents, line: Ray::new(self.core.center(), self.motion) }
    }
}

/// The volume that a body's box sweeps over, for the broad phase.
#[derive(Clone, Copy)]
struct SweptBox {
    half_extents: Vector,
    /// The motion of its center.
    line: Ray,
}

impl SweptBox {
    /// Returns a swept box around it in the local space of a shape at a pose.
    fn in_space_of(&self, pose: &Pose) -> SweptBox {
        let axes = Mat3::from_quat(pose.rotation.inverse());
        let half_extents: Vector = axes.abs() * self.half_extents;
        SweptBox { half_extents, line: self.line.inverse_transform_by(pose) }
    }

    fn intersects(&self, bounds: &Aabb) -> bool {
        // A box swept over a box is a ray cast at their Minkowski sum.
        let grown = Aabb::new(bounds.mins - self.half_extents, bounds.maxs + self.half_extents);
        grown.cast_local_ray(&self.line, 1.0, true).is_some()
    }

    /// Returns the leaves of a BVH that it may touch.
    fn leaves<'b>(&self, bvh: &'b Bvh) -> impl Iterator<Item = u32> + 'b {
        let swept = *self;
        bvh.leaves(move |node| swept.intersects(&node.aabb()))
    }

    /// Returns the box around all of it.
    fn bounds(&self) -> Aabb {
        let [start, end] = [self.line.origin, self.line.origin + self.line.dir];
        Aabb::new(start.min(end) - self.half_extents, start.max(end) + self.half_extents)
    }
}
