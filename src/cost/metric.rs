//! Provides [`Metric`]: a cost model bound to a view, in whole units (fixed point).
//!
//! A search adds thousands of costs and compares the sums. In floating point the order of the
//! additions decides the last digits, and with them which of two paths counts as cheaper: f32
//! heuristics gave 1 answer in 300 that was not the optimum. In whole numbers the cheapest path is
//! the cheapest, and a heuristic never exceeds it by a rounding.

use std::f32::consts::FRAC_1_SQRT_2;

use nalgebra::Point3;

use crate::grid::{CellOffset, Dir, LinkEdge, SpanAddress};

use crate::view::{Directions, Flow, NavPoint, UniformGround, ViewRef};

use super::model::{CostLowerBound, CostModel, Edge, HeightCost};
use super::potential::{FixedLowerBound, HeightPotential, ONES};
use super::slope_limit::SlopeLimit;

/// A cost model bound to a view: the costs of connections, links and segments.
pub(crate) struct Metric<'a, M: ?Sized> {
    pub view: &'a ViewRef<'a>,
    model: &'a M,
    limit: Option<SlopeLimit>,
    /// Along x and z for each direction [m].
    along: [[f32; 2]; 8],
    /// How many times the units were made coarser because costs overflowed.
    pub unit_exponent: i32,
    /// Units to the metre-equivalent.
    scale: f32,
    pub least: FixedLowerBound,
    lower_bound: CostLowerBound,
    /// The model's lower bound is finite and not negative, so that the costs of rise and fall in it can be
    /// counted by potentials.
    is_bound_sound: bool,
    /// Costs of level connections, straight and diagonal, if all ground costs the same and the model is
    /// uniform.
    level_costs: Option<[u32; 2]>,
}

/// A span that a search looks at, and what the costs of all its connections need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchNode {
    pub address: SpanAddress,
    /// Height of its floor [m].
    pub floor: f32,
    /// The potential of that height.
    pub potential: HeightPotential,
}

impl SearchNode {
    /// Its node potential, see [`HeightPotential::node`].
    #[inline(always)]
    pub(crate) fn node_potential(&self) -> i64 {
        self.potential.node()
    }
}

/// How an edge leads from one span to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stride {
    /// Along x and z [m].
    pub along: [f32; 2],
    /// [m]
    pub rise: f32,
    /// The part of it that lies on the first span [0..=1].
    pub share: f32,
}

/// Coarser units are larger by powers of this.
const COARSER: f32 = 64.0;
/// In units this coarse the most expensive paths of the largest grids can be counted, whatever a metre
/// costs.
pub(crate) const COARSEST: i32 = 20;
/// A single cost above this leaves no room for sums, and counts as an overflow [units].
pub(crate) const MOST: u32 = u32::MAX / 4;

impl<'a, M: CostModel + ?Sized> Metric<'a, M> {
    /// Binds a model to a view. `unit_exponent` says how many times coarser units are needed than the model
    /// asks for.
    pub(crate) fn new(
        view: &'a ViewRef<'a>,
        model: &'a M,
        limit: Option<SlopeLimit>,
        unit_exponent: i32,
    ) -> Self {
        let side = view.cell_size();
        let scale = units_of(model, view) / COARSER.powi(unit_exponent);
        let stated = model.lower_bound(view.view);
        let lower_bound = sound(stated);
        let is_bound_sound = lower_bound == stated;
        let least = FixedLowerBound::new(&lower_bound, scale);
        let along = Dir::ALL.map(|dir| {
            let CellOffset { x, z } = dir.offset();
            [x as f32 * side, z as f32 * side]
        });
        let level_costs = None;
        let mut metric = Metric {
            view,
            model,
            limit,
            along,
            unit_exponent,
            scale,
            least,
            lower_bound,
            is_bound_sound,
            level_costs,
        };
        if let Some(factor) = view.uniform_factor().filter(|_| model.is_uniform()) {
            let costs =
                [Dir::STRAIGHT[0], Dir::DIAGONAL[0]].map(|dir| metric.on_level(factor, dir));
            metric.level_costs = if let [Some(a), Some(b)] = costs { Some([a, b]) } else { None };
        }
        metric
    }

