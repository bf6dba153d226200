//! Provides [`Query`]: what can be asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nalgebra::Point3;

use crate::agent::Agent;

use super::heuristic::Heuristic;
use super::outcome::Engine;
use crate::view::{AreaFilter, Directions, LinkFilter};

/// A request for a path. Only the two ends are needed; every other field has a default.
///
/// ```
/// use surefoot::search::{GoalMode, Query};
/// let query = Query { goal: GoalMode::NearestByRing, ..Query::new([0.0, 0.0, 0.0], [9.0, 0.0, 4.0]) };
/// assert_eq!(query.weight, 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    /// Where the path starts: a point on the ground, or anywhere in the body above it [m].
    pub from: Point3<f32>,
    /// Where the path ends [m].
    pub to: Point3<f32>,
    /// What to do if the goal cannot be reached.
    pub goal: GoalMode,
    /// How far above or below its floor an end may be [m, >= 0]; `None` means the agent's height.
    pub vertical_tolerance: Option<f32>,
    /// How far an end may be moved horizontally to the nearest point where the agent can stand
    /// [m, >= 0]; `None` means twice the agent's radius.
    pub snap_radius: Option<f32>,
    /// The steepest ground to cross [rad]; `None` means the agent's own slope limit. Steps up to
    /// the agent's climb stay allowed: stairs are steep.
    pub slope_limit: Option<f32>,
    /// Which areas to avoid or to forbid.
    pub filter: AreaFilter,
    /// Which kinds of links to take.
    pub links: LinkFilter,
    /// In how many directions to step.
    pub directions: Directions,
    /// What guides the search.
    pub heuristic: Heuristic,
    /// Weight of the heuristic [1..=[`LARGEST_WEIGHT`]]. Above 1 the search is faster, and the path costs
    /// at most this many times the least.
    pub weight: f32,
    /// The most spans to expand.
    pub budget: u32,
    /// Which engine answers; `None` means whichever is likely to be the fastest. The straight line is
    /// always tried first. Prepared routes that do not fit the query fall back to a search.
    pub engine: Option<Engine>,
    /// Set it from another thread to end the search.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// What to do if the goal cannot be reached, or if the agent cannot stand there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GoalMode {
    /// Fail, and say why.
    #[default]
    Fail,
    /// Lead to the reachable point nearest to the goal.
    NearestByRing,
    /// Lead to the first reachable point on the straight line from the goal back to the start.
    NearestAlongLine,
}

impl Query {
    /// A query for the exact path from one point to another.
    pub fn new(from: impl Into<Point3<f32>>, to: impl Into<Point3<f32>>) -> Self {
        Query {
            from: from.into(),
            to: to.into(),
            goal: GoalMode::Fail,
            vertical_tolerance: None,
            snap_radius: None,
            slope_limit: None,
            filter: AreaFilter::default(),
            links: LinkFilter::ALL,
            engine: None,
            directions: Directions::Eight,
            heuristic: Heuristic::Octile,
            weight: 1.0,
            budget: u32::MAX,
            cancel: None,
        }
    }

    pub(crate) fn vertical_tolerance(&self, agent: &Agent) -> f32 {
        self.vertical_tolerance.unwrap_or(agent.height)
    }

    pub(crate) fn snap_radius(&self, agent: &Agent) -> f32 {
        self.snap_radius.unwrap_or(2.0 * agent.radius)
    }

    /// The weight as it is used: in steps of 1/256, not below 1.
    pub(crate) fn weight_in_256ths(&self) -> u64 {
        // NaN is no weight; beyond the largest only the goal counts.
        let weight = if self.weight.is_nan() { 1.0 } else { self.weight };
        (weight.clamp(1.0, LARGEST_WEIGHT) * 256.0) as u64
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// The largest useful weight: above it only the distance to the goal counts.
pub const LARGEST_WEIGHT: f32 = 1000.0;
