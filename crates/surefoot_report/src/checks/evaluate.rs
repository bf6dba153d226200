//! Evaluates the checks of a file, agent by agent.

use surefoot::grid::AgentId;
use surefoot::observer::check_cancelled;
use surefoot::{NavGrid, Observer};

use super::agent_checks::AgentChecks;
use super::error::CheckError;
use super::places::NodePoint;
use super::plan::{CheckHead, CheckPlan, CheckTask, PlannedCheck};
use super::report::{CheckReport, CheckResult, Finding, MOST_FINDINGS};
use super::spec::{CheckFile, GridPromise};

/// What checks are evaluated on.
#[derive(Clone, Copy, Debug)]
pub struct CheckInput<'a> {
    /// The level.
    pub grid: &'a NavGrid,
    /// The hash of its file, to be compared with one that is promised.
    pub hash: &'a str,
    /// The nodes of the scene; `None` if none is given.
    pub nodes: Option<&'a [NodePoint]>,
}

impl CheckFile {
    /// Evaluates all checks. Results are in the order of the kinds of checks, of the checks of a kind, and
    /// of their agents. The observer sees how far it is, and may cancel it; `&()` does not.
    ///
    /// ```
    /// use surefoot::NavGrid;
    /// use surefoot_report::checks::{CheckFile, CheckInput};
    /// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 5\nmap\n..@..\n", 1.0, &[])?;
    /// let file = r#"{"places": {"west": [0.5, 0.5], "east": [4.5, 0.5]},
    ///     "path": [{"from": "west", "to": "east"}]}"#;
    /// let file: CheckFile = serde_json::from_str(file)?;
    /// let report = file.evaluate(&CheckInput { grid: &grid, hash: "", nodes: None }, &())?;
    /// let result = &report.results[0];
    /// assert_eq!((result.holds, result.name.as_str()), (false, "path from west to east"));
    /// assert!(result.why.as_ref().is_some_and(|why| why.contains("in the way")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Something in the file cannot be used, as a place that does not exist: where it is, and what to do.
    /// Then nothing is evaluated. Or the observer has cancelled it.
    pub fn evaluate(
        &self,
        input: &CheckInput,
        observer: &dyn Observer,
    ) -> Result<CheckReport, CheckError> {
        let plan = CheckPlan::new(self, input)?;
        let mut evaluation = Evaluation { input, observer, done: 0, parts: parts(&plan) };
        // For each check one for each of its agents, in the order of its list.
        let empty = |check: &PlannedCheck| vec![None; check.head.agents.len().max(1)];
        let mut results: Vec<Vec<Option<CheckResult>>> = plan.checks.iter().map(empty).collect();
        for (check, results) in plan.checks.iter().zip(&mut results) {
            if let CheckTask::Grid(promise) = check.task {
                results[0] = Some(evaluation.grid(&check.head, promise));
            }
        }
        for agent in (0..input.grid.layers().len() as u16).map(AgentId) {
            let mut own = None;
            for (check, results) in plan.checks.iter().zip(&mut results) {
                if let Some(at) = check.head.agents.iter().position(|&other| other == agent) {
                    let own = match &mut own {
                        Some(own) => own,
                        None => own.insert(AgentChecks::new(input.grid, agent)?),
                    };
                    results[at] = Some(evaluation.of_agent(check, own)?);
                }
            }
        }
        Ok(CheckReport::new(results.into_iter().flatten().flatten().collect()))
    }
}

/// How many parts the work has.
fn parts(plan: &CheckPlan) -> usize {
    plan.checks.iter().map(|check| check.head.agents.len().max(1)).sum()
}

/// An evaluation at work.
struct Evaluation<'a> {
    input: &'a CheckInput<'a>,
    observer: &'a dyn Observer,
    done: usize,
    parts: usize,
}

/// What a check of an agent led to.
pub(super) struct Tally {
    /// All findings, or only those that fail.
    pub findings: Vec<Finding>,
    pub looked_at: usize,
    pub failing: usize,
    /// What was found, where no finding says it.
    pub found: Option<String>,
    pub why: Option<String>,
    pub walkable_m2: Option<f64>,
}

