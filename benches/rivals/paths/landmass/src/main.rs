//! landmass's side: it gets a navmesh and pairs of places on standard input, and says on standard
//! output how long their paths took and what they are.

#[path = "../../src/memory.rs"]
mod memory;
#[path = "../../src/wire.rs"]
mod wire;

use std::collections::HashMap;
use std::hint::black_box;
use std::io::{BufRead, Write, stdin, stdout};
use std::sync::Arc;
use std::time::Instant;

use landmass::{
    Archipelago, ArchipelagoOptions, FromAgentRadius, HeightNavigationMesh, HeightPolygon, Island,
    NavigationMesh, PathStep, PermittedAnimationLinks, PointSampleDistance3d, Transform, Vec3, XYZ,
};

use wire::{Mesh, Part, Point, Preparation, Reply, Request};

fn main() {
    let mut requests = stdin().lock().lines().map(|line| {
        let line = line.expect("the other program writes text");
        serde_json::from_str(&line).expect("the other program writes requests")
    });
    let Some(Request::Prepare { mesh, pairs }) = requests.next() else { return };
    let pairs: Vec<[Vec3; 2]> = pairs.into_iter().map(|ends| ends.map(to_theirs)).collect();
    let order: Vec<usize> = (0..pairs.len()).collect();
    let before = memory::held();
    let start = Instant::now();
    let world = World::new(&mesh);
    let seconds = start.elapsed().as_secs_f64();
    drop(world.run(&pairs, &order));
    let bytes = memory::held() - before;
    say(&Reply::Prepared(Preparation { seconds, bytes }));
    for request in requests {
        match request {
            Request::Prepare { .. } => panic!("it is prepared"),
            Request::Run(order) => say(&Reply::Times(world.run(&pairs, &order))),
            Request::Answers => {
                let answers = pairs.iter().map(|&pair| world.path(pair).map(|path| corners(&path)));
                say(&Reply::Answers(answers.collect()));
            }
        }
    }
}

fn say(reply: &Reply) {
    let mut out = stdout().lock();
    serde_json::to_writer(&mut out, reply).expect("the other program listens");
    out.write_all(b"\n").and_then(|()| out.flush()).expect("the other program listens");
}

/// The navmesh as the one island of an archipelago.
struct World {
    archipelago: Archipelago<XYZ>,
    /// How far from the mesh an end may lie.
    near: PointSampleDistance3d,
}

impl World {
    fn new(mesh: &Mesh) -> World {
        // As in the project's example of a level with slopes.
        let near = || PointSampleDistance3d {
            distance_above: 0.75,
            distance_below: 0.75,
            ..PointSampleDistance3d::from_agent_radius(mesh.radius)
        };
        let mut archipelago = Archipelago::new(ArchipelagoOptions {
            point_sample_distance: near(),
            ..ArchipelagoOptions::from_agent_radius(mesh.radius)
        });
        let valid = navigation_mesh(mesh).validate().unwrap_or_else(|error| panic!("{error}"));
        let transform = Transform { translation: Vec3::ZERO, rotation: 0.0 };
        archipelago.add_island(Island::new(transform, Arc::new(valid)));
        // Islands can be asked about from the next update on.
        archipelago.update(0.01);
        World { archipelago, near: near() }
    }

    fn path(&self, [from, to]: [Vec3; 2]) -> Option<Vec<PathStep<XYZ>>> {
        let World { archipelago, near } = self;
        let from = archipelago.sample_point(from, near).ok()?;
        let to = archipelago.sample_point(to, near).ok()?;
        let (costs, links) = (HashMap::new(), PermittedAnimationLinks::All);
        archipelago.find_path(&from, &to, &costs, links).ok()
    }

    fn run(&self, pairs: &[[Vec3; 2]], order: &[usize]) -> Vec<f64> {
        let mut times = vec![0.0; pairs.len()];
        for &pair in order {
            let start = Instant::now();
            black_box(self.path(black_box(pairs[pair])));
            times[pair] = start.elapsed().as_secs_f64() * 1e6;
        }
        times
    }
}

fn navigation_mesh(mesh: &Mesh) -> NavigationMesh<XYZ> {
    let to_theirs = |points: &[Point]| points.iter().map(|&point| to_theirs(point)).collect();
    let part = |part: &Part| HeightPolygon {
        base_vertex_index: part.first_vertex,
        vertex_count: part.vertices,
        base_triangle_index: part.first_triangle,
        triangle_count: part.triangles,
    };
    NavigationMesh {
        vertices: to_theirs(&mesh.corners),
        polygons: mesh.outlines.clone(),
        polygon_type_indices: vec![0; mesh.outlines.len()],
        height_mesh: Some(HeightNavigationMesh {
            polygons: mesh.parts.iter().map(part).collect(),
            vertices: to_theirs(&mesh.vertices),
            triangles: mesh.triangles.clone(),
        }),
    }
}

fn corners(path: &[PathStep<XYZ>]) -> Vec<Point> {
    let corner = |step: &PathStep<XYZ>| match step {
        PathStep::Waypoint(point) => to_ours(*point),
        PathStep::AnimationLink { .. } => panic!("there are no links"),
    };
    path.iter().map(corner).collect()
}

/// Up is z there.
fn to_theirs([x, y, z]: Point) -> Vec3 {
    Vec3::new(x, -z, y)
}

fn to_ours(point: Vec3) -> Point {
    [point.x, point.z, -point.y]
}
