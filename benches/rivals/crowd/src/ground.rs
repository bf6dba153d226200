//! The navmesh as ground to stand on: places on it, and the place nearest to a point.

use glam::{IVec2, Vec2, Vec3, Vec3Swizzles};
use rerecast::PolygonNavmesh;

use crate::course::unit;
use crate::navmesh::Navmesh;
use crate::random::Random;

/// Side of a cell that lists triangles [m]; the nearest place is looked for in nine of them.
const SIDE: f32 = 1.0;
/// Beside a point ground is so many times as far away as below or above it: who walks uphill
/// stays where he is.
const BESIDE: f32 = 4.0;

/// Triangles, listed by place.
pub struct Ground {
    triangles: Vec<[Vec3; 3]>,
    min: Vec2,
    size: IVec2,
    /// Row-major.
    cells: Vec<Vec<u32>>,
    /// Triangles of the largest part that is connected, and how much area there is up to the end
    /// of each [m²].
    connected: Vec<(u32, f32)>,
}

impl Ground {
    pub fn new(navmesh: &Navmesh) -> Ground {
        let (min, max) = (navmesh.polygons.aabb.min.xz(), navmesh.polygons.aabb.max.xz());
        let size = ((max - min) / SIDE).floor().as_ivec2() + 1;
        let cells = vec![Vec::new(); (size.x * size.y) as usize];
        let mut ground = Ground { triangles: Vec::new(), min, size, cells, connected: Vec::new() };
        let parts = parts(navmesh);
        let mut by_part = vec![Vec::new(); parts.len()];
        for (polygon, part) in navmesh.detail.meshes.iter().zip(&parts) {
            for triangle in navmesh.triangles(polygon) {
                by_part[*part].push(ground.list(triangle));
            }
        }
        let sums = by_part.into_iter().map(|part| ground.sums(part));
        let area = |part: &Vec<(u32, f32)>| part.last().map_or(0.0, |&(_, sum)| sum);
        let largest = sums.max_by(|a, b| area(a).total_cmp(&area(b)));
        ground.connected = largest.expect("a level with ground");
        ground
    }

    fn list(&mut self, triangle: [Vec3; 3]) -> u32 {
        let index = self.triangles.len() as u32;
        let [a, b, c] = triangle.map(|corner| corner.xz());
        for cell in self.cells_within(a.min(b).min(c), a.max(b).max(c)) {
            self.cells[cell].push(index);
        }
        self.triangles.push(triangle);
        index
    }

    /// The triangles with the area up to the end of each.
    fn sums(&self, triangles: Vec<u32>) -> Vec<(u32, f32)> {
        let mut sum = 0.0;
        let with_sum = |index: u32| {
            let [a, b, c] = self.triangles[index as usize];
            sum += (b - a).cross(c - a).length() / 2.0;
            (index, sum)
        };
        triangles.into_iter().map(with_sum).collect()
    }

    /// Anywhere on the largest part that is connected, evenly.
    pub fn random_point(&self, random: &mut Random) -> Vec3 {
        let &(_, area) = self.connected.last().expect("some ground");
        let wanted = area * unit(random);
        let at = self.connected.partition_point(|&(_, sum)| sum <= wanted);
        let (triangle, _) = self.connected[at.min(self.connected.len() - 1)];
        let [a, b, c] = self.triangles[triangle as usize];
        let (root, along) = (unit(random).sqrt(), unit(random));
        a + (b - a) * root * (1.0 - along) + (c - a) * root * along
    }

    /// The place nearest to a point; none where there is no ground within a cell.
    pub fn nearest(&self, point: Vec3) -> Option<Vec3> {
        let mut nearest = None;
        let mut least = f32::INFINITY;
        for cell in self.cells_within(point.xz() - SIDE, point.xz() + SIDE) {
            for &triangle in &self.cells[cell] {
                let place = beneath(&self.triangles[triangle as usize], point);
                let beside = BESIDE * place.xz().distance(point.xz());
                let distance = beside.hypot(place.y - point.y);
                if distance < least {
                    (nearest, least) = (Some(place), distance);
                }
            }
        }
        nearest
    }

    fn cells_within(&self, min: Vec2, max: Vec2) -> impl Iterator<Item = usize> + use<> {
        let width = self.size.x;
        let last = self.size - 1;
        let cell = |point: Vec2| ((point - self.min) / SIDE).floor().as_ivec2();
        let (min, max) = (cell(min).max(IVec2::ZERO), cell(max).min(last));
        (min.y..=max.y).flat_map(move |z| (min.x..=max.x).map(move |x| (z * width + x) as usize))
    }
}

/// For each polygon, the first of those that it is connected with.
fn parts(navmesh: &Navmesh) -> Vec<usize> {
    let neighbors: Vec<&[u16]> = navmesh.neighbors().collect();
    let mut parts = vec![usize::MAX; neighbors.len()];
    for first in 0..neighbors.len() {
        let mut open = vec![first];
        while let Some(polygon) = open.pop() {
            if parts[polygon] == usize::MAX {
                parts[polygon] = first;
                let beyond = neighbors[polygon].iter();
                let beyond = beyond.filter(|&&next| next != PolygonNavmesh::NO_CONNECTION);
                open.extend(beyond.map(|&next| usize::from(next)));
            }
        }
    }
    parts
}

/// The place on a triangle that lies below or above a point, or is nearest to it on the plane.
fn beneath(triangle: &[Vec3; 3], point: Vec3) -> Vec3 {
    let [a, b, c] = *triangle;
    let (u, v, to) = ((b - a).xz(), (c - a).xz(), (point - a).xz());
    let area = u.perp_dot(v);
    let (s, t) = (to.perp_dot(v) / area, u.perp_dot(to) / area);
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        return a + (b - a) * s + (c - a) * t;
    }
    let distance = |place: &Vec3| place.xz().distance_squared(point.xz());
    let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| on_edge(from, to, point));
    edges.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("three edges")
}

fn on_edge(from: Vec3, to: Vec3, point: Vec3) -> Vec3 {
    let along = (to - from).xz();
    let share = (point - from).xz().dot(along) / along.length_squared();
    // Of an edge without length it is no number.
    from + (to - from) * share.clamp(0.0, 1.0).max(0.0)
}
