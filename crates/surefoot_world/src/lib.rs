//! Worlds that are too large for one grid: read from many scenes and height files, baked tile by tile.
//!
//! ```text
//! world.toml ─► WorldFile ─► ComposedWorld ─► WorldPlan ─► tiles in a WorldStore ─► one grid, or one .navworld
//! ```
//!
//! A tile is a function of what it sees and of the settings. So a plan can be worked off by any number of
//! processes, on one machine or on many, in any order; a job that is killed or repeated does no harm. Tiles
//! merge to the bytes of one bake.
//!
//! ```no_run
//! use std::path::Path;
//! use surefoot_bake::BakeSettings;
//! use surefoot_world::{WorldJobs, WorldPlan, WorldRequest, WorldStore};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let request = WorldRequest::new("world.toml", BakeSettings::default());
//!     let source = request.open(&())?;
//!     let store = WorldStore::in_folder(Path::new("tiles"))?;
//!     let plan = WorldPlan::new(&*source, request, &())?;
//!     let jobs = WorldJobs::new(&*source, &plan, &store)?;
//!     jobs.all_tiles(&())?;
//!     jobs.merge(&())?.grid.save("world.navgrid")?;
//!     Ok(())
//! }
//! ```

#![forbid(unsafe_code)]

mod composed;
mod error;
mod fault;
mod heights;
mod instances;
mod jobs;
mod pack;
mod plan;
mod request;
mod seams;
mod store;
mod stored;
mod terrain;
mod world_file;

pub use composed::ComposedWorld;
pub use error::JobError;
pub use jobs::{TileOutcome, Verified, WorldJobs};
pub use pack::{PackedWorld, pack};
pub use plan::{PlannedTile, WorldPlan};
pub use request::{DEFAULT_GATE_SPACING, DEFAULT_TILE_SIDE, SourceKind, WorldRequest};
pub use seams::{all_seams, read_borders, seams};
pub use store::{StoreError, StoredFile, WorldStore};
pub use stored::{WorldStatus, read_tile, status};
pub use terrain::HeightFileOptions;
pub use world_file::WorldFile;
