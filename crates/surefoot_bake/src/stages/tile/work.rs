//! What the stages of one tile share: its geometry and its floors.

use std::ops::Range;

use nalgebra::Point3;

use super::find_floors::Floors;
use crate::casts::{CollisionWorld, TileCaster};
use crate::stages::observer::BakeObserver;
use crate::stages::plan::BakePlan;
use surefoot::grid::GridFrame;

/// Floors between two looks at whether the bake is cancelled.
const RANGE_FLOORS: usize = 16;

/// A tile under construction.
pub(super) struct TileWork<'a, T> {
    pub plan: &'a BakePlan,
    pub observer: &'a dyn BakeObserver,
    pub world: &'a CollisionWorld,
    pub caster: T,
    /// The tile's cells and the ring around them.
    pub frame: GridFrame,
    pub floors: Floors,
    /// For each floor where feet stand: above the center of its cell.
    pub feet: Vec<Point3<f32>>,
}

/// A floor of a tile, and the cell it lies over.
#[derive(Clone, Copy)]
pub(super) struct FloorIndex {
    /// Index of the cell in the frame.
    pub cell: usize,
    /// Index of the floor among those of the tile.
    pub floor: usize,
}

impl<'a, T: TileCaster> TileWork<'a, T> {
    /// Returns all floors, range by range, up to where the bake is cancelled.
    pub fn floors_until_cancelled(&self) -> impl Iterator<Item = Range<usize>> + use<'a, T> {
        self.until_cancelled(short_ranges(0..self.feet.len()))
    }

    /// Returns the floors of the tile's own cells, range by range, up to where the bake is cancelled.
    pub fn inner_floors_until_cancelled(&self) -> impl Iterator<Item = Range<usize>> + use<'a, T> {
        let first = &self.floors.first;
        let row = |cells: Range<usize>| first[cells.start] as usize..first[cells.end] as usize;
        let ranges: Vec<_> = self.inner_rows().map(row).flat_map(short_ranges).collect();
        self.until_cancelled(ranges.into_iter())
    }

    /// Returns what an iterator does, up to where the bake is cancelled: a column may have any number of
    /// floors, and a tile any number of them in all.
    pub fn until_cancelled<I: Iterator>(
        &self,
        all: I,
    ) -> impl Iterator<Item = I::Item> + use<'a, I, T> {
        let observer = self.observer;
        all.take_while(move |_| !observer.is_cancelled())
    }

    /// Returns the rows of the tile's cells without the ring, by index in the frame.
    pub fn inner_rows(&self) -> impl Iterator<Item = Range<usize>> + use<T> {
        let (width, height) = (self.frame.size_x as usize, self.frame.size_z as usize);
        (1..height - 1).map(move |z| z * width + 1..z * width + width - 1)
    }
}

/// Splits a range of floors.
fn short_ranges(Range { start, end }: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let starts = (start..end).step_by(RANGE_FLOORS);
    starts.map(move |start| start..end.min(start + RANGE_FLOORS))
}
