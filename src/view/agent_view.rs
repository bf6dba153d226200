//! Provides [`View`]: a grid as one agent finds it now.

use std::sync::Arc;

use nalgebra::Point3;

use crate::agent::Agent;
use crate::grid::{
    AgentId, AgentKey, AreaId, Connections, Dir, Factors, NavGrid, SpanId, Standing, UnknownAgent,
    Within,
};

use super::filter::AreaFilter;
use super::link_filter::LinkFilter;
use super::overlay::Overlay;
use super::view_ref::{Stamp, ViewRef};

/// One agent's view of a grid, with the run-time changes of an [`Overlay`] if there are any.
///
/// Cloning is cheap: clones share the grid and the overlay.
///
/// ```
/// use surefoot::NavGrid;
/// use surefoot::view::View;
/// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 3\nmap\n...\n", 1.0, &[])?;
/// let view = View::new(&grid, "human")?;
/// assert_eq!(view.agent().name, "human");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct View {
    grid: NavGrid,
    agent: AgentId,
    overlay: Option<Arc<Overlay>>,
    /// The factors of a query's filter, in place of those of the grid or overlay.
    filtered: Option<Arc<Factors>>,
    /// Which links a query may take; all kinds, if the grid has none of those that it forbids.
    pub(super) links: LinkFilter,
    pub(super) range: FactorRange,
}

/// The lowest and highest cost factor of the areas that some span has and nobody is forbidden.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FactorRange {
    /// 0 if there is no such area.
    pub lowest: f32,
    pub highest: f32,
}

/// Why an overlay does not fit a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the overlay was made for another grid; make one with Overlay::new from this grid")]
pub struct OtherGrid;

impl View {
    /// The grid as it was baked, for one of its agents, by name or id. Links that move are open at their
    /// first stops.
    ///
    /// # Errors
    /// The grid has no such agent; the error lists those it has.
    pub fn new(grid: &NavGrid, agent: impl AgentKey) -> Result<Self, UnknownAgent> {
        let agent = agent.find_in(grid)?;
        let range = FactorRange { lowest: 0.0, highest: 0.0 };
        let links = LinkFilter::ALL;
        let has_stops = grid.links().iter().any(|link| link.stop.is_some());
        let overlay = has_stops.then(|| Arc::new(Overlay::new(grid)));
        let view = View { grid: grid.clone(), agent, overlay, filtered: None, links, range };
        Ok(view.with_range())
    }

    /// The same agent's view with the changes of an overlay.
    ///
    /// # Errors
    /// The overlay was made for another grid.
    pub fn with_overlay(&self, overlay: Arc<Overlay>) -> Result<Self, OtherGrid> {
        if !overlay.fits(&self.grid) {
            return Err(OtherGrid);
        }
        Ok(View { overlay: Some(overlay), ..self.clone() }.with_range())
    }

    /// The grid as it was baked: the view without its overlay. Links that move are at all of their stops.
    pub fn without_overlay(&self) -> Self {
        View { overlay: None, ..self.clone() }.with_range()
    }

    /// The view with the factors of a query's filter; itself if the filter changes nothing.
    pub(crate) fn filtered(&self, filter: &AreaFilter) -> Self {
        if filter.is_empty() {
            return self.clone();
        }
        let factors = Arc::new(filter.apply(self.factors()));
        View { filtered: Some(factors), ..self.clone() }.with_range()
    }

    /// The view with the links that a filter allows; itself if the filter forbids none.
    pub(crate) fn with_links(&self, links: LinkFilter) -> Self {
        View { links: links.among(self.grid.links()), ..self.clone() }
    }

    fn with_range(self) -> Self {
        let finite = |(low, high): (f32, f32), factor: f32| {
            if factor == f32::INFINITY { (low, high) } else { (low.min(factor), high.max(factor)) }
        };
        let (low, highest) = self.parts().open_factors().fold((f32::INFINITY, 0.0), finite);
        let lowest = if low.is_finite() { low } else { 0.0 };
        View { range: FactorRange { lowest, highest }, ..self }
    }

