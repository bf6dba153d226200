//! What steps, links and legs cost on one terrain, in whole units.
//!
//! A search adds thousands of costs and compares the sums. In floating point their order decides
//! the last digits, and with them which of two ways counts as shorter; in whole numbers the
//! cheapest way is the cheapest, and the heuristic never exceeds it by a rounding.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

use nalgebra::Point3;

use crate::grid::{Dir, Exit, Spot};

use super::cost::{CostModel, HeightCost, LeastCost, Piece};
use super::ends::Footing;
use super::field::Flow;
use super::natural::EvenGround;
use super::query::Directions;
use super::rulers::{LeastUnits, ONES, lean};
use super::terrain::Terrain;

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
    pub(crate) fn of(terrain: &Terrain, steepest: Option<f32>) -> Option<Self> {
        let max_climb = terrain.agent().max_climb;
        steepest.filter(|&limit| limit < FRAC_PI_2).map(|limit| SlopeLimit {
            cosine: limit.cos(),
            tangent: limit.tan(),
            max_climb,
        })
    }

    /// The floor it leads to is within the limit, and the straight rise within it or the climb.
    fn allows(&self, piece: &Piece) -> bool {
        let rise = piece.rise.abs() - HEIGHT_ROUNDING;
        piece.to.normal().y >= self.cosine - COSINE_ROUNDING
            && (rise <= self.max_climb || rise <= self.tangent * piece.run())
    }
}

/// What everything costs: a model on a terrain, with the numbers a search needs of it.
pub(crate) struct Tariff<'a, M: ?Sized> {
    pub terrain: &'a Terrain<'a>,
    model: &'a M,
    limit: Option<SlopeLimit>,
    /// Along x and z for each direction [m].
    along: [[f32; 2]; 8],
    /// How often the scale was found too fine.
    pub coarseness: i32,
    /// Units to the metre-equivalent.
    scale: f32,
    pub least: LeastUnits,
    least_cost: LeastCost,
    /// All that the model says of its least costs can be true, those of rise and fall among them.
    is_least_sound: bool,
    /// What level steps cost where all ground costs the same, by a model that is uniform: straight,
    /// diagonal.
    level_costs: Option<[u32; 2]>,
}

/// A span that steps lead from and to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foothold {
    pub spot: Spot,
    /// Height of its floor [m].
    pub floor: f32,
    /// Those of its floor.
    pub marks: [i64; 2],
}

impl Foothold {
    /// The mark of its floor on the third ruler, see [`LeastUnits::lean`].
    #[inline(always)]
    pub(crate) fn lean(&self) -> i64 {
        lean(self.marks)
    }
}

/// Coarser scales divide the units by powers of this.
const COARSER: f32 = 64.0;
/// Beyond this the dearest ways of the largest grids can be counted, whatever a metre costs.
pub(crate) const COARSEST: i32 = 20;
/// A single cost beyond this leaves no room to add, and counts as too large [units].
pub(crate) const MOST: u32 = u32::MAX / 4;

impl<'a, M: CostModel + ?Sized> Tariff<'a, M> {
    /// `coarseness` counts how often the scale was found too fine.
    pub(crate) fn new(
        terrain: &'a Terrain<'a>,
        model: &'a M,
        limit: Option<SlopeLimit>,
        coarseness: i32,
    ) -> Self {
        let side = terrain.cell_size();
        let scale = units_of(model, terrain) / COARSER.powi(coarseness);
        let told = model.least(terrain);
        let least_cost = sound(told);
        let is_least_sound = least_cost == told;
        let least = LeastUnits::new(&least_cost, scale);
        let along = Dir::ALL.map(|dir| {
            let (x, z) = dir.offset();
            [x as f32 * side, z as f32 * side]
        });
        let level_costs = None;
        let mut tariff = Tariff {
            terrain,
            model,
            limit,
            along,
            coarseness,
            scale,
            least,
            least_cost,
            is_least_sound,
            level_costs,
        };
        if let Some(factor) = terrain.one_factor().filter(|_| model.is_uniform()) {
            let costs =
                [Dir::STRAIGHT[0], Dir::DIAGONAL[0]].map(|dir| tariff.on_level(factor, dir));
            tariff.level_costs = if let [Some(a), Some(b)] = costs { Some([a, b]) } else { None };
        }
        tariff
    }

