//! Which region reaches which over one-way links, computed once for a grid.
//!
//! Only regions at the ends of one-way links take part, and they are few. Each of their strongly connected
//! components has a bit for every component that it reaches.
//! Based on: Tarjan, "Depth-first search and linear graph algorithms", 1972; Purdom, "A transitive
//! closure algorithm", 1970 (close the components, not the nodes).

use super::parts::GridParts;
use super::span::{AgentId, RegionId};
use crate::level::{Link, SpanId};

/// With more regions at one-way links than this, queries search: the bits grow with the square.
const MOST_CLOSED_REGIONS: usize = 512;

/// The one-way links of one agent, region to region.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reach {
    /// Regions at the ends of one-way links, ascending; positions in it are the nodes below.
    regions: Vec<u32>,
    /// (from, to) nodes, ascending, without repeats.
    edges: Vec<(u32, u32)>,
    /// The component of each node; a component's number is greater than of those it leads to.
    component: Vec<u32>,
    /// For each component a row of bits: the components it reaches. Empty above [`MOST_CLOSED_REGIONS`].
    rows: Vec<u64>,
    words: usize,
}

impl Reach {
    /// From validated parts.
    pub(super) fn new(parts: &GridParts, agent: AgentId) -> Self {
        let standings = &parts.layers[agent.index()].standings;
        let region = |end: SpanId| standings[end.index()].owner();
        let one_way = |link: &&Link| !link.is_reversible();
        let links = parts.links.iter().filter(one_way);
        let lanes = links.flat_map(|link| link.lanes_of(agent.index()));
        Reach::of(lanes.map(|lane| lane.spans.map(region).into()).collect())
    }

    fn of(mut edges: Vec<(u32, u32)>) -> Self {
        edges.retain(|(from, to)| from != to);
        let mut regions: Vec<u32> = edges.iter().flat_map(|&(from, to)| [from, to]).collect();
        regions.sort_unstable();
        regions.dedup();
        let node = |region: u32| regions.partition_point(|&r| r < region) as u32;
        let mut edges: Vec<_> = edges.iter().map(|&(a, b)| (node(a), node(b))).collect();
        edges.sort_unstable();
        edges.dedup();
        let component = Tarjan::components(regions.len(), &edges);
        let mut reach = Reach { regions, edges, component, rows: Vec::new(), words: 0 };
        if reach.regions.len() <= MOST_CLOSED_REGIONS {
            reach.close();
        }
        reach
    }

    /// Computes what each component reaches, first those that lead nowhere.
    fn close(&mut self) {
        let count = self.component.iter().max().map_or(0, |&last| last as usize + 1);
        self.words = count.div_ceil(64);
        self.rows = vec![0; count * self.words];
        let component = |node: u32| self.component[node as usize] as usize;
        let mut edges: Vec<_> =
            self.edges.iter().map(|&(a, b)| (component(a), component(b))).collect();
        edges.sort_unstable();
        edges.dedup();
        for (from, to) in edges.into_iter().filter(|(from, to)| from != to) {
            let (below, own) = self.rows.split_at_mut(from * self.words);
            let reached = &below[to * self.words..(to + 1) * self.words];
            own.iter_mut().zip(reached).for_each(|(word, more)| *word |= more);
            own[to / 64] |= 1 << (to % 64);
        }
    }

    pub(super) fn reaches(&self, from: RegionId, to: RegionId) -> bool {
        let (RegionId(from), RegionId(to)) = (from, to);
        if from == to {
            return true;
        }
        let node = |region: u32| self.regions.binary_search(&region).ok();
        let (Some(from), Some(to)) = (node(from), node(to)) else {
            return false;
        };
        let (start, goal) = (self.component[from] as usize, self.component[to] as usize);
        // Components are numbered against the direction of links.
        if start <= goal {
            return start == goal;
        }
        if self.rows.is_empty() {
            return self.search(from as u32, to as u32);
        }
        self.rows[start * self.words + goal / 64] >> (goal % 64) & 1 != 0
    }

    fn search(&self, from: u32, to: u32) -> bool {
        let mut seen = vec![false; self.regions.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            if !std::mem::replace(&mut seen[node as usize], true) {
                open.extend(leaving(&self.edges, node).iter().map(|&(_, next)| next));
            }
        }
        false
    }
}

