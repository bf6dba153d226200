//! One agent's view of a grid: the bake, and what an overlay changed since.
//!
//! A [`View`] is what every query runs on: which spans the agent may stand on, where their
//! connections and links lead, and what their ground costs. An [`Overlay`] holds run-time changes
//! over a grid that stays as it was baked.

mod agent_view;
mod cell_room;
mod directions;
mod filter;
mod flow;
mod link_filter;
mod nav_point;
mod nearest_wall;
pub(crate) mod overlay;
mod uniform_ground;
pub(crate) mod view_ref;

pub use agent_view::{OtherGrid, View};
pub(crate) use cell_room::CellRoom;
pub use directions::Directions;
pub use filter::{AreaFilter, FilterError};
pub use flow::Flow;
pub use link_filter::LinkFilter;
pub use nav_point::NavPoint;
pub(crate) use nav_point::{PlanarNavPoint, RoomMove};
pub use nearest_wall::{NearestWall, WallSearch};
pub(crate) use overlay::Change;
pub use overlay::{Obstacle, ObstacleError, ObstacleId, Overlay, OverlayError};
pub(crate) use uniform_ground::UniformGround;
pub(crate) use view_ref::{Stamp, ViewRef};
