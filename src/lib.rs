//! Navigation for 3D levels, baked from physics.
//!
//! A glTF scene goes in, agents of any size walk it, headless, in any program.
//!
//! ```text
//! level.gltf ─► Scene ─► World ─► columns ─► spans ─► NavGrid ─► level.navgrid
//!               scene    world    bake::*             grid       grid::format
//! ```
//!
//! With `default-features = false` only [`agent`], [`grid`], [`solve`] and [`routes`] remain: what
//! a game or a robot needs that loads baked grids.

#![forbid(unsafe_code)]

pub mod agent;
mod background;
#[cfg(feature = "bake")]
pub mod bake;
pub mod cch;
pub mod cost;
pub mod crowd;
#[cfg(feature = "draw")]
pub mod draw;
pub mod follow;
pub mod grid;
pub mod navigator;
pub mod path;
#[cfg(feature = "physics")]
pub mod scene;
pub mod search;
#[cfg(test)]
mod tests;
pub mod view;
#[cfg(feature = "physics")]
pub mod world;

pub use agent::{Agent, BodyShape};
#[cfg(feature = "bake")]
pub use bake::BakeSettings;
pub use cost::{CostModel, HeightCost};
pub use crowd::Crowd;
pub use follow::Follower;
pub use grid::{AgentId, Cell, GridFrame, NavGrid, Span, SpanId, Verdict};
pub use navigator::Navigator;
pub use path::Path;
#[cfg(feature = "physics")]
pub use scene::Scene;
pub use search::{PathError, Query};
pub use view::{Obstacle, Overlay, View};
