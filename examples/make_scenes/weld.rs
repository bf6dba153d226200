//! Welds triangle soup: corners become whole numbers, equal ones become one.
//!
//! Rounding to a coarse lattice makes the bytes of a file independent of the last bits of the
//! arithmetic that placed a corner.

use std::collections::BTreeMap;

use super::shapes::{Mesh, P};

/// Corners are whole multiples of one over this [1/m].
pub const LATTICE: f64 = 1024.0;

/// Corners on the lattice, each stored once.
#[derive(Default)]
pub struct Weld {
    ids: BTreeMap<[i64; 3], u32>,
    points: Vec<[i64; 3]>,
}

impl Weld {
    /// Three indices for each triangle that has an area.
    pub fn indices(&mut self, mesh: &Mesh) -> Vec<u32> {
        let mut indices = Vec::new();
        for triangle in &mesh.triangles {
            let corners = triangle.map(|p| p.map(|v| (v * LATTICE).round() as i64));
            if has_area(corners) {
                indices.extend(corners.map(|corner| self.id(corner)));
            }
        }
        indices
    }

    fn id(&mut self, corner: [i64; 3]) -> u32 {
        let next = self.points.len() as u32;
        let id = *self.ids.entry(corner).or_insert(next);
        if id == next {
            self.points.push(corner);
        }
        id
    }

    /// All corners so far [m].
    pub fn corners(&self) -> Vec<P> {
        self.points.iter().map(|p| p.map(|v| v as f64 / LATTICE)).collect()
    }
}

fn has_area([a, b, c]: [[i64; 3]; 3]) -> bool {
    let side = |p: [i64; 3]| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    let (u, v) = (side(b), side(c));
    (0..3).any(|i| u[(i + 1) % 3] * v[(i + 2) % 3] != u[(i + 2) % 3] * v[(i + 1) % 3])
}
