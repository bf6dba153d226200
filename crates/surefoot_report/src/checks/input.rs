//! Provides [`CheckInput`]: what checks are evaluated on.

use surefoot::NavGrid;

/// What checks are evaluated on.
#[derive(Clone, Copy, Debug)]
pub struct CheckInput<'a> {
    /// The level.
    pub grid: &'a NavGrid,
    /// The hash of its file, to be compared with one that is promised.
    pub hash: &'a str,
    /// The nodes of the scene; `None` if none is given.
    pub nodes: Option<&'a [NodePoint]>,
}

/// A node of a scene, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct NodePoint {
    /// Its name; several nodes may have one.
    pub name: String,
    /// Its origin in the world [m].
    pub point: [f32; 3],
}
