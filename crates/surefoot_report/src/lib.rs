//! What can be said of a grid, as data for serde and in words.
//!
//! The commands print these reports, with `--json` as they are: the names of their fields are part of
//! what others script against, and are listed in the manual.

#![forbid(unsafe_code)]

pub mod checks;
mod explanations;
mod links_near;
mod path;
mod place;
mod separation;
mod standing;

pub use explanations::Explanations;
pub use links_near::LinkNear;
pub use path::PathReport;
pub use place::{Place, PlaceError};
pub use separation::{BlockerReport, SeparationReport};
pub use standing::{FloorReport, NearestPoint, StandingQuestion, StandingReport, degrees};
