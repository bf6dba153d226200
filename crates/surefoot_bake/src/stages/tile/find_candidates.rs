//! Finds candidates: which floors of neighboring columns belong together.
//!
//! A floor belongs with the one to which the step is lowest, of those that the agent could step to
//! and stand on, if that holds from the other side too. Nearly always there is a single candidate,
//! wherever the agent can stand. Agents with the same step rule share what was found.

use std::ops::Range;

use super::find_floors::{Floor, Floors, floors_near};
use super::step_rule::{StepRule, Stride};
use surefoot::grid::{Dir, GridFrame};

/// No floor.
pub(super) const NO_FLOOR: u32 = u32::MAX;
/// The candidate depends on where the agent can stand.
const SEVERAL: u32 = u32::MAX - 1;

/// The candidates of a tile's floors for agents with the same step rule.
pub(super) struct Candidates {
    /// Toward greater x and toward greater z.
    pub axes: [AxisCandidates; 2],
    /// Limits of steps along the two diagonals: +x+z and -x+z.
    pub diagonals: [Stride; 2],
}

/// The candidates of a tile's floors in the next columns along an axis.
pub(super) struct AxisCandidates {
    stride: Stride,
    /// From a cell to the next, as indices.
    offset: usize,
    /// For each floor its candidate, [`NO_FLOOR`] or [`SEVERAL`].
    to: Vec<u32>,
}

/// The floors of a column and of the next one along an axis.
struct ColumnPair {
    column: Range<usize>,
    next: Range<usize>,
}

impl Candidates {
    /// Finds the candidates for all agents with a step rule.
    pub fn find(rule: &StepRule, frame: &GridFrame, floors: &Floors) -> Self {
        let (width, height) = (frame.size_x as usize, frame.size_z as usize);
        let stride = |dir| rule.stride(dir, frame.cell_size);
        let mut axes = [0, 1].map(|axis| AxisCandidates {
            stride: stride(Dir::STRAIGHT[axis]),
            offset: [1, width][axis],
            to: vec![NO_FLOOR; floors.floors.len()],
        });
        for (axis, AxisCandidates { stride, offset, to }) in axes.iter_mut().enumerate() {
            // The last column of a row, or the last row, has no next one.
            let rows = height - axis.min(height);
            let columns = width - (1 - axis).min(width);
            for row in (0..rows).map(|row| row * width) {
                let next_row = row + *offset;
                let next = floors.columns(next_row..next_row + columns);
                for (column, next) in floors.columns(row..row + columns).zip(next) {
                    let pair = ColumnPair { column, next };
                    stride.find_only(&floors.floors, pair, |floor, only| to[floor] = only);
                }
            }
        }
        Candidates { axes, diagonals: [1, 3].map(|dir| stride(Dir::ALL[dir])) }
    }
}

impl AxisCandidates {
    /// Returns the candidate of a floor, if it does not depend on where an agent can stand.
    #[inline]
    pub fn only(&self, floor: usize) -> Option<u32> {
        Some(self.to[floor]).filter(|&to| to < SEVERAL)
    }

    /// Returns the candidate of a floor, for an agent that can stand on some of the floors, this
    /// one among them.
    #[inline]
    pub fn of(
        &self,
        floors: &Floors,
        floor: usize,
        is_free: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        match self.to[floor] {
            NO_FLOOR => None,
            SEVERAL => {
                let free = |&floor: &usize| is_free(floor);
                let (cell, height) = (floors.cell_of(floor), floors.floors[floor].span.floor);
                let rise = self.stride.max_rise;
                // What could step onto the candidate is up to two rises away.
                let column = floors.near(cell, height, 2.0 * rise);
                let next = floors.near(cell + self.offset, height, rise);
                let free = [column, next].map(|floors| floors.filter(free));
                self.stride.lowest(&floors.floors, floor, free)
            }
            to => Some(to as usize).filter(|&to| is_free(to)),
        }
    }
}