    /// The same in coarser units.
    pub(crate) fn coarser(&self) -> Self {
        Metric::new(self.view, self.model, self.limit, self.unit_exponent + 1)
    }

    /// The least exponent with which a metre of rise or of the cheapest ground can be counted. More
    /// expensive ground need not concern a path.
    pub(crate) fn least_unit_exponent(view: &ViewRef, model: &M) -> i32 {
        let CostLowerBound { straight, ascend, descend, .. } = sound(model.lower_bound(view.view));
        let units = straight.max(ascend).max(descend) * units_of(model, view);
        let fits = |times: &i32| units / COARSER.powi(*times) <= MOST as f32;
        (0..COARSEST).find(fits).unwrap_or(COARSEST)
    }

    /// About the most that a connection adds to the estimated total of a path [units]: a few diagonals over
    /// the most expensive ground.
    pub(crate) fn reach(&self) -> u32 {
        const DIAGONALS: f32 = 4.0;
        let highest = self.view.highest_factor() / self.view.least_factor();
        let highest = if highest.is_finite() { highest } else { 1.0 };
        (self.least.diagonal as f32 * highest * DIAGONALS) as u32
    }

    /// Metres-equivalent to the unit.
    pub(crate) fn unit(&self) -> f64 {
        1.0 / f64::from(self.scale)
    }

    /// A cost in whole units, rounded down [metres-equivalent].
    pub(crate) fn units_within(&self, cost: f32) -> u32 {
        (f64::from(cost) * f64::from(self.scale)) as u32
    }

    /// Units as metres-equivalent.
    pub(crate) fn cost(&self, units: u32) -> f32 {
        (f64::from(units) / f64::from(self.scale)) as f32
    }

    /// A span with what the costs of its connections need.
    #[inline(always)]
    pub(crate) fn search_node(&self, address: SpanAddress) -> SearchNode {
        let floor = self.view.floor(address.span);
        SearchNode { address, floor, potential: self.least.potential(floor) }
    }

    /// As [`Self::search_node`], next to another one: most have the same floor.
    #[inline(always)]
    pub(crate) fn search_node_beside(
        &self,
        address: SpanAddress,
        other: &SearchNode,
    ) -> SearchNode {
        let floor = self.view.floor(address.span);
        let is_level = floor == other.floor;
        let potential = if is_level { other.potential } else { self.least.potential(floor) };
        SearchNode { address, floor, potential }
    }

    /// Cost of a connection [units]; `None` if the model, the slope limit or the query's filter forbids it.
    /// A cost that overflows is `u32::MAX`.
    ///
    /// It never is less than the lower bound by steps and potentials: that is what makes the heuristic
    /// consistent. A model that states its level cost has its rise and fall counted by the difference of
    /// the potentials alone, to the last unit, so that reduced costs are symmetric.
    #[inline(always)]
    pub(crate) fn between(&self, [from, to]: [&SearchNode; 2], dir: Dir) -> Option<u32> {
        let rise = to.floor - from.floor;
        if rise == 0.0
            && let Some(level) = self.level_costs.filter(|_| self.limit.is_none())
        {
            return Some(level[dir.index() % 2]);
        }
        let ends = [from.address.span, to.address.span];
        let edge = self.edge(ends, Stride { along: self.along[dir.index()], rise, share: 0.5 });
        let flat = self.least.flat_costs()[dir.index() % 2];
        let heights = HeightPotential::between(from.potential, to.potential);
        if let Some(level) = self.level(&edge) {
            let level = self.allowed(&edge, level)?;
            return Some(self.units(level).max(flat).saturating_add(heights));
        }
        let cost = self.price(&edge)?;
        Some(self.units(cost).max(flat.saturating_add(heights)))
    }

