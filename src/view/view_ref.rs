//! Provides [`ViewRef`]: a grid as one agent finds it now.
//!
//! Everything the solver asks of a grid goes through here: which spans the agent may stand on,
//! where their steps and links lead, what their ground costs. With an [`Overlay`] these are the
//! bake's answers with the obstacles and changes since then.

use nalgebra::Point3;

use crate::agent::Agent;
use crate::grid::{
    AgentId, AreaId, Cell, Connections, Dir, Factors, GridFrame, LinkEdge, LinkEdges, NavGrid,
    RegionId, Rows, Span, SpanAddress, SpanAttributes, SpanId, Standing, Within,
};

use crate::view::Flow;
use crate::view::UniformGround;
use crate::view::overlay::Change;
use crate::view::overlay::Overlay;

/// A grid as one agent finds it now: the bake, and what an overlay changed since.
///
/// Made in no time, whenever it is needed.
///
/// ```
/// use surefoot::{Agent, NavGrid, solve::Terrain};
/// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 3\nmap\n...\n", 1.0, &[])?;
/// let human = grid.agent_id("human").ok_or("no such agent")?;
/// let terrain = Terrain::new(&grid, human).ok_or("no such agent")?;
/// assert_eq!(terrain.agent().name, "human");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ViewRef<'a> {
    grid: &'a NavGrid,
    agent: AgentId,
    overlay: Option<&'a Overlay>,
    steps: Connections<'a>,
    link_edges: &'a LinkEdges,
    rows: Rows,
    attributes: &'a SpanAttributes,
    /// What a metre on each kind of ground costs.
    factors: &'a Factors,
    least_factor: f32,
    highest_factor: f32,
    /// Every kind of ground there is that is not forbidden costs the same.
    is_uniform: bool,
}

/// Which grid, agent and changes a search was begun on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    grid: u64,
    agent: AgentId,
    state: u64,
}

impl<'a> ViewRef<'a> {
    /// A grid as it was baked, for one of its agents; `None` for an agent it does not have.
    pub fn new(grid: &'a NavGrid, agent: AgentId) -> Option<Self> {
        let layer = grid.layers().get(agent.index())?;
        let steps = Connections::new(grid.frame(), &grid.parts().first, layer);
        let attributes = grid.attributes();
        let mut view = ViewRef {
            grid,
            agent,
            overlay: None,
            steps,
            link_edges: grid.link_edges(agent),
            rows: grid.frame().rows(),
            attributes,
            factors: &attributes.factors,
            least_factor: 1.0,
            highest_factor: 1.0,
            is_uniform: true,
        };
        view.find_extremes();
        Some(view)
    }

    /// A grid with an overlay's changes; `None` for an agent the grid does not have, and for an
    /// overlay of another grid.
    pub fn changed(grid: &'a NavGrid, agent: AgentId, overlay: &'a Overlay) -> Option<Self> {
        let mut view = ViewRef::new(grid, agent)?;
        if !overlay.fits(grid) {
            return None;
        }
        if let Some(standings) = overlay.standings(agent) {
            view.steps = view.steps.with_standings(standings);
        }
        view.factors = overlay.factors();
        view.overlay = Some(overlay);
        view.find_extremes();
        Some(view)
    }

    fn find_extremes(&mut self) {
        let (least, highest) = self
            .open_factors()
            .fold((f32::INFINITY, 0f32), |(low, high), factor| (low.min(factor), high.max(factor)));
        self.least_factor = if least.is_finite() { least } else { 0.0 };
        self.highest_factor = highest;
        self.is_uniform = least == highest;
    }

