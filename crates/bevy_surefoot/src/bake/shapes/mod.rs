//! What has geometry: triangles of the program, meshes, colliders. Each kind is a file, and nothing if its
//! feature is off.

#[cfg(feature = "avian")]
pub(crate) mod avian;
#[cfg(feature = "mesh")]
pub(crate) mod mesh;
#[cfg(feature = "rapier")]
pub(crate) mod rapier;

use bevy_app::App;
use bevy_ecs::change_detection::{DetectChanges, Ref, Tick};
use bevy_ecs::query::{Has, Or, QueryData, With};
use bevy_ecs::schedule::SystemSet;
use bevy_ecs::system::SystemParam;

use super::components::NavTriangles;
use super::geometry::Geometry;

/// Stands in for kinds whose features are off.
#[allow(dead_code)]
mod none {
    use super::{Has, NavTriangles, With};
    pub type Data = Has<NavTriangles>;
    pub type Filter = With<NavTriangles>;
}

#[cfg(feature = "avian")]
use avian as avian_kind;
#[cfg(feature = "mesh")]
use mesh as mesh_kind;
#[cfg(not(feature = "avian"))]
use none as avian_kind;
#[cfg(not(feature = "mesh"))]
use none as mesh_kind;
#[cfg(not(feature = "rapier"))]
use none as rapier_kind;
#[cfg(feature = "rapier")]
use rapier as rapier_kind;

/// Whatever may have geometry.
pub(crate) type HasGeometry =
    Or<(With<NavTriangles>, avian_kind::Filter, rapier_kind::Filter, mesh_kind::Filter)>;

/// The geometry of an entity, of whatever kind.
#[derive(QueryData)]
pub(crate) struct ShapeRow {
    triangles: Option<Ref<'static, NavTriangles>>,
    #[allow(dead_code)]
    avian: avian_kind::Data,
    #[allow(dead_code)]
    rapier: rapier_kind::Data,
    #[allow(dead_code)]
    mesh: mesh_kind::Data,
}

/// What geometry is looked up in.
#[derive(SystemParam)]
pub(crate) struct ShapeSources<'w, 's> {
    #[cfg(feature = "mesh")]
    meshes: mesh::Meshes<'w>,
    marker: std::marker::PhantomData<(&'w (), &'s ())>,
}

/// Tells whether geometry may have changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShapeState {
    pub changed: Tick,
    /// How often the asset was modified.
    pub revision: u64,
}

impl ShapeRowItem<'_, '_> {
    pub fn state(&self, sources: &ShapeSources) -> ShapeState {
        let _ = sources;
        if let Some(own) = &self.triangles {
            return ShapeState { changed: own.last_changed(), revision: 0 };
        }
        #[cfg(feature = "avian")]
        if let Some(collider) = &self.avian {
            return ShapeState { changed: collider.last_changed(), revision: 0 };
        }
        #[cfg(feature = "rapier")]
        if let Some(collider) = &self.rapier {
            return ShapeState { changed: collider.last_changed(), revision: 0 };
        }
        #[cfg(feature = "mesh")]
        if let Some(mesh) = &self.mesh {
            let revision = sources.meshes.revision(mesh);
            return ShapeState { changed: mesh.last_changed(), revision };
        }
        ShapeState { changed: Tick::new(0), revision: 0 }
    }

    /// The triangles.
    ///
    /// # Errors
    /// Why there are none.
    pub fn geometry(&self, sources: &ShapeSources) -> Result<Geometry, String> {
        let _ = sources;
        if let Some(own) = &self.triangles {
            let vertices = own.vertices.iter().map(|vertex| vertex.to_array()).collect();
            return Ok(Geometry { vertices, triangles: own.triangles.clone() });
        }
        #[cfg(feature = "avian")]
        if let Some(collider) = &self.avian {
            return avian::geometry(collider);
        }
        #[cfg(feature = "rapier")]
        if let Some(collider) = &self.rapier {
            return rapier::geometry(collider);
        }
        #[cfg(feature = "mesh")]
        if let Some(mesh) = &self.mesh {
            return sources.meshes.geometry(mesh);
        }
        Err("it has no geometry".to_owned())
    }
}

/// What has become of assets is counted.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShapeChanges;

pub(crate) fn build(app: &mut App) {
    #[cfg(feature = "mesh")]
    mesh::build(app);
    let _ = app;
}
