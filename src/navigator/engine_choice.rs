//! Provides [`EngineChoice`]: whether a search or prepared routes will find a way sooner.
//!
//! How much prepared routes have to do follows from the districts that the ends lie in. How much a
//! search has to do depends on the level: a few searches over random distances tell what to expect.
//! Where that is wrong, as between two storeys, a search is given up once routes would have been
//! there. All is counted, not timed, so that the same query is always answered in the same way.

use crate::cost::{CostModel, Metric};
use crate::grid::SpanId;
use crate::path::{PathSearch, Progress};
use crate::search::{Query, Random};
use crate::view::{Directions, View};

use crate::cch::{EliminationTree, Hierarchy};

/// What is known of the effort of both, counted in costs of a front that are looked at.
#[derive(Clone, Debug)]
pub(crate) struct EngineChoice {
    /// For each district the costs that are looked at on the way from it to the top.
    climbs: Vec<f32>,
    /// Spans that a search expands, by octaves of the distance in cells.
    expanded: [f32; OCTAVES],
    /// What it takes to expand a span, relative to looking at one cost of a front.
    expansion: f32,
}

const OCTAVES: usize = 14;
/// Pairs of spans that are looked at, and of those the most that are searched for each octave.
const PAIRS: usize = 500;
const TRIES: u32 = 16;
/// A search that expands more spans counts as so many.
const MOST: u32 = 60_000;

/// What it takes to expand a span, relative to looking at one cost of a front.
const EXPANSION: f32 = 250.0;
/// The part of it that is saved on level ground, where fewer neighbors are looked at.
const SAVED: f32 = 0.5;
/// The same for a span of a block that is searched.
const BLOCK_SPAN: f32 = 300.0;
/// The same for a cell of a way that is put together.
const WAY_CELL: f32 = 900.0;
/// The same for what every query of prepared routes takes at least.
const START: f32 = 25_000.0;

impl EngineChoice {
    /// Looks at the districts, and tries out searches.
    pub(crate) fn new<M: CostModel + ?Sized>(tree: &EliminationTree, view: &View, model: &M) -> Self {
        let mut climbs = vec![0.0; tree.supernodes.len()];
        for district in (0..climbs.len()).rev() {
            let above = tree.path_to_root(district).nth(1).map_or(0.0, |parent| climbs[parent]);
            let own = if tree.is_in_block(district) { 0 } else { tree.separator_size(district) };
            climbs[district] = above + (own * tree.front_size(district)) as f32;
        }
        let expansion = EXPANSION * (1.0 - SAVED * level_share(tree, view, model));
        EngineChoice { climbs, expanded: try_out(tree, view, model), expansion }
    }

    /// Goes on with a search as long as that is likely to find the way sooner than prepared routes.
    pub(crate) fn search_first<M: CostModel + ?Sized>(
        &self,
        search: &mut PathSearch,
        view: &View,
        model: &M,
        index: &Hierarchy,
    ) -> Progress {
        let Some((ends, cells)) = search.ends().zip(search.distance()) else {
            return Progress::Done;
        };
        let expected = self.expanded_for(cells) * self.expansion;
        let mut go_on = |effort: f32| {
            let expansions = (effort / self.expansion) as u32;
            let more = expansions.saturating_sub(search.expanded());
            if expected < effort { search.advance(view, model, more) } else { Progress::Running }
        };
        let least = START + cells * WAY_CELL;
        if go_on(least) == Progress::Done {
            return Progress::Done;
        }
        // Finding the districts of two ends can take longer than a search over a few cells.
        let ranks = ends.map(|span| index.rank(span));
        let [Some(from), Some(to)] = ranks else { return Progress::Running };
        go_on(least + self.climb(&index.tree, from) + self.climb(&index.tree, to))
    }

    /// What it takes to search the block round a rank and to climb to the top from there.
    fn climb(&self, tree: &EliminationTree, rank: u32) -> f32 {
        let district = tree.supernode_of(rank);
        let block = tree.block(district);
        let searched = block.map_or(0, |block| tree.supernodes[block].spans());
        searched as f32 * BLOCK_SPAN + self.climbs[block.unwrap_or(district)]
    }

    /// Spans that a search over a distance expands.
    fn expanded_for(&self, cells: f32) -> f32 {
        let octave = cells.max(1.0).log2();
        let low = (octave.floor() as usize).min(OCTAVES - 1);
        let high = (low + 1).min(OCTAVES - 1);
        // In the middle of an octave it holds what was tried there.
        let share = (octave - low as f32).clamp(0.0, 1.0);
        self.expanded[low] + (self.expanded[high] - self.expanded[low]) * share
    }
}

/// The part of the spans where a search does not look at all neighbors [0..=1].
fn level_share<M: CostModel + ?Sized>(tree: &EliminationTree, view: &View, model: &M) -> f32 {
    let view = view.parts();
    let metric = Metric::new(&view, model, None, 0);
    let Some(even) = metric.uniform_ground(Directions::Eight) else { return 0.0 };
    let level = tree.order.iter().filter(|&&span| even.contains(span)).count();
    level as f32 / tree.order.len().max(1) as f32
}

/// Searches between random spans of random districts; the mean of what they expanded, by octaves of
/// their distance.
fn try_out<M: CostModel + ?Sized>(tree: &EliminationTree, view: &View, model: &M) -> [f32; OCTAVES] {
    let (mut random, mut search) = (Random(1), PathSearch::default());
    let (mut sums, mut counts) = ([0; OCTAVES], [0; OCTAVES]);
    for _ in 0..PAIRS {
        let Some(ends) = random_pair(tree, &mut random) else { break };
        let [Some(from), Some(to)] = ends.map(|span| view.grid().point(span)) else { continue };
        let cells = (to - from).norm() / view.cell_size();
        let octave = (cells.max(1.0).log2() as usize).min(OCTAVES - 1);
        let query = Query { snap_radius: Some(0.0), budget: MOST, ..Query::new(from, to) };
        if counts[octave] < TRIES && search.begin(view, model, &query) == Progress::Running {
            while search.advance(view, model, u32::MAX) == Progress::Running {}
            sums[octave] += search.expanded();
            counts[octave] += 1;
        }
    }
    let mut expanded = [0f32; OCTAVES];
    for octave in 0..OCTAVES {
        // A search over twice the distance expands two to four times as many spans.
        let before = octave.checked_sub(1).map_or(1.0, |before| expanded[before]);
        expanded[octave] = match counts[octave] {
            0 => before * 3.0,
            count => (sums[octave] as f32 / count as f32).max(before),
        };
    }
    expanded
}

/// Two spans of one district: near each other in small ones, far apart in large ones.
fn random_pair(tree: &EliminationTree, random: &mut Random) -> Option<[SpanId; 2]> {
    if tree.order.is_empty() {
        return None;
    }
    let first = random.below(tree.order.len()) as u32;
    let districts = tree.path_to_root(tree.supernode_of(first));
    let around: Vec<usize> = districts.collect();
    let district = &tree.supernodes[*around.get(random.below(around.len()))?];
    let second = district.begin + random.below(district.spans() as usize) as u32;
    let span = |rank: u32| tree.order.get(rank as usize).map(|&span| SpanId(span));
    Some([span(first)?, span(second)?])
}
