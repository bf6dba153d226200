//! Provides [`CostModel`]: what paths cost, by a rule that anyone can implement, and the two models that
//! come with the crate.
//!
//! A model prices edges. A connection between two spans is one edge; so is each edge of a straight
//! segment, from the middle of one cell it crosses to the middle of the next. Both are priced by the same
//! rule, so that a segment and the connections it replaces can be compared.

use crate::grid::{Link, Span};
use crate::portable;
use crate::view::View;

/// A straight edge over the ground, from one span to itself or to a neighbor.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// The span it starts on.
    pub from: &'a Span,
    /// The span it ends on.
    pub to: &'a Span,
    /// Its extent along x and z [m].
    pub along: [f32; 2],
    /// How much higher it ends than it starts [m].
    pub rise: f32,
    /// Cost of a metre: the mean of both spans' area factors, weighted by their parts of the edge.
    pub factor: f32,
}

impl Edge<'_> {
    /// Its horizontal length [m].
    #[inline]
    pub fn run(&self) -> f32 {
        (self.along[0] * self.along[0] + self.along[1] * self.along[1]).sqrt()
    }

    /// Its length in space [m].
    #[inline]
    pub fn length(&self) -> f32 {
        let [x, z] = self.along;
        (x * x + z * z + self.rise * self.rise).sqrt()
    }
}

/// A lower bound of the costs of a model; see [`CostModel::lower_bound`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostLowerBound {
    /// Of a step to a straight neighbor on level ground.
    pub straight: f32,
    /// Of a step to a diagonal neighbor on level ground.
    pub diagonal: f32,
    /// Of a metre of rise, in addition.
    pub ascend: f32,
    /// Of a metre of fall, in addition.
    pub descend: f32,
}

/// Prices edges and links. Implement it to count what the built-in models do not: danger, darkness,
/// noise.
///
/// ```
/// use surefoot::View;
/// use surefoot::cost::{CostLowerBound, CostModel, Edge, HeightCost};
///
/// /// Everything above 10 m is twice as expensive.
/// struct ThinAir(HeightCost);
///
/// impl CostModel for ThinAir {
///     fn cost(&self, edge: &Edge) -> f32 {
///         let is_high = edge.from.floor.max(edge.to.floor) > 10.0;
///         self.0.cost(edge) * if is_high { 2.0 } else { 1.0 }
///     }
///     fn lower_bound(&self, view: &View) -> CostLowerBound {
///         self.0.lower_bound(view)
///     }
/// }
/// ```
pub trait CostModel {
    /// Cost of an edge [metres-equivalent, >= 0]; infinite or NaN to forbid it.
    fn cost(&self, edge: &Edge) -> f32;

    /// A lower bound of the cost of every step. The heuristic is made from it: the closer the bound, the
    /// faster the search. An edge that costs less than the bound is counted as costing the bound.
    fn lower_bound(&self, view: &View) -> CostLowerBound;

    /// Whether on level ground of one area all straight steps cost the same, and all diagonal ones,
    /// wherever they are and whichever way they lead. A search then prunes neighbors there. It is always
    /// safe to return false.
    fn is_uniform(&self) -> bool {
        false
    }

    /// Cost of an edge without its rise and fall [metres-equivalent, >= 0].
    ///
    /// Return it only if rise and fall cost exactly what [`CostModel::lower_bound`] says, and the rest is
    /// the same in both directions to the last bit, or forbidden in both; otherwise always return `None`.
    /// It halves the memory of prepared routes where there are no links, and makes them faster. It changes
    /// nothing else.
    fn level_cost(&self, _edge: &Edge) -> Option<f32> {
        None
    }

    /// Cost of a link [metres-equivalent, >= 0]; infinite to forbid it.
    fn link_cost(&self, link: &Link) -> f32 {
        link.cost
    }

    /// Costs are counted in whole units: this many to the metre-equivalent. The default divides the side
    /// of a cell into 2,378 units, because a diagonal then has 3,363.00001: sums over long paths keep
    /// seven digits.
    fn units(&self, view: &View) -> f32 {
        UNITS_PER_CELL / view.cell_size()
    }
}

