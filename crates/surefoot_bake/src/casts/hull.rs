//! Convex hulls that are right for any points: slim, flat, or nearly in a plane.
//!
//! The hull grows by the farthest point outside one of its faces, until no point is outside.
//! Whether a point is outside a face is decided by an exact predicate, so the faces always close
//! around all points. In floating point, slim edges and thin bodies lose corners.
//! Based on: Barber, Dobkin and Huhdanpaa, "The quickhull algorithm for convex hulls", 1996, with the
//! predicates of Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
//! predicates", 1997.

use parry3d::math::Vector;
use robust::{Coord3D, orient3d};

/// A closed surface of triangles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polyhedron {
    pub vertices: Vec<Vector>,
    /// Corners of each triangle, counterclockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Returns the convex hull of some points; `None` if they lie in a plane. About O(n log n).
pub(super) fn convex_hull(points: &[Vector]) -> Option<Polyhedron> {
    let mut hull = QuickHull::initial_tetrahedron(points)?;
    while let Some(face) = hull.pending.pop() {
        if let Some(apex) = hull.farthest_outside(face) {
            hull.add_point(face, apex);
        }
    }
    Some(hull.finish())
}

/// A hull under construction.
struct QuickHull<'a> {
    points: &'a [Vector],
    faces: Vec<HullFace>,
    /// Faces that may have points outside.
    pending: Vec<u32>,
    /// For each point on the last horizon the new face whose horizon edge starts there.
    face_at: Vec<u32>,
}

/// A triangle of the hull.
struct HullFace {
    corners: [u32; 3],
    /// The faces beyond its edges, from each corner to the next.
    neighbors: [u32; 3],
    /// Points outside it. Each point is listed with one face only.
    outside: Vec<u32>,
    /// No longer part of the hull.
    removed: bool,
}

/// An edge between faces that a new point is outside of and one that it is not.
struct HorizonEdge {
    start: u32,
    end: u32,
    /// The face that stays.
    beyond: u32,
}

/// A neighbor that is not known yet.
const NO_FACE: u32 = u32::MAX;

impl<'a> QuickHull<'a> {
    /// Starts with four points that are far apart; the others are assigned to its faces.
    fn initial_tetrahedron(points: &'a [Vector]) -> Option<Self> {
        let [a, b, c, d] = far_apart(points)?;
        // All four faces turn counterclockwise seen from outside.
        let [b, c] = if signed_volume(points, [a, b, c], d) < 0.0 { [b, c] } else { [c, b] };
        let face = HullFace::new;
        let mut hull = QuickHull {
            points,
            faces: vec![
                face([a, b, c], [1, 2, 3]),
                face([a, d, b], [3, 2, 0]),
                face([b, d, c], [1, 3, 0]),
                face([c, d, a], [2, 1, 0]),
            ],
            pending: vec![0, 1, 2, 3],
            face_at: vec![NO_FACE; points.len()],
        };
        hull.assign_outside(0, (0..points.len() as u32).collect());
        Some(hull)
    }

    /// Returns how far a point is outside a face, scaled by the face's area; exact in its sign.
    fn height(&self, face: u32, point: u32) -> f64 {
        signed_volume(self.points, self.faces[face as usize].corners, point)
    }

    /// Returns the point farthest outside a face, if there is one.
    fn farthest_outside(&self, face: u32) -> Option<u32> {
        let outside = self.faces[face as usize].outside.iter().copied();
        outside.max_by(|&p, &q| self.height(face, p).total_cmp(&self.height(face, q)))
    }

    /// Adds a point outside a face: replaces all faces that it is outside of by a cone of new faces
    /// from the point to their horizon.
    fn add_point(&mut self, face: u32, apex: u32) {
        let mut visible = vec![face];
        let mut horizon = Vec::new();
        let mut unassigned = std::mem::take(&mut self.faces[face as usize].outside);
        self.faces[face as usize].removed = true;
        let mut next = 0;
        while let Some(&at) = visible.get(next) {
            next += 1;
            for side in 0..3 {
                let HullFace { corners, neighbors, .. } = &self.faces[at as usize];
                let (start, end, beyond) =
                    (corners[side], corners[(side + 1) % 3], neighbors[side]);
                if self.faces[beyond as usize].removed {
                    continue;
                }
                if self.height(beyond, apex) > 0.0 {
                    let beyond_face = &mut self.faces[beyond as usize];
                    beyond_face.removed = true;
                    unassigned.append(&mut beyond_face.outside);
                    visible.push(beyond);
                } else {
                    horizon.push(HorizonEdge { start, end, beyond });
                }
            }
        }
        let first = self.add_cone(&horizon, apex);
        unassigned.retain(|&point| point != apex);
        self.assign_outside(first, unassigned);
    }

