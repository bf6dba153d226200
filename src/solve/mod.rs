//! Ways over a grid: the cheapest one, straightened, on the ground.
//!
//! ```text
//! NavGrid ─► Terrain ─► Search ─► Corridor ─► Path
//!            one agent   A*        spans       waypoints, straight legs, links
//! ```
//!
//! A [`Terrain`] is a grid as one agent finds it, with the obstacles of an [`Overlay`] if there is
//! one. A [`Search`] answers a [`Query`] on it, by a [`CostModel`], with an [`Answer`]: a [`Path`],
//! or an [`Outcome`] that says why there is none. A [`CostField`] knows the costs from everywhere
//! to a few goals.

mod corridor;
mod cost;
mod ends;
mod field;
mod frontier;
mod heuristic;
mod leg;
mod natural;
mod nodes;
mod onward;
mod open;
mod outcome;
mod overlay;
mod path;
mod query;
mod random;
mod rulers;
mod search;
mod sight;
mod straighten;
mod tariff;
mod task;
mod terrain;
#[cfg(test)]
pub(crate) mod tests;
mod way;

pub use corridor::Corridor;
pub use cost::{CellCost, CostModel, HeightCost, LeastCost, Piece};
pub use ends::Footing;
pub use field::{CostField, FieldQuery, Flow};
pub use heuristic::Heuristic;
pub use outcome::{Answer, Engine, Outcome, Shortfall};
pub use overlay::{Obstacle, ObstacleError, ObstacleId, Overlay};
pub use path::{Path, TrackPoint, Waypoint};
pub use query::{Directions, GoalMode, LARGEST_WEIGHT, Query};
pub use search::{Progress, Search, SpanState};
#[cfg(feature = "physics")]
pub(crate) use sight::Line;
pub use sight::{GridSight, Sight};
pub use terrain::Terrain;
pub(crate) use {
    frontier::{Expanded, Frontier, Lead, beyond},
    heuristic::Estimate,
    leg::Legs,
    natural::EvenGround,
    nodes::{Came, Nodes},
    onward::{Explore, Onward},
    open::OpenList,
    overlay::Change,
    random::Random,
    rulers::LeastUnits,
    search::Settled,
    tariff::{Foothold, SlopeLimit, Tariff},
    terrain::Stamp,
};
