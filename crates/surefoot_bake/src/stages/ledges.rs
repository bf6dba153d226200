//! Ledges: the margin kept from edges one could fall off.
//!
//! From each rim the floor is walked back as far as the margin reaches; what lies nearer is a
//! ledge, and loses its steps. A rim is a point; where the next cell along the edge has a rim too,
//! the edge between the two counts.

use std::ops::Range;

use rayon::prelude::*;

use super::assemble::{AgentSpans, Layout};
use super::ends::End;
use super::rims::Rim;
use super::stretch::{NearCells, Stretch, offset_of};
use crate::casts::GroundEdge;
use surefoot::grid::baker::{ConnectionCode, Connections};
use surefoot::grid::{AgentLayer, Dir, GridFrame, Standing, Verdict};

/// A place may be nearer to the rim than the margin by this much [m]: how well rims are known.
const TOLERANCE: f32 = 2e-3;

/// How far along an edge a rim speaks for it at most, in cells: to the line of the next cell over
/// an edge so slanted that other rims see it straighter.
const LONGEST: f32 = 2.0;

/// Marks the ledges of one agent, and takes the steps to and across them away.
pub(super) fn mark(layout: &Layout, found: AgentSpans, layer: &mut AgentLayer) {
    let AgentSpans { standings, far, rims } = found;
    (layer.standings, layer.far_connections) = (standings, far);
    if rims.is_empty() || layer.agent.ledge_margin() <= TOLERANCE {
        return;
    }
    let share = share(rims.len(), rayon::current_num_threads());
    let walked = rims
        .par_chunks(share)
        .map(|part| Walk::over(layout, layer, part, &rims).back_from_all(part, &rims));
    let mut ledges: Vec<Stand> = walked.flatten_iter().collect();
    // Threads may have found the same ones.
    ledges.sort_unstable_by_key(|ledge| ledge.span);
    ledges.dedup_by_key(|ledge| ledge.span);
    strip(layout, layer, &ledges);
}

/// Shares of the rims to each thread, where there are several: enough that none waits long for the
/// last of another.
const SHARES_A_THREAD: usize = 4;

/// How many rims are walked back from at a time.
fn share(rims: usize, threads: usize) -> usize {
    let shares = if threads == 1 { 1 } else { SHARES_A_THREAD * threads };
    rims.div_ceil(shares)
}

/// A span and the row-major position of its column.
#[derive(Clone, Copy)]
struct Stand {
    column: usize,
    span: u32,
}

/// Walks over joined spans, from rims back as far as the margin.
struct Walk<'a> {
    frame: &'a GridFrame,
    first: &'a [u32],
    steps: Connections<'a>,
    /// How near a rim places are ledges [m].
    margin: f32,
    ledges: Vec<Stand>,
    /// The walks so far.
    walks: u32,
    /// For each span that the walks can reach the last one that came by, counted from 1; 0 for
    /// those that are no ledges.
    seen: Vec<u32>,
    /// For each of these spans where its rims start among those of all threads.
    rims: Vec<u32>,
    /// The first span that the walks can reach.
    base: u32,
    near: NearCells,
    /// Where to go on from, and how many cells that lies from where the walk started.
    open: Vec<(Stand, [i32; 2])>,
}

impl<'a> Walk<'a> {
    /// For some of all rims; both come in the order of spans.
    fn over(layout: &'a Layout, layer: &'a AgentLayer, some: &[Rim], all: &[Rim]) -> Self {
        let Layout { frame, first } = layout;
        let margin = layer.agent.ledge_margin() - TOLERANCE;
        // The edge is no further away than the margin, nor are the ledges from it.
        let edge = 2.0 * LONGEST * frame.cell_size;
        let rows = ((2.0 * margin + edge) / frame.cell_size) as usize;
        let reach = rows.saturating_add(2).saturating_mul(frame.size_x as usize);
        let ends = [some.first(), some.last()].map(|rim| rim.map_or(0, |rim| column(first, rim)));
        let base = first[ends[0].saturating_sub(reach)];
        let end = first[ends[1].saturating_add(reach).min(frame.cells())];
        Walk {
            frame,
            first,
            steps: Connections::new(frame, first, layer),
            margin,
            ledges: Vec::new(),
            walks: 0,
            seen: vec![0; (end - base) as usize],
            rims: starts(all, base..end),
            base,
            near: NearCells::default(),
            open: Vec::new(),
        }
    }

    /// The spans whose centers lie within the margin of some of the rims, and that reach them over
    /// such spans.
    fn back_from_all(mut self, some: &[Rim], all: &[Rim]) -> Vec<Stand> {
        let mut column = some.first().map_or(0, |rim| column(self.first, rim));
        let mut stretches = Vec::new();
        for rims in some.chunk_by(|a, b| a.floor == b.floor) {
            let span = rims[0].floor;
            while self.first[column + 1] <= span {
                column += 1;
            }
            let start = Stand { column, span };
            stretches.clear();
            stretches.extend(rims.iter().map(|rim| self.stretch(rim, start, all)));
            for (at, stretch) in stretches.iter().enumerate() {
                if !stretch.is_part_of_another(at, &stretches) {
                    self.back_from(start, stretch);
                }
            }
        }
        self.ledges
    }

