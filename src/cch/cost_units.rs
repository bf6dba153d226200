//! Provides [`ReducedCost`] and [`OriginalCost`]: the two currencies of prepared routes.
//!
//! Based on: Johnson, "Efficient algorithms for shortest paths in sparse networks", 1977.

use std::ops::Add;

/// A cost by the cost model, in units of its metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OriginalCost(pub u32);

/// A cost reduced by the node potentials of its ends, in units of the metric.
///
/// The same layout as a `u32`, so that rows of them are added and compared as fast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ReducedCost(pub u32);

impl OriginalCost {
    /// There is no path, as searches say it.
    pub(crate) const INFINITE: OriginalCost = OriginalCost(u32::MAX);

    /// Whether there is a path, and its cost did not overflow.
    pub(crate) fn is_countable(self) -> bool {
        self.0 < ReducedCost::OVERFLOW.0
    }
}

impl ReducedCost {
    pub(crate) const ZERO: ReducedCost = ReducedCost(0);
    /// There is no path. Twice this is still a `u32`, so two costs are added without a check.
    pub(crate) const INFINITE: ReducedCost = ReducedCost(u32::MAX / 2);
    /// There is a path, but it costs too much to be counted.
    pub(crate) const OVERFLOW: ReducedCost = ReducedCost(Self::INFINITE.0 - 1);

    /// Whether there is a path; its cost may have overflowed.
    #[inline(always)]
    pub(crate) fn is_finite(self) -> bool {
        self.0 < Self::INFINITE.0
    }

    /// Whether there is a path, and its cost did not overflow.
    #[inline(always)]
    pub(crate) fn is_countable(self) -> bool {
        self.0 < Self::OVERFLOW.0
    }

    /// The cost itself; 0 if there is no path.
    #[inline(always)]
    pub(crate) fn finite_or_zero(self) -> Self {
        if self.is_finite() { self } else { Self::ZERO }
    }

    /// The lesser of two costs. [`Ord::min`] would do, but is not always vectorized.
    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        ReducedCost(self.0.min(other.0))
    }

    /// The greater of two costs, likewise.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        ReducedCost(self.0.max(other.0))
    }
}

impl Add for ReducedCost {
    type Output = ReducedCost;

    #[inline(always)]
    fn add(self, other: ReducedCost) -> ReducedCost {
        ReducedCost(self.0 + other.0)
    }
}
