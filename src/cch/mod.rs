//! Prepared routes: the cheapest ways between places far apart, without a search.
//!
//! ```text
//! NavGrid ─► RouteOrder ─► RouteIndex ─► RouteCosts ─► RouteSearch ─► Answer
//!            dissect       districts     by a model    climb, meet     as from Search
//! ```
//!
//! The ground is taken apart into districts within districts ([`RouteIndex`]), whatever ways cost.
//! For a cost model it is worked out what ways through each district cost ([`RouteCosts`]); a
//! change of ground touches only the districts around it. A query then climbs from both its ends
//! through ever larger districts until the ways meet ([`RouteSearch`]): exact for any costs, uphill
//! unlike downhill, with obstacles or without.

mod bounds;
mod choice;
mod climb;
mod costs;
mod dissect;
mod dive;
mod finder;
mod front;
mod grain;
mod index;
mod lanes;
mod local;
mod part;
mod piece;
mod pricing;
mod router;
mod search;
mod shape;
mod shared;
mod supply;
#[cfg(test)]
mod tests;
mod walker;
mod workshop;

pub use costs::{RouteCosts, RouteRules};
pub use index::RouteIndex;
pub use router::Router;
pub use search::{RouteSearch, Routes};
pub(crate) use shared::SharedFields;
pub use supply::Update;
