//! Provides [`PathReport`]: what `path` and `paths` print, as a JSON object and as text.

use std::collections::BTreeMap;
use std::time::Duration;

use nalgebra::Point3;
use serde::Serialize;
use surefoot::grid::{AreaId, Link};
use surefoot::path::{Answer, Path};
use surefoot::search::{Engine, Outcome, PathError, Query};
use surefoot::{NavGrid, Navigator};

use super::explanations::Explanations;
use super::standing::StandingQuestion;

/// A report on an answer. Numbers of the path are `null` if there is none.
#[derive(Serialize)]
pub struct PathReport<'a> {
    outcome: &'static str,
    /// Why a partial path does not lead to the goal.
    reason: Option<&'static str>,
    /// From the end of a partial path to the goal [m].
    gap: Option<f32>,
    cost: Option<f32>,
    corridor_cost: Option<f32>,
    length: Option<f32>,
    climb: Option<f32>,
    descent: Option<f32>,
    waypoints: Vec<[f32; 3]>,
    /// Length in each area [m].
    areas: BTreeMap<&'a str, f32>,
    /// Names of the links taken, in order.
    links: Vec<&'a str>,
    /// The nearest point where the agent can stand, if it cannot at an end.
    nearest: Option<[f32; 3]>,
    /// What is in the way, in one line; `null` if the path leads to the goal, or if that is not known.
    why: Option<String>,
    /// What found the path: `straight`, `astar`, `index` or `field`.
    engine: &'static str,
    expanded: u32,
    bound: f32,
    /// Time of the query [µs].
    micros: f64,
    /// For each waypoint, the link that is taken from there.
    #[serde(skip)]
    link_from: Vec<Option<&'a Link>>,
    #[serde(skip)]
    end: Outcome,
}

impl<'a> PathReport<'a> {
    /// A report on an answer that an engine gave within some time.
    pub fn new(grid: &'a NavGrid, answer: &Answer, engine: Engine, time: Duration) -> Self {
        let path = answer.path().ok();
        let (reason, gap) = match answer.outcome {
            Outcome::Partial { reason, gap } => (Some(reason.name()), Some(gap)),
            _ => (None, None),
        };
        let waypoints = path.map(Path::waypoints).unwrap_or_default();
        let links = grid.links();
        let link_from: Vec<Option<&Link>> =
            waypoints.iter().map(|waypoint| links.get(waypoint.link? as usize)).collect();
        PathReport {
            outcome: answer.outcome.name(),
            reason,
            gap,
            cost: path.map(Path::cost),
            corridor_cost: path.map(Path::corridor_cost),
            length: path.map(Path::length),
            climb: path.map(Path::climb),
            descent: path.map(Path::descent),
            waypoints: waypoints.iter().map(|waypoint| waypoint.point.into()).collect(),
            areas: path.map(|path| area_lengths(grid, path)).unwrap_or_default(),
            links: link_from.iter().flatten().map(|link| link.name.as_str()).collect(),
            nearest: nearest(answer.outcome).map(Point3::into),
            why: None,
            engine: engine.name(),
            expanded: answer.expanded,
            bound: answer.bound,
            micros: (time.as_secs_f64() * 1e7).round() / 10.0,
            link_from,
            end: answer.outcome,
        }
    }

    /// Adds what is in the way of a query that has failed: where an end is off the grid why it is, and
    /// else what separates the ends.
    pub fn explain(&mut self, navigator: &Navigator, query: &Query, known: &mut Explanations) {
        let (Outcome::Failed(error) | Outcome::Partial { reason: error, .. }) = self.end else {
            return;
        };
        let off = match error {
            PathError::StartOffGrid { .. } => query.from,
            PathError::GoalOffGrid { .. } => query.to,
            PathError::DifferentRegion | PathError::Unreachable => {
                self.why = known.why_not(navigator, query);
                return;
            }
            _ => return,
        };
        let (grid, agent) = (navigator.grid(), navigator.view().agent_id());
        let question = StandingQuestion { grid, agent, at: off };
        let standing = question.report();
        self.nearest = self.nearest.or(standing.nearest_point());
        // As baked it can: then the overlay is what keeps it from standing there.
        let is_blocked = standing.walkable;
        let why = if is_blocked { BLOCKED_NOW.to_owned() } else { standing.reason };
        self.why = Some(why);
    }

