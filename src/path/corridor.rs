//! Provides [`Corridor`]: the spans from start to goal that a search found.

use nalgebra::Vector3;

use crate::cost::{CostModel, Metric};
use crate::grid::{CellOffset, LinkEdge, SpanId};
use crate::search::{
    AStar, CostField, Estimate, EstimateParameters, Heuristic, Parent, SearchParameters,
};
use crate::view::{Directions, Flow, NavPoint, View, ViewRef};

/// The spans from start to goal, each one step or one link from the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corridor {
    spans: Vec<SpanId>,
    /// Links taken: the position in `spans` they lead to, and their index; ascending.
    links: Vec<(u32, u32)>,
    /// Where spans are left out, ascending.
    gaps: Vec<CorridorGap>,
    /// It does not lead to the goal yet: more can be laid out.
    pub(crate) is_cut: bool,
    pub(crate) cost: f32,
}

/// Spans that a corridor leaves out, because the straight segment across is clear and costs no more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CorridorGap {
    /// The position of the span that it leads to.
    pub position: u32,
    /// Cost of the corridor across it [metres-equivalent].
    pub cost: f32,
    /// Cost of the straight segment [metres-equivalent].
    pub straight: f64,
}

/// Lays out what corridors leave out. It allocates 8 bytes a span when it is first used.
#[derive(Clone, Debug, Default)]
pub(crate) struct CorridorFiller {
    astar: AStar,
    estimate: Estimate,
}

impl Corridor {
    /// The spans, start and goal included.
    pub fn spans(&self) -> &[SpanId] {
        &self.spans
    }

    /// The link by which a span of the corridor is reached, by their positions; `None` if it is
    /// reached by a step.
    pub fn link_to(&self, position: usize) -> Option<u32> {
        let found = self.links.binary_search_by_key(&(position as u32), |link| link.0).ok()?;
        Some(self.links[found].1)
    }

    /// Its cost from center to center, by the query's model [metres-equivalent]. Inside, costs
    /// are whole numbers; this is exact except for their unit, some tenths of a millimetre a step.
    pub fn cost(&self) -> f32 {
        self.cost
    }

    /// Its length from center to center [m]: horizontally, and straight along links. Infinite if the
    /// view does not have its spans.
    pub fn length(&self, view: &View) -> f32 {
        let view = &view.parts();
        if self.spans.iter().any(|span| span.index() >= view.spans().len()) {
            return f32::INFINITY;
        }
        let point = |span: SpanId| NavPoint::center(view, span).point;
        let apart = |(at, pair): (usize, &[SpanId])| {
            let along = point(pair[1]) - point(pair[0]);
            let rise = if self.link_to(at + 1).is_some() { along.y } else { 0.0 };
            Vector3::new(along.x, rise, along.z).cast::<f64>().norm()
        };
        self.spans.windows(2).enumerate().map(apart).sum::<f64>() as f32
    }

    /// Whether an agent can still go along it: nothing blocks it, and its links are open. O(spans).
    ///
    /// A way that is still open may no longer be the cheapest.
    pub fn is_valid(&self, view: &View) -> bool {
        let view = &view.parts();
        let inside = |span: &SpanId| view.is_walkable(*span);
        let joined = |(at, pair): (usize, &[SpanId])| match self.link_to(at + 1) {
            Some(link) => {
                let taken = LinkEdge { at: pair[0], other: pair[1], link };
                view.leaving(pair[0].0).any(|link_edge| *link_edge == taken)
            }
            None => view.connections().dirs(pair[0].0).any(|dir| {
                let column = view.column(pair[0].0);
                view.connections().known_target(column, pair[0].0, dir) == Some(pair[1].0)
            }),
        };
        self.spans.iter().all(inside) && self.spans.windows(2).enumerate().all(joined)
    }

    /// The paths by link that were taken, each with the position it leads to; ascending.
    pub(crate) fn link_edges(&self) -> impl Iterator<Item = (usize, LinkEdge)> {
        self.links.iter().map(|&(position, link)| {
            let position = position as usize;
            let [at, other] = [self.spans[position - 1], self.spans[position]];
            (position, LinkEdge { at, other, link })
        })
    }

