//! What happens before a step of the crowds: grids that were loaded or replaced, changes of the ground,
//! bodies that join, leave or were moved, and targets.

pub(crate) mod agent_row;
pub(crate) mod join;
pub(crate) mod link_rules;
pub(crate) mod load_worlds;
pub(crate) mod members;
pub(crate) mod obstacle_places;
pub(crate) mod targets;
