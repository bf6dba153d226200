//! Lookups by position: the column, the span and the nearest walkable span at a point.

use std::ops::Range;

use nalgebra::Point3;

use super::frame::{Cell, GridFrame};
use super::nav_grid::NavGrid;
use super::parts::GridParts;
use super::span::{AgentId, Span};
use crate::level::SpanId;
use crate::portable;

/// A point at most this far below a floor is on it, even if the span below reaches up to the floor's
/// underside: bodies sink in a little, and thin floors have no thickness [m].
const SINK_TOLERANCE: f32 = 0.05;

/// How far from a point to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within {
    /// Horizontally [m].
    pub radius: f32,
    /// Up or down [m].
    pub height: f32,
}

impl NavGrid {
    /// The cell under a point; `None` outside the frame. O(1).
    pub fn column_at(&self, point: impl Into<Point3<f32>>) -> Option<Cell> {
        let point = point.into();
        let cell = self.frame().cell_at(point.x, point.z);
        let finite = point.x.is_finite() && point.z.is_finite();
        (finite && self.frame().index(cell).is_some()).then_some(cell)
    }

    /// The span that a point belongs to; `None` if its floor is more than `tolerance` [m, >= 0] above or
    /// below the point, or if there is no floor. O(spans of the column).
    ///
    /// A point between a floor and its ceiling belongs to that floor, however near the next floor above
    /// is; only the last 5 cm below the next floor count as being on it. A point in the solid between a
    /// ceiling and the next floor, or below the lowest floor, belongs to the nearest floor. The height of
    /// a floor is taken at the point, not at the cell's center.
    pub fn span_at(&self, point: impl Into<Point3<f32>>, tolerance: f32) -> Option<SpanId> {
        let point = point.into();
        let cell = self.column_at(point)?;
        let range = self.column_spans(cell);
        let [x, z] = self.frame().center(cell);
        let floor = |id: u32| plane(&self.spans()[id as usize], [point.x - x, point.z - z]);
        let above = range.clone().find(|&id| floor(id) > point.y + SINK_TOLERANCE);
        let below = (range.start..above.unwrap_or(range.end)).last();
        let inside = |id: &u32| point.y <= self.spans()[*id as usize].ceiling;
        let distance = |id: u32| (point.y - floor(id)).abs();
        let nearest = match (below, above) {
            (Some(below), Some(_)) if inside(&below) => below,
            (Some(below), Some(above)) if distance(above) < distance(below) => above,
            (Some(below), _) => below,
            (None, above) => above?,
        };
        (distance(nearest) <= tolerance).then_some(SpanId(nearest))
    }

    /// The nearest point on a walkable span, and that span, within a horizontal distance [m, >= 0];
    /// `None` if there is no such span. O(cells within the distance found).
    ///
    /// Nearest in space: the vertical distance counts as much as the horizontal one, but does not limit
    /// the search. Ties go to the lowest id. The point lies within the span's cell, at the height of its
    /// floor.
    pub fn nearest_walkable(
        &self,
        agent: AgentId,
        point: impl Into<Point3<f32>>,
        radius: f32,
    ) -> Option<(SpanId, Point3<f32>)> {
        self.parts().nearest_walkable(agent, point.into(), radius)
    }

    /// As [`NavGrid::nearest_walkable`], among the spans that are accepted.
    pub(crate) fn nearest_where(
        &self,
        point: Point3<f32>,
        within: Within,
        accepted: impl Fn(SpanId) -> bool,
    ) -> Option<(SpanId, Point3<f32>)> {
        self.parts().nearest_where(point, within, accepted)
    }
}

/// Bakers look up spans before the parts are validated: frame, columns and spans have to be sound, and
/// verdicts final.
impl GridParts {
    /// As [`NavGrid::nearest_walkable`].
    pub fn nearest_walkable(
        &self,
        agent: AgentId,
        point: Point3<f32>,
        radius: f32,
    ) -> Option<(SpanId, Point3<f32>)> {
        let layer = self.layers.get(agent.index())?;
        let walkable = |span: SpanId| layer.standings[span.index()].is_walkable();
        self.nearest_where(point, Within { radius, height: f32::INFINITY }, walkable)
    }

