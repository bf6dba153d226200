//! The least that ways cost for steps and heights, in whole units: what estimates are made of.

use crate::cost::model::CostLowerBound;

/// What no step costs less than, in units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Potentials {
    pub straight: u32,
    pub diagonal: u32,
    /// To half a metre of rise, and of fall.
    ascend: f64,
    descend: f64,
    /// Neither rise nor fall costs anything.
    is_level: bool,
}

impl Potentials {
    /// Of what a model says that no step costs less than, as whole units.
    pub(crate) fn new(least: &CostLowerBound, scale: f32) -> Self {
        let units = |cost: f32| (cost * scale + 0.5) as u32;
        Potentials {
            straight: units(least.straight),
            diagonal: units(least.diagonal),
            ascend: f64::from(0.5 * least.ascend * scale),
            descend: f64::from(0.5 * least.descend * scale),
            is_level: least.ascend == 0.0 && least.descend == 0.0,
        }
    }

    /// The least that a step costs on level ground: straight, diagonal.
    #[inline]
    pub(crate) fn flat_costs(&self) -> [u32; 2] {
        [self.straight, self.diagonal]
    }

    /// The same for ways that are gone backwards.
    pub(crate) fn reversed(self) -> Self {
        Potentials { ascend: self.descend, descend: self.ascend, ..self }
    }

    /// Marks on two rulers, one up and one down: what a way costs for its rises and falls is at
    /// least how far its ends are apart on each, and for a step that is what its cost contains. All are
    /// even, so that there is one in the middle between two.
    #[inline(always)]
    pub(crate) fn potentials(&self, height: f32) -> [i64; 2] {
        if self.is_level {
            return [0; 2];
        }
        let height = f64::from(height);
        [2 * nearest(height * self.ascend), 2 * nearest(height * self.descend)]
    }

    /// The mark on a third ruler, that tells the way there from the way back: from one end to the
    /// other a way costs as much more than both ways on average as its end is higher on it.
    #[inline(always)]
    pub(crate) fn node_potential(&self, height: f32) -> i64 {
        node_potential(self.potentials(height))
    }

    /// The least that a way costs for rise and fall, by the marks of its ends.
    #[inline(always)]
    pub(crate) fn between(from: [i64; 2], to: [i64; 2]) -> u32 {
        let (rise, fall) = ((to[0] - from[0]).max(0), (from[1] - to[1]).max(0));
        (rise + fall).min(u32::MAX.into()) as u32
    }
}

/// See [`Potentials::node_potential`].
pub(super) fn node_potential([up, down]: [i64; 2]) -> i64 {
    (up - down) / 2
}

/// A number whose lowest bit counts ones: a number that is added leaves its nearest whole number in the
/// lowest bits. A conversion takes several times as long.
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
    fn heights_of_any_size_have_marks_in_their_order() {
        let least =
            Potentials { straight: 1, diagonal: 1, ascend: 1e9, descend: 0.3, is_level: false };
        let heights = [f32::MIN, -1e20, -1e9, -8_000.0, 0.0, 8_000.0, 1e9, 1e20, f32::MAX];
        let potentials = heights.map(|height| least.potentials(height));
        for two in potentials.windows(2) {
            assert!(two[0][0] <= two[1][0] && two[0][1] <= two[1][1], "{two:?}");
            assert_eq!(Potentials::between(two[1], two[1]), 0);
        }
    }
}
