//! What steps, links and legs cost on one terrain, in whole units.
//!
//! A search adds thousands of costs and compares the sums. In floating point their order decides
//! the last digits, and with them which of two ways counts as shorter; in whole numbers the
//! cheapest way is the cheapest, and the heuristic never exceeds it by a rounding.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

use nalgebra::Point3;

use crate::grid::{Dir, LinkEdge, SpanAddress};

use crate::cost::model::{CostLowerBound, CostModel, Edge, HeightCost};
use crate::cost::potential::{ONES, Potentials, node_potential};
use crate::view::Directions;
use crate::view::Flow;
use crate::view::NavPoint;
use crate::view::UniformGround;
use crate::view::ViewRef;

/// Steeper ground than this a query does not cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SlopeLimit {
    cosine: f32,
    tangent: f32,
    max_climb: f32,
}

/// Rounding of stored normals, in cosines.
const COSINE_ROUNDING: f32 = 1e-4;
/// Height differences below this are rounding [m].
const HEIGHT_ROUNDING: f32 = 1e-4;

impl SlopeLimit {
    /// From the steepest slope [rad, inclusive], if there is one and not everything is within it; lower
    /// steps than the agent's climb are allowed on any.
    pub(crate) fn of(view: &ViewRef, steepest: Option<f32>) -> Option<Self> {
        let max_climb = view.agent().max_climb;
        steepest.filter(|&limit| limit < FRAC_PI_2).map(|limit| SlopeLimit {
            cosine: limit.cos(),
            tangent: limit.tan(),
            max_climb,
        })
    }

    /// The floor it leads to is within the limit, and the straight rise within it or the climb.
    fn allows(&self, piece: &Edge) -> bool {
        let rise = piece.rise.abs() - HEIGHT_ROUNDING;
        piece.to.normal().y >= self.cosine - COSINE_ROUNDING
            && (rise <= self.max_climb || rise <= self.tangent * piece.run())
    }
}

/// What everything costs: a model on a terrain, with the numbers a search needs of it.
pub(crate) struct Metric<'a, M: ?Sized> {
    pub view: &'a ViewRef<'a>,
    model: &'a M,
    limit: Option<SlopeLimit>,
    /// Along x and z for each direction [m].
    along: [[f32; 2]; 8],
    /// How often the scale was found too fine.
    pub coarseness: i32,
    /// Units to the metre-equivalent.
    scale: f32,
    pub least: Potentials,
    lower_bound_cost: CostLowerBound,
    /// All that the model says of its least costs can be true, those of rise and fall among them.
    is_least_sound: bool,
    /// What level steps cost where all ground costs the same, by a model that is uniform: straight,
    /// diagonal.
    level_costs: Option<[u32; 2]>,
}

/// A span that steps lead from and to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchNode {
    pub address: SpanAddress,
    /// Height of its floor [m].
    pub floor: f32,
    /// Those of its floor.
    pub potentials: [i64; 2],
}

impl SearchNode {
    /// The mark of its floor on the third ruler, see [`Potentials::node_potential`].
    #[inline(always)]
    pub(crate) fn node_potential(&self) -> i64 {
        node_potential(self.potentials)
    }
}

/// Coarser scales divide the units by powers of this.
const COARSER: f32 = 64.0;
/// Beyond this the dearest ways of the largest grids can be counted, whatever a metre costs.
pub(crate) const COARSEST: i32 = 20;
/// A single cost beyond this leaves no room to add, and counts as too large [units].
pub(crate) const MOST: u32 = u32::MAX / 4;

