//! Bodies swept through rapier worlds.

use nalgebra::Point3;
use rapier3d::math::{IVector, Pose, Rotation, Vector};
use rapier3d::parry::query::ShapeCastOptions;
use rapier3d::parry::shape::{Capsule, SharedShape};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, QueryFilter, RigidBodyBuilder, RigidBodyHandle,
};
use surefoot::{Agent, BodyShape};
use surefoot_bake::casts::CollisionWorld;
use surefoot_rapier::{Body, BodySweep};

use surefoot_testing::{CUBE, CUBE_FACES, Random, data_folder};

/// How far a body is held from where it would just touch, to either side [m].
const HAIR: f32 = 1e-3;

fn bodies() -> [Body; 3] {
    let ball = Agent { height: 0.7, ..Agent::new("ball") };
    let block = Agent { shape: BodyShape::Box, ..Agent::new("box") };
    [Agent::new("capsule"), ball, block].map(|agent| Body::new(&agent))
}

fn world_of(shape: SharedShape, pose: Pose) -> PhysicsWorld {
    let mut physics = PhysicsWorld::new();
    physics.insert_collider(ColliderBuilder::new(shape).position(pose), None);
    physics.detect_collisions(&(), &());
    physics
}

fn cube_mesh(half: f32) -> SharedShape {
    let corners = CUBE.map(|[x, y, z]| Vector::new(x, y, z) * half);
    let faces = CUBE_FACES.chunks(3).map(|face| [face[0], face[1], face[2]]);
    SharedShape::trimesh(corners.to_vec(), faces.collect()).expect("a sound mesh")
}

/// A shape of each kind, and how far its top is above its origin.
fn shapes() -> Vec<(&'static str, SharedShape, f32)> {
    let ridge =
        [[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5], [0.0, 0.0, -0.5]]
            .map(|[x, y, z]| Vector::new(x, y, z));
    let parts = [-0.3, 0.3].map(|x| {
        (Pose::from_translation(Vector::new(x, 0.1, 0.0)), SharedShape::cuboid(0.2, 0.4, 0.4))
    });
    let flat = Array2::new(4, 4, vec![0.0; 16]);
    let voxels = [0, 1].map(|x| IVector::new(x, 0, 0));
    vec![
        ("ball", SharedShape::ball(0.5), 0.5),
        ("cuboid", SharedShape::cuboid(0.5, 0.5, 0.5), 0.5),
        ("capsule", SharedShape::capsule_y(0.2, 0.3), 0.5),
        ("lying capsule", SharedShape::capsule_x(0.2, 0.3), 0.3),
        ("cylinder", SharedShape::cylinder(0.5, 0.5), 0.5),
        ("cone", SharedShape::cone(0.5, 0.5), 0.5),
        ("round cuboid", SharedShape::round_cuboid(0.4, 0.4, 0.4, 0.1), 0.5),
        ("hull", SharedShape::convex_hull(&ridge).expect("it has a volume"), 0.5),
        ("mesh", cube_mesh(0.5), 0.5),
        ("triangle", SharedShape::triangle(ridge[0], ridge[1], ridge[2]), 0.5),
        ("compound", SharedShape::compound(parts.to_vec()), 0.5),
        ("height field", SharedShape::heightfield(flat, Vector::new(8.0, 1.0, 8.0)), 0.0),
        ("half-space", SharedShape::halfspace(Vector::Y), 0.0),
        ("voxels", SharedShape::voxels(Vector::splat(0.5), &voxels), 0.5),
    ]
}

#[test]
fn a_body_passes_a_hair_above_any_shape_and_not_a_hair_lower() {
    for (name, shape, top) in shapes() {
        // Far out as well, and turned about the vertical.
        for (origin, turn) in [(Vector::ZERO, 0.0), (Vector::new(900.0, 40.0, -700.0), 0.5)] {
            let rotation = Rotation::from_rotation_y(turn);
            let pose = Pose::from_parts(origin - Vector::Y * top, rotation);
            let physics = world_of(shape.clone(), pose);
            let sweep = BodySweep::from(&physics);
            for body in bodies() {
                let goes = |above: f32| {
                    let along = rotation * Vector::new(0.3, 0.0, 0.05);
                    let feet = origin + Vector::Y * (above - body.bottom);
                    let ends = [feet - along * 12.0, feet + along * 9.0];
                    sweep.can_go(&body, ends.map(|end| [end.x, end.y, end.z]))
                };
                assert!(goes(HAIR), "{name} stops {body:?} that passes above it");
                assert!(!goes(-HAIR), "{name} does not stop {body:?}");
            }
        }
    }
}

#[test]
fn a_turned_mesh_stops_a_body_where_it_is() {
    let tilt = Rotation::from_rotation_z(std::f32::consts::FRAC_PI_4);
    let physics = world_of(cube_mesh(1.0), Pose::from_parts(Vector::new(4.0, 0.0, 0.0), tilt));
    let sweep = BodySweep::from(&physics);
    for body in bodies() {
        // The cube stands on an edge: its widest is at its middle, its face before the body.
        let side = 4.0 - std::f32::consts::SQRT_2 - body.radius;
        let reaches = |x: f32| {
            let level = -body.bottom - body.radius;
            let along = |z: f32| [x, level, z];
            sweep.can_go(&body, [along(-5.0), along(5.0)])
        };
        assert!(reaches(side - HAIR), "{body:?}");
        assert!(!reaches(side + body.radius), "{body:?}");
    }
}

