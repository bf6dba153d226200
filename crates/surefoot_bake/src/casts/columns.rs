//! What vertical lines cross: the answer of a caster to "which surfaces are here?".

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
    /// Whether it is the upper side of something.
    pub fn faces_up(&self) -> bool {
        self.normal[1] > 0.0
    }

    /// The one order of hits on a line: high to low; at one height upper sides first, then by solid
    /// and triangle.
    fn order(&self, other: &Hit) -> Ordering {
        let by_height = other.y.total_cmp(&self.y);
        by_height.then_with(|| {
            let name = |hit: &Hit| (hit.solid, hit.triangle);
            other.faces_up().cmp(&self.faces_up()).then_with(|| name(self).cmp(&name(other)))
        })
    }

    /// Puts the hits of one line in their order.
    pub(super) fn sort(hits: &mut [Hit]) {
        match hits {
            [] | [_] => {}
            // Most lines: the upper side of something, and its lower side.
            [first, second] => {
                if first.order(second) == Ordering::Greater {
                    std::mem::swap(first, second);
                }
            }
            _ => hits.sort_unstable_by(Hit::order),
        }
    }
}

/// A hit, and the index of its cell.
pub(super) type CellHit = (u32, Hit);

/// The hits of a rectangle of cells, each column high to low.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// For each cell, in row-major order, the index of its first hit; one more entry closes the
    /// list.
    first: Vec<u32>,
    hits: Vec<Hit>,
}

impl Columns {
    /// Sorts hits into columns. O(hits + cells).
    pub(super) fn from_hits(cells: usize, found: &[CellHit]) -> Self {
        let mut first = vec![0u32; cells + 1];
        for (cell, _) in found {
            first[*cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            first[cell + 1] += first[cell];
        }
        let Some((_, any)) = found.first() else { return Columns { first, hits: Vec::new() } };
        let mut next = first.clone();
        let mut hits = vec![*any; found.len()];
        for (cell, hit) in found {
            let at = &mut next[*cell as usize];
            hits[*at as usize] = *hit;
            *at += 1;
        }
        for cell in 0..cells {
            Hit::sort(&mut hits[first[cell] as usize..first[cell + 1] as usize]);
        }
        Columns { first, hits }
    }

    /// The hits over a cell, high to low; cells are counted in row-major order.
    pub fn column(&self, cell: usize) -> &[Hit] {
        &self.hits[self.first[cell] as usize..self.first[cell + 1] as usize]
    }
}