    /// The parts of the view that hot loops read.
    pub(crate) fn parts(&self) -> ViewRef<'_> {
        ViewRef::new(self)
    }

    /// The grid below.
    pub fn grid(&self) -> &NavGrid {
        &self.grid
    }

    /// Whose view it is.
    pub fn agent_id(&self) -> AgentId {
        self.agent
    }

    /// The body that walks here.
    pub fn agent(&self) -> &Agent {
        &self.grid.layers()[self.agent.index()].agent
    }

    /// The run-time changes; `None` if the view shows the grid as it was baked.
    pub fn overlay(&self) -> Option<&Overlay> {
        self.overlay.as_deref()
    }

    /// The overlay, to share it.
    pub(crate) fn shared_overlay(&self) -> Option<Arc<Overlay>> {
        self.overlay.clone()
    }

    /// Gives up the overlay, so that its owner can change it without a copy.
    pub(crate) fn release_overlay(&mut self) {
        self.overlay = None;
    }

    /// Side of a cell [m].
    pub fn cell_size(&self) -> f32 {
        self.grid.frame().cell_size
    }

    /// Cost factor of an area now [> 0].
    pub fn factor(&self, area: AreaId) -> f32 {
        self.factors()[usize::from(area.0)]
    }

    /// The lowest cost factor of the areas that some span has and nobody is forbidden; 0 if there
    /// is none.
    pub fn least_factor(&self) -> f32 {
        self.range.lowest
    }

    /// Whether the agent can stand on a span now; false for ids that do not exist.
    pub fn is_walkable(&self, span: SpanId) -> bool {
        self.standing(span).is_some_and(Standing::is_walkable)
    }

    /// What the agent may do on a span now. If a obstacle blocks it, the verdict names no node.
    pub fn standing(&self, span: SpanId) -> Option<&Standing> {
        self.standings().get(span.index())
    }

    /// The nearest place where the agent can stand now, within a horizontal radius [m]: the span,
    /// and the nearest point of its cell.
    pub fn nearest_walkable(
        &self,
        point: impl Into<Point3<f32>>,
        radius: f32,
    ) -> Option<(SpanId, Point3<f32>)> {
        let within = Within { radius, height: f32::INFINITY };
        self.grid.nearest_where(point.into(), within, |span| self.is_walkable(span))
    }

    /// The height of the agent's feet at (x, z) on the floor of a span [m]; `None` if (x, z) is not over the
    /// span's cell. O(spans of four columns).
    ///
    /// It is the [height of the ground](NavGrid::ground_height), but for a body that has no room to leave the
    /// line from the center of a cell to the next: where the line leads up a step, the body rises before the
    /// edge, as it did in the bake, by at most half the step.
    pub fn feet_height(&self, x: f32, z: f32, floor: SpanId) -> Option<f32> {
        self.parts().feet_height([x, z], floor)
    }

    /// The span that a connection leads to in a direction; `None` if there is none.
    /// O(log columns), and O(1) once a search has been made.
    pub fn neighbor(&self, span: SpanId, dir: Dir) -> Option<SpanId> {
        if span.index() >= self.grid.spans().len() {
            return None;
        }
        let column = self.grid.attributes().columns[span.index()] as usize;
        self.connections().known_target(column, span.0, dir).map(SpanId)
    }

    /// Distance from a span's center to the nearest place the agent may not stand [m]; 0 if it
    /// cannot stand itself.
    ///
    /// Counted from cell to cell: up to half a cell too large where a wall runs within cells, up to a cell's
    /// diagonal too small near obstacles; one on another floor may count. O(obstacles).
    pub fn clearance(&self, span: SpanId) -> Option<f32> {
        let baked = self.grid.clearance(self.agent, span)?;
        if !self.is_walkable(span) {
            return Some(0.0);
        }
        let point = self.grid.point(span)?;
        let near = self.overlay.as_ref().and_then(|overlay| {
            overlay.distance_to_blocked(self.agent(), [point.x, point.z], self.cell_size())
        });
        Some(near.map_or(baked, |near| near.min(baked)))
    }

    /// Whether a path may lead from one span to another, by their regions. O(log regions).
    ///
    /// `false` is certain. `true` is certain without an overlay; with one, obstacles or closed links, as
    /// at the stops of a link that moves, may have cut the region in two.
    pub fn may_reach(&self, from: SpanId, to: SpanId) -> bool {
        let region = |span| self.grid.region(self.agent, span);
        let (Some(from), Some(to)) = (region(from), region(to)) else { return false };
        self.grid.region_reaches(self.agent, from, to)
    }

    /// The agent's connections now.
    pub(super) fn connections(&self) -> Connections<'_> {
        let layer = &self.grid.layers()[self.agent.index()];
        Connections::new(self.grid.frame(), &self.grid.parts().first, layer)
            .with_standings(self.standings())
    }

    /// Identifies the grid, the agent and the state of the overlay.
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp { grid: self.grid.number(), agent: self.agent, state: self.state() }
    }

    /// Identifies what the changes made of the bake; 0 if there are none.
    pub(crate) fn state(&self) -> u64 {
        self.overlay.as_ref().map_or(0, |overlay| overlay.state())
    }

    pub(super) fn factors(&self) -> &Factors {
        match (&self.filtered, &self.overlay) {
            (Some(factors), _) => factors,
            (None, Some(overlay)) => overlay.factors(),
            (None, None) => &self.grid.attributes().factors,
        }
    }

    pub(super) fn standings(&self) -> &[Standing] {
        let changed = self.overlay.as_ref().and_then(|overlay| overlay.standings(self.agent));
        changed.unwrap_or(&self.grid.layers()[self.agent.index()].standings)
    }
}
