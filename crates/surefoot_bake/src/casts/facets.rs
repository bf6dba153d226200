//! Facets: the triangles of a mesh, and the closed shells that they form.
//!
//! A shell is a set of triangles that are connected by edges. It is closed if each of its edges is
//! used as often in one direction as in the other: a line that enters it has to leave it, and what
//! lies between is inside. Two boxes that share an edge in one mesh are one closed shell.

use std::sync::{Arc, OnceLock};

use parry3d::math::Vector;
use rayon::prelude::*;

use super::hull::Polyhedron;
use crate::scene::{Mesh, Scene};

/// Triangles in local space, with the closed shell each belongs to.
#[derive(Debug, Default)]
pub(super) struct Facets {
    pub vertices: Vec<Vector>,
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the index into the solid's surfaces; empty if all are 0.
    pub slots: Vec<u8>,
    /// For each triangle its closed shell, or [`OPEN_SHELL`]; empty if none is closed. Found on
    /// first use.
    shells: OnceLock<Vec<u32>>,
}

/// The shell of a triangle that is in no closed one.
const OPEN_SHELL: u32 = u32::MAX;

/// Returns the facets of every mesh of a scene, in their order.
pub(super) fn of_meshes(scene: &Scene) -> Vec<Arc<Facets>> {
    scene.meshes.par_iter().map(|mesh| Arc::new(Facets::of_mesh(mesh))).collect()
}

impl Facets {
    /// Converts a mesh.
    pub fn of_mesh(mesh: &Mesh) -> Self {
        Facets {
            vertices: mesh.vertices.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect(),
            triangles: mesh.triangles.clone(),
            slots: mesh.slots.clone(),
            shells: OnceLock::new(),
        }
    }

    /// Returns the surface of a convex solid: one closed shell.
    pub fn of_convex(Polyhedron { vertices, triangles }: Polyhedron) -> Self {
        let shells = vec![0; triangles.len()].into();
        Facets { vertices, triangles, slots: Vec::new(), shells }
    }

    /// Returns the closed shell of each triangle. O(triangles) on first use.
    pub fn shells(&self) -> &[u32] {
        self.shells.get_or_init(|| closed_shells(self.vertices.len(), &self.triangles))
    }

    /// Returns the shell of a triangle, if it is closed.
    pub fn shell(&self, triangle: u32) -> Option<u32> {
        self.shells().get(triangle as usize).copied().filter(|&shell| shell != OPEN_SHELL)
    }

    /// Returns the slot of a triangle.
    pub fn slot(&self, triangle: u32) -> usize {
        self.slots.get(triangle as usize).map_or(0, |&slot| slot.into())
    }
}

/// Returns for each triangle the least triangle of its shell, or [`OPEN_SHELL`]; empty if none is
/// closed.
fn closed_shells(vertices: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let (mut half_edges, first) = half_edges_by_vertex(vertices, triangles);
    let mut shells = ShellSets::new(triangles.len());
    for group in first.windows(2) {
        let group = &mut half_edges[group[0] as usize..group[1] as usize];
        // Any number of edges may meet at a vertex.
        group.sort_unstable_by_key(|half_edge| half_edge.upper);
        for edge in group.chunk_by(|one, other| one.upper == other.upper) {
            for pair in edge.windows(2) {
                shells.unite(pair[0].triangle, pair[1].triangle);
            }
            let surplus: i32 = edge.iter().map(|half_edge| half_edge.direction).sum();
            if surplus != 0 {
                shells.mark_open(edge[0].triangle);
            }
        }
    }
    shells.finish()
}

/// A half-edge of a triangle, grouped by the lower of its two vertices.
#[derive(Clone, Copy, Default)]
struct HalfEdge {
    upper: u32,
    triangle: u32,
    /// 1 if it leads to the upper vertex, -1 if to the lower one, 0 if they are the same.
    direction: i32,
}

