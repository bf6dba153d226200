//! What a path costs: the trait anyone may implement, and the two models that come with it.
//!
//! A model prices pieces of path. A step from span to span is one piece; so is each stretch of a
//! straight segment from the middle of one cell it crosses to the middle of the next. Both are priced
//! by the same rule, so a segment and the steps it replaces can be compared.

use crate::grid::{Link, Span};

use crate::view::View;

/// A piece of path over the ground, from one span onto itself or a neighboring one.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'a> {
    /// The span it starts on.
    pub from: &'a Span,
    /// The span it ends on.
    pub to: &'a Span,
    /// How far it leads along x and z [m].
    pub along: [f32; 2],
    /// How much higher it ends than it starts [m].
    pub rise: f32,
    /// What a metre of it costs: the mean of both spans' area factors, by their part of the path.
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

/// What no piece of path costs less than; see [`CostModel::least`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostLowerBound {
    /// A step to a straight neighbor on level ground.
    pub straight: f32,
    /// A step to a diagonal neighbor on level ground.
    pub diagonal: f32,
    /// A metre of rise, in addition.
    pub ascend: f32,
    /// A metre of fall, in addition.
    pub descend: f32,
}

/// Prices paths. Implement it to count what the built-in models do not: danger, darkness, noise.
///
/// ```
/// use surefoot::solve::{CostModel, HeightCost, LeastCost, Piece, View};
///
/// /// Everything above 10 m is twice as expensive.
/// struct ThinAir(HeightCost);
///
/// impl CostModel for ThinAir {
///     fn cost(&self, piece: &Piece) -> f32 {
///         let high = piece.from.floor.max(piece.to.floor) > 10.0;
///         self.0.cost(piece) * if high { 2.0 } else { 1.0 }
///     }
///     fn least(&self, view: &View) -> LeastCost {
///         self.0.least(view)
///     }
/// }
/// ```
pub trait CostModel {
    /// What a piece costs [metres-equivalent, >= 0]; infinite, or NaN, where nobody may go.
    fn cost(&self, piece: &Edge) -> f32;

    /// What no step costs less than. The heuristic is made from it: the nearer to the truth, the
    /// faster the search. A piece that costs less than it says is taken to cost as much.
    fn least(&self, view: &View) -> CostLowerBound;

    /// Whether on level ground of one kind all straight steps cost the same, and all diagonal ones,
    /// wherever they are and whichever way they lead. A search then looks at fewer neighbors there.
    /// Of no consequence but that, and safe to leave at false.
    fn is_uniform(&self) -> bool {
        false
    }

    /// What a piece costs but for its rise and fall [metres-equivalent, >= 0], where those cost just
    /// what [`Self::least`] says and the rest is the same there and back, to the last bit; or forbidden
    /// both ways. `None`, always, where that is not so, or not known. It makes prepared routes take
    /// half the memory and less time. Of no other consequence.
    fn level(&self, _piece: &Edge) -> Option<f32> {
        None
    }

    /// What taking a link costs [metres-equivalent, >= 0]; infinite to forbid it.
    fn link(&self, link: &Link) -> f32 {
        link.cost
    }

    /// Inside, costs are whole numbers: this many units to the metre-equivalent. The default
    /// divides the side of a cell into 2,378, for a diagonal is then 3,363.00001: the lengths of
    /// long paths keep seven digits.
    fn units(&self, view: &View) -> f32 {
        UNITS_A_CELL / view.cell_size()
    }
}

/// Denominator of a fraction that comes very near to the root of 2.
const UNITS_A_CELL: f32 = 2378.0;

/// The built-in model: `factor · length + ascend · rise + descend · fall`, lengths in space, the
/// factor that of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightCost {
    /// What a metre of rise costs in addition [metres-equivalent, >= 0].
    pub ascend: f32,
    /// What a metre of fall costs in addition [metres-equivalent, >= 0].
    pub descend: f32,
}

impl Default for HeightCost {
    fn default() -> Self {
        HeightCost { ascend: 1.0, descend: 0.0 }
    }
}

impl HeightCost {
    /// Only length and area count.
    pub const FLAT: HeightCost = HeightCost { ascend: 0.0, descend: 0.0 };
}

impl CostModel for HeightCost {
    #[inline]
    fn cost(&self, piece: &Edge) -> f32 {
        // Level ground is free of a charge that forbids all rise.
        let charge = |each: f32, height: f32| if height > 0.0 { each * height } else { 0.0 };
        let heights = charge(self.ascend, piece.rise) + charge(self.descend, -piece.rise);
        piece.factor * piece.length() + heights
    }

    fn least(&self, view: &View) -> CostLowerBound {
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
    fn level(&self, piece: &Edge) -> Option<f32> {
        Some(piece.factor * piece.length())
    }
}

/// Costs by cell, as in textbooks: so much for a straight step, so much for a diagonal one, and so
/// much for each metre up or down. Kinds of ground multiply the steps.
///
/// A straight segment of any direction costs what the cheapest row of such steps between its ends
/// would cost if steps could be divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellCost {
    /// Side of a cell [m, > 0]; has to be the grid's.
    pub cell_size: f32,
    /// A straight step [>= 0].
    pub straight: f32,
    /// A diagonal step [>= 0]; more than two straight ones are never taken for it.
    pub diagonal: f32,
    /// A metre of height difference, up or down [>= 0].
    pub height: f32,
}

impl CellCost {
    /// 10 for a straight step and 14 for a diagonal one; heights do not count.
    pub fn ten_fourteen(cell_size: f32) -> Self {
        CellCost { cell_size, straight: 10.0, diagonal: 14.0, height: 0.0 }
    }

    /// A piece as if it did not rise or fall.
    #[inline]
    fn flat(&self, piece: &Edge) -> f32 {
        let [x, z] = piece.along.map(|metres| metres.abs() / self.cell_size);
        let (short, long) = (x.min(z), x.max(z));
        piece.factor * (short * self.across() + (long - short) * self.straight)
    }

    /// A step of 1 by 1 cell, or the two straight ones that do the same.
    fn across(&self) -> f32 {
        self.diagonal.min(2.0 * self.straight)
    }
}

impl CostModel for CellCost {
    #[inline]
    fn cost(&self, piece: &Edge) -> f32 {
        self.flat(piece) + self.height * piece.rise.abs()
    }

    fn least(&self, view: &View) -> CostLowerBound {
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
    fn level(&self, piece: &Edge) -> Option<f32> {
        Some(self.flat(piece))
    }

    /// A power of two, so that whole costs stay whole.
    fn units(&self, _: &View) -> f32 {
        let most = self.straight.max(self.diagonal).max(f32::MIN_POSITIVE);
        2f32.powi(11 - most.log2().floor().clamp(-100.0, 100.0) as i32)
    }
}
