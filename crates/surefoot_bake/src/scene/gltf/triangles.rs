//! Primitives to triangles: lists, strips and fans, indexed or not.

use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use nalgebra::Point3;

use super::accessor::{Accessors, Positions};
use super::document::Document;
use super::fault::Fault;

/// The triangles of one primitive, on the vertices they use and no others.
#[derive(Debug, Default)]
pub(super) struct Triangles {
    pub vertices: Vec<Point3<f32>>,
    pub triangles: Vec<[u32; 3]>,
    /// Corners at the end that make no whole triangle.
    pub left_over: usize,
}

/// Whether a primitive describes triangles, as far as its accessors say, without reading them.
pub(super) fn are_described(document: &Document, primitive: &Primitive) -> bool {
    let Checked::Valid(mode) = primitive.mode else { return false };
    let positions = primitive.attributes.get(&Checked::Valid(Semantic::Positions));
    let Some(positions) = positions.map(|positions| positions.value()) else {
        return is_surface(mode) && primitive.extensions.is_some();
    };
    let corners = primitive.indices.map_or(positions, |indices| indices.value());
    // What leads nowhere is told of when it is read.
    is_surface(mode) && document.accessor(corners).map_or(true, |corners| corners.count.0 >= 3)
}

/// The triangles of a primitive, or the reason why it has none. Their number is checked before they
/// are made.
pub(super) fn of_primitive(
    accessors: &Accessors<'_>,
    primitive: &Primitive,
    check: &dyn Fn(usize) -> Result<(), Fault>,
) -> Result<Result<Triangles, String>, Fault> {
    let mode = match primitive.mode {
        Checked::Valid(mode) if is_surface(mode) => mode,
        Checked::Valid(mode) => return Ok(Err(format!("{} are no surface", mode_name(mode)))),
        Checked::Invalid => return Ok(Err("a primitive of an unknown kind".to_owned())),
    };
    let Some(positions) = primitive.attributes.get(&Checked::Valid(Semantic::Positions)) else {
        refuse_draco(primitive)?;
        return Ok(Err("a primitive without positions".to_owned()));
    };
    let positions = positions.value();
    if accessors.document.accessor(positions)?.buffer_view.is_none() {
        refuse_draco(primitive)?;
    }
    let positions = accessors.positions(positions)?;
    let corners = match primitive.indices {
        Some(indices) => accessors.indices(indices.value())?,
        None => in_order(&positions)?,
    };
    let count = positions.len();
    if let Some(corner) = corners.iter().find(|&&corner| corner as usize >= count) {
        return Err(Fault::file(format!(
            "a triangle of its mesh refers to vertex {corner}, but there are {count}; \
             export the file again"
        )));
    }
    check(if mode == Mode::Triangles { corners.len() / 3 } else { corners.len() })?;
    let triangles = assemble(mode, &corners);
    if triangles.is_empty() {
        return Ok(Err("a primitive with fewer than 3 vertices".to_owned()));
    }
    let left_over = if mode == Mode::Triangles { corners.len() % 3 } else { 0 };
    let triangles = on_used_vertices(&positions, corners, triangles)?;
    Ok(Ok(Triangles { left_over, ..triangles }))
}

fn is_surface(mode: Mode) -> bool {
    matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)
}

fn mode_name(mode: Mode) -> &'static str {
    if mode == Mode::Points { "points" } else { "lines" }
}

fn refuse_draco(primitive: &Primitive) -> Result<(), Fault> {
    const NAME: &str = "KHR_draco_mesh_compression";
    let compressed = primitive
        .extensions
        .as_ref()
        .is_some_and(|extensions| extensions.others.contains_key(NAME));
    if !compressed {
        return Ok(());
    }
    Err(Fault::file(format!(
        "its mesh is compressed by {NAME}, which is not supported; export it again with \
         compression off"
    )))
}

fn in_order(positions: &Positions<'_>) -> Result<Vec<u32>, Fault> {
    let count = u32::try_from(positions.len())
        .map_err(|_| Fault::file("it has more than 2^32 vertices in one primitive; split it"))?;
    Ok((0..count).collect())
}

/// Corners of the triangles; every second one of a strip is turned so that all face one way.
fn assemble(mode: Mode, corners: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        Mode::TriangleStrip => corners
            .windows(3)
            .enumerate()
            .map(|(i, w)| if i % 2 == 0 { [w[0], w[1], w[2]] } else { [w[0], w[2], w[1]] })
            .collect(),
        Mode::TriangleFan => {
            let rim = corners.get(1..).unwrap_or_default();
            rim.windows(2).map(|pair| [corners[0], pair[0], pair[1]]).collect()
        }
        _ => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
    }
}

/// Decodes the vertices that are used, each once.
fn on_used_vertices(
    positions: &Positions<'_>,
    corners: Vec<u32>,
    mut triangles: Vec<[u32; 3]>,
) -> Result<Triangles, Fault> {
    let used = distinct(corners, positions.len());
    let mut vertices = Vec::with_capacity(used.len());
    for &index in &used {
        let vertex = positions.at(index as usize);
        if !vertex.iter().all(|v| v.is_finite()) {
            return Err(Fault::file(format!(
                "vertex {index} of its mesh is at ({}, {}, {}); repair the mesh and export again",
                vertex.x, vertex.y, vertex.z
            )));
        }
        vertices.push(vertex);
    }
    if used.last().is_some_and(|&last| last as usize + 1 != used.len()) {
        for corner in triangles.iter_mut().flatten() {
            *corner = used.binary_search(corner).map_or(0, |number| number as u32);
        }
    }
    Ok(Triangles { vertices, triangles, left_over: 0 })
}

/// The distinct ones of indices `[0..count)`, in order.
fn distinct(mut indices: Vec<u32>, count: usize) -> Vec<u32> {
    // A table is faster, but many primitives may each use a little of one huge accessor.
    if count > 4 * indices.len() {
        indices.sort_unstable();
        indices.dedup();
        return indices;
    }
    let mut seen = vec![false; count];
    indices.iter().for_each(|&index| seen[index as usize] = true);
    (0..).zip(seen).filter_map(|(index, seen)| seen.then_some(index)).collect()
}
