//! Regions: the maximal sets of spans that reach each other for one agent.
//!
//! They are the connected components over connections and two-way links, numbered from the largest
//! down. A diagonal connection needs both its straight ones, so that straight ones alone decide them.
//! Based on: Hoshen and Kopelman, "Percolation and cluster distribution", 1976 (one scan over a
//! raster with union-find), over runs of spans instead of single ones.

use std::iter::repeat_n;

use super::connections::Connections;
use super::frame::{Dir, GridFrame};
use super::parts::{AgentLayer, GridError, Region};
use super::span::RegionId;
use super::standing::Standing;
use super::strips::{Strip, strips};
use crate::level::SpanId;

/// The most regions one agent may have: a [`Standing`] stores 20 bits.
pub(crate) const MOST_REGIONS: usize = (1 << 20) - 1;

/// The regions of a layer.
pub(crate) struct LayerRegions {
    /// The regions, largest first.
    pub regions: Vec<Region>,
    /// The run of each walkable span.
    run_of_spans: Vec<u32>,
    /// The region of each run.
    region_of_runs: Vec<u32>,
}

impl LayerRegions {
    /// The region of each span, in order; any region for spans that are not walkable.
    pub(crate) fn of_spans(&self) -> impl Iterator<Item = RegionId> {
        let region = |&run: &u32| self.region_of_runs.get(run as usize).copied().unwrap_or(0);
        self.run_of_spans.iter().map(region).map(RegionId)
    }
}

/// Finds the regions of a layer whose verdicts and connections are final. `two_way` holds the ends of
/// the two-way links that the agent can take. O(spans).
///
/// # Errors
/// More regions than can be numbered.
pub(crate) fn find_regions(
    frame: &GridFrame,
    first: &[u32],
    two_way: &[[SpanId; 2]],
    layer: &AgentLayer,
) -> Result<LayerRegions, GridError> {
    let JoinedSpans { run_of_spans, mut sets } = join(frame, first, two_way, layer);
    let mut sizes = vec![0u32; sets.len()];
    for alike in run_of_spans.chunk_by(|a, b| a == b).filter(|alike| alike[0] != NO_RUN) {
        sizes[sets.root(alike[0]) as usize] += alike.len() as u32;
    }
    let roots = (0..).zip(&sizes).filter(|(_, size)| **size > 0);
    let mut regions: Vec<(u32, u32)> = roots.map(|(root, size)| (root, *size)).collect();
    if regions.len() > MOST_REGIONS {
        let place = format!("agent \"{}\", regions", layer.agent.name);
        let problem = format!(
            "{} separate pieces of walkable ground, at most {MOST_REGIONS} can be numbered; \
             use larger cells or smaller bounds",
            regions.len()
        );
        return Err(GridError { place, problem });
    }
    // Ties go to the region with the lowest span: a set's root is its first run, and runs are numbered
    // by their first spans.
    regions.sort_unstable_by_key(|&(root, size)| (u32::MAX - size, root));
    // The sizes are no longer needed; first the roots get their numbers, then all other runs.
    let mut region_of_runs = sizes;
    for (number, &(root, _)) in regions.iter().enumerate() {
        region_of_runs[root as usize] = number as u32;
    }
    for run in 0..sets.len() as u32 {
        region_of_runs[run as usize] = region_of_runs[sets.root(run) as usize];
    }
    let regions = regions.iter().map(|&(_, spans)| Region { spans }).collect();
    Ok(LayerRegions { regions, run_of_spans, region_of_runs })
}

/// Writes the regions of a layer.
pub(super) fn write_regions(regions: LayerRegions, layer: &mut AgentLayer) {
    for (standing, region) in layer.standings.iter_mut().zip(regions.of_spans()) {
        if standing.is_walkable() {
            standing.set_region(region);
        }
    }
    layer.regions = regions.regions;
}

/// Spans joined into runs, and runs into sets.
pub(crate) struct JoinedSpans {
    /// The run of each walkable span; [`NO_RUN`] for the others.
    run_of_spans: Vec<u32>,
    sets: DisjointSets,
}

impl JoinedSpans {
    /// Number of connected components.
    pub(crate) fn components(&self) -> usize {
        self.sets.len() - self.sets.unions
    }
}

