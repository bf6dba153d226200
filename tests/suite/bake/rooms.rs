//! Nobody in a wall: wherever rooms, paths and slides put a body, rapier finds it less than 1 cm deep.

use std::path::Path;

use nalgebra::{Isometry3, Point3, Translation3, Vector3};
use parry3d::math::{Pose, Vector};
use parry3d::query::distance;
use parry3d::shape::Segment;
use rapier3d::prelude::{Collider, PhysicsWorld};
use surefoot::follow::slide;
use surefoot::grid::Dir;
use surefoot::view::NavPoint;
use surefoot::{Agent, AgentId, NavGrid, Navigator, SpanId, View};
use surefoot_bake::casts::{Caster, CollisionWorld, RapierCaster, Room, TileCaster};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};
use surefoot_rapier::{Body, Probe};
use surefoot_testing::Random;

/// How deep a body may be in the geometry [m].
const DEEP: f32 = 0.01;
/// Places that are tried of each kind, for an agent on a level.
const PLACES: usize = 1200;
const PATHS: usize = 60;
/// How far apart samples of a path are [m].
const SAMPLE: f32 = 0.05;

#[test]
fn nobody_is_in_a_wall_on_own_scenes() {
    for path in surefoot_testing::own_scenes() {
        let sizes: &[f32] = match &*surefoot_testing::name(&path) {
            "village.glb" => &[0.6],
            _ => &[0.15, 0.25, 0.5],
        };
        sizes.iter().for_each(|&size| check(&path, size));
    }
}

#[test]
fn nobody_is_in_a_wall_on_real_scenes() {
    let scenes = surefoot_testing::real_scenes();
    if scenes.is_empty() {
        println!("skipped: no real scenes in SUREFOOT_DATA");
    }
    for path in scenes {
        let size = match &*surefoot_testing::name(&path) {
            "town_model.gltf" => 1.5,
            _ => 0.5,
        };
        check(&path, size);
    }
}

/// The rooms beside a wall of many pieces are those beside a wall in one piece.
#[test]
fn seams_of_walls_do_not_narrow_rooms() {
    for angle in [0.0, 0.4] {
        let [whole, pieces] = [1, 23].map(|pieces| corridor(pieces, angle));
        let rooms = |grid: &NavGrid| grid.layers()[0].rooms.len();
        assert!(rooms(&whole) > 30, "{} rooms", rooms(&whole));
        let is_in = |grid: &NavGrid, span: SpanId, at: [f32; 2], tolerance: f32| {
            let room = grid.layers()[0].rooms.of(span);
            grid.is_walkable(AgentId(0), span)
                && room.is_none_or(|room| room.contains(at, tolerance))
        };
        for span in (0..whole.spans().len() as u32).map(SpanId) {
            for at in
                (0..121).map(|place| [place % 11, place / 11].map(|at| at as f32 / 10.0 - 0.5))
            {
                for (one, other) in [(&whole, &pieces), (&pieces, &whole)] {
                    let both = [is_in(one, span, at, -0.01), is_in(other, span, at, 0.01)];
                    assert!(both != [true, false], "{span:?} at {at:?}, turned by {angle}");
                }
            }
        }
    }
}

/// A corridor, 0.9 m wide, between two walls of some pieces each, turned by an angle [rad].
fn corridor(pieces: u32, angle: f32) -> NavGrid {
    let mut builder = SceneBuilder::new("corridor");
    let turned = |at: [f32; 3]| {
        let turn = Isometry3::rotation(angle * Vector3::y());
        Placement::from(turn * Translation3::from(at))
    };
    builder.cuboid("floor", [4.0, 0.5, 1.0], turned([0.0, -0.5, 0.0]));
    let half = 4.0 / pieces as f32;
    for piece in 0..pieces {
        let x = half * (2 * piece + 1) as f32 - 4.0;
        for z in [-0.75, 0.75] {
            builder.cuboid("wall", [half, 1.2, 0.3], turned([x, 1.2, z]));
        }
    }
    let settings = BakeSettings {
        cell_size: Some(0.25),
        agents: vec![surefoot_testing::agent("human", 0.3, 1.8)],
        ..BakeSettings::default()
    };
    bake(&builder.build().expect("a sound corridor"), &settings, &()).expect("it bakes").grid
}

/// Bakes a scene and tries places of all kinds.
fn check(path: &Path, cell_size: f32) {
    let scene = surefoot_testing::load(path);
    let cart = Agent { radius: 0.6, height: 1.2, max_climb: 0.1, ..Agent::new("cart") };
    let agents = vec![Agent::new("human"), cart];
    let settings = BakeSettings { cell_size: Some(cell_size), agents, ..Default::default() };
    let grid = bake(&scene, &settings, &()).expect("it bakes").grid;
    let world = CollisionWorld::new(&scene).expect("a world");
    let physics = world.to_physics().expect("rapier takes it");
    let caster = RapierCaster::new(&world).expect("rapier takes it");
    for agent in [AgentId(0), AgentId(1)] {
        let probes = [smaller(&grid.layers()[agent.index()].agent)];
        let tile = caster.tile(grid.frame(), &probes);
        let random = Random(7);
        let mut check = PlaceCheck {
            grid: &grid,
            agent,
            tile,
            physics: &physics,
            body: probes[0].body,
            random,
            tried: 0,
            deep: Vec::new(),
        };
        check.rooms();
        check.ways_to_neighbors();
        check.slides();
        check.paths();
        let name = format!("{} at {cell_size} m, {}", surefoot_testing::name(path), agent.0);
        println!("{name}: {} of {} places", check.deep.len(), check.tried);
        assert!(check.deep.is_empty(), "{name}: {:?}", &check.deep[..1]);
    }
}

