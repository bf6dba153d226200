//! The triangles of a mesh, and which of them close a volume.
//!
//! A shell is a set of triangles joined by edges. It is closed when each of its edges is used as
//! often in one direction as in the other: then a line that enters it has to leave it, and what
//! lies between is inside. Two boxes that share an edge in one mesh are one closed shell.

use std::sync::Arc;

use parry3d::math::Vector;
use rayon::prelude::*;

use crate::scene::{Mesh, Scene};

/// Triangles in local space, with the closed shell each belongs to.
#[derive(Debug, Default)]
pub(super) struct Facets {
    pub vertices: Vec<Vector>,
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the index into the solid's surfaces; empty when all are 0.
    pub slots: Vec<u8>,
    /// For each triangle its closed shell, or [`OPEN`]; empty when none is closed.
    pub shells: Vec<u32>,
}

/// The shell of a triangle that closes nothing.
pub(super) const OPEN: u32 = u32::MAX;

/// The facets of every mesh of a scene, in their order.
pub(super) fn of_meshes(scene: &Scene) -> Vec<Arc<Facets>> {
    scene.meshes.par_iter().map(|mesh| Arc::new(Facets::of_mesh(mesh))).collect()
}

impl Facets {
    fn of_mesh(mesh: &Mesh) -> Self {
        Facets {
            vertices: mesh.vertices.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect(),
            triangles: mesh.triangles.clone(),
            slots: mesh.slots.clone(),
            shells: closed_shells(mesh.vertices.len(), &mesh.triangles),
        }
    }

    /// The surface of a convex solid: one closed shell.
    pub fn of_hull((vertices, triangles): (Vec<Vector>, Vec<[u32; 3]>)) -> Self {
        let shells = vec![0; triangles.len()];
        Facets { vertices, triangles, slots: Vec::new(), shells }
    }

    /// The shell of a triangle, if it is closed.
    pub fn shell(&self, triangle: u32) -> Option<u32> {
        self.shells.get(triangle as usize).copied().filter(|&shell| shell != OPEN)
    }

    /// The slot of a triangle.
    pub fn slot(&self, triangle: u32) -> usize {
        self.slots.get(triangle as usize).map_or(0, |&slot| slot.into())
    }
}

/// For each triangle the least triangle of its shell, or [`OPEN`]; empty when none is closed.
fn closed_shells(vertices: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let (edges, first) = edges_by_start(vertices, triangles);
    let from = |v: u32| &edges[first[v as usize] as usize..first[v as usize + 1] as usize];
    let mut shells = Shells::new(triangles.len());
    for (index, corners) in triangles.iter().enumerate() {
        for side in 0..3 {
            let (a, b) = (corners[side], corners[(side + 1) % 3]);
            let same_way = from(a).iter().filter(|edge| edge.end == b).count();
            let mut other_way = 0;
            for edge in from(b).iter().filter(|edge| edge.end == a) {
                shells.join(index as u32, edge.triangle);
                other_way += 1;
            }
            if same_way != other_way {
                shells.open(index as u32);
            }
        }
    }
    shells.finish()
}

/// A directed edge of a triangle, kept with the vertex it starts from.
#[derive(Clone, Copy, Default)]
struct Edge {
    end: u32,
    triangle: u32,
}

/// The edges of all triangles grouped by the vertex they start from, and where each group begins.
fn edges_by_start(vertices: usize, triangles: &[[u32; 3]]) -> (Vec<Edge>, Vec<u32>) {
    let mut first = vec![0u32; vertices + 1];
    for &start in triangles.iter().flatten() {
        first[start as usize + 1] += 1;
    }
    for v in 0..vertices {
        first[v + 1] += first[v];
    }
    let mut next = first.clone();
    let mut edges = vec![Edge::default(); triangles.len() * 3];
    for (triangle, corners) in triangles.iter().enumerate() {
        for side in 0..3 {
            let at = &mut next[corners[side] as usize];
            let end = corners[(side + 1) % 3];
            edges[*at as usize] = Edge { end, triangle: triangle as u32 };
            *at += 1;
        }
    }
    (edges, first)
}

/// Triangles being joined to shells; union-find with the least triangle as the root.
struct Shells {
    parent: Vec<u32>,
    open: Vec<bool>,
}

impl Shells {
    fn new(triangles: usize) -> Self {
        Shells { parent: (0..triangles as u32).collect(), open: vec![false; triangles] }
    }

    fn root(&mut self, mut triangle: u32) -> u32 {
        while self.parent[triangle as usize] != triangle {
            let above = self.parent[self.parent[triangle as usize] as usize];
            self.parent[triangle as usize] = above;
            triangle = above;
        }
        triangle
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (least, other) = (a.min(b), a.max(b));
        self.parent[other as usize] = least;
        self.open[least as usize] |= self.open[other as usize];
    }

    fn open(&mut self, triangle: u32) {
        let root = self.root(triangle);
        self.open[root as usize] = true;
    }

    fn finish(mut self) -> Vec<u32> {
        let shells: Vec<u32> = (0..self.parent.len() as u32)
            .map(|triangle| {
                let root = self.root(triangle);
                if self.open[root as usize] { OPEN } else { root }
            })
            .collect();
        if shells.iter().all(|&shell| shell == OPEN) { Vec::new() } else { shells }
    }
}
