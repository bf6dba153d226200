//! Evaluates promises that every place of some reaches every one of others.
//!
//! What the grid knows of regions decides most pairs without a search, and all places on the same ground
//! at once. Only pairs that fail are looked into.

use std::collections::BTreeMap;

use surefoot::observer::check_cancelled;
use surefoot::view::NavPoint;
use surefoot::{HeightCost, Observer};

use super::agent_checks::AgentChecks;
use super::error::CheckError;
use super::explain::Zone;
use super::pair::{Connection, End, FoundPair, Pair};
use super::places::CheckPlace;
use super::plan::ReachTask;
use super::report::{Finding, MOST_FINDINGS};
use super::site::Site;
use super::tally::Tally;

/// A place, and where the agent stands there.
struct Stop<'a> {
    place: &'a CheckPlace,
    site: Site,
    /// `None` if it cannot.
    stand: Option<NavPoint>,
}

impl Stop<'_> {
    fn end(&self) -> End<'_> {
        End { place: self.place, site: &self.site }
    }
}

/// The starts that reach the same places: those on the same ground.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Start {
    On(Zone),
    /// It is not known what else is joined with it.
    Alone(usize),
}

/// Starts on the same ground, and a goal.
struct ReachGroup<'a> {
    starts: &'a [&'a Stop<'a>],
    goal: &'a Stop<'a>,
}

impl<'a> ReachGroup<'a> {
    /// The pairs, without that of a place and itself.
    fn pairs(&self, task: &ReachTask) -> Vec<Pair<'a>> {
        let (to, links) = (self.goal.end(), task.promise.links.0);
        let pair = |start: &&'a Stop<'a>| Pair { from: start.end(), to, start: start.stand, links };
        self.starts.iter().map(pair).filter(|pair| !pair.is_one_place()).collect()
    }
}

