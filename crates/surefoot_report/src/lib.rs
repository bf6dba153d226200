//! What can be said of a grid, as data for serde and in words.
//!
//! The commands print these reports, with `--json` as they are: the names of their fields are part of
//! what others script against, and are listed in the manual.

#![forbid(unsafe_code)]

pub mod checks;
mod difference;
mod explanations;
mod jam;
mod links_near;
mod path;
mod place;
mod separation;
mod standing;
mod trips;

pub use difference::{
    AgentDifference, AreaTransition, Causes, CellRectangle, ChangedSpans, ColliderChanges,
    ColliderPlace, DifferenceError, DifferenceOptions, GridDifference, GroundChange, GroundCluster,
    GroundDetails, LinkChanges, LinkList, LinkPlace, PathChange, PathChanges, PathFigures,
    PathList, RegionChange, RegionChanges, RegionPlace, SAME_FLOOR, SceneName, SettingChange,
    SpanMatching, Transition, VerdictKind,
};
pub use explanations::Explanations;
pub use jam::Jam;
pub use links_near::LinkNear;
pub use path::PathReport;
pub use place::{Place, PlaceError};
pub use separation::{BlockerReport, SeparationReport};
pub use standing::{FloorReport, NearestPoint, StandingQuestion, StandingReport, degrees};
pub use trips::{Trip, random_trips};
