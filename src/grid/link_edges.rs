//! The links that leave and enter spans, for one agent.
//!
//! Links are few, but a search looks for them at every span it expands. So a filter of a few hundred
//! bytes answers first, and the sorted list is searched only if the filter says that there may be one.
//! Based on: Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970 (one hash).

use super::span::AgentId;
use crate::level::{Link, SpanId};

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
            let Some([from, to]) = link.ends.get(agent.index()).copied().flatten() else {
                continue;
            };
            edges.push((from, to, index));
            if link.is_reversible() {
                edges.push((to, from, index));
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
    filter: [u64; FILTER_WORDS],
}

const FILTER_WORDS: usize = 32;

impl SortedEdges {
    fn new(mut link_edges: Vec<LinkEdge>) -> Self {
        link_edges.sort_unstable();
        let mut filter = [0; FILTER_WORDS];
        for edge in &link_edges {
            let (word, bit) = filter_bit(edge.at);
            filter[word] |= 1 << bit;
        }
        SortedEdges { link_edges, filter }
    }

    #[inline]
    fn of(&self, span: SpanId) -> &[LinkEdge] {
        let (word, bit) = filter_bit(span);
        if self.filter[word] >> bit & 1 == 0 { &[] } else { self.search(span) }
    }

    #[cold]
    fn search(&self, span: SpanId) -> &[LinkEdge] {
        let start = self.link_edges.partition_point(|edge| edge.at < span);
        let len = self.link_edges[start..].partition_point(|edge| edge.at == span);
        &self.link_edges[start..start + len]
    }
}

/// Word and bit of the filter that stand for a span.
#[inline]
fn filter_bit(span: SpanId) -> (usize, u32) {
    (span.index() / 64 % FILTER_WORDS, span.0 % 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::LinkKind;

    fn link(kind: LinkKind, two_way: bool, ends: Option<[u32; 2]>) -> Link {
        let ends = vec![ends.map(|ends| ends.map(SpanId))];
        let (from, to) = ([0.0; 3].into(), [1.0; 3].into());
        Link { name: "link".to_owned(), kind, two_way, cost: 1.0, from, to, ends }
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
        assert_eq!(link_edges.leaving(SpanId(7 + 64 * FILTER_WORDS as u32)), []);
        assert_eq!(link_edges.all().len(), 3);
    }
}
