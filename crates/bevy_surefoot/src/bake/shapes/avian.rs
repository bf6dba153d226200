//! Triangles of avian's colliders, before their scale.

use avian3d::collision::collider::trimesh_builder::TrimeshBuilder;
use avian3d::prelude::Collider;
use bevy_ecs::change_detection::Ref;
use bevy_ecs::query::With;

use super::super::geometry::Geometry;

pub(crate) type Data = Option<Ref<'static, Collider>>;
pub(crate) type Filter = With<Collider>;

pub(crate) fn geometry(collider: &Collider) -> Result<Geometry, String> {
    let trimesh = TrimeshBuilder::new(collider.shape().clone()).build();
    let trimesh = trimesh.map_err(|error| format!("its collider: {error}"))?;
    let vertices = trimesh.vertices.iter().map(|vertex| vertex.to_array()).collect();
    Ok(Geometry { vertices, triangles: trimesh.indices })
}
