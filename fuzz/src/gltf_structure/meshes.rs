//! Meshes: floors, boxes, hills and soups, in every encoding of positions and indices.

use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};
use surefoot_testing::{AccessorLayout, CUBE, CUBE_FACES, Doc, SQUARE, SQUARE_FACES};

use super::nodes::extras;
use super::numbers::{any_number, index, number, positive};
use crate::choices::once_in;

/// Points of the hills along a side.
const SIDE: u32 = 5;

/// Adds a mesh of one or two primitives.
pub(super) fn mesh(input: &mut Unstructured, level: &mut Doc) -> Result<()> {
    let mut primitives = Vec::new();
    for _ in 0..input.int_in_range(1..=2)? {
        primitives.push(primitive(input, level)?);
    }
    let mut mesh = json!({ "primitives": primitives });
    if once_in(input, 8)? {
        mesh["extras"] = extras(input)?;
    }
    level.push("meshes", mesh);
    Ok(())
}

fn primitive(input: &mut Unstructured, level: &mut Doc) -> Result<Value> {
    let (points, corners) = triangles(input)?;
    let positions = positions(input, level, &points)?;
    let mut primitive = json!({ "attributes": { "POSITION": positions } });
    if !once_in(input, 16)? {
        primitive["indices"] = indices(input, level, &corners)?.into();
    }
    if once_in(input, 16)? {
        primitive["mode"] = input.int_in_range(0..=7)?.into();
    }
    let materials = level.json["materials"].as_array().map_or(0, Vec::len);
    if materials > 0 && once_in(input, 3)? {
        primitive["material"] = index(input, materials)?.into();
    }
    Ok(primitive)
}

/// Points, and the corners of triangles.
type Shell = (Vec<[f32; 3]>, Vec<u32>);

fn triangles(input: &mut Unstructured) -> Result<Shell> {
    match input.int_in_range(0..=5)? {
        0 | 1 => {
            let [x, y, z] = [positive(input)? * 4.0, positive(input)?, positive(input)? * 4.0];
            Ok((CUBE.map(|[a, b, c]| [a * x, b * y, c * z]).to_vec(), CUBE_FACES.to_vec()))
        }
        2 | 3 => {
            let size = positive(input)? * 4.0;
            Ok((SQUARE.map(|[a, b, c]| [a * size, b, c * size]).to_vec(), SQUARE_FACES.to_vec()))
        }
        4 => hills(input),
        _ => soup(input),
    }
}

fn hills(input: &mut Unstructured) -> Result<Shell> {
    let (mut points, mut corners) = (Vec::new(), Vec::new());
    for at in 0..SIDE * SIDE {
        let [x, z] = [at % SIDE, at / SIDE].map(|v| v as f32 * 2.0 - 4.0);
        points.push([x, number(input)? / 4.0, z]);
        if at % SIDE + 1 < SIDE && at / SIDE + 1 < SIDE {
            corners.extend([at, at + SIDE, at + SIDE + 1, at, at + SIDE + 1, at + 1]);
        }
    }
    Ok((points, corners))
}

fn soup(input: &mut Unstructured) -> Result<Shell> {
    let mut points = Vec::new();
    for _ in 0..input.int_in_range(0..=12)? {
        points.push([any_number(input)?, any_number(input)?, any_number(input)?]);
    }
    let mut corners = Vec::new();
    for _ in 0..input.int_in_range(0..=24)? {
        corners.push(index(input, points.len())? as u32);
    }
    Ok((points, corners))
}

fn positions(input: &mut Unstructured, level: &mut Doc, points: &[[f32; 3]]) -> Result<usize> {
    let numbers = points.iter().flatten();
    let (bytes, element): (Vec<u8>, _) = match input.int_in_range(0..=9)? {
        // Quantized, with and without normalization.
        0 => {
            let bytes = numbers.flat_map(|v| ((v * 100.0) as i16).to_le_bytes());
            (bytes.collect(), Element { component: 5122, size: 6, stride: 8 })
        }
        1 => {
            let bytes = numbers.map(|v| (v * 16.0) as i8 as u8);
            (bytes.collect(), Element { component: 5120, size: 3, stride: 4 })
        }
        2 => {
            let stride = input.int_in_range(12..=20)?;
            let bytes = numbers.flat_map(|v| v.to_le_bytes());
            (bytes.collect(), Element { component: 5126, size: 12, stride })
        }
        _ => (Vec::new(), Element { component: 0, size: 12, stride: 0 }),
    };
    let accessor = match element.stride {
        0 => level.positions(points),
        _ => interleaved(level, &bytes, element),
    };
    if once_in(input, 8)? {
        level.json["accessors"][accessor]["normalized"] = true.into();
    }
    if once_in(input, 8)? {
        sparse(input, level, accessor)?;
    }
    Ok(accessor)
}

/// A position in a buffer.
struct Element {
    /// glTF's code for the type of a number.
    component: u32,
    /// [bytes]
    size: usize,
    /// From one to the next [bytes].
    stride: usize,
}

/// Adds positions, each followed by what fills its stride.
fn interleaved(level: &mut Doc, bytes: &[u8], element: Element) -> usize {
    let Element { component, size, stride } = element;
    let padded = |position: &[u8]| {
        let mut position = position.to_vec();
        position.resize(stride, 0);
        position
    };
    let padded: Vec<u8> = bytes.chunks(size).flat_map(padded).collect();
    let view = level.view(&padded, Some(stride));
    let count = bytes.len() / size;
    let item =
        json!({"bufferView": view, "componentType": component, "type": "VEC3", "count": count});
    level.push("accessors", item)
}

/// Replaces some elements of an accessor.
fn sparse(input: &mut Unstructured, level: &mut Doc, accessor: usize) -> Result<()> {
    let count = input.int_in_range(0..=3usize)?;
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for at in 0..count {
        places.push(if once_in(input, 8)? { input.arbitrary()? } else { at as u8 });
        for _ in 0..3 {
            values.extend(any_number(input)?.to_le_bytes());
        }
    }
    let (places, values) = (level.view(&places, None), level.view(&values, None));
    level.json["accessors"][accessor]["sparse"] = json!({
        "count": count,
        "indices": { "bufferView": places, "componentType": 5121 },
        "values": { "bufferView": values },
    });
    Ok(())
}

fn indices(input: &mut Unstructured, level: &mut Doc, corners: &[u32]) -> Result<usize> {
    Ok(match input.int_in_range(0..=3)? {
        0 => {
            let bytes: Vec<u8> = corners.iter().map(|&corner| corner as u8).collect();
            level.accessor(&bytes, AccessorLayout::scalars(5121, corners.len()))
        }
        1 => {
            let bytes: Vec<u8> =
                corners.iter().flat_map(|&corner| (corner as u16).to_le_bytes()).collect();
            level.accessor(&bytes, AccessorLayout::scalars(5123, corners.len()))
        }
        _ => level.indices(corners),
    })
}
