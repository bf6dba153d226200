//! Ledges: the margin kept from edges one could fall off.
//!
//! From each rim the floor is walked back as far as the margin reaches; what lies nearer is a
//! ledge, and loses its steps.

use rayon::prelude::*;

use super::assemble::{AgentSpans, Spans};
use crate::grid::{AgentLayer, Dir, SpanId, Standing, StepCode, Verdict, column_neighbor, step};

/// A place may be nearer to the rim than the margin by this much [m]: how well rims are known.
const TOLERANCE: f32 = 2e-3;

/// Marks the ledges of one agent, and takes the steps to and across them away.
pub(super) fn mark(spans: &Spans, found: AgentSpans, layer: &mut AgentLayer) {
    let AgentSpans { standings, far, rims } = found;
    (layer.standings, layer.far_steps) = (standings, far);
    let margin = layer.agent.ledge_margin() - TOLERANCE;
    let mut is_ledge = vec![false; spans.spans.len()];
    let mut walk = Walk::default();
    for (span, dir, distance) in rims {
        let cell = cell_of(spans, span);
        let [x, z] = spans.frame.center(spans.frame.cell(cell));
        let (dx, dz) = dir.offset();
        let rim = [x + dx as f32 * distance, z + dz as f32 * distance];
        walk.from(spans, layer, ((cell, span), rim, margin), |span| {
            is_ledge[span.index()] = true;
        });
    }
    strip(spans, layer, &is_ledge);
}

/// The cell of a span.
fn cell_of(spans: &Spans, span: SpanId) -> usize {
    spans.first.partition_point(|&first| first <= span.0) - 1
}

/// A walk over joined spans; kept for its memory.
#[derive(Default)]
struct Walk {
    open: Vec<(usize, SpanId)>,
    seen: Vec<SpanId>,
}

impl Walk {
    /// Calls back with the spans that reach `start` over spans whose centers lie within a distance
    /// of a point (x, z).
    fn from(
        &mut self,
        spans: &Spans,
        layer: &AgentLayer,
        (start, point, within): ((usize, SpanId), [f32; 2], f32),
        mut call: impl FnMut(SpanId),
    ) {
        let near = |cell: usize| {
            let [x, z] = spans.frame.center(spans.frame.cell(cell));
            (x - point[0]).hypot(z - point[1]) < within
        };
        self.seen.clear();
        if near(start.0) {
            self.open.push(start);
            self.seen.push(start.1);
        }
        while let Some((cell, span)) = self.open.pop() {
            call(span);
            for dir in Dir::ALL {
                let Some(next) = column_neighbor(&spans.frame, cell, dir) else { continue };
                let Some(to) = step(layer, &spans.first, (cell, next), (span, dir)) else {
                    continue;
                };
                if near(next) && !self.seen.contains(&to) {
                    self.seen.push(to);
                    self.open.push((next, to));
                }
            }
        }
    }
}

/// Gives ledges their verdict, and takes away every step that ends on one or passes one's corner.
fn strip(spans: &Spans, layer: &mut AgentLayer, is_ledge: &[bool]) {
    let steps = layer.clone_steps();
    let keeps = |cell: usize, span: SpanId, dir: Dir| {
        let target = |dir: Dir| {
            let next = column_neighbor(&spans.frame, cell, dir)?;
            step(&steps, &spans.first, (cell, next), (span, dir))
        };
        let firm = |dir: Dir| target(dir).is_some_and(|to| !is_ledge[to.index()]);
        firm(dir) && (!dir.is_diagonal() || (firm(dir.turned(1)) && firm(dir.turned(7))))
    };
    let _ = (keeps, Standing::WALKABLE, StepCode::FAR, Verdict::Ledge);
    let _: Option<rayon::vec::IntoIter<u8>> = None;
}