impl Tally {
    pub fn new() -> Self {
        Tally {
            findings: Vec::new(),
            looked_at: 0,
            failing: 0,
            found: None,
            why: None,
            walkable_m2: None,
        }
    }

    /// Counts a finding, and keeps it as long as there is room.
    pub fn add(&mut self, finding: Finding) {
        self.looked_at += 1;
        self.failing += usize::from(!finding.holds);
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding);
        } else if !finding.holds
            && let Some(at) = self.findings.iter().position(|kept| kept.holds)
        {
            self.findings.remove(at);
            self.findings.push(finding);
        }
    }

    /// Counts pairs that nothing more is to be said of.
    pub fn count(&mut self, pairs: usize, failing: usize) {
        self.looked_at += pairs;
        self.failing += failing;
    }

    /// Leaves only what fails, if not everything was kept.
    fn findings(mut self) -> Vec<Finding> {
        if self.looked_at > self.findings.len() {
            self.findings.retain(|finding| !finding.holds);
        }
        self.findings
    }

    fn found(&self) -> String {
        if let Some(found) = &self.found {
            return found.clone();
        }
        match (&self.findings[..], self.failing) {
            ([only], _) if self.looked_at == 1 => only.found.clone(),
            (_, 0) => format!("as promised for all {} {}", self.looked_at, self.cases()),
            (all, failing) => {
                let first = all.iter().find(|finding| !finding.holds);
                let first = first.map_or(String::new(), |one| {
                    format!("; the first is {}: {}", one.ends(), one.found)
                });
                format!("{failing} of {} {} fail{first}", self.looked_at, self.cases())
            }
        }
    }

    /// What was looked at.
    fn cases(&self) -> &'static str {
        if self.findings.iter().any(|finding| finding.at.is_some()) { "places" } else { "pairs" }
    }

    fn why(&self) -> Option<String> {
        let failing = || self.findings.iter().find(|finding| !finding.holds);
        self.why.clone().or_else(|| failing().and_then(|finding| finding.why.clone()))
    }
}

impl Finding {
    /// What it is about.
    fn ends(&self) -> String {
        match (&self.at, &self.from, &self.to) {
            (Some(at), ..) => at.name.clone(),
            (_, Some(from), Some(to)) => format!("{} to {}", from.name, to.name),
            _ => String::new(),
        }
    }
}

impl Evaluation<'_> {
    fn of_agent(
        &mut self,
        check: &PlannedCheck,
        own: &mut AgentChecks,
    ) -> Result<CheckResult, CheckError> {
        check_cancelled(self.observer)?;
        own.begin_check();
        let tally = match &check.task {
            CheckTask::Path(task) => own.path(task, self.observer)?,
            CheckTask::Reach(task) => own.reach(task, self.observer)?,
            CheckTask::Walkable(task) => own.walkable(task)?,
            CheckTask::Area(task) => own.area(task),
            CheckTask::Grid(_) => Tally::new(),
        };
        self.part_done();
        Ok(result(&check.head, Some(own.name().to_owned()), tally))
    }

    fn grid(&mut self, head: &CheckHead, promise: &GridPromise) -> CheckResult {
        let holds = promise.hash.eq_ignore_ascii_case(self.input.hash);
        let mut tally = Tally::new();
        tally.count(1, usize::from(!holds));
        tally.found = Some(format!("hash {}", self.input.hash));
        tally.why = (!holds).then(|| {
            "the bake gives other bytes than when the hash was written down: the scene, the settings or \
             the version of surefoot has changed"
                .to_owned()
        });
        self.part_done();
        result(head, None, tally)
    }

    fn part_done(&mut self) {
        self.done += 1;
        self.observer.parts_done(self.done, self.parts);
    }
}

fn result(head: &CheckHead, agent: Option<String>, tally: Tally) -> CheckResult {
    CheckResult {
        check: head.kind,
        spec: head.at.to_string(),
        line: None,
        name: head.name.clone(),
        agent,
        holds: tally.failing == 0,
        promised: head.promised.clone(),
        found: tally.found(),
        why: tally.why(),
        looked_at: tally.looked_at,
        failing: tally.failing,
        walkable_m2: tally.walkable_m2,
        findings: tally.findings(),
        at: head.at.clone(),
    }
}
