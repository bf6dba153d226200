//! Provides [`SurefootPlugin`], and the order of its systems.

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_asset::{AssetApp, AssetPlugin};
use bevy_ecs::schedule::{IntoScheduleConfigs, SystemSet};

use crate::asset::{NavGridAsset, NavGridLoader};
use crate::messages::{AgentArrived, AgentStuck, NavGridFailed, PathPartial};
use crate::nav_agent::{NavMovement, NavOffset, NavTarget, NavVelocity};
use crate::nav_world::{InNavWorld, NavWorldStatus};
use crate::obstacle::{NavObstacle, NavObstacleStatus};
use crate::read::link_rules::{LinkRules, apply_switches};
use crate::read::load_worlds::load_worlds;
use crate::read::members::read_agents;
use crate::read::obstacle_places::place_obstacles;
use crate::step::step_crowds;
use crate::write::write_agents;

/// Lets agents walk, in `FixedUpdate`: see [`SurefootSystems`]. Add it after `AssetPlugin`, which
/// `DefaultPlugins` has.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurefootPlugin;

/// The steps of the plugin, one after the other, in `FixedUpdate`.
///
/// What the program changes before `Read` has its effect in the same fixed update; so whoever sets targets
/// or moves bodies in `FixedUpdate` does it before `Read`, and whoever uses [`NavVelocity`] after `Write`.
/// What is changed in `Update` is seen by the first fixed update of the next frame, because Bevy runs those
/// first.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SurefootSystems {
    /// Begins bakes, looks at what their geometry has become, and takes over grids that are done.
    Bake,
    /// Reads grids, obstacles, link switches, bodies and targets.
    Read,
    /// Steps the crowds.
    Step,
    /// Moves bodies, and writes velocities, grounds, states and messages.
    Write,
}

impl Plugin for SurefootPlugin {
    /// # Panics
    /// `AssetPlugin` was not added before.
    fn build(&self, app: &mut App) {
        assert!(
            app.is_plugin_added::<AssetPlugin>(),
            "add SurefootPlugin after AssetPlugin, which DefaultPlugins has"
        );
        app.init_asset::<NavGridAsset>().init_asset_loader::<NavGridLoader>();
        app.add_message::<AgentArrived>().add_message::<AgentStuck>();
        app.add_message::<PathPartial>().add_message::<NavGridFailed>();
        app.register_type::<InNavWorld>().register_type::<NavWorldStatus>();
        app.register_type::<NavTarget>().register_type::<NavOffset>();
        app.register_type::<NavMovement>().register_type::<NavVelocity>();
        app.register_type::<NavObstacle>().register_type::<NavObstacleStatus>();
        app.init_resource::<LinkRules>();
        let order = (
            SurefootSystems::Bake,
            SurefootSystems::Read,
            SurefootSystems::Step,
            SurefootSystems::Write,
        );
        app.configure_sets(FixedUpdate, order.chain());
        let read = (load_worlds, place_obstacles, apply_switches, read_agents);
        app.add_systems(FixedUpdate, read.chain().in_set(SurefootSystems::Read));
        app.add_systems(FixedUpdate, step_crowds.in_set(SurefootSystems::Step));
        app.add_systems(FixedUpdate, write_agents.in_set(SurefootSystems::Write));
        #[cfg(feature = "bake")]
        crate::bake::build(app);
    }
}
