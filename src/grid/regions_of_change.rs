//! Provides [`ChangedRegions`]: the regions of a grid of which some parts changed.
//!
//! Ground outside of what changed is joined as it was, but for what was joined through there. So a look
//! around each window decides: if all ground of a region that borders on a window is joined within the
//! ring around it, the region is still one piece, and if it is not, regions have to be found anew.
//! Numbers follow from sizes and lowest spans, as for a whole layer.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{GridChange, TwoWayEnds, UNKNOWN_REGION, WINDOW_RING, rows_of};
use super::connections::Connections;
use super::frame::{Dir, GridFrame};
use super::parts::{AgentLayer, Region};
use super::regions::{DisjointSets, MOST_REGIONS};
use super::span::{AgentId, RegionId};
use crate::level::SpanId;

/// The new regions, before they are written.
pub(super) struct ChangedRegions {
    regions: Vec<Region>,
    /// The number of each older region; any number for those that are gone.
    renumbered: Vec<u32>,
    /// The spans in windows, and their regions.
    spans: Vec<(u32, RegionId)>,
}

/// The spans of a rectangle, numbered from `base` on.
struct LocalSpans {
    frame: GridFrame,
    /// For each row its first span and what that is numbered.
    rows: Vec<(u32, u32)>,
}

/// What joins the ground near windows with the older regions. A node of the sets is an older region or a
/// span near a window.
struct ChangeGraph<'a> {
    change: &'a GridChange<'a>,
    layer: &'a AgentLayer,
    /// How many nodes are older regions; they come first.
    old_regions: u32,
    locals: Vec<LocalSpans>,
    sets: DisjointSets,
}

/// A set of nodes: a new region.
#[derive(Clone, Copy, Default)]
struct NewRegion {
    spans: u32,
    /// The first of its older regions.
    older: Option<u32>,
    /// Whether it holds anything that changed.
    is_changed: bool,
    /// The lowest of its spans, where it is known.
    lowest: Option<u32>,
}

impl ChangedRegions {
    /// Finds the new regions; `None` if a look around the windows does not tell. Verdicts and connections
    /// of the layer are final, and spans outside of windows have their older regions.
    pub fn find(
        change: &GridChange,
        agent: AgentId,
        two_way: TwoWayEnds,
        layer: &AgentLayer,
    ) -> Option<Self> {
        let mut graph = ChangeGraph::new(change, agent, layer);
        graph.join_connections();
        if !graph.is_joined_around(&two_way)? {
            return None;
        }
        graph.join_regions(two_way.new)?;
        graph.number(agent)
    }

    /// Writes the regions of all spans. O(spans near the windows) if older regions keep their numbers.
    pub fn write(self, layer: &mut AgentLayer) {
        let ChangedRegions { regions, renumbered, spans } = self;
        if renumbered.iter().zip(0..).any(|(&new, old)| new != old) {
            for standing in &mut layer.standings {
                if let Some(region) = standing.region().filter(|&region| region != UNKNOWN_REGION) {
                    standing.set_region(RegionId(renumbered[region.0 as usize]));
                }
            }
        }
        for (span, region) in spans {
            layer.standings[span as usize].set_region(region);
        }
        layer.regions = regions;
    }
}

impl LocalSpans {
    fn new(frame: &GridFrame, first: &[u32], part: GridFrame, base: &mut u32) -> Self {
        let rows = rows_of(frame, first, &part).map(|(_, spans)| {
            let row = (spans.start, *base);
            *base += spans.len() as u32;
            row
        });
        LocalSpans { rows: rows.collect(), frame: part }
    }
}

impl<'a> ChangeGraph<'a> {
    fn new(change: &'a GridChange<'a>, agent: AgentId, layer: &'a AgentLayer) -> Self {
        let frame = &change.old.frame;
        let old_regions = change.old.layers[agent.index()].regions.len() as u32;
        let mut nodes = old_regions;
        let near = |window: &GridFrame| window.grown(WINDOW_RING).overlap(frame);
        let locals = change.windows.iter().map(near);
        let locals = locals.map(|part| LocalSpans::new(frame, change.first, part, &mut nodes));
        let locals = locals.collect();
        ChangeGraph { change, layer, old_regions, locals, sets: DisjointSets::of(nodes) }
    }

