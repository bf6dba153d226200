//! Provides [`GridPair`]: two grids with their spans matched, and [`AgentPair`]: one agent of both.

use surefoot::grid::{AgentLayer, AreaId, NodeId, Standing};
use surefoot::{AgentId, NavGrid, SpanId, Verdict};

use super::span_matching::SpanMatching;

/// Two grids with cells of one size, and what corresponds to what.
pub(super) struct GridPair<'a> {
    pub old: &'a NavGrid,
    pub new: &'a NavGrid,
    pub matching: SpanMatching,
    /// For each area of the old grid the one of that name in the new grid.
    areas: Vec<Option<AreaId>>,
    /// For each node of the old grid the one of that name in the new grid.
    nodes: Vec<Option<NodeId>>,
}

impl<'a> GridPair<'a> {
    /// Matches spans, areas and nodes. O(spans + cells + names · log names).
    pub fn new(old: &'a NavGrid, new: &'a NavGrid) -> Self {
        let area = |name: &String| new.areas().iter().position(|area| area.name == *name);
        let areas = old.areas().iter().map(|own| Some(AreaId(area(&own.name)? as u8)));
        let mut names: Vec<(&str, u32)> = new.nodes().iter().map(String::as_str).zip(0..).collect();
        names.sort_unstable();
        let node = |name: &String| {
            let at = names.partition_point(|&(other, _)| other < name.as_str());
            names.get(at).filter(|(other, _)| other == name).map(|&(_, node)| NodeId(node))
        };
        GridPair {
            old,
            new,
            matching: SpanMatching::new(old, new),
            areas: areas.collect(),
            nodes: old.nodes().iter().map(node).collect(),
        }
    }

    /// The area of the new grid that has the name of one of the old grid.
    pub fn new_area(&self, old: AreaId) -> Option<AreaId> {
        self.areas.get(usize::from(old.0)).copied().flatten()
    }

    /// Whether a node of the old grid has the name of one of the new grid.
    pub fn is_same_node(&self, old: NodeId, new: NodeId) -> bool {
        match self.nodes.get(old.0 as usize) {
            Some(node) => *node == Some(new),
            None => old == new,
        }
    }

    /// The area of a cell [m²].
    pub fn cell_area(&self) -> f64 {
        f64::from(self.old.frame().cell_size).powi(2)
    }

    /// The area of the cells of some spans [m²].
    pub fn area_of(&self, spans: usize) -> f64 {
        spans as f64 * self.cell_area()
    }
}

/// One agent of two grids.
#[derive(Clone, Copy)]
pub(super) struct AgentPair<'a> {
    pub grids: &'a GridPair<'a>,
    /// Its id in the old grid and in the new one.
    pub ids: [AgentId; 2],
}

impl<'a> AgentPair<'a> {
    pub fn old_layer(&self) -> &'a AgentLayer {
        &self.grids.old.layers()[self.ids[0].index()]
    }

    pub fn new_layer(&self) -> &'a AgentLayer {
        &self.grids.new.layers()[self.ids[1].index()]
    }

    #[inline]
    pub fn old_standing(&self, span: SpanId) -> &'a Standing {
        &self.old_layer().standings[span.index()]
    }

    #[inline]
    pub fn new_standing(&self, span: SpanId) -> &'a Standing {
        &self.new_layer().standings[span.index()]
    }

    /// What a span of the old grid is in the new one, and why; `None` if its floor is gone.
    pub fn verdict_in_new(&self, old: SpanId) -> Option<Verdict> {
        self.grids.matching.new_of(old).map(|new| self.new_standing(new).verdict())
    }

    /// What a span of the new grid was in the old one, and why; `None` if its floor is new.
    pub fn verdict_in_old(&self, new: SpanId) -> Option<Verdict> {
        self.grids.matching.old_of(new).map(|old| self.old_standing(old).verdict())
    }

    /// How far a span of both grids is from where the agent cannot stand, in the grid where it is less [m].
    pub fn clearance(&self, [old, new]: [SpanId; 2]) -> f32 {
        let before = self.grids.old.clearance(self.ids[0], old);
        let after = self.grids.new.clearance(self.ids[1], new);
        before.unwrap_or_default().min(after.unwrap_or_default())
    }

    /// The spans where the agent can stand in both grids: of the old one and of the new one, in the
    /// order of the new grid.
    pub fn shared_ground(&self) -> impl Iterator<Item = [SpanId; 2]> {
        let spans = (0..self.grids.new.spans().len() as u32).map(SpanId);
        let pair = |new: SpanId| Some([self.grids.matching.old_of(new)?, new]);
        spans.filter_map(pair).filter(|[old, new]| {
            self.new_standing(*new).is_walkable() && self.old_standing(*old).is_walkable()
        })
    }
}
