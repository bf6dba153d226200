//! The tiled caster against plain rapier and parry casts, on every scene.
//!
//! Floors agree to 0.1 mm. Where a line passes within a hair of an edge, a ray cast may miss both
//! triangles (parry issue 444) or hit the other one; such columns are counted, and the edge is
//! shown to be there. A surface a centimetre over another may be one with it to either. A verdict or
//! a step may differ only where the body is within 3 mm of touching something.

use nalgebra::{Point3, Vector3};
use parry3d::math::{Pose, Vector};
use parry3d::shape::{Ball, Capsule, Cuboid, Shape};
use rapier3d::prelude::{PhysicsWorld, QueryFilter};
use surefoot::grid::{AgentId, Cell, Dir, NavGrid, SpanId, Verdict};
use surefoot::{Agent, BodyShape};
use surefoot_bake::casts::{CollisionWorld, RapierCaster};
use surefoot_bake::{BakeSettings, Scene, bake, bake_with};
use surefoot_rapier::Body;

/// How close to touching a body is where casts may disagree [m].
const NEAR_TOUCHING: f32 = 3e-3;
/// The same for box bodies [m]: rapier's own box casts hit up to 18 mm early at large triangles.
const NEAR_TOUCHING_BOX: f32 = 20e-3;
/// How far apart the heights of one floor may be [m].
const SAME_FLOOR: f32 = 1e-4;
/// How far apart the unit normals of one floor may be.
const SAME_SLOPE: f32 = 1e-3;
/// Surfaces closer than this are one to the bake [m].
const MERGE: f32 = 0.01;
/// How close to an edge a ray may miss both triangles [m].
const NEAR_EDGE: f64 = 1e-3;

/// What was compared and how often it differed.
#[derive(Debug, Default)]
struct Count {
    spans: usize,
    edges: usize,
    verdicts: usize,
    steps: usize,
}

#[test]
fn own_scenes_agree() {
    for path in surefoot_testing::own_scenes() {
        let large = surefoot_testing::name(&path) == "village.glb";
        compare(&path, if large { 1.67 } else { 0.41 });
    }
}

#[test]
fn real_scenes_agree() {
    for path in surefoot_testing::real_scenes() {
        let cell_size = match &*surefoot_testing::name(&path) {
            "town_model.gltf" => 7.3,
            "pandora.glb" => 2.13,
            _ => 1.37,
        };
        compare(&path, cell_size);
    }
}

fn compare(path: &std::path::Path, cell_size: f32) {
    let scene = surefoot_testing::load(path);
    let mut agents = vec![
        surefoot_testing::agent("human", 0.3, 1.8),
        surefoot_testing::agent("wide", 0.6, 2.0),
        surefoot_testing::agent("cart", 1.2, 2.2),
        Agent { shape: BodyShape::Box, ..surefoot_testing::agent("crate", 0.5, 1.0) },
    ];
    // Ledges follow from the rest; without them a difference stays where it arose.
    agents.iter_mut().for_each(|agent| agent.ledge_margin = Some(0.0));
    let settings = BakeSettings { cell_size: Some(cell_size), agents, ..Default::default() };
    let world = CollisionWorld::new(&scene).expect("a world");
    let rapier = RapierCaster::new(&world).expect("rapier takes it");
    let expected = bake_with(&scene, &rapier, &settings, &()).expect("bakes").grid;
    let found = bake(&scene, &settings, &()).expect("bakes").grid;
    let physics = world.to_physics().expect("rapier takes it");
    let comparison = Comparison { scene: &scene, physics: &physics, expected, found };
    let count = comparison.run();
    println!("{:>24} {count:?}", surefoot_testing::name(path));
}

struct Comparison<'a> {
    scene: &'a Scene,
    physics: &'a PhysicsWorld,
    expected: NavGrid,
    found: NavGrid,
}

/// A line in plan, from a place [m].
struct PlanLine {
    start: [f32; 2],
    along: [f32; 2],
}

