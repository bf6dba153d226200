//! Provides [`Clustering`]: spans grouped by place.
//!
//! Spans of neighboring cells, also over a corner, are of one group if their floors are as near in height
//! as a step of the agent is.
//! Based on: Tarjan and van Leeuwen, "Worst-case analysis of set union algorithms", 1984 (path halving).

use std::ops::Range;

use surefoot::grid::{Cell, Dir};
use surefoot::{Agent, NavGrid, SpanId};

/// Groups of some spans of one grid, the largest first.
pub(super) struct Clustering {
    /// The spans, group by group; those of a group ascend.
    members: Vec<SpanId>,
    groups: Vec<Range<usize>>,
}

/// Stands for a span that is not among those to group.
const NONE: u32 = u32::MAX;

impl Clustering {
    /// Groups spans that ascend. O(spans of the grid + spans · log columns).
    pub fn new(grid: &NavGrid, agent: &Agent, spans: &[SpanId]) -> Self {
        if spans.is_empty() {
            return Clustering { members: Vec::new(), groups: Vec::new() };
        }
        let mut sets = SpanSets { parents: (0..spans.len() as u32).collect() };
        let mut positions = vec![NONE; grid.spans().len()];
        for (at, span) in (0..).zip(spans) {
            positions[span.index()] = at;
        }
        let step = StepLimit { agent, cell_size: grid.frame().cell_size };
        for (at, &span) in (0..).zip(spans) {
            let Some(cell) = grid.cell_of(span) else { continue };
            // The other four directions are those of the neighbors.
            for &dir in &Dir::ALL[..4] {
                for near in step.near(grid, span, [cell, cell.neighbor(dir)]) {
                    if positions[near.index()] != NONE {
                        sets.union(at, positions[near.index()]);
                    }
                }
            }
        }
        sets.group(spans)
    }

    /// The spans of each group.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &[SpanId]> {
        self.groups.iter().map(|group| &self.members[group.clone()])
    }
}

/// How far apart in height two floors may be to count as one piece of ground.
pub(super) struct StepLimit<'a> {
    pub agent: &'a Agent,
    pub cell_size: f32,
}

impl StepLimit<'_> {
    /// The spans over the second cell that are near in height to a span over the first.
    pub fn near(
        &self,
        grid: &NavGrid,
        span: SpanId,
        [from, to]: [Cell; 2],
    ) -> impl Iterator<Item = SpanId> {
        let spans = grid.spans();
        let floor = spans[span.index()].floor;
        let is_diagonal = from.x != to.x && from.z != to.z;
        let length = if is_diagonal { std::f32::consts::SQRT_2 } else { 1.0 } * self.cell_size;
        let limit = self.agent.max_climb.max(self.agent.slope_limit.tan() * length);
        let is_near = move |near: &SpanId| (spans[near.index()].floor - floor).abs() <= limit;
        grid.column_spans(to).map(SpanId).filter(is_near)
    }
}

/// Disjoint sets of positions; the root of a set is its lowest position.
struct SpanSets {
    parents: Vec<u32>,
}

impl SpanSets {
    fn root(&mut self, mut at: u32) -> u32 {
        loop {
            let parent = self.parents[at as usize];
            if parent == at {
                return at;
            }
            let above = self.parents[parent as usize];
            self.parents[at as usize] = above;
            at = above;
        }
    }

    fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// Sorts the spans by set, the largest set first, then that with the lowest span.
    fn group(mut self, spans: &[SpanId]) -> Clustering {
        let mut sizes = vec![0u32; spans.len()];
        for at in 0..spans.len() as u32 {
            sizes[self.root(at) as usize] += 1;
        }
        let roots = (0..spans.len() as u32).filter(|&at| sizes[at as usize] > 0);
        let mut roots: Vec<u32> = roots.collect();
        roots.sort_by_key(|&root| std::cmp::Reverse(sizes[root as usize]));
        let mut groups = Vec::with_capacity(roots.len());
        let mut next = vec![0usize; spans.len()];
        let mut start = 0;
        for &root in &roots {
            next[root as usize] = start;
            let end = start + sizes[root as usize] as usize;
            groups.push(start..end);
            start = end;
        }
        let mut members = vec![SpanId(0); spans.len()];
        for (at, &span) in (0..).zip(spans) {
            let next = &mut next[self.root(at) as usize];
            members[*next] = span;
            *next += 1;
        }
        Clustering { members, groups }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_join_and_gaps_part() {
        let map = "type octile\nheight 3\nwidth 6\nmap\n......\n......\n......\n";
        let grid = NavGrid::from_map(map, 1.0, &[]).expect("a map");
        let spans = [0, 5, 7, 8, 11, 12].map(SpanId);
        let clustering = Clustering::new(&grid, &grid.layers()[0].agent, &spans);
        let groups: Vec<Vec<u32>> =
            clustering.groups().map(|group| group.iter().map(|span| span.0).collect()).collect();
        assert_eq!(groups, [vec![0, 7, 8, 12], vec![5, 11]]);
        assert_eq!(Clustering::new(&grid, &grid.layers()[0].agent, &[]).groups().len(), 0);
    }
}
