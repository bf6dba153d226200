//! Provides [`ChangedRegions`]: the regions of a grid of which some parts changed.
//!
//! Ground outside of what changed is joined as it was, but for what was joined through there. So a look
//! around each window decides: if all ground of a region that borders on a window is joined within the
//! ring around it, the region is still one piece, and if it is not, regions have to be found anew.
//! Numbers follow from sizes and lowest spans, as for a whole layer.

use std::collections::BTreeMap;

use super::change::{
    ChangedLayer, GridChange, LayerChange, SpanPlace, TwoWayEnds, UNKNOWN_REGION, WINDOW_RINGS,
    rows_of,
};
use super::connections::Connections;
use super::frame::{Dir, GridFrame};
use super::parts::{AgentLayer, Region};
use super::regions::{DisjointSets, MOST_REGIONS};
use super::span::RegionId;
use crate::level::SpanId;

/// The new regions, before they are written.
pub(super) struct ChangedRegions {
    regions: Vec<Region>,
    lowest: Vec<SpanPlace>,
    /// The number of each older region; its own for those that are gone.
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
    known: &'a LayerChange<'a>,
    layer: &'a AgentLayer,
    locals: Vec<LocalSpans>,
    sets: DisjointSets,
}

/// A set of nodes: a new region.
#[derive(Clone, Copy, Default)]
struct NewRegion {
    spans: u32,
    /// The lowest of its spans.
    lowest: Option<SpanPlace>,
}

impl NewRegion {
    fn add(&mut self, spans: u32, lowest: Option<SpanPlace>) {
        self.spans += spans;
        self.lowest = self.lowest.into_iter().chain(lowest).min();
    }
}

impl ChangedRegions {
    /// Finds the new regions; `None` if a look around the windows does not tell. Verdicts and connections
    /// of the layer are final, and spans outside of windows have their older regions.
    pub fn find(change: &GridChange, known: &LayerChange, layer: &AgentLayer) -> Option<Self> {
        WINDOW_RINGS.into_iter().find_map(|ring| {
            let mut graph = ChangeGraph::new(change, known, layer, ring)?;
            graph.join_connections();
            if !graph.is_joined_around(&known.two_way)? {
                return None;
            }
            graph.join_regions(known.two_way.new)?;
            graph.number()
        })
    }

    /// Writes the regions of all spans. O(spans near the windows) if older regions keep their numbers.
    pub fn write(self, layer: &mut AgentLayer) -> ChangedLayer {
        let ChangedRegions { regions, lowest, renumbered, spans } = self;
        let is_local = renumbered.iter().zip(0..).all(|(&new, old)| new == old);
        if !is_local {
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
        ChangedLayer { lowest, is_local }
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
    /// Prepares a look at so many cells around each window; `None` if two looks would overlap.
    fn new(
        change: &'a GridChange<'a>,
        known: &'a LayerChange<'a>,
        layer: &'a AgentLayer,
        ring: u32,
    ) -> Option<Self> {
        let frame = &change.old.frame;
        let near = change.windows.iter().map(|window| window.grown(ring).overlap(frame));
        let near: Vec<GridFrame> = near.collect();
        let overlaps = |(at, part): (usize, &GridFrame)| {
            near[..at].iter().any(|other| other.overlap(part).cells() > 0)
        };
        if near.iter().enumerate().any(overlaps) {
            return None;
        }
        // The older regions come first.
        let mut nodes = change.old.layers[known.agent.index()].regions.len() as u32;
        let locals = near.into_iter();
        let locals = locals.map(|part| LocalSpans::new(frame, change.first, part, &mut nodes));
        let locals = locals.collect();
        Some(ChangeGraph { change, known, layer, locals, sets: DisjointSets::of(nodes) })
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
    fn number(mut self) -> Option<ChangedRegions> {
        let left = self.spans_left();
        let mut found = vec![NewRegion::default(); self.sets.len()];
        for (region, &spans) in (0u32..).zip(&left) {
            if spans > 0 {
                let lowest = self.lowest_outside(region);
                found[self.sets.root(region) as usize].add(spans, lowest);
            }
        }
        let mut inside = Vec::new();
        let first = self.change.first;
        self.for_each_local(|column, span, node| {
            if self.change.is_in_window(column) {
                let place = SpanPlace { column: column as u32, layer: span - first[column] };
                inside.push((span, place, node));
            }
        });
        for &(_, place, node) in &inside {
            found[self.sets.root(node) as usize].add(1, Some(place));
        }
        let mut order: Vec<u32> = (0..found.len() as u32).collect();
        order.retain(|&root| found[root as usize].spans > 0);
        if order.len() > MOST_REGIONS {
            return None;
        }
        // As for a whole layer: by size, equal ones by their lowest spans.
        order.sort_by_key(|&root| {
            let NewRegion { spans, lowest } = found[root as usize];
            (u32::MAX - spans, lowest)
        });
        let mut numbers = vec![0; found.len()];
        order.iter().zip(0..).for_each(|(&root, number)| numbers[root as usize] = number);
        let mut number = |node: u32| numbers[self.sets.root(node) as usize];
        let of_old = |(old, &spans): (u32, &u32)| if spans > 0 { number(old) } else { old };
        let renumbered = (0u32..).zip(&left).map(of_old).collect();
        let spans = inside.iter().map(|&(span, _, node)| (span, RegionId(number(node)))).collect();
        let regions = order.iter().map(|&root| found[root as usize]);
        Some(ChangedRegions {
            renumbered,
            spans,
            lowest: regions.clone().filter_map(|new| new.lowest).collect(),
            regions: regions.map(|new| Region { spans: new.spans }).collect(),
        })
    }

    /// How many spans of each older region lie outside of windows.
    fn spans_left(&self) -> Vec<u32> {
        let old = &self.change.old.layers[self.known.agent.index()];
        let mut left: Vec<u32> = old.regions.iter().map(|region| region.spans).collect();
        for spans in self.change.old_rows() {
            let regions = old.standings[spans].iter().filter_map(|standing| standing.region());
            regions.for_each(|region| left[region.0 as usize] -= 1);
        }
        left
    }

    /// The lowest span outside of windows of an older region that has some there.
    fn lowest_outside(&self, region: u32) -> Option<SpanPlace> {
        let lowest = *self.known.lowest.get(region as usize)?;
        if !self.change.is_in_window(lowest.column as usize) {
            return Some(lowest);
        }
        let first = self.change.first;
        let own =
            |span: &u32| self.layer.standings[*span as usize].region() == Some(RegionId(region));
        let columns = lowest.column as usize..first.len() - 1;
        columns.filter(|&column| !self.change.is_in_window(column)).find_map(|column| {
            let span = (first[column]..first[column + 1]).find(own)?;
            Some(SpanPlace { column: column as u32, layer: span - first[column] })
        })
    }
}
