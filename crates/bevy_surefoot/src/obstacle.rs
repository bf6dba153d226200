//! Components of what comes and goes at run time: obstacles and link switches.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Vec2, Vec3};
use bevy_reflect::Reflect;
use bevy_reflect::prelude::ReflectDefault;
use bevy_transform::components::{GlobalTransform, Transform};
use surefoot::grid::LinkId;
use surefoot::view::ObstacleId;

use crate::nav_world::NavCrowd;
use crate::queries::NavNavigators;

/// Something that agents go around. It follows its `Transform`, and its parents', without a delay: position,
/// turn about y, and scale. It stays upright however the entity is tilted. Agents need none: they see each
/// other.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component)]
#[component(on_remove = unblock)]
#[require(Transform, NavObstacleStatus, ObstaclePlaces)]
pub struct NavObstacle {
    /// Its shape.
    pub shape: NavObstacleShape,
    /// The ground is changed once a part of the obstacle has moved by more than this [m, >= 0]. A change
    /// takes time in proportion to the columns under it.
    pub tolerance: f32,
}

impl NavObstacle {
    /// An obstacle that may move by a centimetre before the ground follows.
    pub fn new(shape: NavObstacleShape) -> Self {
        NavObstacle { shape, tolerance: 0.01 }
    }
}

/// The shape of an obstacle, about the origin of its entity.
#[derive(Clone, Debug, PartialEq, Reflect)]
#[non_exhaustive]
pub enum NavObstacleShape {
    /// A box, with the origin in its center.
    Box {
        /// Half its size [m, >= 0].
        half: Vec3,
    },
    /// An upright cylinder, with the origin in the center of its lower side. It is scaled by the larger of
    /// the scales along x and z.
    Cylinder {
        /// Its radius [m, >= 0].
        radius: f32,
        /// Its height [m, >= 0].
        height: f32,
    },
    /// A polygon that may be concave, extruded upwards from the origin.
    Prism {
        /// Its corners along x and z, in either order [m].
        corners: Vec<Vec2>,
        /// Its height [m, >= 0].
        height: f32,
    },
}

/// What became of an obstacle. Written by the plugin.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
#[non_exhaustive]
pub enum NavObstacleStatus {
    /// No world has a grid yet.
    #[default]
    NoGrid,
    /// Agents go around it.
    Placed,
    /// It is no shape, or its `Transform` has numbers that are NaN or infinite: nobody goes around it.
    NoShape {
        /// Why.
        reason: String,
    },
}

/// Where an obstacle was placed. Kept by the plugin.
#[derive(Component, Debug, Default)]
pub(crate) struct ObstaclePlaces {
    pub placed: Vec<PlacedObstacle>,
    /// Where it was then.
    pub global: Option<GlobalTransform>,
    /// The world that it was to be in.
    pub in_world: Option<Entity>,
}

/// An obstacle on the ground of a crowd.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedObstacle {
    pub world: Entity,
    /// The number of the crowd.
    pub crowd: u64,
    pub id: ObstacleId,
}

/// Opens and closes links, such as doors. A link that several switches name is open if all of them say so;
/// one that no switch names any more is open again.
#[derive(Component, Clone, Debug, PartialEq)]
#[component(on_insert = note_switch, on_remove = note_switch)]
#[require(NavLinkStatus)]
pub struct NavLinkSwitch {
    /// Which links.
    pub link: LinkName,
    /// Whether they are open.
    pub open: bool,
}

/// Which links of a grid a switch is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkName {
    /// All links of a name: that of the node that marks them.
    Name(String),
    /// The link of an id, which stays from bake to bake.
    Id(LinkId),
}

/// What became of a link switch. Written by the plugin.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NavLinkStatus {
    /// No world has a grid yet.
    #[default]
    NoGrid,
    /// It switches links.
    Switches {
        /// How many, in all worlds together.
        links: usize,
    },
    /// There is no such link.
    Unknown {
        /// The names of the links that there are, without repeats.
        known: Vec<String>,
    },
}

/// Whether switches came or went since they were applied.
#[derive(Resource, Debug, Default)]
pub(crate) struct LinkRules {
    pub is_stale: bool,
}

/// The obstacle goes with its entity.
fn unblock(mut world: DeferredWorld, context: HookContext) {
    let Some(mut places) = world.get_mut::<ObstaclePlaces>(context.entity) else { return };
    for PlacedObstacle { world: at, crowd, id } in std::mem::take(&mut *places).placed {
        if let Some(mut navigators) = world.get_mut::<NavNavigators>(at) {
            navigators.release();
        }
        if let Some(mut nav_crowd) = world.get_mut::<NavCrowd>(at)
            && nav_crowd.counts.crowds == crowd
            && let Some(crowd) = nav_crowd.ground_mut()
        {
            crowd.unblock(id);
        }
    }
}

fn note_switch(mut world: DeferredWorld, _context: HookContext) {
    if let Some(mut rules) = world.get_resource_mut::<LinkRules>() {
        rules.is_stale = true;
    }
}
