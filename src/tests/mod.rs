//! The laws of the run time, held on thousands of seeded random grids.

mod cch;
mod crowd;
mod follow;
mod mapf;
mod navigator;
pub(crate) mod search;
