//! Provides [`NextGrid`]: what of a grid is still there in the next one, of a level that changed or of a
//! window of a world that moved.

use super::ground_blocks::{BLOCK_SIDE, GroundBlock, GroundBlocks};
use super::{Cell, GridFrame, LinkId, NavGrid, SpanId};

/// A grid and the one that comes after it.
#[derive(Debug)]
pub(crate) struct NextGrid<'a> {
    before: &'a NavGrid,
    after: &'a NavGrid,
    /// The blocks of the second grid.
    blocks: GridFrame,
    states: Vec<BlockState>,
    changed: Vec<GroundRect>,
    gained: Vec<GroundRect>,
    /// The links of the second grid, by their ids.
    links: Vec<(LinkId, u32)>,
}

/// What became of a block of ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockState {
    /// There is no ground.
    Empty,
    /// It is as before.
    Same,
    /// It was there before, and is different now.
    Changed,
    /// It was not there before, or not all of it.
    Gained,
}

/// A rectangle of ground, seen from above [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GroundRect {
    low: [f32; 2],
    high: [f32; 2],
}

/// A line is looked at in pieces of at most this length [cells].
const PIECE: f32 = 16.0;

impl<'a> NextGrid<'a> {
    /// Compares two grids. O(blocks + links of both), and O(cells + spans) for a grid that is compared for the
    /// first time, unless it is a window of a world.
    pub(crate) fn new(before: &'a NavGrid, after: &'a NavGrid) -> Self {
        let [known, new] = [before, after].map(NavGrid::ground_blocks);
        let blocks = new.frame;
        let mut links: Vec<_> =
            after.links().iter().zip(0..).map(|(link, index)| (link.id, index)).collect();
        links.sort_unstable();
        let (changed, gained) = (Vec::new(), Vec::new());
        let states = states(before, after);
        let mut next = NextGrid { before, after, blocks, states, changed, gained, links };
        next.mark_borders(known, new);
        next.changed = next.rects(BlockState::Changed);
        next.gained = next.rects(BlockState::Gained);
        next
    }

    /// Marks blocks whose connections to the next block changed.
    fn mark_borders(&mut self, known: &GroundBlocks, new: &GroundBlocks) {
        for index in 0..self.states.len() {
            let place = self.blocks.cell(index);
            let next = [Cell::new(place.x + 1, place.z), Cell::new(place.x, place.z + 1)];
            let [old, now] = [known, new].map(|blocks| blocks.at(place).across);
            let differs = |axis: usize| {
                let is_same = self.state(next[axis]) == BlockState::Same;
                is_same && old[axis] != now[axis]
            };
            if self.states[index] == BlockState::Same && (differs(0) || differs(1)) {
                self.states[index] = BlockState::Changed;
            }
        }
    }

    fn state(&self, place: Cell) -> BlockState {
        self.blocks.index(place).map_or(BlockState::Empty, |index| self.states[index])
    }

    /// The blocks in a state, with the cells next to them.
    fn rects(&self, state: BlockState) -> Vec<GroundRect> {
        let GridFrame { cell_size, .. } = *self.after.frame();
        let found = self.states.iter().enumerate().filter(|(_, own)| **own == state);
        let rect = |(index, _)| {
            let [low, high] = self.blocks.borders(self.blocks.cell(index));
            let low = low.map(|v| v as f32 - cell_size);
            GroundRect { low, high: high.map(|v| v as f32 + cell_size) }
        };
        found.map(rect).collect()
    }

    /// The span of the second grid that is the same floor, in a column with the same floors; `None` if
    /// there is none. O(spans of the column), after a search has been made on the first grid.
    pub(crate) fn span(&self, span: SpanId) -> Option<SpanId> {
        if self.before.frame().cell_size != self.after.frame().cell_size {
            return None;
        }
        let address = self.before.cell_layer(span)?;
        let [old, new] = [self.before, self.after].map(|grid| grid.column(address.cell));
        let is_same = old.len() == new.len()
            && old.iter().zip(new).all(|(old, new)| old.floor.to_bits() == new.floor.to_bits());
        self.after.span_of(address).filter(|_| is_same)
    }

