//! The height of the ground between the centers of cells.
//!
//! Each span stores its floor's height and slope at its center. Between four centers on the same floor
//! both are blended, so that the height is continuous and follows the curve of the ground. If a
//! neighbor's floor is a different one, the tread of a stair or the ground below a ledge, the span's own
//! plane continues in its place and the edge stays sharp.

use super::{Cell, NavGrid, Span, SpanId};

/// Two floors whose heights at the edge they share differ by more than this are not the same
/// floor [m]. Risers of stairs are at least 10 cm; a curve of 1 m radius differs by 2 mm at 0.25 m
/// cells, and a crease of 45° in the middle of a cell by up to 6 cm.
const SAME_FLOOR: f32 = 0.06;

impl NavGrid {
    /// Height of the ground at (x, z) on the floor of a span [m]; `None` if (x, z) is not over the
    /// span's cell. O(spans of four columns).
    ///
    /// On smooth ground within 2 cm of the real surface at 0.25 m cells, exact on planes.
    ///
    /// ```
    /// use surefoot::{Agent, Cell, GridFrame, NavGrid, SpanId};
    /// let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 2, size_z: 1 };
    /// let grid = NavGrid::from_heights(frame, &[0.0, 0.5], &[Agent::new("human")])?;
    /// let height = grid.ground_height(0.75, 0.5, SpanId(0)).unwrap();
    /// assert!((height - 0.125).abs() < 1e-3);
    /// # Ok::<(), surefoot::grid::GridError>(())
    /// ```
    pub fn ground_height(&self, x: f32, z: f32, floor: SpanId) -> Option<f32> {
        let cell = self.column_at([x, 0.0, z])?;
        if !self.column_spans(cell).contains(&floor.0) {
            return None;
        }
        let size = self.frame().cell_size;
        let center = self.frame().center(cell);
        let offset = [(x - center[0]) / size, (z - center[1]) / size];
        let side = offset.map(|v| if v < 0.0 { -1 } else { 1 });
        let own = FloorSample::new(&self.spans()[floor.index()], [0, 0]);
        let along_x = self.same_floor(cell, own, [side[0], 0]);
        let along_z = self.same_floor(cell, own, [0, side[1]]);
        let across = self.corner(cell, [along_x, along_z], side);
        let [u, v] = offset.map(f32::abs);
        let blend = |sample: Option<FloorSample>, at: [i32; 2], weight: f32| {
            let away = [0, 1].map(|axis| [x, z][axis] - center[axis] - at[axis] as f32 * size);
            weight * sample.unwrap_or(own.extended(at, size)).half_plane(away)
        };
        let height = blend(Some(own), [0, 0], (1.0 - u) * (1.0 - v))
            + blend(along_x, [side[0], 0], u * (1.0 - v))
            + blend(along_z, [0, side[1]], (1.0 - u) * v)
            + blend(across, side, u * v);
        Some(height)
    }

    /// The same floor in a neighboring column, at an offset of `step` cells from a sample.
    fn same_floor(&self, origin: Cell, from: FloorSample, step: [i32; 2]) -> Option<FloorSample> {
        let at = [from.at[0] + step[0], from.at[1] + step[1]];
        let half = self.frame().cell_size / 2.0;
        let to_edge = step.map(|cells| cells as f32 * half);
        let here = from.height_at(to_edge);
        let column = self.column(Cell::new(origin.x + at[0], origin.z + at[1]));
        let floors = column.iter().map(|span| {
            let floor = FloorSample::new(span, at);
            ((floor.height_at(to_edge.map(|v| -v)) - here).abs(), floor)
        });
        let (gap, nearest) = floors.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (gap <= SAME_FLOOR).then_some(nearest)
    }

    /// The same floor in the diagonal column, found by way of a straight neighbor.
    fn corner(
        &self,
        origin: Cell,
        straight: [Option<FloorSample>; 2],
        side: [i32; 2],
    ) -> Option<FloorSample> {
        let [along_x, along_z] = straight;
        let by_x = along_x.and_then(|mid| self.same_floor(origin, mid, [0, side[1]]));
        let by_z = || along_z.and_then(|mid| self.same_floor(origin, mid, [side[0], 0]));
        by_x.or_else(by_z)
    }
}

/// The plane of a floor at the center of a cell, which is at an offset in cells from the one looked up.
#[derive(Clone, Copy)]
struct FloorSample {
    height: f32,
    gradient: [f32; 2],
    at: [i32; 2],
}

impl FloorSample {
    fn new(span: &Span, at: [i32; 2]) -> Self {
        FloorSample { height: span.floor, gradient: span.gradient(), at }
    }

    /// Its height at an offset from its center [m].
    fn height_at(&self, offset: [f32; 2]) -> f32 {
        let [along_x, along_z] = self.gradient;
        self.height + along_x * offset[0] + along_z * offset[1]
    }

    /// This sample's plane, taken at another center.
    fn extended(self, at: [i32; 2], size: f32) -> FloorSample {
        let height = self.height_at(at.map(|cells| cells as f32 * size));
        FloorSample { height, at, ..self }
    }

    /// The height that half the slope predicts at an offset from its center [m]. Blending heights alone
    /// errs to the inside of a curve, blending planes to the outside by as much: half the slope is exact
    /// for every surface of second degree.
    fn half_plane(&self, away: [f32; 2]) -> f32 {
        let [along_x, along_z] = self.gradient;
        self.height + (along_x * away[0] + along_z * away[1]) / 2.0
    }
}
