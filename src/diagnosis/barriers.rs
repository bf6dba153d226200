//! Reads what is in the way along a relaxed path: the parts of it that the agent cannot take, and what
//! would have to give on each.

use std::ops::Range;

use nalgebra::Point3;

use crate::grid::{CellOffset, Dir, NodeId, SpanId, Verdict};
use crate::portable;
use crate::view::NavPoint;

use super::blocker::{Blocker, Shortfall};
use super::crossing::top_over;
use super::ground::{RelaxedGround, TOLERANCE, WidthQuery};
use super::nodes::{Allowance, Passing, TrackNode};

/// What keeps the agent from following a track, in order.
pub(super) fn blockers(ground: &RelaxedGround, track: &[TrackNode]) -> Vec<Blocker> {
    let is_free = |at: usize| ground.verdict(track[at].span.0) == Verdict::Walkable;
    let mut found = Vec::new();
    let mut at = 1;
    while at < track.len() {
        // A link may lead to where the agent cannot stand.
        if track[at].passing == Passing::Free && is_free(at) {
            at += 1;
            continue;
        }
        let start = at - 1;
        while at < track.len() - 1 && !is_free(at) {
            at += 1;
        }
        found.extend(Barrier::new(ground, track, start..at + 1).blockers());
        at += 1;
    }
    found.dedup_by(|next, last| {
        let is_same = is_same_passage(&last.shortfall, &next.shortfall);
        if is_same {
            last.after = next.after;
        }
        is_same
    });
    found
}

/// Widths that differ by no more are the same [m].
pub(super) const SAME_WIDTH: f32 = 5e-3;

/// Whether two findings after each other are of one passage or ledge: here and there the body fits at a
/// center.
fn is_same_passage(one: &Shortfall, other: &Shortfall) -> bool {
    let widths = match (one, other) {
        (
            Shortfall::NarrowPassage { width: one, .. },
            Shortfall::NarrowPassage { width: other, .. },
        )
        | (
            Shortfall::NarrowLedge { width: one, .. },
            Shortfall::NarrowLedge { width: other, .. },
        ) => one.zip(*other),
        _ => None,
    };
    widths.is_some_and(|(one, other)| (one - other).abs() <= SAME_WIDTH)
}

/// Where on a track something is in the way, before it has a name.
#[derive(Clone)]
pub(super) struct Finding {
    /// Index of the node of the track.
    pub at: usize,
    pub point: Point3<f32>,
    pub shortfall: Shortfall,
    pub node: Option<NodeId>,
}

/// A part of a track between two spans that the agent can stand on.
pub(super) struct Barrier<'a> {
    pub ground: &'a RelaxedGround<'a>,
    track: &'a [TrackNode],
    nodes: Range<usize>,
    findings: Vec<Finding>,
    /// Where something was found, also where a worse finding of its kind took its place [m].
    causes: Vec<Point3<f32>>,
    /// The limits of a body that gets past everything found so far.
    pub relaxed: Allowance,
}

impl<'a> Barrier<'a> {
    fn new(ground: &'a RelaxedGround<'a>, track: &'a [TrackNode], nodes: Range<usize>) -> Self {
        let relaxed = ground.allowance();
        Barrier { ground, track, nodes, findings: Vec::new(), causes: Vec::new(), relaxed }
    }

    fn blockers(mut self) -> Vec<Blocker> {
        for at in self.nodes.start + 1..self.nodes.end {
            self.read_edge(at);
            self.read_node(at);
        }
        self.read_surroundings();
        self.read_unseen();
        self.findings.sort_by_key(|finding| finding.at);
        let points = [self.nodes.start, self.nodes.end - 1].map(|at| self.center(at));
        let findings = std::mem::take(&mut self.findings);
        findings.into_iter().map(|finding| self.blocker(finding, points)).collect()
    }

    fn blocker(&self, finding: Finding, [before, after]: [Point3<f32>; 2]) -> Blocker {
        let names = self.ground.view.grid().nodes();
        let node = finding.node.and_then(|node| names.get(node.0 as usize).cloned());
        Blocker {
            shortfall: finding.shortfall,
            at: finding.point,
            before,
            after,
            node,
            needs_link: false,
        }
    }

    pub(super) fn span(&self, at: usize) -> u32 {
        self.track[at].span.0
    }

    pub(super) fn center(&self, at: usize) -> Point3<f32> {
        NavPoint::center(self.ground.view, self.track[at].span).point
    }