    /// The index of a link in the second grid; `None` if it is gone. O(log links).
    pub(crate) fn link(&self, link: u32) -> Option<u32> {
        let id = self.before.links().get(link as usize)?.id;
        let at = self.links.binary_search_by_key(&id, |own| own.0).ok()?;
        Some(self.links[at].1)
    }

    /// Whether all ground on a straight line between two places (x, z) [m] is as before. False if
    /// that is not certain. O(length).
    pub(crate) fn is_same_along(&self, from: [f32; 2], to: [f32; 2]) -> bool {
        let along = [0, 1].map(|axis| to[axis] - from[axis]);
        let cells = along[0].abs().max(along[1].abs()) / self.after.frame().cell_size;
        let pieces = (cells / PIECE).ceil();
        // Not a number is ignored by `max`.
        let is_finite = from.iter().chain(&to).all(|place| place.is_finite());
        if !is_finite || pieces > MOST_PIECES {
            return false;
        }
        let place = |piece: f32| {
            let part = if pieces > 0.0 { piece / pieces } else { 0.0 };
            [0, 1].map(|axis| from[axis] + along[axis] * part)
        };
        (0..(pieces as u32).max(1)).all(|piece| {
            let ends = [piece as f32, (piece as f32 + 1.0).min(pieces)].map(place);
            self.is_same_around(ends)
        })
    }

    /// Whether the blocks at two places near to each other, and between them, are as before.
    fn is_same_around(&self, ends: [[f32; 2]; 2]) -> bool {
        let frame = self.after.frame();
        let [one, other] = ends.map(|[x, z]| frame.cell_at(x, z));
        let block = |cell: i32| cell.div_euclid(BLOCK_SIDE);
        let along = |a: i32, b: i32| block(a.min(b))..=block(a.max(b));
        along(one.z, other.z)
            .all(|z| along(one.x, other.x).all(|x| self.state(Cell::new(x, z)) == BlockState::Same))
    }

    /// Ground that was there before and is different now.
    pub(crate) fn changed(&self) -> &[GroundRect] {
        &self.changed
    }

    /// Ground that was not there before.
    pub(crate) fn gained(&self) -> &[GroundRect] {
        &self.gained
    }
}

/// A longer line is taken for one over other ground.
const MOST_PIECES: f32 = 65536.0;

/// What became of each block of the second grid, but for connections across their borders.
fn states(before: &NavGrid, after: &NavGrid) -> Vec<BlockState> {
    let [known, new] = [before, after].map(NavGrid::ground_blocks);
    let is_alike = is_comparable(before, after);
    let is_window = before.frame() != after.frame();
    let state = |(index, now): (usize, &GroundBlock)| {
        let old = known.at(new.frame.cell(index));
        match (old, *now) {
            _ if now.columns == 0 => BlockState::Empty,
            _ if !is_alike => BlockState::Changed,
            _ if old.ground == now.ground && old.columns == now.columns => BlockState::Same,
            _ if old.columns == 0 || is_window && old.columns != now.columns => BlockState::Gained,
            _ => BlockState::Changed,
        }
    };
    new.blocks.iter().enumerate().map(state).collect()
}

/// Whether hashes of two grids can be compared: they have the same cells, agents and areas.
fn is_comparable(before: &NavGrid, after: &NavGrid) -> bool {
    let agents = |grid: &'_ NavGrid| {
        grid.layers().iter().map(|layer| layer.agent.clone()).collect::<Vec<_>>()
    };
    before.frame().cell_size == after.frame().cell_size
        && agents(before) == agents(after)
        && before.areas() == after.areas()
}