/// A world with a crate of 1 m on the ground, that moves.
fn with_crate(center: Vector) -> (PhysicsWorld, RigidBodyHandle) {
    let mut physics = PhysicsWorld::new();
    let ground = ColliderBuilder::cuboid(20.0, 0.5, 20.0);
    physics.insert_collider(ground.position(Pose::from_translation(-0.5 * Vector::Y)), None);
    let body = RigidBodyBuilder::dynamic().translation(center);
    let (handle, _) = physics.insert(body, ColliderBuilder::cuboid(0.5, 0.5, 0.5));
    physics.detect_collisions(&(), &());
    (physics, handle)
}

#[test]
fn a_body_that_something_presses_on_gets_nowhere() {
    let (physics, crate_handle) = with_crate(Vector::new(0.0, 0.5, 0.0));
    let sweep = BodySweep::from(&physics);
    for body in bodies() {
        let touching = 0.5 + body.radius;
        let away = |x: f32| sweep.can_go(&body, [[x, 0.0, 0.0], [x + 5.0, 0.0, 1.0]]);
        let along = |x: f32| sweep.can_go(&body, [[x, 0.0, 0.0], [x, 0.0, 3.0]]);
        let stands = |x: f32| sweep.can_go(&body, [[x, 0.0, 0.0]]);
        for goes in [&away as &dyn Fn(f32) -> bool, &along, &stands] {
            assert!(goes(touching + HAIR), "{body:?}");
            assert!(!goes(touching - HAIR), "{body:?}");
            assert!(!goes(0.1), "{body:?} is inside");
        }
        let others = QueryFilter::default().exclude_rigid_body(crate_handle);
        let pipeline = physics.query_pipeline_with_filter(others);
        assert!(BodySweep::from(pipeline).can_go(&body, [[0.1, 0.0, 0.0], [5.0, 0.0, 1.0]]));
    }
}

#[test]
fn no_points_and_points_that_are_none_lead_nowhere() {
    let physics = world_of(SharedShape::halfspace(Vector::Y), Pose::IDENTITY);
    let sweep = BodySweep::from(&physics);
    let [body, ..] = bodies();
    assert!(!sweep.can_go(&body, [[0.0; 3]; 0]));
    assert!(!sweep.can_go(&body, [[0.0, f32::NAN, 0.0]]));
    assert!(!sweep.can_go(&body, [[0.0; 3], [f32::INFINITY, 0.0, 0.0]]));
    assert!(!sweep.can_go(&body, [[-f32::MAX, 0.0, 0.0], [f32::MAX, 0.0, 0.0]]));
    assert!(sweep.can_go(&body, [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]));
}

/// Moves compared in each world.
const MOVES: usize = 4000;
/// So near to touching rapier's own cast may differ [m]: along large triangles it hits early.
const NEAR_TOUCHING: f32 = 0.05;

#[test]
fn rapiers_own_cast_differs_only_where_the_body_nearly_touches() {
    let mut scenes: Vec<_> = surefoot_testing::own_scenes();
    scenes.extend(data_folder().map(|folder| folder.join("scenes/dungeon.gltf")));
    for path in scenes {
        let world = CollisionWorld::new(&surefoot_testing::load(&path)).expect("a world");
        let physics = world.to_physics().expect("rapier takes it");
        let (low, high) = world.bounds().expect("not empty");
        let (mut random, mut clear, mut differ) = (Random(23), 0, 0);
        for _ in 0..MOVES {
            let mut part = || random.below(1 << 16) as f32 / (1 << 16) as f32;
            let from = Point3::from([0, 1, 2].map(|i| low[i] + (high[i] - low[i]) * part()));
            let along = [6.0, 1.0, 6.0].map(|most| most * (2.0 * part() - 1.0));
            let ends = [from, from + nalgebra::Vector3::from(along)];
            let comparison = Comparison { physics: &physics, ends };
            clear += usize::from(comparison.goes(0.0));
            differ += usize::from(comparison.differs());
        }
        println!(
            "{:>20}: {clear} of {MOVES} clear, {differ} differ",
            surefoot_testing::name(&path)
        );
    }
}

struct Comparison<'a> {
    physics: &'a PhysicsWorld,
    ends: [Point3<f32>; 2],
}

impl Comparison<'_> {
    /// Whether a body, wider and taller by some metres, gets along.
    fn goes(&self, more: f32) -> bool {
        let [mut body, ..] = bodies();
        body.radius += more;
        body.bottom -= more;
        body.top += more;
        BodySweep::from(self.physics).can_go(&body, self.ends)
    }

    /// Whether rapier's cast tells otherwise; where it starts in something it tells nothing.
    fn differs(&self) -> bool {
        let [body, ..] = bodies();
        let [from, to] = self.ends;
        let [low, high] = body.axis();
        let shape = Capsule::new_y(0.5 * (high - low), body.radius);
        let start = Vector::new(from.x, from.y + 0.5 * (low + high), from.z);
        let pipeline = self.physics.query_pipeline();
        let pose = Pose::from_translation(start);
        if pipeline.intersect_shape(pose, &shape).next().is_some() {
            return false;
        }
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let hit = pipeline.cast_shape(&pose, (to - from).into(), &shape, options);
        let differs = hit.is_none() != self.goes(0.0);
        let is_near = self.goes(-NEAR_TOUCHING) && !self.goes(NEAR_TOUCHING);
        assert!(!differs || is_near, "{:?}: {hit:?}", self.ends);
        differs
    }
}