    /// Adds a face from each horizon edge to a point; returns the first of them.
    fn add_cone(&mut self, horizon: &[HorizonEdge], apex: u32) -> u32 {
        let first = self.faces.len() as u32;
        for (new, &HorizonEdge { start, end, beyond }) in (first..).zip(horizon) {
            self.faces.push(HullFace::new([start, end, apex], [beyond, NO_FACE, NO_FACE]));
            self.face_at[start as usize] = new;
            let beyond = &mut self.faces[beyond as usize];
            if let Some(side) = beyond.corners.iter().position(|&corner| corner == end) {
                beyond.neighbors[side] = new;
            }
        }
        for (new, edge) in (first..).zip(horizon) {
            let next = self.face_at[edge.end as usize];
            self.faces[new as usize].neighbors[1] = next;
            self.faces[next as usize].neighbors[2] = new;
        }
        first
    }

    /// Assigns each point to the first face, from `first` on, that it is outside of. A point that
    /// is outside of none is inside the hull.
    fn assign_outside(&mut self, first: u32, points: Vec<u32>) {
        let faces = first..self.faces.len() as u32;
        for point in points {
            if let Some(face) = faces.clone().find(|&face| self.height(face, point) > 0.0) {
                self.faces[face as usize].outside.push(point);
            }
        }
        self.pending.extend(faces);
    }

    fn finish(self) -> Polyhedron {
        let faces = self.faces.iter().filter(|face| !face.removed);
        let mut triangles: Vec<[u32; 3]> = faces.map(|face| face.corners).collect();
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        for corner in triangles.iter_mut().flatten() {
            *corner = used.partition_point(|used| used < corner) as u32;
        }
        let vertices = used.iter().map(|&point| self.points[point as usize]).collect();
        Polyhedron { vertices, triangles }
    }
}

impl HullFace {
    fn new(corners: [u32; 3], neighbors: [u32; 3]) -> Self {
        HullFace { corners, neighbors, outside: Vec::new(), removed: false }
    }
}

/// Returns four points that are far apart and not in a plane.
fn far_apart(points: &[Vector]) -> Option<[u32; 4]> {
    let farthest = |measure: &dyn Fn(u32) -> f64| {
        let all = 0..points.len() as u32;
        let farthest = all.max_by(|&p, &q| measure(p).total_cmp(&measure(q)));
        farthest.filter(|&point| measure(point) > 0.0)
    };
    let a = 0;
    let from_a = |point: u32| {
        let [from, to] = [a, point].map(|point| points[point as usize].as_dvec3());
        to - from
    };
    let b = farthest(&|point| from_a(point).length_squared())?;
    let c = farthest(&|point| from_a(b).cross(from_a(point)).length_squared())?;
    let d = farthest(&|point| signed_volume(points, [a, b, c], point).abs())?;
    Some([a, b, c, d])
}

/// Returns six times the volume between a triangle and a point; positive if the triangle turns
/// counterclockwise seen from the point. Exact in its sign.
fn signed_volume(points: &[Vector], corners: [u32; 3], point: u32) -> f64 {
    let coordinates = |point: u32| {
        let Vector { x, y, z } = points[point as usize];
        Coord3D { x, y, z }
    };
    let [a, b, c] = corners.map(coordinates);
    -orient3d(a, b, c, coordinates(point))
}

#[cfg(test)]
mod tests {
    use nalgebra::{Rotation3, Vector3};

    use super::*;

    struct Random(u64);

