//! Bevy plugin for [`surefoot`]: agents that walk over baked 3D levels.
//!
//! ```no_run
//! # use bevy_app::prelude::*;
//! # use bevy_asset::AssetServer;
//! # use bevy_ecs::prelude::*;
//! # use bevy_math::Vec3;
//! # use bevy_transform::components::Transform;
//! use bevy_surefoot::prelude::*;
//!
//! fn setup(mut commands: Commands, assets: Res<AssetServer>) {
//!     commands.spawn(NavWorld::new(assets.load("level.navgrid")));
//!     commands.spawn((
//!         NavAgent::new("human"),
//!         NavTarget::Point(Vec3::new(40.0, 2.0, -7.5)),
//!         Transform::from_xyz(3.0, 0.0, 4.0),
//!     ));
//! }
//!
//! fn greet(mut arrivals: MessageReader<AgentArrived>) {
//!     for arrival in arrivals.read() {
//!         println!("{} is there", arrival.agent);
//!     }
//! }
//!
//! fn main() {
//!     let mut app = App::new();
//!     // With the whole of Bevy: app.add_plugins(DefaultPlugins).
//!     # app.add_plugins((bevy_app::TaskPoolPlugin::default(), bevy_time::TimePlugin));
//!     # app.add_plugins(bevy_asset::AssetPlugin::default());
//!     app.add_plugins(SurefootPlugin);
//!     app.add_systems(Startup, setup).add_systems(Update, greet);
//!     app.run();
//! }
//! ```
//!
//! - [`NavWorld`] is a grid and the crowd on it; [`NavAgent`] is a body of the crowd, [`NavTarget`] where it
//!   goes, [`NavStatus`] what it does and why not more.
//! - [`SurefootSystems`] says when what is read and written, in `FixedUpdate`.
//! - [`NavMovement`] says who moves a body: the crowd, your controller by [`NavVelocity`], or you.
//! - [`NavObstacle`] and [`NavLinkSwitch`] change the ground; [`NavQueries`] answers questions about it.

#![forbid(unsafe_code)]

mod asset;
#[cfg(feature = "bake")]
mod bake;
mod convert;
#[cfg(feature = "gizmos")]
mod gizmos;
mod messages;
mod nav_agent;
mod nav_world;
mod obstacle;
mod plugin;
mod queries;
mod read;
mod schedule;
mod status;
mod step;
mod write;

pub use asset::{NavGridAsset, NavGridLoadError, NavGridLoader, NavGridSettings};
#[cfg(feature = "bake")]
pub use bake::{
    BakeSettings, LinkMarker, NavBake, NavBakeReport, NavBakeStatus, NavBaked, NavSource,
    NavSourceFault, NavTriangles,
};
#[cfg(feature = "gizmos")]
pub use gizmos::{NavGizmoGroup, NavGizmos, NavGroundLines, SurefootGizmosPlugin};
pub use messages::{AgentArrived, AgentStuck, NavGridFailed, PathPartial};
pub use nav_agent::{
    AgentGround, NavAgent, NavMembership, NavMovement, NavOffset, NavTarget, NavVelocity,
};
pub use nav_world::{InNavWorld, NavCrowd, NavWorld, NavWorldStatus};
pub use obstacle::{
    LinkName, NavLinkStatus, NavLinkSwitch, NavObstacle, NavObstacleShape, NavObstacleStatus,
};
pub use plugin::SurefootPlugin;
pub use queries::{NavAnswers, NavHit, NavNavigators, NavQueries, NavQueryError};
pub use schedule::SurefootSystems;
pub use status::NavStatus;
pub use surefoot;
#[cfg(feature = "bake")]
pub use surefoot_bake;

/// What most programs use.
pub mod prelude {
    pub use crate::{
        AgentArrived, AgentGround, AgentStuck, InNavWorld, NavAgent, NavCrowd, NavGridAsset,
        NavLinkSwitch, NavMovement, NavObstacle, NavObstacleShape, NavOffset, NavQueries,
        NavStatus, NavTarget, NavVelocity, NavWorld, NavWorldStatus, PathPartial, SurefootPlugin,
        SurefootSystems,
    };
    #[cfg(feature = "bake")]
    pub use crate::{BakeSettings, NavBake, NavBakeStatus, NavBaked, NavSource, NavTriangles};
}

/// The code of the README, compiled as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