    /// As [`Self::between`] for searches from sources; for searches to sources, the cost of the connection
    /// back.
    #[inline(always)]
    pub(crate) fn flowing(
        &self,
        flow: Flow,
        [from, to]: [&SearchNode; 2],
        dir: Dir,
    ) -> Option<u32> {
        match flow {
            Flow::FromSources => self.between([from, to], dir),
            Flow::ToSources => self.between([to, from], dir.opposite()),
        }
    }

    /// Whether reduced costs are symmetric: original costs differ in the two directions of a connection by
    /// the potentials of its ends alone.
    pub(crate) fn is_symmetric(&self) -> bool {
        let Some(span) = self.view.spans().first() else { return false };
        let edge = Edge { from: span, to: span, along: self.along[0], rise: 0.0, factor: 1.0 };
        self.limit.is_none() && self.level(&edge).is_some()
    }

    /// Cost of an edge without its rise and fall [metres-equivalent], if the model states it and potentials
    /// can count those.
    #[inline(always)]
    fn level(&self, edge: &Edge) -> Option<f32> {
        if self.is_bound_sound { self.model.level_cost(edge) } else { None }
    }

    /// Cost of a connection to a span of the same height and area, by a uniform model [units].
    #[inline(always)]
    pub(crate) fn level_step(&self, span: u32, dir: Dir) -> u32 {
        match self.level_costs {
            Some(costs) => costs[dir.index() % 2],
            None => self.on_level(self.view.factor_on(span), dir).unwrap_or(u32::MAX),
        }
    }

    /// Cost of a level connection over ground of a factor, by a uniform model [units]; `None` if it is
    /// forbidden.
    fn on_level(&self, factor: f32, dir: Dir) -> Option<u32> {
        let span = self.view.spans().first()?;
        let along = self.along[dir.index()];
        let cost = self.model.cost(&Edge { from: span, to: span, along, rise: 0.0, factor });
        let flat = self.least.flat_costs()[dir.index() % 2];
        let allowed = cost < f32::INFINITY && factor < f32::INFINITY;
        allowed.then(|| self.units(cost.max(0.0)).max(flat))
    }

