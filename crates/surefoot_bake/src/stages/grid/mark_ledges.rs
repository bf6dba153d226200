//! Marks ledges: spans too close to an edge that the agent could fall off.
//!
//! From each border edge a walk over the connections covers the floor up to the ledge margin. Spans
//! that it reaches are ledges and lose their connections. A border edge is a point; if the next
//! cell along the edge has one too, the segment between the two counts.

use std::ops::Range;

use rayon::prelude::*;

use super::assemble::{AgentSpans, GridColumns};
use super::edge_segment::{EdgeSegment, LocalFrame, NearCells, offset_of};
use crate::casts::GroundEdge;
use crate::stages::tile::{BorderEdge, FloorEnd};
use surefoot::agent::Agent;
use surefoot::grid::baker::{ConnectionCode, Connections};
use surefoot::grid::{AgentLayer, CellOffset, Dir, GridFrame, Standing, Verdict};

/// How much nearer to an edge than the margin a span may be [m]: how well edges are known.
const MARGIN_TOLERANCE: f32 = 2e-3;

/// How far along an edge a border edge counts at most [cells]: to the next cell's line across an
/// edge so slanted that other border edges see it straighter.
const MAX_EDGE_CELLS: f32 = 2.0;

/// Marks the ledges of one agent, and removes the connections to and across them.
pub(in crate::stages) fn mark_ledges(
    columns: &GridColumns,
    found: AgentSpans,
    layer: &mut AgentLayer,
) {
    let AgentSpans { standings, far, mut border_edges, .. } = found;
    border_edges.retain(|edge| edge.is_drop);
    (layer.standings, layer.far_connections) = (standings, far);
    if border_edges.is_empty() || layer.agent.ledge_margin() <= MARGIN_TOLERANCE {
        return;
    }
    let chunk = chunk_size(border_edges.len(), rayon::current_num_threads());
    let walked = border_edges
        .par_chunks(chunk)
        .map(|chunk| LedgeWalk::new(columns, layer, chunk, &border_edges).walk_from_all(chunk));
    let mut ledges: Vec<LedgeSpan> = walked.flatten_iter().collect();
    // Several threads may have found the same ones.
    ledges.sort_unstable_by_key(|ledge| ledge.span);
    ledges.dedup_by_key(|ledge| ledge.span);
    write_ledges(columns, layer, &ledges);
}

/// Returns how far from where a floor ends its walk leads, at a margin [m] [cells].
fn walk_reach(margin: f32, cell_size: f32) -> u32 {
    // A walk goes up to the margin beyond its segment, which ends this far from the start.
    let segment = 2.0 * MAX_EDGE_CELLS * cell_size;
    (((2.0 * margin + segment) / cell_size) as u32).saturating_add(2)
}

/// Returns how far from a change, at most, ledges and the connections beside them may change [cells].
pub(in crate::stages) fn ledge_reach(agents: &[Agent], cell_size: f32) -> u32 {
    let margin = agents.iter().map(Agent::ledge_margin).fold(0.0, f32::max);
    // Ends of floors depend on the next cell, and diagonals are lost over the corner of a ledge.
    walk_reach(margin, cell_size).saturating_add(4)
}

/// Chunks of border edges per thread, if there are several: enough that no thread waits long for
/// the last chunk of another.
const CHUNKS_PER_THREAD: usize = 4;

/// Returns how many border edges one job walks from.
fn chunk_size(edges: usize, threads: usize) -> usize {
    let chunks = if threads == 1 { 1 } else { CHUNKS_PER_THREAD * threads };
    edges.div_ceil(chunks)
}

/// A span and the index of its column.
#[derive(Clone, Copy)]
struct LedgeSpan {
    column: usize,
    span: u32,
}

/// Walks over connections from border edges, up to the margin.
struct LedgeWalk<'a> {
    frame: &'a GridFrame,
    first: &'a [u32],
    connections: Connections<'a>,
    /// The border edges of all chunks, sorted by span and direction.
    all: &'a [BorderEdge],
    /// Spans nearer to an edge than this are ledges [m].
    margin: f32,
    ledges: Vec<LedgeSpan>,
    /// Number of walks so far.
    walks: u32,
    /// For each span in reach the last walk that visited it, counted from 1; 0 if it is no ledge.
    visited_by: Vec<u32>,
    /// For each span in reach the index of its first border edge; one more closes the last.
    first_edge: Vec<u32>,
    /// The first span in reach of the walks.
    base: u32,
    near: NearCells,
    /// Spans to continue from, and their cells as counted from the start of the walk.
    open: Vec<(LedgeSpan, [i32; 2])>,
}

