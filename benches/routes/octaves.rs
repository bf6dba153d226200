//! Pairs of places by their distance.

use surefoot::view::NavPoint;
use surefoot::{Cell, NavGrid, SpanId};

use crate::pairs::place;
use crate::prepared::largest_region;
use surefoot_testing::Random;

/// Random places of the largest region.
pub struct Octaves<'a> {
    grid: &'a NavGrid,
    places: Vec<SpanId>,
    is_inside: Vec<bool>,
    random: Random,
}

/// Attempts to find a pair.
const TRIES: usize = 200;

impl Octaves<'_> {
    pub fn new(grid: &NavGrid) -> Octaves<'_> {
        let places = largest_region(grid);
        let mut is_inside = vec![false; grid.spans().len()];
        places.iter().for_each(|place| is_inside[place.index()] = true);
        Octaves { grid, places, is_inside, random: Random(9) }
    }

    /// At most `count` pairs that are `[2^octave..2^(octave + 1))` cells apart, as a king on a
    /// chess board goes whose diagonal steps are longer.
    pub fn pairs(&mut self, octave: u32, count: usize) -> Vec<[NavPoint; 2]> {
        (0..count * TRIES).filter_map(|_| self.pair(octave)).take(count).collect()
    }

    fn pair(&mut self, octave: u32) -> Option<[NavPoint; 2]> {
        let least = f64::from(1 << octave);
        let from = self.places[self.random.below(self.places.len())];
        let cell = self.grid.cell_of(from)?;
        let cells = least * (1.0 + self.share());
        let (sin, cos) = (self.share() * std::f64::consts::TAU).sin_cos();
        let off = [cos * cells, sin * cells].map(|along| along.round() as i32);
        if !(least..2.0 * least).contains(&octile(off)) {
            return None;
        }
        let there = Cell::new(cell.x + off[0], cell.z + off[1]);
        let column = self.grid.column_spans(there).map(SpanId);
        let open: Vec<SpanId> = column.filter(|span| self.is_inside[span.index()]).collect();
        let to = *open.get(self.random.below(open.len()))?;
        Some([from, to].map(|span| place(self.grid, span)))
    }

    /// `[0..1)`
    fn share(&mut self) -> f64 {
        self.random.below(1 << 30) as f64 / f64::from(1 << 30)
    }
}

/// Cells along the shortest path over open ground.
fn octile(off: [i32; 2]) -> f64 {
    let [x, z] = off.map(|cells| f64::from(cells.abs()));
    x.max(z) + (std::f64::consts::SQRT_2 - 1.0) * x.min(z)
}
