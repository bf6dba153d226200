//! Finds the gates of a tile: where paths cross its border.

use std::collections::{BTreeMap, BTreeSet};

use crate::grid::{AgentId, CellLayer, Dir, GridTile, SpanId};

/// Where paths get from a tile to another: a connection from a cell at its border to a cell of the next
/// tile, or an end of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// The tile's own span.
    pub at: CellLayer,
    /// The span on the other side.
    pub to: CellLayer,
    /// Height of the tile's own span [m].
    pub height: f32,
    /// What it costs to get to the other side [metres-equivalent]; infinite where a link leads only here.
    pub crossing: f32,
    /// Whether it is a link that leads there, not a connection.
    pub is_link: bool,
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
    pub(super) fn name(&self) -> [CellLayer; 2] {
        [self.at, self.to]
    }

    /// What the gate on the other side is called.
    pub(super) fn partner(&self) -> [CellLayer; 2] {
        [self.to, self.at]
    }
}

/// Returns the crossings that are gates, in a fixed order. Connections side by side, whose ends are
/// joined along the border, are one opening: it has a gate in the middle of each stretch of `spacing` cells
/// that it shares with a fixed raster. Both tiles see the same openings, so they choose the same gates. With a
/// spacing of 1 every connection is a gate, also those over corners.
pub(super) fn find_gates(tile: &GridTile, agent: AgentId, spacing: u32) -> Vec<Crossing> {
    let crossings = Crossings { tile, agent };
    if spacing <= 1 {
        return Dir::ALL.iter().flat_map(|&dir| crossings.towards(dir)).collect();
    }
    let openings = Dir::STRAIGHT.iter().flat_map(|&dir| crossings.openings(dir));
    openings.flat_map(|opening| crossings.middles(&opening, spacing)).collect()
}

/// The connections from the cells of a tile to those around it.
struct Crossings<'a> {
    tile: &'a GridTile<'a>,
    agent: AgentId,
}

impl Crossings<'_> {
    /// Returns the connections that leave the tile in a direction, along the border.
    fn towards(&self, dir: Dir) -> Vec<Crossing> {
        let GridTile { own, grid } = self.tile;
        let cells = (0..own.cells()).map(|at| own.cell(at));
        let outward = cells.filter(|cell| own.index(cell.neighbor(dir)).is_none());
        let crossing = |from: u32| {
            let from = SpanId(from);
            let to = grid.neighbor(self.agent, from, dir)?;
            Some(Crossing { from, dir, to })
        };
        outward.flat_map(|cell| grid.column_spans(cell)).filter_map(crossing).collect()
    }

    /// Returns the connections in a straight direction, opening by opening.
    fn openings(&self, dir: Dir) -> Vec<Vec<Crossing>> {
        let all = self.towards(dir);
        // Along the border, towards greater x or z.
        let along = if dir.offset().x == 0 { Dir::STRAIGHT[0] } else { Dir::STRAIGHT[1] };
        let by_span: BTreeMap<SpanId, Crossing> =
            all.iter().map(|crossing| (crossing.from, *crossing)).collect();
        let next = |crossing: &Crossing| {
            let from = self.tile.grid.neighbor(self.agent, crossing.from, along)?;
            let to = self.tile.grid.neighbor(self.agent, crossing.to, along)?;
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
            let cell = self.tile.grid.cell_of(crossing.from).unwrap_or_default();
            let along = if crossing.dir.offset().x == 0 { cell.x } else { cell.z };
            i64::from(along).div_euclid(spacing.into())
        };
        let stretches = opening.chunk_by(|a, b| stretch(a) == stretch(b));
        stretches.map(|stretch| stretch[stretch.len() / 2]).collect()
    }
}