    /// The point between two nodes of the track, at the lower floor.
    fn between(&self, at: usize) -> Point3<f32> {
        let [from, to] = [at - 1, at].map(|at| self.center(at));
        let mut middle = nalgebra::center(&from, &to);
        middle.y = from.y.min(to.y);
        middle
    }

    pub(super) fn ground_node(&self, span: u32) -> NodeId {
        self.ground.view.spans()[span as usize].node()
    }

    /// Adds what keeps the agent from going to a node of the track from the one before.
    fn read_edge(&mut self, at: usize) {
        let [from, to] = [at - 1, at].map(|at| self.center(at));
        if !matches!(self.track[at].passing, Passing::Free | Passing::Relaxed) {
            self.causes.extend([from, to]);
        }
        let length = portable::hypot(to.x - from.x, to.z - from.z) - self.ground.cell_size;
        let link = |link: u32| self.ground.view.grid().links()[link as usize].name.clone();
        let shortfall = match self.track[at].passing {
            Passing::Start | Passing::Free => return,
            Passing::Relaxed => return self.read_step(at),
            Passing::Thin => Shortfall::Wall { thickness: 0.0 },
            Passing::Gap => return self.read_gap(at, length),
            Passing::Storey => Shortfall::Storey { rise: to.y - from.y },
            Passing::Wall => Shortfall::Wall { thickness: length },
            Passing::ClosedLink(closed) => Shortfall::ClosedLink { link: link(closed) },
            Passing::OneWayLink(one_way) => Shortfall::OneWayLink { link: link(one_way) },
        };
        let node = match self.track[at].passing {
            Passing::Wall | Passing::Thin => self.wall_node(at),
            Passing::Storey => Some(self.ground_node(self.span(at - 1).max(self.span(at)))),
            _ => None,
        };
        self.add(Finding { at, point: self.between(at), shortfall, node });
        if self.track[at].passing == Passing::Thin {
            self.read_step(at);
        }
    }

    /// Adds a gap, given how wide it is in cells [m].
    fn read_gap(&mut self, at: usize, columns: f32) {
        let [from, to] = [at - 1, at].map(|at| self.center(at));
        let line = self.ground.gap([at - 1, at].map(|at| self.span(at)));
        let width = line.map_or(columns, |line| line.width);
        let shortfall = Shortfall::Gap { width, rise: to.y - from.y };
        let mut point = self.between(at);
        if let Some(line) = line {
            (point.x, point.z) = (line.middle.x, line.middle.y);
        }
        self.add(Finding { at, point, shortfall, node: self.node_in_gap(at) });
    }

    /// What stands in a gap before a node of the track, or hangs over it: no floor below tells which.
    fn node_in_gap(&self, at: usize) -> Option<NodeId> {
        let view = self.ground.view;
        let [from, to] = [at - 1, at].map(|at| view.cell_offset(self.span(at)));
        let CellOffset { x, z } = from.to(to);
        let columns = x.abs().max(z.abs());
        let feet = self.center(at - 1).y.max(self.center(at).y);
        let between = (1..columns).filter_map(|count| {
            let offset = CellOffset { x: x.signum() * count, z: z.signum() * count };
            self.ground.beside(view.column(self.span(at - 1)), offset)
        });
        let mut tops = between.filter_map(|column| top_over(self.ground, column, feet));
        tops.next().map(|top| self.ground_node(top))
    }

    fn read_step(&mut self, at: usize) {
        let ends = [self.span(at - 1), self.span(at)];
        let dir = self.dir_to(at);
        let rise = self.ground.rise(ends, dir);
        let agent = self.ground.agent;
        let point = self.between(at);
        let higher = ends[usize::from(rise.rise > 0.0)];
        let node = Some(self.ground_node(higher));
        if self.ground.is_high(&rise) {
            let shortfall = Shortfall::Step { rise: rise.step, max_climb: agent.max_climb };
            self.relaxed.max_climb = self.relaxed.max_climb.max(rise.step.abs());
            if rise.headroom < agent.height - TOLERANCE {
                // What the body touches beside a step is the step.
                let is_low = |end: &&u32| self.ground.verdict(**end) == Verdict::LowCeiling;
                let low = ends.iter().find(is_low);
                let node = low.and_then(|&end| self.ground.ceiling_node(end));
                self.add_ceiling(at, rise.headroom, node);
            }
            return self.add(Finding { at, point, shortfall, node });
        }
        if self.ground.is_steep(&rise) {
            let angle = portable::atan(rise.rise.abs() / self.ground.cell_size);
            self.relaxed.max_climb = self.relaxed.max_climb.max(rise.rise.abs());
            let shortfall = Shortfall::Slope { angle, slope_limit: agent.slope_limit };
            return self.add(Finding { at, point, shortfall, node });
        }
        if let Some(lip) = self.ground.lip(ends, dir) {
            let mut nodes = ends.iter().filter_map(|&end| self.ground.ceiling_node(end));
            return self.add_ceiling(at, lip, nodes.next());
        }
        let is_low = |end: u32| self.ground.verdict(end) == Verdict::LowCeiling;
        if rise.headroom < agent.height - TOLERANCE && !ends.iter().any(|&end| is_low(end)) {
            self.add_ceiling(at, rise.headroom, None);
        }
    }

