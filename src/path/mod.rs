//! From a search to a path: corridor, line of sight, string pulling, waypoints.

pub(crate) mod answer;
pub(crate) mod builder;
mod corner_sweep;
pub(crate) mod corridor;
mod found_corridor;
mod ground_profile;
pub(crate) mod path_search;
mod pivot;
mod raycast;
mod rolling_ground;
pub(crate) mod segment;
mod segment_walk;
pub(crate) mod sight;
pub(crate) mod string_pulling;
pub(crate) mod waypoints;

pub use answer::Answer;
pub use corridor::Corridor;
pub use ground_profile::GroundProfile;
pub(crate) use path_search::ExternalResult;
pub(crate) use path_search::{PathSearch, Straightening};
pub use path_search::{Progress, SpanState};
pub use raycast::{RayHit, raycast};
pub(crate) use segment::Segments;
pub use sight::{GridSight, Sight};
pub(crate) use string_pulling::WantedWaypoints;
pub use waypoints::{Path, TrackPoint, Waypoint};
