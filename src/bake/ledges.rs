//! Ledges: the margin kept from edges one could fall off.
//!
//! From each rim the floor is walked back as far as the margin reaches; what lies nearer is a
//! ledge, and loses its steps.

use rayon::prelude::*;

use super::assemble::{AgentSpans, Rim, Spans};
use crate::grid::{AgentLayer, Dir, Place, Standing, StepCode, Steps, Verdict};

/// A place may be nearer to the rim than the margin by this much [m]: how well rims are known.
const TOLERANCE: f32 = 2e-3;

/// Marks the ledges of one agent, and takes the steps to and across them away.
pub(super) fn mark(spans: &Spans, found: AgentSpans, layer: &mut AgentLayer) {
    let AgentSpans { standings, far, rims } = found;
    (layer.standings, layer.far_steps) = (standings, far);
    if rims.is_empty() || layer.agent.ledge_margin() <= TOLERANCE {
        return;
    }
    let share = rims.len().div_ceil(rayon::current_num_threads());
    let walked =
        rims.par_chunks(share).map(|rims| Walk::over(spans, layer, rims).back_from_all(rims));
    let mut ledges: Vec<Place> = walked.flatten_iter().collect();
    // Threads may have found the same ones.
    ledges.sort_unstable_by_key(|ledge| ledge.span);
    ledges.dedup();
    strip(spans, layer, &ledges);
}

/// Walks over joined spans, from rims back as far as the margin.
struct Walk<'a> {
    first: &'a [u32],
    steps: Steps<'a>,
    cell_size: f32,
    width: usize,
    /// Square of the margin [m²].
    nearest: f32,
    ledges: Vec<Place>,
    /// For each span that the walks can reach the last one that came by, counted from 1; 0 for
    /// those that are no ledges.
    seen: Vec<u32>,
    /// The first span that the walks can reach.
    base: u32,
    /// Places to go on from, and how many cells they lie from where the walk started.
    open: Vec<(Place, [i32; 2])>,
}

impl<'a> Walk<'a> {
    fn over(spans: &'a Spans, layer: &'a AgentLayer, rims: &[Rim]) -> Self {
        let Spans { frame, first, .. } = spans;
        let margin = layer.agent.ledge_margin() - TOLERANCE;
        // The rim is no further away than the margin, nor are the ledges from it.
        let rows = (2.0 * margin / frame.cell_size) as usize;
        let reach = rows.saturating_add(2).saturating_mul(frame.size_x as usize);
        let ends = [rims.first(), rims.last()].map(|rim| rim.map_or(0, |rim| column(first, rim)));
        let base = first[ends[0].saturating_sub(reach)];
        let end = first[ends[1].saturating_add(reach).min(frame.cells())];
        Walk {
            first,
            steps: Steps::new(frame, first, layer),
            cell_size: frame.cell_size,
            width: frame.size_x as usize,
            nearest: margin * margin,
            ledges: Vec::new(),
            seen: vec![0; (end - base) as usize],
            base,
            open: Vec::new(),
        }
    }

    /// The spans whose centers lie within the margin of a rim, and that reach it over such spans.
    /// Rims come in the order of spans.
    fn back_from_all(mut self, rims: &[Rim]) -> Vec<Place> {
        let mut index = rims.first().map_or(0, |rim| column(self.first, rim));
        for (walk, &(span, dir, distance)) in (1..).zip(rims) {
            while self.first[index + 1] <= span.0 {
                index += 1;
            }
            let (x, z) = dir.offset();
            let start = Place { index, x: index % self.width, span: span.0 };
            self.back_from(walk, start, [x as f32 * distance, z as f32 * distance]);
        }
        self.ledges
    }

    /// Walks back from where a floor ends, counted from the center of where the walk starts [m].
    fn back_from(&mut self, walk: u32, start: Place, end: [f32; 2]) {
        let (cell_size, nearest) = (self.cell_size, self.nearest);
        let near = |[x, z]: [i32; 2]| {
            let (x, z) = (x as f32 * cell_size - end[0], z as f32 * cell_size - end[1]);
            x * x + z * z < nearest
        };
        if near([0, 0]) {
            self.visit(walk, start, [0, 0]);
        }
        while let Some((place, [x, z])) = self.open.pop() {
            // Straight steps are enough: of the two corners beside a diagonal between places of a
            // disc, one is in the disc, and a diagonal is joined round both.
            for dir in self.steps.dirs(place).filter(|dir| !dir.is_diagonal()) {
                let (dx, dz) = dir.offset();
                let at = [x + dx, z + dz];
                // Most neighbors are too far away; a distance is cheaper than a step.
                if near(at)
                    && let Some(to) = self.steps.target(place, dir)
                {
                    self.visit(walk, to, at);
                }
            }
        }
    }

    /// Goes on from a place unless this walk has been there; it is a ledge.
    fn visit(&mut self, walk: u32, place: Place, at: [i32; 2]) {
        match std::mem::replace(&mut self.seen[(place.span - self.base) as usize], walk) {
            0 => self.ledges.push(place),
            last if last == walk => return,
            _ => {}
        }
        self.open.push((place, at));
    }
}

/// Position of the column in which a rim's span stands.
fn column(first: &[u32], (span, ..): &Rim) -> usize {
    first.partition_point(|&first| first <= span.0) - 1
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