    /// The grid below.
    pub fn grid(&self) -> &'a NavGrid {
        self.grid
    }

    /// Whose terrain it is.
    pub fn agent_id(&self) -> AgentId {
        self.agent
    }

    /// The body that walks here.
    pub fn agent(&self) -> &'a Agent {
        &self.grid.layers()[self.agent.index()].agent
    }

    /// Side of a cell [m].
    pub fn cell_size(&self) -> f32 {
        self.grid.frame().cell_size
    }

    /// What a metre on a kind of ground costs now [metres-equivalent].
    pub fn factor(&self, area: AreaId) -> f32 {
        self.factors[usize::from(area.0)]
    }

    /// The same for every kind that is somewhere on the grid and not forbidden.
    pub(crate) fn open_factors(&self) -> impl Iterator<Item = f32> {
        let areas = self.grid.areas();
        let open =
            self.attributes.kinds.iter().filter(|kind| !areas[usize::from(kind.0)].forbidden);
        open.map(|&kind| self.factor(kind))
    }

    /// The least that a metre costs on any kind of ground that is somewhere on the grid and not
    /// forbidden; 0 where there is none.
    pub fn least_factor(&self) -> f32 {
        self.least_factor
    }

    /// Whether the agent can stand on a span now; false for ids that do not exist.
    pub fn is_walkable(&self, span: SpanId) -> bool {
        self.standing(span).is_some_and(Standing::is_walkable)
    }

    /// The nearest place where the agent can stand now, within a radius seen from above [m]: the
    /// span, and the nearest point of its cell.
    pub fn nearest_walkable(
        &self,
        point: impl Into<Point3<f32>>,
        radius: f32,
    ) -> Option<(SpanId, Point3<f32>)> {
        let within = Within { radius, height: f32::INFINITY };
        self.grid.nearest_where(point.into(), within, |span| self.is_walkable(span))
    }

    /// What the agent may do on a span now. Where an obstacle blocks it, the verdict names no
    /// node.
    pub fn standing(&self, span: SpanId) -> Option<&'a Standing> {
        self.steps.standings().get(span.index())
    }

    /// The span one step away, `span` standing in `cell`; `None` where there is no step.
    pub fn step(&self, span: SpanId, at: (Cell, Dir)) -> Option<SpanId> {
        // The bake tells whether span and cell belong together; the step itself may be gone.
        self.grid.step(self.agent, span, at)?;
        let index = self.frame().index(at.0)?;
        self.steps.known_target(index, span.0, at.1).map(SpanId)
    }

    /// Distance from a span's center to the nearest place the agent may not stand [m]; 0 where it
    /// cannot stand itself.
    ///
    /// Conservative near obstacles: never too large, but up to a cell's diagonal too small, and an
    /// obstacle on another floor may count. O(obstacles).
    pub fn clearance(&self, span: SpanId) -> Option<f32> {
        let baked = self.grid.clearance(self.agent, span)?;
        if !self.is_walkable(span) {
            return Some(0.0);
        }
        let point = self.grid.point(span)?;
        let near = self.overlay.and_then(|overlay| {
            overlay.distance_to_blocked(self.agent(), [point.x, point.z], self.cell_size())
        });
        Some(near.map_or(baked, |near| near.min(baked)))
    }

    /// Whether a way may lead from one span to another, by their regions. O(log regions).
    ///
    /// `false` is certain. `true` is certain on a bake; with an overlay obstacles or closed links
    /// may have cut the region in two.
    pub fn may_reach(&self, from: SpanId, to: SpanId) -> bool {
        let region = |span| self.grid.region(self.agent, span);
        let (Some(from), Some(to)) = (region(from), region(to)) else { return false };
        self.region_may_reach(from, to)
    }

    pub(crate) fn region_may_reach(&self, from: RegionId, to: RegionId) -> bool {
        self.grid.region_reaches(self.agent, from, to)
    }

    pub(crate) fn highest_factor(&self) -> f32 {
        self.highest_factor
    }

    pub(crate) fn frame(&self) -> &'a GridFrame {
        self.grid.frame()
    }

    #[inline]
    pub(crate) fn spans(&self) -> &'a [Span] {
        self.grid.spans()
    }

    #[inline]
    pub(crate) fn steps(&self) -> &Connections<'a> {
        &self.steps
    }

    /// Row-major position of a span's column.
    #[inline]
    pub(crate) fn column(&self, span: u32) -> usize {
        self.attributes.columns[span as usize] as usize
    }

    /// A span, and where it is.
    #[inline]
    pub(crate) fn address(&self, span: u32) -> SpanAddress {
        SpanAddress { span, column: self.attributes.columns[span as usize] }
    }

    /// Height of a span's floor [m].
    #[inline]
    pub(crate) fn floor(&self, span: u32) -> f32 {
        self.attributes.floors[span as usize]
    }

    /// What a metre of a span's ground costs.
    #[inline]
    pub(crate) fn factor_on(&self, span: u32) -> f32 {
        if self.is_uniform {
            self.least_factor
        } else {
            self.factor(self.attributes.areas[span as usize])
        }
    }

    /// What a metre costs on every kind of ground, where that is the same.
    #[inline]
    pub(crate) fn one_factor(&self) -> Option<f32> {
        self.is_uniform.then_some(self.least_factor)
    }

    #[inline]
    pub(crate) fn rows(&self) -> Rows {
        self.rows
    }

    /// Cells of a span's column from the frame's corner, along x and z.
    #[inline]
    pub(crate) fn place(&self, span: u32) -> (i32, i32) {
        self.rows.place(self.column(span))
    }

    /// The ways by link that start at a span and are open.
    #[inline]
    pub(crate) fn leaving(&self, span: u32) -> impl Iterator<Item = &'a LinkEdge> {
        self.links_at(span, Flow::FromSources)
    }

    /// The ways by link that end at a span and are open; their `other` is where they start.
    #[inline]
    pub(crate) fn entering(&self, span: u32) -> impl Iterator<Item = &'a LinkEdge> {
        self.links_at(span, Flow::ToSources)
    }

    /// The ways by link that are open and lead on from a span, or come to it.
    #[inline]
    pub(crate) fn links_at(&self, span: u32, flow: Flow) -> impl Iterator<Item = &'a LinkEdge> {
        let link_edges = match flow {
            Flow::FromSources => self.link_edges.leaving(SpanId(span)),
            Flow::ToSources => self.link_edges.entering(SpanId(span)),
        };
        link_edges.iter().filter(|link_edge| self.is_passable(link_edge))
    }

    /// All ways by link that are open.
    pub(crate) fn open_links(&self) -> impl Iterator<Item = &'a LinkEdge> {
        self.link_edges.all().iter().filter(|link_edge| self.is_passable(link_edge))
    }

    /// Whether a link is open and both its ends are free.
    fn is_passable(&self, link_edge: &LinkEdge) -> bool {
        self.overlay.is_none_or(|overlay| {
            overlay.is_open(link_edge.link as usize)
                && self.is_walkable(link_edge.at)
                && self.is_walkable(link_edge.other)
        })
    }

    /// Names what the changes made of the bake; 0 where there are none.
    pub(crate) fn state(&self) -> u64 {
        self.overlay.map_or(0, Overlay::state)
    }

    /// The changes after a state; `None` where they are not known.
    pub(crate) fn changes_since(&self, state: u64) -> Option<Vec<Change>> {
        match self.overlay {
            Some(overlay) => overlay.changes_since(state).map(Iterator::collect),
            None => (state == 0).then(Vec::new),
        }
    }

    /// The middles of level ground; `None` where there are none.
    pub(crate) fn uniform_ground(&self) -> Option<UniformGround<'a>> {
        let changed = self.overlay.and_then(|overlay| overlay.standings(self.agent));
        let uniform_cells = self.grid.uniform_cells(self.agent);
        (!uniform_cells.is_empty()).then_some(UniformGround { uniform_cells, changed })
    }

    pub(crate) fn stamp(&self) -> Stamp {
        Stamp { grid: self.grid.number(), agent: self.agent, state: self.state() }
    }
}
