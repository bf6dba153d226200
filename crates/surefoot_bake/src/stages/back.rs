//! The way back of every step: tiles find steps towards greater x or z, and each is written at
//! its other end too.
//!
//! A row is answered from the row before it and from itself, so bands of rows do not wait for each
//! other. Connections over many layers are few and follow at the end.

use std::ops::Range;

use rayon::prelude::*;

use super::assemble::Far;
use super::bands::{Band, cut};
use surefoot::grid::baker::{ConnectionCode, ConnectionWriter, SpanLayer, row_major_offsets};
use surefoot::grid::{Dir, FarConnection, GridFrame, SpanId, Standing};

/// Where the steps in the standings lead.
pub(super) struct Back<'a> {
    pub frame: &'a GridFrame,
    pub first: &'a [u32],
    /// Sorted by span and direction.
    pub far: &'a [Far],
}

/// A step that is written one by one: position of its column, span, direction.
type Odd = (usize, SpanId, Dir);

const EAST: Dir = Dir::ALL[0];
/// The directions to the next row: towards greater x, straight, towards lesser x.
const NEXT_ROW: [Dir; 3] = [Dir::ALL[1], Dir::ALL[2], Dir::ALL[3]];

impl Back<'_> {
    /// Fills in the steps back; returns the steps that nibbles cannot say, sorted.
    pub fn fill_in(&self, bands: &[Band], standings: &mut [Standing]) -> Vec<FarConnection> {
        self.close_border(standings);
        let width = self.frame.size_x as usize;
        let row_before = |band: &Band| match band.columns.start.checked_sub(width) {
            Some(start) => standings[self.spans(start..start + width)].to_vec(),
            None => Vec::new(),
        };
        let before: Vec<_> = bands.iter().map(row_before).collect();
        let jobs = bands.par_iter().zip(before).zip(cut(bands, self.first, standings));
        let odd = jobs.flat_map_iter(|((band, before), standings)| {
            self.answer_band(band.columns.clone(), &before, standings)
        });
        let odd: Vec<Odd> = odd.collect();
        self.write_odd(&odd, standings)
    }

    fn spans(&self, columns: Range<usize>) -> Range<usize> {
        self.first[columns.start] as usize..self.first[columns.end] as usize
    }

    /// Takes away steps over the border of the frame: they lead nowhere.
    fn close_border(&self, standings: &mut [Standing]) {
        let (width, cells) = (self.frame.size_x as usize, self.frame.cells());
        let mut close = |columns: Range<usize>, dirs: &[Dir]| {
            for standing in &mut standings[self.spans(columns)] {
                dirs.iter().for_each(|&dir| standing.set_connection(dir, ConnectionCode::NONE));
            }
        };
        let [south_east, _, south_west] = NEXT_ROW;
        for row in (0..cells).step_by(width.max(1)) {
            close(row..row + 1, &[south_west]);
            close(row + width - 1..row + width, &[EAST, south_east]);
        }
        close(cells - width.min(cells)..cells, &NEXT_ROW);
    }

    /// Writes the way back of all steps that end in a band; returns the odd ones among them.
    fn answer_band(
        &self,
        columns: Range<usize>,
        before: &[Standing],
        standings: &mut [Standing],
    ) -> Vec<Odd> {
        let width = self.frame.size_x as usize;
        let down = NEXT_ROW.map(|dir| (dir, width.wrapping_add_signed(dir.offset().0 as isize)));
        let (mut odd, mut above, mut rest) = (Vec::new(), before, standings);
        for row in columns.step_by(width.max(1)) {
            let (own, after) = rest.split_at_mut(self.spans(row..row + width).len());
            if let Some(row_above) = row.checked_sub(width) {
                let steps = |_: &[Standing], at: usize| above[at].forward_connections();
                self.answer((row_above, down, steps), (row, own), &mut odd);
            }
            let steps = |own: &[Standing], at: usize| own[at].forward_connections();
            self.answer((row, [(EAST, 1)], steps), (row, own), &mut odd);
            (above, rest) = (own, after);
        }
        odd
    }

    /// Writes the way back of the steps from one row to another, or within it, in some directions,
    /// each with how far off the column lies where they end.
    #[inline]
    fn answer<const N: usize>(
        &self,
        (from, dirs, steps): (usize, [(Dir, usize); N], impl Fn(&[Standing], usize) -> u16),
        (row, own): (usize, &mut [Standing]),
        odd: &mut Vec<Odd>,
    ) {
        let width = self.frame.size_x as usize;
        let (start, end) = (self.first[from], self.first[row]);
        for (index, column) in (from..).zip(self.first[from..=from + width].windows(2)) {
            for span in column[0]..column[1] {
                let steps = steps(own, (span - start) as usize);
                for (dir, away) in dirs {
                    let code = ConnectionCode((steps >> (4 * dir.index()) & 15) as u8);
                    if code == ConnectionCode::NONE {
                        continue;
                    }
                    if !code.is_near_both_ways() {
                        odd.push((index, SpanId(span), dir));
                        continue;
                    }
                    let above = self.first[index + away] - end + (span - column[0]);
                    let to = (above + u32::from(code.0)).wrapping_sub(7);
                    own[to as usize].set_connection(dir.opposite(), code.reversed());
                }
            }
        }
    }

    /// Writes both ends of steps over many layers; returns those that nibbles cannot say, sorted.
    fn write_odd(&self, odd: &[Odd], standings: &mut [Standing]) -> Vec<FarConnection> {
        let mut writer = ConnectionWriter::default();
        let offsets = row_major_offsets(self.frame);
        for &(index, span, dir) in odd {
            let from = SpanLayer { span, layer: span.0 - self.first[index] };
            let Some(layer) = self.far_layer(from, dir, standings[span.index()]) else { continue };
            let next = self.first[index.wrapping_add_signed(offsets[dir.index()])];
            let to = SpanLayer { span: SpanId(next + layer), layer };
            writer.write(&mut standings[from.span.index()], dir, [from, to]);
            writer.write(&mut standings[to.span.index()], dir.opposite(), [to, from]);
        }
        writer.far_connections.sort_unstable();
        writer.far_connections
    }

    /// The layer where an odd step leads.
    fn far_layer(&self, from: SpanLayer, dir: Dir, standing: Standing) -> Option<u32> {
        let code = standing.connection_code(dir);
        if code != ConnectionCode::FAR {
            return u32::try_from(i64::from(from.layer) + code.rise()).ok();
        }
        let key = (from.span, dir);
        let at = self.far.binary_search_by_key(&key, |entry| (entry.0, entry.1)).ok()?;
        Some(self.far[at].2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::grid::baker::{ColumnPosition, Connections};
    use surefoot::grid::{AgentLayer, Cell};

    /// Towers of 20 floors at two opposite corners of a square, single floors at the others.
    const FIRST: [u32; 5] = [0, 20, 21, 22, 42];
    const FRAME: GridFrame =
        GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 2, size_z: 2 };

    #[test]
    fn steps_over_any_number_of_layers_come_back() {
        let south = NEXT_ROW[1];
        // From column and span, direction, to column and span.
        let steps = [
            ((0, 19), EAST, (1, 20)),
            ((0, 7), south, (2, 21)),
            ((2, 21), EAST, (3, 29)),
            ((1, 20), south, (3, 25)),
        ];
        let mut standings = vec![Standing::WALKABLE; 42];
        let mut far = Vec::new();
        for ((from, span), dir, (to, target)) in steps {
            let layer = target - FIRST[to];
            let code = ConnectionCode::new(i64::from(layer) - i64::from(span - FIRST[from]));
            standings[span as usize].set_connection(dir, code);
            if code == ConnectionCode::FAR {
                far.push((SpanId(span), dir, layer));
            }
        }
        far.sort_unstable();
        // Out of the frame.
        standings[20].set_connection(EAST, ConnectionCode::new(0));
        let back = Back { frame: &FRAME, first: &FIRST, far: &far };
        let bands = [0..2, 2..4].map(|columns| Band { tiles: &[], columns });
        let far_connections = back.fill_in(&bands, &mut standings);
        let count: u32 = standings.iter().map(Standing::connection_count).sum();
        assert_eq!((count, far_connections.len()), (8, 4));
        let layer = AgentLayer {
            agent: crate::Agent::new("human"),
            standings,
            far_connections,
            regions: Vec::new(),
            order: None,
        };
        let found = Connections::new(&FRAME, &FIRST, &layer);
        for ((from, span), dir, (to, target)) in steps {
            let place = |index: usize, span| Place { index, x: index % 2, span };
            let (from, to) = (place(from, span), place(to, target));
            assert_eq!(found.target(from, dir), Some(to));
            assert_eq!(found.target(to, dir.opposite()), Some(from));
        }
    }
}
