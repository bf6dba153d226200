//! Provides [`CheckReport`]: which promises hold, and what was found where they do not.

use serde::Serialize;

use super::error::SpecPath;
use crate::separation::BlockerReport;

/// Which promises of a file hold.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReport {
    /// Whether all do.
    pub holds: bool,
    /// How many do.
    pub held: usize,
    /// How many do not.
    pub failed: usize,
    /// One for each check and agent.
    pub results: Vec<CheckResult>,
}

impl CheckReport {
    /// Counts results.
    pub(super) fn new(results: Vec<CheckResult>) -> Self {
        let held = results.iter().filter(|result| result.holds).count();
        let failed = results.len() - held;
        CheckReport { holds: failed == 0, held, failed, results }
    }

    /// How many hold, in a sentence.
    pub fn summary(&self) -> String {
        let checks = |count: usize| if count == 1 { "check" } else { "checks" };
        let verb = |count: usize, verb: &str| match count {
            1 => format!("{verb}s"),
            _ => verb.to_owned(),
        };
        let (held, failed) = (self.held, self.failed);
        let holds = format!("{held} {} {}", checks(held), verb(held, "hold"));
        match (held, failed) {
            (_, 0) => format!("{holds}."),
            (0, _) => format!("{failed} {} {}.", checks(failed), verb(failed, "fail")),
            _ => format!("{holds}, {failed} {}.", verb(failed, "fail")),
        }
    }
}

/// Whether a promise holds for an agent.
#[derive(Clone, Debug, Serialize)]
pub struct CheckResult {
    /// What kind of check it is: `path`, `reach`, `walkable`, `area` or `grid`.
    pub check: &'static str,
    /// Where in the file it is, as in `path[2]`.
    pub spec: String,
    /// On which line of the file, if whoever read it knows [1..].
    pub line: Option<usize>,
    /// Its name: its own, or one made of what it is about.
    pub name: String,
    /// The agent; `None` for what is no matter of agents.
    pub agent: Option<String>,
    /// Whether the promise holds.
    pub holds: bool,
    /// What was promised, in words.
    pub promised: String,
    /// What was found, in words.
    pub found: String,
    /// Why, in words; `None` where it holds, or where that is not known.
    pub why: Option<String>,
    /// How many pairs of places, or places, it is about.
    pub looked_at: usize,
    /// For how many of those it does not hold.
    pub failing: usize,
    /// Of an area: the ground where the agent can stand [m²].
    pub walkable_m2: Option<f64>,
    /// What was found for each pair or place. Of more than 100 only those that fail, and of those the first
    /// 100; of `reach` only pairs that fail.
    pub findings: Vec<Finding>,
    /// Where in the file it is.
    #[serde(skip)]
    pub(super) at: SpecPath,
}

/// So many findings of a check are kept.
pub(super) const MOST_FINDINGS: usize = 100;

impl CheckResult {
    /// Where in the file the check is.
    pub fn spec_path(&self) -> &SpecPath {
        &self.at
    }

    /// Name and agent.
    pub fn title(&self) -> String {
        match &self.agent {
            Some(agent) => format!("{}, {agent}", self.name),
            None => self.name.clone(),
        }
    }

    /// What was found and why, as lines of text without indentation.
    pub fn failure_lines(&self) -> Vec<String> {
        let mut lines =
            vec![format!("promised  {}", self.promised), format!("found     {}", self.found)];
        lines.extend(self.why.iter().map(|why| format!("why       {why}")));
        lines
    }
}

/// What was found for a pair of places, or for a place. Lengths are in metres.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Finding {
    /// Whether what was promised holds here.
    pub holds: bool,
    /// The place that was judged, if the check is about single places.
    pub at: Option<FoundPlace>,
    /// Where the path begins.
    pub from: Option<FoundPlace>,
    /// Where the path ends.
    pub to: Option<FoundPlace>,
    /// What was found, in words.
    pub found: String,
    /// Why, in words.
    pub why: Option<String>,
    /// The corners of the path; empty without one.
    pub waypoints: Vec<[f32; 3]>,
    /// The length of the path.
    pub length: Option<f32>,
    /// Its cost.
    pub cost: Option<f32>,
    /// How far it goes up in total.
    pub climb: Option<f32>,
    /// How far it goes down in total.
    pub descent: Option<f32>,
    /// The names of the links that it takes.
    pub links: Vec<String>,
    /// How far the agent can stay away from where it may not stand, all along the path, if that was
    /// promised.
    pub clearance: Option<f32>,
    /// Where the path is narrowest.
    pub narrowest: Option<[f32; 3]>,
    /// The verdict on a place; `None` without a floor.
    pub verdict: Option<&'static str>,
    /// The nearest point where the agent can stand, if it cannot where it was to.
    pub nearest: Option<[f32; 3]>,
    /// What is in the way, from the start to the goal.
    pub blockers: Vec<BlockerReport>,
}

/// A place, and where it is on the ground.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FoundPlace {
    /// Its name: that of the file, or of the node where the name stands for several.
    pub name: String,
    /// Where it is [m]; for a node the ground under it. `None` where there is no floor.
    pub point: Option<[f32; 3]>,
    /// How far that is above or below the node [m].
    pub moved: f32,
}
