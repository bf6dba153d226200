//! Finds the gates of a tile: where paths cross its border.

use std::collections::{BTreeMap, BTreeSet};

use crate::grid::{AgentId, Cell, Dir, GridFrame, NavGrid, SpanId};

/// A connection from a cell at the border of a tile to a cell of another tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// The tile's own cell.
    pub cell: Cell,
    /// Which of the spans over it.
    pub layer: u32,
    /// Where it leads.
    pub dir: Dir,
    /// Which of the spans over the other cell.
    pub to_layer: u32,
    /// Height of the tile's own span [m].
    pub height: f32,
    /// What the step to the other cell costs [metres-equivalent].
    pub crossing: f32,
}

/// A connection across a border, in the tile's grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Crossing {
    pub from: SpanId,
    pub dir: Dir,
    pub to: SpanId,
}

impl Gate {
    /// What the gate is called from the other side.
    pub(super) fn name(&self) -> (Cell, u32, Dir) {
        (self.cell, self.layer, self.dir)
    }

    /// What the gate on the other side is called.
    pub(super) fn partner(&self) -> (Cell, u32, Dir) {
        (self.cell.neighbor(self.dir), self.to_layer, self.dir.opposite())
    }
}

/// Returns the crossings that are gates, in a fixed order. Connections side by side, whose ends are
/// joined along the border, are one opening: it has a gate in the middle of each stretch of `spacing` cells
/// that it shares with a fixed raster. Both tiles see the same openings, so they choose the same gates. With a
/// spacing of 1 every connection is a gate, also those over corners.
pub(super) fn find_gates(
    tile: &NavGrid,
    own: &GridFrame,
    agent: AgentId,
    spacing: u32,
) -> Vec<Crossing> {
    let crossings = Crossings { tile, own, agent };
    if spacing <= 1 {
        return Dir::ALL.iter().flat_map(|&dir| crossings.towards(dir)).collect();
    }
    let openings = Dir::STRAIGHT.iter().flat_map(|&dir| crossings.openings(dir));
    openings.flat_map(|opening| crossings.middles(&opening, spacing)).collect()
}

/// The connections from the cells of a tile to those around it.
struct Crossings<'a> {
    tile: &'a NavGrid,
    own: &'a GridFrame,
    agent: AgentId,
}

impl Crossings<'_> {
    /// Returns the connections that leave the tile in a direction, along the border.
    fn towards(&self, dir: Dir) -> Vec<Crossing> {
        let own = self.own;
        let cells = (0..own.cells()).map(|at| own.cell(at));
        let outward = cells.filter(|cell| own.index(cell.neighbor(dir)).is_none());
        let crossing = |from: u32| {
            let from = SpanId(from);
            let to = self.tile.neighbor(self.agent, from, dir)?;
            Some(Crossing { from, dir, to })
        };
        outward.flat_map(|cell| self.tile.column_spans(cell)).filter_map(crossing).collect()
    }

    /// Returns the connections in a straight direction, opening by opening.
    fn openings(&self, dir: Dir) -> Vec<Vec<Crossing>> {
        let all = self.towards(dir);
        // Along the border, towards greater x or z.
        let along = if dir.offset().x == 0 { Dir::STRAIGHT[0] } else { Dir::STRAIGHT[1] };
        let by_span: BTreeMap<SpanId, Crossing> =
            all.iter().map(|crossing| (crossing.from, *crossing)).collect();
        let next = |crossing: &Crossing| {
            let from = self.tile.neighbor(self.agent, crossing.from, along)?;
            let to = self.tile.neighbor(self.agent, crossing.to, along)?;
            by_span.get(&from).copied().filter(|next| next.to == to)
        };
        let followers: BTreeSet<SpanId> =
            all.iter().filter_map(next).map(|next| next.from).collect();
        let is_first = |crossing: &&Crossing| !followers.contains(&crossing.from);
        let opening = |first: &Crossing| std::iter::successors(Some(*first), next).collect();
        all.iter().filter(is_first).map(opening).collect()
    }

    /// Returns the middle of each stretch of an opening.
    fn middles(&self, opening: &[Crossing], spacing: u32) -> Vec<Crossing> {
        let stretch = |crossing: &Crossing| {
            let cell = self.tile.cell_of(crossing.from).unwrap_or_default();
            let along = if crossing.dir.offset().x == 0 { cell.x } else { cell.z };
            i64::from(along).div_euclid(spacing.into())
        };
        let stretches = opening.chunk_by(|a, b| stretch(a) == stretch(b));
        stretches.map(|stretch| stretch[stretch.len() / 2]).collect()
    }
}
