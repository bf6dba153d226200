//! Provides [`RelaxedSearch`]: the path on which the fewest and smallest limits have to give.
//!
//! Based on: Dijkstra, "A note on two problems in connexion with graphs", 1959.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grid::{Dir, SpanId};
use crate::view::NavPoint;

use super::crossing::Crossing;
use super::ground::RelaxedGround;
use super::nodes::{Passing, TrackNode};
use super::penalty::{LINK, Penalties, RelaxedStep, walk};
use super::sides::Sides;

/// A search over all floors of a ground.
pub(super) struct RelaxedSearch<'a> {
    ground: &'a RelaxedGround<'a>,
    penalties: Penalties<'a>,
    /// The least cost known for each span.
    costs: Vec<u32>,
    /// For each span that was reached, where from.
    parents: Vec<TrackNode>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
    /// Whether limits may give.
    may_relax: bool,
}

impl<'a> RelaxedSearch<'a> {
    pub fn new(ground: &'a RelaxedGround<'a>) -> Self {
        let count = ground.view.spans().len();
        let nowhere = TrackNode { span: SpanId(u32::MAX), passing: Passing::Start };
        RelaxedSearch {
            ground,
            penalties: Penalties { ground, sides: Sides::new(ground) },
            costs: vec![u32::MAX; count],
            parents: vec![nowhere; count],
            open: BinaryHeap::new(),
            may_relax: false,
        }
    }

    /// A path from start to goal on which nothing has to give, however long it is; else the cheapest.
    /// `None` if nothing leads there.
    pub fn find(mut self, start: NavPoint, goal: NavPoint) -> Option<Vec<TrackNode>> {
        if let Some(track) = self.search(start, goal) {
            return Some(track);
        }
        self.costs.fill(u32::MAX);
        self.may_relax = true;
        self.search(start, goal)
    }

    fn search(&mut self, start: NavPoint, goal: NavPoint) -> Option<Vec<TrackNode>> {
        self.costs[start.span.index()] = 0;
        self.open.push(Reverse((0, start.span.0)));
        while let Some(Reverse((cost, span))) = self.open.pop() {
            if span == goal.span.0 {
                return Some(self.track(goal.span));
            }
            if cost == self.costs[span as usize] {
                self.expand(span);
            }
        }
        None
    }

    fn expand(&mut self, span: u32) {
        self.expand_connections(span);
        self.expand_open_links(span);
        if !self.may_relax {
            return;
        }
        self.expand_other_links(span);
        let column = self.ground.view.column(span);
        self.expand_storeys(span, column);
        for dir in Dir::ALL {
            let Some(next) = self.ground.beside(column, dir.offset()) else { continue };
            if !dir.is_diagonal() {
                self.expand_floors(span, dir, next);
            }
            self.expand_crossing(span, dir);
        }
    }

    fn expand_connections(&mut self, span: u32) {
        let view = self.ground.view;
        let (connections, column) = (view.connections(), view.column(span));
        for dir in connections.dirs(span) {
            let target = connections.known_target(column, span, dir);
            if let Some(to) = target.filter(|&to| view.is_allowed(SpanId(to))) {
                self.relax(span, RelaxedEdge { to, cost: walk(dir), passing: Passing::Free });
            }
        }
    }

    fn is_open(&self, link: u32) -> bool {
        let overlay = self.ground.view.view.overlay();
        overlay.is_none_or(|overlay| overlay.is_link_open(link as usize))
            && self.ground.view.allows_link(link)
    }

    fn expand_open_links(&mut self, span: u32) {
        for edge in self.ground.view.leaving(span) {
            let (cost, passing) = (walk(Dir::ALL[0]), Passing::Free);
            self.relax(span, RelaxedEdge { to: edge.other.0, cost, passing });
        }
    }

    /// Links that are closed, lead only the other way, or end where the agent cannot stand now.
    fn expand_other_links(&mut self, span: u32) {
        let view = self.ground.view;
        let links = view.grid().link_edges(view.agent_id());
        for edge in links.leaving(SpanId(span)) {
            let (cost, passing) = match self.is_open(edge.link) {
                true => (walk(Dir::ALL[0]), Passing::Free),
                false => (LINK, Passing::ClosedLink(edge.link)),
            };
            let cost = cost + self.penalties.stand(edge.other.0);
            self.relax(span, RelaxedEdge { to: edge.other.0, cost, passing });
        }
        for edge in links.entering(SpanId(span)) {
            if !view.grid().links()[edge.link as usize].is_reversible() {
                let passing = Passing::OneWayLink(edge.link);
                self.relax(span, RelaxedEdge { to: edge.other.0, cost: LINK, passing });
            }
        }
    }

    fn expand_floors(&mut self, span: u32, dir: Dir, next: usize) {
        let ground = self.ground;
        for to in ground.floors(next) {
            if let Some(RelaxedStep { cost, passing }) = self.penalties.step([span, to], dir) {
                self.relax(span, RelaxedEdge { to, cost, passing });
            }
        }
    }

    /// The next floors above and below.
    fn expand_storeys(&mut self, span: u32, column: usize) {
        let ground = self.ground;
        let floor = |span: u32| ground.view.floor(span);
        let below = ground.floors(column).take_while(|&other| other < span).last();
        let above = ground.floors(column).find(|&other| other > span);
        for to in below.into_iter().chain(above) {
            let cost = self.penalties.storey(floor(to) - floor(span)) + self.penalties.stand(to);
            self.relax(span, RelaxedEdge { to, cost, passing: Passing::Storey });
        }
    }

    fn expand_crossing(&mut self, span: u32, dir: Dir) {
        // Ground that is connected goes on.
        if self.ground.view.connections().has_connection(span, dir) {
            return;
        }
        for crossing in Crossing::find(self.ground, span, dir).into_iter().flatten() {
            self.cross(span, dir, crossing);
        }
    }

    fn cross(&mut self, span: u32, dir: Dir, crossing: Crossing) {
        let Crossing { to, columns, is_solid } = crossing;
        let width = columns as f32 * dir.length() * self.ground.cell_size;
        let spans = self.ground.view.spans();
        let rise = spans[to as usize].floor - spans[span as usize].floor;
        let (cost, passing) = match is_solid {
            true => (self.penalties.wall(width), Passing::Wall),
            false => (self.penalties.gap(width, rise), Passing::Gap),
        };
        self.relax(span, RelaxedEdge { to, cost: cost + self.penalties.stand(to), passing });
    }

    fn relax(&mut self, from: u32, edge: RelaxedEdge) {
        let RelaxedEdge { to, cost, passing } = edge;
        let cost = self.costs[from as usize].saturating_add(cost);
        if cost < self.costs[to as usize] {
            self.costs[to as usize] = cost;
            self.parents[to as usize] = TrackNode { span: SpanId(from), passing };
            self.open.push(Reverse((cost, to)));
        }
    }

    fn track(&self, goal: SpanId) -> Vec<TrackNode> {
        let mut track = Vec::new();
        let mut span = goal;
        loop {
            let parent = self.parents[span.index()];
            track.push(TrackNode { span, passing: parent.passing });
            if parent.passing == Passing::Start {
                break;
            }
            span = parent.span;
        }
        track.reverse();
        track
    }
}

/// From a span to another.
struct RelaxedEdge {
    to: u32,
    cost: u32,
    passing: Passing,
}