impl<'a> LedgeWalk<'a> {
    /// Prepares for walks from a chunk of all border edges.
    fn new(
        columns: &'a GridColumns,
        layer: &'a AgentLayer,
        chunk: &[BorderEdge],
        all: &'a [BorderEdge],
    ) -> Self {
        let GridColumns { frame, first } = columns;
        let margin = layer.agent.ledge_margin() - MARGIN_TOLERANCE;
        let reach =
            (walk_reach(margin, frame.cell_size) as usize).saturating_mul(frame.size_x as usize);
        let ends = [chunk.first(), chunk.last()];
        let [low, high] = ends.map(|edge| edge.map_or(0, |edge| column_of(first, edge)));
        let base = first[low.saturating_sub(reach)];
        let end = first[high.saturating_add(reach).min(frame.cells())];
        LedgeWalk {
            frame,
            first,
            connections: Connections::new(frame, first, layer),
            all,
            margin,
            ledges: Vec::new(),
            walks: 0,
            visited_by: vec![0; (end - base) as usize],
            first_edge: first_edges(all, base..end),
            base,
            near: NearCells::default(),
            open: Vec::new(),
        }
    }

    /// Returns the spans whose centers lie within the margin of some of the border edges, and that
    /// are connected to them by such spans.
    fn walk_from_all(mut self, chunk: &[BorderEdge]) -> Vec<LedgeSpan> {
        let mut column = chunk.first().map_or(0, |edge| column_of(self.first, edge));
        let mut segments = Vec::new();
        for edges in chunk.chunk_by(|a, b| a.floor == b.floor) {
            let span = edges[0].floor;
            while self.first[column + 1] <= span {
                column += 1;
            }
            let start = LedgeSpan { column, span };
            let frame = LocalFrame::around(self.frame, column);
            segments.clear();
            segments.extend(edges.iter().map(|edge| self.segment(edge, start)));
            for (at, segment) in segments.iter().enumerate() {
                if !segment.is_covered(at, &segments) {
                    self.near.set(segment, self.margin, frame);
                    self.walk(start);
                }
            }
        }
        self.ledges
    }

    /// Returns where the floor of a span ends in a direction and the edge there, if both are known.
    fn edge_at(&self, span: u32, dir: Dir) -> Option<(f32, GroundEdge)> {
        let at = (span - self.base) as usize;
        let edges = &self.all[self.first_edge[at] as usize..self.first_edge[at + 1] as usize];
        let FloorEnd { distance, edge } = edges.iter().find(|edge| edge.dir == dir)?.end;
        Some((distance, edge?))
    }

    /// Returns what is known of the edge at a border edge.
    ///
    /// It extends to each side where the next cell has a border edge in the same direction, or else
    /// the cell itself has one toward that side: as far as both are on one line, or to where they
    /// meet.
    fn segment(&self, border_edge: &BorderEdge, start: LedgeSpan) -> EdgeSegment {
        let end = offset_of(border_edge.dir, border_edge.end.distance);
        let mut segment = EdgeSegment { end, direction: [0.0; 2], reach: [0.0; 2] };
        let Some(edge) = border_edge.end.edge else { return segment };
        segment.direction = edge.direction;
        for side in [border_edge.dir.turned(2), border_edge.dir.turned(6)] {
            let next = self.connections.known_target(start.column, start.span, side);
            let (center, span, dir) = match next {
                Some(next) => (offset_of(side, self.frame.cell_size), next, border_edge.dir),
                None => ([0.0; 2], start.span, side),
            };
            let Some((distance, other)) = self.edge_at(span, dir) else { continue };
            let [x, z] = offset_of(dir, distance);
            let distance = segment.distance_to([center[0] + x, center[1] + z], &other);
            let CellOffset { x, z } = side.offset();
            let along = x as f32 * edge.direction[0] + z as f32 * edge.direction[1];
            let (toward, sign) = if along > 0.0 { (1, 1.0) } else { (0, -1.0) };
            let known = (sign * distance).clamp(0.0, MAX_EDGE_CELLS * self.frame.cell_size);
            segment.reach[toward] = known.min(edge.reach[toward]);
        }
        segment
    }

