//! Heuristics: lower bounds of the cost to the goal, and why they are admissible.
//!
//! All count whole units and are made from the lower bounds of a step, straight `S` and diagonal `D`, so
//! that no step lowers the estimate by more than it costs: they are *consistent*, and A* with them is
//! exact. The part for heights is the difference of potentials that depend on the height alone; the cost
//! of every connection contains the difference of its own.
//! Based on: Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum
//! cost paths", 1968.

use crate::grid::{CellOffset, SpanId};

use crate::cost::{CostModel, FixedLowerBound, HeightPotential, Metric};
use crate::view::{Directions, Flow, ViewRef};

/// The heuristic of a search. All are exact; they differ in how many spans are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// The cost of the cheapest row of level steps, and the least cost of the height between.
    ///
    /// Admissible: let `short` and `long` be the cells left along the two axes. Replacing `D` by
    /// `min(D, 2S)`, and then `S` by `min(S, D)`, makes `S <= D <= 2S`, and `(long - short) · S +
    /// short · D` a norm. A straight step moves by a vector of norm `S`, a diagonal one of norm
    /// `D`, and neither costs less; by the triangle inequality no row of steps costs less than the
    /// norm of their sum.
    #[default]
    Octile,
    /// The cells left along both axes, each at `min(S, D / 2)`, and the height.
    ///
    /// Admissible: a straight step brings one such cell, a diagonal one two, at no less than that
    /// each. With four directions this is the octile estimate.
    Manhattan,
    /// The straight distance in cells times `min(S, D / √2)`, rounded down, and the height.
    ///
    /// Admissible: a straight step brings at most one cell of distance, a diagonal one √2, and the
    /// distance is a norm. Costs are whole, so rounding down keeps it below them.
    Euclidean,
    /// Nothing: Dijkstra's search. Admissible, for no cost is negative.
    None,
}

/// What an estimate is made for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EstimateParameters {
    pub heuristic: Heuristic,
    pub directions: Directions,
    pub flow: Flow,
}

/// A lower bound of the cost from any span to a goal, or from the goal to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Estimate {
    kind: Heuristic,
    straight: u32,
    diagonal: u32,
    /// Square of what a cell of straight distance costs at least.
    square: u64,
    least: FixedLowerBound,
    goal: Target,
    /// Links that bring one further than walking could for what they cost.
    shortcuts: Vec<LinkShortcut>,
}

/// A link that costs less than is estimated between its ends.
#[derive(Clone, Copy, Debug)]
struct LinkShortcut {
    /// Where it starts: also a place to head for.
    from: Target,
    to: Target,
    cost: u32,
}

/// A place to head for, and the least cost from there on.
#[derive(Clone, Copy, Debug, Default)]
struct Target {
    point: HeightAt,
    rest: u32,
}

/// A cell, counted from the frame's corner, and the potential of a height in it.
#[derive(Clone, Copy, Debug, Default)]
struct HeightAt {
    cell: CellOffset,
    potential: HeightPotential,
}

/// With more shortcuts than this, looking at them all costs more than they save.
const MOST_SHORTCUTS: usize = 32;

impl Estimate {
    /// Begins to estimate costs to goals, or from them. Links that cost less than the estimate between
    /// their ends become goals on the way, so that the estimate stays admissible with them.
    pub(crate) fn begin<M: CostModel + ?Sized>(
        &mut self,
        metric: &Metric<M>,
        parameters: EstimateParameters,
    ) {
        let EstimateParameters { heuristic: kind, directions, flow } = parameters;
        let least = match flow {
            Flow::ToSources => metric.least,
            // Who comes from there falls where who goes there rises.
            Flow::FromSources => metric.least.reversed(),
        };
        let two = least.straight.saturating_mul(2);
        let diagonal = if directions == Directions::Four { two } else { least.diagonal.min(two) };
        let straight = least.straight.min(diagonal);
        let diagonal = diagonal.min(straight.saturating_mul(2));
        let side = u64::from(straight);
        let square = (side * side).min(u64::from(diagonal) * u64::from(diagonal) / 2);
        let shortcuts = std::mem::take(&mut self.shortcuts);
        let goal = Target::default();
        *self = Estimate { kind, straight, diagonal, square, least, goal, shortcuts };
        self.find_shortcuts(metric, flow);
    }

