//! Provides [`RefugeSearch`]: finds the nearest place where a body is out of another's way.
//!
//! Dijkstra's search over a few metres of ground. It counts whole millimetres, so that the same bodies
//! always go to the same places.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use nalgebra::Point3;

use crate::crowd::route_ahead::{RouteAhead, SAME_STOREY};
use crate::follow::norm;
use crate::grid::SpanId;
use crate::search::{Nodes, Parent};
use crate::view::{NavPoint, ViewRef};

/// Ground that a body takes up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub point: Point3<f32>,
    pub radius: f32,
}

/// What a body looks for a place by.
pub(crate) struct RefugeRequest<'a> {
    /// The body: where it is, and how large.
    pub body: Place,
    pub span: SpanId,
    /// How wide the one is who wants to pass [m].
    pub width: f32,
    /// Where that one stands; `None` if it will be led away first.
    pub leader: Option<Place>,
    /// Where that one comes to rest in the end, if nobody gets past it there: beyond, the body would be
    /// locked in.
    pub rests_at: Option<Place>,
    pub route: &'a RouteAhead,
    pub occupied: &'a Occupied,
}

/// Places of others that stay where they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occupied {
    /// On open ground: nobody else has room there, but who stands there can be pushed aside.
    open: Vec<Place>,
    /// Where it is narrow: no way leads through.
    narrow: Vec<Place>,
}

/// A place off the route, and how to get there.
#[derive(Clone, Debug)]
pub(crate) struct Refuge {
    /// The ground from where the body is to the place.
    pub trail: Vec<NavPoint>,
    /// The end of that, as the body takes it up.
    pub place: Place,
    pub span: SpanId,
    /// How far that is [mm].
    pub cost: u32,
}

/// Places farther than this are not looked for [mm].
const MOST_COST: u32 = 25_000;
/// Two bodies pass each other if somewhere within this distance there is clearance for both [radii].
const WIDTH_REACH: f32 = 2.0;
/// Most searches have no more spans open at a time.
const FEW_SPANS: usize = 256;
/// A place is this much farther from the route, and from other bodies, than they need [m].
const MARGIN: f32 = 0.05;
/// On the way, bodies may come this near to each other [sums of both radii]: they are pushed apart.
const PASSING_PART: f32 = 0.8;

/// Finds places off routes, one after another.
#[derive(Debug, Default)]
pub(crate) struct RefugeSearch {
    nodes: Nodes,
    /// By cost, then by span.
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl RefugeSearch {
    /// The nearest place where the body is off the route and beside everyone else, of those that are
    /// allowed; `None` if there is none within a few metres.
    pub(crate) fn find(
        &mut self,
        view: &ViewRef,
        request: &RefugeRequest,
        mut is_allowed: impl FnMut(SpanId) -> bool,
    ) -> Option<Refuge> {
        self.begin(view, request.span);
        while let Some(span) = self.settle() {
            let point = NavPoint::center(view, SpanId(span)).point;
            if request.is_refuge(point) && is_allowed(SpanId(span)) {
                let (trail, cost) = (self.trail(view, span), self.nodes.cost(span));
                let place = Place { point, ..request.body };
                return Some(Refuge { trail, place, span: SpanId(span), cost });
            }
            self.expand(view, span, |total, to| total <= MOST_COST && request.may_pass(to));
        }
        None
    }

    /// The way over the ground from one span to another; `None` if it is longer than a few metres.
    pub(crate) fn trail_to(
        &mut self,
        view: &ViewRef,
        from: SpanId,
        to: SpanId,
    ) -> Option<Vec<NavPoint>> {
        self.begin(view, from);
        while let Some(span) = self.settle() {
            if span == to.0 {
                return Some(self.trail(view, span));
            }
            self.expand(view, span, |total, _| total <= MOST_COST);
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
            self.expand(view, span, |total, _| total <= reach as u32);
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

    /// Relaxes the connections of a span to where `may_go`, by the cost up to there [mm].
    fn expand(&mut self, view: &ViewRef, span: u32, may_go: impl Fn(u32, Point3<f32>) -> bool) {
        let (cost, column) = (self.nodes.cost(span), view.column(span));
        let from = NavPoint::center(view, SpanId(span)).point;
        for dir in view.connections().dirs(span) {
            let Some(next) = view.connections().known_target(column, span, dir) else { continue };
            let to = NavPoint::center(view, SpanId(next)).point;
            let length = ((to - from).norm() * 1000.0).round() as u32;
            let total = cost.saturating_add(length);
            if total < self.nodes.cost(next) && may_go(total, to) {
                self.nodes.reach(next, total, Parent::Step(dir));
                self.open.push(Reverse((total, next)));
            }
        }
    }

    /// The centers of the spans from where the search began.
    fn trail(&self, view: &ViewRef, end: u32) -> Vec<NavPoint> {
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

impl RefugeRequest<'_> {
    fn is_refuge(&self, point: Point3<f32>) -> bool {
        let Occupied { open, narrow } = self.occupied;
        let own = Place { point, ..self.body };
        let apart = own.radius + self.width + MARGIN;
        let is_off = self.route.beside(point).is_none_or(|beside| beside.distance > apart);
        is_off && open.iter().chain(narrow).all(|other| own.gap(other) > MARGIN)
    }

    /// Whether the body may pass over a point: not through the leader, nor through those that stay
    /// where they are, unless it stands in them already.
    fn may_pass(&self, point: Point3<f32>) -> bool {
        let own = Place { point, ..self.body };
        let leader = self.leader.iter().chain(&self.rests_at);
        leader.chain(&self.occupied.narrow).all(|other| {
            let least = (PASSING_PART - 1.0) * (own.radius + other.radius);
            let gap = own.gap(other);
            gap > least || gap > self.body.gap(other)
        })
    }
}

impl Occupied {
    /// Adds a place where it is narrow or not.
    pub(crate) fn add(&mut self, place: Place, is_narrow: bool) {
        if is_narrow { self.narrow.push(place) } else { self.open.push(place) }
    }
}

/// Bodies touch if the gap between them is at most this [m].
const TOUCH_GAP: f32 = 0.05;

impl Place {
    /// Whether two bodies touch.
    pub(crate) fn touches(&self, other: &Place) -> bool {
        self.gap(other) <= TOUCH_GAP
    }

    /// The gap to another [m]; negative if they overlap.
    pub(crate) fn gap(&self, other: &Place) -> f32 {
        let offset = other.point - self.point;
        if offset.y.abs() > SAME_STOREY {
            return f32::INFINITY;
        }
        norm([offset.x, offset.z]) - self.radius - other.radius
    }
}