/// Joins what connections and two-way links join. The connections are sound.
pub(crate) fn join(
    frame: &GridFrame,
    first: &[u32],
    two_way: &[[SpanId; 2]],
    layer: &AgentLayer,
) -> JoinedSpans {
    let connections = Connections::new(frame, first, layer);
    let run_of_spans = Vec::with_capacity(layer.standings.len());
    let mut scan = RunScan {
        connections,
        joined: JoinedSpans { run_of_spans, sets: DisjointSets::default() },
    };
    for strip in strips(first) {
        let spans = &layer.standings[strip.start as usize..strip.end() as usize];
        scan.add_strip(&strip, spans);
    }
    let mut joined = scan.joined;
    for [a, b] in two_way.iter().map(|ends| ends.map(|end| joined.run_of_spans[end.index()])) {
        // A link to a span that is not walkable joins nothing.
        if a != NO_RUN && b != NO_RUN {
            joined.sets.union(a, b);
        }
    }
    joined
}

/// Stands for the run of a span that is not walkable.
const NO_RUN: u32 = u32::MAX;

/// The scan over all spans in order, and what it has joined so far.
struct RunScan<'a> {
    connections: Connections<'a>,
    joined: JoinedSpans,
}

/// Spans that may continue a run without a look at each.
const RUN_BLOCK: usize = 16;

impl RunScan<'_> {
    fn add_strip(&mut self, strip: &Strip, spans: &[Standing]) {
        let depth = strip.depth as usize;
        for (at, block) in (0..).step_by(RUN_BLOCK).zip(spans.chunks(RUN_BLOCK)) {
            let whole = at > 0 && depth == 1 && continue_run(block);
            let runs = &mut self.joined.run_of_spans;
            match runs.last() {
                Some(&run) if whole => runs.extend(repeat_n(run, block.len())),
                _ => self.add_spans(strip, at, block),
            }
        }
    }

    /// Appends the runs of spans that start at a position in a strip.
    fn add_spans(&mut self, strip: &Strip, start: usize, spans: &[Standing]) {
        let depth = strip.depth as usize;
        for (at, standing) in (start..).zip(spans) {
            let run = if !standing.is_walkable() {
                NO_RUN
            } else if at >= depth && standing.joins_as_west_neighbor() {
                self.joined.run_of_spans[self.joined.run_of_spans.len() - depth]
            } else {
                self.next_run(strip.column + at / depth)
            };
            self.joined.run_of_spans.push(run);
        }
    }

    /// The run of the next span, which stands in the column at a row-major position.
    fn next_run(&mut self, index: usize) -> u32 {
        let JoinedSpans { run_of_spans, sets } = &mut self.joined;
        let span = run_of_spans.len() as u32;
        let [.., west, north_west, north, _] = Dir::ALL;
        let run_to = |dir| {
            let target = self.connections.known_target(index, span, dir);
            target.map(|to| run_of_spans[to as usize])
        };
        match (run_to(west), run_to(north)) {
            // The four spans of this corner are joined without the connection to the north.
            (Some(run), _) if self.connections.has_connection(span, north_west) => run,
            (Some(run), Some(other)) => {
                sets.union(other, run);
                run
            }
            (Some(run), None) | (None, Some(run)) => run,
            (None, None) => sets.start(),
        }
    }
}

/// Whether all spans are walkable and continue the run of the span in the west.
fn continue_run(spans: &[Standing]) -> bool {
    spans.iter().fold(true, |all, span| all & span.is_walkable() & span.joins_as_west_neighbor())
}

/// Disjoint sets of runs with path halving; the root of a set is its lowest run.
/// Based on: Tarjan and van Leeuwen, "Worst-case analysis of set union algorithms", 1984.
#[derive(Default)]
pub(super) struct DisjointSets {
    parents: Vec<u32>,
    /// How many unions joined two sets into one.
    unions: usize,
}

impl DisjointSets {
    /// So many sets of one element.
    pub(super) fn of(elements: u32) -> Self {
        DisjointSets { parents: (0..elements).collect(), unions: 0 }
    }

    /// Number of runs.
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// Appends a run, a set of its own.
    fn start(&mut self) -> u32 {
        let run = self.parents.len() as u32;
        self.parents.push(run);
        run
    }

    pub(super) fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents[a.max(b) as usize] = a.min(b);
            self.unions += 1;
        }
    }

    pub(super) fn root(&mut self, mut run: u32) -> u32 {
        loop {
            let parent = self.parents[run as usize];
            if parent == run {
                return run;
            }
            let above = self.parents[parent as usize];
            self.parents[run as usize] = above;
            run = above;
        }
    }
}