    fn dir_to(&self, at: usize) -> Dir {
        let view = self.ground.view;
        let [from, to] = [at - 1, at].map(|at| view.cell_offset(self.span(at)));
        let offset = from.to(to);
        let found = Dir::ALL.into_iter().find(|dir| dir.offset() == offset);
        found.unwrap_or(Dir::ALL[0])
    }

    /// Adds what keeps the agent from standing at a node of the track, but for what is beside it.
    fn read_node(&mut self, at: usize) {
        let span = self.span(at);
        let agent = self.ground.agent;
        let (point, node) = (self.center(at), Some(self.ground_node(span)));
        let shortfall = match self.ground.verdict(span) {
            Verdict::TooSteep => {
                let angle = self.ground.slope(span);
                self.relaxed.slope_limit = self.relaxed.slope_limit.max(angle);
                Shortfall::Slope { angle, slope_limit: agent.slope_limit }
            }
            Verdict::LowCeiling => {
                let headroom = self.ground.headroom(span);
                return self.add_ceiling(at, headroom, self.ground.ceiling_node(span));
            }
            Verdict::Forbidden => self.forbidden(span),
            Verdict::Obstacle(_) if self.ground.is_blocked_at_run_time(span) => {
                return self.add(Finding {
                    at,
                    point,
                    shortfall: Shortfall::RunTimeObstacle,
                    node: None,
                });
            }
            _ => return,
        };
        self.add(Finding { at, point, shortfall, node });
    }

    /// What forbids a span: its area, or else the mark of its node.
    fn forbidden(&self, span: u32) -> Shortfall {
        let grid = self.ground.view.grid();
        let area = grid.areas().get(self.ground.view.spans()[span as usize].area().index());
        let baked = grid.verdict(self.ground.view.agent_id(), SpanId(span));
        match area {
            Some(area) if !area.forbidden && baked == Some(Verdict::Forbidden) => {
                Shortfall::MarkedObstacle
            }
            area => {
                let area = area.map_or_else(String::new, |area| area.name.clone());
                Shortfall::Forbidden { area }
            }
        }
    }

    fn add_ceiling(&mut self, at: usize, headroom: f32, node: Option<NodeId>) {
        let [height, least] = [self.ground.needed_height(), self.ground.least_height()];
        let shortfall = Shortfall::LowCeiling { headroom, height, least };
        self.relaxed.height = self.relaxed.height.min(headroom);
        self.add(Finding { at, point: self.center(at), shortfall, node });
    }

    /// Adds a finding, or replaces a lesser one of its kind.
    pub(super) fn add(&mut self, finding: Finding) {
        self.causes.push(finding.point);
        let is_like = |own: &Finding| is_alike(&own.shortfall, &finding.shortfall);
        match self.findings.iter_mut().find(|own| is_like(own)) {
            Some(own) if is_worse(&finding.shortfall, &own.shortfall) => *own = finding,
            Some(_) => {}
            None => self.findings.push(finding),
        }
    }

    /// Adds what the body touches and which edges it comes near, unless that goes with what was found.
    fn read_surroundings(&mut self) {
        // What is beside a passage goes with it, also before and behind it.
        self.blocked_nodes().into_iter().for_each(|at| self.read_width(at));
        self.read_ledges();
    }

    /// Names what no floor shows, if nothing else was found: something thin between the centers of two
    /// cells where the agent can stand.
    fn read_unseen(&mut self) {
        let mut edges = self.nodes.start + 1..self.nodes.end;
        let is_free = |at: &usize| self.track[*at].passing == Passing::Free;
        if self.findings.is_empty()
            && let Some(at) = edges.find(|at| !is_free(at))
        {
            let (shortfall, node) = (Shortfall::Wall { thickness: 0.0 }, self.wall_node(at));
            self.add(Finding { at, point: self.between(at), shortfall, node });
        }
    }

