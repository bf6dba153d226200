//! The ground that paths and tracks are drawn on, as one agent finds it.

mod cutaway;
mod ground_map;
mod legend;
pub(super) mod window;

pub(super) use cutaway::{Cutaway, CutawayRequest, Nearness};
pub(super) use ground_map::{GroundMap, MapText};