    /// The node of a span near a window; `None` if it is farther away.
    fn local(&self, column: usize, span: u32) -> Option<u32> {
        let cell = self.change.old.frame.cell(column);
        let near = self.locals.iter().find(|near| near.frame.index(cell).is_some())?;
        let (first, base) = near.rows[(cell.z - near.frame.min.z) as usize];
        Some(base + (span - first))
    }

    /// The node of a walkable span anywhere: that of its region if it is not near a window.
    fn node(&self, span: SpanId) -> Option<u32> {
        let column = self.change.first.partition_point(|&first| first <= span.0) - 1;
        let region = self.layer.standings[span.index()].region()?;
        Some(self.local(column, span.0).unwrap_or(region.0))
    }

    /// Calls back with each walkable span near a window: its column, its index and its node.
    fn for_each_local(&self, mut call: impl FnMut(usize, u32, u32)) {
        let (frame, first) = (&self.change.old.frame, self.change.first);
        for near in &self.locals {
            for ((columns, _), &(start, base)) in rows_of(frame, first, &near.frame).zip(&near.rows)
            {
                for column in columns {
                    for span in first[column]..first[column + 1] {
                        if self.layer.standings[span as usize].is_walkable() {
                            call(column, span, base + (span - start));
                        }
                    }
                }
            }
        }
    }

    /// Joins the spans near windows that connections join.
    fn join_connections(&mut self) {
        let connections = Connections::new(&self.change.old.frame, self.change.first, self.layer);
        let mut joined = Vec::new();
        self.for_each_local(|column, span, node| {
            for dir in [Dir::STRAIGHT[0], Dir::STRAIGHT[1]] {
                let Some(to) = connections.known_target(column, span, dir) else { continue };
                let beside = connections.neighbor_of(column, dir);
                joined.extend(self.local(beside, to).map(|other| [node, other]));
            }
        });
        joined.into_iter().for_each(|[a, b]| self.sets.union(a, b));
    }

    /// Whether all ground of each region that borders on a window, by connections or links, is joined
    /// near the windows; `None` if that is not known.
    fn is_joined_around(&mut self, two_way: &TwoWayEnds) -> Option<bool> {
        let connections = Connections::new(&self.change.old.frame, self.change.first, self.layer);
        let is_changed = |column: usize| self.change.is_in_window(column);
        let mut borders: Vec<(u32, u32)> = Vec::new();
        self.for_each_local(|column, span, node| {
            let Some(region) = self.layer.standings[span as usize].region() else { return };
            let leads_in = |dir: Dir| {
                connections.has_connection(span, dir)
                    && is_changed(connections.neighbor_of(column, dir))
            };
            if !is_changed(column) && Dir::STRAIGHT.into_iter().any(leads_in) {
                borders.push((region.0, node));
            }
        });
        self.add_link_borders(two_way, &mut borders)?;
        let mut root_of: BTreeMap<u32, u32> = BTreeMap::new();
        Some(borders.into_iter().all(|(region, node)| {
            let root = self.sets.root(node);
            *root_of.entry(region).or_insert(root) == root
        }))
    }

    /// Adds the ends of links that are gone or lead to a window; `None` if one lies far from all windows.
    fn add_link_borders(&self, two_way: &TwoWayEnds, borders: &mut Vec<(u32, u32)>) -> Option<()> {
        if two_way.old.is_empty() {
            return Some(());
        }
        let mut kept: Vec<[SpanId; 2]> = two_way.new.to_vec();
        kept.sort_unstable();
        let old_layer = |span: &SpanId| !self.change.is_old_in_window(*span);
        for ends in two_way.old {
            let outside: Vec<SpanId> = ends.iter().copied().filter(old_layer).collect();
            let now: Vec<SpanId> = outside.iter().map(|&end| self.change.renumbered(end)).collect();
            if now.len() == 2 && kept.binary_search(&[now[0], now[1]]).is_ok() {
                continue;
            }
            for end in now {
                let region = self.layer.standings[end.index()].region()?;
                let column = self.change.first.partition_point(|&first| first <= end.0) - 1;
                borders.push((region.0, self.local(column, end.0)?));
            }
        }
        Some(())
    }

    /// Joins the regions around windows with the ground near them, and what two-way links join.
    fn join_regions(&mut self, two_way: &[[SpanId; 2]]) -> Option<()> {
        let mut joined = Vec::new();
        self.for_each_local(|column, span, node| {
            if !self.change.is_in_window(column) {
                let region = self.layer.standings[span as usize].region();
                joined.extend(region.map(|region| [region.0, node]));
            }
        });
        for ends in two_way {
            if let [Some(a), Some(b)] = ends.map(|end| self.node(end)) {
                joined.push([a, b]);
            }
        }
        let most = self.sets.len() as u32;
        // A span of no known region would be a fault of the caller.
        joined.iter().flatten().all(|&node| node < most).then_some(())?;
        joined.into_iter().for_each(|[a, b]| self.sets.union(a, b));
        Some(())
    }

