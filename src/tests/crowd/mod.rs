//! Laws of crowds: of what they are made of, and of crowds as a whole.

mod avoid_laws;
mod crowd_laws;
mod gatherings;
mod neighbor_laws;
mod right_of_way_laws;
