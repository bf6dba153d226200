//! Regions: which spans reach each other for one agent.
//!
//! Connected components over steps and two-way links, numbered from the largest down. Because a
//! diagonal step needs both its straight neighbors, the straight ones alone decide them.
//! Based on: Hoshen and Kopelman, "Percolation and cluster distribution", 1976 (one scan over a
//! raster with union-find), over runs of spans instead of single ones.

use std::iter::repeat_n;

use super::connections::Connections;
use super::strips::{Strip, strips};
use super::{AgentLayer, Dir, GridError, GridFrame, Region, RegionId, SpanId, Standing};

/// The most regions one agent may have: a [`Standing`](super::Standing) keeps 20 bits.
pub(crate) const MOST_REGIONS: usize = (1 << 20) - 1;

/// The regions of a layer.
pub(crate) struct Found {
    /// Sizes of the regions, largest first.
    pub regions: Vec<Region>,
    /// The run of each walkable span.
    runs: Vec<u32>,
    /// The region of each run.
    numbers: Vec<u32>,
}

impl Found {
    /// The region of each span, in order; any for those that are not walkable.
    pub(crate) fn of_spans(&self) -> impl Iterator<Item = RegionId> {
        let number = |&run: &u32| self.numbers.get(run as usize).copied().unwrap_or(0);
        self.runs.iter().map(number).map(RegionId)
    }
}

/// Finds the regions of a layer whose steps stand. `two_way` holds the ends of the two-way links
/// this agent can take. O(spans).
///
/// # Errors
/// More regions than can be numbered.
pub(crate) fn find_regions(
    frame: &GridFrame,
    first: &[u32],
    two_way: &[[SpanId; 2]],
    layer: &AgentLayer,
) -> Result<Found, GridError> {
    let (runs, mut sets) = join(frame, first, two_way, layer);
    let mut numbers = vec![0u32; sets.parent.len()];
    for stretch in runs.chunk_by(|a, b| a == b).filter(|stretch| stretch[0] != NO_RUN) {
        numbers[sets.parent.root(stretch[0]) as usize] += stretch.len() as u32;
    }
    let sizes = (0..).zip(&numbers).filter(|(_, size)| **size > 0);
    let mut regions: Vec<(u32, u32)> = sizes.map(|(root, size)| (root, *size)).collect();
    if regions.len() > MOST_REGIONS {
        let place = format!("agent \"{}\", regions", layer.agent.name);
        let problem = format!(
            "{} separate pieces of walkable ground, at most {MOST_REGIONS} can be told apart; \
             use larger cells or smaller bounds",
            regions.len()
        );
        return Err(GridError { place, problem });
    }
    // A set's root is its first run, and runs are numbered by their first spans.
    regions.sort_unstable_by_key(|&(root, size)| (u32::MAX - size, root));
    for (number, &(root, _)) in regions.iter().enumerate() {
        numbers[root as usize] = number as u32;
    }
    for run in 0..sets.parent.len() as u32 {
        numbers[run as usize] = numbers[sets.parent.root(run) as usize];
    }
    let regions = regions.iter().map(|&(_, spans)| Region { spans }).collect();
    Ok(Found { regions, runs, numbers })
}

/// Spans joined into runs, each to one before it, and runs into sets.
pub(crate) struct Runs {
    parent: Parents,
    /// How many unions joined two sets into one.
    joined: usize,
}

impl Runs {
    /// Number of sets: pieces of ground.
    pub(crate) fn pieces(&self) -> usize {
        self.parent.len() - self.joined
    }

    /// Appends a run of no spans.
    fn start(&mut self) -> u32 {
        let run = self.parent.len() as u32;
        self.parent.0.push(run);
        run
    }

    fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.parent.root(a), self.parent.root(b));
        if a != b {
            self.parent.0[a.max(b) as usize] = a.min(b);
            self.joined += 1;
        }
    }
}

/// The run of each walkable span, and what steps and two-way links join. The steps are sound.
pub(crate) fn join(
    frame: &GridFrame,
    first: &[u32],
    two_way: &[[SpanId; 2]],
    layer: &AgentLayer,
) -> (Vec<u32>, Runs) {
    let sets = Runs { parent: Parents(Vec::new()), joined: 0 };
    let steps = Connections::new(frame, first, layer);
    let mut joining = Joining { steps, runs: Vec::new(), sets };
    joining.runs.reserve_exact(layer.standings.len());
    for strip in strips(first) {
        let spans = &layer.standings[strip.start as usize..strip.end() as usize];
        joining.add_strip(&strip, spans);
    }
    let Joining { runs, mut sets, .. } = joining;
    for [a, b] in two_way.iter().map(|ends| ends.map(|end| runs[end.index()])) {
        // A link to ground that nobody walks joins nothing.
        if a != NO_RUN && b != NO_RUN {
            sets.union(a, b);
        }
    }
    (runs, sets)
}

/// The run of a span that nobody walks.
const NO_RUN: u32 = u32::MAX;

/// Runs of the spans so far.
struct Joining<'a> {
    steps: Connections<'a>,
    runs: Vec<u32>,
    sets: Runs,
}

/// Spans that may be joined to the one before them without looking at each.
const BLOCK: usize = 16;

impl Joining<'_> {
    fn add_strip(&mut self, strip: &Strip, spans: &[Standing]) {
        let depth = strip.depth as usize;
        for (at, block) in (0..).step_by(BLOCK).zip(spans.chunks(BLOCK)) {
            let whole = at > 0 && depth == 1 && hang_together(block);
            match self.runs.last() {
                Some(&run) if whole => self.runs.extend(repeat_n(run, block.len())),
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
            } else if at >= depth && standing.hangs_together_west() {
                self.runs[self.runs.len() - depth]
            } else {
                self.run_of(strip.column + at / depth)
            };
            self.runs.push(run);
        }
    }

    /// The run that the next span belongs to; it stands in the column at a row-major position.
    fn run_of(&mut self, index: usize) -> u32 {
        let span = self.runs.len() as u32;
        let [.., west, north_west, north, _] = Dir::ALL;
        let run_of =
            |dir| self.steps.known_target(index, span, dir).map(|to| self.runs[to as usize]);
        match (run_of(west), run_of(north)) {
            // The four spans of this corner hang together without the step to the north.
            (Some(run), _) if self.steps.has_connection(span, north_west) => run,
            (Some(run), Some(other)) => {
                self.sets.union(other, run);
                run
            }
            (Some(run), None) | (None, Some(run)) => run,
            (None, None) => self.sets.start(),
        }
    }
}

/// Whether all spans are walkable and hang together with the level ones in the west.
fn hang_together(spans: &[Standing]) -> bool {
    spans.iter().fold(true, |all, span| all & span.is_walkable() & span.hangs_together_west())
}

/// The parent of each run in its set; the root of a set is its lowest run.
struct Parents(Vec<u32>);

impl Parents {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn root(&mut self, mut run: u32) -> u32 {
        loop {
            let parent = self.0[run as usize];
            if parent == run {
                return run;
            }
            let above = self.0[parent as usize];
            self.0[run as usize] = above;
            run = above;
        }
    }
}
