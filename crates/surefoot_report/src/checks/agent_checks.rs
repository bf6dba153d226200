//! Provides [`AgentChecks`]: what the checks of one agent share.

use nalgebra::Point3;
use surefoot::grid::AgentId;
use surefoot::view::{LinkFilter, NavPoint, View};
use surefoot::{HeightCost, NavGrid, Navigator, Query, SpanId};

use super::error::{CheckError, SpecPath};
use super::explain::{CheckExplanations, Explanation, Zone};
use super::places::CheckPlace;
use super::walking::WalkingGround;
use crate::standing::{StandingQuestion, StandingReport};

/// The navigators of an agent, and what was found out about its ground.
pub(super) struct AgentChecks<'a> {
    pub grid: &'a NavGrid,
    pub agent: AgentId,
    /// By the default costs.
    pub navigator: Navigator,
    /// By other costs.
    others: Vec<(HeightCost, Navigator)>,
    explanations: CheckExplanations,
    /// Made when it is needed.
    walking: Option<WalkingGround>,
}

impl<'a> AgentChecks<'a> {
    pub fn new(grid: &'a NavGrid, agent: AgentId) -> Result<Self, CheckError> {
        Ok(AgentChecks {
            grid,
            agent,
            navigator: navigator(grid, agent, HeightCost::default())?,
            others: Vec::new(),
            explanations: CheckExplanations::default(),
            walking: None,
        })
    }

    pub fn name(&self) -> &'a str {
        &self.grid.layers()[self.agent.index()].agent.name
    }

    pub fn view(&self) -> &View {
        self.navigator.view()
    }

    /// The navigator that counts costs by a model.
    pub fn navigator_by(&mut self, model: HeightCost) -> Result<&mut Navigator, CheckError> {
        if model == HeightCost::default() {
            return Ok(&mut self.navigator);
        }
        let at = match self.others.iter().position(|(known, _)| *known == model) {
            Some(at) => at,
            None => {
                self.others.push((model, navigator(self.grid, self.agent, model)?));
                self.others.len() - 1
            }
        };
        Ok(&mut self.others[at].1)
    }

    /// Where the agent stands at a place, moved no farther than it may be; `None` if it cannot.
    pub fn stand(&mut self, point: Point3<f32>, place: &CheckPlace) -> Option<NavPoint> {
        let query = Query { snap_radius: place.within, ..Query::new(point, point) };
        let path = self.navigator.find(&query).path().ok()?;
        path.waypoints().first().map(|first| NavPoint { span: first.span, point: first.point })
    }

    /// Whether the agent can stand at a point, and why not.
    pub fn standing(&self, at: Point3<f32>) -> StandingReport<'a> {
        StandingQuestion { grid: self.grid, agent: self.agent, at }.report()
    }

    /// Why the agent cannot stand where a path is to begin or end, and what to do about it.
    pub fn why_not_standing(&self, at: Point3<f32>, place: &CheckPlace) -> OffGround {
        let standing = self.standing(at);
        let nearest = standing.nearest_point();
        let mut why = standing.reason.trim_end_matches('.').to_owned();
        if let Some(nearest @ [x, y, z]) = nearest {
            let distance = (Point3::from(nearest) - at).norm();
            why += &format!("; the nearest place where it can is {x:.2},{y:.2},{z:.2}");
            if place.within.is_none() && distance < FARTHEST_ADVICE {
                let within = (distance * 2.0).ceil() / 2.0;
                why += &format!(
                    ", {distance:.2} m away: {{ at = .., within = {within} }} lets the place move there"
                );
            }
        }
        OffGround { why, nearest }
    }

    /// Begins another check.
    pub fn begin_check(&mut self) {
        self.explanations.begin_check();
    }

    /// What is in the way of a query between two spans.
    pub fn explain(&mut self, query: &Query, ends: Option<[SpanId; 2]>) -> Explanation {
        let zones = ends.and_then(|ends| {
            let [from, to] = ends.map(|end| self.zone(end, query.links));
            Some([from?, to?])
        });
        self.explanations.find(&self.navigator, query, zones)
    }

    /// The ground that a span lies on; `None` if that is not known without a search.
    pub fn zone(&mut self, span: SpanId, links: LinkFilter) -> Option<Zone> {
        // An overlay may close links, and so part regions.
        if self.view().overlay().is_some() {
            return None;
        }
        if self.may_take_all(links) {
            return self.grid.region(self.agent, span).map(|region| Zone::Region(region.0));
        }
        if links != LinkFilter::only(&[]) {
            return None;
        }
        let view = self.navigator.view();
        let walking = self.walking.get_or_insert_with(|| WalkingGround::new(view));
        walking.piece(span).map(Zone::Piece)
    }

    /// Whether a filter forbids none of the links that the agent can take.
    fn may_take_all(&self, filter: LinkFilter) -> bool {
        let mut usable = self.grid.links().iter();
        usable.all(|link| filter.allows(link.kind) || link.lanes_of(self.agent.index()).is_empty())
    }

    /// Whether a path leads from one span to another, as far as that is known without a search.
    pub fn is_joined(&mut self, [from, to]: [SpanId; 2], links: LinkFilter) -> Option<bool> {
        if !self.view().may_reach(from, to) {
            return Some(false);
        }
        match [self.zone(from, links)?, self.zone(to, links)?] {
            [Zone::Region(_), Zone::Region(_)] => Some(true),
            [from, to] => Some(from == to),
        }
    }
}

/// Places farther away than this are not advised [m].
const FARTHEST_ADVICE: f32 = 5.0;

/// Why an agent cannot stand somewhere.
pub(super) struct OffGround {
    pub why: String,
    pub nearest: Option<[f32; 3]>,
}

fn navigator(grid: &NavGrid, agent: AgentId, model: HeightCost) -> Result<Navigator, CheckError> {
    let made = Navigator::with_model(grid.clone(), agent, model);
    made.map_err(|error| SpecPath::default().error(error.to_string()))
}
