//! Provides [`RouteOrder`]: the nested dissection of one agent's connections.
//!
//! Prepared routes are built on it. It does not depend on costs, and it takes long to find, so a grid
//! keeps it and stores it in its file.
//! Based on: George, "Nested dissection of a regular finite element mesh", 1973; Dibbelt, Strasser
//! and Wagner, "Customizable contraction hierarchies", 2016.

use serde::{Deserialize, Serialize};

use crate::level::SpanId;

/// The walkable spans of one agent as a tree of supernodes. A supernode separates what lies below
/// each of its children from all else: two spans that a connection or a link joins are in one
/// supernode, or one of them is in an ancestor of the other's supernode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteOrder {
    /// Every walkable span once, supernode by supernode.
    pub spans: Vec<SpanId>,
    /// All supernodes in postorder: children stand before their parents. None has neither children
    /// nor spans, and at most 200 lie one below the other.
    pub supernodes: Vec<RouteSupernode>,
}

/// A node of the elimination tree with the spans it eliminates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteSupernode {
    /// Number of its children: the last supernodes before it that have no parent yet.
    pub children: u32,
    /// Number of its spans. They follow those of the supernode before it in [`RouteOrder::spans`].
    pub spans: u32,
}

impl RouteOrder {
    /// The memory that its lists take [bytes].
    pub fn bytes(&self) -> usize {
        size_of_val(&self.spans[..]) + size_of_val(&self.supernodes[..])
    }
}
