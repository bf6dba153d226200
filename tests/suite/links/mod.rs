//! Generated links: all that are within reach are found, none beyond; and a body can take each.

mod flights;
mod reach;
