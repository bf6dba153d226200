//! Takes the ground apart, again and again, along lines that few spans lie on.
//!
//! In: all ground an agent walks on. Out: districts within districts, each cut in two by a narrow
//! row of spans, down to pieces small enough to be searched. A level has its doorways and terrain
//! its coordinates, so that good lines are found by counting.
//! Based on: George, "Nested dissection of a regular finite element mesh", 1973.

use std::cmp::Ordering;

use crate::grid::{MOST_LEVELS, RouteOrder, RouteSupernode, SpanId};
use crate::parallel::for_each_job;

use crate::cch::parameters::Grain;
use crate::cch::subgraph::Part;

/// Takes ground apart, connected or not.
pub(crate) fn dissect(part: &Part, grain: Grain) -> RouteOrder {
    let nothing = vec![false; part.len()];
    dissect_all(part.without(&nothing).parts, (grain, MOST_LEVELS)).0
}

/// The orders of some parts, one after the other, and how many they are. They have at most so many
/// levels.
fn dissect_all(parts: Vec<Part>, (grain, levels): (Grain, u8)) -> (RouteOrder, u32) {
    let (count, spans) = (parts.len() as u32, parts.iter().map(Part::len).sum::<usize>());
    let mut all = RouteOrder::default();
    let at_once = spans >= grain.worth_threads;
    for order in for_each_job(parts, at_once, |part| dissect_connected(&part, (grain, levels))) {
        all.spans.extend(order.spans);
        all.supernodes.extend(order.supernodes);
    }
    (all, count)
}

fn dissect_connected(part: &Part, (grain, levels): (Grain, u8)) -> RouteOrder {
    if part.len() <= grain.small || levels == 1 {
        let spans = part.spans.iter().map(|&span| SpanId(span)).collect();
        return RouteOrder {
            spans,
            supernodes: vec![RouteSupernode { children: 0, spans: part.len() as u32 }],
        };
    }
    let remains = part.without(&cut(part));
    let own = remains.cut.len() as u32;
    let (mut order, parts) = dissect_all(remains.parts, (grain, levels - 1));
    order.spans.extend(remains.cut.into_iter().map(SpanId));
    order.supernodes.push(RouteSupernode { children: parts, spans: own });
    order
}

/// On which side of a cut a span lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Low,
    Cut,
    High,
}

/// Which spans to cut out, so that no side of what remains is much larger than the other.
fn cut(part: &Part) -> Vec<bool> {
    let rulers = [part.along(0), part.along(1), distances_from_afar(part)];
    let lines = rulers.iter().filter_map(|potentials| Some((best_line(potentials)?, potentials)));
    // Where every line is uneven, most lies in the middle or on one side of it.
    let middle = || (median(&rulers[2]), &rulers[2]);
    let (line, potentials) = lines
        .min_by(|a, b| a.0.score.total_cmp(&b.0.score))
        .map_or_else(middle, |(line, potentials)| (line.at, potentials));
    let mut sides = sides(potentials, line);
    close(part, &mut sides);
    let closed = sides.clone();
    thin(part, &mut sides);
    // A whole side may have gone into the cut; something has to be cut out all the same.
    let cut = if sides.contains(&Side::Cut) { sides } else { closed };
    cut.into_iter().map(|side| side == Side::Cut).collect()
}

/// Which side of a line each mark is on.
fn sides(potentials: &[u32], line: u32) -> Vec<Side> {
    let side = |mark: &u32| match mark.cmp(&line) {
        Ordering::Less => Side::Low,
        Ordering::Equal => Side::Cut,
        Ordering::Greater => Side::High,
    };
    potentials.iter().map(side).collect()
}

struct Line {
    at: u32,
    score: f64,
}

/// The smaller side has at least this part of all spans.
const LEAST_BALANCE: f64 = 0.2;
/// How much an uneven cut counts against a short one.
const EVENNESS: f64 = 0.3;

/// Of the lines at whole marks the one that costs least; `None` where all are too uneven.
fn best_line(potentials: &[u32]) -> Option<Line> {
    let mut counts = vec![0u32; potentials.iter().max().map_or(0, |&most| most as usize + 1)];
    potentials.iter().for_each(|&mark| counts[mark as usize] += 1);
    let mut below = 0;
    let lines = (0..).zip(&counts).filter_map(|(at, &count)| {
        let above = potentials.len() as u32 - below - count;
        let balance = f64::from(below.min(above)) / potentials.len() as f64;
        below += count;
        let score = f64::from(count) / (EVENNESS + balance);
        (balance >= LEAST_BALANCE).then_some(Line { at, score })
    });
    lines.min_by(|a, b| a.score.total_cmp(&b.score))
}

/// For each span of a connected part how many steps it is from one that lies far out.
fn distances_from_afar(part: &Part) -> Vec<u32> {
    let mut distances = Vec::new();
    let mut start = 0;
    for _ in 0..2 {
        distances = vec![u32::MAX; part.len()];
        distances[start] = 0;
        let mut reached = vec![start as u32];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for &other in part.neighbors(at as usize) {
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

fn median(potentials: &[u32]) -> u32 {
    let mut sorted = potentials.to_vec();
    *sorted.select_nth_unstable(potentials.len() / 2).1
}

/// Takes one end of whatever joins the two sides past the line, as links do, into the cut.
fn close(part: &Part, sides: &mut [Side]) {
    for at in 0..part.len() {
        let across = |&other: &u32| sides[other as usize] == Side::High;
        if sides[at] == Side::Low && part.neighbors(at).iter().any(across) {
            sides[at] = Side::Cut;
        }
    }
}

/// Gives back to a side what does not touch the other.
fn thin(part: &Part, sides: &mut [Side]) {
    for at in 0..part.len() {
        if sides[at] == Side::Cut {
            let touches =
                |side: Side| part.neighbors(at).iter().any(|&other| sides[other as usize] == side);
            sides[at] = match (touches(Side::Low), touches(Side::High)) {
                (true, true) => Side::Cut,
                (true, false) => Side::Low,
                (false, _) => Side::High,
            };
        }
    }
}
