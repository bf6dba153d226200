//! Laws of followers, held on seeded random grids.

mod slide_laws;
mod walk_laws;
mod walker;
