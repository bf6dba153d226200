//! A grid in numbers: what it covers, and what each agent can do on it.
//!
//! Counted in one pass for reports, tests and tools. The names of the fields are those of the
//! commands' JSON.

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

use super::{AgentLayer, NavGrid, Verdict};

/// What a grid holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridSummary {
    /// The frame's least corner in x and z, at the height of the lowest floor [m]; at height 0
    /// where there is no floor.
    pub origin: Point3<f32>,
    /// Number of cells that have at least one span.
    pub columns: usize,
    /// Number of spans.
    pub spans: usize,
    /// The most spans over one cell.
    pub max_layers: usize,
    /// What each agent can do; indexed by [`AgentId`](super::AgentId).
    pub agents: Vec<AgentSummary>,
}

/// What one agent can do on a grid. Areas are those seen from above.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentSummary {
    /// Number of spans where it can stand.
    pub walkable_spans: usize,
    /// The area of their cells [m²].
    pub walkable_area_m2: f64,
    /// Number of regions.
    pub regions: usize,
    /// The area of the largest region's cells [m²]; 0 where there is none.
    pub largest_region_m2: f64,
    /// Why it cannot stand on the other spans.
    pub verdicts: VerdictCounts,
}

/// Number of spans for each reason not to stand there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictCounts {
    /// [`Verdict::TooSteep`]
    pub too_steep: usize,
    /// [`Verdict::LowCeiling`]
    pub low_ceiling: usize,
    /// [`Verdict::Obstacle`]
    pub obstacle: usize,
    /// [`Verdict::Ledge`]
    pub ledge: usize,
    /// [`Verdict::Forbidden`]
    pub forbidden: usize,
    /// [`Verdict::InsideSolid`]
    pub inside_solid: usize,
    /// [`Verdict::SmallRegion`]
    #[serde(default)]
    pub small_region: usize,
}

impl NavGrid {
    /// Counts what the grid holds. O(cells + spans · agents).
    ///
    /// ```
    /// use surefoot::{Agent, NavGrid};
    /// let pin = Agent { radius: 0.1, height: 0.5, max_climb: 0.1, ..Agent::new("pin") };
    /// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 3\nmap\n.@.\n", 1.0, &[pin])?;
    /// let pin = &grid.summary().agents[0];
    /// assert_eq!((pin.walkable_spans, pin.regions, pin.largest_region_m2), (2, 2, 1.0));
    /// # Ok::<(), surefoot::grid::MapError>(())
    /// ```
    pub fn summary(&self) -> GridSummary {
        let layers = self.parts().first.windows(2).map(|column| (column[1] - column[0]) as usize);
        let lowest = self.spans().iter().map(|span| span.floor).reduce(f32::min);
        let ([x, z], _) = self.frame().bounds();
        let cell_area = f64::from(self.frame().cell_size).powi(2);
        GridSummary {
            origin: Point3::new(x, lowest.unwrap_or(0.0), z),
            columns: layers.clone().filter(|&count| count > 0).count(),
            spans: self.spans().len(),
            max_layers: layers.max().unwrap_or(0),
            agents: self.layers().iter().map(|layer| of_agent(layer, cell_area)).collect(),
        }
    }
}

fn of_agent(layer: &AgentLayer, cell_area: f64) -> AgentSummary {
    let (mut walkable_spans, mut verdicts) = (0, VerdictCounts::default());
    for standing in &layer.standings {
        match standing.verdict() {
            Verdict::Walkable => walkable_spans += 1,
            Verdict::TooSteep => verdicts.too_steep += 1,
            Verdict::LowCeiling => verdicts.low_ceiling += 1,
            Verdict::Obstacle(_) => verdicts.obstacle += 1,
            Verdict::Ledge => verdicts.ledge += 1,
            Verdict::Forbidden => verdicts.forbidden += 1,
            Verdict::InsideSolid => verdicts.inside_solid += 1,
            Verdict::SmallRegion => verdicts.small_region += 1,
        }
    }
    let largest = layer.regions.first().map_or(0, |region| region.spans);
    AgentSummary {
        walkable_spans,
        walkable_area_m2: walkable_spans as f64 * cell_area,
        regions: layer.regions.len(),
        largest_region_m2: f64::from(largest) * cell_area,
        verdicts,
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::{Cell, GridFrame, NavGrid};
    use crate::{Agent, Verdict};

    fn pin() -> Agent {
        Agent { radius: 0.1, height: 0.5, max_climb: 0.3, ..Agent::new("pin") }
    }

    #[test]
    fn counts_every_span_once() {
        let frame = GridFrame { cell_size: 0.5, min: Cell::new(-2, 4), size_x: 4, size_z: 2 };
        let hole = f32::NAN;
        let heights = [1.0, 1.0, hole, 9.0, -3.0, 1.0, hole, 9.0];
        let grid = NavGrid::from_heights(frame, &heights, &[pin()]).unwrap();
        let summary = grid.summary();
        assert_eq!((summary.columns, summary.spans, summary.max_layers), (6, 6, 1));
        assert_eq!(summary.origin, [-1.0, -3.0, 2.0].into());
        let agent = &summary.agents[0];
        let verdicts = agent.verdicts;
        let refused = verdicts.too_steep
            + verdicts.low_ceiling
            + verdicts.obstacle
            + verdicts.ledge
            + verdicts.forbidden
            + verdicts.inside_solid
            + verdicts.small_region;
        assert_eq!(agent.walkable_spans + refused, 6);
        let layer = &grid.layers()[0];
        let ledges = layer.standings.iter().filter(|s| s.verdict() == Verdict::Ledge).count();
        assert_eq!(verdicts.ledge, ledges);
        assert_eq!(agent.walkable_area_m2, agent.walkable_spans as f64 * 0.25);
        assert_eq!(agent.regions, layer.regions.len());
    }

    #[test]
    fn a_grid_without_floors_has_nothing() {
        let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 1, size_z: 1 };
        let grid = NavGrid::from_heights(frame, &[f32::NAN], &[pin()]).unwrap();
        let summary = grid.summary();
        assert_eq!((summary.columns, summary.max_layers), (0, 0));
        assert_eq!(summary.origin, [0.0, 0.0, 0.0].into());
        assert_eq!(summary.agents[0].largest_region_m2, 0.0);
    }
}
