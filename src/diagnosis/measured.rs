//! What the bake measured along a track: passages, and the edges of the ground.

use std::collections::{HashSet, VecDeque};

use nalgebra::Point2;

use crate::grid::{CellOffset, Dir, GroundEnd, SpanId, SpanMeasure, nearest_on_segment};
use crate::portable;

use super::ground::{ColumnKind, RelaxedGround, SKIN};
use super::nodes::Allowance;

/// A straight line from one side of something to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossline {
    /// Its length [m].
    pub width: f32,
    /// Its middle, along x and z [m].
    pub middle: Point2<f32>,
}

impl Crossline {
    fn new([from, to]: [[f32; 2]; 2]) -> Self {
        Crossline {
            width: length([from, to]),
            middle: Point2::new(0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])),
        }
    }
}

/// A part of the border of some ground, seen from above.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The direction in which the ground ends.
    dir: Dir,
    /// From one cell's line to the next one's; a single point where the edge does not go on [m].
    ends: [[f32; 2]; 2],
}

impl Edge {
    /// Whether a line that starts at the edge leads off the ground; else it leads over it.
    fn leads(&self, [from, to]: [[f32; 2]; 2]) -> bool {
        let CellOffset { x, z } = self.dir.offset();
        (to[0] - from[0]) * x as f32 + (to[1] - from[1]) * z as f32 > 0.0
    }
}

/// Edges nearer to each other leave nothing between them [m].
const LEAST_WIDTH: f32 = 0.01;
/// How far around a span edges are looked for [cells]: at least, and at most.
const NEAR_CELLS: [i32; 2] = [4, 24];

impl RelaxedGround<'_> {
    /// Whether the bake measured what is beside spans.
    pub fn is_measured(&self) -> bool {
        !self.view.grid().layers()[self.view.agent_id().index()].measures.is_empty()
    }

    fn measure(&self, span: u32) -> Option<&SpanMeasure> {
        let layers = self.view.grid().layers();
        layers[self.view.agent_id().index()].measures.of(SpanId(span))
    }

    /// How high a body may be over a span that is as wide as the agent: to its ceiling, or less where the body
    /// touches one that is lower beside the center [m].
    pub fn headroom(&self, span: u32) -> f32 {
        let own = self.view.spans()[span as usize].headroom();
        let measured = self.measure(span).and_then(SpanMeasure::headroom);
        measured.map_or(own, |measured| measured.min(own))
    }

    /// Whether a body under a low ceiling touches something else too, however low it is.
    pub fn is_beside_ceiling(&self, span: u32) -> bool {
        self.is_measured() && self.measure(span).and_then(SpanMeasure::headroom).is_none()
    }

    /// How high such a body may be on its way between the centers of two neighbors, if something hangs lower
    /// there than over both [m].
    pub fn lip(&self, [from, to]: [u32; 2], dir: Dir) -> Option<f32> {
        let lip = |span: u32, dir: Dir| self.measure(span).and_then(|measure| measure.lip(dir));
        let lips = [lip(from, dir), lip(to, dir.opposite())];
        lips.into_iter().flatten().reduce(f32::min)
    }

    /// Whether something stands between the centers of two neighbors on one of which the agent does not fit, over
    /// the higher one.
    pub fn has_wall(&self, ends: [u32; 2], dir: Dir) -> bool {
        let [from, to] = ends.map(|end| self.view.floor(end));
        let ([lower, higher], dir) = match to >= from {
            true => (ends, dir),
            false => ([ends[1], ends[0]], dir.opposite()),
        };
        let lift = self.agent.max_climb + SKIN;
        let is_out_of_reach = |end: u32| self.view.floor(end) - self.view.floor(lower) > lift;
        let is_walled = |measure: &SpanMeasure| {
            if !is_out_of_reach(higher) {
                return measure.has_wall(dir);
            }
            let mut floors = self.floors(self.view.column(higher));
            measure.has_wall_over_step(dir)
                && floors.find(|&floor| is_out_of_reach(floor)) == Some(higher)
        };
        self.measure(lower).is_some_and(is_walled)
            || self.measure(higher).is_some_and(|measure| measure.has_wall(dir.opposite()))
    }

    /// The passage around a span where the body does not fit.
    pub fn passage(&self, span: u32) -> Option<Crossline> {
        let ends = self.measure(span)?.as_passage()?;
        let center = self.center(span);
        Some(Crossline::new(ends.map(|end| [0, 1].map(|axis| center[axis] + end[axis]))))
    }

    /// The shortest line between the edges of the ground around two spans, over a gap between them.
    pub fn gap(&self, [from, to]: [u32; 2]) -> Option<Crossline> {
        let body = self.allowance();
        let edges =
            [from, to].map(|start| Surroundings { ground: self, start, body }.edges(|_| true));
        shortest(&edges[0], &edges[1], |edge, line| edge.leads(line))
    }

    /// The shortest line over the ground at a span, from an edge to the opposite one, for a body.
    pub fn ledge(&self, span: u32, body: Allowance) -> Option<Crossline> {
        let (center, aside) = (self.center(span), self.cell_size);
        let edges = Surroundings { ground: self, start: span, body }.edges(|end| end.is_drop);
        // Every corner of the ground is narrow: only what is across counts.
        let is_across = |line| length([center, nearest_on_segment(center, line)]) <= aside;
        shortest(&edges, &edges, |edge, line| !edge.leads(line) && is_across(line))
    }

    /// The distance from the center of a span to the nearest edge of the ground for a body [m].
    pub fn edge_distance(&self, span: u32, body: Allowance) -> Option<f32> {
        let center = self.center(span);
        let edges = Surroundings { ground: self, start: span, body }.edges(|end| end.is_drop);
        let distances = edges.iter().map(|edge| length([center, nearest(center, edge)]));
        distances.min_by(f32::total_cmp)
    }

    fn center(&self, span: u32) -> [f32; 2] {
        let frame = self.view.frame();
        frame.center(frame.cell(self.view.column(span)))
    }
}

