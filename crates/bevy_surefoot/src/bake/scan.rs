//! Provides [`SourceScan`]: the sources of a level as they are now.

use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::name::Name;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::{Query, SystemParam};
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::helper::TransformHelper;

use super::components::NavSource;
use super::geometry::{Geometry, SourcePlace};
use super::shapes::{HasGeometry, ShapeRow, ShapeSources, ShapeState};
use crate::nav_world::InNavWorld;

/// An entity with geometry.
#[derive(QueryData)]
pub(crate) struct SourceRow {
    entity: Entity,
    pub shape: ShapeRow,
    transform: &'static Transform,
    parent: Option<&'static ChildOf>,
    source: Option<&'static NavSource>,
    in_world: Option<&'static InNavWorld>,
    name: Option<&'static Name>,
}

/// All entities with geometry, and what they are read with.
#[derive(SystemParam)]
pub(crate) struct SourceScan<'w, 's> {
    rows: Query<'w, 's, SourceRow, HasGeometry>,
    parents: Query<'w, 's, &'static ChildOf>,
    sources: Query<'w, 's, &'static NavSource>,
    transforms: TransformHelper<'w, 's>,
    pub shapes: ShapeSources<'w, 's>,
}

/// A source as it is now.
pub(crate) struct SourceNow<'a> {
    pub entity: Entity,
    pub source: &'a NavSource,
    /// `None` if its transform has numbers that are not finite.
    pub place: Option<SourcePlace>,
    pub state: ShapeState,
    row: SourceRowItem<'a, 'a>,
}

impl SourceScan<'_, '_> {
    /// Calls for each source of a world.
    pub fn each<'a>(&'a self, world: Entity, mut call: impl FnMut(SourceNow<'a>)) {
        for row in &self.rows {
            if row.in_world.is_some_and(|named| named.0 != world) {
                continue;
            }
            let inherited = || {
                let mut above = self.parents.iter_ancestors(row.entity);
                above.find_map(|entity| self.sources.get(entity).ok())
            };
            let Some(source) = row.source.or_else(inherited).filter(|own| !own.is_left_out) else {
                continue;
            };
            let global = match row.parent {
                None => Some(GlobalTransform::from(*row.transform)),
                Some(_) => self.transforms.compute_global_transform(row.entity).ok(),
            };
            let place = global.as_ref().and_then(SourcePlace::new);
            let state = row.shape.state(&self.shapes);
            call(SourceNow { entity: row.entity, source, place, state, row });
        }
    }
}

impl SourceNow<'_> {
    /// A name that no other source has.
    pub fn name(&self) -> String {
        match self.row.name {
            Some(name) => format!("{name} ({})", self.entity),
            None => format!("entity {}", self.entity),
        }
    }

    /// Its triangles, as they are deformed.
    ///
    /// # Errors
    /// Why it has none, or no place.
    pub fn geometry(&self, shapes: &ShapeSources) -> Result<Geometry, String> {
        let place = self.place.ok_or("its Transform has numbers that are not finite")?;
        Ok(self.row.shape.geometry(shapes)?.deformed(&place))
    }
}
