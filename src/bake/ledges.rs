//! Ledges: the margin kept from edges one could fall off.
//!
//! From each rim the floor is walked back as far as the margin reaches; what lies nearer is a
//! ledge, and loses its steps. A rim is a point; where the next cell along the edge has a rim too,
//! the edge between the two counts.

use rayon::prelude::*;

use super::assemble::{AgentSpans, Spans};
use super::ends::End;
use super::rims::Rim;
use crate::grid::{AgentLayer, Dir, Place, Standing, StepCode, Steps, Verdict};
use crate::world::GroundEdge;

/// A place may be nearer to the rim than the margin by this much [m]: how well rims are known.
const TOLERANCE: f32 = 2e-3;

/// How far along an edge a rim speaks for it at most, in cells: to the line of the next cell over
/// an edge so slanted that other rims see it straighter.
const LONGEST: f32 = 2.0;

/// Marks the ledges of one agent, and takes the steps to and across them away.
pub(super) fn mark(spans: &Spans, found: AgentSpans, layer: &mut AgentLayer) {
    let AgentSpans { standings, far, rims } = found;
    (layer.standings, layer.far_steps) = (standings, far);
    if rims.is_empty() || layer.agent.ledge_margin() <= TOLERANCE {
        return;
    }
    let share = rims.len().div_ceil(rayon::current_num_threads());
    let walked = rims
        .par_chunks(share)
        .map(|part| Walk::over(spans, layer, part).back_from_all(part, &rims));
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
        // The edge is no further away than the margin, nor are the ledges from it.
        let edge = 2.0 * LONGEST * frame.cell_size;
        let rows = ((2.0 * margin + edge) / frame.cell_size) as usize;
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

    /// The spans whose centers lie within the margin of some of the rims, and that reach them over
    /// such spans. Rims come in the order of spans; `all` are those of all threads.
    fn back_from_all(mut self, rims: &[Rim], all: &[Rim]) -> Vec<Place> {
        let mut index = rims.first().map_or(0, |rim| column(self.first, rim));
        let mut walk = 0;
        let mut stretches = Vec::new();
        for rims in rims.chunk_by(|a, b| a.floor == b.floor) {
            let span = rims[0].floor;
            while self.first[index + 1] <= span {
                index += 1;
            }
            let start = Place { index, x: index % self.width, span };
            stretches.clear();
            stretches.extend(rims.iter().map(|rim| self.stretch(rim, start, all)));
            for (at, stretch) in stretches.iter().enumerate() {
                if !stretch.is_part_of_another(at, &stretches) {
                    walk += 1;
                    self.back_from(walk, start, stretch);
                }
            }
        }
        self.ledges
    }

    /// What is known of the edge at a rim: it reaches on to the side where the next cell has a rim
    /// in the same direction, or else the cell itself has one to that side, as far as the two edges
    /// are one or up to where they meet.
    fn stretch(&self, rim: &Rim, start: Place, all: &[Rim]) -> Stretch {
        let end = offset_of(rim.dir, rim.end.distance);
        let mut stretch = Stretch { end, direction: [0.0; 2], reach: [0.0; 2] };
        let Some(edge) = rim.end.edge else { return stretch };
        stretch.direction = edge.direction;
        for side in [rim.dir.turned(2), rim.dir.turned(6)] {
            let (center, place) = match self.steps.target(start, side) {
                Some(next) => (offset_of(side, self.cell_size), (next.span, rim.dir)),
                None => ([0.0; 2], (start.span, side)),
            };
            let Ok(other) = all.binary_search_by_key(&place, Rim::place) else { continue };
            let End { distance, edge: Some(other) } = all[other].end else { continue };
            let [x, z] = offset_of(place.1, distance);
            let meets = stretch.meets([center[0] + x, center[1] + z], &other);
            let (x, z) = side.offset();
            let along = x as f32 * edge.direction[0] + z as f32 * edge.direction[1];
            let (towards, sign) = if along > 0.0 { (1, 1.0) } else { (0, -1.0) };
            let known = (sign * meets).clamp(0.0, LONGEST * self.cell_size);
            stretch.reach[towards] = known.min(edge.reach[towards]);
        }
        stretch
    }

    /// Walks back from where a floor ends.
    fn back_from(&mut self, walk: u32, start: Place, stretch: &Stretch) {
        let (cell_size, nearest) = (self.cell_size, self.nearest);
        let near = |[x, z]: [i32; 2]| {
            stretch.distance_squared([x as f32 * cell_size, z as f32 * cell_size]) < nearest
        };
        if near([0, 0]) {
            self.visit(walk, start, [0, 0]);
        }
        while let Some((place, [x, z])) = self.open.pop() {
            for dir in self.steps.dirs(place.span) {
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

/// A straight stretch of an edge, relative to the center of where a walk starts [m].
struct Stretch {
    /// Where the floor ends.
    end: [f32; 2],
    /// Of length 1.
    direction: [f32; 2],
    /// How far the edge is known against its direction and along it.
    reach: [f32; 2],
}

/// Edges count as one line where their directions differ by less [rad], and where one passes the
/// other's end by less [m].
const PARALLEL: f32 = 1e-3;

/// Stretches so near to each other are one [m]; far less than rims are known to.
const SAME: f32 = 1e-4;

/// A way in a direction, `distance` along x or z or both [m].
fn offset_of(dir: Dir, distance: f32) -> [f32; 2] {
    let (x, z) = dir.offset();
    [x as f32 * distance, z as f32 * distance]
}

impl Stretch {
    /// How far along its direction it meets the line of another edge, or, where the two are one
    /// line, the other's `end` [m]; 0 where they never meet.
    fn meets(&self, end: [f32; 2], other: &GroundEdge) -> f32 {
        let cross = |a: [f32; 2], b: [f32; 2]| a[0] * b[1] - a[1] * b[0];
        let way = [end[0] - self.end[0], end[1] - self.end[1]];
        let turn = cross(self.direction, other.direction);
        if turn.abs() >= PARALLEL {
            cross(way, other.direction) / turn
        } else if cross(way, self.direction).abs() < PARALLEL {
            way[0] * self.direction[0] + way[1] * self.direction[1]
        } else {
            0.0
        }
    }

    /// Whether another stretch from the same place covers it; of two that are alike the first does.
    /// On a straight edge that is so of most: what lies near them lies near the other.
    fn is_part_of_another(&self, at: usize, all: &[Stretch]) -> bool {
        let covers = |(other, stretch): (usize, &Stretch)| {
            other != at && stretch.covers(self) && (other < at || !self.covers(stretch))
        };
        all.iter().enumerate().any(covers)
    }

    fn covers(&self, other: &Stretch) -> bool {
        let tip = |along: f32| [0, 1].map(|i| other.end[i] + along * other.direction[i]);
        let tips = [tip(-other.reach[0]), tip(other.reach[1])];
        tips.iter().all(|tip| self.distance_squared(*tip) < SAME * SAME)
    }

    #[inline]
    fn distance_squared(&self, [x, z]: [f32; 2]) -> f32 {
        let (x, z) = (x - self.end[0], z - self.end[1]);
        let along = x * self.direction[0] + z * self.direction[1];
        let nearest = along.clamp(-self.reach[0], self.reach[1]);
        let (x, z) = (x - nearest * self.direction[0], z - nearest * self.direction[1]);
        x * x + z * z
    }
}

/// Position of the column in which a rim's span stands.
fn column(first: &[u32], rim: &Rim) -> usize {
    first.partition_point(|&first| first <= rim.floor) - 1
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
