//! Provides [`Graph`]: a grid as lists of neighbors, and the plainest search for cheapest ways.
//!
//! Based on: Dijkstra, "A note on two problems in connexion with graphs", 1959.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grid::{Dir, NavGrid, SpanId};

use crate::tests::search::random_grids::AGENT;

/// What leads from one span to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum By {
    Step(Dir),
    /// A link, by its index.
    Link(u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub from: u32,
    pub to: u32,
    pub by: By,
}

/// For each span the edges that leave it.
pub(crate) struct Graph(pub Vec<Vec<Edge>>);

impl Graph {
    pub fn new(grid: &NavGrid) -> Self {
        let spans = 0..grid.spans().len() as u32;
        let mut edges: Vec<Vec<Edge>> = spans.map(|span| steps(grid, span)).collect();
        for (index, link) in (0..).zip(grid.links()) {
            let by = By::Link(index);
            for lane in link.lanes_of(AGENT.index()) {
                let [SpanId(from), SpanId(to)] = lane.spans;
                edges[from as usize].push(Edge { from, to, by });
                if link.is_reversible() {
                    edges[to as usize].push(Edge { from: to, to: from, by });
                }
            }
        }
        Graph(edges)
    }

    /// The least cost from a span to each; infinite where no way leads. A price of infinity closes
    /// an edge. Whole numbers up to 2^53 are added exactly.
    pub fn costs(&self, start: u32, price: impl Fn(&Edge) -> f64) -> Vec<f64> {
        let mut costs = vec![f64::INFINITY; self.0.len()];
        costs[start as usize] = 0.0;
        // The bits of floats that are not negative sort as the floats do.
        let mut open = BinaryHeap::from([Reverse((0u64, start))]);
        while let Some(Reverse((bits, span))) = open.pop() {
            if f64::from_bits(bits) > costs[span as usize] {
                continue;
            }
            for edge in &self.0[span as usize] {
                let cost = f64::from_bits(bits) + price(edge);
                if cost < costs[edge.to as usize] {
                    costs[edge.to as usize] = cost;
                    open.push(Reverse((cost.to_bits(), edge.to)));
                }
            }
        }
        costs
    }

    /// Whether a way leads from one span to another, whatever it costs.
    pub fn joins(&self, from: SpanId, to: SpanId) -> bool {
        self.costs(from.0, |_| 0.0)[to.index()] == 0.0
    }
}

fn steps(grid: &NavGrid, from: u32) -> Vec<Edge> {
    let step = |dir| {
        let SpanId(to) = grid.neighbor(AGENT, SpanId(from), dir)?;
        Some(Edge { from, to, by: By::Step(dir) })
    };
    Dir::ALL.into_iter().filter_map(step).collect()
}
