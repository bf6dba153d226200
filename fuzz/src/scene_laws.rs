//! What holds for every scene, wherever it comes from.

use surefoot_bake::Scene;
use surefoot_bake::scene::{Shape, Solid};

/// The farthest that anything can reach from the origin [m]: a turned box whose center is at the
/// greatest coordinate, 1e7, with sides as long.
const MOST: f32 = 4e7;

/// Checks a scene.
///
/// # Panics
/// A law does not hold.
pub fn check(scene: &Scene) {
    for mesh in &scene.meshes {
        assert!(mesh.vertices.iter().all(|vertex| vertex.iter().all(|v| v.is_finite())));
        let corners = mesh.triangles.iter().flatten();
        assert!(corners.copied().all(|corner| (corner as usize) < mesh.vertices.len()));
        assert!(mesh.slots.is_empty() || mesh.slots.len() == mesh.triangles.len());
    }
    scene.solids.iter().for_each(|solid| check_solid(scene, solid));
    for link in &scene.links {
        assert!(link.from.iter().chain(link.to.iter()).all(|v| v.is_finite()), "{link:?}");
        assert!(link.cost.is_none_or(|cost| cost.is_finite() && cost >= 0.0), "{link:?}");
    }
    for area in &scene.areas {
        assert!(area.cost > 0.0 && area.cost.is_finite(), "{area:?}");
    }
    if let Some((low, high)) = scene.bounds() {
        assert!(low.iter().chain(high.iter()).all(|v| v.abs() <= MOST), "{low} {high}");
    }
}

fn check_solid(scene: &Scene, solid: &Solid) {
    assert!(!solid.surfaces.is_empty(), "{solid:?}");
    assert!(solid.surfaces.iter().all(|surface| surface.area.index() < scene.areas.len()));
    let rotation = solid.pose.rotation.coords;
    assert!((rotation.norm() - 1.0).abs() < 1e-3, "{solid:?}");
    let sizes = match solid.shape {
        Shape::Mesh(mesh) | Shape::Hull(mesh) => {
            let slots = &scene.meshes[mesh].slots;
            assert!(slots.iter().all(|&slot| usize::from(slot) < solid.surfaces.len()));
            return;
        }
        Shape::Cuboid { half_extents } => half_extents.iter().copied().collect(),
        Shape::Ball { radius } => vec![radius],
        Shape::Capsule { half_height, radius } | Shape::Cylinder { half_height, radius } => {
            vec![half_height, radius]
        }
    };
    assert!(sizes.iter().all(|size| size.is_finite() && *size > 0.0), "{solid:?}");
}
