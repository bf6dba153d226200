//! Baked scenes with their colliders, to which more can be added.

use std::path::Path;

use rapier3d::math::{Pose, Vector};
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder};
use surefoot::path::{GridSight, Sight};
use surefoot::view::{NavPoint, View};
use surefoot::{Agent, AgentId, NavGrid};
use surefoot_bake::casts::CollisionWorld;
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_rapier::{Body, BodySweep};
use surefoot_rapier::{CastSight, GridThenCast};

pub const AGENT: AgentId = AgentId(0);

/// A scene with its grid and its colliders.
pub struct Level {
    pub grid: NavGrid,
    pub physics: PhysicsWorld,
}

impl Level {
    pub fn new(scene: &Scene, agent: Agent, cell_size: f32) -> Self {
        let cell_size = Some(cell_size);
        let settings = BakeSettings { cell_size, agents: vec![agent], ..BakeSettings::default() };
        let grid = bake(scene, &settings, &()).expect("it bakes").grid;
        let world = CollisionWorld::new(scene).expect("a world");
        Level { grid, physics: world.to_physics().expect("rapier takes it") }
    }

    pub fn human(scene: &Scene) -> Self {
        Level::new(scene, Agent::new("human"), 0.25)
    }

    /// One of the scenes of this repository.
    pub fn own(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes").join(name);
        Level::human(&surefoot_testing::load(&path))
    }

    /// Puts a box into the world that the grid does not know of: its center and half its sides.
    pub fn put(&mut self, center: [f32; 3], half: [f32; 3]) {
        let [x, y, z] = half;
        let collider = ColliderBuilder::cuboid(x, y, z);
        let pose = Pose::from_translation(Vector::from(center));
        self.physics.insert_collider(collider.position(pose), None);
        self.physics.detect_collisions(&(), &());
    }

    /// Drops a crate of 1 m and waits until it lies.
    pub fn drop_crate(&mut self, at: [f32; 3]) {
        let body = RigidBodyBuilder::dynamic().translation(Vector::from(at));
        let (handle, _) = self.physics.insert(body, ColliderBuilder::cuboid(0.5, 0.5, 0.5));
        let lies = |physics: &PhysicsWorld| physics.bodies[handle].is_sleeping();
        for _ in 0..600 {
            self.physics.step();
            if lies(&self.physics) {
                return;
            }
        }
        panic!("the crate still moves at {:?}", self.physics.bodies[handle].translation());
    }

    pub fn view(&self) -> View {
        View::new(&self.grid, AGENT).expect("an agent")
    }

    /// The ground at a point, at most 30 cm above or below it.
    pub fn nav_point(&self, point: [f32; 3]) -> NavPoint {
        let span = self.grid.span_at(point, 0.3);
        let span = span.unwrap_or_else(|| panic!("no ground at {point:?}"));
        let [x, _, z] = point;
        let y = self.grid.ground_height(x, z, span).expect("over its cell");
        NavPoint { span, point: [x, y, z].into() }
    }

    /// Whether the grid sees from one end to the other, and whether the cast does; the same in both
    /// directions.
    pub fn sees(&self, ends: [[f32; 3]; 2]) -> [bool; 2] {
        let [from, to] = ends.map(|point| self.nav_point(point));
        let view = self.view();
        let [cast, both] = [true, false].map(|alone| {
            let sight: &dyn Sight = match alone {
                true => &CastSight::new(&self.physics),
                false => &GridThenCast::new(&self.physics),
            };
            let seen = sight.is_clear(&view, &from, &to);
            assert_eq!(seen, sight.is_clear(&view, &to, &from), "{ends:?}");
            seen
        });
        let grid = GridSight.is_clear(&view, &from, &to);
        assert_eq!(both, grid && cast, "{ends:?}");
        [grid, cast]
    }

    /// Whether the body gets along the straight line in space.
    pub fn flies(&self, ends: [[f32; 3]; 2]) -> bool {
        let body = Body::new(self.view().agent());
        let points = ends.map(|point| self.nav_point(point).point);
        BodySweep::from(&self.physics).can_go(&body, points)
    }
}

pub fn scene_of(build: impl FnOnce(&mut SceneBuilder)) -> Scene {
    let mut builder = SceneBuilder::new("made");
    build(&mut builder);
    builder.build().expect("a sound scene")
}

/// A box from its least to its greatest corner.
pub fn block(builder: &mut SceneBuilder, name: &str, [min, max]: [[f32; 3]; 2]) {
    let half = [0, 1, 2].map(|i| (max[i] - min[i]) / 2.0);
    let center = [0, 1, 2].map(|i| (max[i] + min[i]) / 2.0);
    builder.cuboid(name, half, Placement::at(center));
}

/// Level ground, its least corner at the origin.
pub fn ground(builder: &mut SceneBuilder, x: f32, z: f32) {
    block(builder, "ground", [[0.0, -1.0, 0.0], [x, 0.0, z]]);
}
