//! Provides [`Pair`]: two places between which a path is looked for.

use nalgebra::Point3;
use surefoot::grid::Link;
use surefoot::search::PathError;
use surefoot::view::{LinkFilter, NavPoint};
use surefoot::{HeightCost, NavGrid, Path, Query, SpanId};

use super::agent_checks::AgentChecks;
use super::error::CheckError;
use super::places::CheckPlace;
use super::report::{Finding, FoundPlace};
use super::site::Site;
use crate::path::reason;

/// A place of a check, and where it is for the agent.
#[derive(Clone, Copy)]
pub(super) struct End<'a> {
    pub place: &'a CheckPlace,
    pub site: &'a Site,
}

/// Two places between which a path is looked for.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub from: End<'a>,
    pub to: End<'a>,
    /// Where the agent stands at the start; `None` if it cannot.
    pub start: Option<NavPoint>,
    pub links: LinkFilter,
}

/// What was found between two places. Whether that holds is not judged yet.
pub(super) struct FoundPair {
    pub finding: Finding,
    pub connection: Connection,
}

/// Whether a path joins two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connection {
    /// It begins and ends on these spans.
    Path([SpanId; 2]),
    /// None does.
    NoPath,
    /// One of them is nowhere: there is no floor.
    NoFloor,
}

impl Pair<'_> {
    /// Whether both are one named place.
    pub fn is_one_place(&self) -> bool {
        self.from.place.id.is_some() && self.from.place.id == self.to.place.id
    }

    fn finding(&self) -> Finding {
        let [from, to] = [self.from, self.to].map(|end| Some(end.site.place.clone()));
        Finding { from, to, ..Finding::default() }
    }
}

impl AgentChecks<'_> {
    /// Looks for the cheapest path by some costs.
    pub fn find(&mut self, pair: &Pair, costs: HeightCost) -> Result<FoundPair, CheckError> {
        let mut finding = pair.finding();
        let (Some(from), Some(to)) = (pair.from.site.point, pair.to.site.point) else {
            let problems = [pair.from, pair.to].map(|end| end.site.problem.as_str());
            finding.found = problems.into_iter().filter(|problem| !problem.is_empty()).collect();
            return Ok(FoundPair { finding, connection: Connection::NoFloor });
        };
        let links = pair.links;
        let Some(start) = pair.start else {
            let end = Query { links, ..Query::new(from, to) };
            self.describe_off_ground(pair.from, &end, &mut finding);
            return Ok(FoundPair { finding, connection: self.without_path_at(from) });
        };
        let query =
            Query { links, snap_radius: pair.to.place.within, ..Query::new(start.point, to) };
        let grid = self.grid;
        let error = match self.navigator_by(costs)?.find(&query).path() {
            Ok(path) => {
                finding.describe(path, grid);
                let connection = ends(path).map_or(Connection::NoPath, Connection::Path);
                return Ok(FoundPair { finding, connection });
            }
            Err(error) => error,
        };
        let mut connection = Connection::NoPath;
        if matches!(error, PathError::GoalOffGrid { .. }) {
            self.describe_off_ground(pair.to, &query, &mut finding);
            connection = self.without_path_at(to);
        } else {
            let goal = self.stand(to, pair.to.place);
            let explained = self.explain(&query, goal.map(|goal| [start.span, goal.span]));
            finding.found = format!("no path: {}", reason(error));
            (finding.why, finding.blockers) = (explained.why, explained.blockers);
        }
        finding.add_moves();
        Ok(FoundPair { finding, connection })
    }

    /// What it means that no path begins or ends at a point: a place in the air is no place.
    fn without_path_at(&self, point: Point3<f32>) -> Connection {
        let height = self.grid.layers()[self.agent.index()].agent.height;
        match self.grid.span_at(point, height) {
            Some(_) => Connection::NoPath,
            None => Connection::NoFloor,
        }
    }

    /// Says why the agent cannot stand at an end.
    fn describe_off_ground(&mut self, end: End, query: &Query, finding: &mut Finding) {
        let at = end.site.point.unwrap_or(query.from);
        let off = self.why_not_standing(at, end.place);
        finding.found = format!("no path: {} cannot stand at {}", self.name(), end.place.name);
        (finding.why, finding.nearest) = (Some(off.why), off.nearest);
    }
}

/// The spans on which a path begins and ends.
fn ends(path: &Path) -> Option<[SpanId; 2]> {
    let waypoints = path.waypoints();
    Some([waypoints.first()?.span, waypoints.last()?.span])
}

/// What lies nearer to the ground than this is on it [m].
const ON_GROUND: f32 = 0.05;

impl Finding {
    /// Says what a path is like.
    fn describe(&mut self, path: &Path, grid: &NavGrid) {
        let (length, cost) = (path.length(), path.cost());
        let (climb, descent) = (path.climb(), path.descent());
        let taken = path.waypoints().iter().filter_map(|waypoint| waypoint.link);
        let links: Vec<&Link> = taken.filter_map(|link| grid.links().get(link as usize)).collect();
        self.found = format!(
            "a path of {length:.2} m at a cost of {cost:.2}, {climb:.2} m up and {descent:.2} m down"
        );
        if !links.is_empty() {
            let names =
                links.iter().map(|link| format!("\"{}\" ({})", link.name, link.kind.name()));
            self.found += &format!(", by link {}", names.collect::<Vec<_>>().join(", "));
        }
        self.waypoints = path.waypoints().iter().map(|waypoint| waypoint.point.into()).collect();
        self.links = links.into_iter().map(|link| link.name.clone()).collect();
        (self.length, self.cost) = (Some(length), Some(cost));
        (self.climb, self.descent) = (Some(climb), Some(descent));
    }

    /// Says how far nodes are from the ground that stands for them.
    fn add_moves(&mut self) {
        let far = |end: &&FoundPlace| end.moved > ON_GROUND;
        let ends = self.from.iter().chain(&self.to).filter(far);
        let moves: String = ends
            .map(|end| format!("; {} is on the ground, {:.2} m from its node", end.name, end.moved))
            .collect();
        self.found += &moves;
    }

    /// The straight distance between its ends [m]; `None` without a path.
    pub(super) fn straight(&self) -> Option<f32> {
        let ([x, y, z], [u, v, w]) = (*self.waypoints.first()?, *self.waypoints.last()?);
        Some((u - x).hypot(v - y).hypot(w - z))
    }
}
