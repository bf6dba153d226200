//! The whole file: shapes, materials, meshes, nodes, and now and then something broken.

use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};
use surefoot_testing::Doc;

use super::meshes::mesh;
use super::nodes::{extras, node};
use super::numbers::{index, number, positive};
use crate::choices::once_in;

/// Number of physics shapes in each list.
pub(super) const SHAPES: usize = 3;

/// A level, and whether something in it was broken.
pub(super) struct Level {
    pub file: Doc,
    pub is_broken: bool,
}

/// A level.
pub(super) fn level(input: &mut Unstructured) -> Result<Level> {
    let mut file = document(input)?;
    let breaks = input.int_in_range(0..=40u8)?.saturating_sub(37);
    for _ in 0..breaks {
        break_something(input, &mut file.json)?;
    }
    Ok(Level { file, is_broken: breaks > 0 })
}

fn document(input: &mut Unstructured) -> Result<Doc> {
    let mut level = Doc::new();
    for _ in 0..input.int_in_range(0..=2)? {
        let material =
            if input.arbitrary()? { json!({ "extras": extras(input)? }) } else { json!({}) };
        level.push("materials", material);
    }
    for _ in 0..input.int_in_range(1..=3)? {
        mesh(input, &mut level)?;
    }
    if !once_in(input, 16)? {
        level.json["extensions"] = shapes(input)?;
    }
    for _ in 0..input.int_in_range(1..=7)? {
        node(input, &mut level)?;
    }
    if once_in(input, 16)? {
        let nodes = level.json["nodes"].as_array().map_or(0, Vec::len);
        let target = json!({ "node": index(input, nodes)?, "path": "translation" });
        level.json["animations"] = json!([{ "channels": [{ "target": target }] }]);
    }
    Ok(level)
}

fn shapes(input: &mut Unstructured) -> Result<Value> {
    let mut lists = [Vec::new(), Vec::new()];
    for list in &mut lists {
        for _ in 0..SHAPES {
            list.push(shape(input)?);
        }
    }
    let [omi, khr] = lists;
    Ok(json!({
        "OMI_physics_shape": { "shapes": omi },
        "KHR_implicit_shapes": { "shapes": khr },
    }))
}

fn shape(input: &mut Unstructured) -> Result<Value> {
    let size = |input: &mut Unstructured| {
        if once_in(input, 20)? { number(input) } else { positive(input) }
    };
    let kind =
        *input.choose(&["box", "sphere", "capsule", "cylinder", "convex", "trimesh", "plane"])?;
    let mut shape = json!({ "type": kind });
    shape[kind] = match kind {
        "box" => json!({ "size": [size(input)?, size(input)?, size(input)?] }),
        "sphere" => json!({ "radius": size(input)? }),
        "plane" => json!({ "sizeX": size(input)?, "sizeZ": size(input)? }),
        "convex" | "trimesh" => json!({ "mesh": index(input, 2)? }),
        _ => {
            let [radius, height] = [size(input)?, size(input)?];
            let top = if input.arbitrary()? { radius } else { size(input)? };
            json!({ "radius": radius, "height": height, "radiusTop": top, "radiusBottom": radius })
        }
    };
    Ok(shape)
}

/// Replaces, doubles or drops a value somewhere.
fn break_something(input: &mut Unstructured, json: &mut Value) -> Result<()> {
    let odd = [
        json!(null),
        json!(-1),
        json!(1e300),
        json!("x"),
        json!([]),
        json!({}),
        json!(4294967295u32),
    ];
    let mut at = json;
    for _ in 0..input.int_in_range(1..=6)? {
        let count = match &*at {
            Value::Object(map) => map.len(),
            Value::Array(list) => list.len(),
            _ => break,
        };
        if count == 0 {
            break;
        }
        let chosen = input.choose_index(count)?;
        at = match at {
            Value::Object(map) => map.values_mut().nth(chosen).expect("it was counted"),
            Value::Array(list) => &mut list[chosen],
            _ => break,
        };
    }
    match at {
        Value::Array(list) if !list.is_empty() && input.arbitrary()? => list.push(list[0].clone()),
        Value::Number(old) if input.arbitrary()? => *at = json!(old.as_f64().unwrap_or(0.0) + 1.0),
        other => *other = input.choose(&odd)?.clone(),
    }
    Ok(())
}