impl Comparison<'_> {
    fn run(&self) -> Count {
        assert_eq!(self.expected.frame(), self.found.frame());
        let mut count = Count::default();
        let frame = *self.found.frame();
        for index in 0..frame.cells() {
            let cell = frame.cell(index);
            let [expected, found] =
                [&self.expected, &self.found].map(|grid| grid.column_spans(cell));
            count.spans += found.len();
            if !self.same_floors(expected.clone(), found.clone()) {
                self.assert_near_edge(frame.center(cell));
                count.edges += 1;
                continue;
            }
            for (expected, found) in expected.zip(found) {
                for agent in 0..self.found.layers().len() {
                    let place = Place { cell, spans: [expected, found].map(SpanId), agent };
                    self.compare_place(&place, &mut count);
                }
            }
        }
        count
    }

    /// Whether both found the same floors over a cell, and the same agent may stand on the same.
    fn same_column(&self, cell: Cell, agent: usize) -> bool {
        let [expected, found] = [&self.expected, &self.found].map(|grid| grid.column_spans(cell));
        let stands = |grid: &NavGrid, id| grid.is_walkable(AgentId(agent as u16), SpanId(id));
        self.same_floors(expected.clone(), found.clone())
            && expected.zip(found).all(|(a, b)| stands(&self.expected, a) == stands(&self.found, b))
    }

    /// Whether two columns have the same floors: as many, as high, of the same slope.
    fn same_floors(&self, expected: std::ops::Range<u32>, found: std::ops::Range<u32>) -> bool {
        let same = |(a, b): (u32, u32)| {
            let (a, b) = (self.expected.spans()[a as usize], self.found.spans()[b as usize]);
            (a.floor - b.floor).abs() <= SAME_FLOOR
                && (a.normal() - b.normal()).norm() <= SAME_SLOPE
        };
        expected.len() == found.len() && expected.zip(found).all(same)
    }

    fn compare_place(&self, place: &Place, count: &mut Count) {
        let agent = AgentId(place.agent as u16);
        let [expected, found] = [&self.expected, &self.found];
        let standing = |grid: &NavGrid, i: usize| *grid.standing(agent, place.spans[i]).unwrap();
        let (a, b) = (standing(expected, 0), standing(found, 1));
        let kind = |verdict: Verdict| std::mem::discriminant(&verdict);
        let feet = self.found.point(place.spans[1]).unwrap();
        if kind(a.verdict()) != kind(b.verdict()) {
            count.verdicts += 1;
            // A leak above or below changes the headroom or what is inside; else it is the body.
            let gap = self.gap(place.agent, feet);
            let gap = if gap == Gap::Clear { self.gap_at_rest(place.agent, feet) } else { gap };
            let leak = self.edge_distance(self.found.frame().center(place.cell)) < NEAR_EDGE;
            // Of a surface just as far above as makes a difference, one may say so and one not.
            let spans =
                [(expected, 0), (found, 1)].map(|(grid, i)| grid.spans()[place.spans[i].index()]);
            let merges = spans.iter().any(|span| (span.headroom() - MERGE).abs() < SAME_FLOOR);
            assert!(
                gap == Gap::Near || leak || merges,
                "at {feet} agent {agent:?}: {:?} by rapier, {:?} by tiles, {gap:?}",
                a.verdict(),
                b.verdict()
            );
            return;
        }
        for dir in Dir::ALL {
            if a.has_connection(dir) != b.has_connection(dir) {
                count.steps += 1;
                self.assert_step_excused(place, dir);
            }
        }
    }

    /// A step may differ where a column beside it does, or where the body comes close to touching
    /// while it moves; for a diagonal along any of the lines around its corner.
    fn assert_step_excused(&self, place: &Place, dir: Dir) {
        let frame = self.found.frame();
        let around = [dir, dir.turned(1), dir.turned(7)];
        let excused = |dir: &Dir| !self.same_column(place.cell.neighbor(*dir), place.agent);
        if around.iter().any(excused) {
            return;
        }
        let [x, z] = [dir.offset().x, dir.offset().z].map(|cells| cells as f32 * frame.cell_size);
        let from = self.found.point(place.spans[1]).unwrap();
        let lines = if dir.is_diagonal() { vec![[x, z], [x, 0.0], [0.0, z]] } else { vec![[x, z]] };
        let corners = [[0.0, 0.0], [x, 0.0], [0.0, z], [x, z]];
        let near = corners.iter().any(|&start| {
            let mut lines = lines.iter().map(|&along| PlanLine { start, along });
            lines.any(|line| self.comes_near(place.agent, from, &line))
        });
        assert!(near, "from {from} in direction {}: far from touching all the way", dir.index());
    }

    /// Whether the body is near to touching somewhere on the straight lines between the floors near
    /// the two ends of a line in plan.
    fn comes_near(&self, agent: usize, from: Point3<f32>, line: &PlanLine) -> bool {
        let PlanLine { start, along } = *line;
        let ends = [start, [start[0] + along[0], start[1] + along[1]]]
            .map(|[x, z]| self.floors_near(Point3::new(from.x + x, from.y, from.z + z)));
        let lines = ends[0].iter().flat_map(|a| ends[1].iter().map(move |b| (a, b - a)));
        let mut places =
            lines.flat_map(|(a, along)| (0..=64).map(move |i| a + along * (i as f32 / 64.0)));
        places.any(|feet| self.gap(agent, feet) == Gap::Near)
    }

    /// The floors of both grids' column at a point, within a step's height.
    fn floors_near(&self, point: Point3<f32>) -> Vec<Point3<f32>> {
        let cell = self.found.frame().cell_at(point.x, point.z);
        let floors = self.found.column_spans(cell).filter_map(|id| self.found.point(SpanId(id)));
        floors.filter(|floor| (floor.y - point.y).abs() < 1.5).collect()
    }

    /// How near a body is to touching.
    fn gap(&self, agent: usize, feet: Point3<f32>) -> Gap {
        let body = Body::new(&self.found.layers()[agent].agent);
        self.gap_within(&body, feet, tolerance(&body))
    }

    /// How near a body is to touching where it comes to rest, let down on a floor; as near as its
    /// casts and those that find out where that is may be off together.
    fn gap_at_rest(&self, agent: usize, feet: Point3<f32>) -> Gap {
        let body = Body::new(&self.found.layers()[agent].agent);
        let [mut free, mut blocked] = [0.0, body.bottom];
        for _ in 0..12 {
            let between = 0.5 * (free + blocked);
            let touches = self.touches(&body, feet - Vector3::y() * between, 0.0);
            *(if touches { &mut blocked } else { &mut free }) = between;
        }
        let resting = feet + Vector3::y() * (body.bottom - free);
        self.gap_within(&body, resting, 2.0 * tolerance(&body))
    }

    /// A body is grown and shrunk by a tolerance: if only the grown one touches, the gap is within
    /// it.
    fn gap_within(&self, body: &Body, feet: Point3<f32>, tolerance: f32) -> Gap {
        match [-tolerance, tolerance].map(|grow| self.touches(body, feet, grow)) {
            [false, true] => Gap::Near,
            [true, _] => Gap::Overlap,
            [false, false] => Gap::Clear,
        }
    }

    fn touches(&self, body: &Body, feet: Point3<f32>, grow: f32) -> bool {
        let (shape, height) = shape(body, grow);
        let pose = Pose::from_translation(Vector::new(feet.x, feet.y + height, feet.z));
        let pipeline = self.physics.query_pipeline_with_filter(QueryFilter::default());
        pipeline.intersect_shape(pose, &*shape).next().is_some()
    }

    fn assert_near_edge(&self, at: [f32; 2]) {
        let distance = self.edge_distance(at);
        assert!(distance < NEAR_EDGE, "floors differ at {at:?}, {distance} m from any edge");
    }

    /// Distance in plan from a point to the nearest edge of any triangle [m].
    fn edge_distance(&self, at: [f32; 2]) -> f64 {
        let mut least = f64::INFINITY;
        for solid in &self.scene.solids {
            let surefoot_bake::scene::Shape::Mesh(mesh) = solid.shape else { continue };
            let mesh = &self.scene.meshes[mesh];
            for triangle in &mesh.triangles {
                let corners = triangle.map(|v| solid.pose * mesh.vertices[v as usize]);
                let beside = |axis: usize, at: f32| {
                    corners.iter().all(|v| v[axis] < at - 0.1)
                        || corners.iter().all(|v| v[axis] > at + 0.1)
                };
                if beside(0, at[0]) || beside(2, at[1]) {
                    continue;
                }
                for side in 0..3 {
                    let ends = [corners[side], corners[(side + 1) % 3]]
                        .map(|v| [f64::from(v.x), f64::from(v.z)]);
                    least = least.min(to_segment(at.map(f64::from), ends));
                }
            }
        }
        least
    }
}

