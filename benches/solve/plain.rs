//! A* as in textbooks: a binary heap, floating-point costs, neighbors and what they cost laid out
//! beforehand, arrays filled again for each query.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use surefoot::SpanId;
use surefoot::cost::{CostModel, Edge, HeightCost};
use surefoot::grid::{CellOffset, Dir};
use surefoot::view::View;

/// A grid's connections as a graph.
pub struct Graph {
    neighbors: Vec<Vec<(u32, f32)>>,
    /// Center of each span's cell (x, z) in cells, and its floor [m].
    places: Vec<([i32; 2], f32)>,
    cell_size: f32,
    ascend: f32,
}

/// Something to expand, by the least that a path through it costs.
#[derive(PartialEq)]
struct Open(f32, u32);

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl Graph {
    pub fn of(view: &View, model: &HeightCost) -> Graph {
        let grid = view.grid();
        let size = grid.frame().cell_size;
        let spans = (0..grid.spans().len() as u32).map(SpanId);
        let neighbors = spans.clone().map(|span| {
            let step = |dir: Dir| Some((dir, view.neighbor(span, dir)?));
            let steps = Dir::ALL.into_iter().filter_map(step);
            let priced = steps.map(|(dir, to)| {
                let (from, floor) = (&grid.spans()[span.index()], &grid.spans()[to.index()]);
                let CellOffset { x, z } = dir.offset();
                let along = [x as f32 * size, z as f32 * size];
                let rise = floor.floor - from.floor;
                (to.0, model.cost(&Edge { from, to: floor, along, rise, factor: 1.0 }))
            });
            priced.collect()
        });
        let place = |span: SpanId| {
            let cell = grid.cell_of(span).expect("a span of the grid");
            ([cell.x, cell.z], grid.spans()[span.index()].floor)
        };
        Graph {
            neighbors: neighbors.collect(),
            places: spans.map(place).collect(),
            cell_size: size,
            ascend: model.ascend,
        }
    }

    /// What the cheapest path costs, and how many spans were expanded.
    pub fn search(&self, start: u32, goal: u32) -> (f32, u32) {
        let spans = self.neighbors.len();
        let (mut costs, mut closed) = (vec![f32::INFINITY; spans], vec![false; spans]);
        let mut before = vec![u32::MAX; spans];
        let mut open = BinaryHeap::from([Reverse(Open(self.rest(start, goal), start))]);
        costs[start as usize] = 0.0;
        let mut expanded = 0;
        while let Some(Reverse(Open(_, span))) = open.pop() {
            if std::mem::replace(&mut closed[span as usize], true) {
                continue;
            }
            if span == goal {
                return (costs[goal as usize], expanded);
            }
            expanded += 1;
            for &(to, step) in &self.neighbors[span as usize] {
                let cost = costs[span as usize] + step;
                if cost < costs[to as usize] {
                    costs[to as usize] = cost;
                    before[to as usize] = span;
                    open.push(Reverse(Open(cost + self.rest(to, goal), to)));
                }
            }
        }
        (f32::INFINITY, expanded)
    }

    fn rest(&self, from: u32, to: u32) -> f32 {
        let [(from, low), (to, high)] = [from, to].map(|span| self.places[span as usize]);
        let [x, z] = [0, 1].map(|axis| (to[axis] - from[axis]).abs() as f32);
        let flat = x.max(z) + (std::f32::consts::SQRT_2 - 1.0) * x.min(z);
        flat * self.cell_size + self.ascend * (high - low).max(0.0)
    }
}