    /// Walks over the near cells from where a floor ends.
    fn walk(&mut self, start: LedgeSpan) {
        self.walks += 1;
        if self.near.has([0, 0]) {
            self.visit(start, [0, 0]);
        }
        let [east, south, west, north] = Dir::STRAIGHT;
        while let Some((ledge, [x, z])) = self.open.pop() {
            let from = WalkSpan {
                ledge,
                layer: ledge.span - self.first[ledge.column],
                standing: self.connections.standings()[ledge.span as usize],
            };
            let [above, row, below] = *self.near.rows_round(z);
            let near = [row.has(x + 1), below.has(x), row.has(x - 1), above.has(x)];
            if near[0] {
                self.step(&from, east, [x + 1, z]);
            }
            if near[1] {
                self.step(&from, south, [x, z + 1]);
            }
            if near[2] {
                self.step(&from, west, [x - 1, z]);
            }
            if near[3] {
                self.step(&from, north, [x, z - 1]);
            }
            if near != [true; 4] {
                self.step_over_corners(&from, [x, z], near);
            }
        }
    }

    /// Steps to near diagonal neighbors between two straight ones that are not near: if one is, two straight
    /// steps replace the diagonal one.
    fn step_over_corners(&mut self, from: &WalkSpan, [x, z]: [i32; 2], straight: [bool; 4]) {
        for (quarter, dir) in Dir::DIAGONAL.into_iter().enumerate() {
            let CellOffset { x: by_x, z: by_z } = dir.offset();
            let at = [x + by_x, z + by_z];
            if !straight[quarter] && !straight[(quarter + 1) % 4] && self.near.has(at) {
                self.step(from, dir, at);
            }
        }
    }

    #[inline(always)]
    fn step(&mut self, from: &WalkSpan, dir: Dir, at: [i32; 2]) {
        let column = self.connections.neighbor_of(from.ledge.column, dir);
        let span = match from.standing.connection_code(dir) {
            ConnectionCode::NONE => return,
            // Most connections stay in their layer.
            ConnectionCode::LEVEL => self.first[column] + from.layer,
            _ => {
                let LedgeSpan { column, span } = from.ledge;
                let Some(span) = self.connections.known_target(column, span, dir) else { return };
                span
            }
        };
        self.visit(LedgeSpan { column, span }, at);
    }

    /// Marks a span as a ledge and continues from it, unless this walk has visited it.
    #[inline(always)]
    fn visit(&mut self, ledge: LedgeSpan, at: [i32; 2]) {
        let last = &mut self.visited_by[(ledge.span - self.base) as usize];
        if *last == self.walks {
            return;
        }
        if *last == 0 {
            self.ledges.push(ledge);
        }
        *last = self.walks;
        self.open.push((ledge, at));
    }
}

/// A span that a walk continues from.
struct WalkSpan {
    ledge: LedgeSpan,
    /// Its index in its column.
    layer: u32,
    standing: Standing,
}

/// Returns for each span of a range the index of its first border edge; one more closes the last.
fn first_edges(all: &[BorderEdge], spans: Range<u32>) -> Vec<u32> {
    let mut next = all.partition_point(|edge| edge.floor < spans.start);
    let mut first = Vec::with_capacity(spans.len() + 1);
    for span in spans.start..=spans.end {
        first.push(next as u32);
        while all.get(next).is_some_and(|edge| edge.floor == span) {
            next += 1;
        }
    }
    first
}

/// Returns the index of the column of a border edge's span.
fn column_of(first: &[u32], edge: &BorderEdge) -> usize {
    first.partition_point(|&first| first <= edge.floor) - 1
}

/// Gives ledges their verdict, and removes every connection that ends on one or passes one's
/// corner. O(ledges).
fn write_ledges(columns: &GridColumns, layer: &mut AgentLayer, ledges: &[LedgeSpan]) {
    let mut lost = Vec::new();
    for ledge in ledges {
        let connections = Connections::new(&columns.frame, &columns.first, layer);
        let target = |dir| connections.known_target(ledge.column, ledge.span, dir);
        for dir in Dir::ALL {
            let Some(to) = target(dir) else { continue };
            lost.push((to, dir.opposite()));
            // The ledge is the corner of the diagonal between this neighbor and the next.
            if !dir.is_diagonal()
                && let Some(next) = target(dir.turned(2))
            {
                lost.push((to, dir.turned(3)));
                lost.push((next, dir.turned(7)));
            }
        }
        // A connection is lost in both directions or starts on a ledge, so later ledges still find
        // all of theirs.
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