    /// Whether the path leads to the goal.
    pub fn is_complete(&self) -> bool {
        self.end == Outcome::Complete
    }

    /// The answer in a sentence or two.
    pub fn sentence(&self) -> String {
        let effort = format!("{} spans expanded in {:.0} µs", self.expanded, self.micros);
        let summary = match self.numbers() {
            Some(numbers) => format!("{}: {numbers}", self.heading()),
            None => self.heading(),
        };
        let hint = match self.nearest {
            Some(nearest) => format!(" The nearest point where it can: {}.", coordinates(nearest)),
            None => String::new(),
        };
        let why = match &self.why {
            Some(why) => format!(" {}.", capitalized(why.trim_end_matches('.'))),
            None => String::new(),
        };
        format!("{summary}; {effort}.{hint}{why}")
    }

    /// A line for each waypoint, with the link that is taken from there.
    pub fn waypoint_lines(&self) -> String {
        let line = |(point, link): (&[f32; 3], &Option<&Link>)| match link {
            Some(Link { name, kind, .. }) => {
                let kind = kind.name();
                format!("\n  {}  then by link \"{name}\" ({kind})", coordinates(*point))
            }
            None => format!("\n  {}", coordinates(*point)),
        };
        self.waypoints.iter().zip(&self.link_from).map(line).collect()
    }

    fn heading(&self) -> String {
        match self.end {
            Outcome::Complete => "Complete".to_owned(),
            Outcome::Partial { reason, gap } => {
                format!("Partial, ends {gap:.2} m from the goal because {}", self::reason(reason))
            }
            Outcome::Failed(error) => format!("No path: {}", self::reason(error)),
            _ => self.outcome.to_owned(),
        }
    }

    fn numbers(&self) -> Option<String> {
        let (length, cost) = (self.length?, self.cost?);
        let (climb, descent) = (self.climb?, self.descent?);
        let count = self.waypoints.len();
        let bound = match self.bound {
            bound if bound > 1.0 => format!(", at most {bound:.2} times the lowest cost"),
            _ => String::new(),
        };
        Some(format!(
            "{length:.2} m at a cost of {cost:.2}, {climb:.2} m up and {descent:.2} m down, \
             {count} waypoints{bound}"
        ))
    }
}

/// Why an agent cannot stand where it could when the level was baked.
const BLOCKED_NOW: &str = "an obstacle that was added at run time stands there";

fn nearest(outcome: Outcome) -> Option<Point3<f32>> {
    match outcome {
        Outcome::Failed(
            PathError::StartOffGrid { nearest } | PathError::GoalOffGrid { nearest },
        ) => nearest,
        _ => None,
    }
}

/// A point, rounded to centimetres.
pub(crate) fn coordinates(point: [f32; 3]) -> String {
    // Adding 0 makes a negative zero positive.
    let [x, y, z] = point.map(|v| (v * 100.0).round() / 100.0 + 0.0);
    format!("{x:.2},{y:.2},{z:.2}")
}

/// Why a path does not lead to the goal. Shorter than the error's own message, which repeats the
/// nearest point.
pub(crate) fn reason(error: PathError) -> String {
    match error {
        PathError::StartOffGrid { .. } => "the agent cannot stand at the start".to_owned(),
        PathError::GoalOffGrid { .. } => "the agent cannot stand at the goal".to_owned(),
        PathError::DifferentRegion => "no connection or link leads to the goal's region".to_owned(),
        PathError::OutOfBudget => "the budget was used up".to_owned(),
        PathError::Unreachable => "everything within reach was searched".to_owned(),
        other => other.to_string(),
    }
}

/// The length of a path in each area that it crosses [m].
fn area_lengths<'a>(grid: &'a NavGrid, path: &Path) -> BTreeMap<&'a str, f32> {
    let mut lengths = BTreeMap::new();
    for (id, area) in grid.areas().iter().enumerate() {
        let length = path.area_length(AreaId(id as u8));
        if length > 0.0 {
            *lengths.entry(area.name.as_str()).or_default() += length;
        }
    }
    lengths
}

/// A sentence's beginning.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
