//! Provides [`Subgraph`]: a part of the ground as a graph of its own, and its connected components
//! without a separator.

use crate::grid::{CellOffset, SpanId};
use crate::observer::{Cancelled, Observer, check_cancelled, for_each_observed};
use crate::view::ViewRef;

/// Spans and their neighbors, by indices of its own. Costs and the directions of links do not
/// matter here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subgraph {
    /// The spans of the grid.
    pub spans: Vec<u32>,
    /// Their cells (x, z), from the frame's corner.
    places: Vec<[i32; 2]>,
    /// For each span where its neighbors begin; one more entry closes the list.
    first: Vec<u32>,
    neighbors: Vec<u32>,
}

/// A subgraph that a separator was taken out of.
pub(crate) struct SeparatedGraph {
    /// The connected components, in the order of their first spans.
    pub components: Vec<Subgraph>,
    /// The spans of the grid that were taken out.
    pub separator: Vec<u32>,
}

/// The component of a span of the separator, and of one that was not reached yet.
const NO_COMPONENT: u32 = u32::MAX;

impl Subgraph {
    /// All ground that an agent walks on, joined by its steps and links as they were baked.
    pub(crate) fn of(view: &ViewRef, observer: &dyn Observer) -> Result<Subgraph, Cancelled> {
        let mut graph = Subgraph::default();
        let Subgraph { spans, places, first, neighbors: joined } = &mut graph;
        let mut local = vec![u32::MAX; view.spans().len()];
        for_each_observed(0..view.spans().len(), observer, |span| {
            if view.is_walkable(SpanId(span as u32)) {
                local[span] = spans.len() as u32;
                spans.push(span as u32);
                let CellOffset { x, z } = view.cell_offset(span as u32);
                places.push([x, z]);
            }
        })?;
        first.push(0);
        for_each_observed(0..spans.len(), observer, |at| {
            neighbors(view, spans[at], |other| joined.push(local[other as usize]));
            first.push(joined.len() as u32);
        })?;
        Ok(graph)
    }

    /// Some of the ground, joined to none of the rest: spans in ascending order. O(spans · log spans).
    pub(crate) fn among(view: &ViewRef, spans: Vec<u32>) -> Subgraph {
        let mut graph = Subgraph { first: vec![0], ..Subgraph::default() };
        for &span in &spans {
            let CellOffset { x, z } = view.cell_offset(span);
            graph.places.push([x, z]);
            neighbors(view, span, |other| {
                let local = spans.binary_search(&other);
                graph.neighbors.extend(local.map(|local| local as u32));
            });
            graph.first.push(graph.neighbors.len() as u32);
        }
        graph.spans = spans;
        graph
    }

    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// For each span its distance along an axis from the first one [cells].
    pub(crate) fn along(&self, axis: usize) -> Vec<u32> {
        let places = self.places.iter().map(|place| place[axis]);
        let least = places.clone().min().unwrap_or(0);
        places.map(|place| place.abs_diff(least)).collect()
    }

    pub(crate) fn neighbors(&self, at: usize) -> &[u32] {
        &self.neighbors[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// Takes out the spans of a separator. O(spans · log spans).
    pub(crate) fn separate(
        &self,
        is_separator: &[bool],
        observer: &dyn Observer,
    ) -> Result<SeparatedGraph, Cancelled> {
        let mut finder = ComponentFinder {
            graph: self,
            observer,
            is_separator,
            component_of: vec![NO_COMPONENT; self.len()],
            local: vec![0; self.len()],
            members: Vec::new(),
        };
        let mut components = Vec::new();
        for start in 0..self.len() {
            if finder.is_unreached(start) {
                components.push(finder.next(start, components.len() as u32)?);
            }
        }
        let separator = (0..self.len()).filter(|&at| is_separator[at]).map(|at| self.spans[at]);
        Ok(SeparatedGraph { components, separator: separator.collect() })
    }
}

/// The observer is asked once for so many spans of a breadth-first search.
pub(super) const SPANS_PER_LOOK: usize = 1 << 14;
/// Sorting more than this part of the spans takes longer than going through all of them.
const LARGE_PART: usize = 16;

/// Finds connected components by breadth-first search.
struct ComponentFinder<'a> {
    graph: &'a Subgraph,
    observer: &'a dyn Observer,
    is_separator: &'a [bool],
    /// For each span its component; [`NO_COMPONENT`] if it has none yet.
    component_of: Vec<u32>,
    /// For each span of a component its index there.
    local: Vec<u32>,
    /// The spans of the component found last.
    members: Vec<u32>,
}

impl ComponentFinder<'_> {
    fn is_unreached(&self, at: usize) -> bool {
        !self.is_separator[at] && self.component_of[at] == NO_COMPONENT
    }

    /// The component of a span that belongs to none yet.
    fn next(&mut self, start: usize, component: u32) -> Result<Subgraph, Cancelled> {
        self.flood(start, component)?;
        self.sort(component)?;
        for (at, &member) in (0..).zip(&self.members) {
            self.local[member as usize] = at;
        }
        self.extract(component)
    }

    /// Puts the members in the order of the grid, so that neighbors stay near each other in memory.
    fn sort(&mut self, component: u32) -> Result<(), Cancelled> {
        if self.members.len() < self.graph.len() / LARGE_PART {
            self.members.sort_unstable();
            return Ok(());
        }
        let ComponentFinder { graph, observer, component_of, members, .. } = self;
        members.clear();
        for_each_observed(0..graph.len(), *observer, |at| {
            if component_of[at] == component {
                members.push(at as u32);
            }
        })
    }

    fn flood(&mut self, start: usize, component: u32) -> Result<(), Cancelled> {
        self.members.clear();
        self.members.push(start as u32);
        self.component_of[start] = component;
        let mut next = 0;
        while let Some(&at) = self.members.get(next) {
            if next.is_multiple_of(SPANS_PER_LOOK) {
                check_cancelled(self.observer)?;
            }
            next += 1;
            for &other in self.graph.neighbors(at as usize) {
                if self.is_unreached(other as usize) {
                    self.component_of[other as usize] = component;
                    self.members.push(other);
                }
            }
        }
        Ok(())
    }

    fn extract(&self, component: u32) -> Result<Subgraph, Cancelled> {
        let mut graph = Subgraph::default();
        graph.first.push(0);
        for_each_observed(0..self.members.len(), self.observer, |at| {
            let member = self.members[at] as usize;
            graph.spans.push(self.graph.spans[member]);
            graph.places.push(self.graph.places[member]);
            let inside = self.graph.neighbors(member).iter();
            let inside = inside.filter(|&&other| self.component_of[other as usize] == component);
            graph.neighbors.extend(inside.map(|&other| self.local[other as usize]));
            graph.first.push(graph.neighbors.len() as u32);
        })?;
        Ok(graph)
    }
}

/// Calls `found` for every neighbor of a span by steps and links, as baked; links count in both
/// directions.
pub(crate) fn neighbors(view: &ViewRef, span: u32, mut found: impl FnMut(u32)) {
    let mut targets = [0; 8];
    view.connections().find_targets(view.address(span), u32::MAX, &mut targets);
    targets.into_iter().filter(|&target| target != span).for_each(&mut found);
    view.leaving(span).for_each(|link_edge| found(link_edge.other.0));
    view.entering(span).for_each(|link_edge| found(link_edge.other.0));
}
