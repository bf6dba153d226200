//! The laws of the solver, held on thousands of seeded random grids.
//!
//! A search is held against the plainest one there is, on a graph built from the public lookups;
//! a price against its formula in the documents; a line of sight against every cell of the grid.

pub(crate) mod cases;
mod ends;
mod estimates;
mod extremes;
mod huge;
mod interruptions;
mod level_laws;
pub(crate) mod models;
mod natural_laws;
mod path_laws;
pub(crate) mod plain;
pub(crate) mod random;
pub(crate) mod random_edits;
pub(crate) mod random_grids;
mod search_laws;
mod seeds;
mod sight_laws;