    fn nearest_where(
        &self,
        point: Point3<f32>,
        within: Within,
        accepted: impl Fn(SpanId) -> bool,
    ) -> Option<(SpanId, Point3<f32>)> {
        let Within { radius, height } = within;
        if !point.iter().all(|v| v.is_finite()) || radius.is_nan() || self.spans.is_empty() {
            return None;
        }
        let rings = CellRings::new(&self.frame, point);
        let mut best: Option<Candidate> = None;
        for ring in rings.nearest..=rings.farthest {
            let least = rings.least_distance(ring);
            if least as f32 > radius || best.is_some_and(|best| best.distance < least) {
                break;
            }
            rings.visit(ring, |cell| {
                let at = self.frame.nearest_in(cell, [point.x, point.z]);
                if portable::hypot(at[0] - point.x, at[1] - point.z) > radius {
                    return;
                }
                let [x, z] = self.frame.center(cell);
                for id in self.column(cell).filter(|&id| accepted(SpanId(id))) {
                    let y = plane(&self.spans[id as usize], [at[0] - x, at[1] - z]);
                    let candidate = Candidate::new(id, Point3::new(at[0], y, at[1]), point);
                    let level = (candidate.point.y - point.y).abs() <= height;
                    if level && best.is_none_or(|best| candidate.is_before(&best, point)) {
                        best = Some(candidate);
                    }
                }
            });
        }
        best.map(|best| (SpanId(best.id), best.point))
    }

    /// The ids of the spans over a cell; empty outside the frame.
    fn column(&self, cell: Cell) -> Range<u32> {
        self.frame.index(cell).map_or(0..0, |at| self.first[at]..self.first[at + 1])
    }
}

/// Height of a span's plane at an offset (x, z) from its cell's center [m].
#[inline]
pub fn plane(span: &Span, offset: [f32; 2]) -> f32 {
    span.floor + span.rise(offset)
}

/// A point on a span that may be the nearest.
#[derive(Clone, Copy)]
struct Candidate {
    id: u32,
    point: Point3<f32>,
    /// Distance from the point that was looked up [m].
    distance: f64,
}

impl Candidate {
    fn new(id: u32, on_floor: Point3<f32>, point: Point3<f32>) -> Self {
        let distance = (on_floor.cast::<f64>() - point.cast()).norm();
        Candidate { id, point: on_floor, distance }
    }

    /// Whether it is nearer to a point than another, or as near and of a lower id. Seen from very far
    /// away all distances are rounded to the same number, but the difference of their squares,
    /// computed by the third binomial formula, still differs from 0.
    fn is_before(&self, other: &Candidate, point: Point3<f32>) -> bool {
        let [own, other_point, point] = [self.point, other.point, point].map(|p| p.coords.cast());
        let ahead: f64 = (other_point - own).dot(&(2.0 * point - own - other_point));
        ahead < 0.0 || ahead == 0.0 && self.id < other.id
    }
}

/// Square rings of cells round a point, clipped to the frame.
struct CellRings {
    /// The cell under the point; it may be far outside the frame.
    center: [i64; 2],
    /// Least and greatest cell of the frame (x, z).
    bounds: [[i64; 2]; 2],
    cell_size: f64,
    /// Distance from the point to the nearest border of its own cell [m].
    to_border: f64,
    /// The first ring that meets the frame, and the last.
    nearest: i64,
    farthest: i64,
}

impl CellRings {
    /// `point` is finite and the grid has at least one cell.
    fn new(frame: &GridFrame, point: Point3<f32>) -> Self {
        let cell = frame.cell_at(point.x, point.z);
        let center = [i64::from(cell.x), i64::from(cell.z)];
        let min = [i64::from(frame.min.x), i64::from(frame.min.z)];
        let sizes = [frame.size_x, frame.size_z].map(i64::from);
        let max = [min[0] + sizes[0] - 1, min[1] + sizes[1] - 1];
        let outside = |axis: usize| (min[axis] - center[axis]).max(center[axis] - max[axis]).max(0);
        let across = |axis: usize| (center[axis] - min[axis]).max(max[axis] - center[axis]);
        let [x, z] = frame.center(cell);
        let off_center = (point.x - x).abs().max((point.z - z).abs());
        CellRings {
            center,
            bounds: [min, max],
            cell_size: f64::from(frame.cell_size),
            to_border: f64::from((frame.cell_size / 2.0 - off_center).max(0.0)),
            nearest: outside(0).max(outside(1)),
            farthest: across(0).max(across(1)),
        }
    }

    /// A lower bound on the distance from the point to all cells of a ring [m].
    fn least_distance(&self, ring: i64) -> f64 {
        if ring == 0 { 0.0 } else { (ring - 1) as f64 * self.cell_size + self.to_border }
    }

    /// Calls `each` for each cell of a ring that lies in the frame, row by row.
    fn visit(&self, ring: i64, mut each: impl FnMut(Cell)) {
        let [[min_x, min_z], [max_x, max_z]] = self.bounds;
        let [x, z] = self.center;
        for row in (z - ring).max(min_z)..=(z + ring).min(max_z) {
            let whole = (row - z).abs() == ring;
            let stride = if whole { 1 } else { (2 * ring).max(1) };
            let start = if whole { (x - ring).max(min_x) } else { x - ring };
            let mut column = start;
            while column <= (x + ring).min(max_x) {
                if column >= min_x {
                    each(Cell::new(column as i32, row as i32));
                }
                column += stride;
            }
        }
    }
}
