//! Nodes: transforms, names, marks, physics bodies, and the tree they make.

use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};
use surefoot_testing::{Doc, QUARTER};

use super::numbers::{index, number, point, positive};
use crate::choices::once_in;

const NAMES: [&str; 16] = [
    "floor",
    "wall",
    "floor-col",
    "floor-colonly",
    "wall-convcolonly.001",
    "UCX_wall_00",
    "UBX_floor",
    "wall-navmesh",
    "wall-noimp",
    "car$rigid",
    "",
    "Dach–ä🏠",
    "-col",
    "ucx_",
    "floor.001",
    "link end",
];
/// Marks that are words.
const WORDS: [&str; 10] =
    ["ignore", "obstacle", "walkable", "mud", "WALKABLE", " ", "{", "{\"area\":\"x\"}", "sand", ""];
const KINDS: [&str; 6] = ["jump", "drop", "ladder", "door", "authored", "fly"];

/// Adds a node: to the scene, or below one that there is already.
pub(super) fn node(input: &mut Unstructured, level: &mut Doc) -> Result<()> {
    let meshes = level.json["meshes"].as_array().map_or(0, Vec::len);
    let mut node = transform(input)?;
    if !once_in(input, 8)? {
        node["name"] = (*input.choose(&NAMES)?).into();
    }
    if !once_in(input, 8)? {
        node["mesh"] = index(input, meshes)?.into();
    }
    if once_in(input, 3)? {
        node["extras"] = extras(input)?;
    }
    if once_in(input, 3)? {
        node["extensions"] = physics(input, meshes)?;
    }
    let nodes = level.json["nodes"].as_array().map_or(0, Vec::len);
    if nodes == 0 || once_in(input, 2)? {
        level.node(node);
        return Ok(());
    }
    let child = level.child(node);
    let parent = index(input, nodes)?.min(child);
    match level.json["nodes"][parent]["children"].as_array_mut() {
        Some(children) => children.push(child.into()),
        None => level.json["nodes"][parent]["children"] = json!([child]),
    }
    Ok(())
}

fn transform(input: &mut Unstructured) -> Result<Value> {
    let mut node = json!({});
    if once_in(input, 10)? {
        let mut matrix = Vec::new();
        for at in 0..16 {
            let identity = if at % 5 == 0 { 1.0 } else { 0.0 };
            matrix.push(if once_in(input, 4)? { number(input)? } else { identity });
        }
        node["matrix"] = json!(matrix);
        return Ok(node);
    }
    if !once_in(input, 4)? {
        node["translation"] = json!(point(input)?);
    }
    if once_in(input, 3)? {
        let turns = [QUARTER, [0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]];
        let any = [number(input)?, number(input)?, number(input)?, positive(input)?];
        let turn = if input.arbitrary()? { any } else { *input.choose(&turns)? };
        node["rotation"] = json!(if once_in(input, 32)? { [0.0; 4] } else { turn });
    }
    if once_in(input, 3)? {
        let even = [positive(input)?; 3];
        node["scale"] = json!(if input.arbitrary()? { even } else { point(input)? });
    }
    Ok(node)
}

/// The extras of a node, mesh or material.
pub(super) fn extras(input: &mut Unstructured) -> Result<Value> {
    if once_in(input, 2)? {
        return Ok(json!({ "nav": *input.choose(&WORDS)? }));
    }
    let mut nav = json!({});
    for flag in ["forbidden", "obstacle", "ignore", "two_sided"] {
        if once_in(input, 6)? {
            nav[flag] = if input.arbitrary()? { json!(true) } else { json!(1) };
        }
    }
    if once_in(input, 2)? {
        nav["area"] = (*input.choose(&WORDS)?).into();
    }
    if once_in(input, 3)? {
        nav["cost"] = json!(number(input)?);
    }
    if once_in(input, 3)? {
        nav["link"] = link(input)?;
    }
    if once_in(input, 4)? {
        nav["volume"] = volume(input)?;
    }
    if once_in(input, 8)? {
        nav["clear"] = true.into();
    }
    Ok(json!({ "nav": nav }))
}

fn link(input: &mut Unstructured) -> Result<Value> {
    let mut link = json!({});
    if input.arbitrary()? {
        link["to"] = (*input.choose(&NAMES)?).into();
    } else {
        link["pair"] = input.int_in_range(0..=2)?.into();
    }
    if input.arbitrary()? {
        link["kind"] = (*input.choose(&KINDS)?).into();
    }
    if once_in(input, 4)? {
        link["cost"] = json!(number(input)?);
    }
    if once_in(input, 4)? {
        link["one_way"] = input.arbitrary::<bool>()?.into();
    }
    if once_in(input, 3)? {
        link["width"] = json!(number(input)?);
    }
    if once_in(input, 4)? {
        link["capacity"] = input.int_in_range(0..=3)?.into();
    }
    if once_in(input, 6)? {
        link["user_data"] = json!({ "floor": number(input)? });
    }
    if once_in(input, 4)? {
        link["moving"] = true.into();
        link["to"] = json!([*input.choose(&NAMES)?, *input.choose(&NAMES)?]);
    }
    Ok(if once_in(input, 4)? { json!([link, link]) } else { link })
}

fn volume(input: &mut Unstructured) -> Result<Value> {
    Ok(match input.int_in_range(0..=4)? {
        0 => json!(true),
        1 => json!({ "shape": "box", "size": point(input)? }),
        2 => json!({ "shape": "sphere", "radius": number(input)? }),
        3 => {
            let [a, b, c] = [point(input)?, point(input)?, point(input)?];
            let points = [a, b, c].map(|point| [point[0], point[2]]);
            json!({ "shape": "prism", "points": points, "height": number(input)? })
        }
        _ => json!("cylinder"),
    })
}

fn physics(input: &mut Unstructured, meshes: usize) -> Result<Value> {
    let shape = index(input, super::document::SHAPES)?;
    let mut body = json!({});
    if once_in(input, 3)? {
        let kind = *input.choose(&["static", "kinematic", "dynamic", "trigger", "?"])?;
        body["motion"] = json!({ "type": kind });
    }
    if once_in(input, 16)? {
        body["trigger"] = json!({ "shape": shape });
    }
    if input.arbitrary()? {
        body["collider"] = json!({ "shape": shape });
        return Ok(json!({ "OMI_physics_body": body }));
    }
    let mut geometry = match input.int_in_range(0..=2)? {
        0 => json!({ "mesh": index(input, meshes)? }),
        1 => json!({ "node": index(input, 3)? }),
        _ => json!({ "shape": shape }),
    };
    if input.arbitrary()? {
        geometry["convexHull"] = true.into();
    }
    body["collider"] = json!({ "geometry": geometry });
    Ok(json!({ "KHR_physics_rigid_bodies": body }))
}
