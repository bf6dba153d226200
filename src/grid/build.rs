//! Grids without a scene: from rows of heights.
//!
//! In come heights in metres, one a cell; out comes a [`NavGrid`] with one layer of spans under
//! open sky. Slopes come from the neighboring heights. There are no bodies to touch, so only slope
//! and step rules decide where an agent walks, and no ledge margin is kept.

use nalgebra::Vector3;

use super::connections::{ConnectionWriter, SpanLayer};
use super::finish::finish_layer;
use super::validate::check_frame;
use super::{
    AgentLayer, Area, Dir, GridError, GridFrame, GridParts, NavGrid, Provenance, Span, SpanId,
    Standing, Verdict,
};
use crate::agent::Agent;

impl NavGrid {
    /// A grid over rows of heights [m], row-major, rows along x; NaN where there is no floor.
    ///
    /// The floor's slope is the central difference of the neighboring heights, or the flatter
    /// one-sided difference where the two differ as at a cliff. Neighbors are joined where the
    /// straight rise between them is within max climb or slope limit. The ledge margin is not applied:
    /// agents walk up to the edge of the data.
    ///
    /// # Errors
    /// A height that is infinite, a number of heights other than the frame has cells, or an agent
    /// that fails its check.
    ///
    /// ```
    /// use surefoot::{Agent, Cell, GridFrame, NavGrid};
    /// let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: 3, size_z: 1 };
    /// let grid = NavGrid::from_heights(frame, &[0.0, 0.2, f32::NAN], &[Agent::new("human")])?;
    /// assert_eq!(grid.spans().len(), 2);
    /// assert_eq!(grid.layers()[0].regions.len(), 1);
    /// # Ok::<(), surefoot::grid::GridError>(())
    /// ```
    pub fn from_heights(
        frame: GridFrame,
        heights: &[f32],
        agents: &[Agent],
    ) -> Result<Self, GridError> {
        check_frame(&frame)?;
        let cells = u64::from(frame.size_x) * u64::from(frame.size_z);
        let heights_fail = |problem| Err(GridError { place: "heights".to_owned(), problem });
        if cells != heights.len() as u64 {
            return heights_fail(format!("{} of them for {cells} cells", heights.len()));
        }
        if heights.len() > u32::MAX as usize {
            return heights_fail(format!("{cells} cells are more than 32 bits can number"));
        }
        if let Some(at) = heights.iter().position(|height| height.is_infinite()) {
            return heights_fail(format!("number {at} is infinite; NaN means no floor"));
        }
        let mut parts = bare_parts(frame);
        for (index, &height) in heights.iter().enumerate() {
            if !height.is_nan() {
                let normal = Heights { frame: &frame, values: heights }.normal(index);
                parts.spans.push(Span::new(height, f32::INFINITY, normal));
            }
            parts.first.push(parts.spans.len() as u32);
        }
        add_layers(&mut parts, agents)?;
        NavGrid::new(parts)
    }
}

/// Parts of a grid with nothing on it yet.
pub(crate) fn bare_parts(frame: GridFrame) -> GridParts {
    GridParts {
        frame,
        first: vec![0],
        spans: Vec::new(),
        layers: Vec::new(),
        links: Vec::new(),
        areas: vec![Area::walkable()],
        nodes: Vec::new(),
        provenance: Provenance::default(),
    }
}

/// Decides verdicts and steps of each agent over columns of at most one span.
pub(super) fn add_layers(parts: &mut GridParts, agents: &[Agent]) -> Result<(), GridError> {
    for agent in agents {
        let standings = parts.spans.iter().map(|span| stand(agent, span, &parts.areas)).collect();
        let mut layer = AgentLayer {
            agent: agent.clone(),
            standings,
            far_connections: Vec::new(),
            regions: Vec::new(),
            order: None,
        };
        join_neighbors(parts, &mut layer);
        finish_layer(&parts.frame, &parts.first, &[], &mut layer)?;
        parts.layers.push(layer);
    }
    Ok(())
}

/// Rounding of stored normals, in cosines.
const COSINE_ROUNDING: f32 = 1e-4;