/// The edges that leave a node.
fn leaving(edges: &[(u32, u32)], node: u32) -> &[(u32, u32)] {
    let start = edges.partition_point(|&(from, _)| from < node);
    let len = edges[start..].partition_point(|&(from, _)| from == node);
    &edges[start..start + len]
}

/// Tarjan's search with a stack of its own: recursion could be as deep as there are links.
struct Tarjan<'a> {
    edges: &'a [(u32, u32)],
    /// Order of discovery, 0 while undiscovered; then the lowest one reachable.
    low: Vec<u32>,
    component: Vec<u32>,
    /// Discovered nodes without a component.
    open: Vec<u32>,
    found: u32,
    components: u32,
}

const UNASSIGNED: u32 = u32::MAX;

impl<'a> Tarjan<'a> {
    /// The component of each node, numbered so that edges lead to equal or lower numbers.
    fn components(nodes: usize, edges: &'a [(u32, u32)]) -> Vec<u32> {
        let component = vec![UNASSIGNED; nodes];
        let low = vec![0; nodes];
        let mut search =
            Tarjan { edges, low, component, open: Vec::new(), found: 0, components: 0 };
        for node in 0..nodes as u32 {
            if search.low[node as usize] == 0 {
                search.explore(node);
            }
        }
        search.component
    }

    fn explore(&mut self, start: u32) {
        let edges = self.edges;
        let mut path = vec![self.discover(start)];
        while let Some((node, order, rest)) = path.pop() {
            let Some((&(_, next), rest)) = rest.split_first() else {
                self.leave(node, order);
                if let Some((parent, ..)) = path.last() {
                    self.lower(*parent, node);
                }
                continue;
            };
            path.push((node, order, rest));
            if self.low[next as usize] == 0 {
                let discovered = self.discover(next);
                path.push(discovered);
            } else {
                self.lower(node, next);
            }
        }
        debug_assert!(edges.is_empty() || self.open.is_empty());
    }

    fn discover(&mut self, node: u32) -> (u32, u32, &'a [(u32, u32)]) {
        self.found += 1;
        self.low[node as usize] = self.found;
        self.open.push(node);
        (node, self.found, leaving(self.edges, node))
    }

    /// `node` reaches whatever `other` reaches, unless `other` has its component already.
    fn lower(&mut self, node: u32, other: u32) {
        if self.component[other as usize] == UNASSIGNED {
            let low = self.low[other as usize];
            self.low[node as usize] = self.low[node as usize].min(low);
        }
    }

    /// Closes a component when its first node is left.
    fn leave(&mut self, node: u32, order: u32) {
        if self.low[node as usize] != order {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member as usize] = self.components;
            if member == node {
                break;
            }
        }
        self.components += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds the bits against a plain search for every pair.
    fn check(edges: &[(u32, u32)]) {
        let reach = Reach::of(edges.to_vec());
        let most = edges.iter().map(|&(a, b)| a.max(b)).max().unwrap_or(0) + 2;
        for from in 0..most {
            let mut seen = vec![from];
            let mut next = 0;
            while next < seen.len() {
                for &(a, b) in edges {
                    if a == seen[next] && !seen.contains(&b) {
                        seen.push(b);
                    }
                }
                next += 1;
            }
            for to in 0..most {
                assert_eq!(
                    reach.reaches(RegionId(from), RegionId(to)),
                    seen.contains(&to),
                    "{from} to {to}: {edges:?}"
                );
            }
        }
    }

    #[test]
    fn chains_cycles_and_forks() {
        check(&[]);
        check(&[(1, 2)]);
        check(&[(5, 3), (3, 9), (9, 1)]);
        check(&[(0, 1), (1, 2), (2, 0), (2, 3), (4, 2)]);
        check(&[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 3), (6, 0), (6, 6)]);
    }

    #[test]
    fn random_links() {
        let mut state = 1u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            ((state >> 33) % limit) as u32
        };
        for links in 1..60 {
            let edges: Vec<_> = (0..links).map(|_| (below(20), below(20))).collect();
            check(&edges);
        }
    }

    #[test]
    fn more_regions_than_bits_are_searched() {
        let chain: Vec<_> = (0..MOST_CLOSED_REGIONS as u32 + 10).map(|i| (i, i + 1)).collect();
        let reach = Reach::of(chain);
        assert!(reach.rows.is_empty());
        let reaches = |from, to| reach.reaches(RegionId(from), RegionId(to));
        assert!(reaches(3, 500) && !reaches(500, 3));
    }
}
