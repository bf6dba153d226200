//! Provides [`Detours`]: how far it is to walk between the ends of a link.
//!
//! A search over the connections, up to a length that makes a link worth having and no further. So the
//! answer depends on the ground near the link alone.
//! Based on: Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
//! paths", 1968.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nalgebra::Point3;

use super::ground::{LinkGround, SpanAddress};
use surefoot::grid::{Cell, Dir};

/// A link is left out if walking takes at most so many times its length, and so much more [m].
const DETOUR_FACTOR: f32 = 2.0;
const DETOUR_EXTRA: f32 = 3.0;

/// Returns the length of a path by foot that makes a link of some length needless [m].
pub(super) fn longest_detour(length: f32) -> f32 {
    DETOUR_FACTOR * length + DETOUR_EXTRA
}

/// Searches for paths by foot near a block of cells.
pub(super) struct Detours<'a> {
    ground: LinkGround<'a>,
    window: Window,
    /// For each span of the window the number of the search that reached it.
    stamps: Vec<u32>,
    /// The length of the shortest path to it so far [m].
    lengths: Vec<f32>,
    search: u32,
    /// By the length that a path through it has at least, as the bits of a float; its own length, too.
    open: BinaryHeap<Reverse<(u32, u32, SpanAddress)>>,
}

/// Where a path should lead, and how long it may be.
struct Goal {
    point: Point3<f32>,
    /// [m]
    most: f32,
}

/// Some rows of columns, whose spans are numbered from 0.
struct Window {
    first_row: usize,
    first_x: usize,
    /// For each row its first span, and what that is numbered.
    rows: Vec<(u32, u32)>,
    width: usize,
    spans: usize,
}

impl<'a> Detours<'a> {
    /// Prepares for searches that stay within a number of cells of a block.
    pub fn new(ground: LinkGround<'a>, block: [Cell; 2], reach: u32) -> Self {
        let window = Window::around(&ground, block, reach);
        let stamps = vec![0; window.spans];
        let lengths = vec![0.0; window.spans];
        Detours { ground, window, stamps, lengths, search: 0, open: BinaryHeap::new() }
    }

    /// Returns whether walking from one floor to another does nearly as well as a link.
    pub fn are_near_by_foot(&mut self, [from, to]: [SpanAddress; 2]) -> bool {
        let length = (self.ground.point(to) - self.ground.point(from)).norm();
        self.ground.piece(from) == self.ground.piece(to)
            && self.is_within(from, to, longest_detour(length))
    }

    /// Returns whether a path by foot from one floor to another is at most so long, measured from center
    /// to center [m].
    fn is_within(&mut self, from: SpanAddress, to: SpanAddress, most: f32) -> bool {
        self.search += 1;
        self.open.clear();
        let goal = Goal { point: self.ground.point(to), most };
        self.relax(from, 0.0, &goal);
        let steps = Dir::ALL.map(|dir| self.ground.step_length(dir).powi(2));
        while let Some(Reverse((_, bits, floor))) = self.open.pop() {
            let length = f32::from_bits(bits);
            if floor == to {
                return true;
            }
            let here = self.window.index(&self.ground, floor);
            if here.is_none_or(|here| length > self.lengths[here]) {
                continue;
            }
            let height = self.ground.height(floor);
            for dir in Dir::ALL {
                let Some(next) = self.ground.neighbor(floor, dir) else { continue };
                let rise = self.ground.height(next) - height;
                self.relax(next, length + (steps[dir.index()] + rise * rise).sqrt(), &goal);
            }
        }
        false
    }

    /// Notes a path to a floor if it is the shortest so far and may lead to the goal.
    fn relax(&mut self, floor: SpanAddress, length: f32, goal: &Goal) {
        let least = length + (goal.point - self.ground.point(floor)).norm();
        if least > goal.most {
            return;
        }
        let Some(index) = self.window.index(&self.ground, floor) else { return };
        if self.stamps[index] == self.search && self.lengths[index] <= length {
            return;
        }
        self.stamps[index] = self.search;
        self.lengths[index] = length;
        self.open.push(Reverse((least.to_bits(), length.to_bits(), floor)));
    }
}

impl Window {
    /// Returns the part of the ground around a block of cells, given by its first and last.
    fn around(ground: &LinkGround, [low, high]: [Cell; 2], reach: u32) -> Self {
        let frame = ground.frame;
        let range = |low: i32, high: i32, min: i32, size: u32| {
            let start = i64::from(low) - i64::from(min) - i64::from(reach);
            let end = i64::from(high) - i64::from(min) + i64::from(reach) + 1;
            let [start, end] = [start, end].map(|at| at.clamp(0, i64::from(size)) as usize);
            start..end
        };
        let columns = range(low.x, high.x, frame.min.x, frame.size_x);
        let rows = range(low.z, high.z, frame.min.z, frame.size_z);
        let (first_row, first_x, width) = (rows.start, columns.start, columns.len());
        let mut spans = 0;
        let rows = rows.map(|row| {
            let start = row * frame.size_x as usize + columns.start;
            let base = (ground.first[start], spans as u32);
            spans += (ground.first[start + columns.len()] - ground.first[start]) as usize;
            base
        });
        Window { first_row, first_x, rows: rows.collect(), width, spans }
    }

    /// Returns the number of a span in the window.
    fn index(&self, ground: &LinkGround, floor: SpanAddress) -> Option<usize> {
        let size_x = ground.frame.size_x as usize;
        let (row, x) = (floor.column / size_x, floor.column % size_x);
        if !(self.first_x..self.first_x + self.width).contains(&x) {
            return None;
        }
        let &(first, base) = self.rows.get(row.checked_sub(self.first_row)?)?;
        Some((floor.span - first + base) as usize)
    }
}
