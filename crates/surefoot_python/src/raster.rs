//! Rasters: what the ground is like, seen from above, as images.

use numpy::Element;
use pyo3::prelude::*;
use rayon::prelude::*;
use surefoot::SpanId;
use surefoot::view::View;

use crate::arrays::{OutArray, filled};
use crate::errors::bad_value;
use crate::navigator::PyNavigator;
use crate::pool::threads;

/// The most pixels of a raster.
const MOST_PIXELS: f64 = 1e9;

/// The pixels of a raster, and how high it looks.
struct Raster<'a> {
    view: &'a View,
    /// Floors above this do not count [m].
    top: f32,
    /// The least x and z [m].
    origin: [f32; 2],
    /// Side of a pixel [m].
    pixel: f32,
    /// Rows along z, columns along x.
    counts: [usize; 2],
}

impl<'a> Raster<'a> {
    fn new(view: &'a View, top: f32, pixel: Option<f32>) -> PyResult<Self> {
        let pixel = pixel.unwrap_or(view.cell_size());
        if !(pixel > 0.0 && pixel.is_finite()) || top.is_nan() {
            return bad_value(format!(
                "the cell is {pixel} m and y is {top}; they have to be numbers"
            ));
        }
        let (min, max) = view.grid().frame().bounds();
        let count = |axis: usize| (f64::from(max[axis] - min[axis]) / f64::from(pixel)).round();
        // Half a pixel is one; no ground is none.
        let count = |axis: usize| if max[axis] > min[axis] { count(axis).max(1.0) } else { 0.0 };
        let (columns, rows) = (count(0), count(1));
        if columns * rows > MOST_PIXELS {
            return bad_value(format!(
                "the raster has {columns} by {rows} pixels; use larger cells"
            ));
        }
        Ok(Raster { view, top, origin: min, pixel, counts: [rows as usize, columns as usize] })
    }

    /// A value for each pixel: of the highest floor below the top at its center, or what is said for none.
    fn draw<'py, T: Element + Copy + Send + Sync>(
        &self,
        py: Python<'py>,
        none: T,
        value: impl Fn(SpanId) -> T + Sync + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let [rows, columns] = self.counts;
        let mut values = filled(rows * columns, none)?;
        let draw = |(row, pixels): (usize, &mut [T])| {
            for (column, pixel) in pixels.iter_mut().enumerate() {
                let place = [column, row].map(|at| (at as f32 + 0.5) * self.pixel);
                if let Some(span) =
                    self.floor([self.origin[0] + place[0], self.origin[1] + place[1]])
                {
                    *pixel = value(span);
                }
            }
        };
        let pool = threads()?;
        let rows_of = values.par_chunks_mut(columns.max(1)).enumerate();
        py.detach(|| pool.install(|| rows_of.for_each(draw)));
        OutArray { values, shape: vec![rows, columns] }.array(py)
    }

    fn floor(&self, [x, z]: [f32; 2]) -> Option<SpanId> {
        let grid = self.view.grid();
        let cell = grid.column_at([x, 0.0, z])?;
        let is_below = |span: &SpanId| grid.spans()[span.index()].floor <= self.top;
        grid.column_spans(cell).rev().map(SpanId).find(is_below)
    }
}

#[pymethods]
impl PyNavigator {
    /// Draws the ground from above, as it is now: for each pixel the highest floor that is not above `y`.
    ///
    /// Parameters
    /// ----------
    /// kind : {"walkable", "height", "region", "clearance", "area"}
    ///     Whether the agent can stand there (bool); the height of the floor (float32) [m], NaN for none; its region
    ///     (int32), -1 where it cannot stand; how far the nearest place is where it cannot (float32) [m], 0 there; the
    ///     index of its area (uint8), 255 where there is no floor.
    /// y : float
    ///     [m]; the top of the level if left out.
    /// cell : float, optional
    ///     Side of a pixel [m]; that of a cell if left out.
    ///
    /// Returns
    /// -------
    /// (rows, columns) array
    ///     Rows along z and columns along x, from `NavGrid.bounds[0]` on.
    #[pyo3(signature = (kind = "walkable", y = f32::INFINITY, cell = None))]
    fn raster<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        y: f32,
        cell: Option<f32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let view = self.with(py, |state, _| Ok(state.batch.navigator().view().clone()))?;
        let raster = Raster::new(&view, y, cell)?;
        let grid = view.grid();
        match kind {
            "walkable" => raster.draw(py, false, |span| view.is_walkable(span)),
            "height" => raster.draw(py, f32::NAN, |span| grid.spans()[span.index()].floor),
            "region" => {
                let region = |span| {
                    let region = grid.region(view.agent_id(), span);
                    region.filter(|_| view.is_walkable(span)).map_or(-1, |region| region.0 as i32)
                };
                raster.draw(py, -1, region)
            }
            "clearance" => raster.draw(py, 0.0, |span| view.clearance(span).unwrap_or(0.0)),
            "area" => raster.draw(py, u8::MAX, |span| grid.spans()[span.index()].area().0),
            _ => bad_value(format!(
                "kind is {kind:?}; it has to be \"walkable\", \"height\", \"region\", \"clearance\" or \"area\""
            )),
        }
    }
}
