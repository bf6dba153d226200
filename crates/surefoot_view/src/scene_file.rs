//! Provides [`scene_file`]: the solids of a scene as the page reads them.
//!
//! The form is that of the solver's messages: the length of a JSON text in four bytes, little-endian, the
//! text, and numbers. The page's `solids.ts` reads it.

use serde_json::json;
use surefoot_bake::Scene;
use surefoot_bake::casts::OuterSurface;

/// The solids of a scene as triangles: 36 bytes for each, and a name for each solid. With a rectangle
/// `[x0, z0, x1, z1]` [m] only solids that reach into it. O(triangles).
pub fn scene_file(scene: &Scene, bounds: Option<[f32; 4]>) -> Vec<u8> {
    let mut surfaces = OuterSurface::all(scene);
    surfaces.retain(|surface| bounds.is_none_or(|bounds| reaches_into(surface, bounds)));
    let mut positions: Vec<u8> = Vec::new();
    let mut solids = Vec::new();
    let mut first = 0;
    for surface in &surfaces {
        let count = surface.triangles.len();
        for &corner in surface.triangles.as_flattened() {
            let corner = surface.vertices[corner as usize];
            positions.extend(corner.coords.iter().flat_map(|number| number.to_le_bytes()));
        }
        solids.push(json!({
            "node": surface.node,
            "first": first,
            "triangles": count,
            "obstacle": surface.is_obstacle,
        }));
        first += count;
    }
    let arrays = json!([{ "name": "positions", "type": "f32", "at": 0, "length": first * 9 }]);
    let value = json!({ "solids": solids, "triangles": first });
    let mut text = json!({ "value": value, "arrays": arrays }).to_string().into_bytes();
    // Spaces after the text, so that the numbers begin at a multiple of four.
    text.resize(text.len().next_multiple_of(4), b' ');
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes();
    [&length[..], &text, &positions].concat()
}

/// Whether the box around a surface reaches into a rectangle.
fn reaches_into(surface: &OuterSurface, [x0, z0, x1, z1]: [f32; 4]) -> bool {
    let within = |axis: usize, low: f32, high: f32| {
        let along = || surface.vertices.iter().map(|at| at[axis]);
        along().fold(f32::INFINITY, f32::min) <= high
            && along().fold(f32::NEG_INFINITY, f32::max) >= low
    };
    within(0, x0, x1) && within(2, z0, z1)
}

#[cfg(test)]
mod tests {
    use surefoot_bake::scene::{Placement, SceneBuilder};

    use super::*;

    #[test]
    fn every_triangle_has_nine_numbers() {
        let mut builder = SceneBuilder::new("two boxes");
        builder.cuboid("a", [1.0, 2.0, 3.0], Placement::at([0.0, 0.0, 0.0]));
        builder.cuboid("b", [1.0, 1.0, 1.0], Placement::at([9.0, 0.0, 0.0]));
        let scene = builder.build().expect("a scene");
        let bytes = scene_file(&scene, None);
        let (length, rest) = bytes.split_first_chunk::<4>().expect("a length");
        let (text, positions) = rest.split_at(u32::from_le_bytes(*length) as usize);
        let value: serde_json::Value = serde_json::from_slice(text).expect("JSON");
        assert_eq!(value["value"]["solids"][1]["node"], "b");
        assert_eq!(value["value"]["solids"][1]["first"], 12);
        assert_eq!(positions.len(), 24 * 36);
        assert_eq!(value["arrays"][0]["length"], 24 * 9);
        let part =
            String::from_utf8_lossy(&scene_file(&scene, Some([5.0, -1.0, 20.0, 1.0]))).into_owned();
        assert!(part.contains("\"node\":\"b\"") && !part.contains("\"node\":\"a\""));
    }
}
