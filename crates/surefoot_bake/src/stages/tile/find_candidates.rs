//! Partners: which floors of neighboring columns belong with each other.
//!
//! A floor belongs with the one to which the step is lowest, of those that the agent could step to
//! and stand on, if that is so from the other side too. Nearly always a single one comes into
//! question, whoever stands where; agents that climb alike share what was found there.

use std::ops::Range;

use super::floors::{Floor, Floors};
use super::rule::{Rule, Stride};
use surefoot::grid::{Dir, GridFrame};

/// No floor.
pub(super) const NONE: u32 = u32::MAX;
/// Depends on where the agent can stand.
const SEVERAL: u32 = u32::MAX - 1;

/// The partners of a tile's floors for agents that climb alike.
pub(super) struct Partners {
    /// For each floor the one it belongs with towards greater x and towards greater z, [`NONE`] or
    /// [`SEVERAL`].
    to: Vec<[u32; 2]>,
    ways: [Way; 2],
}

/// The way from a column to the next.
struct Way {
    stride: Stride,
    /// From a cell to the next, as indices.
    offset: usize,
}

impl Partners {
    /// Finds what holds for all agents that climb by a rule.
    pub fn find(rule: &Rule, frame: &GridFrame, floors: &Floors) -> Self {
        let (width, height) = (frame.size_x as usize, frame.size_z as usize);
        let way = |dir, offset| Way { stride: rule.stride(dir, frame.cell_size), offset };
        let ways = [way(Dir::STRAIGHT[0], 1), way(Dir::STRAIGHT[1], width)];
        let mut to = vec![[NONE; 2]; floors.floors.len()];
        for (axis, way) in ways.iter().enumerate() {
            // The last column of a row, or the last row, has no next one.
            let rows = height - axis.min(height);
            let columns = width - (1 - axis).min(width);
            for row in (0..rows).map(|row| row * width) {
                let next = floors.columns(row + way.offset..row + way.offset + columns);
                for pair in floors.columns(row..row + columns).zip(next) {
                    way.stride
                        .find_only(&floors.floors, pair, |floor, only| to[floor][axis] = only);
                }
            }
        }
        Partners { to, ways }
    }

    /// The partner of a floor of a cell towards greater x (0) or z (1), for an agent that can stand
    /// on some of the floors, this one among them.
    #[inline]
    pub fn of(
        &self,
        floors: &Floors,
        (cell, floor, axis): (usize, usize, usize),
        is_free: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        match self.to[floor][axis] {
            NONE => None,
            SEVERAL => {
                let Way { stride, offset } = &self.ways[axis];
                let free = |&floor: &usize| is_free(floor);
                let free = [cell, cell + offset].map(|cell| floors.column(cell).filter(free));
                stride.lowest(&floors.floors, floor, free)
            }
            to => Some(to as usize).filter(|&to| is_free(to)),
        }
    }
}

impl Stride {
    /// Calls back with each floor of a column and the only one of the next column that could belong
    /// with it: [`NONE`] if there is none, [`SEVERAL`] if others come into question on either side.
    #[inline]
    fn find_only(
        &self,
        floors: &[Floor],
        (column, next): (Range<usize>, Range<usize>),
        mut call: impl FnMut(usize, u32),
    ) {
        let joins = |from: usize, to: usize| self.step([&floors[from], &floors[to]]).is_some();
        if column.len() == 1 && next.len() == 1 {
            let only = if joins(column.start, next.start) { next.start as u32 } else { NONE };
            return call(column.start, only);
        }
        for floor in column.clone() {
            let mut possible = next.clone().filter(|&to| joins(floor, to));
            let only = possible.next().map_or(NONE, |to| {
                let is_only = possible.next().is_none()
                    && column.clone().all(|from| from == floor || !joins(from, to));
                if is_only { to as u32 } else { SEVERAL }
            });
            call(floor, only);
        }
    }

    /// The floor of the next column that a floor belongs with, of the floors in both that are free.
    fn lowest(
        &self,
        floors: &[Floor],
        floor: usize,
        [column, next]: [impl Iterator<Item = usize>; 2],
    ) -> Option<usize> {
        let step = |from: usize, to: usize| self.step([&floors[from], &floors[to]]);
        let to = least(next.filter_map(|to| Some((step(floor, to)?, to))))?;
        let back = least(column.filter_map(|from| Some((step(from, to)?, from))))?;
        (back == floor).then_some(to)
    }
}

/// The floor of the lowest step, the lower one of two.
fn least(steps: impl Iterator<Item = (f32, usize)>) -> Option<usize> {
    steps.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, floor)| floor)
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use surefoot::agent::Agent;
    use surefoot::grid::{Cell, Span};

    fn floor(y: f32) -> Floor {
        Floor {
            span: Span::new(y, y + 2.0, Vector3::y()),
            up: 1.0,
            gradient: [0.0; 2],
            forbidden: false,
            inside: false,
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
        let rule = Rule::of(&Agent { max_climb: 0.4, ..Agent::new("human") });
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
            let partners = Partners::find(&rule, &frame, &floors);
            for (axis, way) in partners.ways.iter().enumerate() {
                // The last row and column have no next.
                for cell in (0..4 * 6).filter(|cell| cell % 6 < 5) {
                    for at in floors.column(cell).filter(|&at| free[at]) {
                        let columns = [cell, cell + way.offset];
                        let columns =
                            columns.map(|cell| floors.column(cell).filter(|&at| free[at]));
                        let expected = way.stride.lowest(&floors.floors, at, columns);
                        assert_eq!(partners.of(&floors, (cell, at, axis), |at| free[at]), expected);
                        counts[usize::from(partners.to[at][axis] == SEVERAL)] += 1;
                    }
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }
}
