//! Lookups by place: the column, the floor and the nearest walkable ground at a point.

use std::ops::Range;

use nalgebra::Point3;

use super::{AgentId, Cell, GridFrame, GridParts, NavGrid, Span, SpanId};

/// A point this little below a floor stands on it, even where the room below reaches up to the
/// floor's underside: bodies sink in a little, and thin floors have no thickness [m].
const SINK: f32 = 0.05;

/// How far away a place may be.
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
        let cell = self.data.parts.frame.cell_at(point.x, point.z);
        let finite = point.x.is_finite() && point.z.is_finite();
        (finite && self.data.parts.frame.index(cell).is_some()).then_some(cell)
    }

    /// The span whose floor a point belongs to, with the floor at most `tolerance` [m, >= 0] above
    /// or below it; `None` where there is none. O(spans of the column).
    ///
    /// A point between a floor and its ceiling belongs to that floor, however near the next floor
    /// above may be; only the last 5 cm below that floor count as standing on it. A point inside
    /// the rock between a ceiling and the next floor, or below the lowest, belongs to the nearest
    /// floor. Floors count with the height they have at the point, not at the cell's center.
    pub fn span_at(&self, point: impl Into<Point3<f32>>, tolerance: f32) -> Option<SpanId> {
        let point = point.into();
        let cell = self.column_at(point)?;
        let range = self.column_spans(cell);
        let [x, z] = self.data.parts.frame.center(cell);
        let floor =
            |id: u32| plane(&self.data.parts.spans[id as usize], [point.x - x, point.z - z]);
        let above = range.clone().find(|&id| floor(id) > point.y + SINK);
        let below = (range.start..above.unwrap_or(range.end)).last();
        let inside = |id: &u32| point.y <= self.data.parts.spans[*id as usize].ceiling;
        let distance = |id: u32| (point.y - floor(id)).abs();
        let nearest = match (below, above) {
            (Some(below), Some(_)) if inside(&below) => below,
            (Some(below), Some(above)) if distance(above) < distance(below) => above,
            (Some(below), _) => below,
            (None, above) => above?,
        };
        (distance(nearest) <= tolerance).then_some(SpanId(nearest))
    }

    /// The nearest point on ground that an agent can stand on, and its span, within a horizontal
    /// distance [m, >= 0]; `None` where there is none. O(cells within the distance found).
    ///
    /// Nearest in space: the vertical difference counts as much as the horizontal one, but does
    /// not limit the search. Of equally near spans the one with the lowest id is taken. The point
    /// returned lies within the span's cell, at the height of its floor.
    pub fn nearest_walkable(
        &self,
        agent: AgentId,
        point: impl Into<Point3<f32>>,
        radius: f32,
    ) -> Option<(SpanId, Point3<f32>)> {
        self.data.parts.nearest_walkable(agent, point.into(), radius)
    }

    /// As [`NavGrid::nearest_walkable`], of the spans that are accepted.
    pub(crate) fn nearest_where(
        &self,
        point: Point3<f32>,
        within: Within,
        accepted: impl Fn(SpanId) -> bool,
    ) -> Option<(SpanId, Point3<f32>)> {
        self.data.parts.nearest_where(point, within, accepted)
    }
}

/// The baker looks up places before the parts are validated: frame, columns and spans have to be
/// sound, and a layer has to have its verdicts.
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
        let rings = Rings::new(&self.frame, point);
        let mut best: Option<Candidate> = None;
        for ring in rings.nearest..=rings.farthest {
            let least = rings.least_distance(ring);
            if least as f32 > radius || best.is_some_and(|best| best.distance < least) {
                break;
            }
            rings.visit(ring, |cell| {
                let at = self.frame.nearest_in(cell, [point.x, point.z]);
                if (at[0] - point.x).hypot(at[1] - point.z) > radius {
                    return;
                }
                for id in self.column(cell) {
                    if !accepted(SpanId(id)) {
                        continue;
                    }
                    let candidate = self.candidate((cell, id), at, point);
                    let level = (candidate.point.y - point.y).abs() <= height;
                    if level && best.is_none_or(|best| candidate.before(&best, point)) {
                        best = Some(candidate);
                    }
                }
            });
        }
        best.map(|best| (SpanId(best.id), best.point))
    }

    /// The ids of the spans in a column; none outside the frame.
    fn column(&self, cell: Cell) -> Range<u32> {
        self.frame.index(cell).map_or(0..0, |at| self.first[at]..self.first[at + 1])
    }

    fn candidate(&self, place: (Cell, u32), at: [f32; 2], point: Point3<f32>) -> Candidate {
        let (cell, id) = place;
        let [x, z] = self.frame.center(cell);
        let y = plane(&self.spans[id as usize], [at[0] - x, at[1] - z]);
        let on_floor = Point3::new(at[0], y, at[1]);
        let distance = (on_floor.cast::<f64>() - point.cast()).norm();
        Candidate { id, point: on_floor, distance }
    }
}

/// Height of a floor at an offset from its cell's center, as its own slope tells.
#[inline]
pub fn plane(span: &Span, offset: [f32; 2]) -> f32 {
    let [along_x, along_z] = span.gradient();
    span.floor + along_x * offset[0] + along_z * offset[1]
}

#[derive(Clone, Copy)]
struct Candidate {
    id: u32,
    point: Point3<f32>,
    /// From the point that is asked about [m].
    distance: f64,
}

impl Candidate {
    /// Whether it is nearer to a point than another, or as near and of a lower id. From very far
    /// away all distances are rounded to one; the difference of their squares still tells.
    fn before(&self, other: &Candidate, point: Point3<f32>) -> bool {
        let [own, other_point, point] = [self.point, other.point, point].map(|p| p.coords.cast());
        let ahead: f64 = (other_point - own).dot(&(2.0 * point - own - other_point));
        ahead < 0.0 || ahead == 0.0 && self.id < other.id
    }
}

/// Square rings of cells round a point, clipped to the frame.
struct Rings {
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

impl Rings {
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
        Rings {
            center,
            bounds: [min, max],
            cell_size: f64::from(frame.cell_size),
            to_border: f64::from((frame.cell_size / 2.0 - off_center).max(0.0)),
            nearest: outside(0).max(outside(1)),
            farthest: across(0).max(across(1)),
        }
    }

    /// No cell of a ring is nearer than this [m].
    fn least_distance(&self, ring: i64) -> f64 {
        if ring == 0 { 0.0 } else { (ring - 1) as f64 * self.cell_size + self.to_border }
    }

    /// Calls for each cell of a ring that lies in the frame.
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
