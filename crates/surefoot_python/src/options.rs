//! `PathOptions`: what a query may ask for beside its ends.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use surefoot::grid::LinkKind;
use surefoot::search::{GoalMode, LARGEST_WEIGHT, Query};
use surefoot::view::{AreaFilter, LinkFilter};

use crate::arrays::Point;
use crate::errors::{bad_value, read_count, refused};

/// What queries may ask for beside their ends. All arguments are keywords and may be left out.
///
/// Parameters
/// ----------
/// goal : {"fail", "nearest", "line"}
///     If the goal cannot be reached: no path; a path to the reachable point nearest to it; or to the first
///     reachable point on the straight line from the goal back to the start.
/// vertical_tolerance : float, optional
///     How far an end may be above or below its floor [m]; the agent's height if left out.
/// snap_radius : float, optional
///     How far an end may be moved to where the agent can stand [m]; twice its radius if left out. A goal that
///     no path leads to is moved to ground within this that one does.
/// slope_limit : float, optional
///     The steepest ground to cross [rad]; the agent's own limit if left out.
/// areas : dict of str to float, optional
///     Factors on the cost of kinds of ground by name [> 0]; `math.inf` forbids one.
/// links : list of str, optional
///     Which kinds of links to take: "jump", "drop", "climb", "ladder", "door", "authored"; all if left out.
/// weight : float
///     Above 1 a search is faster, and its path costs at most this many times the least [1..=1000].
/// budget : int, optional
///     The most spans to expand.
#[pyclass(frozen, module = "surefoot")]
#[derive(Clone, Debug, Default)]
pub struct PathOptions {
    goal: GoalMode,
    vertical_tolerance: Option<f32>,
    snap_radius: Option<f32>,
    slope_limit: Option<f32>,
    areas: BTreeMap<String, f32>,
    links: LinkFilter,
    weight: Option<f32>,
    budget: Option<u32>,
}

#[pymethods]
impl PathOptions {
    #[new]
    #[pyo3(signature = (
        *, goal = "fail", vertical_tolerance = None, snap_radius = None, slope_limit = None, areas = None,
        links = None, weight = 1.0, budget = None
    ))]
    fn new(
        goal: &str,
        vertical_tolerance: Option<f32>,
        snap_radius: Option<f32>,
        slope_limit: Option<f32>,
        areas: Option<BTreeMap<String, f32>>,
        links: Option<Vec<String>>,
        weight: f32,
        budget: Option<i64>,
    ) -> PyResult<Self> {
        let budget = budget.map(|budget| read_count("budget", budget)).transpose()?;
        let budget = budget.map(|budget| u32::try_from(budget).unwrap_or(u32::MAX));
        let lengths = [("vertical_tolerance", vertical_tolerance), ("snap_radius", snap_radius)];
        for (name, value) in lengths.into_iter().chain([("slope_limit", slope_limit)]) {
            if value.is_some_and(|value| value.is_nan() || value < 0.0) {
                return bad_value(format!(
                    "{name} is {}; it has to be at least 0",
                    value.unwrap_or(0.0)
                ));
            }
        }
        if !(1.0..=LARGEST_WEIGHT).contains(&weight) {
            return bad_value(format!(
                "weight is {weight}; it has to be from 1 to {LARGEST_WEIGHT}"
            ));
        }
        Ok(PathOptions {
            goal: read_goal(goal)?,
            vertical_tolerance,
            snap_radius,
            slope_limit,
            areas: areas.unwrap_or_default(),
            links: links.map_or(Ok(LinkFilter::ALL), |kinds| read_links(&kinds))?,
            weight: Some(weight),
            budget,
        })
    }

    /// The arguments that it was made of, for copies and pickles.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let arguments = PyDict::new(py);
        let goal = GOALS.iter().find(|(_, goal)| *goal == self.goal).map(|(name, _)| name);
        arguments.set_item("goal", goal)?;
        arguments.set_item("vertical_tolerance", self.vertical_tolerance)?;
        arguments.set_item("snap_radius", self.snap_radius)?;
        arguments.set_item("slope_limit", self.slope_limit)?;
        arguments.set_item("areas", self.areas.clone())?;
        let kinds = LinkKind::ALL.into_iter().filter(|&kind| self.links.allows(kind));
        arguments.set_item("links", kinds.map(LinkKind::name).collect::<Vec<_>>())?;
        arguments.set_item("weight", self.weight.unwrap_or(1.0))?;
        arguments.set_item("budget", self.budget)?;
        Ok((PyTuple::empty(py), arguments))
    }

    fn __repr__(&self) -> String {
        format!("{self:?}")
    }
}

impl PathOptions {
    /// A query by these options on a grid, whose ends are set for each row.
    pub fn query(&self, grid: &surefoot::NavGrid) -> PyResult<Query> {
        let mut filter = AreaFilter::default();
        for (name, &factor) in &self.areas {
            let area = grid.area_id(name).map_err(refused)?;
            filter = match factor {
                f32::INFINITY => filter.forbid(area),
                _ => filter.scale(area, factor).map_err(refused)?,
            };
        }
        Ok(Query {
            goal: self.goal,
            vertical_tolerance: self.vertical_tolerance,
            snap_radius: self.snap_radius,
            slope_limit: self.slope_limit,
            filter,
            links: self.links,
            weight: self.weight.unwrap_or(1.0),
            budget: self.budget.unwrap_or(u32::MAX),
            ..Query::new([0.0; 3], [0.0; 3])
        })
    }
}

/// A query between two points.
pub fn between(query: &Query, [from, to]: [Point; 2]) -> Query {
    Query { from: from.into(), to: to.into(), ..query.clone() }
}

/// What can be done where the goal cannot be reached, by name.
const GOALS: [(&str, GoalMode); 3] = [
    ("fail", GoalMode::Fail),
    ("nearest", GoalMode::NearestByRing),
    ("line", GoalMode::NearestAlongLine),
];

fn read_goal(goal: &str) -> PyResult<GoalMode> {
    match GOALS.iter().find(|(name, _)| *name == goal) {
        Some(&(_, mode)) => Ok(mode),
        None => {
            bad_value(format!("goal is {goal:?}; it has to be \"fail\", \"nearest\" or \"line\""))
        }
    }
}

fn read_links(names: &[String]) -> PyResult<LinkFilter> {
    let mut kinds = Vec::new();
    for name in names {
        match LinkKind::ALL.into_iter().find(|kind| kind.name() == name) {
            Some(kind) => kinds.push(kind),
            None => {
                let known = LinkKind::ALL.map(LinkKind::name).join(", ");
                return bad_value(format!("links: there is no kind {name:?}; there are {known}"));
            }
        }
    }
    Ok(LinkFilter::only(&kinds))
}
