//! polyanya's side: rerecast's navmesh as its own import takes it, and with fewer polygons.

use std::hint::black_box;
use std::time::Instant;

use ::polyanya::{Coords, Mesh, Path, Polygon, RecastFullMesh, Vertex};
use glam::{Vec2, Vec3, Vec3Swizzles};

use super::{Output, Side};
use crate::memory::held;
use crate::navmesh::{Location, Navmesh, Triangle, locate};
use crate::pairs::Pair;
use crate::wire::Preparation;

/// A corner may be so far outside the polygon that it is on, of a triangle's size.
const ON_EDGE: f32 = 1e-3;

/// What it searches, and what it is asked for.
#[derive(Clone, Copy)]
pub struct Asked {
    pub ground: Polygons,
    pub points: Points,
}

/// What its mesh is made of.
#[derive(Clone, Copy, PartialEq)]
pub enum Polygons {
    /// The navmesh's own polygons: few, of up to six corners, their heights rough.
    Own,
    /// The triangles of the detail mesh, by its own import.
    Detail,
}

/// What it tells.
#[derive(Clone, Copy, PartialEq)]
pub enum Points {
    /// The corners on the plane: `path`, from and to the polygons at the ends' heights.
    Corners,
    /// The corners with heights, and more points where the slope changes: `path_3d`.
    OnGround,
}

pub struct Polyanya<'a> {
    pairs: &'a [Pair],
    mesh: Mesh,
    /// The triangles of each of its polygons.
    floors: Vec<Vec<Triangle>>,
    asked: Asked,
    preparation: Preparation,
}

impl<'a> Polyanya<'a> {
    pub fn new(navmesh: &Navmesh, pairs: &'a [Pair], asked: Asked) -> Self {
        let before = held();
        let start = Instant::now();
        let mesh = match asked.ground {
            Polygons::Own => own(navmesh),
            Polygons::Detail => detail(navmesh),
        };
        let seconds = start.elapsed().as_secs_f64();
        let bytes = held() - before;
        let floors: Vec<Vec<Triangle>> = match asked.ground {
            Polygons::Own => navmesh.triangles().collect(),
            Polygons::Detail => navmesh.triangles().flatten().map(|each| vec![each]).collect(),
        };
        Polyanya { pairs, mesh, floors, asked, preparation: Preparation { seconds, bytes } }
    }

    fn ends(&self, [from, to]: &Pair) -> Option<[Coords; 2]> {
        let from = self.mesh.get_closest_point_at_height(*from, from.y)?;
        let to = self.mesh.get_closest_point_at_height(*to, to.y)?;
        Some([from, to])
    }

    fn corners(&self, ends: &Pair) -> Option<Path> {
        let [from, to] = self.ends(ends)?;
        self.mesh.path(from, to)
    }

    fn on_ground(&self, [from, to]: &Pair) -> Option<Vec<Vec3>> {
        self.mesh.path_3d(*from, *to)
    }

    /// By the triangle of a polygon that a place is on, or nearest to.
    fn on_polygon(&self, polygon: u32, at: Vec2) -> Option<Location> {
        let triangles = self.floors[polygon as usize].iter();
        let places = triangles.map(|triangle| locate(triangle, at));
        let places = places.filter(|place| place.inside.is_finite());
        places.max_by(|a, b| a.inside.total_cmp(&b.inside))
    }
}

fn detail(navmesh: &Navmesh) -> Mesh {
    let full = RecastFullMesh::new(navmesh.polygons.clone(), navmesh.detail.clone());
    let mut mesh: Mesh = full.try_into().expect("a sound navmesh");
    mesh.bake();
    mesh
}

/// By the steps of its own import, with other polygons.
fn own(navmesh: &Navmesh) -> Mesh {
    let corners: Vec<Vec3> = navmesh.corners().collect();
    let mut around = vec![Vec::new(); corners.len()];
    for (polygon, outline) in navmesh.outlines().enumerate() {
        for &corner in outline {
            around[usize::from(corner)].push(polygon as u32);
        }
    }
    let vertex = |(corner, around): (&Vec3, _)| Vertex::new(corner.xz(), around);
    let vertices = corners.iter().zip(around).map(vertex).collect();
    // Seen with z upwards they go the other way round.
    let outline = |outline: &[u16]| outline.iter().rev().map(|&corner| corner.into()).collect();
    let polygons = navmesh.outlines().map(|corners| Polygon::new(outline(corners), false));
    let mut mesh = Mesh::new(vertices, polygons.collect()).expect("a sound navmesh");
    let heights = corners.iter().map(|corner| corner.y).collect();
    mesh.layers[0].set_heights(heights).expect("a height for each corner");
    mesh.reorder_neighbors_ccw_and_fix_corners();
    mesh.update_is_one_way();
    mesh.bake();
    mesh
}

impl Side for Polyanya<'_> {
    fn name(&self) -> String {
        let Asked { ground, points } = self.asked;
        let ground = if ground == Polygons::Own { "polygons" } else { "triangles" };
        let call = if points == Points::OnGround { "path_3d" } else { "path" };
        format!("polyanya, {ground}, {call}")
    }

    fn output(&self) -> Output {
        match self.asked {
            Asked { ground: Polygons::Detail, points: Points::Corners } => Output::Path,
            _ => Output::SamePath,
        }
    }

    fn run(&mut self, order: &[usize]) -> Vec<f64> {
        let mut times = vec![0.0; self.pairs.len()];
        for &pair in order {
            let ends = self.pairs[pair];
            let start = Instant::now();
            match self.asked.points {
                Points::Corners => drop(black_box(self.corners(black_box(&ends)))),
                Points::OnGround => drop(black_box(self.on_ground(black_box(&ends)))),
            }
            times[pair] = start.elapsed().as_secs_f64() * 1e6;
        }
        times
    }

    /// The corners on the plane, at the heights of the polygons that they are on.
    fn answers(&mut self) -> Vec<Option<Vec<Vec3>>> {
        let path = |ends: &Pair| {
            let path = self.corners(ends)?;
            let mut polygons = path.polygons().into_iter().map(|(_, polygon)| polygon).peekable();
            let corners = path.path.iter().map(|&corner| {
                loop {
                    let there = self.on_polygon(*polygons.peek()?, corner)?;
                    if there.inside >= -ON_EDGE {
                        return Some(Vec3::new(corner.x, there.height, corner.y));
                    }
                    polygons.next();
                }
            });
            [Some(ends[0])].into_iter().chain(corners).collect()
        };
        self.pairs.iter().map(path).collect()
    }

    fn preparation(&self) -> Preparation {
        self.preparation
    }
}
