//! Laws of followers, held on seeded random grids.

mod lost_laws;
pub(crate) mod room_laws;
mod slide_laws;
mod walk_laws;
mod walker;
