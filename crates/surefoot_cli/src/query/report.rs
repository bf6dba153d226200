//! What `path` and `paths` tell of an answer: as a JSON object, and in words.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use nalgebra::Point3;
use serde::Serialize;
use surefoot::NavGrid;
use surefoot::grid::{AreaId, Link};
use surefoot::path::{Answer, Path};
use surefoot::search::{Engine, Outcome, PathError};

/// The exit code where a way does not lead all the way to its goal.
pub const NO_WAY: u8 = 1;

/// Everything that is told of an answer; numbers of the way are `null` where there is none.
#[derive(Serialize)]
pub struct Told<'a> {
    outcome: &'static str,
    /// Why the way does not lead to the goal, where it is partial.
    reason: Option<&'static str>,
    /// From its end to the goal, where it is partial [m].
    gap: Option<f32>,
    cost: Option<f32>,
    corridor_cost: Option<f32>,
    length: Option<f32>,
    climb: Option<f32>,
    descent: Option<f32>,
    waypoints: Vec<[f32; 3]>,
    /// Length on each kind of ground [m].
    areas: BTreeMap<&'a str, f32>,
    /// Names of the links taken, in order.
    links: Vec<&'a str>,
    /// The nearest place where the agent can stand, for an end where it cannot.
    nearest: Option<[f32; 3]>,
    /// Who answered: `straight`, `astar`, `index` or `field`.
    engine: &'static str,
    expanded: u32,
    bound: f32,
    /// Time of the query [µs].
    micros: f64,
    /// For each waypoint the link that leads on from it.
    #[serde(skip)]
    onward: Vec<Option<&'a Link>>,
    #[serde(skip)]
    shortfall: Option<PathError>,
}

impl<'a> Told<'a> {
    /// What there is to tell of an answer that took some time.
    pub fn new(grid: &'a NavGrid, (answer, engine): (&Answer, Engine), time: Duration) -> Self {
        let path = answer.path();
        let (shortfall, gap) = match answer.outcome {
            Outcome::Partial { reason, gap } => (Some(reason), Some(gap)),
            _ => (None, None),
        };
        let nearest = match answer.outcome {
            Outcome::StartOffGrid { nearest } | Outcome::GoalOffGrid { nearest } => nearest,
            _ => None,
        };
        let waypoints = path.map(Path::waypoints).unwrap_or_default();
        let links = grid.links();
        let onward: Vec<Option<&Link>> =
            waypoints.iter().map(|waypoint| links.get(waypoint.link? as usize)).collect();
        Told {
            outcome: answer.outcome.name(),
            reason: shortfall.map(|shortfall| shortfall.name()),
            gap,
            cost: path.map(Path::cost),
            corridor_cost: path.map(Path::corridor_cost),
            length: path.map(Path::length),
            climb: path.map(Path::climb),
            descent: path.map(Path::descent),
            waypoints: waypoints.iter().map(|waypoint| waypoint.point.into()).collect(),
            areas: path.map(|path| area_lengths(grid, path)).unwrap_or_default(),
            links: onward.iter().flatten().map(|link| link.name.as_str()).collect(),
            nearest: nearest.map(Point3::into),
            engine: engine.name(),
            expanded: answer.expanded,
            bound: answer.bound,
            micros: (time.as_secs_f64() * 1e7).round() / 10.0,
            onward,
            shortfall,
        }
    }

    /// Whether the way leads to the goal.
    pub fn is_complete(&self) -> bool {
        self.cost.is_some() && self.shortfall.is_none()
    }

    /// The exit code of this answer alone.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.is_complete() { 0 } else { NO_WAY })
    }

    /// The answer in a sentence or two.
    pub fn sentence(&self) -> String {
        let bound = match self.bound {
            bound if bound > 1.0 && self.cost.is_some() => {
                format!(", at most {bound:.2} times the least")
            }
            _ => String::new(),
        };
        let effort = format!("{} spans expanded in {:.0} µs", self.expanded, self.micros);
        match self.figures() {
            Some(figures) => {
                format!("{}: {figures}{bound}; {effort}.{}", self.heading(), self.rest())
            }
            None => format!("{}; {effort}.{}", self.heading(), self.rest()),
        }
    }

    /// A line for each waypoint, with the link that leads on from it.
    pub fn waypoint_lines(&self) -> String {
        let line = |(point, link): (&[f32; 3], &Option<&Link>)| match link {
            Some(Link { name, kind, .. }) => {
                let kind = format!("{kind:?}").to_lowercase();
                format!("\n  {}  then by link \"{name}\" ({kind})", place(*point))
            }
            None => format!("\n  {}", place(*point)),
        };
        self.waypoints.iter().zip(&self.onward).map(line).collect()
    }

    fn heading(&self) -> String {
        match (self.outcome, self.shortfall) {
            ("complete", _) => "Complete".to_owned(),
            (_, Some(shortfall)) => {
                let gap = self.gap.unwrap_or_default();
                format!("Partial, ends {gap:.2} m from the goal because {}", because(shortfall))
            }
            ("start_off_grid", _) => "No way: the agent cannot stand at the start".to_owned(),
            ("goal_off_grid", _) => format!("No way: {}", because(PathError::GoalOffGrid)),
            ("different_region", _) => format!("No way: {}", because(PathError::DifferentRegion)),
            ("out_of_budget", _) => format!("No way: {}", because(PathError::OutOfBudget)),
            ("unreachable", _) => format!("No way: {}", because(PathError::Unreachable)),
            (other, _) => format!("No way: {other}"),
        }
    }

    fn figures(&self) -> Option<String> {
        let (length, cost) = (self.length?, self.cost?);
        let (climb, descent) = (self.climb?, self.descent?);
        let count = self.waypoints.len();
        Some(format!(
            "{length:.2} m at a cost of {cost:.2}, {climb:.2} m up and {descent:.2} m down, \
             {count} waypoints"
        ))
    }

    fn rest(&self) -> String {
        let Some(nearest) = self.nearest else { return String::new() };
        format!(" The nearest place where it can: {}.", place(nearest))
    }
}

/// A place to the centimetre.
fn place(point: [f32; 3]) -> String {
    // Adding 0 makes a negative zero positive.
    let [x, y, z] = point.map(|v| (v * 100.0).round() / 100.0 + 0.0);
    format!("{x:.2},{y:.2},{z:.2}")
}

fn because(shortfall: PathError) -> &'static str {
    match shortfall {
        PathError::GoalOffGrid => "the agent cannot stand at the goal",
        PathError::DifferentRegion => "no way leads to the goal's region",
        PathError::OutOfBudget => "the budget was used up",
        _ => "everything that can be reached was searched",
    }
}

/// How long a path is on each kind of ground that it crosses [m].
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