    /// Whether it leaves out spans.
    pub(crate) fn has_gaps(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// The gap that leads to a span of the corridor, by its position.
    pub(crate) fn gap_to(&self, position: usize) -> Option<&CorridorGap> {
        let found = self.gaps.binary_search_by_key(&(position as u32), |gap| gap.position).ok()?;
        Some(&self.gaps[found])
    }

    /// The number of cells that it leads over.
    pub(crate) fn cells(&self, view: &ViewRef) -> u32 {
        let across = self.gaps.iter().map(|gap| {
            let [from, to] = [gap.position - 1, gap.position];
            let [from, to] = [from, to].map(|at| view.cell_offset(self.spans[at as usize].0));
            let CellOffset { x, z } = from.to(to);
            x.unsigned_abs().max(z.unsigned_abs())
        });
        across.sum::<u32>() + (self.spans.len() - self.gaps.len()) as u32
    }

    /// Whether it leads over fewer cells than so many.
    pub(crate) fn is_shorter(&self, view: &ViewRef, cells: u32) -> bool {
        cells == u32::MAX || self.cells(view) < cells
    }

    /// Goes on straight to a span, over a gap that costs so much, along and straight.
    pub(crate) fn leap(&mut self, span: SpanId, [cost, straight]: [f64; 2]) {
        let position = self.spans.len() as u32;
        self.gaps.push(CorridorGap { position, cost: cost as f32, straight });
        self.spans.push(span);
    }

    /// Lays out the spans that are left out, each part at the least cost.
    pub(crate) fn fill_gaps<M: CostModel + ?Sized>(
        &mut self,
        filler: &mut CorridorFiller,
        metric: &Metric<M>,
        directions: Directions,
    ) {
        if !self.has_gaps() {
            return;
        }
        let CorridorFiller { astar, estimate } = filler;
        let parameters =
            EstimateParameters { heuristic: Heuristic::Octile, directions, flow: Flow::ToSources };
        estimate.begin(metric, parameters);
        let Corridor { is_cut, cost, .. } = *self;
        let mut whole = Corridor { is_cut, cost, ..Corridor::default() };
        for (position, &span) in self.spans.iter().enumerate() {
            match whole.spans.last().filter(|_| self.gap_to(position).is_some()) {
                None => whole.go_on(span, self.link_to(position)),
                Some(&from) => {
                    estimate.aim(metric.view, span);
                    let parameters = SearchParameters::exact(metric, estimate, directions);
                    let is_found = astar.find(&parameters, [from.0, span.0]).is_some();
                    debug_assert!(is_found, "a straight line is clear from {from:?} to {span:?}");
                    whole.follow(metric, astar, span.0);
                }
            }
        }
        *self = whole;
    }

    pub(crate) fn clear(&mut self) {
        self.spans.clear();
        self.links.clear();
        self.gaps.clear();
        self.is_cut = false;
        self.cost = 0.0;
    }

    /// Begins anew, with a path that a search found.
    pub(crate) fn trace<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        frontier: &AStar,
        end: u32,
    ) {
        self.clear();
        self.cost = metric.cost(frontier.nodes.cost(end));
        self.follow(metric, frontier, end);
    }

    /// Begins anew at a span, with what the whole path will cost.
    pub(crate) fn begin(&mut self, start: SpanId, cost: f32) {
        self.clear();
        self.spans.push(start);
        self.cost = cost;
    }

    /// Goes on to a span, by a link or by a step.
    pub(crate) fn go_on(&mut self, span: SpanId, link: Option<u32>) {
        self.links.extend(link.map(|link| (self.spans.len() as u32, link)));
        self.spans.push(span);
    }

    /// Goes back to its first spans, over steps.
    pub(crate) fn cut_back(&mut self, spans: usize) {
        self.spans.truncate(spans);
    }

    /// Goes on by a path that a search found from the last span, followed back from its end.
    pub(crate) fn follow<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        frontier: &AStar,
        end: u32,
    ) {
        let nodes = &frontier.nodes;
        // The search began at the last span, and will find it again.
        self.spans.pop();
        let (spans, links) = (self.spans.len(), self.links.len());
        let mut span = end;
        self.spans.push(SpanId(span));
        while let Some(parent) = nodes.parent(span) {
            let before = match parent {
                Parent::Start | Parent::Border => break,
                Parent::Step(dir) => {
                    let column = metric.view.column(span);
                    metric.view.connections().known_target(column, span, dir.opposite())
                }
                Parent::Link => frontier.arrival(span).map(|link_edge| {
                    self.links.push(((self.spans.len() - spans) as u32, link_edge.link));
                    link_edge.other.0
                }),
            };
            let Some(before) = before else { break };
            span = before;
            self.spans.push(SpanId(span));
        }
        self.spans[spans..].reverse();
        self.links[links..].reverse();
        let last = self.spans.len() as u32;
        self.links[links..].iter_mut().for_each(|link| link.0 = last - link.0);
    }

    /// Begins anew with the path from a span to the nearest source of a field that holds the costs
    /// to its sources; `None` if the field does not reach, or counts in other units.
    pub(crate) fn follow_field<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        field: &CostField,
        start: SpanId,
    ) -> Option<()> {
        self.begin(start, metric.cost(field.units_from(metric, start)?));
        let mut span = start;
        while let Some(next) = field.next(span) {
            let by_link = field.is_left_by_link(span);
            let links = metric.view.leaving(span.0).filter(|link| by_link && link.other == next);
            let cheapest = links.min_by_key(|link| metric.link(link).unwrap_or(u32::MAX));
            self.go_on(next, cheapest.map(|link| link.link));
            span = next;
        }
        Some(())
    }
}
