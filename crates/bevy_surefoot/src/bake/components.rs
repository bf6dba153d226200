//! Components of a bake.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::Message;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_reflect::prelude::ReflectDefault;
use surefoot::grid::Area;
use surefoot_bake::BakeSettings;
use surefoot_bake::scene::LinkMarker;

use crate::nav_world::NavWorld;

/// Bakes the grid of a world from its [sources](NavSource), and bakes again what changes around those that
/// move, come or go. A change of this component bakes everything anew.
///
/// The first bake begins once there is a source with geometry.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(NavWorld, NavBakeStatus, NavBakeReport)]
pub struct NavBake {
    /// The agents to bake for, the size of cells and so on.
    pub settings: BakeSettings,
    /// Kinds of ground beside plain walkable ground, for [`NavSource::area`].
    pub areas: Vec<Area>,
    /// Off-mesh connections, such as ladders and doors.
    pub links: Vec<LinkMarker>,
    /// Whether the grid follows what changes after the first bake.
    pub follows: bool,
    /// A source that has moved by no more than this, or turned by no more than so many radians, has not
    /// moved [m, >= 0].
    pub tolerance: f32,
    /// Whether bakes run on another thread; the fixed update that sees their result then depends on how long
    /// they take. If not, fixed updates wait for them, and the same program gives the same motion.
    pub in_background: bool,
}

impl NavBake {
    /// A bake with settings, that follows changes, in the background.
    pub fn new(settings: BakeSettings) -> Self {
        NavBake { settings, ..NavBake::default() }
    }
}

impl Default for NavBake {
    fn default() -> Self {
        NavBake {
            settings: BakeSettings::default(),
            areas: Vec::new(),
            links: Vec::new(),
            follows: true,
            tolerance: 1e-3,
            in_background: true,
        }
    }
}

/// Geometry to bake: that of this entity and, as far as they have no `NavSource` of their own, of all below
/// it, such as the root of a glTF scene.
///
/// Geometry is, in this order: [`NavTriangles`]; a collider of avian (feature `avian`) or rapier (feature
/// `rapier`); a mesh (feature `mesh`). With [`InNavWorld`](crate::InNavWorld) on the entity that has the
/// geometry, it is in that world only.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct NavSource {
    /// It blocks, and no agent stands on it.
    pub is_obstacle: bool,
    /// Its triangles can be floor on both sides.
    pub is_two_sided: bool,
    /// The kind of ground that it is, by a name of [`NavBake::areas`]; `None` for plain walkable ground.
    pub area: Option<String>,
    /// It is left out, as a leaf of a scene whose root is a source.
    pub is_left_out: bool,
}

/// Triangles that the program hands over to be baked.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct NavTriangles {
    /// Positions of corners, in the space of the entity [m].
    pub vertices: Vec<Vec3>,
    /// The corners of each triangle, as indices of vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// How far a bake is. Written by the plugin.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
#[non_exhaustive]
pub enum NavBakeStatus {
    /// There is no source with geometry yet.
    #[default]
    NoSources,
    /// A bake runs. Agents walk on the grid before, if there is one.
    Baking,
    /// The grid is up to date.
    Done,
    /// The bake failed. The grid before stays, and the next change tries again.
    Failed {
        /// Why.
        reason: String,
    },
}

/// What the last bake did. Written by the plugin.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq)]
pub struct NavBakeReport {
    /// How many sources are in the grid.
    pub sources: usize,
    /// The sources that are not, and why.
    pub faults: Vec<NavSourceFault>,
    /// How many cells were cast.
    pub cells_baked: usize,
    /// How many cells the level has.
    pub cells: usize,
}

/// A source that could not be baked; the others were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavSourceFault {
    /// The entity with the geometry.
    pub source: Entity,
    /// What is wrong.
    pub reason: String,
}

/// A bake is done, and its grid is that of its world.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct NavBaked {
    /// The world.
    pub world: Entity,
    /// How many cells were cast.
    pub cells_baked: usize,
    /// How many cells the level has.
    pub cells: usize,
}
