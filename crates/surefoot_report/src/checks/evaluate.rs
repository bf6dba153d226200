//! Evaluates the checks of a file, agent by agent.

use surefoot::Observer;
use surefoot::grid::AgentId;
use surefoot::observer::check_cancelled;

use super::agent_checks::AgentChecks;
use super::error::CheckError;
use super::input::CheckInput;
use super::plan::{CheckHead, CheckPlan, CheckTask, PlannedCheck};
use super::report::{CheckReport, CheckResult};
use super::spec::{CheckFile, GridPromise};
use super::tally::Tally;

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
            CheckTask::Grid(_) => Tally::default(),
        };
        self.part_done();
        Ok(result(&check.head, Some(own.name().to_owned()), tally))
    }

    fn grid(&mut self, head: &CheckHead, promise: &GridPromise) -> CheckResult {
        let holds = promise.hash.eq_ignore_ascii_case(self.input.hash);
        let mut tally = Tally::default();
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
