//! The order of tiles in a file: along a Hilbert curve, so that tiles that lie near each other mostly lie
//! near each other in the file.
//!
//! Based on: Hilbert, "Über die stetige Abbildung einer Linie auf ein Flächenstück", 1891.

use super::info::{TilePlace, WorldInfo};

/// A square of places that a curve runs through, of which only a rectangle is in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    /// The place with the least x and z.
    first: TilePlace,
    columns: u32,
    rows: u32,
    /// The square's side is two to the power of this.
    bits: u32,
}

impl Curve {
    /// The curve through all places of a world.
    pub(super) fn new(info: &WorldInfo) -> Self {
        let (columns, rows) = (info.columns(), info.rows());
        let longest = columns.max(rows).max(1);
        let bits = u32::BITS - (longest - 1).leading_zeros();
        Curve { first: info.first_place(), columns, rows, bits }
    }

    /// Where a place lies on the curve; `None` outside the world.
    pub(super) fn key(&self, place: TilePlace) -> Option<u64> {
        let along = |at: i32, first: i32, count: u32| {
            let offset = u32::try_from(i64::from(at) - i64::from(first)).ok()?;
            (offset < count).then_some(offset)
        };
        let mut x = along(place.x, self.first.x, self.columns)?;
        let mut z = along(place.z, self.first.z, self.rows)?;
        let mut key = 0;
        for level in (0..self.bits).rev() {
            let side = 1u32 << level;
            let (right, up) = (x >> level & 1, z >> level & 1);
            key = key << 2 | u64::from((3 * right) ^ up);
            (x, z) = turned([x & (side - 1), z & (side - 1)], side, [right, up]);
        }
        Some(key)
    }

    /// The place at a point of the curve; `None` outside the world.
    pub(super) fn place(&self, key: u64) -> Option<TilePlace> {
        let [x, z] = self.offset(key);
        let inside = key < self.end() && x < self.columns && z < self.rows;
        let at = |first: i32, offset: u32| first.wrapping_add_unsigned(offset);
        inside.then(|| TilePlace::new(at(self.first.x, x), at(self.first.z, z)))
    }

    /// Behind the last point.
    fn end(&self) -> u64 {
        1 << (2 * self.bits)
    }

    fn offset(&self, key: u64) -> [u32; 2] {
        let (mut x, mut z) = (0, 0);
        for level in 0..self.bits {
            let step = (key >> (2 * level) & 3) as u32;
            let right = step >> 1;
            let up = (step ^ right) & 1;
            let side = 1u32 << level;
            (x, z) = turned([x, z], side, [right, up]);
            (x, z) = (x + side * right, z + side * up);
        }
        [x, z]
    }

    /// How many points may be left out from one on, because the square that they fill lies outside the
    /// world; 0 if the point does not.
    fn outside(&self, key: u64) -> u64 {
        let is_aligned = |level: &u32| key.trailing_zeros() >= 2 * level;
        let levels = (0..self.bits).rev().filter(is_aligned);
        for level in levels {
            let least = self.offset(key).map(|v| v >> level << level);
            if least[0] >= self.columns || least[1] >= self.rows {
                return 1 << (2 * level);
            }
        }
        0
    }
}

/// Turns a square of a curve as it lies in one of the four of the next larger.
fn turned([x, z]: [u32; 2], side: u32, [right, up]: [u32; 2]) -> (u32, u32) {
    match (right, up) {
        (0, 0) => (z, x),
        (1, 0) => (side - 1 - z, side - 1 - x),
        _ => (x, z),
    }
}

/// The places of a world in the order in which its file has them; places of no tile are left out by
/// whoever writes. Each costs a few operations, however narrow the world is.
#[derive(Clone, Debug)]
pub struct TileOrder {
    curve: Curve,
    next: u64,
}

impl TileOrder {
    pub(super) fn new(curve: Curve) -> Self {
        TileOrder { curve, next: 0 }
    }
}

impl Iterator for TileOrder {
    type Item = TilePlace;

    fn next(&mut self) -> Option<TilePlace> {
        while self.next < self.curve.end() {
            match self.curve.outside(self.next) {
                0 => {
                    let place = self.curve.place(self.next);
                    self.next += 1;
                    if place.is_some() {
                        return place;
                    }
                }
                skipped => self.next += skipped,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::grid::{Cell, GridFrame};

    fn curve(min: Cell, size_x: u32, size_z: u32) -> Curve {
        let frame = GridFrame { cell_size: 0.5, min, size_x, size_z };
        Curve::new(&WorldInfo { frame, ..WorldInfo::endless(0.5, 64, Vec::new()) })
    }

    #[test]
    fn every_place_is_visited_once_and_next_to_the_one_before() {
        let whole = curve(Cell::new(-1024, 640), 1024, 1024);
        let places: Vec<TilePlace> = TileOrder::new(whole).collect();
        assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), 256);
        for two in places.windows(2) {
            assert_eq!((two[0].x - two[1].x).abs() + (two[0].z - two[1].z).abs(), 1);
        }
        for (key, &place) in (0..).zip(&places) {
            assert_eq!((whole.key(place), whole.place(key)), (Some(key), Some(place)));
        }
    }

    #[test]
    fn narrow_worlds_are_ordered_as_fast_as_others() {
        let narrow = curve(Cell::new(-700, 5), 64, 64 * 50_000);
        let mut keys = Vec::new();
        for place in TileOrder::new(narrow) {
            keys.push(narrow.key(place).expect("inside"));
        }
        assert_eq!(keys.len(), 2 * 50_001);
        assert!(keys.is_sorted());
        assert_eq!(narrow.key(TilePlace::new(-9, 0)), None);
        assert_eq!(curve(Cell::new(0, 0), 0, 9).key(TilePlace::new(0, 0)), None);
    }
}