impl GroundRect {
    /// The point of it that is nearest to a place (x, z) [m].
    pub(crate) fn nearest(&self, place: [f32; 2]) -> [f32; 2] {
        [0, 1].map(|axis| place[axis].max(self.low[axis]).min(self.high[axis]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;

    /// Waves over a frame; with a hole around a cell, or a step there.
    fn waves(min: Cell, size: u32, floor: impl Fn(Cell) -> Option<f32>) -> NavGrid {
        let frame = GridFrame { cell_size: 0.5, min, size_x: size, size_z: size };
        let height = |at: usize| {
            let cell = frame.cell(at);
            let wave = (cell.x as f32 * 0.05).sin() + (cell.z as f32 * 0.07).cos();
            floor(cell).map_or(f32::NAN, |more| wave + more)
        };
        let heights: Vec<f32> = (0..frame.cells()).map(height).collect();
        NavGrid::from_heights(frame, &heights, &[crate::Agent::new("human")]).expect("heights")
    }

    fn plain(_: Cell) -> Option<f32> {
        Some(0.0)
    }

    #[test]
    fn equal_grids_are_the_same_everywhere() {
        let [one, other] = [0; 2].map(|_| waves(Cell::new(-50, 3), 100, plain));
        let next = NextGrid::new(&one, &other);
        assert!(next.changed().is_empty() && next.gained().is_empty());
        assert!(next.is_same_along([-20.0, 10.0], [19.0, 40.0]));
        assert!((0..one.spans().len() as u32).all(|at| next.span(SpanId(at)) == Some(SpanId(at))));
        assert_eq!(next.span(SpanId(10_000)), None);
    }

    #[test]
    fn a_window_that_moves_gains_ground_and_changes_none() {
        // Whole tiles of 32 cells, which do not see beyond their cells.
        let before = waves(Cell::new(-64, 0), 128, plain);
        let after = waves(Cell::new(-32, 0), 128, plain);
        let next = NextGrid::new(&before, &after);
        let is_ledge = |rect: &GroundRect| rect.low[0] < -15.0 || rect.high[0] > 31.0;
        // Ground next to the border of a grid is a ledge: there alone do these two differ.
        assert!(next.changed().iter().all(is_ledge), "{:?}", next.changed());
        assert_eq!(next.gained().len(), 4);
        assert!(next.gained().iter().all(|rect| rect.low[0] > 30.0));
        assert!(next.is_same_along([1.0, 20.0], [15.0, 45.0]));
        assert!(!next.is_same_along([1.0, 20.0], [40.0, 20.0]));
        assert!(!next.is_same_along([1.0, 20.0], [1.0, 200.0]));
        assert!(!next.is_same_along([1.0, 20.0], [f32::NAN, 20.0]));
        for at in (0..before.spans().len() as u32).step_by(7).map(SpanId) {
            let address = before.cell_layer(at).expect("a span");
            assert_eq!(next.span(at), after.span_of(address));
        }
    }

    #[test]
    fn changes_are_found_where_they_are() {
        let hole = |Cell { x, z }: Cell| ((x, z) != (40, 70)).then_some(0.0);
        let step = |Cell { x, z }: Cell| Some(if (x, z) == (40, 70) { 0.01 } else { 0.0 });
        let before = waves(Cell::new(0, 0), 128, plain);
        for after in [waves(Cell::new(0, 0), 128, hole), waves(Cell::new(0, 0), 128, step)] {
            let next = NextGrid::new(&before, &after);
            assert!(next.gained().is_empty());
            let [rect] = next.changed() else { panic!("{:?}", next.changed()) };
            assert_eq!(rect.nearest([0.0, 0.0]), [15.5, 31.5]);
            assert!(next.is_same_along([1.0, 1.0], [60.0, 30.0]));
            assert!(!next.is_same_along([1.0, 1.0], [25.0, 60.0]));
            let inside = before.column_spans(Cell::new(40, 70)).start;
            assert_eq!(next.span(SpanId(inside)), None);
        }
    }

    #[test]
    fn hashes_after_a_change_are_those_of_the_whole() {
        let step = |Cell { x, z }: Cell| Some(if (x, z) == (40, 63) { 0.05 } else { 0.0 });
        let [before, after] =
            [waves(Cell::new(0, 5), 128, plain), waves(Cell::new(0, 5), 128, step)];
        let rows = 58 - 4..58 + 5;
        let changed = GroundBlocks::new(before.parts()).after(after.parts(), rows);
        assert_eq!(changed.blocks, GroundBlocks::new(after.parts()).blocks);
        assert_ne!(changed.blocks, GroundBlocks::new(before.parts()).blocks);
    }
}
