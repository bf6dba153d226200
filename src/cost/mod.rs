//! What paths cost: the user's rule, and the rule bound to a view in whole units.
//!
//! A [`CostModel`] prices edges; `Metric` binds one to a view as fixed-point costs, and
//! `Potentials` are the node potentials of height that heuristics and prepared routes read.

pub(crate) mod metric;
pub(crate) mod model;
pub(crate) mod potential;
mod shared_model;
mod slope_limit;

pub(crate) use metric::{COARSEST, MOST, Metric, SearchNode, Stride};
pub use model::{CellCost, CostLowerBound, CostModel, Edge, HeightCost};
pub(crate) use potential::{FixedLowerBound, HeightPotential};
pub(crate) use shared_model::SharedModel;
pub(crate) use slope_limit::SlopeLimit;
