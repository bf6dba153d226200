//! Splits the floors of a grid into patches: connected surfaces that never lie above
//! themselves.
//!
//! A patch starts at the lowest floor that is in none yet and floods over floors that meet at the
//! cells' edges, lowest first; it takes a floor only where its column is still free. Lowest first
//! means that the ground under a bridge is taken before the deck, and the first turn of a spiral
//! before the second: a patch ends where it would come to lie above itself.

use std::cmp::Reverse;
use std::ops::Range;

use surefoot::grid::{Cell, CellOffset, Dir, NavGrid, Span};
use surefoot::observer::{check_cancelled, for_each_observed};
use surefoot::{Cancelled, Observer};

/// Connected surfaces that never lie above themselves.
pub(super) struct Patches {
    /// All members, patch by patch.
    members: Vec<u32>,
    /// For each patch where its members start; one more entry closes the list.
    starts: Vec<usize>,
    /// For each span its cell, in row-major order.
    cells: Vec<u32>,
}

/// Climb at an edge between floors of one patch where no agent says otherwise [m].
const DEFAULT_CLIMB: f32 = 0.5;
/// Height of the bins floors are taken from, lowest first; within a bin the order is free [m].
const BIN_HEIGHT: f32 = 0.25;
/// Bins get higher where there would be more than this.
const MAX_BINS: f32 = 65536.0;

impl Patches {
    /// Splits all spans that are not covered. O(spans).
    pub(super) fn of(
        grid: &NavGrid,
        covered: &[bool],
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let mut flood = PatchFlood::new(grid, covered, observer)?;
        let mut patches = Patches { members: Vec::new(), starts: vec![0], cells: Vec::new() };
        for seed in flood.bins.lowest_first(grid.spans(), observer)? {
            if !flood.done[seed as usize] {
                flood.patch += 1;
                flood.run(seed, &mut patches.members)?;
                patches.starts.push(patches.members.len());
            }
        }
        patches.cells = flood.cells;
        Ok(patches)
    }

    /// Indices of the patches, largest first; equals in the order of their lowest floors.
    pub(super) fn largest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.starts.len() - 1).collect();
        order.sort_by_key(|&patch| Reverse(self.members(patch).len()));
        order
    }

    /// Indices of the spans in a patch.
    pub(super) fn members(&self, patch: usize) -> &[u32] {
        &self.members[self.starts[patch]..self.starts[patch + 1]]
    }

    /// The cell of a span.
    pub(super) fn cell(&self, grid: &NavGrid, span: u32) -> Cell {
        grid.frame().cell(self.cells[span as usize] as usize)
    }
}

/// Calls `work` with each column of a grid in row-major order: its cell, and its spans.
pub(super) fn for_each_column(
    grid: &NavGrid,
    observer: &dyn Observer,
    mut work: impl FnMut(usize, Range<u32>),
) -> Result<(), Cancelled> {
    let frame = grid.frame();
    for_each_observed(0..frame.cells(), observer, |at| work(at, grid.column_spans(frame.cell(at))))
}

/// For each span whether the next floor is less than the lowest agent's height above it.
pub(super) fn cover(grid: &NavGrid, observer: &dyn Observer) -> Result<Vec<bool>, Cancelled> {
    let heights = grid.layers().iter().map(|layer| layer.agent.height);
    let cut = heights.fold(f32::INFINITY, f32::min);
    let cut = if cut.is_finite() { cut } else { 0.0 };
    let mut covered = vec![false; grid.spans().len()];
    for_each_column(grid, observer, |_, column| {
        let column = column.start as usize..column.end as usize;
        let floors = grid.spans()[column.clone()].windows(2);
        for (at, pair) in column.zip(floors) {
            covered[at] = pair[1].floor - pair[0].floor < cut;
        }
    })?;
    Ok(covered)
}

/// The observer is asked once for so many spans of a flood.
const STEPS_PER_LOOK: u32 = 1 << 12;

struct PatchFlood<'a> {
    grid: &'a NavGrid,
    observer: &'a dyn Observer,
    /// Spans that were taken from the bins.
    steps: u32,
    bins: Bins,
    climb: f32,
    patch: u32,
    /// For each cell the last patch that took a span there.
    taken: Vec<u32>,
    /// For each span whether it is in a patch, or covered.
    done: Vec<bool>,
    cells: Vec<u32>,
}