    /// Where a search may prune neighbors, see [`crate::search::pruning`]; `None` if the costs or the
    /// directions do not allow that anywhere. O(areas).
    pub(crate) fn uniform_ground(&self, directions: Directions) -> Option<UniformGround<'a>> {
        let view = self.view;
        let can_prune = |factor: f32| {
            let costs = [Dir::STRAIGHT[0], Dir::DIAGONAL[0]].map(|dir| self.on_level(factor, dir));
            matches!(costs, [Some(a), Some(b)] if a < b && b - a < a)
        };
        let is_sound = directions == Directions::Eight && self.model.is_uniform();
        let is_sound = is_sound && view.open_factors().all(can_prune);
        if is_sound { view.uniform_ground() } else { None }
    }

    /// Cost of a link [units]; `None` if the model forbids it.
    pub(crate) fn link(&self, link_edge: &LinkEdge) -> Option<u32> {
        self.link_price(link_edge).map(|cost| self.units(cost))
    }

    /// Cost of a link [metres-equivalent]; `None` if the model forbids it.
    pub(crate) fn link_price(&self, link_edge: &LinkEdge) -> Option<f32> {
        let cost = self.model.link_cost(&self.view.grid().links()[link_edge.link as usize]);
        (cost < f32::INFINITY).then_some(cost.max(0.0))
    }

    /// An edge between two spans.
    #[inline(always)]
    pub(crate) fn edge(&self, ends: [u32; 2], stride: Stride) -> Edge<'a> {
        let Stride { along, rise, share } = stride;
        let spans = self.view.spans();
        let (from, to) = (&spans[ends[0] as usize], &spans[ends[1] as usize]);
        let (first, second) = (self.view.factor_on(ends[0]), self.view.factor_on(ends[1]));
        Edge { from, to, along, rise, factor: first * share + second * (1.0 - share) }
    }

    /// Cost of an edge [metres-equivalent]; `None` if it is forbidden.
    #[inline(always)]
    pub(crate) fn price(&self, edge: &Edge) -> Option<f32> {
        self.allowed(edge, self.model.cost(edge))
    }

    /// The cost that a model gives an edge, if the edge is allowed.
    #[inline(always)]
    fn allowed(&self, edge: &Edge, cost: f32) -> Option<f32> {
        // NaN is as forbidden as infinity.
        let finite = cost < f32::INFINITY && edge.factor < f32::INFINITY;
        let allowed = finite && self.limit.is_none_or(|limit| limit.allows(edge));
        allowed.then_some(cost.max(0.0))
    }

    /// Lower bound of the cost of every path between two points without links, by distance and height
    /// [metres-equivalent].
    pub(crate) fn least_between(&self, from: Point3<f32>, to: Point3<f32>) -> f64 {
        let CostLowerBound { straight, diagonal, ascend, descend } = self.lower_bound;
        let along = to - from;
        let metre = straight.min(diagonal * FRAC_1_SQRT_2) / self.view.cell_size();
        let heights = ascend * along.y.max(0.0) + descend * (-along.y).max(0.0);
        f64::from(metre * (along.x * along.x + along.z * along.z).sqrt() + heights)
    }

    /// As [`Self::least_between`] for paths by steps in eight directions.
    pub(crate) fn least_by_steps(&self, from: Point3<f32>, to: Point3<f32>) -> f64 {
        let CostLowerBound { straight, diagonal, ascend, descend } = self.lower_bound;
        let along = to - from;
        let [x, z] = [along.x, along.z].map(|v| v.abs() / self.view.cell_size());
        let steps = straight * (x - z).abs() + diagonal * x.min(z);
        let heights = ascend * along.y.max(0.0) + descend * (-along.y).max(0.0);
        f64::from(steps + heights)
    }

    /// Lower bound of the cost of every path between two points, links included [metres-equivalent].
    pub(crate) fn least_path(&self, [from, to]: &[NavPoint; 2]) -> f64 {
        let direct = self.least_between(from.point, to.point);
        let (mut before, mut after) = (f64::INFINITY, f64::INFINITY);
        for link_edge in self.view.open_links() {
            let [start, end] = NavPoint::link_ends(self.view, link_edge);
            let between = self.least_between(start.point, end.point);
            // Other links lead nowhere that walking does not at the same cost.
            if self.link_price(link_edge).is_some_and(|cost| f64::from(cost) < between) {
                before = before.min(self.least_between(from.point, start.point));
                after = after.min(self.least_between(end.point, to.point));
            }
        }
        direct.min(before + after)
    }

    #[inline(always)]
    fn units(&self, cost: f32) -> u32 {
        let units = cost * self.scale;
        if units > MOST as f32 { u32::MAX } else { (f64::from(units) + ONES).to_bits() as u32 }
    }
}

/// Units to the metre-equivalent that a model asks for, or the default if that is not a usable number.
fn units_of<M: CostModel + ?Sized>(model: &M, view: &ViewRef) -> f32 {
    let units = model.units(view.view);
    let sound = units.is_finite() && units > 0.0;
    if sound { units } else { HeightCost::FLAT.units(view.view) }
}

/// A model's lower bound, with what cannot be true replaced by 0.
fn sound(least: CostLowerBound) -> CostLowerBound {
    let sound = |cost: f32| if cost.is_finite() { cost.max(0.0) } else { 0.0 };
    CostLowerBound {
        straight: sound(least.straight),
        diagonal: sound(least.diagonal),
        ascend: sound(least.ascend),
        descend: sound(least.descend),
    }
}
