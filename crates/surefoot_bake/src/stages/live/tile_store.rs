//! Provides [`TileStore`]: the tiles of a level, of which parts are baked again.

use std::ops::Range;
use std::sync::Arc;

use crate::stages::tile::{BorderEdge, FarStep, TileAgent, TileResult};
use surefoot::grid::{Cell, GridFrame, NodeId, SpanEntry, SpanId};

/// Names of nodes, sorted.
pub(super) type NodeNames = Arc<[String]>;

/// The tiles of a level, in rows.
#[derive(Debug)]
pub(super) struct TileStore {
    tiles: Vec<StoredTile>,
}

/// A tile, and the names that its nodes are numbers of.
#[derive(Clone, Debug)]
struct StoredTile {
    tile: TileResult,
    nodes: NodeNames,
}

/// Tiles with parts that were baked again, before they are stored.
pub(super) struct TilePatches {
    /// Numbers of tiles and what they become.
    patched: Vec<(usize, TileResult)>,
    nodes: NodeNames,
}

impl TileStore {
    pub fn new(tiles: Vec<TileResult>, nodes: &NodeNames) -> Self {
        let store = |tile| StoredTile { tile, nodes: Arc::clone(nodes) };
        TileStore { tiles: tiles.into_iter().map(store).collect() }
    }

    /// Returns the parts of some rectangles by tile: the number of the tile and the cells.
    pub fn split(&self, rects: &[GridFrame]) -> Vec<(usize, GridFrame)> {
        let parts = self.tiles.iter().enumerate().flat_map(|(number, stored)| {
            let overlaps = rects.iter().map(move |rect| stored.tile.frame.overlap(rect));
            overlaps.filter(|part| part.cells() > 0).map(move |part| (number, part))
        });
        parts.collect()
    }

    /// Returns the tiles with parts that were baked again, in the order of [`TileStore::split`].
    pub fn patch(
        &self,
        parts: &[(usize, GridFrame)],
        baked: Vec<TileResult>,
        nodes: &NodeNames,
    ) -> TilePatches {
        let mut patched: Vec<(usize, TileResult)> = Vec::new();
        for (&(number, _), part) in parts.iter().zip(baked) {
            match patched.last_mut().filter(|(last, _)| *last == number) {
                Some((_, tile)) => *tile = patched_with(tile, &part),
                None => {
                    let tile = self.tiles[number].with_nodes(nodes);
                    patched.push((number, patched_with(&tile, &part)));
                }
            }
        }
        TilePatches { patched, nodes: Arc::clone(nodes) }
    }

    /// Returns the parts of tiles over a rectangle, in rows.
    pub fn part(&self, patches: &TilePatches, rect: &GridFrame) -> Vec<TileResult> {
        let mut parts = Vec::new();
        for (number, stored) in self.tiles.iter().enumerate() {
            if stored.tile.frame.overlap(rect).cells() == 0 {
                continue;
            }
            let found = patches.patched.binary_search_by_key(&number, |&(number, _)| number);
            let part = match found {
                Ok(at) => part_of(&patches.patched[at].1, rect),
                Err(_) => {
                    let mut part = part_of(&stored.tile, rect);
                    renumber_nodes(&mut part, &stored.nodes, &patches.nodes);
                    part
                }
            };
            parts.push(part);
        }
        parts
    }

    /// Stores what was baked again.
    pub fn store(&mut self, patches: TilePatches) {
        for (number, tile) in patches.patched {
            self.tiles[number] = StoredTile { tile, nodes: Arc::clone(&patches.nodes) };
        }
    }
}

impl StoredTile {
    /// Returns the tile with its nodes numbered among other names.
    fn with_nodes(&self, nodes: &NodeNames) -> TileResult {
        let mut tile = self.tile.clone();
        renumber_nodes(&mut tile, &self.nodes, nodes);
        tile
    }
}

/// Writes a tile from parts of others.
struct TileWriter {
    tile: TileResult,
}

impl TileWriter {
    fn new(frame: GridFrame, agents: usize) -> Self {
        let agent = || TileAgent {
            standings: Vec::new(),
            far: Vec::new(),
            border_edges: Vec::new(),
            rooms: Vec::new(),
            passages: Vec::new(),
        };
        let agents = (0..agents).map(|_| agent()).collect();
        TileWriter { tile: TileResult { frame, counts: Vec::new(), spans: Vec::new(), agents } }
    }

