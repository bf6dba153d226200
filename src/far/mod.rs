//! Paths over ground that is not loaded: what it costs to cross tiles of a world.
//!
//! A path leaves a tile through a *gate*: a connection from a cell at the tile's border straight to a cell
//! of the next tile. For each tile the least costs between its gates are computed once ([`TileBorder`]).
//! All of them together ([`FarRoutes`]) are small enough to stay in memory, and a search over gates finds what
//! a path through any number of tiles costs, and where it crosses their borders.
//!
//! With a gate at every connection across a border the cost is the least there is. Gates some cells apart
//! take less memory; then a path may cost more, since it has to pass through them, never less.
//! Based on: Botea, Müller, Schaeffer, "Near optimal hierarchical path-finding", 2004; Delling, Goldberg,
//! Pajor, Werneck, "Customizable route planning", 2011.

mod border;
mod encode;
mod gates;
mod links;
mod routes;

pub use border::{BorderRules, TileBorder};
pub use encode::{FarError, TileBorders};
pub use gates::Gate;
pub use links::FarLink;
pub use routes::{FarEnd, FarGround, FarPath, FarRoutes};
