//! Components of a nav world: the grid that agents walk on, and the crowd that walks there.

use std::collections::BTreeMap;

use bevy_asset::Handle;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use bevy_reflect::prelude::ReflectDefault;
use surefoot::crowd::{CrowdSettings, HeldUp, MemberId, UnknownMember};
use surefoot::{Crowd, HeightCost, NavGrid};

use crate::asset::NavGridAsset;

/// A level to walk on: a grid, and how a crowd walks there. One is the usual case; with several, agents,
/// obstacles and link switches say which is theirs by [`InNavWorld`].
///
/// ```
/// # use bevy_asset::Handle;
/// use bevy_surefoot::NavWorld;
/// let world = NavWorld::new(Handle::default());
/// assert_eq!(world.cost.ascend, 1.0);
/// ```
#[derive(Component, Clone, Debug, Default)]
#[component(on_remove = end_crowd)]
#[require(NavWorldStatus, NavCrowd)]
pub struct NavWorld {
    /// The grid.
    pub grid: Handle<NavGridAsset>,
    /// How far members of the crowd look ahead, and how much they plan in a step. A change of it begins
    /// the crowd again: everyone joins where it stands.
    pub settings: CrowdSettings,
    /// What rise and fall cost [metres-equivalent per metre, >= 0]. A change begins the crowd again.
    pub cost: HeightCost,
    /// Names of agents to prepare routes for, so that long paths over large grids are found many times
    /// faster: for the crowd and for [`NavQueries`](crate::NavQueries). That runs on a background thread
    /// and takes some seconds for a million spans; agents join when it is done.
    pub prepare: Vec<String>,
}

impl NavWorld {
    /// A world on a grid, with default settings.
    pub fn new(grid: Handle<NavGridAsset>) -> Self {
        NavWorld { grid, ..NavWorld::default() }
    }
}

/// The world that an agent, an obstacle or a link switch belongs to: an entity with a [`NavWorld`].
///
/// Without it an agent is in the only world there is; obstacles and switches are in all worlds.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct InNavWorld(pub Entity);

/// Whether agents can walk in a world. Written by the plugin.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
#[non_exhaustive]
pub enum NavWorldStatus {
    /// The grid is not there yet, or routes are being prepared.
    #[default]
    Loading,
    /// Agents walk.
    Ready,
    /// Agents walk on the grid from before: the changed file could not be loaded.
    KeptOldGrid {
        /// Why not, from the loader.
        reason: String,
    },
    /// There is no grid: nobody can walk.
    Failed {
        /// Why, from the loader or the crowd's settings.
        reason: String,
    },
}

/// The crowd of a world, to be asked about its members. The plugin steps it.
#[derive(Component, Debug, Default)]
pub struct NavCrowd {
    pub(crate) crowd: Option<Box<Crowd>>,
    pub(crate) entities: BTreeMap<MemberId, Entity>,
    pub(crate) counts: CrowdCounts,
    /// The links that switches rule.
    pub(crate) switched: Vec<usize>,
}

/// How often the crowd of a world, its grid and its ground have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CrowdCounts {
    /// Crowds that were begun: members and obstacles of an earlier one are gone.
    pub crowds: u64,
    /// Grids, whether a new crowd was begun or the crowd went on to it.
    pub grids: u64,
    /// All that changes where somebody can stand: who could not join looks again after each.
    pub changes: u64,
}

impl NavCrowd {
    /// The crowd; `None` until its grid is loaded. It has the states of its members, their waypoints, the
    /// overlay, and draws itself with `surefoot::debug::draw_crowd`.
    pub fn crowd(&self) -> Option<&Crowd> {
        self.crowd.as_deref()
    }

    /// The crowd, for what the plugin has no component for, such as cost factors of areas, stops of lifts,
    /// or taking over a traversal to animate it. Do not step it. A member that is removed from it joins
    /// again.
    pub fn crowd_mut(&mut self) -> Option<&mut Crowd> {
        self.crowd.as_deref_mut()
    }

    /// The entity of a member; `None` for one that the program added itself.
    pub fn entity(&self, member: MemberId) -> Option<Entity> {
        self.entities.get(&member).copied()
    }

    /// What keeps a member from getting on, and the entities that it touches. O(members).
    ///
    /// # Errors
    /// The crowd has no such member.
    pub fn held_up(&self, member: MemberId) -> Result<(HeldUp, Vec<Entity>), UnknownMember> {
        let held_up = self.crowd().ok_or(UnknownMember)?.held_up(member)?;
        let touched = held_up.touched.iter().filter_map(|&other| self.entity(other)).collect();
        Ok((held_up, touched))
    }

    /// The crowd, to change its ground.
    pub(crate) fn ground_mut(&mut self) -> Option<&mut Crowd> {
        self.counts.changes += 1;
        self.crowd.as_deref_mut()
    }

    pub(crate) fn begin(&mut self, crowd: Box<Crowd>) {
        self.end();
        self.crowd = Some(crowd);
    }

    pub(crate) fn end(&mut self) {
        self.crowd = None;
        self.entities.clear();
        self.switched.clear();
        self.counts.crowds += 1;
        self.counts.grids += 1;
        self.counts.changes += 1;
    }

    /// Goes on to another grid; false if that has other agents.
    pub(crate) fn set_grid(&mut self, grid: &NavGrid) -> bool {
        let Some(Ok(lost)) = self.crowd.as_mut().map(|crowd| crowd.set_grid(grid)) else {
            return false;
        };
        for member in lost {
            self.entities.remove(&member);
        }
        self.switched.clear();
        self.counts.grids += 1;
        self.counts.changes += 1;
        true
    }

    /// Removes a member of the crowd of a number, unless it is gone already, as with its ground.
    pub(crate) fn leave(&mut self, member: MemberId, number: u64) {
        if number == self.counts.crowds
            && self.entities.remove(&member).is_some()
            && let Some(crowd) = &mut self.crowd
        {
            crowd.remove(member).ok();
        }
    }
}

/// The crowd goes with its world.
fn end_crowd(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut crowd) = world.get_mut::<NavCrowd>(context.entity) {
        crowd.end();
    }
}
