//! Ledges: the margin kept from edges one could fall off.
//!
//! From each rim the floor is walked back as far as the margin reaches; what lies nearer is a
//! ledge, and loses its steps.

use super::assemble::{AgentSpans, Spans};
use crate::grid::{AgentLayer, Dir, Place, SpanId, Standing, StepCode, Steps, Verdict};

/// A place may be nearer to the rim than the margin by this much [m]: how well rims are known.
const TOLERANCE: f32 = 2e-3;

/// Marks the ledges of one agent, and takes the steps to and across them away.
pub(super) fn mark(spans: &Spans, found: AgentSpans, layer: &mut AgentLayer) {
    let AgentSpans { standings, far, rims } = found;
    (layer.standings, layer.far_steps) = (standings, far);
    if rims.is_empty() || layer.agent.ledge_margin() <= TOLERANCE {
        return;
    }
    let mut walk = Walk::over(spans, layer);
    for (span, dir, distance) in rims {
        walk.back_from(span, dir, distance);
    }
    let ledges = walk.ledges;
    strip(spans, layer, &ledges);
}

/// Walks over joined spans, from rims back as far as the margin.
struct Walk<'a> {
    spans: &'a Spans,
    steps: Steps<'a>,
    margin: f32,
    ledges: Vec<Place>,
    is_ledge: Vec<bool>,
    open: Vec<Place>,
    seen: Vec<u32>,
}

impl<'a> Walk<'a> {
    fn over(spans: &'a Spans, layer: &'a AgentLayer) -> Self {
        let steps = Steps::new(&spans.frame, &spans.first, layer);
        let margin = layer.agent.ledge_margin() - TOLERANCE;
        Walk {
            spans,
            steps,
            margin,
            ledges: Vec::new(),
            is_ledge: vec![false; spans.spans.len()],
            open: Vec::new(),
            seen: Vec::new(),
        }
    }

    /// Marks the spans whose centers lie within the margin of where a floor ends, `distance` along x
    /// or z from the center of `span` in a direction, and that reach it over such spans.
    fn back_from(&mut self, span: SpanId, dir: Dir, distance: f32) {
        let (first, frame) = (&self.spans.first, &self.spans.frame);
        let index = first.partition_point(|&first| first <= span.0) - 1;
        let [x, z] = frame.center(frame.cell(index));
        let (dx, dz) = dir.offset();
        let end = [x + dx as f32 * distance, z + dz as f32 * distance];
        let near = |place: &Place| {
            let [x, z] = frame.center(frame.cell(place.index));
            let (x, z) = (x - end[0], z - end[1]);
            x * x + z * z < self.margin * self.margin
        };
        let start = Place { index, x: index % frame.size_x as usize, span: span.0 };
        self.seen.clear();
        if near(&start) {
            self.seen.push(start.span);
            self.open.push(start);
        }
        while let Some(place) = self.open.pop() {
            if !std::mem::replace(&mut self.is_ledge[place.span as usize], true) {
                self.ledges.push(place);
            }
            for dir in Dir::ALL {
                let Some(to) = self.steps.target(place, dir) else { continue };
                if near(&to) && !self.seen.contains(&to.span) {
                    self.seen.push(to.span);
                    self.open.push(to);
                }
            }
        }
    }
}

/// Gives ledges their verdict, and takes away every step that ends on one or passes one's corner.
/// O(ledges).
fn strip(spans: &Spans, layer: &mut AgentLayer, ledges: &[Place]) {
    let steps = Steps::new(&spans.frame, &spans.first, layer);
    let mut lost = Vec::new();
    for &ledge in ledges {
        for dir in Dir::ALL {
            let Some(to) = steps.target(ledge, dir) else { continue };
            lost.push((to.span, dir.opposite()));
            // Between this neighbor and the one a quarter turn on, the ledge is the corner.
            if !dir.is_diagonal()
                && let Some(next) = steps.target(ledge, dir.turned(2))
            {
                lost.push((to.span, dir.turned(3)));
                lost.push((next.span, dir.turned(7)));
            }
        }
    }
    for &(span, dir) in &lost {
        layer.standings[span as usize].set_step(dir, StepCode::NONE);
    }
    for ledge in ledges {
        layer.standings[ledge.span as usize] = Standing::new(Verdict::Ledge);
    }
    let standings = &layer.standings;
    layer.far_steps.retain(|far| standings[far.from.index()].has_step(far.dir));
}
