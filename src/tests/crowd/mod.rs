//! Laws of crowds: of their parts, and of crowds as a whole.

mod avoidance_laws;
mod change_laws;
mod clear_way_laws;
mod crowd_laws;
pub(crate) mod gatherings;
mod jams;
mod neighbor_laws;
mod next_grid_laws;
mod passage_laws;
mod right_of_way_laws;
mod steering_laws;
pub(crate) mod trail_laws;
mod wedges;