impl<'a> PatchFlood<'a> {
    fn new(
        grid: &'a NavGrid,
        covered: &[bool],
        observer: &'a dyn Observer,
    ) -> Result<Self, Cancelled> {
        let climbs = grid.layers().iter().map(|layer| layer.agent.max_climb);
        let mut cells = vec![0; grid.spans().len()];
        for_each_column(grid, observer, |cell, column| {
            cells[column.start as usize..column.end as usize].fill(cell as u32);
        })?;
        Ok(PatchFlood {
            grid,
            observer,
            steps: 0,
            bins: Bins::over(grid.spans()),
            climb: climbs.reduce(f32::max).unwrap_or(DEFAULT_CLIMB),
            patch: 0,
            taken: vec![0; grid.frame().cells()],
            done: covered.to_vec(),
            cells,
        })
    }

    fn run(&mut self, seed: u32, members: &mut Vec<u32>) -> Result<(), Cancelled> {
        self.bins.push(seed, &self.grid.spans()[seed as usize]);
        while let Some(span) = self.bins.pop() {
            self.steps = self.steps.wrapping_add(1);
            if self.steps.is_multiple_of(STEPS_PER_LOOK) {
                check_cancelled(self.observer)?;
            }
            let cell = self.cells[span as usize] as usize;
            if self.done[span as usize] || self.taken[cell] == self.patch {
                continue;
            }
            self.done[span as usize] = true;
            self.taken[cell] = self.patch;
            members.push(span);
            for dir in Dir::STRAIGHT {
                self.spread(span, dir);
            }
        }
        Ok(())
    }

    fn spread(&mut self, from: u32, dir: Dir) {
        let frame = self.grid.frame();
        let next = frame.cell(self.cells[from as usize] as usize).neighbor(dir);
        if frame.index(next).is_none_or(|at| self.taken[at] == self.patch) {
            return;
        }
        let spans = self.grid.spans();
        for to in self.grid.column_spans(next) {
            if !self.done[to as usize]
                && self.meets(&spans[from as usize], &spans[to as usize], dir)
            {
                self.bins.push(to, &spans[to as usize]);
            }
        }
    }

    /// Whether two floors differ by no more than the climb: at their centers, or at the edge
    /// between them, as their slopes foretell it.
    fn meets(&self, from: &Span, to: &Span, dir: Dir) -> bool {
        if (from.floor - to.floor).abs() <= self.climb {
            return true;
        }
        let CellOffset { x, z } = dir.offset();
        let half = self.grid.frame().cell_size / 2.0;
        let slope = |span: &Span| {
            let [along_x, along_z] = span.gradient();
            (along_x * x as f32 + along_z * z as f32) * half
        };
        ((from.floor + slope(from)) - (to.floor - slope(to))).abs() <= self.climb
    }
}

/// Spans waiting to be taken, lowest first.
struct Bins {
    low: f32,
    height: f32,
    bins: Vec<Vec<u32>>,
    /// The bins below this are empty.
    current: usize,
    /// How many spans wait in all.
    waiting: usize,
}

impl Bins {
    fn over(spans: &[Span]) -> Self {
        let low = spans.iter().fold(f32::INFINITY, |low, span| low.min(span.floor));
        let high = spans.iter().fold(f32::NEG_INFINITY, |high, span| high.max(span.floor));
        let range = (high - low).max(0.0);
        let height = BIN_HEIGHT.max(range / MAX_BINS);
        let count = (range / height) as usize + 1;
        Bins { low, height, bins: vec![Vec::new(); count], current: count, waiting: 0 }
    }

    fn bin(&self, span: &Span) -> usize {
        (((span.floor - self.low) / self.height) as usize).min(self.bins.len() - 1)
    }

    fn push(&mut self, id: u32, span: &Span) {
        let bin = self.bin(span);
        self.bins[bin].push(id);
        self.waiting += 1;
        self.current = self.current.min(bin);
    }

    fn pop(&mut self) -> Option<u32> {
        // Most patches are small: not all bins are looked through to see that nothing is left.
        self.waiting = self.waiting.checked_sub(1)?;
        while self.bins.get(self.current)?.is_empty() {
            self.current += 1;
        }
        self.bins[self.current].pop()
    }

    /// All spans, by bin, then by index.
    fn lowest_first(&self, spans: &[Span], observer: &dyn Observer) -> Result<Vec<u32>, Cancelled> {
        let mut starts = vec![0usize; self.bins.len() + 1];
        for_each_observed(0..spans.len(), observer, |at| {
            starts[self.bin(&spans[at]) + 1] += 1;
        })?;
        for bin in 1..starts.len() {
            starts[bin] += starts[bin - 1];
        }
        let mut order = vec![0; spans.len()];
        for_each_observed(0..spans.len(), observer, |id| {
            let at = &mut starts[self.bin(&spans[id])];
            order[*at] = id as u32;
            *at += 1;
        })?;
        Ok(order)
    }
}