fn stand(agent: &Agent, span: &Span, areas: &[Area]) -> Standing {
    let verdict = if areas[usize::from(span.area().0)].forbidden {
        Verdict::Forbidden
    } else if span.normal().y < agent.slope_limit.cos() - COSINE_ROUNDING {
        Verdict::TooSteep
    } else if span.headroom() < agent.height {
        Verdict::LowCeiling
    } else {
        return Standing::WALKABLE;
    };
    Standing::new(verdict)
}

/// Height differences below this are rounding [m].
const ROUNDING: f32 = 1e-4;

/// Whether the straight rise between two floors, a distance apart [m], is within the slope limit
/// or the climb. Heights are taken for one continuous ground: there is no step between the cells.
fn rise_joins(agent: &Agent, rise: f32, distance: f32) -> bool {
    rise.abs() <= agent.max_climb.max(agent.slope_limit.tan() * distance) + ROUNDING
}

/// Writes the steps of a layer whose verdicts stand: first all straight ones, for the diagonals
/// lean on them.
fn join_neighbors(parts: &GridParts, layer: &mut AgentLayer) {
    let mut writer = ConnectionWriter::default();
    for dirs in [Dir::STRAIGHT, Dir::DIAGONAL] {
        for index in 0..parts.frame.cells() {
            if parts.first[index] == parts.first[index + 1] {
                continue;
            }
            let from = parts.first[index];
            for dir in dirs {
                if let Some(to) = joined(parts, layer, (index, dir)) {
                    let ends = [from, to].map(|id| SpanLayer { span: SpanId(id), layer: 0 });
                    writer.write(&mut layer.standings[from as usize], dir, ends);
                }
            }
        }
    }
}

/// The span that a step from the column at `index` leads to.
fn joined(parts: &GridParts, layer: &AgentLayer, step: (usize, Dir)) -> Option<u32> {
    let (index, dir) = step;
    let cell = parts.frame.cell(index);
    let span_at = |cell| {
        let index = parts.frame.index(cell)?;
        (parts.first[index] < parts.first[index + 1]).then_some(parts.first[index])
    };
    let (from, to) = (parts.first[index], span_at(cell.neighbor(dir))?);
    let standing = |span: u32| layer.standings[span as usize];
    let distance = dir.length() * parts.frame.cell_size;
    let [low, high] = [from, to].map(|span| parts.spans[span as usize].floor);
    let joins = standing(from).is_walkable()
        && standing(to).is_walkable()
        && rise_joins(&layer.agent, high - low, distance);
    let rounds_corner = |by: Dir, then: Dir| {
        let mid = span_at(cell.neighbor(by))?;
        (standing(from).has_connection(by) && standing(mid).has_connection(then)).then_some(())
    };
    let (left, right) = (dir.turned(7), dir.turned(1));
    let open = !dir.is_diagonal()
        || rounds_corner(left, right).is_some() && rounds_corner(right, left).is_some();
    (joins && open).then_some(to)
}

/// One-sided slopes that differ by more than this are a cliff, not a curve [m per m].
const CLIFF: f32 = 1.5;

struct Heights<'a> {
    frame: &'a GridFrame,
    values: &'a [f32],
}

impl Heights<'_> {
    /// Unit normal of the floor at a cell that has one.
    fn normal(&self, index: usize) -> Vector3<f32> {
        let [east, south, west, north] = Dir::STRAIGHT.map(|dir| self.rise(index, dir));
        Vector3::new(-slope(west, east), 1.0, -slope(north, south)).normalize()
    }

    /// Rise per metre towards a neighbor; `None` where it has no floor.
    fn rise(&self, index: usize, dir: Dir) -> Option<f32> {
        let neighbor = self.frame.index(self.frame.cell(index).neighbor(dir))?;
        let rise = (self.values[neighbor] - self.values[index]) / self.frame.cell_size;
        rise.is_finite().then_some(rise)
    }
}

/// Slope along an axis from the rises towards its low and its high side.
fn slope(low: Option<f32>, high: Option<f32>) -> f32 {
    match (low.map(|rise| -rise), high) {
        (Some(before), Some(after)) if (before - after).abs() <= CLIFF => (before + after) / 2.0,
        (Some(before), Some(after)) if before.abs() < after.abs() => before,
        (_, Some(after)) => after,
        (Some(before), None) => before,
        (None, None) => 0.0,
    }
}
