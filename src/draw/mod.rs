//! Pictures of grids.
