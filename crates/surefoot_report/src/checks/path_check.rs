//! Evaluates promises about paths.

use surefoot::observer::check_cancelled;
use surefoot::view::NavPoint;
use surefoot::view::WallSearch;
use surefoot::{Observer, SpanId};

use super::agent_checks::AgentChecks;
use super::error::CheckError;
use super::pair::{Connection, End, Pair};
use super::plan::PathTask;
use super::report::Finding;
use super::site::Site;
use super::spec::PathPromise;
use super::tally::Tally;
use super::widest_route::{SpansNear, WidestRoute, WidestSearch};

impl AgentChecks<'_> {
    /// Finds the path of every pair.
    pub fn path(&mut self, task: &PathTask, observer: &dyn Observer) -> Result<Tally, CheckError> {
        let mut tally = Tally::default();
        let (grid, agent) = (self.grid, self.agent);
        let goals: Result<Vec<Site>, CheckError> =
            task.to.iter().map(|place| place.site(grid, agent)).collect();
        let goals = goals?;
        for place in &task.from {
            let site = place.site(grid, agent)?;
            let from = End { place, site: &site };
            let start = site.point.and_then(|point| self.stand(point, place));
            for (place, site) in task.to.iter().zip(&goals) {
                let links = task.promise.links.0;
                let pair = Pair { from, to: End { place, site }, start, links };
                if !pair.is_one_place() {
                    check_cancelled(observer)?;
                    tally.add(self.path_of(&pair, task)?);
                }
            }
        }
        Ok(tally)
    }

    fn path_of(&mut self, pair: &Pair, task: &PathTask) -> Result<Finding, CheckError> {
        let promise = task.promise;
        let found = self.find(pair, task.model)?;
        let mut finding = found.finding;
        match found.connection {
            Connection::NoFloor => finding.holds = false,
            Connection::NoPath => finding.holds = !promise.exists,
            Connection::Path(ends) => {
                finding.judge(promise);
                if let Some(least) = promise.min_clearance {
                    let widest = self.widest(pair, task, ends)?;
                    self.judge_clearance(widest, least, &mut finding);
                }
            }
        }
        Ok(finding)
    }

    /// The widest path near the one that was found last.
    fn widest(
        &mut self,
        pair: &Pair,
        task: &PathTask,
        ends: [SpanId; 2],
    ) -> Result<Option<WidestRoute>, CheckError> {
        let least = task.promise.min_clearance.unwrap_or_default() as f32;
        let navigator = self.navigator_by(task.model)?;
        let Ok(path) = navigator.answer().path() else { return Ok(None) };
        let view = navigator.view();
        let within = ASIDE * least + 2.0 * view.cell_size();
        let near = SpansNear::new(view, path.track(), within);
        let (links, free) = (pair.links, FREE_ENDS * least);
        Ok(WidestSearch { view, links, free, near }.find(ends))
    }

    /// Judges the widest path that leads there.
    fn judge_clearance(&self, widest: Option<WidestRoute>, least: f64, finding: &mut Finding) {
        let Some(widest) = widest else { return };
        let (clearance, [x, y, z]) = (widest.clearance, <[f32; 3]>::from(widest.point));
        finding.found += &format!(
            "; along it there is a clearance of {clearance:.2} m, the least at {x:.2},{y:.2},{z:.2}"
        );
        (finding.clearance, finding.narrowest) = (Some(clearance), Some(widest.point.into()));
        if f64::from(clearance) < least {
            finding.holds = false;
            finding.why = finding.why.take().or_else(|| self.beside(&widest));
        }
    }

    /// Why the agent cannot stand beside the narrowest place of a path.
    fn beside(&self, narrowest: &WidestRoute) -> Option<String> {
        let view = self.view();
        let place = NavPoint { span: narrowest.span, point: narrowest.point };
        let cell = view.cell_size();
        let wall = WallSearch::default().nearest(view, &place, narrowest.clearance + 2.0 * cell)?;
        let [x, y, z] = <[f32; 3]>::from(wall.point);
        // The wall may lie inside a cell at whose center the agent can stand.
        let behind = [0.5, 1.0, 1.5, 2.0].map(|cells| wall.point - wall.normal * (cells * cell));
        let mut behind = behind.into_iter().map(|point| self.standing(point));
        let standing = behind.find(|standing| !standing.walkable);
        let reason = standing.map_or("the ground ends there".to_owned(), |standing| {
            standing.reason.split("; ").next().unwrap_or_default().trim_end_matches('.').to_owned()
        });
        Some(format!("it is narrow because of what is at {x:.2},{y:.2},{z:.2}: {reason}"))
    }
}

/// What lies nearer to an end than so many times the promised clearance does not count: places may be
/// beside a wall.
const FREE_ENDS: f32 = 2.0;
/// How far aside of its path a body may go to keep the promised clearance, in so many times that.
const ASIDE: f32 = 3.0;

/// Something of a path that was limited.
struct Measure {
    /// What is said if the limit is not kept, before the limit and behind it.
    words: [&'static str; 2],
    is_kept: Option<bool>,
    limit: Option<f64>,
}

impl Measure {
    fn most(words: [&'static str; 2], found: Option<f32>, limit: Option<f64>) -> Self {
        let is_kept = found.zip(limit).map(|(found, limit)| f64::from(found) <= limit);
        Measure { words, is_kept, limit }
    }

    fn least(words: [&'static str; 2], found: Option<f32>, limit: Option<f64>) -> Self {
        let is_kept = found.zip(limit).map(|(found, limit)| f64::from(found) >= limit);
        Measure { words, is_kept, limit }
    }

    /// What is wrong, in words; `None` if the limit is kept.
    fn fault(&self) -> Option<String> {
        let ([before, behind], limit) = (self.words, self.limit?);
        (self.is_kept == Some(false)).then(|| format!("{before} {limit}{behind}"))
    }
}

impl Finding {
    /// Judges a path that was found, by all limits but clearance.
    fn judge(&mut self, promise: &PathPromise) {
        if !promise.exists {
            self.holds = false;
            return;
        }
        let measures = [
            Measure::least(["is shorter than", " m"], self.length, promise.min_length),
            Measure::most(["is longer than", " m"], self.length, promise.max_length),
            Measure::most(["costs more than", ""], self.cost, promise.max_cost),
            Measure::most(["goes up more than", " m"], self.climb, promise.max_climb),
            Measure::most(["goes down more than", " m"], self.descent, promise.max_descent),
        ];
        let faults: Vec<String> = measures.iter().filter_map(Measure::fault).collect();
        self.holds = faults.is_empty();
        if !self.holds {
            self.found += &format!(", which {}", faults.join(" and "));
            self.why = self.straight().map(|straight| {
                format!(
                    "this is the cheapest path; its ends are {straight:.2} m apart as the crow flies"
                )
            });
        }
    }
}
