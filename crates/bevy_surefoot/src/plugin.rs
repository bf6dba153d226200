//! Provides [`SurefootPlugin`]: puts everything into an app.

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_asset::{AssetApp, AssetPlugin};
use bevy_ecs::schedule::IntoScheduleConfigs;

use crate::asset::{NavGridAsset, NavGridLoader};
use crate::messages::{AgentArrived, AgentStuck, NavGridFailed, PathPartial};
use crate::nav_agent::{NavMovement, NavOffset, NavTarget, NavVelocity};
use crate::nav_world::{InNavWorld, NavWorld, NavWorldStatus};
use crate::obstacle::{LinkRules, NavObstacle, NavObstacleStatus};
use crate::queries::NavNavigators;
use crate::read::link_rules::apply_switches;
use crate::read::load_worlds::{CrowdLoad, load_worlds};
use crate::read::members::read_agents;
use crate::read::obstacle_places::place_obstacles;
use crate::schedule::SurefootSystems;
use crate::step::step_crowds;
use crate::write::write_agents;

/// Lets agents walk, in `FixedUpdate`: see [`SurefootSystems`]. Add it after `AssetPlugin`, which
/// `DefaultPlugins` has.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurefootPlugin;

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
        app.register_required_components::<NavWorld, NavNavigators>();
        app.register_required_components::<NavWorld, CrowdLoad>();
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