    /// The end of the floor of a span in a direction, if one is known and lies on an edge.
    fn edge_at(&self, span: u32, dir: Dir, all: &[Rim]) -> Option<(f32, GroundEdge)> {
        let at = (span - self.base) as usize;
        let rims = &all[self.rims[at] as usize..self.rims[at + 1] as usize];
        let End { distance, edge } = rims.iter().find(|rim| rim.dir == dir)?.end;
        Some((distance, edge?))
    }

    /// What is known of the edge at a rim: it reaches on to the side where the next cell has a rim
    /// in the same direction, or else the cell itself has one to that side, as far as the two edges
    /// are one or up to where they meet.
    fn stretch(&self, rim: &Rim, start: Stand, all: &[Rim]) -> Stretch {
        let end = offset_of(rim.dir, rim.end.distance);
        let mut stretch = Stretch { end, direction: [0.0; 2], reach: [0.0; 2] };
        let Some(edge) = rim.end.edge else { return stretch };
        stretch.direction = edge.direction;
        for side in [rim.dir.turned(2), rim.dir.turned(6)] {
            let (center, span, dir) = match self.steps.known_target(start.column, start.span, side)
            {
                Some(next) => (offset_of(side, self.frame.cell_size), next, rim.dir),
                None => ([0.0; 2], start.span, side),
            };
            let Some((distance, other)) = self.edge_at(span, dir, all) else { continue };
            let [x, z] = offset_of(dir, distance);
            let meets = stretch.meets([center[0] + x, center[1] + z], &other);
            let (x, z) = side.offset();
            let along = x as f32 * edge.direction[0] + z as f32 * edge.direction[1];
            let (towards, sign) = if along > 0.0 { (1, 1.0) } else { (0, -1.0) };
            let known = (sign * meets).clamp(0.0, LONGEST * self.frame.cell_size);
            stretch.reach[towards] = known.min(edge.reach[towards]);
        }
        stretch
    }

    /// Walks back from where a floor ends.
    fn back_from(&mut self, start: Stand, stretch: &Stretch) {
        self.walks += 1;
        self.near.set(stretch, self.margin, (self.frame, start.column));
        if self.near.has([0, 0]) {
            self.visit(start, [0, 0]);
        }
        while let Some((stand, at)) = self.open.pop() {
            let beside = |dir: Dir| [at[0] + dir.offset().0, at[1] + dir.offset().1];
            let straight = Dir::STRAIGHT.map(|dir| self.near.has(beside(dir)));
            for (quarter, dir) in Dir::STRAIGHT.into_iter().enumerate() {
                let diagonal = dir.turned(1);
                if straight[quarter] {
                    self.step(stand, dir, beside(dir));
                } else if !straight[(quarter + 1) % 4] && self.near.has(beside(diagonal)) {
                    // Where a straight neighbor is near, a diagonal step is two straight ones.
                    self.step(stand, diagonal, beside(diagonal));
                }
            }
        }
    }

    #[inline]
    fn step(&mut self, from: Stand, dir: Dir, at: [i32; 2]) {
        if let Some(span) = self.steps.known_target(from.column, from.span, dir) {
            let column = self.steps.neighbor_of(from.column, dir);
            self.visit(Stand { column, span }, at);
        }
    }

    /// Goes on from a place unless this walk has been there; it is a ledge.
    #[inline]
    fn visit(&mut self, stand: Stand, at: [i32; 2]) {
        match std::mem::replace(&mut self.seen[(stand.span - self.base) as usize], self.walks) {
            0 => self.ledges.push(stand),
            last if last == self.walks => return,
            _ => {}
        }
        self.open.push((stand, at));
    }
}

/// For each span of a range where its rims start, and for the last where they end.
fn starts(all: &[Rim], spans: Range<u32>) -> Vec<u32> {
    let mut next = all.partition_point(|rim| rim.floor < spans.start);
    let mut starts = Vec::with_capacity(spans.len() + 1);
    for span in spans.start..=spans.end {
        starts.push(next as u32);
        while all.get(next).is_some_and(|rim| rim.floor == span) {
            next += 1;
        }
    }
    starts
}

/// Position of the column in which a rim's span stands.
fn column(first: &[u32], rim: &Rim) -> usize {
    first.partition_point(|&first| first <= rim.floor) - 1
}

/// Gives ledges their verdict, and takes away every step that ends on one or passes one's corner.
/// O(ledges).
fn strip(layout: &Layout, layer: &mut AgentLayer, ledges: &[Stand]) {
    let mut lost = Vec::new();
    for ledge in ledges {
        let steps = Connections::new(&layout.frame, &layout.first, layer);
        let target = |dir| steps.known_target(ledge.column, ledge.span, dir);
        for dir in Dir::ALL {
            let Some(to) = target(dir) else { continue };
            lost.push((to, dir.opposite()));
            // Between this neighbor and the one a quarter turn on, the ledge is the corner.
            if !dir.is_diagonal()
                && let Some(next) = target(dir.turned(2))
            {
                lost.push((to, dir.turned(3)));
                lost.push((next, dir.turned(7)));
            }
        }
        // Of a step and its way back both are lost, or one end is a ledge: no later ledge misses any.
        for (span, dir) in lost.drain(..) {
            layer.standings[span as usize].set_connection(dir, ConnectionCode::NONE);
        }
    }
    for ledge in ledges {
        layer.standings[ledge.span as usize] = Standing::new(Verdict::Ledge);
    }
    let standings = &layer.standings;
    layer.far_connections.retain(|far| standings[far.from.index()].has_connection(far.dir));
}
