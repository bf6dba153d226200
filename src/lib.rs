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
pub mod cch;
pub mod cost;
pub mod crowd;
pub mod follow;
pub mod grid;
pub mod level;
pub mod navigator;
mod parallel;
pub mod path;
pub mod search;
#[cfg(test)]
mod tests;
pub mod view;

pub use agent::{Agent, BodyShape};
pub use cost::{CostModel, HeightCost};
pub use crowd::Crowd;
pub use follow::Follower;
pub use grid::{AgentId, Cell, GridFrame, NavGrid, Span, SpanId, Verdict};
pub use navigator::Navigator;
pub use path::Path;
pub use search::{PathError, Query};
pub use view::{Obstacle, Overlay, View};