impl<'a, M: CostModel + ?Sized> Metric<'a, M> {
    /// `coarseness` counts how often the scale was found too fine.
    pub(crate) fn new(
        view: &'a ViewRef<'a>,
        model: &'a M,
        limit: Option<SlopeLimit>,
        coarseness: i32,
    ) -> Self {
        let side = view.cell_size();
        let scale = units_of(model, view) / COARSER.powi(coarseness);
        let stated = model.least(view.view);
        let lower_bound_cost = sound(stated);
        let is_least_sound = lower_bound_cost == stated;
        let least = Potentials::new(&lower_bound_cost, scale);
        let along = Dir::ALL.map(|dir| {
            let (x, z) = dir.offset();
            [x as f32 * side, z as f32 * side]
        });
        let level_costs = None;
        let mut metric = Metric {
            view,
            model,
            limit,
            along,
            coarseness,
            scale,
            least,
            lower_bound_cost,
            is_least_sound,
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
        Metric::new(self.view, self.model, self.limit, self.coarseness + 1)
    }

    /// How coarse the units have to be at least: so that a metre of rise or of the cheapest ground can be
    /// counted. That other ground is dearer need not concern a way.
    pub(crate) fn least_coarseness(view: &ViewRef, model: &M) -> i32 {
        let CostLowerBound { straight, ascend, descend, .. } = sound(model.least(view.view));
        let units = straight.max(ascend).max(descend) * units_of(model, view);
        let fits = |times: &i32| units / COARSER.powi(*times) <= MOST as f32;
        (0..COARSEST).find(fits).unwrap_or(COARSEST)
    }

    /// About the most that a step adds to what a way is estimated to cost [units]: a few diagonals
    /// over the dearest ground.
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

    /// The most units that cost no more than so much [metres-equivalent].
    pub(crate) fn units_within(&self, cost: f32) -> u32 {
        (f64::from(cost) * f64::from(self.scale)) as u32
    }

    /// Units as metres-equivalent.
    pub(crate) fn cost(&self, units: u32) -> f32 {
        (f64::from(units) / f64::from(self.scale)) as f32
    }

    /// What is asked of a span for every step from it or to it.
    #[inline(always)]
    pub(crate) fn search_node(&self, address: SpanAddress) -> SearchNode {
        let floor = self.view.floor(address.span);
        SearchNode { address, floor, potentials: self.least.potentials(floor) }
    }

    /// As [`Self::search_node`], next to another one: most have the same floor.
    #[inline(always)]
    pub(crate) fn search_node_beside(
        &self,
        address: SpanAddress,
        other: &SearchNode,
    ) -> SearchNode {
        let floor = self.view.floor(address.span);
        let potentials =
            if floor == other.floor { other.potentials } else { self.least.potentials(floor) };
        SearchNode { address, floor, potentials }
    }

    /// What a step costs from one foothold to another [units]; `None` where the model or the slope
    /// limit forbids it. Costs too large to count come out as the largest number.
    #[inline(always)]
    pub(crate) fn between(&self, [from, to]: [&SearchNode; 2], dir: Dir) -> Option<u32> {
        let rise = to.floor - from.floor;
        if rise == 0.0
            && let Some(level) = self.level_costs.filter(|_| self.limit.is_none())
        {
            return Some(level[dir.index() % 2]);
        }
        let piece =
            self.piece([from.address.span, to.address.span], 0.5, (self.along[dir.index()], rise));
        let flat = self.least.flat_costs()[dir.index() % 2];
        let heights = Potentials::between(from.potentials, to.potentials);
        if let Some(level) = self.level(&piece) {
            let level = self.allowed(&piece, level)?;
            return Some(self.units(level).max(flat).saturating_add(heights));
        }
        let cost = self.price(&piece)?;
        Some(self.units(cost).max(flat.saturating_add(heights)))
    }

    /// As [`Self::between`] for ways from sources; for those to sources what the step back costs.
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

    /// Whether steps cost the same there and back, but for the marks of their ends.
    pub(crate) fn is_symmetric(&self) -> bool {
        let Some(span) = self.view.spans().first() else { return false };
        let piece = Edge { from: span, to: span, along: self.along[0], rise: 0.0, factor: 1.0 };
        self.limit.is_none() && self.level(&piece).is_some()
    }

    /// What a piece costs but for its rise and fall [metres-equivalent], where that is told and these
    /// can be counted.
    #[inline(always)]
    fn level(&self, piece: &Edge) -> Option<f32> {
        if self.is_least_sound { self.model.level(piece) } else { None }
    }

    /// What a step costs on a span's own level and kind of ground, by a model that is uniform
    /// [units].
    #[inline(always)]
    pub(crate) fn level_step(&self, span: u32, dir: Dir) -> u32 {
        match self.level_costs {
            Some(costs) => costs[dir.index() % 2],
            None => self.on_level(self.view.factor_on(span), dir).unwrap_or(u32::MAX),
        }
    }

    /// What a level step costs over ground of a factor, by a model that is uniform [units]; `None`
    /// where the model forbids it.
    fn on_level(&self, factor: f32, dir: Dir) -> Option<u32> {
        let span = self.view.spans().first()?;
        let along = self.along[dir.index()];
        let cost = self.model.cost(&Edge { from: span, to: span, along, rise: 0.0, factor });
        let flat = self.least.flat_costs()[dir.index() % 2];
        (cost < f32::INFINITY).then(|| self.units(cost.max(0.0)).max(flat))
    }

    /// Where only natural steps need to be looked at, see [`natural`](super::natural); `None` where
    /// the costs or the directions do not allow that anywhere. O(kinds of ground).
    pub(crate) fn uniform_ground(&self, directions: Directions) -> Option<UniformGround<'a>> {
        let view = self.view;
        let saves = |factor: f32| {
            let costs = [Dir::STRAIGHT[0], Dir::DIAGONAL[0]].map(|dir| self.on_level(factor, dir));
            matches!(costs, [Some(a), Some(b)] if a < b && b - a < a)
        };
        let is_sound = directions == Directions::Eight && self.model.is_uniform();
        let is_sound = is_sound && view.open_factors().all(saves);
        if is_sound { view.uniform_ground() } else { None }
    }

