//! The links that leave and enter spans, for one agent.
//!
//! Links are few, but a search looks for them at every span it expands. So a small filter answers first,
//! and the sorted list is searched only if the filter says that there may be one.
//! Based on: Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970 (one hash).

use super::span::AgentId;
use crate::level::{Link, LinkLane, SpanId};

/// A link in one direction, seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LinkEdge {
    /// This end.
    pub at: SpanId,
    /// The other end.
    pub other: SpanId,
    /// Index of the link.
    pub link: u32,
}

/// All links of one agent, in every direction they can be taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkEdges {
    /// Those that start at a span, sorted.
    leaving: SortedEdges,
    /// Those that end at a span, sorted.
    entering: SortedEdges,
}

impl LinkEdges {
    pub(super) fn new(links: &[Link], agent: AgentId) -> Self {
        let mut edges = Vec::new();
        for (index, link) in (0..).zip(links) {
            for LinkLane { spans: [from, to], .. } in link.lanes_of(agent.index()) {
                edges.push((*from, *to, index));
                if link.is_reversible() {
                    edges.push((*to, *from, index));
                }
            }
        }
        let leaving = edges.iter().map(|&(at, other, link)| LinkEdge { at, other, link });
        let entering = edges.iter().map(|&(other, at, link)| LinkEdge { at, other, link });
        LinkEdges {
            leaving: SortedEdges::new(leaving.collect()),
            entering: SortedEdges::new(entering.collect()),
        }
    }

    /// All of them, by the spans they start at.
    pub(crate) fn all(&self) -> &[LinkEdge] {
        &self.leaving.link_edges
    }

    /// The links that start at a span.
    #[inline]
    pub(crate) fn leaving(&self, span: SpanId) -> &[LinkEdge] {
        self.leaving.of(span)
    }

    /// The links that end at a span; they start at their `other` end.
    #[inline]
    pub(crate) fn entering(&self, span: SpanId) -> &[LinkEdge] {
        self.entering.of(span)
    }
}

#[derive(Clone, Debug, Default)]
struct SortedEdges {
    link_edges: Vec<LinkEdge>,
    /// A bit is set where a span whose id ends in these bits has an edge.
    /// As many words as a power of two.
    filter: Vec<u64>,
}

/// At least so many words, and at least one for every so many edges.
const LEAST_FILTER_WORDS: usize = 32;
const EDGES_PER_WORD: usize = 4;

impl SortedEdges {
    fn new(mut link_edges: Vec<LinkEdge>) -> Self {
        link_edges.sort_unstable();
        let words = (link_edges.len() / EDGES_PER_WORD).next_power_of_two().max(LEAST_FILTER_WORDS);
        let mut edges = SortedEdges { link_edges, filter: vec![0; words] };
        for index in 0..edges.link_edges.len() {
            let (word, bit) = edges.filter_bit(edges.link_edges[index].at);
            edges.filter[word] |= 1 << bit;
        }
        edges
    }

    #[inline]
    fn of(&self, span: SpanId) -> &[LinkEdge] {
        let (word, bit) = self.filter_bit(span);
        if self.filter.get(word).is_none_or(|word| word >> bit & 1 == 0) {
            return &[];
        }
        self.search(span)
    }

    /// Word and bit of the filter that stand for a span.
    #[inline]
    fn filter_bit(&self, span: SpanId) -> (usize, u32) {
        let word = (span.index() / 64) & self.filter.len().wrapping_sub(1);
        (word, span.0 % 64)
    }

    #[cold]
    fn search(&self, span: SpanId) -> &[LinkEdge] {
        let start = self.link_edges.partition_point(|edge| edge.at < span);
        let len = self.link_edges[start..].partition_point(|edge| edge.at == span);
        &self.link_edges[start..start + len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::LinkKind;

    fn link(kind: LinkKind, two_way: bool, ends: Option<[u32; 2]>) -> Link {
        let lanes = ends.into_iter().map(|ends| LinkLane::new(ends.map(SpanId))).collect();
        let ends = [[0.0; 3], [1.0; 3]].map(Into::into);
        Link { two_way, lanes: vec![lanes], ..Link::new("link", kind, ends) }
    }

    #[test]
    fn links_are_found_from_both_ends() {
        let links = [
            link(LinkKind::Ladder, true, Some([7, 3])),
            link(LinkKind::Drop, true, Some([7, 900])),
            link(LinkKind::Jump, false, None),
        ];
        let link_edges = LinkEdges::new(&links, AgentId(0));
        let others = |link_edges: &[LinkEdge]| {
            link_edges.iter().map(|edge| edge.other.0).collect::<Vec<_>>()
        };
        assert_eq!(others(link_edges.leaving(SpanId(7))), [3, 900]);
        assert_eq!(others(link_edges.leaving(SpanId(3))), [7]);
        assert_eq!(others(link_edges.entering(SpanId(900))), [7]);
        assert_eq!(others(link_edges.entering(SpanId(7))), [3]);
        // The same bit of the filter, another span.
        assert_eq!(link_edges.leaving(SpanId(7 + 64 * LEAST_FILTER_WORDS as u32)), []);
        assert_eq!(link_edges.all().len(), 3);
    }
}
