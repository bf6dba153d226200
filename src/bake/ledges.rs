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
    if rims.is_empty() {
        return;
    }
    let mut is_ledge = vec![false; spans.spans.len()];
    let mut walk = Walk::over(spans, layer);
    for (span, dir, distance) in rims {
        walk.back_from(span, dir, distance, &mut is_ledge);
    }
    strip(spans, layer, &is_ledge);
}

/// Walks over joined spans, from rims back as far as the margin.
struct Walk<'a> {
    spans: &'a Spans,
    steps: Steps<'a>,
    margin: f32,
    open: Vec<Place>,
    seen: Vec<u32>,
}

impl<'a> Walk<'a> {
    fn over(spans: &'a Spans, layer: &'a AgentLayer) -> Self {
        let steps = Steps::new(&spans.frame, &spans.first, layer);
        let margin = layer.agent.ledge_margin() - TOLERANCE;
        Walk { spans, steps, margin, open: Vec::new(), seen: Vec::new() }
    }

    /// Marks the spans whose centers lie within the margin of where a floor ends, `distance` from
    /// the center of `span` in a direction, and that reach it over such spans.
    fn back_from(&mut self, span: SpanId, dir: Dir, distance: f32, is_ledge: &mut [bool]) {
        let (first, frame) = (&self.spans.first, &self.spans.frame);
        let index = first.partition_point(|&first| first <= span.0) - 1;
        let [x, z] = frame.center(frame.cell(index));
        let (dx, dz) = dir.offset();
        let end = [x + dx as f32 * distance, z + dz as f32 * distance];
        let near = |place: &Place| {
            let [x, z] = frame.center(frame.cell(place.index));
            (x - end[0]).hypot(z - end[1]) < self.margin
        };
        let start = Place { index, x: index % frame.size_x as usize, span: span.0 };
        self.seen.clear();
        if near(&start) {
            self.seen.push(start.span);
            self.open.push(start);
        }
        while let Some(place) = self.open.pop() {
            is_ledge[place.span as usize] = true;
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
fn strip(spans: &Spans, layer: &mut AgentLayer, is_ledge: &[bool]) {
    let steps = Steps::new(&spans.frame, &spans.first, layer);
    let width = spans.frame.size_x as usize;
    let mut lost = Vec::new();
    for index in 0..spans.frame.cells() {
        for span in spans.first[index]..spans.first[index + 1] {
            let place = Place { index, x: index % width, span };
            let firm = |dir: Dir| {
                let to = steps.target(place, dir);
                to.is_some_and(|to| !is_ledge[span as usize] && !is_ledge[to.span as usize])
            };
            for dir in Dir::ALL {
                let around = !dir.is_diagonal() || (firm(dir.turned(1)) && firm(dir.turned(7)));
                if steps.target(place, dir).is_some() && !(firm(dir) && around) {
                    lost.push((span, dir));
                }
            }
        }
    }
    for (span, dir) in lost {
        layer.standings[span as usize].set_step(dir, StepCode::NONE);
        layer.far_steps.retain(|far| (far.from.0, far.dir) != (span, dir));
    }
    for (standing, _) in layer.standings.iter_mut().zip(is_ledge).filter(|(_, ledge)| **ledge) {
        *standing = Standing::new(Verdict::Ledge);
    }
}
