//! The values that only some spans of an agent have: rooms, and what was measured beside spans.

use super::assemble::AgentSpans;
use crate::stages::tile::BorderEdge;
use surefoot::grid::{
    AgentLayer, Dir, GroundEnd, Measures, Rooms, SpanEntry, SpanId, SpanMeasure, SpanRoom,
};

impl AgentSpans {
    /// Returns what was measured beside spans: passages, and where floors end.
    pub fn measures(&self) -> Measures {
        let edges = self.border_edges.chunk_by(|a, b| a.floor == b.floor);
        let ends = edges.filter_map(|edges| {
            let edge = |dir: Dir| edges.iter().find(|edge| edge.dir == dir);
            let ends = Dir::STRAIGHT.map(|dir| {
                let BorderEdge { end, is_drop, .. } = *edge(dir)?;
                Some(GroundEnd { distance: end.distance, is_drop })
            });
            let value = SpanMeasure::ends(ends);
            let has_end = ends.iter().any(Option::is_some);
            has_end.then_some(SpanEntry { span: SpanId(edges[0].floor), value })
        });
        let mut all: Vec<_> = self.passages.iter().copied().chain(ends).collect();
        // Two sorted parts, which a stable sort takes advantage of.
        all.sort_by_key(|entry| entry.span);
        Measures::new(self.standings.len(), &all)
    }
}

/// Returns the rooms of the spans that are not ledges.
pub(in crate::stages) fn rooms_of_walkable(
    rooms: &[SpanEntry<SpanRoom>],
    layer: &AgentLayer,
) -> Rooms {
    let is_walkable =
        |room: &&SpanEntry<SpanRoom>| layer.standings[room.span.index()].is_walkable();
    let walkable: Vec<_> = rooms.iter().filter(is_walkable).copied().collect();
    Rooms::new(layer.standings.len(), &walkable)
}
