//! Triangles of Bevy's meshes.

use std::collections::HashMap;

use bevy_app::{App, FixedUpdate};
use bevy_asset::{AssetEvent, AssetId, Assets};
use bevy_ecs::change_detection::Ref;
use bevy_ecs::message::{MessageReader, Messages};
use bevy_ecs::query::With;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Res, ResMut, SystemParam};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology};

use super::super::geometry::Geometry;
use super::ShapeChanges;
use crate::schedule::SurefootSystems;

pub(crate) type Data = Option<Ref<'static, Mesh3d>>;
pub(crate) type Filter = With<Mesh3d>;

/// How often each mesh was modified or loaded again. Looked up, never iterated.
#[derive(Resource, Debug, Default)]
pub(crate) struct MeshRevisions(HashMap<AssetId<Mesh>, u64>);

/// The meshes of a program; `None` in one without Bevy's mesh plugin.
#[derive(SystemParam)]
pub(crate) struct Meshes<'w> {
    assets: Option<Res<'w, Assets<Mesh>>>,
    revisions: Res<'w, MeshRevisions>,
}

impl Meshes<'_> {
    pub fn revision(&self, mesh: &Mesh3d) -> u64 {
        self.revisions.0.get(&mesh.0.id()).copied().unwrap_or(0)
    }

    pub fn geometry(&self, mesh: &Mesh3d) -> Result<Geometry, String> {
        let assets = self.assets.as_ref().ok_or("the program has no Assets<Mesh>")?;
        triangles(assets.get(mesh.0.id()).ok_or("its mesh is not loaded")?)
    }
}

fn triangles(mesh: &Mesh) -> Result<Geometry, String> {
    // A mesh that only the renderer keeps says so.
    let positions = mesh.try_attribute(Mesh::ATTRIBUTE_POSITION);
    let positions = positions.map_err(|error| format!("its positions: {error}"))?;
    let vertices = positions.as_float3().ok_or("its positions are not three floats")?.to_vec();
    let indices = mesh.try_indices_option().map_err(|error| format!("its indices: {error}"))?;
    let corners: Vec<u32> = match indices {
        Some(Indices::U16(indices)) => indices.iter().map(|&index| index.into()).collect(),
        Some(Indices::U32(indices)) => indices.clone(),
        None => (0..vertices.len() as u32).collect(),
    };
    let triangles = match mesh.primitive_topology() {
        PrimitiveTopology::TriangleList => corners.as_chunks().0.to_vec(),
        PrimitiveTopology::TriangleStrip => {
            let turned = |(at, corners): (usize, &[u32])| match at % 2 {
                0 => [corners[0], corners[1], corners[2]],
                _ => [corners[1], corners[0], corners[2]],
            };
            corners.windows(3).enumerate().map(turned).collect()
        }
        other => return Err(format!("its mesh is made of {other:?}, not of triangles")),
    };
    Ok(Geometry { vertices, triangles })
}

pub(crate) fn build(app: &mut App) {
    app.init_resource::<MeshRevisions>();
    let has_meshes = |messages: Option<Res<Messages<AssetEvent<Mesh>>>>| messages.is_some();
    let count = count_revisions.run_if(has_meshes);
    app.add_systems(FixedUpdate, count.in_set(SurefootSystems::Bake).in_set(ShapeChanges));
}

fn count_revisions(
    mut events: MessageReader<AssetEvent<Mesh>>,
    mut revisions: ResMut<MeshRevisions>,
) {
    for event in events.read() {
        match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => {
                *revisions.0.entry(*id).or_default() += 1;
            }
            AssetEvent::Unused { id } | AssetEvent::Removed { id } => {
                revisions.0.remove(id);
            }
            AssetEvent::LoadedWithDependencies { .. } => {}
        }
    }
}
