//! Evaluates promises about paths.

use surefoot::observer::check_cancelled;
use surefoot::view::NavPoint;
use surefoot::view::WallSearch;
use surefoot::{Observer, SpanId};

use super::agent_checks::AgentChecks;
use super::error::CheckError;
use super::evaluate::Tally;
use super::pair::{Connection, End, Pair};
use super::plan::PathTask;
use super::report::Finding;
use super::site::Site;
use super::spec::PathPromise;
use super::widest_route::WidestRoute;

impl AgentChecks<'_> {
    /// Finds the path of every pair.
    pub fn path(&mut self, task: &PathTask, observer: &dyn Observer) -> Result<Tally, CheckError> {
        let mut tally = Tally::new();
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
                    self.judge_clearance(pair, ends, &mut finding);
                    let clearance = finding.clearance.map_or(0.0, f64::from);
                    finding.holds &= clearance >= least;
                }
            }
        }
        Ok(finding)
    }

    /// Measures the widest path between two spans.
    fn judge_clearance(&mut self, pair: &Pair, ends: [SpanId; 2], finding: &mut Finding) {
        let Some(widest) = WidestRoute::find(self.view(), ends, pair.links) else { return };
        let [x, y, z] = <[f32; 3]>::from(widest.point);
        let clearance = widest.clearance;
        finding.found += &format!(
            "; the widest path there has a clearance of {clearance:.2} m at {x:.2},{y:.2},{z:.2}"
        );
        finding.why = finding.why.take().or_else(|| self.beside(&widest));
        (finding.clearance, finding.narrowest) = (Some(clearance), Some(widest.point.into()));
    }

    /// Why the agent cannot stand beside the narrowest place of a path.
    fn beside(&self, narrowest: &WidestRoute) -> Option<String> {
        let view = self.view();
        let place = NavPoint { span: narrowest.span, point: narrowest.point };
        let cell = view.cell_size();
        let wall = WallSearch::default().nearest(view, &place, narrowest.clearance + 2.0 * cell)?;
        let standing = self.standing(wall.point - wall.normal * (cell / 2.0));
        let [x, y, z] = <[f32; 3]>::from(wall.point);
        let reason = standing.reason.trim_end_matches('.');
        Some(format!("it is narrow because of {x:.2},{y:.2},{z:.2}: {reason}"))
    }
}

/// Something of a path that was limited.
struct Measure {
    /// What it is, and before its number.
    words: &'static str,
    found: Option<f32>,
    least: Option<f64>,
    most: Option<f64>,
    unit: &'static str,
}

impl Measure {
    /// What is wrong, in words; `None` if the limits are kept.
    fn fault(&self) -> Option<String> {
        let found = self.found?;
        let (words, unit) = (self.words, self.unit);
        let (side, limit) = match (self.least, self.most) {
            (Some(least), _) if f64::from(found) < least => ("least", least),
            (_, Some(most)) if f64::from(found) > most => ("most", most),
            _ => return None,
        };
        Some(format!("{words} {found:.2}{unit}, not at {side} {limit}{unit}"))
    }
}

impl Finding {
    /// Judges a path that was found, by all limits but clearance.
    fn judge(&mut self, promise: &PathPromise) {
        if !promise.exists {
            self.holds = false;
            return;
        }
        let metres = " m";
        let most = |words, found, most| Measure { words, found, least: None, most, unit: metres };
        let measures = [
            Measure {
                least: promise.min_length,
                ..most("it is long", self.length, promise.max_length)
            },
            Measure { unit: "", ..most("it costs", self.cost, promise.max_cost) },
            most("it goes up", self.climb, promise.max_climb),
            most("it goes down", self.descent, promise.max_descent),
        ];
        let faults: Vec<String> = measures.iter().filter_map(Measure::fault).collect();
        self.holds = faults.is_empty();
        if !self.holds {
            self.found = format!("{}: {}", self.found, faults.join("; "));
            self.why = self.straight().map(|straight| {
                format!("its ends are {straight:.2} m apart as the crow flies, and it is the cheapest path")
            });
        }
    }
}