impl Stride {
    /// Calls back with each floor of a column and its only possible candidate in the next column:
    /// [`NO_FLOOR`] if there is none, [`SEVERAL`] if there are more on either side.
    #[inline]
    fn find_only(
        &self,
        floors: &[Floor],
        ColumnPair { column, next }: ColumnPair,
        mut call: impl FnMut(usize, u32),
    ) {
        let fits =
            |from: usize, to: usize| self.step_height([&floors[from], &floors[to]]).is_some();
        // Nearly all columns have one floor.
        if column.len() == 1 && next.len() == 1 {
            let only = if fits(column.start, next.start) { next.start as u32 } else { NO_FLOOR };
            return call(column.start, only);
        }
        // All others are too far above or below.
        let near = |floor: usize, column: &Range<usize>| {
            floors_near(floors, column.clone(), floors[floor].span.floor, self.max_rise)
        };
        for floor in column.clone() {
            let mut possible = near(floor, &next).filter(|&to| fits(floor, to));
            let only = possible.next().map_or(NO_FLOOR, |to| {
                let is_only = possible.next().is_none()
                    && near(to, &column).all(|from| from == floor || !fits(from, to));
                if is_only { to as u32 } else { SEVERAL }
            });
            call(floor, only);
        }
    }

    /// Returns the floor of the next column that a floor belongs with, given the free floors of
    /// both.
    fn lowest(
        &self,
        floors: &[Floor],
        floor: usize,
        [column, next]: [impl Iterator<Item = usize>; 2],
    ) -> Option<usize> {
        let step = |from: usize, to: usize| self.step_height([&floors[from], &floors[to]]);
        let to = least(next.filter_map(|to| Some((step(floor, to)?, to))))?;
        let back = least(column.filter_map(|from| Some((step(from, to)?, from))))?;
        (back == floor).then_some(to)
    }
}

/// Returns the floor of the lowest step. Ties go to the lower floor.
fn least(steps: impl Iterator<Item = (f32, usize)>) -> Option<usize> {
    steps.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, floor)| floor)
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use surefoot::agent::Agent;
    use surefoot::grid::{Cell, NodeId, Span};

    fn floor(y: f32) -> Floor {
        Floor {
            span: Span::new(y, y + 2.0, Vector3::y()),
            up: 1.0,
            gradient: [0.0; 2],
            obstacle: false,
            forbidden: false,
            inside: false,
            ceiling_node: NodeId::NONE,
        }
    }

    #[test]
    fn what_is_shared_agrees_with_the_lowest_steps() {
        let mut seed = 5u64;
        let mut random = |limit: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u32 % limit
        };
        let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: 6, size_z: 5 };
        let rule = StepRule::of(&Agent { max_climb: 0.4, ..Agent::new("human") });
        let mut counts = [0; 2];
        for _ in 0..200 {
            let mut floors = Floors { first: vec![0], floors: Vec::new() };
            for _ in 0..frame.cells() {
                let mut y = 0.1 * random(4) as f32;
                for _ in 0..random(4) {
                    floors.floors.push(floor(y));
                    y += 0.1 * (1 + random(9)) as f32;
                }
                floors.first.push(floors.floors.len() as u32);
            }
            let free: Vec<bool> = floors.floors.iter().map(|_| random(3) > 0).collect();
            let candidates = Candidates::find(&rule, &frame, &floors);
            for next in &candidates.axes {
                // The last row and column have no next.
                for cell in (0..4 * 6).filter(|cell| cell % 6 < 5) {
                    for at in floors.column(cell).filter(|&at| free[at]) {
                        let columns = [cell, cell + next.offset];
                        let columns =
                            columns.map(|cell| floors.column(cell).filter(|&at| free[at]));
                        let expected = next.stride.lowest(&floors.floors, at, columns);
                        let found = next.of(&floors, at, |at| free[at]);
                        assert_eq!(found, expected);
                        counts[usize::from(next.to[at] == SEVERAL)] += 1;
                    }
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }
}
