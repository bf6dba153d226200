//! Provides [`NarrowGround`]: where two bodies cannot pass each other.

use std::f32::consts::FRAC_1_SQRT_2;

use crate::crowd::ground_search::GroundSearch;
use crate::follow::{PlanarNavPoint, dot, slide_planar};
use crate::grid::SpanId;
use crate::view::{NavPoint, ViewRef};

/// Where two bodies as large as an agent cannot pass each other, as far as anyone has come there.
///
/// That depends on the ground as it was baked: an obstacle that is put on it later does not count.
#[derive(Debug, Default)]
pub(crate) struct NarrowGround {
    /// What is known of each span, for each agent: one of the widths; empty until it is asked for.
    known: Vec<Vec<u8>>,
    search: GroundSearch,
}

/// Nothing is known of a span. It is 0 so that memory that is all zeros is taken as it comes, and pages of it
/// that nobody looks at cost nothing.
const UNKNOWN: u8 = 0;
const NARROW: u8 = 1;
const OPEN: u8 = 2;

/// Ground is looked at this far to each side [radii]: a little more than two bodies need, or next to a wall
/// rounding would decide.
const SEEN: f32 = 2.2;

/// Along the axes, and between them [unit length].
const DIRECTIONS: [[f32; 2]; 4] =
    [[1.0, 0.0], [FRAC_1_SQRT_2, FRAC_1_SQRT_2], [0.0, 1.0], [-FRAC_1_SQRT_2, FRAC_1_SQRT_2]];

/// A place on a path.
#[derive(Clone, Copy)]
pub(crate) struct PathPlace {
    /// Which way the path goes, seen from above [unit length].
    pub direction: [f32; 2],
    /// Along x and z [m].
    pub position: [f32; 2],
}

impl NarrowGround {
    /// Forgets the ground, because there is another grid.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Whether two bodies cannot pass each other on a path just here, even if one could wait a little
    /// before or after.
    pub(crate) fn is_narrow_across(&mut self, view: &ViewRef, span: SpanId, at: PathPlace) -> bool {
        let radius = view.agent().radius;
        let clearance = view.grid().clearance(view.agent_id(), span);
        if clearance.is_some_and(|clearance| clearance >= radius) {
            return false;
        }
        if self.is_narrow(view, span) {
            return true;
        }
        let from = PlanarNavPoint { span, position: at.position };
        let room = |right: [f32; 2]| {
            let end = slide_planar(view, from, right.map(|v| v * SEEN * radius)).position;
            dot([0, 1].map(|axis| end[axis] - from.position[axis]), right)
        };
        let [x, z] = at.direction;
        room([-z, x]) + room([z, -x]) < 2.0 * radius
    }

    /// Whether two bodies cannot pass each other on a span, whichever way they go: as in a passage or a door.
    pub(crate) fn is_narrow_anywhere(&mut self, view: &ViewRef, span: SpanId) -> bool {
        let position = NavPoint::center(view, span).place();
        DIRECTIONS
            .into_iter()
            .any(|direction| self.is_narrow_across(view, span, PathPlace { direction, position }))
    }

    /// Whether two bodies cannot pass each other here: nowhere near has clearance for both.
    pub(crate) fn is_narrow(&mut self, view: &ViewRef, at: SpanId) -> bool {
        let agent = view.agent_id().index();
        if self.known.len() <= agent {
            self.known.resize_with(agent + 1, Vec::new);
        }
        let NarrowGround { known, search } = self;
        let known = &mut known[agent];
        if known.is_empty() {
            *known = vec![UNKNOWN; view.spans().len()];
        }
        let Some(width) = known.get_mut(at.index()) else { return false };
        if *width == UNKNOWN {
            *width = if search.is_narrow(view, at) { NARROW } else { OPEN };
        }
        *width == NARROW
    }
}
