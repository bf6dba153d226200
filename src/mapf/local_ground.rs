//! Provides [`LocalGround`]: the spans around a place, as a graph of their own.

use std::collections::HashMap;

use nalgebra::Point3;

use crate::grid::{NextGrid, SpanId};
use crate::view::{NavPoint, ViewRef};

/// Walkable spans around a place, numbered from near to far.
#[derive(Debug)]
pub(crate) struct LocalGround {
    /// The middle of each span.
    pub points: Vec<NavPoint>,
    /// For each span, where its neighbors begin; one more than spans.
    first: Vec<u32>,
    neighbors: Vec<Neighbor>,
    /// For each span, how far it is over open ground from where it is narrow [mm]; 0 where it is narrow.
    open: Vec<u32>,
    /// The number of each span of the grid that is part of it.
    numbers: HashMap<SpanId, u32>,
}

/// How far local ground reaches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// From the first span [mm].
    pub distance: u32,
    /// Over open ground, from where it is narrow [mm].
    pub open: u32,
    pub spans: usize,
}

/// A span beside another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbor {
    pub span: u32,
    /// How far it is [mm].
    pub length: u32,
}

impl LocalGround {
    /// The ground around a span. Only connections that lead both ways count.
    pub(crate) fn around(
        view: &ViewRef,
        center: SpanId,
        reach: Reach,
        mut is_narrow: impl FnMut(SpanId) -> bool,
    ) -> Self {
        let mut ground = LocalGround {
            points: vec![NavPoint::center(view, center)],
            first: vec![0],
            neighbors: Vec::new(),
            open: vec![u32::from(!is_narrow(center))],
            numbers: HashMap::from([(center, 0)]),
        };
        // Spans are taken in the order in which they are found: near enough to the order of their distances.
        let mut distances = vec![0u32];
        let mut at = 0;
        while at < ground.points.len() {
            for (to, length) in neighbors_both_ways(view, ground.points[at]) {
                let distance = distances[at].saturating_add(length);
                let number = match ground.numbers.get(&to.span) {
                    Some(&number) => number,
                    None => {
                        let open = if is_narrow(to.span) {
                            0
                        } else {
                            ground.open[at].saturating_add(length)
                        };
                        let is_full = ground.points.len() >= reach.spans;
                        if distance > reach.distance || open > reach.open || is_full {
                            continue;
                        }
                        distances.push(distance);
                        ground.add(to, open)
                    }
                };
                ground.neighbors.push(Neighbor { span: number, length });
            }
            ground.first.push(ground.neighbors.len() as u32);
            at += 1;
        }
        ground
    }

    fn add(&mut self, at: NavPoint, open: u32) -> u32 {
        let number = self.points.len() as u32;
        self.numbers.insert(at.span, number);
        self.points.push(at);
        self.open.push(open);
        number
    }

    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// The number of a span of the grid; `None` if it is not part of it.
    pub(crate) fn number(&self, span: SpanId) -> Option<u32> {
        self.numbers.get(&span).copied()
    }

    /// Whether two bodies can pass each other on a span.
    pub(crate) fn is_open(&self, number: u32) -> bool {
        self.open[number as usize] > 0
    }

    pub(crate) fn neighbors(&self, number: u32) -> &[Neighbor] {
        let number = number as usize;
        &self.neighbors[self.first[number] as usize..self.first[number + 1] as usize]
    }

    /// The middle of a span.
    pub(crate) fn point(&self, number: u32) -> Point3<f32> {
        self.points[number as usize].point
    }

    /// The same ground of the next grid; `None` if some of it is gone.
    pub(crate) fn on_next(mut self, next: &NextGrid) -> Option<Self> {
        for at in &mut self.points {
            *at = at.on_next(next)?;
        }
        let spans = self.points.iter().zip(0..);
        self.numbers = spans.map(|(at, number)| (at.span, number)).collect();
        Some(self)
    }
}

/// The spans beside one that lead back to it, and how far they are [mm].
fn neighbors_both_ways<'a>(
    view: &'a ViewRef,
    from: NavPoint,
) -> impl Iterator<Item = (NavPoint, u32)> + use<'a> {
    let target = |span: u32, dir| view.connections().known_target(view.column(span), span, dir);
    let span = from.span.0;
    view.connections().dirs(span).filter_map(move |dir| {
        let next = target(span, dir)?;
        let leads_back = |back| back == dir.opposite() && target(next, back) == Some(span);
        let to = NavPoint::center(view, SpanId(next));
        let length = ((to.point - from.point).norm() * 1000.0).round() as u32;
        view.connections().dirs(next).any(leads_back).then_some((to, length))
    })
}
