//! Triangles of rapier's colliders, before their scale.

use bevy_ecs::change_detection::Ref;
use bevy_ecs::query::With;
use bevy_rapier3d::geometry::{Collider, ColliderView};
use bevy_transform::components::Transform;

use super::super::geometry::Geometry;

pub(crate) type Data = Option<Ref<'static, Collider>>;
pub(crate) type Filter = With<Collider>;

/// Into so many parts round shapes are cut, once around.
const ROUND: u32 = 16;

pub(crate) fn geometry(collider: &Collider) -> Result<Geometry, String> {
    let mut all = Geometry::default();
    add(collider.as_unscaled_typed_shape(), Transform::IDENTITY, &mut all)?;
    Ok(all)
}

/// Adds the triangles of a shape.
fn add(shape: ColliderView, pose: Transform, all: &mut Geometry) -> Result<(), String> {
    let (vertices, triangles) = match &shape {
        ColliderView::Compound(compound) => {
            for (offset, rotation, part) in compound.shapes() {
                let offset = Transform::from_translation(offset).with_rotation(rotation);
                add(part, pose * offset, all)?;
            }
            return Ok(());
        }
        ColliderView::Ball(ball) => ball.raw.to_trimesh(ROUND, ROUND),
        ColliderView::Capsule(capsule) => capsule.raw.to_trimesh(ROUND, ROUND),
        ColliderView::Cone(cone) => cone.raw.to_trimesh(ROUND),
        ColliderView::ConvexPolyhedron(hull) => hull.raw.to_trimesh(),
        ColliderView::Cuboid(cuboid) => cuboid.raw.to_trimesh(),
        ColliderView::Cylinder(cylinder) => cylinder.raw.to_trimesh(ROUND),
        ColliderView::HeightField(heights) => heights.raw.to_trimesh(),
        ColliderView::TriMesh(mesh) => (mesh.raw.vertices().to_vec(), mesh.raw.indices().to_vec()),
        ColliderView::Voxels(voxels) => voxels.raw.to_trimesh(),
        // As avian does it: without their round borders.
        ColliderView::RoundCone(cone) => cone.raw.inner_shape.to_trimesh(ROUND),
        ColliderView::RoundConvexPolyhedron(hull) => hull.raw.inner_shape.to_trimesh(),
        ColliderView::RoundCuboid(cuboid) => cuboid.raw.inner_shape.to_trimesh(),
        ColliderView::RoundCylinder(cylinder) => cylinder.raw.inner_shape.to_trimesh(ROUND),
        other => return Err(format!("its collider, {other:?}, is no surface of triangles")),
    };
    let first = all.vertices.len() as u32;
    all.vertices.extend(vertices.iter().map(|&vertex| pose.transform_point(vertex).to_array()));
    all.triangles.extend(triangles.iter().map(|corners| corners.map(|corner| first + corner)));
    Ok(())
}
