//! Node potentials of height, in whole units: what heuristics and prepared routes read.
//!
//! A model states a lower bound of its costs: so much for a level step, so much for a metre of rise and
//! of fall. For rise and fall that bound is the difference of potentials that depend on a node's height
//! alone. So a heuristic made of them is consistent, and costs reduced by them (Johnson) are the same in
//! both directions of a connection if height is all that tells the directions apart.
//! Based on: Johnson, "Efficient algorithms for shortest paths in sparse networks", 1977.

use super::model::CostLowerBound;

/// The lower bound that a cost model states, in whole units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FixedLowerBound {
    pub straight: u32,
    pub diagonal: u32,
    /// Per half a metre of rise, and of fall.
    ascend: f64,
    descend: f64,
    /// Neither rise nor fall costs anything.
    is_level: bool,
}

/// Potentials of a height: the cost of rising to it, and the negative cost of falling from it, counted
/// from height 0 [units]. Both are even, so that their half difference is whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeightPotential {
    pub ascend: i64,
    pub descend: i64,
}

impl FixedLowerBound {
    /// A lower bound in units of `scale` to the metre-equivalent.
    pub(crate) fn new(bound: &CostLowerBound, scale: f32) -> Self {
        let units = |cost: f32| (cost * scale + 0.5) as u32;
        // Finite, because height 0 times infinity is no number.
        let rate = |cost: f32| f64::from((0.5 * cost * scale).min(f32::MAX));
        FixedLowerBound {
            straight: units(bound.straight),
            diagonal: units(bound.diagonal),
            ascend: rate(bound.ascend),
            descend: rate(bound.descend),
            is_level: bound.ascend == 0.0 && bound.descend == 0.0,
        }
    }

    /// Lower bound of a level step: straight, diagonal.
    #[inline]
    pub(crate) fn flat_costs(&self) -> [u32; 2] {
        [self.straight, self.diagonal]
    }

    /// The bound for edges that are taken backwards.
    pub(crate) fn reversed(self) -> Self {
        FixedLowerBound { ascend: self.descend, descend: self.ascend, ..self }
    }

    /// The potential of a height [m].
    #[inline(always)]
    pub(crate) fn potential(&self, height: f32) -> HeightPotential {
        if self.is_level {
            return HeightPotential::default();
        }
        let height = f64::from(height);
        HeightPotential {
            ascend: 2 * nearest(height * self.ascend),
            descend: 2 * nearest(height * self.descend),
        }
    }
}

impl HeightPotential {
    /// The node potential by which original costs are reduced: a path's original cost exceeds its
    /// reduced cost by the difference of the node potentials of its ends.
    #[inline(always)]
    pub(crate) fn node(self) -> i64 {
        (self.ascend - self.descend) / 2
    }

    /// No two node potentials differ by more if their heights lie from one height to another.
    pub(crate) fn spread([low, high]: [Self; 2]) -> i64 {
        (high.ascend - low.ascend).max(high.descend - low.descend) / 2
    }

    /// Lower bound of the cost of rise and fall of every path between two heights, and exactly what the
    /// cost of a single connection contains [units].
    #[inline(always)]
    pub(crate) fn between(from: Self, to: Self) -> u32 {
        let rise = (to.ascend - from.ascend).max(0);
        let fall = (from.descend - to.descend).max(0);
        (rise + fall).min(u32::MAX.into()) as u32
    }
}

/// A float whose lowest mantissa bit counts ones: added to a number, it leaves the nearest whole number in
/// the lowest bits. A conversion instruction takes several times as long.
pub(super) const ONES: f64 = 1.5 * (1u64 << 52) as f64;

/// The nearest whole number, at most 2^50 either way.
#[inline(always)]
fn nearest(number: f64) -> i64 {
    const MOST: f64 = (1u64 << 50) as f64;
    let sum = number.clamp(-MOST, MOST) + ONES;
    sum.to_bits() as i64 - ONES.to_bits() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_whole_numbers_rise_with_the_numbers() {
        let numbers = [
            (-f64::INFINITY, -1 << 50),
            (-1e40, -1 << 50),
            (-3_000_000_000.4, -3_000_000_000),
            (-0.6, -1),
            (0.0, 0),
            (0.4, 0),
            (2_377.6, 2_378),
            (1e15, 1_000_000_000_000_000),
            (1e300, 1 << 50),
        ];
        for (number, whole) in numbers {
            assert_eq!(nearest(number), whole, "{number}");
        }
    }

    #[test]
    fn rises_too_expensive_for_numbers_have_potentials() {
        let bound =
            CostLowerBound { straight: 1.0, diagonal: 1.0, ascend: f32::MAX, descend: f32::MAX };
        let least = FixedLowerBound::new(&bound, 2378.0);
        assert_eq!(least.potential(0.0), HeightPotential::default());
        assert_eq!(least.potential(1.0).ascend, 2 << 50);
    }

    #[test]
    fn heights_of_any_size_have_potentials_in_their_order() {
        let least = FixedLowerBound {
            straight: 1,
            diagonal: 1,
            ascend: 1e9,
            descend: 0.3,
            is_level: false,
        };
        let heights = [f32::MIN, -1e20, -1e9, -8_000.0, 0.0, 8_000.0, 1e9, 1e20, f32::MAX];
        let potentials = heights.map(|height| least.potential(height));
        for two in potentials.windows(2) {
            let [low, high] = [two[0], two[1]];
            assert!(low.ascend <= high.ascend && low.descend <= high.descend, "{two:?}");
            assert_eq!(HeightPotential::between(high, high), 0);
        }
    }
}
