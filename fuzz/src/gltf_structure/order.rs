//! The same level with everything in it in another order.

use serde_json::Value;
use surefoot_testing::{Doc, Random};

/// The level in another order; `None` if something in it refers to what is not there, or to a node from
/// elsewhere than the tree.
pub(super) fn shuffled(level: &Doc, seed: u64) -> Option<Doc> {
    let json = &level.json;
    let lists =
        ["nodes", "meshes", "materials"].map(|list| json[list].as_array().map_or(0, Vec::len));
    let parts = ["nodes", "meshes", "extensions"].map(|part| &json[part]);
    let is_whole = parts.into_iter().all(|part| refers_within(part, lists))
        && json.get("animations").is_none()
        && json["accessors"].as_array()?.iter().all(is_of_triangles);
    is_whole.then(|| level.shuffled(&mut Random(seed)))
}

/// Whether all indices of nodes, meshes and materials are below the lengths of their lists.
fn refers_within(json: &Value, lists: [usize; 3]) -> bool {
    let [nodes, meshes, materials] = lists;
    let is_below = |value: &Value, count: usize| value.as_u64().is_some_and(|at| at < count as u64);
    match json {
        Value::Object(map) => map.iter().all(|(key, value)| match (key.as_str(), value) {
            ("node", Value::Number(_)) => false,
            ("mesh", Value::Number(_)) => is_below(value, meshes),
            ("material", Value::Number(_)) => is_below(value, materials),
            ("children", Value::Array(list)) => list.iter().all(|child| is_below(child, nodes)),
            _ => refers_within(value, lists),
        }),
        Value::Array(list) => list.iter().all(|item| refers_within(item, lists)),
        _ => true,
    }
}

/// Whether an accessor is none of indices, or of whole triangles.
fn is_of_triangles(accessor: &Value) -> bool {
    accessor["type"] != "SCALAR"
        || accessor["count"].as_u64().is_some_and(|count| count.is_multiple_of(3))
}
