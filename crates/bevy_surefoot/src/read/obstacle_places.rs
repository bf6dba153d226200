//! Places obstacles on the ground, and follows those that move.

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Ref};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::query::{QueryData, With};
use bevy_ecs::system::{Local, Query};
use bevy_math::{Quat, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::helper::TransformHelper;
use surefoot::Obstacle;

use crate::convert::{point, vector};
use crate::nav_world::{InNavWorld, NavCrowd, NavWorld};
use crate::obstacle::{
    NavObstacle, NavObstacleShape, NavObstacleStatus, ObstaclePlaces, PlacedObstacle,
};
use crate::queries::NavNavigators;

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct ObstacleRow {
    entity: Entity,
    obstacle: Ref<'static, NavObstacle>,
    transform: Ref<'static, Transform>,
    parent: Option<&'static ChildOf>,
    in_world: Option<&'static InNavWorld>,
    places: &'static mut ObstaclePlaces,
    status: &'static mut NavObstacleStatus,
}

type Grounds<'w, 's> =
    Query<'w, 's, (Entity, &'static mut NavCrowd, &'static mut NavNavigators), With<NavWorld>>;

/// Places obstacles that are new or have moved.
pub(crate) fn place_obstacles(
    mut obstacles: Query<ObstacleRow>,
    mut grounds: Grounds,
    transforms: TransformHelper,
    mut known: Local<Vec<(Entity, u64)>>,
) {
    let now = grounds.iter().map(|(world, nav_crowd, _)| (world, nav_crowd.counts.crowds));
    let has_new_crowds = !now.clone().eq(known.iter().copied());
    if has_new_crowds {
        known.clear();
        known.extend(now);
    }
    for mut row in &mut obstacles {
        let is_changed = row.obstacle.is_changed() || has_new_crowds || row.changes_world();
        if !is_changed && row.parent.is_none() && !row.transform.is_changed() {
            continue;
        }
        let global = match row.parent {
            None => GlobalTransform::from(*row.transform),
            // Without a parent's transform it has no place.
            Some(_) => transforms
                .compute_global_transform(row.entity)
                .unwrap_or(Transform::from_translation(Vec3::NAN).into()),
        };
        if is_changed || row.has_moved(&global) {
            row.places.global = Some(global);
            row.places.in_world = row.in_world.map(|named| named.0);
            row.place(&mut grounds, &global);
        }
    }
}

impl ObstacleRowItem<'_, '_> {
    fn changes_world(&self) -> bool {
        self.in_world.map(|named| named.0) != self.places.in_world
    }

    /// Whether a part of it has moved by more than its tolerance.
    fn has_moved(&self, global: &GlobalTransform) -> bool {
        let Some(before) = &self.places.global else { return true };
        let reach = match &self.obstacle.shape {
            NavObstacleShape::Box { half } => *half,
            NavObstacleShape::Cylinder { radius, height } => Vec3::new(*radius, *height, *radius),
            NavObstacleShape::Prism { corners, height } => {
                let far = corners.iter().map(|corner| corner.length()).fold(0.0, f32::max);
                Vec3::new(far, *height, far)
            }
        };
        let moved = global.translation() - before.translation();
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| {
            let of = |global: &GlobalTransform| global.affine().transform_vector3(axis * reach);
            (of(global) - of(before)).length()
        });
        // Of its corners none moves by more.
        let most = moved.length() + axes.iter().sum::<f32>();
        let is_lost = |global: &GlobalTransform| !global.affine().is_finite();
        most > self.obstacle.tolerance || is_lost(before) != is_lost(global)
    }

    fn place(&mut self, grounds: &mut Grounds, global: &GlobalTransform) {
        let shape = obstacle(&self.obstacle.shape, global);
        let mut status = NavObstacleStatus::NoGrid;
        let before = std::mem::take(&mut self.places.placed);
        for (world, mut nav_crowd, mut navigators) in grounds {
            let is_here = self.in_world.is_none_or(|named| named.0 == world);
            let number = nav_crowd.counts.crowds;
            let old = before.iter().find(|old| old.world == world && old.crowd == number);
            if nav_crowd.crowd.is_none() || !is_here && old.is_none() {
                continue;
            }
            navigators.release();
            let Some(crowd) = nav_crowd.ground_mut() else { continue };
            if let Some(old) = old {
                crowd.unblock(old.id);
            }
            if is_here {
                match crowd.block(shape.clone()) {
                    Ok(id) => {
                        self.places.placed.push(PlacedObstacle { world, crowd: number, id });
                        status = NavObstacleStatus::Placed;
                    }
                    Err(error) => {
                        status = NavObstacleStatus::NoShape { reason: error.to_string() };
                    }
                }
            }
        }
        self.status.set_if_neq(status);
    }
}

/// The shape where its entity is, upright.
fn obstacle(shape: &NavObstacleShape, global: &GlobalTransform) -> Obstacle {
    let (scale, rotation, at) = global.to_scale_rotation_translation();
    let scale = scale.abs();
    let yaw = yaw(rotation);
    match shape {
        NavObstacleShape::Box { half } => {
            Obstacle::Box { center: point(at), half: vector(*half * scale), yaw }
        }
        NavObstacleShape::Cylinder { radius, height } => Obstacle::Cylinder {
            base: point(at),
            radius: radius * scale.x.max(scale.z),
            height: height * scale.y,
        },
        NavObstacleShape::Prism { corners, height } => {
            let (sin, cos) = yaw.sin_cos();
            let corner = |corner: &bevy_math::Vec2| {
                let (x, z) = (corner.x * scale.x, corner.y * scale.z);
                [at.x + cos * x - sin * z, at.z + sin * x + cos * z]
            };
            Obstacle::Prism {
                corners: corners.iter().map(corner).collect(),
                bottom: at.y,
                top: at.y + height * scale.y,
            }
        }
    }
}

/// The angle that a rotation turns +x by, from +x towards +z, seen from above [rad].
fn yaw(rotation: Quat) -> f32 {
    let x = rotation * Vec3::X;
    match x.x.hypot(x.z) > 1e-3 {
        true => x.z.atan2(x.x),
        // It stands on its side: +z tells how it is turned.
        false => {
            let z = rotation * Vec3::Z;
            (-z.x).atan2(z.z)
        }
    }
}
