//! Convex hulls, right for any points: slim, flat, or nearly in a plane.
//!
//! The hull grows by the farthest point outside one of its faces, until nothing is outside. On which
//! side of a face a point lies is told without rounding, so that the faces always close round all
//! points; in floating point slim edges and thin bodies lose corners.
//! Based on: Barber, Dobkin and Huhdanpaa, "The quickhull algorithm for convex hulls", 1996, with the
//! predicates of Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
//! predicates", 1997.

use parry3d::math::Vector;
use robust::{Coord3D, orient3d};

/// Corners, and triangles between them that turn counterclockwise seen from outside.
pub(super) type Polyhedron = (Vec<Vector>, Vec<[u32; 3]>);

/// The least convex body round some points; `None` where they lie in a plane. About O(n log n).
pub(super) fn convex_hull(points: &[Vector]) -> Option<Polyhedron> {
    let mut hull = Hull::of_four(points)?;
    while let Some(face) = hull.pending.pop() {
        if let Some(apex) = hull.farthest_over(face) {
            hull.grow(face, apex);
        }
    }
    Some(hull.finish())
}

/// A hull on its way.
struct Hull<'a> {
    points: &'a [Vector],
    faces: Vec<Face>,
    /// Faces that may have points over them.
    pending: Vec<u32>,
    /// For each point on the edge of a gap the new face that begins there.
    starting: Vec<u32>,
}

/// A triangle.
struct Face {
    corners: [u32; 3],
    /// The faces over its edges: from each corner to the next.
    across: [u32; 3],
    /// Points outside it, each listed over one face only.
    over: Vec<u32>,
    /// No longer part of the hull.
    gone: bool,
}

/// Not known yet.
const NONE: u32 = u32::MAX;

impl<'a> Hull<'a> {
    /// The hull of four points that lie far apart; all others are listed over its faces.
    fn of_four(points: &'a [Vector]) -> Option<Self> {
        let [a, b, c, d] = far_apart(points)?;
        // Seen from outside each of them turns the same way.
        let [b, c] = if height(points, [a, b, c], d) < 0.0 { [b, c] } else { [c, b] };
        let face = |corners, across| Face { corners, across, over: Vec::new(), gone: false };
        let mut hull = Hull {
            points,
            faces: vec![
                face([a, b, c], [1, 2, 3]),
                face([a, d, b], [3, 2, 0]),
                face([b, d, c], [1, 3, 0]),
                face([c, d, a], [2, 1, 0]),
            ],
            pending: vec![0, 1, 2, 3],
            starting: vec![NONE; points.len()],
        };
        hull.list_over(0, (0..points.len() as u32).collect());
        Some(hull)
    }

    /// How far a point is outside a face, in a measure of the face's own; exact in its sign.
    fn height(&self, face: u32, point: u32) -> f64 {
        height(self.points, self.faces[face as usize].corners, point)
    }

    /// The point farthest outside a face, if any is.
    fn farthest_over(&self, face: u32) -> Option<u32> {
        let over = self.faces[face as usize].over.iter().copied();
        over.max_by(|&p, &q| self.height(face, p).total_cmp(&self.height(face, q)))
    }

    /// Takes in a point outside a face: all faces that it is outside of make way for new ones from it
    /// to the edge of the gap.
    fn grow(&mut self, face: u32, apex: u32) {
        let mut seen = vec![face];
        let mut gap = Vec::new();
        let mut freed = std::mem::take(&mut self.faces[face as usize].over);
        self.faces[face as usize].gone = true;
        let mut next = 0;
        while let Some(&at) = seen.get(next) {
            next += 1;
            for side in 0..3 {
                let Face { corners, across, .. } = &self.faces[at as usize];
                let (start, end, beyond) = (corners[side], corners[(side + 1) % 3], across[side]);
                if self.faces[beyond as usize].gone {
                    continue;
                }
                if self.height(beyond, apex) > 0.0 {
                    let beyond_face = &mut self.faces[beyond as usize];
                    beyond_face.gone = true;
                    freed.append(&mut beyond_face.over);
                    seen.push(beyond);
                } else {
                    gap.push(([start, end], beyond));
                }
            }
        }
        let first = self.close(&gap, apex);
        freed.retain(|&point| point != apex);
        self.list_over(first, freed);
    }

    /// Puts faces from a point to the edges of a gap, each with the face beyond it; returns the first
    /// of them.
    fn close(&mut self, gap: &[([u32; 2], u32)], apex: u32) -> u32 {
        let first = self.faces.len() as u32;
        for (new, &([start, end], beyond)) in (first..).zip(gap) {
            let (corners, across) = ([start, end, apex], [beyond, NONE, NONE]);
            self.faces.push(Face { corners, across, over: Vec::new(), gone: false });
            self.starting[start as usize] = new;
            let beyond = &mut self.faces[beyond as usize];
            if let Some(side) = beyond.corners.iter().position(|&corner| corner == end) {
                beyond.across[side] = new;
            }
        }
        for (new, &([_, end], _)) in (first..).zip(gap) {
            let next = self.starting[end as usize];
            self.faces[new as usize].across[1] = next;
            self.faces[next as usize].across[2] = new;
        }
        first
    }

    /// Lists points over the first face, from `first` on, that they are outside of; what is outside of
    /// none is inside the hull.
    fn list_over(&mut self, first: u32, points: Vec<u32>) {
        let faces = first..self.faces.len() as u32;
        for point in points {
            if let Some(face) = faces.clone().find(|&face| self.height(face, point) > 0.0) {
                self.faces[face as usize].over.push(point);
            }
        }
        self.pending.extend(faces);
    }

    fn finish(self) -> Polyhedron {
        let faces = self.faces.iter().filter(|face| !face.gone);
        let mut triangles: Vec<[u32; 3]> = faces.map(|face| face.corners).collect();
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        for corner in triangles.iter_mut().flatten() {
            *corner = used.partition_point(|used| used < corner) as u32;
        }
        (used.iter().map(|&point| self.points[point as usize]).collect(), triangles)
    }
}

/// Four points that span a body, far apart.
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
    let d = farthest(&|point| height(points, [a, b, c], point).abs())?;
    Some([a, b, c, d])
}

/// Six times the volume between a triangle and a point; positive where seen from the point it turns
/// counterclockwise. Exact in its sign.
fn height(points: &[Vector], corners: [u32; 3], point: u32) -> f64 {
    let place = |point: u32| {
        let Vector { x, y, z } = points[point as usize];
        Coord3D { x, y, z }
    };
    let [a, b, c] = corners.map(place);
    -orient3d(a, b, c, place(point))
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
        let (corners, triangles) = convex_hull(&points).expect(name);
        assert!(corners.iter().all(|corner| points.contains(corner)), "{name}");
        let all: Vec<Vector> = corners.iter().chain(&points).copied().collect();
        for &triangle in &triangles {
            for point in 0..all.len() as u32 {
                assert!(height(&all, triangle, point) <= 0.0, "{name}: {points:?}");
            }
            for side in 0..3 {
                let edge = [triangle[side], triangle[(side + 1) % 3]];
                let back = |other: &&[u32; 3]| {
                    (0..3).any(|side| [other[(side + 1) % 3], other[side]] == edge)
                };
                assert_eq!(triangles.iter().filter(back).count(), 1, "{name}");
            }
        }
        assert_eq!(triangles.len(), 2 * corners.len() - 4, "{name}");
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
