//! Nested dissection: takes the ground apart, again and again, by separators of few spans.
//!
//! In: all ground an agent walks on. Out: an order of its spans, in which every cell's halves come
//! before the separator between them, down to cells small enough to be searched. Separators are
//! level sets: of the coordinates, since levels have doorways and terrain has straight lines, and
//! of the distance from a span far out.
//! Based on: George, "Nested dissection of a regular finite element mesh", 1973; George and Liu,
//! "An automatic nested dissection algorithm for irregular finite element problems", 1978.

use std::cmp::Ordering;

use crate::grid::{MOST_LEVELS, RouteOrder, RouteSupernode, SpanId};
use crate::parallel::for_each_job;

use crate::cch::parameters::OrderParameters;
use crate::cch::subgraph::Subgraph;

/// Finds an order of ground, connected or not. O(spans · log spans).
pub(crate) fn dissect(ground: &Subgraph, parameters: OrderParameters) -> RouteOrder {
    let nothing = vec![false; ground.len()];
    let dissection = Dissection { parameters, levels: MOST_LEVELS };
    dissection.order_components(ground.separate(&nothing).components)
}

/// How cells are dissected from here on.
#[derive(Clone, Copy)]
struct Dissection {
    parameters: OrderParameters,
    /// How many levels of cells there may be [> 0].
    levels: u8,
}

impl Dissection {
    /// The orders of several components, one after the other.
    fn order_components(self, components: Vec<Subgraph>) -> RouteOrder {
        let spans = components.iter().map(Subgraph::len).sum::<usize>();
        let is_parallel = spans >= self.parameters.parallel_spans;
        let mut all = RouteOrder::default();
        for order in for_each_job(components, is_parallel, |graph| self.order_connected(&graph)) {
            all.spans.extend(order.spans);
            all.supernodes.extend(order.supernodes);
        }
        all
    }

    fn order_connected(self, graph: &Subgraph) -> RouteOrder {
        if graph.len() <= self.parameters.leaf_spans || self.levels == 1 {
            let spans = graph.spans.iter().map(|&span| SpanId(span)).collect();
            let leaf = RouteSupernode { children: 0, spans: graph.len() as u32 };
            return RouteOrder { spans, supernodes: vec![leaf] };
        }
        let separated = graph.separate(&find_separator(graph));
        let parts = separated.components.len() as u32;
        let own = separated.separator.len() as u32;
        let deeper = Dissection { levels: self.levels - 1, ..self };
        let mut order = deeper.order_components(separated.components);
        order.spans.extend(separated.separator.into_iter().map(SpanId));
        order.supernodes.push(RouteSupernode { children: parts, spans: own });
        order
    }
}

/// On which side of a separator a span lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SeparatorSide {
    Low,
    Separator,
    High,
}

/// Which spans of a connected subgraph to take out, so that no half is much larger than the other.
fn find_separator(graph: &Subgraph) -> Vec<bool> {
    let structures = [graph.along(0), graph.along(1), distances_from_afar(graph)];
    let sets = structures.iter().filter_map(|levels| Some((best_level_set(levels)?, levels)));
    // If every level set is uneven, most spans share the middle level or lie on one side of it.
    let middle = || (median(&structures[2]), &structures[2]);
    let (level, levels) = sets
        .min_by(|a, b| a.0.score.total_cmp(&b.0.score))
        .map_or_else(middle, |(set, levels)| (set.level, levels));
    let mut sides = sides_of(levels, level);
    close(graph, &mut sides);
    let closed = sides.clone();
    thin(graph, &mut sides);
    // Closing may have emptied a half, and thinning then gives everything to the other. The
    // recursion ends only if something is taken out.
    let sides = if sides.contains(&SeparatorSide::Separator) { sides } else { closed };
    sides.into_iter().map(|side| side == SeparatorSide::Separator).collect()
}

/// The side of each span, by its level.
fn sides_of(levels: &[u32], separator: u32) -> Vec<SeparatorSide> {
    let side = |level: &u32| match level.cmp(&separator) {
        Ordering::Less => SeparatorSide::Low,
        Ordering::Equal => SeparatorSide::Separator,
        Ordering::Greater => SeparatorSide::High,
    };
    levels.iter().map(side).collect()
}

/// The spans of one level, as a separator.
struct LevelSet {
    level: u32,
    /// Few spans and even halves make it low.
    score: f64,
}

/// The smaller half has at least this share of all spans.
const LEAST_BALANCE: f64 = 0.2;
/// Added to the balance in the score. The larger it is, the more a short separator counts and the
/// less even halves do.
const BALANCE_OFFSET: f64 = 0.3;

/// The level set with the lowest score; `None` if all are too uneven.
fn best_level_set(levels: &[u32]) -> Option<LevelSet> {
    let mut counts = vec![0u32; levels.iter().max().map_or(0, |&most| most as usize + 1)];
    levels.iter().for_each(|&level| counts[level as usize] += 1);
    let mut below = 0;
    let sets = (0..).zip(&counts).filter_map(|(level, &count)| {
        let above = levels.len() as u32 - below - count;
        let balance = f64::from(below.min(above)) / levels.len() as f64;
        below += count;
        let score = f64::from(count) / (BALANCE_OFFSET + balance);
        (balance >= LEAST_BALANCE).then_some(LevelSet { level, score })
    });
    sets.min_by(|a, b| a.score.total_cmp(&b.score))
}

/// For each span of a connected subgraph the number of steps from a span far out: the last one that
/// a breadth-first search from any span reaches (a pseudo-peripheral vertex).
fn distances_from_afar(graph: &Subgraph) -> Vec<u32> {
    let mut distances = Vec::new();
    let mut start = 0;
    for _ in 0..2 {
        distances = vec![u32::MAX; graph.len()];
        distances[start] = 0;
        let mut reached = vec![start as u32];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for &other in graph.neighbors(at as usize) {
                if distances[other as usize] == u32::MAX {
                    distances[other as usize] = distances[at as usize] + 1;
                    reached.push(other);
                }
            }
        }
        start = reached[reached.len() - 1] as usize;
    }
    distances
}

fn median(levels: &[u32]) -> u32 {
    let mut sorted = levels.to_vec();
    *sorted.select_nth_unstable(levels.len() / 2).1
}

/// Adds one end of every edge between the two halves to the separator: links lead past it.
fn close(graph: &Subgraph, sides: &mut [SeparatorSide]) {
    for at in 0..graph.len() {
        let is_across = |&other: &u32| sides[other as usize] == SeparatorSide::High;
        if sides[at] == SeparatorSide::Low && graph.neighbors(at).iter().any(is_across) {
            sides[at] = SeparatorSide::Separator;
        }
    }
}

/// Gives spans of the separator back to a half if they have no neighbor in the other.
fn thin(graph: &Subgraph, sides: &mut [SeparatorSide]) {
    for at in 0..graph.len() {
        if sides[at] == SeparatorSide::Separator {
            let touches = |side: SeparatorSide| {
                graph.neighbors(at).iter().any(|&other| sides[other as usize] == side)
            };
            sides[at] = match (touches(SeparatorSide::Low), touches(SeparatorSide::High)) {
                (true, true) => SeparatorSide::Separator,
                (true, false) => SeparatorSide::Low,
                (false, _) => SeparatorSide::High,
            };
        }
    }
}
