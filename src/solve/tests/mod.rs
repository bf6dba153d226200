//! The laws of the solver, held on thousands of seeded random grids.
//!
//! A search is held against the plainest one there is, on a graph built from the public lookups;
//! a price against its formula in the documents; a line of sight against every cell of the grid.

mod cases;
mod ends;
mod estimates;
mod huge;
mod interruptions;
mod models;
mod path_laws;
mod plain;
mod random;
mod random_grids;
mod search_laws;
mod seeds;
mod sight_laws;