    /// What a link costs [units]; `None` where the model forbids it.
    pub(crate) fn link(&self, link_edge: &LinkEdge) -> Option<u32> {
        self.link_price(link_edge).map(|cost| self.units(cost))
    }

    /// What a link costs [metres-equivalent]; `None` where the model forbids it.
    pub(crate) fn link_price(&self, link_edge: &LinkEdge) -> Option<f32> {
        let cost = self.model.link(&self.view.grid().links()[link_edge.link as usize]);
        (cost < f32::INFINITY).then_some(cost.max(0.0))
    }

    /// A piece of way between two spans; `share` of it lies on the first [0..=1].
    #[inline(always)]
    pub(crate) fn piece(
        &self,
        ends: [u32; 2],
        share: f32,
        (along, rise): ([f32; 2], f32),
    ) -> Edge<'a> {
        let spans = self.view.spans();
        let (from, to) = (&spans[ends[0] as usize], &spans[ends[1] as usize]);
        let (first, second) = (self.view.factor_on(ends[0]), self.view.factor_on(ends[1]));
        Edge { from, to, along, rise, factor: first * share + second * (1.0 - share) }
    }

    /// What a piece costs [metres-equivalent]; `None` where nobody may go.
    #[inline(always)]
    pub(crate) fn price(&self, piece: &Edge) -> Option<f32> {
        self.allowed(piece, self.model.cost(piece))
    }

    /// What a model asks for a piece, where one may go.
    #[inline(always)]
    fn allowed(&self, piece: &Edge, cost: f32) -> Option<f32> {
        // NaN is as forbidden as infinity.
        let allowed = cost < f32::INFINITY && self.limit.is_none_or(|limit| limit.allows(piece));
        allowed.then_some(cost.max(0.0))
    }

    /// What no way between two points costs less than, by its straight length and its height
    /// [metres-equivalent].
    pub(crate) fn least_between(&self, from: Point3<f32>, to: Point3<f32>) -> f64 {
        let CostLowerBound { straight, diagonal, ascend, descend } = self.lower_bound_cost;
        let along = to - from;
        let metre = straight.min(diagonal * FRAC_1_SQRT_2) / self.view.cell_size();
        let heights = ascend * along.y.max(0.0) + descend * (-along.y).max(0.0);
        f64::from(metre * (along.x * along.x + along.z * along.z).sqrt() + heights)
    }

    /// What no way between two places costs less than, links or not [metres-equivalent].
    pub(crate) fn least_way(&self, [from, to]: &[NavPoint; 2]) -> f64 {
        let direct = self.least_between(from.point, to.point);
        let (mut there, mut expander) = (f64::INFINITY, f64::INFINITY);
        for link_edge in self.view.open_links() {
            let [start, end] = NavPoint::link_ends(self.view, link_edge);
            let between = self.least_between(start.point, end.point);
            // Other links bring one nowhere that walking could not at the same cost.
            if self.link_price(link_edge).is_some_and(|cost| f64::from(cost) < between) {
                there = there.min(self.least_between(from.point, start.point));
                expander = expander.min(self.least_between(end.point, to.point));
            }
        }
        direct.min(there + expander)
    }

    #[inline(always)]
    fn units(&self, cost: f32) -> u32 {
        let units = cost * self.scale;
        if units > MOST as f32 { u32::MAX } else { (f64::from(units) + ONES).to_bits() as u32 }
    }
}

/// How many units to the metre-equivalent a model wants, where it can have them.
fn units_of<M: CostModel + ?Sized>(model: &M, view: &ViewRef) -> f32 {
    let units = model.units(view.view);
    let sound = units.is_finite() && units > 0.0;
    if sound { units } else { HeightCost::FLAT.units(view.view) }
}

/// What a model says of itself, where it can be true; nothing else.
fn sound(least: CostLowerBound) -> CostLowerBound {
    let sound = |cost: f32| if cost.is_finite() { cost.max(0.0) } else { 0.0 };
    CostLowerBound {
        straight: sound(least.straight),
        diagonal: sound(least.diagonal),
        ascend: sound(least.ascend),
        descend: sound(least.descend),
    }
}
