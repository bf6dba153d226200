//! Mirrors connections: tiles find connections toward greater x or z, and each is written at its
//! other end too.
//!
//! The mirrored connections of a row follow from the row before it and from itself, so bands of
//! rows do not wait for each other. Connections over many layers are rare and written at the end.

use std::ops::Range;

use rayon::prelude::*;

use super::bands::{Band, split_at_bands};
use crate::stages::tile::FarStep;
use surefoot::grid::baker::{
    ConnectionCode, ConnectionWriter, LEVEL_CONNECTIONS, SpanLayer, row_major_offsets,
};
use surefoot::grid::{Dir, FarConnection, GridFrame, SpanId, Standing};

/// Mirrors the connections in the standings of one agent.
pub(super) struct ConnectionMirror<'a> {
    pub frame: &'a GridFrame,
    pub first: &'a [u32],
    /// Sorted by span and direction.
    pub far: &'a [FarStep],
}

/// A connection that a code cannot express at both ends.
struct SteepStep {
    /// Index of its column.
    column: usize,
    span: SpanId,
    dir: Dir,
}

/// The connections of a row of columns in some directions.
struct StepRow<const N: usize, F> {
    /// Index of the row's first column.
    columns_from: usize,
    /// Each with how far on the target's column lies.
    dirs: [(Dir, usize); N],
    /// Returns the codes of the span at an index of the row, given the standings of the target row.
    codes: F,
}

/// The row of columns whose spans are the targets.
struct TargetRow<'s> {
    /// Index of the row's first column.
    columns_from: usize,
    standings: &'s mut [Standing],
}

const EAST: Dir = Dir::ALL[0];
/// The directions to the next row: toward greater x, straight, toward lesser x.
const NEXT_ROW: [Dir; 3] = [Dir::ALL[1], Dir::ALL[2], Dir::ALL[3]];

