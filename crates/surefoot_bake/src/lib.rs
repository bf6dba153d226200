//! Bakes nav grids: a glTF scene, or one built in code, becomes a [`surefoot::NavGrid`].
//!
//! ```text
//! level.gltf ─► Scene ─► casts ─► spans ─► NavGrid ─► level.navgrid
//! ```
//!
//! ```no_run
//! use std::path::Path;
//! use surefoot::Agent;
//! use surefoot_bake::{BakeSettings, Scene, bake};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let scene = Scene::load(Path::new("level.glb"), &Default::default())?;
//!     let agents = vec![Agent::new("human"), Agent { radius: 0.6, ..Agent::new("cart") }];
//!     let settings = BakeSettings { agents, ..BakeSettings::default() };
//!     bake(&scene, &settings, &())?.grid.save("level.navgrid")?;
//!     Ok(())
//! }
//! ```

#![forbid(unsafe_code)]

pub mod casts;
pub mod scene;
mod stages;

pub use scene::Scene;
pub use stages::{
    BackgroundBake, BakeError, BakeObserver, BakeSettings, Baked, ColliderId, DroppedRegions,
    LinkCost, LinkCosts, LinkProblem, LinkVerdict, LiveBake, LiveError, LiveTile, LiveTiles,
    LiveUpdate, SceneSource, Stage, TileInput, UpdateError, UpdatedGrid, VolumeSpans,
    WholeBakeReason, WorldBakeError, WorldLinkFound, WorldLinkRules, WorldSource, WorldTiling,
    bake, bake_with, drop_regions, explain_link, is_small_region, update_grid,
};
