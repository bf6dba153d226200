//! The links that leave and enter spans, for one agent.
//!
//! Links are few. A search asks at every span it expands whether one starts there, so that a
//! filter of a few hundred bytes answers first; only then the sorted list is looked through.

use super::{AgentId, Link, NavGrid, SpanId};

/// A way by link, seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LinkEdge {
    /// The end asked about.
    pub at: SpanId,
    /// The other end.
    pub other: SpanId,
    /// Index of the link.
    pub link: u32,
}

/// All paths by link of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkEdges {
    /// Those that start at a span, sorted.
    leaving: List,
    /// Those that end at a span, sorted.
    entering: List,
}

impl LinkEdges {
    pub(super) fn new(links: &[Link], agent: AgentId) -> Self {
        let mut ways = Vec::new();
        for (index, link) in (0..).zip(links) {
            let Some([from, to]) = link.ends.get(agent.index()).copied().flatten() else {
                continue;
            };
            ways.push((from, to, index));
            if link.returns() {
                ways.push((to, from, index));
            }
        }
        let leaving = ways.iter().map(|&(at, other, link)| LinkEdge { at, other, link });
        let entering = ways.iter().map(|&(other, at, link)| LinkEdge { at, other, link });
        LinkEdges { leaving: List::new(leaving.collect()), entering: List::new(entering.collect()) }
    }

    /// All paths, by where they start.
    pub(crate) fn all(&self) -> &[LinkEdge] {
        &self.leaving.link_edges
    }

    /// The paths that start at a span.
    #[inline]
    pub(crate) fn leaving(&self, span: SpanId) -> &[LinkEdge] {
        self.leaving.of(span)
    }

    /// The paths that end at a span; their `other` is where they start.
    #[inline]
    pub(crate) fn entering(&self, span: SpanId) -> &[LinkEdge] {
        self.entering.of(span)
    }
}

impl NavGrid {
    /// The paths by link of an agent, which is in the grid.
    pub(crate) fn link_edges(&self, agent: AgentId) -> &LinkEdges {
        &self.data.link_edges[agent.index()]
    }
}

#[derive(Clone, Debug, Default)]
struct List {
    link_edges: Vec<LinkEdge>,
    /// A bit is set where a span whose id ends in these bits has an exit.
    filter: [u64; FILTER_WORDS],
}

const FILTER_WORDS: usize = 32;

impl List {
    fn new(mut link_edges: Vec<LinkEdge>) -> Self {
        link_edges.sort_unstable();
        let mut filter = [0; FILTER_WORDS];
        for exit in &link_edges {
            let (word, bit) = filter_place(exit.at);
            filter[word] |= 1 << bit;
        }
        List { link_edges, filter }
    }

    #[inline]
    fn of(&self, span: SpanId) -> &[LinkEdge] {
        let (word, bit) = filter_place(span);
        if self.filter[word] >> bit & 1 == 0 { &[] } else { self.found(span) }
    }

    #[cold]
    fn found(&self, span: SpanId) -> &[LinkEdge] {
        let start = self.link_edges.partition_point(|exit| exit.at < span);
        let len = self.link_edges[start..].partition_point(|exit| exit.at == span);
        &self.link_edges[start..start + len]
    }
}

/// Word and bit of the filter that stand for a span.
#[inline]
fn filter_place(span: SpanId) -> (usize, u32) {
    (span.index() / 64 % FILTER_WORDS, span.0 % 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::LinkKind;

    fn link(kind: LinkKind, two_way: bool, ends: Option<[u32; 2]>) -> Link {
        let ends = vec![ends.map(|ends| ends.map(SpanId))];
        let (from, to) = ([0.0; 3].into(), [1.0; 3].into());
        Link { name: "link".to_owned(), kind, two_way, cost: 1.0, from, to, ends }
    }

    #[test]
    fn ways_are_found_from_both_ends() {
        let links = [
            link(LinkKind::Ladder, true, Some([7, 3])),
            link(LinkKind::Drop, true, Some([7, 900])),
            link(LinkKind::Jump, false, None),
        ];
        let link_edges = LinkEdges::new(&links, AgentId(0));
        let others = |link_edges: &[LinkEdge]| {
            link_edges.iter().map(|exit| exit.other.0).collect::<Vec<_>>()
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