    impl Random {
        fn between(&mut self, low: f32, high: f32) -> f32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            low + (high - low) * (self.0 >> 40) as f32 / (1u32 << 24) as f32
        }

        fn turn(&mut self) -> Rotation3<f32> {
            let mut angle = || self.between(-3.0, 3.0);
            Rotation3::from_euler_angles(angle(), angle(), angle())
        }
    }

    /// The corners of a box without its corners: each edge and corner is cut off.
    fn beveled(size: [f32; 3], bevel: f32) -> Vec<Vector3<f32>> {
        let mut points = Vec::new();
        for corner in 0..8 {
            let sign = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 });
            for whole in 0..3 {
                let along = |axis: usize| {
                    let cut = if axis == whole { 0.0 } else { bevel };
                    sign[axis] * (size[axis] - cut)
                };
                points.push(Vector3::new(along(0), along(1), along(2)));
            }
        }
        points
    }

    fn cloud(random: &mut Random, size: [f32; 3]) -> Vec<Vector3<f32>> {
        let count = 5 + random.between(0.0, 120.0) as usize;
        let mut along = |axis: usize| random.between(-size[axis], size[axis]);
        (0..count).map(|_| Vector3::new(along(0), along(1), along(2))).collect()
    }

    /// The points of a cube's surface on a grid: most of them are on faces, or on edges.
    fn lattice(side: i32) -> Vec<Vector3<f32>> {
        let mut points = Vec::new();
        for (x, y, z) in (0..side * side * side)
            .map(|i| (i % side, i / side % side, i / side / side))
            .filter(|&(x, y, z)| [x, y, z].iter().any(|&v| v == 0 || v == side - 1))
        {
            points.push(Vector3::new(x as f32, y as f32, z as f32));
        }
        points
    }

    /// No point is outside any face, and every edge has a face on either side.
    fn check(name: &str, points: &[Vector3<f32>]) {
        let points: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let Polyhedron { vertices, triangles } = convex_hull(&points).expect(name);
        assert!(vertices.iter().all(|vertex| points.contains(vertex)), "{name}");
        let all: Vec<Vector> = vertices.iter().chain(&points).copied().collect();
        for &triangle in &triangles {
            for point in 0..all.len() as u32 {
                assert!(signed_volume(&all, triangle, point) <= 0.0, "{name}: {points:?}");
            }
            for side in 0..3 {
                let edge = [triangle[side], triangle[(side + 1) % 3]];
                let back = |other: &&[u32; 3]| {
                    (0..3).any(|side| [other[(side + 1) % 3], other[side]] == edge)
                };
                assert_eq!(triangles.iter().filter(back).count(), 1, "{name}");
            }
        }
        assert_eq!(triangles.len(), 2 * vertices.len() - 4, "{name}");
    }

    #[test]
    fn nothing_is_outside_of_a_hull() {
        let mut random = Random(5);
        for round in 0..60 {
            let turn = random.turn();
            let bevel = 10f32.powf(random.between(-6.0, -2.0));
            let thin = 10f32.powf(random.between(-4.0, -1.0));
            let size = [0; 3].map(|_| random.between(0.3, 3.0));
            let mut jittered = beveled(size, 0.0);
            for value in jittered.iter_mut().flat_map(|point| point.iter_mut()) {
                *value += 1e-5 * random.between(-1.0, 1.0);
            }
            let shapes = [
                ("beveled", beveled(size, bevel)),
                ("thin", cloud(&mut random, [3.0, thin, 2.0])),
                ("cloud", cloud(&mut random, size)),
                ("lattice", lattice(3 + round % 5)),
                ("jittered", jittered),
            ];
            for (name, points) in shapes {
                check(name, &points);
                check(name, &points.iter().map(|point| turn * point).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn points_in_a_plane_have_no_hull() {
        let flat: Vec<Vector> =
            (0..25).map(|i| Vector::new((i % 5) as f32, 2.0, (i / 5) as f32)).collect();
        assert_eq!(convex_hull(&flat), None);
        assert_eq!(convex_hull(&flat[..5]), None);
        assert_eq!(convex_hull(&[Vector::ZERO; 9]), None);
        assert_eq!(convex_hull(&[]), None);
    }
}