    /// How coarse the units have to be at least: so that a metre of rise or of the cheapest ground can be
    /// counted. That other ground is dearer need not concern a way.
    pub(crate) fn least_coarseness(terrain: &Terrain, model: &M) -> i32 {
        let LeastCost { straight, ascend, descend, .. } = sound(model.least(terrain));
        let units = straight.max(ascend).max(descend) * units_of(model, terrain);
        let fits = |times: &i32| units / COARSER.powi(*times) <= MOST as f32;
        (0..COARSEST).find(fits).unwrap_or(COARSEST)
    }

    /// About the most that a step adds to what a way is estimated to cost [units]: a few diagonals
    /// over the dearest ground.
    pub(crate) fn reach(&self) -> u32 {
        const DIAGONALS: f32 = 4.0;
        let dearest = self.terrain.dearest_factor() / self.terrain.least_factor();
        let dearest = if dearest.is_finite() { dearest } else { 1.0 };
        (self.least.diagonal as f32 * dearest * DIAGONALS) as u32
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
    pub(crate) fn foothold(&self, spot: Spot) -> Foothold {
        let floor = self.terrain.floor(spot.span);
        Foothold { spot, floor, marks: self.least.marks(floor) }
    }

    /// As [`Self::foothold`], next to another one: most have the same floor.
    #[inline(always)]
    pub(crate) fn foothold_beside(&self, spot: Spot, other: &Foothold) -> Foothold {
        let floor = self.terrain.floor(spot.span);
        let marks = if floor == other.floor { other.marks } else { self.least.marks(floor) };
        Foothold { spot, floor, marks }
    }

    /// What a step costs from one foothold to another [units]; `None` where the model or the slope
    /// limit forbids it. Costs too large to count come out as the largest number.
    #[inline(always)]
    pub(crate) fn between(&self, [from, to]: [&Foothold; 2], dir: Dir) -> Option<u32> {
        let rise = to.floor - from.floor;
        if rise == 0.0
            && let Some(level) = self.level_costs.filter(|_| self.limit.is_none())
        {
            return Some(level[dir.index() % 2]);
        }
        let piece =
            self.piece([from.spot.span, to.spot.span], 0.5, (self.along[dir.index()], rise));
        let flat = self.least.flat_costs()[dir.index() % 2];
        let heights = LeastUnits::between(from.marks, to.marks);
        if let Some(level) = self.level(&piece) {
            let level = self.allowed(&piece, level)?;
            return Some(self.units(level).max(flat).saturating_add(heights));
        }
        let cost = self.price(&piece)?;
        Some(self.units(cost).max(flat.saturating_add(heights)))
    }

    /// As [`Self::between`] for ways from sources; for those to sources what the step back costs.
    #[inline(always)]
    pub(crate) fn flowing(&self, flow: Flow, [from, to]: [&Foothold; 2], dir: Dir) -> Option<u32> {
        match flow {
            Flow::FromSources => self.between([from, to], dir),
            Flow::ToSources => self.between([to, from], dir.opposite()),
        }
    }

    /// Whether steps cost the same there and back, but for the marks of their ends.
    pub(crate) fn is_symmetric(&self) -> bool {
        let Some(span) = self.terrain.spans().first() else { return false };
        let piece = Piece { from: span, to: span, along: self.along[0], rise: 0.0, factor: 1.0 };
        self.limit.is_none() && self.level(&piece).is_some()
    }

    /// What a piece costs but for its rise and fall [metres-equivalent], where that is told and these
    /// can be counted.
    #[inline(always)]
    fn level(&self, piece: &Piece) -> Option<f32> {
        if self.is_least_sound { self.model.level(piece) } else { None }
    }

    /// What a step costs on a span's own level and kind of ground, by a model that is uniform
    /// [units].
    #[inline(always)]
    pub(crate) fn level_step(&self, span: u32, dir: Dir) -> u32 {
        match self.level_costs {
            Some(costs) => costs[dir.index() % 2],
            None => self.on_level(self.terrain.factor_on(span), dir).unwrap_or(u32::MAX),
        }
    }

    /// What a level step costs over ground of a factor, by a model that is uniform [units]; `None`
    /// where the model forbids it.
    fn on_level(&self, factor: f32, dir: Dir) -> Option<u32> {
        let span = self.terrain.spans().first()?;
        let along = self.along[dir.index()];
        let cost = self.model.cost(&Piece { from: span, to: span, along, rise: 0.0, factor });
        let flat = self.least.flat_costs()[dir.index() % 2];
        (cost < f32::INFINITY).then(|| self.units(cost.max(0.0)).max(flat))
    }

    /// Where only natural steps need to be looked at, see [`natural`](super::natural); `None` where
    /// the costs or the directions do not allow that anywhere. O(kinds of ground).
    pub(crate) fn even_ground(&self, directions: Directions) -> Option<EvenGround<'a>> {
        let terrain = self.terrain;
        let saves = |factor: f32| {
            let costs = [Dir::STRAIGHT[0], Dir::DIAGONAL[0]].map(|dir| self.on_level(factor, dir));
            matches!(costs, [Some(a), Some(b)] if a < b && b - a < a)
        };
        let is_sound = directions == Directions::Eight && self.model.is_uniform();
        let is_sound = is_sound && terrain.open_factors().all(saves);
        if is_sound { terrain.even_ground() } else { None }
    }

