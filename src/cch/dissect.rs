//! Nested dissection: takes the ground apart, again and again, by separators of few spans.
//!
//! In: all ground an agent walks on. Out: an order of its spans, in which every cell's halves come
//! before the separator between them, down to cells small enough to be searched. Separators are
//! level sets: of the coordinates, since levels have doorways and terrain has straight lines, and
//! of the distance from a span far out.
//! Based on: George, "Nested dissection of a regular finite element mesh", 1973; George and Liu,
//! "An automatic nested dissection algorithm for irregular finite element problems", 1978.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering as MemoryOrdering};

use crate::grid::{MOST_LEVELS, RouteOrder, RouteSupernode, SpanId};
use crate::observer::{Cancelled, Observer, check_cancelled, for_each_observed};
use crate::parallel::for_each_job;

use crate::cch::parameters::OrderParameters;
use crate::cch::subgraph::{SPANS_PER_LOOK, Subgraph};

/// Finds an order of ground, connected or not. O(spans · log spans).
pub(crate) fn dissect(
    ground: &Subgraph,
    parameters: OrderParameters,
    observer: &dyn Observer,
) -> Result<RouteOrder, Cancelled> {
    let nothing = vec![false; ground.len()];
    let progress = DissectionProgress { observer, done: AtomicUsize::new(0) };
    let dissection = Dissection { parameters, progress: &progress, levels: MOST_LEVELS };
    let components = ground.separate(&nothing, observer)?.components;
    dissection.order_components(components, ALL_PARTS)
}

/// A dissection counts as so many parts of work.
const ALL_PARTS: usize = 1000;

/// How much of a dissection is done.
struct DissectionProgress<'a> {
    observer: &'a dyn Observer,
    done: AtomicUsize,
}

impl DissectionProgress<'_> {
    fn add(&self, parts: usize) {
        if parts > 0 {
            let done = self.done.fetch_add(parts, MemoryOrdering::Relaxed) + parts;
            self.observer.parts_done(done, ALL_PARTS);
        }
    }
}

/// A component, and how many parts of the work it counts as.
struct Component {
    graph: Subgraph,
    parts: usize,
}

/// How cells are dissected from here on.
#[derive(Clone, Copy)]
struct Dissection<'a> {
    parameters: OrderParameters,
    progress: &'a DissectionProgress<'a>,
    /// How many levels of cells there may be [> 0].
    levels: u8,
}

