//! Grids without a scene: from rows of heights.
//!
//! Input: heights in metres, one for each cell. Output: a [`NavGrid`] with at most one span in a column,
//! under open sky. Slopes follow from the neighboring heights. There is no geometry to collide with, so
//! only slope limit and max climb decide where an agent walks, and no ledge margin is kept.

use nalgebra::Vector3;

use super::connections::{ConnectionWriter, SpanLayer};
use super::finish::finish_layer;
use super::frame::{Dir, GridFrame};
use super::nav_grid::NavGrid;
use super::parts::{AgentLayer, GridError, GridParts, Provenance, fail};
use super::span::Span;
use super::span_table::{Measures, Rooms};
use super::standing::{Standing, Verdict};
use super::validate::check_frame;
use crate::agent::Agent;
use crate::level::{Area, SpanId};
use crate::portable;

impl NavGrid {
    /// A grid from heights [m], row-major, rows along x; NaN for no floor.
    ///
    /// The floor's slope is the central difference of the neighboring heights, or the flatter
    /// one-sided difference if the two differ as much as at a cliff. Neighbors are joined if the
    /// straight rise between them is within max climb or slope limit. The ledge margin is not applied:
    /// agents walk up to the edge of the data.
    ///
    /// # Errors
    /// An infinite height, a number of heights that is not the number of cells, more cells than 32 bits
    /// can number, a bad frame, or an agent that fails its check.
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
        let heights_fail = |problem: String| fail("heights", problem);
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
                let normal = HeightField { frame: &frame, values: heights }.normal(index);
                parts.spans.push(Span::new(height, f32::INFINITY, normal));
            }
            parts.first.push(parts.spans.len() as u32);
        }
        add_layers(&mut parts, agents)?;
        NavGrid::new(parts)
    }
}

/// Parts of a grid without columns and spans.
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

/// Appends the layers of some agents over columns of at most one span.
pub(super) fn add_layers(parts: &mut GridParts, agents: &[Agent]) -> Result<(), GridError> {
    for agent in agents {
        let standings =
            parts.spans.iter().map(|span| standing(agent, span, &parts.areas)).collect();
        let mut layer = AgentLayer {
            agent: agent.clone(),
            standings,
            far_connections: Vec::new(),
            regions: Vec::new(),
            rooms: Rooms::default(),
            measures: Measures::default(),
            order: None,
        };
        join_neighbors(parts, &mut layer);
        finish_layer(&parts.frame, &parts.first, &[], &mut layer)?;
        parts.layers.push(layer);
    }
    Ok(())
}

/// Stored normals are rounded, so that the cosine of a slope may be off by this.
const NORMAL_TOLERANCE: f32 = 1e-4;

fn standing(agent: &Agent, span: &Span, areas: &[Area]) -> Standing {
    let verdict = if areas[usize::from(span.area().0)].forbidden {
        Verdict::Forbidden
    } else if span.normal().y < portable::cos(agent.slope_limit) - NORMAL_TOLERANCE {
        Verdict::TooSteep
    } else if span.headroom() < agent.height {
        Verdict::LowCeiling
    } else {
        return Standing::WALKABLE;
    };
    Standing::new(verdict)
}

/// A rise may exceed its limit by this: heights and their differences are rounded [m].
const RISE_TOLERANCE: f32 = 1e-4;

/// Whether a rise over a distance [m] is within the slope limit or the max climb. Heights are those of
/// one continuous surface, without a riser between the cells.
fn rise_joins(agent: &Agent, rise: f32, distance: f32) -> bool {
    rise.abs() <= agent.max_climb.max(portable::tan(agent.slope_limit) * distance) + RISE_TOLERANCE
}

/// Writes the connections of a layer whose verdicts are final. Straight ones come first, because
/// diagonals depend on them.
fn join_neighbors(parts: &GridParts, layer: &mut AgentLayer) {
    let mut writer = ConnectionWriter::default();
    for dirs in [Dir::STRAIGHT, Dir::DIAGONAL] {
        for index in 0..parts.frame.cells() {
            if parts.first[index] == parts.first[index + 1] {
                continue;
            }
            let from = parts.first[index];
            for dir in dirs {
                if let Some(to) = neighbor_of(parts, layer, index, dir) {
                    let ends = [from, to].map(|id| SpanLayer { span: SpanId(id), layer: 0 });
                    writer.write(&mut layer.standings[from as usize], dir, ends);
                }
            }
        }
    }
}

/// The span that is joined to the one in the column at a row-major position, in a direction.
fn neighbor_of(parts: &GridParts, layer: &AgentLayer, index: usize, dir: Dir) -> Option<u32> {
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

/// One-sided slopes that differ by more than this are a cliff and not a curve [m per m].
const CLIFF_SLOPE_CHANGE: f32 = 1.5;

struct HeightField<'a> {
    frame: &'a GridFrame,
    values: &'a [f32],
}

impl HeightField<'_> {
    /// Unit normal of the floor at a cell that has one.
    fn normal(&self, index: usize) -> Vector3<f32> {
        let [east, south, west, north] = Dir::STRAIGHT.map(|dir| self.rise(index, dir));
        Vector3::new(-slope(west, east), 1.0, -slope(north, south)).normalize()
    }

    /// Rise per metre towards a neighbor; `None` if it has no floor.
    fn rise(&self, index: usize, dir: Dir) -> Option<f32> {
        let neighbor = self.frame.index(self.frame.cell(index).neighbor(dir))?;
        let rise = (self.values[neighbor] - self.values[index]) / self.frame.cell_size;
        rise.is_finite().then_some(rise)
    }
}

/// Slope along an axis, from the rises per metre towards its low and its high side.
fn slope(low: Option<f32>, high: Option<f32>) -> f32 {
    match (low.map(|rise| -rise), high) {
        (Some(before), Some(after)) if (before - after).abs() <= CLIFF_SLOPE_CHANGE => {
            (before + after) / 2.0
        }
        (Some(before), Some(after)) if before.abs() < after.abs() => before,
        (_, Some(after)) => after,
        (Some(before), None) => before,
        (None, None) => 0.0,
    }
}