/// The ground that goes on from a span, near there.
struct Surroundings<'a> {
    ground: &'a RelaxedGround<'a>,
    start: u32,
    /// Edges that it climbs are none.
    body: Allowance,
}

impl Surroundings<'_> {
    /// The edges at ends that count.
    fn edges(&self, counts: impl Fn(&GroundEnd) -> bool) -> Vec<Edge> {
        let mut edges = Vec::new();
        for span in self.spans() {
            for dir in Dir::STRAIGHT {
                let end_point = |span: u32| {
                    let end = self.end(span, dir).filter(&counts)?;
                    let CellOffset { x, z } = dir.offset();
                    let center = self.ground.center(span);
                    Some([center[0] + x as f32 * end.distance, center[1] + z as f32 * end.distance])
                };
                let Some(point) = end_point(span) else { continue };
                let next = self.beside(span, dir.turned(2)).and_then(end_point);
                edges.push(Edge { dir, ends: [point, next.unwrap_or(point)] });
            }
        }
        edges
    }

    /// The ground, as far as edges on both sides of a ledge may be.
    fn spans(&self) -> Vec<u32> {
        let view = self.ground.view;
        let middle = view.cell_offset(self.start);
        let reach = 2.0 * self.ground.agent.ledge_margin() / self.ground.cell_size;
        let [least, most] = NEAR_CELLS;
        let reach = (reach.ceil() as i32).saturating_add(1).clamp(least, most);
        let mut known = HashSet::from([self.start]);
        let mut found = vec![self.start];
        let mut open = VecDeque::from([self.start]);
        while let Some(span) = open.pop_front() {
            for next in Dir::STRAIGHT.into_iter().filter_map(|dir| self.beside(span, dir)) {
                let CellOffset { x, z } = middle.to(view.cell_offset(next));
                if x.abs().max(z.abs()) <= reach && known.insert(next) {
                    found.push(next);
                    open.push_back(next);
                }
            }
        }
        found
    }

    /// Where the ground at a span ends in a straight direction; `None` if it goes on for the body.
    fn end(&self, span: u32, dir: Dir) -> Option<GroundEnd> {
        let straight = Dir::STRAIGHT.iter().position(|&straight| straight == dir)?;
        let end = self.ground.measure(span)?.as_ends()[straight]?;
        self.beside(span, dir).is_none().then_some(end)
    }

    /// The span that the ground goes on to in a straight direction.
    fn beside(&self, span: u32, dir: Dir) -> Option<u32> {
        let next = self.ground.beside(self.ground.view.column(span), dir.offset())?;
        match self.ground.column_kind(next, self.ground.view.floor(span), self.body) {
            ColumnKind::Ground(next) => Some(next),
            _ => None,
        }
    }
}

fn length([from, to]: [[f32; 2]; 2]) -> f32 {
    portable::hypot(to[0] - from[0], to[1] - from[1])
}

/// The point of an edge nearest to a point.
fn nearest(to: [f32; 2], edge: &Edge) -> [f32; 2] {
    nearest_on_segment(to, edge.ends)
}

/// The shortest line from an edge to one in the opposite direction, of lines that count: by the first edge,
/// and both ends of the line.
fn shortest(
    one: &[Edge],
    other: &[Edge],
    counts: impl Fn(&Edge, [[f32; 2]; 2]) -> bool,
) -> Option<Crossline> {
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| [a, b]));
    let opposite = pairs.filter(|[a, b]| a.dir == b.dir.opposite());
    let lines = opposite.flat_map(|[a, b]| {
        // Of two segments that do not meet, one has an end on the shortest line.
        let to_other = a.ends.map(|end| [end, nearest(end, b)]);
        let to_one = b.ends.map(|end| [nearest(end, a), end]);
        to_other.into_iter().chain(to_one).map(move |line| (a, line))
    });
    let counted = lines.filter(|&(edge, line)| counts(edge, line));
    // Edges of steps may lie above each other.
    let counted =
        counted.map(|(_, line)| Crossline::new(line)).filter(|line| line.width >= LEAST_WIDTH);
    counted.min_by(|a, b| a.width.total_cmp(&b.width))
}
