//! Promises about a level, and whether they hold.
//!
//! ```text
//! CheckFile + CheckInput ─► resolve names ─► evaluate, agent by agent ─► CheckReport
//! ```
//!
//! A [`CheckFile`] is what a designer writes: named places, and checks on paths, reach, ground and areas.
//! All names are resolved first: what cannot be used is an error that says where in the file it is. What
//! does not hold is no error: its [`CheckResult`] says what was found instead, and why. Nothing here knows
//! how the file is written down, or where the grid came from.

mod agent_checks;
mod area_check;
mod error;
mod evaluate;
mod explain;
mod input;
mod limits;
mod pair;
mod path_check;
mod place_spec;
mod places;
mod plan;
mod promised;
mod reach_check;
mod report;
mod site;
mod spec;
mod tally;
mod walkable_check;
mod walking;
mod widest_route;

pub use error::{CheckError, SpecPath, SpecStep};
pub use input::{CheckInput, NodePoint};
pub use place_spec::PlaceSpec;
pub use report::{CheckReport, CheckResult, Finding, FoundPlace};
pub use spec::{
    AllowedLinks, AreaPromise, CheckFile, GridPromise, PathPromise, ReachPromise, WalkablePromise,
};
