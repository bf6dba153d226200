//! Provides [`GroundSearch`]: looks around over a few metres of ground.
//!
//! Dijkstra's search. It counts whole millimetres, so that it always finds the same.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grid::SpanId;
use crate::search::{Nodes, Parent};
use crate::view::{NavPoint, ViewRef};

/// Searches one after another.
#[derive(Debug, Default)]
pub(crate) struct GroundSearch {
    nodes: Nodes,
    /// By cost, then by span.
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

/// Ways that are longer are not looked for [mm].
const MOST_COST: u32 = 25_000;
/// Two bodies pass each other if somewhere within this distance there is clearance for both [radii].
const WIDTH_REACH: f32 = 2.0;
/// Most searches have no more spans open at a time.
const FEW_SPANS: usize = 256;

impl GroundSearch {
    /// The way over the ground from one span to another; `None` if it is longer than a few metres.
    pub(crate) fn trail(
        &mut self,
        view: &ViewRef,
        from: SpanId,
        to: SpanId,
    ) -> Option<Vec<NavPoint>> {
        self.begin(view, from);
        while let Some(span) = self.settle() {
            if span == to.0 {
                return Some(self.trail_back(view, span));
            }
            self.expand(view, span, MOST_COST);
        }
        None
    }

    /// Whether two bodies cannot pass each other here: nowhere near has clearance for both.
    pub(crate) fn is_narrow(&mut self, view: &ViewRef, at: SpanId) -> bool {
        let radius = view.agent().radius;
        // A cell in a corner of open ground is next to walls on both sides, and so are its neighbors.
        let reach = 1000.0 * (WIDTH_REACH * radius + 1.5 * view.cell_size());
        self.begin(view, at);
        while let Some(span) = self.settle() {
            let clearance = view.grid().clearance(view.agent_id(), SpanId(span));
            if clearance.is_some_and(|clearance| clearance >= radius) {
                return false;
            }
            self.expand(view, span, reach as u32);
        }
        true
    }

    fn begin(&mut self, view: &ViewRef, span: SpanId) {
        self.nodes.clear(view.spans().len());
        self.open.clear();
        self.open.reserve(FEW_SPANS);
        self.nodes.reach(span.0, 0, Parent::Start);
        self.open.push(Reverse((0, span.0)));
    }

    /// Closes the nearest open span.
    fn settle(&mut self) -> Option<u32> {
        loop {
            let Reverse((_, span)) = self.open.pop()?;
            if !self.nodes.is_closed(span) {
                self.nodes.close(span);
                return Some(span);
            }
        }
    }

    /// Relaxes the connections of a span, up to a cost [mm].
    fn expand(&mut self, view: &ViewRef, span: u32, most: u32) {
        let (cost, column) = (self.nodes.cost(span), view.column(span));
        let from = NavPoint::center(view, SpanId(span)).point;
        for dir in view.connections().dirs(span) {
            let Some(next) = view.connections().known_target(column, span, dir) else { continue };
            let to = NavPoint::center(view, SpanId(next)).point;
            let length = ((to - from).norm() * 1000.0).round() as u32;
            let total = cost.saturating_add(length);
            if total < self.nodes.cost(next) && total <= most {
                self.nodes.reach(next, total, Parent::Step(dir));
                self.open.push(Reverse((total, next)));
            }
        }
    }

    /// The centers of the spans from where the search began.
    fn trail_back(&self, view: &ViewRef, end: u32) -> Vec<NavPoint> {
        let mut trail = vec![NavPoint::center(view, SpanId(end))];
        let mut span = end;
        while let Some(Parent::Step(dir)) = self.nodes.parent(span) {
            let back = view.connections().known_target(view.column(span), span, dir.opposite());
            let Some(before) = back else { break };
            trail.push(NavPoint::center(view, SpanId(before)));
            span = before;
        }
        trail.reverse();
        trail
    }
}