    /// What a link costs [units]; `None` where the model forbids it.
    pub(crate) fn link(&self, exit: &Exit) -> Option<u32> {
        self.link_price(exit).map(|cost| self.units(cost))
    }

    /// What a link costs [metres-equivalent]; `None` where the model forbids it.
    pub(crate) fn link_price(&self, exit: &Exit) -> Option<f32> {
        let cost = self.model.link(&self.terrain.grid().links()[exit.link as usize]);
        (cost < f32::INFINITY).then_some(cost.max(0.0))
    }

    /// A piece of way between two spans; `share` of it lies on the first [0..=1].
    #[inline(always)]
    pub(crate) fn piece(
        &self,
        ends: [u32; 2],
        share: f32,
        (along, rise): ([f32; 2], f32),
    ) -> Piece<'a> {
        let spans = self.terrain.spans();
        let (from, to) = (&spans[ends[0] as usize], &spans[ends[1] as usize]);
        let (first, second) = (self.terrain.factor_on(ends[0]), self.terrain.factor_on(ends[1]));
        Piece { from, to, along, rise, factor: first * share + second * (1.0 - share) }
    }

    /// What a piece costs [metres-equivalent]; `None` where nobody may go.
    #[inline(always)]
    pub(crate) fn price(&self, piece: &Piece) -> Option<f32> {
        self.allowed(piece, self.model.cost(piece))
    }

    /// What a model asks for a piece, where one may go.
    #[inline(always)]
    fn allowed(&self, piece: &Piece, cost: f32) -> Option<f32> {
        // NaN is as forbidden as infinity.
        let allowed = cost < f32::INFINITY && self.limit.is_none_or(|limit| limit.allows(piece));
        allowed.then_some(cost.max(0.0))
    }

    /// What no way between two points costs less than, by its straight length and its height
    /// [metres-equivalent].
    pub(crate) fn least_between(&self, from: Point3<f32>, to: Point3<f32>) -> f64 {
        let LeastCost { straight, diagonal, ascend, descend } = self.least_cost;
        let along = to - from;
        let metre = straight.min(diagonal * FRAC_1_SQRT_2) / self.terrain.cell_size();
        let heights = ascend * along.y.max(0.0) + descend * (-along.y).max(0.0);
        f64::from(metre * (along.x * along.x + along.z * along.z).sqrt() + heights)
    }

    /// What no way between two places costs less than, links or not [metres-equivalent].
    pub(crate) fn least_way(&self, [from, to]: &[Footing; 2]) -> f64 {
        let direct = self.least_between(from.point, to.point);
        let (mut there, mut onward) = (f64::INFINITY, f64::INFINITY);
        for exit in self.terrain.open_links() {
            let [start, end] = Footing::link_ends(self.terrain, exit);
            let between = self.least_between(start.point, end.point);
            // Other links bring one nowhere that walking could not at the same cost.
            if self.link_price(exit).is_some_and(|cost| f64::from(cost) < between) {
                there = there.min(self.least_between(from.point, start.point));
                onward = onward.min(self.least_between(end.point, to.point));
            }
        }
        direct.min(there + onward)
    }

    #[inline(always)]
    fn units(&self, cost: f32) -> u32 {
        let units = cost * self.scale;
        if units > MOST as f32 { u32::MAX } else { (f64::from(units) + ONES).to_bits() as u32 }
    }
}

/// How many units to the metre-equivalent a model wants, where it can have them.
fn units_of<M: CostModel + ?Sized>(model: &M, terrain: &Terrain) -> f32 {
    let units = model.units(terrain);
    let sound = units.is_finite() && units > 0.0;
    if sound { units } else { HeightCost::FLAT.units(terrain) }
}

/// What a model says of itself, where it can be true; nothing else.
fn sound(least: LeastCost) -> LeastCost {
    let sound = |cost: f32| if cost.is_finite() { cost.max(0.0) } else { 0.0 };
    LeastCost {
        straight: sound(least.straight),
        diagonal: sound(least.diagonal),
        ascend: sound(least.ascend),
        descend: sound(least.descend),
    }
}
