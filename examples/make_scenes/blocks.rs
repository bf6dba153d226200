//! Buildings from boxes that are added and cut away, one after the other.
//!
//! The result is one closed surface without inner faces: the planes of all boxes divide space into
//! cells, the last box that covers a cell decides whether it is solid, and faces are made only
//! between solid and free cells.

use super::shapes::{Mesh, P};

/// A solid made of axis-parallel boxes.
#[derive(Clone, Default)]
pub struct Blocks {
    boxes: Vec<(P, P, bool)>,
}

impl Blocks {
    /// Fills a box.
    pub fn add(mut self, min: P, max: P) -> Self {
        self.boxes.push((min, max, true));
        self
    }

    /// Frees a box.
    pub fn cut(mut self, min: P, max: P) -> Self {
        self.boxes.push((min, max, false));
        self
    }

    /// The closed surface.
    pub fn mesh(&self) -> Mesh {
        let planes = [0, 1, 2].map(|axis| self.planes(axis));
        let size = [0, 1, 2].map(|axis| planes[axis].len().saturating_sub(1));
        let mut mesh = Mesh::default();
        for x in 0..size[0] {
            for y in 0..size[1] {
                for z in 0..size[2] {
                    self.cell([x, y, z], &planes, &mut mesh);
                }
            }
        }
        mesh
    }

    /// Where the sides of the boxes lie along an axis, in order.
    fn planes(&self, axis: usize) -> Vec<f64> {
        let mut planes: Vec<f64> =
            self.boxes.iter().flat_map(|(min, max, _)| [min[axis], max[axis]]).collect();
        planes.sort_by(f64::total_cmp);
        planes.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        planes
    }

    fn solid(&self, p: P) -> bool {
        let covers = |min: &P, max: &P| (0..3).all(|i| min[i] < p[i] && p[i] < max[i]);
        let last = self.boxes.iter().rev().find(|(min, max, _)| covers(min, max));
        last.is_some_and(|(_, _, solid)| *solid)
    }

    /// Adds the faces of one cell that look into free space.
    fn cell(&self, cell: [usize; 3], planes: &[Vec<f64>; 3], mesh: &mut Mesh) {
        let middle = |cell: [Option<usize>; 3]| -> Option<P> {
            let mut p = [0.0; 3];
            for axis in 0..3 {
                let i = cell[axis]?;
                p[axis] = (planes[axis][i] + planes[axis].get(i + 1)?) / 2.0;
            }
            Some(p)
        };
        let here = cell.map(Some);
        if !middle(here).is_some_and(|p| self.solid(p)) {
            return;
        }
        let min = [0, 1, 2].map(|axis| planes[axis][cell[axis]]);
        let max = [0, 1, 2].map(|axis| planes[axis][cell[axis] + 1]);
        for axis in 0..3 {
            for up in [false, true] {
                let mut beside = here;
                beside[axis] = if up { Some(cell[axis] + 1) } else { cell[axis].checked_sub(1) };
                if !middle(beside).is_some_and(|p| self.solid(p)) {
                    mesh.quad(face(min, max, axis, up));
                }
            }
        }
    }
}

/// The face of a box at its upper or lower end of an axis, counter-clockwise from outside.
fn face(min: P, max: P, axis: usize, up: bool) -> [P; 4] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |at_u: f64, at_v: f64| {
        let mut p = [0.0; 3];
        p[axis] = if up { max[axis] } else { min[axis] };
        p[u] = at_u;
        p[v] = at_v;
        p
    };
    let mut corners = [
        corner(min[u], min[v]),
        corner(max[u], min[v]),
        corner(max[u], max[v]),
        corner(min[u], max[v]),
    ];
    if !up {
        corners.reverse();
    }
    corners
}
