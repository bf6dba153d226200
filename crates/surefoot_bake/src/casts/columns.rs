//! Columns: the surfaces that vertical lines cross.

use std::cmp::Ordering;

/// A surface on a vertical line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Height [m].
    pub y: f32,
    /// Unit normal of the surface by its winding: it points out of a well-made solid.
    pub normal: [f32; 3],
    /// Index of the solid.
    pub solid: u32,
    /// Index of the triangle in the solid's mesh; 0 for a round primitive.
    pub triangle: u32,
}

impl Hit {
    /// Returns whether it is the upper side of something.
    pub fn faces_up(&self) -> bool {
        self.normal[1] > 0.0
    }

    /// Compares hits on a line: high to low. Ties go to upper sides, then to the lowest solid and
    /// triangle.
    fn compare(&self, other: &Hit) -> Ordering {
        let by_height = other.y.total_cmp(&self.y);
        by_height.then_with(|| {
            let source = |hit: &Hit| (hit.solid, hit.triangle);
            other.faces_up().cmp(&self.faces_up()).then_with(|| source(self).cmp(&source(other)))
        })
    }

    /// Sorts the hits of one line, high to low.
    pub(super) fn sort(hits: &mut [Hit]) {
        match hits {
            [] | [_] => {}
            // Most lines hit the upper side of something, and its lower side.
            [first, second] => {
                if first.compare(second) == Ordering::Greater {
                    std::mem::swap(first, second);
                }
            }
            _ => hits.sort_unstable_by(Hit::compare),
        }
    }
}

/// A hit over a cell.
#[derive(Clone, Copy)]
pub(super) struct CellHit {
    /// Row-major index of the cell.
    pub cell: u32,
    pub hit: Hit,
}

/// The hits of a rectangle of cells, each column high to low.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// For each cell, in row-major order, the index of its first hit; one more entry closes the
    /// last.
    first: Vec<u32>,
    hits: Vec<Hit>,
}

impl Columns {
    /// Sorts hits into columns. O(hits + cells).
    pub(super) fn from_hits(cells: usize, found: &[CellHit]) -> Self {
        let mut first = vec![0u32; cells + 1];
        for CellHit { cell, .. } in found {
            first[*cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            first[cell + 1] += first[cell];
        }
        let Some(CellHit { hit: any, .. }) = found.first() else {
            return Columns { first, hits: Vec::new() };
        };
        let mut next = first.clone();
        let mut hits = vec![*any; found.len()];
        for CellHit { cell, hit } in found {
            let at = &mut next[*cell as usize];
            hits[*at as usize] = *hit;
            *at += 1;
        }
        for cell in 0..cells {
            Hit::sort(&mut hits[first[cell] as usize..first[cell + 1] as usize]);
        }
        Columns { first, hits }
    }

    /// Returns the hits over a cell, high to low; cells are numbered in row-major order.
    pub fn column(&self, cell: usize) -> &[Hit] {
        &self.hits[self.first[cell] as usize..self.first[cell + 1] as usize]
    }
}