    /// The nodes of the track where the agent cannot stand, and no obstacle of an overlay is why.
    pub(super) fn blocked_nodes(&self) -> Vec<usize> {
        let is_blocked = |&at: &usize| {
            let span = self.span(at);
            // The agent fits on small regions; what separates them is found at their ends.
            let is_free =
                matches!(self.ground.verdict(span), Verdict::Walkable | Verdict::SmallRegion);
            !is_free && !self.ground.is_blocked_at_run_time(span)
        };
        self.nodes.clone().filter(is_blocked).collect()
    }

    /// Whether something was found within a distance of a node of the track, and two cells more [m].
    pub(super) fn is_explained(&self, at: usize, reach: f32) -> bool {
        let (point, reach) = (self.center(at), reach + 2.0 * self.ground.cell_size);
        let is_near =
            |cause: &Point3<f32>| portable::hypot(cause.x - point.x, cause.z - point.z) <= reach;
        self.causes.iter().any(is_near)
    }

    /// Whether the barrier leads through the air or through something solid.
    pub(super) fn is_crossed(&self) -> bool {
        let passings = self.track[self.nodes.start + 1..self.nodes.end].iter();
        let is_on_ground = |passing| matches!(passing, Passing::Relaxed | Passing::Thin);
        passings.map(|node| node.passing).any(|passing| !is_on_ground(passing))
    }

    /// Adds a passage that is too narrow.
    fn read_width(&mut self, at: usize) {
        let (span, body) = (self.span(at), 2.0 * self.ground.agent.radius);
        let verdict = self.ground.verdict(span);
        let width = match verdict {
            Verdict::Ledge => return,
            Verdict::Obstacle(_) => self.ground.passage_width(span, self.relaxed),
            Verdict::LowCeiling if self.ground.is_beside_ceiling(span) => {
                self.ground.passage_width(span, self.relaxed)
            }
            Verdict::LowCeiling if self.ground.is_measured() => return,
            // Nothing was measured where something else keeps the agent off.
            _ => self.ground.width(span, WidthQuery { body: self.relaxed, most: body }),
        };
        if !width.is_finite() {
            return;
        }
        let mut point = self.center(at);
        let passage = self.ground.passage(span);
        if let Some(passage) = passage {
            (point.x, point.z) = (passage.middle.x, passage.middle.y);
        }
        let shortfall = Shortfall::NarrowPassage { width: passage.map(|line| line.width), body };
        self.add(Finding { at, point, shortfall, node: obstacle_node(verdict) });
    }

    /// The node of a wall between two nodes of the track.
    fn wall_node(&self, at: usize) -> Option<NodeId> {
        let ends = [at - 1, at].map(|at| obstacle_node(self.ground.verdict(self.span(at))));
        ends.into_iter().flatten().next()
    }
}

fn obstacle_node(verdict: Verdict) -> Option<NodeId> {
    match verdict {
        Verdict::Obstacle(node) => Some(node),
        _ => None,
    }
}

/// Whether two findings of a barrier are of one kind, so that the worse one stands for both.
fn is_alike(one: &Shortfall, other: &Shortfall) -> bool {
    match (one, other) {
        (Shortfall::Forbidden { area }, Shortfall::Forbidden { area: other }) => area == other,
        (Shortfall::Gap { .. } | Shortfall::Storey { .. }, _) => false,
        (Shortfall::ClosedLink { link }, Shortfall::ClosedLink { link: other }) => link == other,
        _ => one.name() == other.name(),
    }
}

/// Whether more has to give for one finding than for another of its kind.
fn is_worse(one: &Shortfall, other: &Shortfall) -> bool {
    match (one, other) {
        (Shortfall::Step { rise, .. }, Shortfall::Step { rise: other, .. }) => {
            rise.abs() > other.abs()
        }
        (Shortfall::Slope { angle, .. }, Shortfall::Slope { angle: other, .. }) => angle > other,
        (Shortfall::LowCeiling { headroom, .. }, Shortfall::LowCeiling { headroom: other, .. }) => {
            headroom < other
        }
        (Shortfall::NarrowPassage { width, .. }, Shortfall::NarrowPassage { width: other, .. })
        | (Shortfall::NarrowLedge { width, .. }, Shortfall::NarrowLedge { width: other, .. }) => {
            width.is_some_and(|width| other.is_none_or(|other| width < other))
        }
        (Shortfall::Wall { thickness }, Shortfall::Wall { thickness: other }) => thickness > other,
        _ => false,
    }
}