    /// Appends some cells of another tile.
    fn append(&mut self, other: &IndexedTile, cells: Range<usize>) {
        let IndexedTile { tile: from, first } = other;
        let spans = first[cells.start]..first[cells.end];
        let start = self.tile.spans.len() as u32;
        let moved = |span: u32| start + (span - spans.start);
        let range = spans.start as usize..spans.end as usize;
        self.tile.counts.extend_from_slice(&from.counts[cells]);
        self.tile.spans.extend_from_slice(&from.spans[range.clone()]);
        for (to, from) in self.tile.agents.iter_mut().zip(&from.agents) {
            to.standings.extend_from_slice(&from.standings[range.clone()]);
            let far = in_range(&from.far, &spans, |step| step.from.0);
            to.far.extend(
                far.iter().map(|step| FarStep { from: SpanId(moved(step.from.0)), ..*step }),
            );
            let edges = in_range(&from.border_edges, &spans, |edge| edge.floor);
            to.border_edges
                .extend(edges.iter().map(|edge| BorderEdge { floor: moved(edge.floor), ..*edge }));
            let in_tile = |span: SpanId| SpanId(moved(span.0));
            let rooms = in_range(&from.rooms, &spans, |room| room.span.0);
            to.rooms
                .extend(rooms.iter().map(|room| SpanEntry { span: in_tile(room.span), ..*room }));
            let passages = in_range(&from.passages, &spans, |passage| passage.span.0);
            to.passages.extend(
                passages
                    .iter()
                    .map(|passage| SpanEntry { span: in_tile(passage.span), ..*passage }),
            );
        }
    }
}

/// A tile, and where the spans of each of its cells start.
struct IndexedTile<'a> {
    tile: &'a TileResult,
    first: Vec<u32>,
}

impl<'a> IndexedTile<'a> {
    fn new(tile: &'a TileResult) -> Self {
        let mut first = Vec::with_capacity(tile.counts.len() + 1);
        first.push(0);
        let mut total = 0;
        first.extend(tile.counts.iter().map(|count| {
            total += count;
            total
        }));
        IndexedTile { tile, first }
    }

    /// Returns the cells of a row from one position along x to another.
    fn cells(&self, z: i32, x: Range<i32>) -> Range<usize> {
        let frame = &self.tile.frame;
        let row = (z - frame.min.z) as usize * frame.size_x as usize;
        row + (x.start - frame.min.x) as usize..row + (x.end - frame.min.x) as usize
    }
}

/// Returns the entries for a range of spans out of a list that is sorted by span.
fn in_range<'l, E>(list: &'l [E], spans: &Range<u32>, span: impl Fn(&E) -> u32) -> &'l [E] {
    let start = list.partition_point(|entry| span(entry) < spans.start);
    let end = list.partition_point(|entry| span(entry) < spans.end);
    &list[start..end]
}

/// Returns the positions of a frame's cells along z, and along x.
fn ranges(frame: &GridFrame) -> [Range<i32>; 2] {
    let Cell { x, z } = frame.min;
    [z..z + frame.size_z as i32, x..x + frame.size_x as i32]
}

/// Returns the part of a tile over a rectangle.
fn part_of(tile: &TileResult, rect: &GridFrame) -> TileResult {
    let frame = tile.frame.overlap(rect);
    let from = IndexedTile::new(tile);
    let mut writer = TileWriter::new(frame, tile.agents.len());
    let [rows, columns] = ranges(&frame);
    for z in rows {
        writer.append(&from, from.cells(z, columns.clone()));
    }
    writer.tile
}

/// Returns a tile with another in place of a part of it.
fn patched_with(tile: &TileResult, patch: &TileResult) -> TileResult {
    let [from, other] = [tile, patch].map(IndexedTile::new);
    let mut writer = TileWriter::new(tile.frame, tile.agents.len());
    let ([rows, columns], [patch_rows, patch_columns]) =
        (ranges(&tile.frame), ranges(&patch.frame));
    for z in rows {
        if patch_rows.contains(&z) {
            writer.append(&from, from.cells(z, columns.start..patch_columns.start));
            writer.append(&other, other.cells(z, patch_columns.clone()));
            writer.append(&from, from.cells(z, patch_columns.end..columns.end));
        } else {
            writer.append(&from, from.cells(z, columns.clone()));
        }
    }
    writer.tile
}

/// Gives the nodes that a tile refers to their numbers among other names.
fn renumber_nodes(tile: &mut TileResult, old: &NodeNames, new: &NodeNames) {
    let Some(numbers) = NodeNumbers::new(old, new) else { return };
    tile.spans.iter_mut().for_each(|span| *span = numbers.span(*span));
    for standing in tile.agents.iter_mut().flat_map(|agent| &mut agent.standings) {
        *standing = standing.renumbered(|node| numbers.node(node));
    }
}

/// The numbers of nodes among other names.
pub(in crate::stages) struct NodeNumbers {
    numbers: Vec<u32>,
}

impl NodeNumbers {
    /// Returns `None` if all nodes keep their numbers.
    pub fn new(old: &[String], new: &[String]) -> Option<Self> {
        // The same list, most of the time.
        if std::ptr::eq(old, new) || old == new {
            return None;
        }
        // What refers to a node that is gone is baked again.
        let number = |name| new.binary_search(name).unwrap_or(0) as u32;
        Some(NodeNumbers { numbers: old.iter().map(number).collect() })
    }

    pub fn node(&self, node: NodeId) -> NodeId {
        NodeId(self.numbers.get(node.0 as usize).copied().unwrap_or(node.0))
    }

    pub fn span(&self, span: surefoot::grid::Span) -> surefoot::grid::Span {
        span.on(span.area(), self.node(span.node()))
    }
}
