//! Provides [`SlopeLimit`]: the steepest ground that a query crosses.

use crate::portable;
use std::f32::consts::FRAC_PI_2;

use crate::view::ViewRef;

use super::model::Edge;

/// The steepest ground that a query crosses.
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
    /// The limit of a query [rad, inclusive]; `None` if it has none, or one that nothing exceeds. Steps
    /// up to the agent's climb are allowed on any slope.
    pub(crate) fn of(view: &ViewRef, steepest: Option<f32>) -> Option<Self> {
        let max_climb = view.agent().max_climb;
        steepest.filter(|&limit| limit < FRAC_PI_2).map(|limit| SlopeLimit {
            cosine: portable::cos(limit),
            tangent: portable::tan(limit),
            max_climb,
        })
    }

    /// Whether an edge stays within it: the floor it leads to by its normal, and the edge itself by its
    /// rise, unless the agent can step that high.
    pub(super) fn allows(&self, edge: &Edge) -> bool {
        let rise = edge.rise.abs() - HEIGHT_ROUNDING;
        edge.to.normal().y >= self.cosine - COSINE_ROUNDING
            && (rise <= self.max_climb || rise <= self.tangent * edge.run())
    }
}