impl ConnectionMirror<'_> {
    /// Mirrors all connections; returns those that codes cannot express, sorted.
    pub fn mirror_all(&self, bands: &[Band], standings: &mut [Standing]) -> Vec<FarConnection> {
        self.close_border(standings);
        let width = self.frame.size_x as usize;
        // A copy, because the thread of the band before is writing to it.
        let row_before = |band: &Band| match band.columns.start.checked_sub(width) {
            Some(start) => standings[self.spans(start..start + width)].to_vec(),
            None => Vec::new(),
        };
        let before: Vec<_> = bands.iter().map(row_before).collect();
        let split = split_at_bands(bands, self.first, standings);
        let jobs = bands.par_iter().zip(before).zip(split);
        let steep = jobs.flat_map_iter(|((band, before), standings)| {
            self.mirror_band(band.columns.clone(), &before, standings)
        });
        let steep: Vec<SteepStep> = steep.collect();
        self.write_steep(&steep, standings)
    }

    fn spans(&self, columns: Range<usize>) -> Range<usize> {
        self.first[columns.start] as usize..self.first[columns.end] as usize
    }

    /// Removes connections over the border of the frame: they lead nowhere.
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

    /// Mirrors all connections that end in a band, given the standings of the row before it;
    /// returns the steep ones among them.
    fn mirror_band(
        &self,
        columns: Range<usize>,
        before: &[Standing],
        standings: &mut [Standing],
    ) -> Vec<SteepStep> {
        let width = self.frame.size_x as usize;
        let down = NEXT_ROW.map(|dir| (dir, width.wrapping_add_signed(dir.offset().x as isize)));
        let (mut steep, mut above, mut rest) = (Vec::new(), before, standings);
        for row in columns.step_by(width.max(1)) {
            let (standings, after) = rest.split_at_mut(self.spans(row..row + width).len());
            let mut target = TargetRow { columns_from: row, standings };
            if let Some(row_above) = row.checked_sub(width) {
                let codes = |_: &[Standing], at: usize| above[at].forward_connections();
                let from = StepRow { columns_from: row_above, dirs: down, codes };
                self.mirror_row(from, &mut target, &mut steep);
            }
            let codes = |row: &[Standing], at: usize| row[at].forward_connections();
            let from = StepRow { columns_from: row, dirs: [(EAST, 1)], codes };
            self.mirror_row(from, &mut target, &mut steep);
            (above, rest) = (target.standings, after);
        }
        steep
    }

    /// Mirrors the connections from one row to another, or within it.
    #[inline]
    fn mirror_row<const N: usize>(
        &self,
        from: StepRow<N, impl Fn(&[Standing], usize) -> u16>,
        target: &mut TargetRow<'_>,
        steep: &mut Vec<SteepStep>,
    ) {
        let StepRow { columns_from, dirs, codes } = from;
        let width = self.frame.size_x as usize;
        let (start, end) = (self.first[columns_from], self.first[target.columns_from]);
        let columns = self.first[columns_from..=columns_from + width].windows(2);
        let mask = dirs.iter().fold(0, |mask, (dir, _)| mask | 15u16 << (4 * dir.index()));
        for (column, spans) in (columns_from..).zip(columns) {
            for span in spans[0]..spans[1] {
                let codes = codes(target.standings, (span - start) as usize);
                let layer = span - spans[0];
                let target_of = |columns_on| self.first[column + columns_on] - end + layer;
                if codes & mask == LEVEL_CONNECTIONS as u16 & mask {
                    // Most spans are connected to their own layer.
                    for (dir, columns_on) in dirs {
                        let to = &mut target.standings[target_of(columns_on) as usize];
                        to.set_connection(dir.opposite(), ConnectionCode::LEVEL);
                    }
                    continue;
                }
                for (dir, columns_on) in dirs {
                    let code = ConnectionCode((codes >> (4 * dir.index()) & 15) as u8);
                    if code == ConnectionCode::NONE {
                        continue;
                    }
                    if !code.is_near_both_ways() {
                        steep.push(SteepStep { column, span: SpanId(span), dir });
                        continue;
                    }
                    // Code 7 is the same layer; the subtraction may pass through negative numbers.
                    let to = (target_of(columns_on) + u32::from(code.0)).wrapping_sub(7);
                    target.standings[to as usize].set_connection(dir.opposite(), code.reversed());
                }
            }
        }
    }

    /// Writes both ends of connections over many layers; returns those that codes cannot express,
    /// sorted.
    fn write_steep(&self, steep: &[SteepStep], standings: &mut [Standing]) -> Vec<FarConnection> {
        let mut writer = ConnectionWriter::default();
        let offsets = row_major_offsets(self.frame);
        for &SteepStep { column, span, dir } in steep {
            let from = SpanLayer { span, layer: span.0 - self.first[column] };
            let Some(layer) = self.target_layer(from, dir, standings[span.index()]) else {
                continue;
            };
            let next = self.first[column.wrapping_add_signed(offsets[dir.index()])];
            let to = SpanLayer { span: SpanId(next + layer), layer };
            writer.write(&mut standings[from.span.index()], dir, [from, to]);
            writer.write(&mut standings[to.span.index()], dir.opposite(), [to, from]);
        }
        writer.far_connections.sort_unstable();
        writer.far_connections
    }

    /// Returns the layer where a steep connection leads.
    fn target_layer(&self, from: SpanLayer, dir: Dir, standing: Standing) -> Option<u32> {
        let code = standing.connection_code(dir);
        if code != ConnectionCode::FAR {
            return u32::try_from(i64::from(from.layer) + code.rise()).ok();
        }
        let key = (from.span, dir);
        let at = self.far.binary_search_by_key(&key, |step| (step.from, step.dir)).ok()?;
        Some(self.far[at].layer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::grid::baker::{ColumnPosition, Connections};
    use surefoot::grid::{AgentLayer, Cell, Measures, Rooms};

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
                far.push(FarStep { from: SpanId(span), dir, layer });
            }
        }
        far.sort_unstable();
        // Out of the frame.
        standings[20].set_connection(EAST, ConnectionCode::new(0));
        let mirror = ConnectionMirror { frame: &FRAME, first: &FIRST, far: &far };
        let bands = [0..2, 2..4].map(|columns| Band { tiles: &[], columns });
        let far_connections = mirror.mirror_all(&bands, &mut standings);
        let has = |standing: &Standing, dir: &Dir| standing.has_connection(*dir);
        let dirs = |standing| Dir::ALL.iter().filter(|dir| has(standing, dir)).count();
        let count: usize = standings.iter().map(dirs).sum();
        assert_eq!((count, far_connections.len()), (8, 4));
        let layer = AgentLayer {
            agent: surefoot::Agent::new("human"),
            standings,
            far_connections,
            regions: Vec::new(),
            rooms: Rooms::default(),
            measures: Measures::default(),
            order: None,
        };
        let found = Connections::new(&FRAME, &FIRST, &layer);
        for ((from, span), dir, (to, target)) in steps {
            let place = |index: usize, span| ColumnPosition { index, x: index % 2, span };
            let (from, to) = (place(from, span), place(to, target));
            assert_eq!(found.target(from, dir), Some(to));
            assert_eq!(found.target(to, dir.opposite()), Some(from));
        }
    }
}
