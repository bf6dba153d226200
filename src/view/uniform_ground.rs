//! Provides [`UniformGround`]: the middles of level ground of one area, as a view is now.

use crate::grid::{Standing, UniformCells};

/// The middles of level ground, as the view is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UniformGround<'a> {
    /// As baked.
    pub uniform_cells: &'a UniformCells,
    /// What the agent may do on each span, if that has changed since the bake: obstacles remove
    /// connections.
    pub changed: Option<&'a [Standing]>,
}

impl UniformGround<'_> {
    /// Whether a span lies in the middle of level ground.
    #[inline]
    pub(crate) fn contains(&self, span: u32) -> bool {
        self.uniform_cells.contains(span)
            && self.changed.is_none_or(|standings| standings[span as usize].is_level())
    }
}
