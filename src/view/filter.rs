//! Provides [`AreaFilter`]: a query's own factors and exclusions.

use crate::grid::{AreaId, Factors};

/// A query's own rules by area: forbid it, or multiply its cost.
///
/// The equivalent of Detour's `dtQueryFilter` and Unity's `areaMask`. It multiplies the factor that
/// the grid or the overlay gives an area, and works with every cost model that reads
/// [`Edge::factor`](crate::cost::Edge::factor); forbidding works with every model.
///
/// ```
/// use surefoot::grid::AreaId;
/// use surefoot::view::AreaFilter;
/// let (mud, water) = (AreaId(1), AreaId(2));
/// let filter = AreaFilter::default().scale(mud, 3.0)?.forbid(water);
/// assert!(!filter.is_empty());
/// # Ok::<(), surefoot::view::FilterError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AreaFilter {
    /// Sorted by area; infinite for a forbidden one.
    scales: Vec<(AreaId, f32)>,
}

/// A scale that a filter cannot have.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the scale of area {} is {scale}; it must be finite and greater than 0", .area.0)]
pub struct FilterError {
    /// Which area.
    pub area: AreaId,
    /// The refused scale.
    pub scale: f32,
}

impl AreaFilter {
    /// Multiplies the cost of an area [> 0, finite].
    ///
    /// # Errors
    /// A scale out of its range.
    pub fn scale(self, area: AreaId, scale: f32) -> Result<Self, FilterError> {
        if scale.is_finite() && scale > 0.0 {
            Ok(self.with(area, scale))
        } else {
            Err(FilterError { area, scale })
        }
    }

    /// Forbids an area: no path crosses it, starts in it or ends in it.
    pub fn forbid(self, area: AreaId) -> Self {
        self.with(area, f32::INFINITY)
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    fn with(mut self, area: AreaId, scale: f32) -> Self {
        match self.scales.binary_search_by_key(&area, |&(area, _)| area) {
            Ok(at) => self.scales[at].1 = scale,
            Err(at) => self.scales.insert(at, (area, scale)),
        }
        self
    }

    pub(super) fn apply(&self, factors: &Factors) -> Factors {
        let mut scaled = *factors;
        for &(area, scale) in &self.scales {
            scaled[usize::from(area.0)] *= scale;
        }
        scaled
    }
}