impl Dissection<'_> {
    /// The orders of several components, one after the other; all of them are some parts of the work.
    fn order_components(
        self,
        components: Vec<Subgraph>,
        parts: usize,
    ) -> Result<RouteOrder, Cancelled> {
        let spans = components.iter().map(Subgraph::len).sum::<usize>();
        let is_parallel = spans >= self.parameters.parallel_spans;
        let components = self.share(components, parts);
        let mut all = RouteOrder::default();
        for order in for_each_job(components, is_parallel, |component| self.order_one(&component)) {
            let order = order?;
            all.spans.extend(order.spans);
            all.supernodes.extend(order.supernodes);
        }
        Ok(all)
    }

    /// Shares parts of the work between components, so that their sum stays the same.
    fn share(&self, components: Vec<Subgraph>, parts: usize) -> Vec<Component> {
        let work = |graph: &Subgraph| graph.len() * self.levels_of(graph);
        let all = components.iter().map(work).sum::<usize>().max(1);
        let (mut before, mut given) = (0, 0);
        let share = |graph: Subgraph| {
            before += work(&graph);
            let upto = (parts as u64 * before as u64 / all as u64) as usize;
            let parts = upto - std::mem::replace(&mut given, upto);
            Component { graph, parts }
        };
        components.into_iter().map(share).collect()
    }

    /// About how many levels of cells a graph will have: each takes about as long.
    fn levels_of(&self, graph: &Subgraph) -> usize {
        (graph.len() / self.parameters.leaf_spans.max(1)).max(1).ilog2() as usize + 1
    }

    fn order_one(self, component: &Component) -> Result<RouteOrder, Cancelled> {
        let Component { graph, parts } = component;
        let observer = self.progress.observer;
        if graph.len() <= self.parameters.leaf_spans || self.levels == 1 {
            let spans = graph.spans.iter().map(|&span| SpanId(span)).collect();
            let leaf = RouteSupernode { children: 0, spans: graph.len() as u32 };
            self.progress.add(*parts);
            return Ok(RouteOrder { spans, supernodes: vec![leaf] });
        }
        let separated = graph.separate(&find_separator(graph, observer)?, observer)?;
        let own_parts =
            if separated.components.is_empty() { *parts } else { parts / self.levels_of(graph) };
        self.progress.add(own_parts);
        let children = separated.components.len() as u32;
        let own = separated.separator.len() as u32;
        let deeper = Dissection { levels: self.levels - 1, ..self };
        let mut order = deeper.order_components(separated.components, parts - own_parts)?;
        order.spans.extend(separated.separator.into_iter().map(SpanId));
        order.supernodes.push(RouteSupernode { children, spans: own });
        Ok(order)
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
fn find_separator(graph: &Subgraph, observer: &dyn Observer) -> Result<Vec<bool>, Cancelled> {
    let afar = distances_from_afar(graph, observer)?;
    let structures = [graph.along(0), graph.along(1), afar];
    check_cancelled(observer)?;
    let sets = structures.iter().filter_map(|levels| Some((best_level_set(levels)?, levels)));
    // If every level set is uneven, most spans share the middle level or lie on one side of it.
    let middle = || (median(&structures[2]), &structures[2]);
    let (level, levels) = sets
        .min_by(|a, b| a.0.score.total_cmp(&b.0.score))
        .map_or_else(middle, |(set, levels)| (set.level, levels));
    let mut sides = sides_of(levels, level);
    close(graph, &mut sides, observer)?;
    let closed = sides.clone();
    thin(graph, &mut sides, observer)?;
    // Closing may have emptied a half, and thinning then gives everything to the other. The
    // recursion ends only if something is taken out.
    let sides = if sides.contains(&SeparatorSide::Separator) { sides } else { closed };
    Ok(sides.into_iter().map(|side| side == SeparatorSide::Separator).collect())
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
fn distances_from_afar(graph: &Subgraph, observer: &dyn Observer) -> Result<Vec<u32>, Cancelled> {
    let mut distances = Vec::new();
    let mut start = 0;
    for _ in 0..2 {
        distances = vec![u32::MAX; graph.len()];
        distances[start] = 0;
        let mut reached = vec![start as u32];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            if next.is_multiple_of(SPANS_PER_LOOK) {
                check_cancelled(observer)?;
            }
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
    Ok(distances)
}

fn median(levels: &[u32]) -> u32 {
    let mut sorted = levels.to_vec();
    *sorted.select_nth_unstable(levels.len() / 2).1
}

/// Adds one end of every edge between the two halves to the separator: links lead past it.
fn close(
    graph: &Subgraph,
    sides: &mut [SeparatorSide],
    observer: &dyn Observer,
) -> Result<(), Cancelled> {
    for_each_observed(0..graph.len(), observer, |at| {
        let is_across = |&other: &u32| sides[other as usize] == SeparatorSide::High;
        if sides[at] == SeparatorSide::Low && graph.neighbors(at).iter().any(is_across) {
            sides[at] = SeparatorSide::Separator;
        }
    })
}

/// Gives spans of the separator back to a half if they have no neighbor in the other.
fn thin(
    graph: &Subgraph,
    sides: &mut [SeparatorSide],
    observer: &dyn Observer,
) -> Result<(), Cancelled> {
    for_each_observed(0..graph.len(), observer, |at| {
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
    })
}