/// A body that touches something only where the agent's is deep in it.
fn smaller(agent: &Agent) -> Probe {
    let body = Body::new(agent);
    let body = Body {
        radius: body.radius - DEEP,
        bottom: body.bottom + DEEP,
        top: body.top - DEEP,
        ..body
    };
    Probe { body, max_room: 0.0 }
}

/// Tries places for one agent.
struct PlaceCheck<'a, T> {
    grid: &'a NavGrid,
    agent: AgentId,
    tile: T,
    physics: &'a PhysicsWorld,
    /// The agent's body, smaller by what is not deep.
    body: Body,
    random: Random,
    tried: usize,
    /// Where a body was deep, and what put it there.
    deep: Vec<(&'static str, Point3<f32>)>,
}

impl<T: TileCaster> PlaceCheck<'_, T> {
    fn try_place(&mut self, kind: &'static str, point: Point3<f32>) {
        self.tried += 1;
        // A cast may hit a centimetre early; the distance decides.
        if self.tile.room(0, point) != Room::Free(0.0) && self.distance(point) < self.body.radius {
            self.deep.push((kind, point));
        }
    }

    /// The distance of a body's axis from the geometry [m].
    fn distance(&self, feet: Point3<f32>) -> f32 {
        let [low, high] = self.body.axis().map(|y| Vector::new(feet.x, feet.y + y, feet.z));
        let axis = Segment::new(low, high);
        let from = |collider: &Collider| {
            let (pose, shape) = (collider.position(), collider.shape());
            distance(&Pose::IDENTITY, &axis, pose, shape).expect("rapier knows both").distance
        };
        let colliders = self.physics.colliders.iter().map(|(_, collider)| collider);
        colliders.map(from).fold(f32::INFINITY, f32::min)
    }

    /// Random numbers [0..1).
    fn part(&mut self) -> f32 {
        self.random.below(1 << 20) as f32 / (1 << 20) as f32
    }

    /// A random place over a random span, in its room.
    fn place(&mut self) -> Option<NavPoint> {
        let span = SpanId(self.random.below(self.grid.spans().len()) as u32);
        if !self.grid.is_walkable(self.agent, span) {
            return None;
        }
        let offset = [self.part() - 0.5, self.part() - 0.5];
        let room = self.grid.layers()[self.agent.index()].rooms.of(span);
        if room.is_some_and(|room| !room.contains(offset, 0.0)) {
            return None;
        }
        let frame = self.grid.frame();
        let [x, z] = frame.center(self.grid.cell_of(span)?);
        let [x, z] = [x + offset[0] * frame.cell_size, z + offset[1] * frame.cell_size];
        let height = self.grid.ground_height(x, z, span)?;
        Some(NavPoint { span, point: Point3::new(x, height, z) })
    }

    fn rooms(&mut self) {
        for _ in 0..PLACES {
            if let Some(place) = self.place() {
                self.try_place("room", place.point);
            }
        }
    }

    /// Goes straight to the neighbors of cells with little room, such as beside steps, in five places each.
    fn ways_to_neighbors(&mut self) {
        let view = View::new(self.grid, self.agent).expect("an agent");
        let rooms = &self.grid.layers()[self.agent.index()].rooms;
        let spans = (0..self.grid.spans().len() as u32).map(SpanId);
        let narrow: Vec<SpanId> =
            spans.filter(|&span| view.is_walkable(span) && rooms.of(span).is_some()).collect();
        for &span in narrow.iter().step_by(narrow.len().div_ceil(PLACES).max(1)) {
            let cell = self.grid.cell_of(span).expect("a span of the grid");
            let ([x, z], size) = (self.grid.frame().center(cell), self.grid.frame().cell_size);
            for dir in Dir::ALL.into_iter().filter(|&dir| view.neighbor(span, dir).is_some()) {
                let toward = dir.offset();
                for part in [0.1, 0.2, 0.3, 0.4, 0.49] {
                    let [along_x, along_z] = [toward.x, toward.z].map(|v| v as f32 * size * part);
                    let [x, z] = [x + along_x, z + along_z];
                    let y = view.feet_height(x, z, span).expect("a place over the cell");
                    self.try_place("way", Point3::new(x, y, z));
                }
            }
        }
    }

    /// Slides on and on, with a new direction now and then.
    fn slides(&mut self) {
        let nav = Navigator::new(self.grid.clone(), self.agent).expect("an agent");
        for _ in 0..PLACES / 20 {
            let Some(mut at) = self.place() else { continue };
            let by =
                [self.part() - 0.5, self.part() - 0.5].map(|v| v * self.grid.frame().cell_size);
            for _ in 0..20 {
                at = slide(nav.view(), at, by);
                self.try_place("slide", at.point);
            }
        }
    }

    fn paths(&mut self) {
        let mut nav = Navigator::new(self.grid.clone(), self.agent).expect("an agent");
        for _ in 0..PATHS {
            let (Some(from), Some(to)) = (self.place(), self.place()) else { continue };
            let view = nav.view().clone();
            let Ok(path) = nav.path(from.point, to.point) else { continue };
            let links = path.waypoints().iter().any(|waypoint| waypoint.link.is_some());
            let samples = (path.length() / SAMPLE) as u32;
            let sampled: Vec<_> = (0..=samples)
                .filter_map(|at| path.sample(&view, at as f32 * SAMPLE))
                .chain(path.waypoints().iter().map(|waypoint| waypoint.point))
                .collect();
            // Links lead through the geometry.
            for point in sampled.into_iter().filter(|_| !links) {
                self.try_place("path", point);
            }
        }
    }
}