/// Returns the half-edges of all triangles, grouped by their lower vertices, and for each vertex
/// the index of its first.
fn half_edges_by_vertex(vertices: usize, triangles: &[[u32; 3]]) -> (Vec<HalfEdge>, Vec<u32>) {
    let ends = |corners: &[u32; 3]| [0, 1, 2].map(|i| [corners[i], corners[(i + 1) % 3]]);
    let mut first = vec![0u32; vertices + 1];
    for [a, b] in triangles.iter().flat_map(ends) {
        first[a.min(b) as usize + 1] += 1;
    }
    for v in 0..vertices {
        first[v + 1] += first[v];
    }
    let mut next = first.clone();
    let mut half_edges = vec![HalfEdge::default(); triangles.len() * 3];
    for (triangle, corners) in (0..).zip(triangles) {
        for [a, b] in ends(corners) {
            let at = &mut next[a.min(b) as usize];
            let direction = b.cmp(&a) as i32;
            half_edges[*at as usize] = HalfEdge { upper: a.max(b), triangle, direction };
            *at += 1;
        }
    }
    (half_edges, first)
}

/// Disjoint sets of triangles (union-find), each with its least triangle as the root.
struct ShellSets {
    parent: Vec<u32>,
    open: Vec<bool>,
}

impl ShellSets {
    fn new(triangles: usize) -> Self {
        ShellSets { parent: (0..triangles as u32).collect(), open: vec![false; triangles] }
    }

    fn root(&mut self, mut triangle: u32) -> u32 {
        while self.parent[triangle as usize] != triangle {
            let above = self.parent[self.parent[triangle as usize] as usize];
            self.parent[triangle as usize] = above;
            triangle = above;
        }
        triangle
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (least, other) = (a.min(b), a.max(b));
        self.parent[other as usize] = least;
        self.open[least as usize] |= self.open[other as usize];
    }

    fn mark_open(&mut self, triangle: u32) {
        let root = self.root(triangle);
        self.open[root as usize] = true;
    }

    fn finish(mut self) -> Vec<u32> {
        let shells: Vec<u32> = (0..self.parent.len() as u32)
            .map(|triangle| {
                let root = self.root(triangle);
                if self.open[root as usize] { OPEN_SHELL } else { root }
            })
            .collect();
        if shells.iter().all(|&shell| shell == OPEN_SHELL) { Vec::new() } else { shells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, edge by edge and until nothing changes.
    fn shells_by_definition(triangles: &[[u32; 3]]) -> Vec<u32> {
        let sides = |t: usize| [0, 1, 2].map(|i| [triangles[t][i], triangles[t][(i + 1) % 3]]);
        let all: Vec<usize> = (0..triangles.len()).collect();
        let uses =
            |side: [u32; 2]| all.iter().flat_map(|&t| sides(t)).filter(|&s| s == side).count();
        let touch =
            |a: usize, b: usize| sides(a).iter().any(|&[from, to]| sides(b).contains(&[to, from]));
        let mut shell: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut is_open: Vec<bool> = all
            .iter()
            .map(|&t| sides(t).iter().any(|&[a, b]| uses([a, b]) != uses([b, a])))
            .collect();
        for _ in &all {
            for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
                if touch(a, b) {
                    shell[a] = shell[a].min(shell[b]);
                    is_open[a] |= is_open[b];
                }
            }
        }
        shell.iter().zip(&is_open).map(|(&s, &open)| if open { OPEN_SHELL } else { s }).collect()
    }

    #[test]
    fn shells_are_closed_where_each_edge_is_used_both_ways() {
        let tetrahedron = |v: [u32; 4]| {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]].map(|corners| corners.map(|i| v[i]))
        };
        let mut seed = 3u64;
        let mut random = |limit: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u32 % limit
        };
        let mut counts = [0; 2];
        for _ in 0..500 {
            let mut triangles: Vec<[u32; 3]> = Vec::new();
            // Apart, joined at an edge or a corner, twice in the same place, or with a side of no
            // length.
            for _ in 0..1 + random(3) {
                triangles.extend(tetrahedron([0; 4].map(|_| random(9))));
            }
            (0..random(2)).for_each(|_| triangles.push([0; 3].map(|_| random(9))));
            let (expected, found) =
                (shells_by_definition(&triangles), closed_shells(9, &triangles));
            let all_open = vec![OPEN_SHELL; triangles.len()];
            let found = if found.is_empty() { all_open } else { found };
            assert_eq!(found, expected, "{triangles:?}");
            expected.iter().for_each(|&shell| counts[usize::from(shell == OPEN_SHELL)] += 1);
        }
        assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    }
}