/// How near a body is to touching something.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gap {
    Overlap,
    Near,
    Clear,
}

struct Place {
    cell: Cell,
    /// The span by rapier and by tiles.
    spans: [SpanId; 2],
    agent: usize,
}

/// How close to touching casts may disagree about a body [m].
fn tolerance(body: &Body) -> f32 {
    match body.shape {
        BodyShape::Capsule => NEAR_TOUCHING,
        BodyShape::Box => NEAR_TOUCHING_BOX,
    }
}

/// A body's shape grown by some metres, and the height of its center above the feet.
fn shape(body: &Body, grow: f32) -> (Box<dyn Shape>, f32) {
    let center = 0.5 * (body.bottom + body.top);
    let radius = body.radius + grow;
    match body.shape {
        BodyShape::Capsule => {
            let [low, high] = body.axis();
            let shape: Box<dyn Shape> = if high > low {
                Box::new(Capsule::new_y(0.5 * (high - low), radius))
            } else {
                Box::new(Ball::new(radius))
            };
            (shape, 0.5 * (low + high))
        }
        BodyShape::Box => {
            let half = Vector::new(radius, 0.5 * (body.top - body.bottom) + grow, radius);
            (Box::new(Cuboid::new(half)), center)
        }
    }
}

fn to_segment(point: [f64; 2], [a, b]: [[f64; 2]; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let from = [point[0] - a[0], point[1] - a[1]];
    let square = along[0].powi(2) + along[1].powi(2);
    let t = if square > 0.0 {
        ((from[0] * along[0] + from[1] * along[1]) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (from[0] - t * along[0]).hypot(from[1] - t * along[1])
}
