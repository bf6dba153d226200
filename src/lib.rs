//! Navigation for 3D levels: load a baked grid, find paths that count heights, follow them, walk crowds.
//!
//! ```text
//! NavGrid ─► Navigator ─► Path ─► Follower / Crowd ─► velocity or position
//! ```
//!
//! Three concepts are enough for a first path; everything else is reached from them:
//!
//! ```no_run
//! use surefoot::{NavGrid, Navigator};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let grid = NavGrid::load("level.navgrid")?;
//!     let mut nav = Navigator::new(grid, "human")?; // an error names the agents there are
//!     let path = nav.path([3.0, 0.0, 4.0], [40.0, 2.0, -7.5])?; // an error says why there is none
//!     for waypoint in path.waypoints() {
//!         println!("{}", waypoint.point);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! - [`NavGrid`] is a level: its floors, and what each agent may do on them. The crate `surefoot_bake` bakes
//!   one from a glTF scene; [`NavGrid::from_heights`] and [`NavGrid::from_map`] build one from data.
//! - [`Navigator`] owns what queries need: the [`View`] of one agent, the run-time changes of an
//!   [`Overlay`], a [`CostModel`], prepared routes.
//! - [`Path`] has waypoints on the ground, its cost, length, climb and descent; [`PathError`] says why there
//!   is none.
//! - [`Follower`] leads one body along its path; [`Crowd`] leads thousands round each other.
//! - [`World`] streams the tiles of a world that is too large for one grid.
//!
//! The crate has no default features: no physics, no threads, no clock. The feature `threads` runs crowds,
//! loading and the preparation of routes on the calling rayon pool; `glam` converts between nalgebra's and
//! glam's types.

#![forbid(unsafe_code)]

pub mod agent;
pub mod cch;
pub mod cost;
pub mod crowd;
pub mod debug;
pub mod diagnosis;
pub mod far;
pub mod follow;
pub mod grid;
pub mod level;
mod mapf;
pub mod navigator;
pub mod observer;
mod parallel;
pub mod path;
mod portable;
pub mod search;
#[cfg(test)]
mod tests;
pub mod view;
pub mod world;

pub use agent::{Agent, BodyShape};
pub use cost::{CostModel, HeightCost};
pub use crowd::Crowd;
pub use follow::Follower;
pub use grid::{AgentId, Cell, GridFrame, NavGrid, Span, SpanId, Verdict};
pub use navigator::Navigator;
pub use observer::{Cancelled, Observer};
pub use path::Path;
pub use search::{PathError, Query};
pub use view::{Obstacle, Overlay, View};
pub use world::World;