/// The denominator of a fraction that is very close to the square root of 2: 3363 / 2378.
const UNITS_PER_CELL: f32 = 2378.0;

/// The default model: `factor · length + ascend · rise + descend · fall`, with lengths in space and the
/// factor of the area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightCost {
    /// Additional cost of a metre of rise [metres-equivalent, >= 0].
    pub ascend: f32,
    /// Additional cost of a metre of fall [metres-equivalent, >= 0].
    pub descend: f32,
}

impl Default for HeightCost {
    fn default() -> Self {
        HeightCost { ascend: 1.0, descend: 0.0 }
    }
}

impl HeightCost {
    /// Counts length and area only.
    pub const FLAT: HeightCost = HeightCost { ascend: 0.0, descend: 0.0 };
}

impl CostModel for HeightCost {
    #[inline]
    fn cost(&self, edge: &Edge) -> f32 {
        // A charge that is infinite, to forbid all rise, must not forbid level ground: 0 times infinity is NaN.
        let charge = |each: f32, height: f32| if height > 0.0 { each * height } else { 0.0 };
        let heights = charge(self.ascend, edge.rise) + charge(self.descend, -edge.rise);
        edge.factor * edge.length() + heights
    }

    fn lower_bound(&self, view: &View) -> CostLowerBound {
        let side = view.cell_size();
        let metre = view.least_factor();
        CostLowerBound {
            straight: metre * side,
            diagonal: metre * (side * side + side * side).sqrt(),
            ascend: self.ascend,
            descend: self.descend,
        }
    }

    fn is_uniform(&self) -> bool {
        true
    }

    #[inline]
    fn level_cost(&self, edge: &Edge) -> Option<f32> {
        Some(edge.factor * edge.length())
    }
}

/// Costs by cell, as in textbooks: one cost for a straight step, one for a diagonal step, and one for each
/// metre up or down. Area factors multiply the steps.
///
/// A straight segment of any direction costs what the cheapest sequence of such steps between its ends
/// would cost if steps could be divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellCost {
    /// Side of a cell [m, > 0]; must be that of the grid.
    pub cell_size: f32,
    /// A straight step [>= 0].
    pub straight: f32,
    /// A diagonal step [>= 0]; counts as two straight steps if they are cheaper.
    pub diagonal: f32,
    /// A metre of height difference, up or down [>= 0].
    pub height: f32,
}

impl CellCost {
    /// 10 for a straight step, 14 for a diagonal one; heights do not count.
    pub fn ten_fourteen(cell_size: f32) -> Self {
        CellCost { cell_size, straight: 10.0, diagonal: 14.0, height: 0.0 }
    }

    /// Cost of an edge as if it did not rise or fall.
    #[inline]
    fn flat(&self, edge: &Edge) -> f32 {
        let [x, z] = edge.along.map(|metres| metres.abs() / self.cell_size);
        let (short, long) = (x.min(z), x.max(z));
        edge.factor * (short * self.across() + (long - short) * self.straight)
    }

    /// A step by one cell along both axes: diagonal, or two straight ones.
    fn across(&self) -> f32 {
        self.diagonal.min(2.0 * self.straight)
    }
}

impl CostModel for CellCost {
    #[inline]
    fn cost(&self, edge: &Edge) -> f32 {
        self.flat(edge) + self.height * edge.rise.abs()
    }

    fn lower_bound(&self, view: &View) -> CostLowerBound {
        let cell = view.least_factor();
        CostLowerBound {
            straight: cell * self.straight,
            diagonal: cell * self.across(),
            ascend: self.height,
            descend: self.height,
        }
    }

    fn is_uniform(&self) -> bool {
        true
    }

    #[inline]
    fn level_cost(&self, edge: &Edge) -> Option<f32> {
        Some(self.flat(edge))
    }

    /// A power of two, so that whole costs stay whole.
    fn units(&self, _: &View) -> f32 {
        let most = self.straight.max(self.diagonal).max(f32::MIN_POSITIVE);
        2f32.powi(11 - portable::log2(most).floor().clamp(-100.0, 100.0) as i32)
    }
}