    /// Numbers the regions; `None` if there are too many.
    fn number(mut self, agent: AgentId) -> Option<ChangedRegions> {
        let mut found = self.outside_windows(agent);
        let mut inside = Vec::new();
        self.for_each_local(|column, span, node| {
            if self.change.is_in_window(column) {
                inside.push((span, node));
            }
        });
        for &(span, node) in &inside {
            let new = &mut found[self.sets.root(node) as usize];
            new.spans += 1;
            new.is_changed = true;
            new.lowest = Some(new.lowest.map_or(span, |lowest| lowest.min(span)));
        }
        let order = self.in_order(&mut found);
        if order.len() > MOST_REGIONS {
            return None;
        }
        let mut numbers = vec![0; found.len()];
        order.iter().zip(0..).for_each(|(&root, number)| numbers[root as usize] = number);
        let mut number = |node: u32| numbers[self.sets.root(node) as usize];
        let regions = order.iter().map(|&root| Region { spans: found[root as usize].spans });
        Some(ChangedRegions {
            renumbered: (0..self.old_regions).map(&mut number).collect(),
            spans: inside.into_iter().map(|(span, node)| (span, RegionId(number(node)))).collect(),
            regions: regions.collect(),
        })
    }

    /// What each set holds outside of windows, by its root.
    fn outside_windows(&mut self, agent: AgentId) -> Vec<NewRegion> {
        let old = &self.change.old.layers[agent.index()];
        let mut left: Vec<u32> = old.regions.iter().map(|region| region.spans).collect();
        for spans in self.change.old_rows() {
            let regions = old.standings[spans].iter().filter_map(|standing| standing.region());
            regions.for_each(|region| left[region.0 as usize] -= 1);
        }
        let mut found = vec![NewRegion::default(); self.sets.len()];
        for (region, (&spans, before)) in (0u32..).zip(left.iter().zip(&old.regions)) {
            let new = &mut found[self.sets.root(region) as usize];
            new.is_changed |= spans != before.spans || new.spans > 0;
            new.older = new.older.or((spans > 0).then_some(region));
            new.spans += spans;
        }
        found
    }

    /// Returns the roots of regions by size, equal ones by their lowest spans.
    fn in_order(&mut self, found: &mut [NewRegion]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..found.len() as u32).collect();
        order.retain(|&root| found[root as usize].spans > 0);
        let key = |new: &NewRegion| (u32::MAX - new.spans, new.older);
        order.sort_by_key(|&root| key(&found[root as usize]));
        let is_tied = |group: &[u32], found: &[NewRegion]| {
            group.len() > 1 && group.iter().any(|&root| found[root as usize].is_changed)
        };
        let spans: Vec<u32> = found.iter().map(|new| new.spans).collect();
        let alike = |a: &u32, b: &u32| spans[*a as usize] == spans[*b as usize];
        let tied = order.chunk_by(alike).filter(|group| is_tied(group, found));
        let tied: BTreeSet<u32> = tied.flatten().copied().collect();
        self.find_lowest(&tied, found);
        for group in order.chunk_by_mut(alike) {
            if is_tied(group, found) {
                group.sort_by_key(|&root| found[root as usize].lowest);
            }
        }
        order
    }

    /// Finds the lowest spans of some sets outside of windows.
    fn find_lowest(&mut self, roots: &BTreeSet<u32>, found: &mut [NewRegion]) {
        let regions = (0..self.old_regions).map(|region| Some(self.sets.root(region)));
        let mut wanted: Vec<_> =
            regions.map(|root| root.filter(|root| roots.contains(root))).collect();
        let mut left = wanted.iter().flatten().count();
        for (span, standing) in (0u32..).zip(&self.layer.standings) {
            if left == 0 {
                break;
            }
            let Some(RegionId(region)) = standing.region() else { continue };
            let Some(root) = wanted.get_mut(region as usize).and_then(Option::take) else {
                continue;
            };
            let new = &mut found[root as usize];
            new.lowest = Some(new.lowest.map_or(span, |lowest| lowest.min(span)));
            left -= 1;
        }
    }
}