impl AgentChecks<'_> {
    /// Looks at every pair.
    pub fn reach(
        &mut self,
        task: &ReachTask,
        observer: &dyn Observer,
    ) -> Result<Tally, CheckError> {
        let (starts, goals) = (self.stops(&task.from)?, self.stops(&task.to)?);
        let mut groups: BTreeMap<Start, Vec<&Stop>> = BTreeMap::new();
        for (at, start) in starts.iter().enumerate() {
            let zone = start.stand.and_then(|stand| self.zone(stand.span, task.promise.links.0));
            groups.entry(zone.map_or(Start::Alone(at), Start::On)).or_default().push(start);
        }
        let mut tally = Tally::default();
        for starts in groups.values() {
            for goal in &goals {
                check_cancelled(observer)?;
                self.reach_of(&ReachGroup { starts, goal }, task, &mut tally)?;
            }
        }
        tally.found = match (tally.failing, task.promise.exists) {
            (0, _) if tally.looked_at == 1 && task.promise.exists => Some("connected".to_owned()),
            (0, _) if tally.looked_at == 1 => Some("not connected".to_owned()),
            (0, true) => Some(format!("all {} pairs are connected", tally.looked_at)),
            (0, false) => Some(format!("none of {} pairs is connected", tally.looked_at)),
            _ => None,
        };
        Ok(tally)
    }

    fn stops<'p>(&mut self, places: &'p [CheckPlace]) -> Result<Vec<Stop<'p>>, CheckError> {
        let mut stops = Vec::with_capacity(places.len());
        for place in places {
            let site = place.site(self.grid, self.agent)?;
            let stand = site.point.and_then(|point| self.stand(point, place));
            stops.push(Stop { place, site, stand });
        }
        Ok(stops)
    }

    fn reach_of(
        &mut self,
        group: &ReachGroup,
        task: &ReachTask,
        tally: &mut Tally,
    ) -> Result<(), CheckError> {
        let pairs = group.pairs(task);
        let Some(first) = pairs.first() else { return Ok(()) };
        if !task.promise.exists && (first.start.is_none() || group.goal.stand.is_none()) {
            // A place without a floor says nothing, so each is looked at.
            for pair in &pairs {
                let FoundPair { finding, connection } = self.find(pair, HeightCost::default())?;
                tally.add(Finding { holds: connection == Connection::NoPath, ..finding });
            }
            return Ok(());
        }
        let spans = first.start.zip(group.goal.stand).map(|(start, goal)| [start.span, goal.span]);
        let is_joined = spans.and_then(|spans| self.is_joined(spans, first.links)) == Some(true);
        // What lies on other ground may still be reached beside the goal, as near as a query accepts.
        let found = if is_joined { None } else { Some(self.find(first, HeightCost::default())?) };
        let connection = found.as_ref().map(|found| found.connection);
        let is_connected = matches!(connection, None | Some(Connection::Path(_)));
        if connection != Some(Connection::NoFloor) && is_connected == task.promise.exists {
            tally.count(pairs.len(), 0);
            return Ok(());
        }
        let room = MOST_FINDINGS.saturating_sub(tally.findings.len()).min(pairs.len());
        let (kept, others) = pairs.split_at(room);
        for pair in kept {
            let finding = match &found {
                Some(found) if !is_connected => {
                    Finding { from: Some(pair.from.site.place.clone()), ..found.finding.clone() }
                }
                _ => self.find(pair, HeightCost::default())?.finding,
            };
            tally.add(Finding { holds: false, ..finding });
        }
        tally.count(others.len(), others.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::{CheckFile, CheckInput, CheckReport};
    use surefoot::NavGrid;

    /// What is found of reach on a map of two rooms.
    fn reach(promise: &str) -> CheckReport {
        let map = "type octile\nheight 2\nwidth 7\nmap\n...@...\n...@...\n";
        let grid = NavGrid::from_map(map, 1.0, &[]).unwrap();
        let file = format!(
            r#"{{"places": {{"west": [[0.5, 0.5], [1.5, 0.5], [0.5, 1.5]], "east": [6.5, 0.5],
                "off": [90, 90]}}, "agents": ["human"], "reach": [{promise}]}}"#
        );
        let file: CheckFile = serde_json::from_str(&file).unwrap();
        file.evaluate(&CheckInput { grid: &grid, hash: "", nodes: None }, &()).unwrap()
    }

    #[test]
    fn places_on_one_ground_reach_each_other() {
        let report = reach(r#"{"from": "west", "to": "west"}"#);
        let result = &report.results[0];
        assert!(report.holds && result.findings.is_empty());
        assert_eq!((result.looked_at, result.found.as_str()), (6, "all 6 pairs are connected"));
        let report = reach(r#"{"from": "west", "to": "west", "exists": false}"#);
        let result = &report.results[0];
        assert_eq!((result.failing, result.looked_at, result.findings.len()), (6, 6, 6));
        assert!(result.findings[0].length.is_some_and(|length| length > 0.9));
    }

    #[test]
    fn every_pair_that_fails_is_explained() {
        let report = reach(r#"{"from": "west", "to": ["west", "east"]}"#);
        let result = &report.results[0];
        assert_eq!((result.failing, result.looked_at), (3, 9));
        let from: Vec<&str> =
            result.findings.iter().map(|one| one.from.as_ref().unwrap().name.as_str()).collect();
        assert_eq!(from, ["west #1", "west #2", "west #3"]);
        for finding in &result.findings {
            assert_eq!(finding.to.as_ref().unwrap().name, "east");
            assert!(
                finding.why.as_ref().is_some_and(|why| why.contains("in the way")),
                "{finding:?}"
            );
            assert_eq!(finding.blockers.len(), 1);
        }
        assert!(reach(r#"{"from": "west", "to": "east", "exists": false}"#).holds);
    }

    #[test]
    fn a_place_without_a_floor_never_passes() {
        for exists in [true, false] {
            let promise = format!(r#"{{"from": "west", "to": "off", "exists": {exists}}}"#);
            let result = &reach(&promise).results[0];
            assert_eq!((result.failing, result.looked_at), (3, 3));
            assert_eq!(result.findings[0].found, "there is no floor at 90,90");
        }
    }
}
