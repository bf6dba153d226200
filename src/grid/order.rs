//! Provides [`RouteOrder`]: how one agent's ground comes apart into districts within districts.
//!
//! Prepared routes are built on it. It says nothing of costs, and the grid itself does nothing with
//! it but keep it, so that it has to be found only once.

use serde::{Deserialize, Serialize};

use super::SpanId;

/// The ground of one agent as districts within districts. Only spans of districts that one lies in
/// are neighbors of its spans, by steps and links, but for those within itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteOrder {
    /// Every span the agent can stand on, district by district.
    pub spans: Vec<SpanId>,
    /// The parts of a district come before it.
    pub districts: Vec<RouteDistrict>,
}

/// Some districts, and spans between them and around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteDistrict {
    /// How many of the districts before are its parts: the last ones that are part of no other.
    pub parts: u32,
    /// How many spans are its own; they follow those of its parts.
    pub own: u32,
}