    /// Turns to a goal's span.
    pub(crate) fn aim(&mut self, view: &ViewRef, goal: SpanId) {
        self.goal = target(view, &self.least, goal);
        for shortcut in &mut self.shortcuts {
            shortcut.from.rest = u32::MAX;
        }
        // Each round carries the news over one more link; costs only fall, so the rounds end.
        while self.carry_on() {}
    }

    /// The least cost from a height in a cell, counted from the frame's corner.
    #[inline(always)]
    pub(crate) fn at(&self, cell: CellOffset, height: f32) -> u32 {
        self.at_potential(cell, self.least.potential(height))
    }

    /// As [`Self::at`], by the potential of the height.
    #[inline(always)]
    pub(crate) fn at_potential(&self, cell: CellOffset, potential: HeightPotential) -> u32 {
        if self.kind == Heuristic::None {
            return 0;
        }
        let from = HeightAt { cell, potential };
        let direct = self.between(from, self.goal.point);
        if self.shortcuts.is_empty() { direct } else { self.by_link(from, direct) }
    }

    #[cold]
    fn by_link(&self, from: HeightAt, direct: u32) -> u32 {
        let by = |shortcut: &LinkShortcut| {
            self.between(from, shortcut.from.point).saturating_add(shortcut.from.rest)
        };
        self.shortcuts.iter().map(by).fold(direct, u32::min)
    }

    #[inline(always)]
    fn between(&self, from: HeightAt, to: HeightAt) -> u32 {
        let (x, z) = (from.cell.x.abs_diff(to.cell.x), from.cell.z.abs_diff(to.cell.z));
        let (short, long) = (x.min(z), x.max(z));
        let flat = match self.kind {
            Heuristic::Octile => (long - short)
                .saturating_mul(self.straight)
                .saturating_add(short.saturating_mul(self.diagonal)),
            Heuristic::Manhattan => (x + z).saturating_mul(self.straight.min(self.diagonal / 2)),
            Heuristic::Euclidean => {
                let (x, z) = (u64::from(x), u64::from(z));
                let cells = (x * x).saturating_add(z * z);
                cells.saturating_mul(self.square).isqrt().try_into().unwrap_or(u32::MAX)
            }
            Heuristic::None => 0,
        };
        flat.saturating_add(HeightPotential::between(from.potential, to.potential))
    }

    fn find_shortcuts<M: CostModel + ?Sized>(&mut self, metric: &Metric<M>, flow: Flow) {
        self.shortcuts.clear();
        if self.kind == Heuristic::None {
            return;
        }
        // The straight distance is rounded down: a link that costs just this may be shorter.
        let rounding = u32::from(self.kind == Heuristic::Euclidean);
        for link_edge in metric.view.open_links() {
            let Some(cost) = metric.link(link_edge) else { continue };
            let mut ends = [link_edge.at, link_edge.other];
            if flow == Flow::FromSources {
                ends.reverse();
            }
            let [from, to] = ends.map(|end| target(metric.view, &self.least, end));
            let between = self.between(from.point, to.point);
            if cost < between.saturating_add(rounding) {
                if self.shortcuts.len() == MOST_SHORTCUTS {
                    self.kind = Heuristic::None;
                    self.shortcuts.clear();
                    return;
                }
                self.shortcuts.push(LinkShortcut { from, to, cost });
            }
        }
    }

    /// Tells each shortcut's start what is left by what is known at the others'. Whether that is
    /// news.
    fn carry_on(&mut self) -> bool {
        let mut changed = false;
        for at in 0..self.shortcuts.len() {
            let LinkShortcut { from, to, cost } = self.shortcuts[at];
            let to = to.point;
            let rest = cost.saturating_add(self.by_link(to, self.between(to, self.goal.point)));
            if rest < from.rest {
                self.shortcuts[at].from.rest = rest;
                changed = true;
            }
        }
        changed
    }
}

/// The place of a span, from where nothing is left to go.
fn target(view: &ViewRef, least: &FixedLowerBound, span: SpanId) -> Target {
    let potential = least.potential(view.floor(span.0));
    Target { point: HeightAt { cell: view.cell_offset(span.0), potential }, rest: 0 }
}
