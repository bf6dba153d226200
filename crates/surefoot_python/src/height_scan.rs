//! Height scans: the floors round points, over rectangles that turn with them.

use pyo3::prelude::*;
use rayon::prelude::*;
use surefoot::{NavGrid, SpanId};

use crate::arrays::{OutArray, Point, filled, numbers, points};
use crate::errors::{bad_value, check_length};
use crate::pool::threads;

/// The rectangle of samples, and where casts begin.
pub struct ScanShape {
    /// Length forward and width [m].
    pub size: [f32; 2],
    /// [m]
    pub resolution: f32,
    /// [m]
    pub above: f32,
}

/// Floors may be so far above where a cast begins: points on them may have been rounded [m].
const SINK: f32 = 1e-3;

/// A batch of scans.
pub struct HeightScan {
    points: Vec<Point>,
    yaw: Vec<f32>,
    shape: ScanShape,
    /// Samples from back to front, and from side to side.
    counts: [usize; 2],
}

/// The most samples of a scan along a side.
const MOST_SAMPLES: f32 = 4096.0;

impl HeightScan {
    /// Checks what comes from Python.
    pub fn read(
        places: &Bound<'_, PyAny>,
        yaw: &Bound<'_, PyAny>,
        shape: ScanShape,
    ) -> PyResult<Self> {
        let points = points(places, "points")?;
        let yaw = numbers(yaw, "yaw", points.len())?;
        if !(shape.resolution > 0.0 && shape.resolution.is_finite()) {
            return bad_value(format!(
                "resolution is {}; it has to be more than 0",
                shape.resolution
            ));
        }
        check_length("above", shape.above)?;
        let steps = shape.size.map(|side| (side / shape.resolution).round());
        if !steps.iter().all(|steps| (0.0..MOST_SAMPLES).contains(steps)) {
            return bad_value(format!(
                "size is {:?} at a resolution of {}; it has to be at least 0, and less than {MOST_SAMPLES} \
                 samples a side",
                shape.size, shape.resolution
            ));
        }
        let counts = steps.map(|steps| steps as usize + 1);
        Ok(HeightScan { points, yaw, shape, counts })
    }

    /// Scans, on all threads.
    pub fn run(self, py: Python<'_>, grid: &NavGrid) -> PyResult<OutArray<f32>> {
        let pool = threads()?;
        let [rows, columns] = self.counts;
        let count = self.points.len().saturating_mul(rows * columns);
        let mut values = filled(count, f32::NAN)?;
        py.detach(|| {
            pool.install(|| {
                let scans = values.par_chunks_mut(rows * columns).enumerate();
                scans.for_each(|(at, scan)| self.scan(grid, at, scan));
            });
        });
        Ok(OutArray { values, shape: vec![self.points.len(), rows, columns] })
    }

    fn scan(&self, grid: &NavGrid, at: usize, heights: &mut [f32]) {
        let [x, y, z] = self.points[at];
        let (sin, cos) = self.yaw[at].sin_cos();
        let [rows, columns] = self.counts;
        let offset = |index: usize, count: usize| {
            (index as f32 - 0.5 * (count - 1) as f32) * self.shape.resolution
        };
        for (row, heights) in heights.chunks_exact_mut(columns).enumerate() {
            let ahead = offset(row, rows);
            for (column, height) in heights.iter_mut().enumerate() {
                let aside = offset(column, columns);
                let place = [x + ahead * cos - aside * sin, z + ahead * sin + aside * cos];
                if let Some(floor) = floor_below(grid, place, y + self.shape.above) {
                    *height = floor - y;
                }
            }
        }
    }
}

/// Height of the highest floor below a point [m].
fn floor_below(grid: &NavGrid, [x, z]: [f32; 2], top: f32) -> Option<f32> {
    let cell = grid.column_at([x, top, z])?;
    let below = grid.column_spans(cell).rev().map(SpanId);
    let heights = below.filter_map(|span| grid.ground_height(x, z, span));
    heights.into_iter().find(|&height| height <= top + SINK)
}
