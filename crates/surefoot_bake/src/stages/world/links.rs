//! The author's links of a world: their ends are moved to ground of the tiles around them.

use surefoot::Agent;
use surefoot::grid::{AgentId, CellLayer, GridFrame, GridParts, SpanId};
use surefoot::world::WorldLink;

use crate::scene::LinkMarker;
use crate::stages::snap_links::{
    LaneEnd, LinkEndGround, LinkProblem, SnapRules, SnappedLink, lane_ends,
};

/// A link of a world on its ground, and the agents that cannot take it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldLinkFound {
    /// The link.
    pub link: WorldLink,
    /// Who cannot take it, and why.
    pub problems: Vec<LinkProblem>,
}

/// Moves the ends of the author's links to the ground of a world, end by end.
#[derive(Clone, Copy, Debug)]
pub struct WorldLinkRules<'a> {
    /// The agents of the world, in the order of their layers.
    pub agents: &'a [Agent],
    /// Side of a cell [m].
    pub cell_size: f32,
}

impl WorldLinkRules<'_> {
    /// Returns the cells that the ends of a link depend on: those around its start, and those around its end.
    /// `None` if they lie too far away to have numbers.
    pub fn cells_around_ends(&self, marker: &LinkMarker) -> Option<[GridFrame; 2]> {
        let agents: Vec<&Agent> = self.agents.iter().collect();
        let reach = SnapRules { agents: &agents, cell_size: self.cell_size }.reach();
        let ends = lane_ends(marker, self.cell_size);
        let around = |end: usize| {
            let along = |axis: usize| ends.iter().map(move |ends| ends[end][axis]);
            let least = |axis: usize| along(axis).fold(f32::INFINITY, f32::min) - reach;
            let most = |axis: usize| along(axis).fold(f32::NEG_INFINITY, f32::max) + reach;
            let (min, max) = ([least(0), least(2)], [most(0), most(2)]);
            // Rounding may move a rectangle by a cell.
            GridFrame::covering(self.cell_size, min, max).map(|cells| cells.grown(1))
        };
        Some([around(0)?, around(1)?])
    }

    /// Moves the ends of a link to ground, given that around its start and around its end: of the cells that
    /// it depends on, those that the world has. The result is that of a grid of the whole world.
    pub fn find(&self, marker: &LinkMarker, ground: [&GridParts; 2]) -> WorldLinkFound {
        let agents: Vec<&Agent> = self.agents.iter().collect();
        let rules = SnapRules { agents: &agents, cell_size: self.cell_size };
        let SnappedLink { link, lanes, problems } = rules.snap(&Ends(ground), marker);
        WorldLinkFound { link: WorldLink { link, lanes }, problems }
    }
}

/// The ground around the start of a link, and around its end.
struct Ends<'a>([&'a GridParts; 2]);

impl LinkEndGround<CellLayer> for Ends<'_> {
    fn nearest(&self, agent: AgentId, end: LaneEnd) -> Option<CellLayer> {
        let parts = self.0[end.side];
        let span: SpanId = parts.nearest(agent, end)?;
        let column = parts.first.partition_point(|&first| first <= span.0) - 1;
        let layer = span.0 - parts.first[column];
        Some(CellLayer { cell: parts.frame.cell(column), layer })
    }
}
