//! Meshes of arrays: vertices and triangles, or a height field.

use pyo3::prelude::*;
use surefoot_bake::scene::Triangles;

use crate::arrays::{Point, Table, indices, points, shape_text};
use crate::errors::{bad_value, refused};

/// A shell of triangles.
pub struct MeshArrays {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
}

impl MeshArrays {
    /// Reads the vertices, and the corners of the triangles.
    pub fn read(vertices: &Bound<'_, PyAny>, triangles: &Bound<'_, PyAny>) -> PyResult<Self> {
        let vertices = points(vertices, "vertices")?;
        let numpy = triangles.py().import("numpy")?;
        let array = numpy.call_method1("asarray", (triangles,))?;
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if !matches!(shape[..], [_, 3]) {
            let shape = shape_text(&shape);
            return bad_value(format!("triangles has the shape {shape}; it has to be (m, 3)"));
        }
        let corners = indices(&array.call_method0("ravel")?, "triangles")?;
        let corner = |&corner: &i64| {
            let unknown = |_| refused(format!("triangles: there is no vertex {corner}"));
            u32::try_from(corner).map_err(unknown)
        };
        let corners: Vec<u32> = corners.iter().map(corner).collect::<PyResult<_>>()?;
        Ok(MeshArrays { vertices, triangles: corners.as_chunks().0.to_vec() })
    }

    /// Two triangles between each four heights; none round a height that is NaN.
    pub fn of_heights(heights: &Table, spacing: f32) -> PyResult<Self> {
        let Table { values, rows, columns } = heights;
        if !(spacing > 0.0 && spacing.is_finite()) {
            return bad_value(format!("spacing is {spacing}; it has to be more than 0"));
        }
        if *rows < 2 || *columns < 2 {
            return bad_value(format!(
                "heights is {rows} by {columns}; it has to be 2 by 2 at least"
            ));
        }
        if u32::try_from(values.len()).is_err() {
            return bad_value(format!("heights has {} numbers; that is too many", values.len()));
        }
        if let Some(at) = values.iter().position(|height| height.is_infinite()) {
            return bad_value(format!("heights: number {at} is infinite; NaN means a hole"));
        }
        let vertex = |(at, &height): (usize, &f32)| {
            let [row, column] = [at / columns, at % columns];
            // Corners of holes belong to no triangle.
            let height = if height.is_nan() { 0.0 } else { height };
            [column as f32 * spacing, height, row as f32 * spacing]
        };
        let mut triangles = Vec::with_capacity(2 * rows * columns);
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let first = row * columns + column;
                let [right, below, across] = [first + 1, first + columns, first + columns + 1];
                for corners in [[first, below, right], [right, below, across]] {
                    if corners.iter().all(|&corner| !values[corner].is_nan()) {
                        triangles.push(corners.map(|corner| corner as u32));
                    }
                }
            }
        }
        Ok(MeshArrays { vertices: values.iter().enumerate().map(vertex).collect(), triangles })
    }

    /// The mesh as a scene takes it.
    pub fn triangles(&self) -> Triangles<'_> {
        Triangles { vertices: &self.vertices, triangles: &self.triangles }
    }
}
