//! Reads where along a barrier the agent comes too near to an edge of the ground.

use nalgebra::{Point2, Point3};

use crate::grid::Verdict;
use crate::portable;

use super::barriers::{Barrier, Finding, SAME_WIDTH};
use super::blocker::Shortfall;
use super::ground::WidthQuery;

/// The ground at a node of the track.
struct Ledge {
    /// Index of the node.
    at: usize,
    /// Whether an edge is nearer than the ledge margin.
    has_edge: bool,
    /// Whether it is too narrow at the centers of cells.
    is_narrow: bool,
    /// As in [`Shortfall::NarrowLedge`].
    width: Option<f32>,
    /// If it was measured from edge to edge, the middle between them, along x and z [m].
    middle: Option<Point2<f32>>,
}

impl Barrier<'_> {
    /// Adds the edges that the agent comes near.
    pub(super) fn read_ledges(&mut self) {
        let nodes = self.blocked_nodes().into_iter();
        let ledges: Vec<Ledge> = nodes.filter_map(|at| self.ledge(at)).collect();
        match self.narrowest(&ledges) {
            Some(narrowest) => self.add_ledge(narrowest),
            // The distance to one edge says nothing where the ground is measured from edge to edge.
            None => ledges.iter().for_each(|ledge| self.add_ledge(ledge)),
        }
    }

    /// Of the narrowest ledges that were measured from edge to edge, the one nearest to their middle.
    fn narrowest<'l>(&self, ledges: &'l [Ledge]) -> Option<&'l Ledge> {
        let measured = || {
            ledges.iter().filter_map(|ledge| {
                let (middle, center) = (ledge.middle?, self.center(ledge.at));
                let aside = portable::hypot(middle.x - center.x, middle.y - center.z);
                Some((ledge, ledge.width?, aside))
            })
        };
        let least = measured().map(|(_, width, _)| width).min_by(f32::total_cmp)?;
        let narrow = measured().filter(|(_, width, _)| *width <= least + SAME_WIDTH);
        let nearest = narrow.min_by(|(.., one), (.., other)| one.total_cmp(other));
        nearest.map(|(ledge, ..)| ledge)
    }

    fn add_ledge(&mut self, ledge: &Ledge) {
        let &Ledge { at, width, middle, .. } = ledge;
        let ledge_margin = self.ground.agent.ledge_margin();
        let shortfall = Shortfall::NarrowLedge { width, ledge_margin };
        let node = Some(self.ground_node(self.span(at)));
        let center = self.center(at);
        let point = middle.map_or(center, |middle| Point3::new(middle.x, center.y, middle.y));
        self.add(Finding { at, point, shortfall, node });
    }

    /// The ground at a node of the track where the agent comes too near to an edge; `None` elsewhere.
    fn ledge(&self, at: usize) -> Option<Ledge> {
        let margin = self.ground.agent.ledge_margin();
        let ledge = match self.ground.is_measured() {
            true => self.measured_ledge(at, margin),
            false => self.counted_ledge(at, margin),
        };
        let is_explained = self.is_explained(at, margin);
        let is_reported = match self.ground.verdict(self.span(at)) {
            // Where a gap is crossed the edge is that of the gap.
            Verdict::Ledge if self.is_crossed() => !is_explained,
            Verdict::Ledge => !is_explained || ledge.has_edge,
            _ => ledge.has_edge && ledge.is_narrow,
        };
        is_reported.then_some(ledge)
    }

    /// The ground at a node, by the edges that the bake measured.
    fn measured_ledge(&self, at: usize, margin: f32) -> Ledge {
        let span = self.span(at);
        let edge = self.ground.edge_distance(span, self.relaxed);
        let edge = edge.filter(|&distance| distance <= margin);
        let most = 2.0 * margin + std::f32::consts::SQRT_2 * self.ground.cell_size;
        let across = self.ground.ledge(span, self.relaxed).filter(|line| line.width <= most);
        // With an edge on one side only, as wide as a ledge with an edge as near on both.
        let beside = || edge.map(|distance| 2.0 * distance);
        Ledge {
            at,
            has_edge: edge.is_some(),
            is_narrow: edge.is_some() || across.is_some(),
            width: across.map(|line| line.width).or_else(beside),
            middle: across.map(|line| line.middle),
        }
    }

    /// The ground at a node, counted in cells.
    fn counted_ledge(&self, at: usize, margin: f32) -> Ledge {
        let span = self.span(at);
        let most = 2.0 * margin + self.ground.cell_size;
        let width = self.ground.width(span, WidthQuery { body: self.relaxed, most });
        let drop = self.ground.drop_distance(span, self.relaxed, margin);
        let (has_edge, is_narrow) = (drop.is_some(), width.is_finite());
        Ledge { at, has_edge, is_narrow, width: None, middle: None }
    }
}
