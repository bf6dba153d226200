//! What this program and landmass's say to one another, a line of JSON each.

use serde::{Deserialize, Serialize};

/// x, y (up) and z [m].
pub type Point = [f32; 3];

/// Asked of landmass's program, the first of them once.
#[derive(Deserialize, Serialize)]
pub enum Request {
    /// Get ready for these pairs of places on a navmesh.
    Prepare { mesh: Mesh, pairs: Vec<[Point; 2]> },
    /// Find paths between pairs in this order, and say how long each took.
    Run(Vec<usize>),
    /// Tell the path of each pair.
    Answers,
}

/// What it says to them.
#[derive(Deserialize, Serialize)]
pub enum Reply {
    Prepared(Preparation),
    /// By pair, however they were ordered [µs].
    Times(Vec<f64>),
    /// The corners by pair, the start and the end among them; none where there is no path.
    Answers(Vec<Option<Vec<Point>>>),
}

/// What it takes until a side can be asked.
#[derive(Clone, Copy, Deserialize, Serialize)]
pub struct Preparation {
    /// From what it is prepared from, a navmesh or a grid, which are baked already.
    pub seconds: f64,
    /// Held once all pairs have been asked for.
    pub bytes: usize,
}

/// A navmesh with its detail mesh.
#[derive(Deserialize, Serialize)]
pub struct Mesh {
    /// Of the body that it was baked for [m].
    pub radius: f32,
    pub corners: Vec<Point>,
    /// Corners of each polygon, counter-clockwise seen from above.
    pub outlines: Vec<Vec<usize>>,
    /// The part of each polygon in the detail mesh.
    pub parts: Vec<Part>,
    pub vertices: Vec<Point>,
    pub triangles: Vec<[u8; 3]>,
}

/// Where a polygon's vertices and triangles are listed.
#[derive(Deserialize, Serialize)]
pub struct Part {
    pub first_vertex: u32,
    pub vertices: u32,
    pub first_triangle: u32,
    pub triangles: u32,
}
