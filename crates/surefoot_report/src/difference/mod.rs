//! What changed from one grid of a level to another.
//!
//! The floors of both grids are matched cell by cell, and all else is read off the matched floors: where
//! an agent gained and lost ground, what became of its regions, and whether paths between sampled places
//! got longer or impossible. The grids may cover different parts of a level, but their cells have to be
//! of one size.

mod agent_difference;
mod causes;
mod cell_rectangle;
mod changed_spans;
mod clustering;
mod grid_difference;
mod grid_pair;
mod ground_cluster;
mod ground_details;
mod link_changes;
mod options;
mod pair_counts;
mod path_changes;
mod path_sample;
mod region_changes;
mod span_matching;
#[cfg(test)]
mod tests;
mod transition;

pub use agent_difference::{AgentDifference, AreaTransition, GroundChange};
pub use causes::{Causes, ColliderChanges, ColliderPlace, SceneName, SettingChange};
pub use cell_rectangle::CellRectangle;
pub use changed_spans::ChangedSpans;
pub use grid_difference::GridDifference;
pub use ground_cluster::GroundCluster;
pub use ground_details::GroundDetails;
pub use link_changes::{LinkChanges, LinkList, LinkPlace};
pub use options::{DifferenceError, DifferenceOptions};
pub use path_changes::{PathChange, PathChanges, PathFigures, PathList};
pub use region_changes::{RegionChange, RegionChanges, RegionPlace};
pub use span_matching::{SAME_FLOOR, SpanMatching};
pub use transition::{Transition, VerdictKind};
