//! Provides the types that the search and those who read its result share.

use crate::grid::SpanId;

/// A span on the relaxed path, and how the path gets to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrackNode {
    pub span: SpanId,
    pub passing: Passing,
}

/// How a path gets from one span to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Passing {
    /// It starts here.
    Start,
    /// By a connection or a link that the agent can take.
    Free,
    /// To a floor of a neighboring column, by giving way on limits.
    Relaxed,
    /// To a floor of a neighboring column, through something between the two that no floor shows.
    Thin,
    /// Through the air.
    Gap,
    /// Through something solid.
    Wall,
    /// Up or down through a floor.
    Storey,
    /// By a closed link, as an index of the grid's links.
    ClosedLink(u32),
    /// By a link against its direction.
    OneWayLink(u32),
}

/// How far a body may differ from the agent: what it can climb, how high it is [m], and how steep ground
/// it can walk on [rad].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Allowance {
    pub max_climb: f32,
    pub height: f32,
    pub slope_limit: f32,
}
