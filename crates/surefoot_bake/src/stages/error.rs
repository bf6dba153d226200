//! Why a bake failed.

use crate::casts::CollisionError;
use surefoot::Cancelled;
use surefoot::agent::AgentError;
use surefoot::grid::GridError;

/// Why a bake failed, and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// The scene has nothing to stand on.
    #[error(
        "the scene has no collision geometry; add a mesh, or remove the marks that exclude everything"
    )]
    EmptyScene,
    /// The settings name no agent.
    #[error("no agent to bake for; name at least one")]
    NoAgents,
    /// Two agents have one name.
    #[error("two agents are called \"{0}\"; give each a name of its own")]
    SameName(String),
    /// An agent is invalid.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The cell size is not a positive number.
    #[error("cell size is {0} m; it must be more than 0")]
    CellSize(f32),
    /// A part of a link's cost is out of its limits.
    #[error("link_costs.{kind}.{field} is {value}; it must be from 0 to 1000000")]
    LinkCost {
        /// The kind of links.
        kind: &'static str,
        /// The part of the cost.
        field: &'static str,
        /// Its value.
        value: f32,
    },
    /// An agent is smaller than what casts tell apart.
    #[error(
        "agent \"{agent}\": a radius of {radius} m is too small to bake, at least {least} m; scale the \
         scene and its agents up"
    )]
    AgentTooSmall {
        /// The name of the agent.
        agent: String,
        /// Its radius [m].
        radius: f32,
        /// The least radius [m].
        least: f32,
    },
    /// The cells are wider than an agent.
    #[error(
        "cell size is {cell_size} m, but agent \"{agent}\" is {width} m wide; use cells of at most \
         {width} m"
    )]
    CellWiderThanAgent {
        /// Side of a cell [m].
        cell_size: f32,
        /// The name of the narrowest agent.
        agent: String,
        /// The width of its body [m].
        width: f32,
    },
    /// The cells are larger than the level.
    #[error(
        "cell size is {cell_size} m, but the level measures {} x {} m; use smaller cells, or check the \
         level's units: they are metres", size[0], size[1]
    )]
    CellWiderThanLevel {
        /// Side of a cell [m].
        cell_size: f32,
        /// The size of the level along x and z [m].
        size: [f32; 2],
    },
    /// The bounds are not a rectangle.
    #[error("bounds x0,z0,x1,z1 are {0:?}; x0 must be less than x1 and z0 less than z1")]
    Bounds([f32; 4]),
    /// The bounds lie beside the level.
    #[error(
        "bounds x0,z0,x1,z1 are {bounds:?}, but the level lies from x {} to {} and from z {} to {}; \
         give bounds that cover a part of it", min[0], max[0], min[1], max[1]
    )]
    BoundsBesideLevel {
        /// The rectangle: x0, z0, x1, z1 [m].
        bounds: [f32; 4],
        /// The level's least x and z [m].
        min: [f32; 2],
        /// The level's greatest x and z [m].
        max: [f32; 2],
    },
    /// The rectangle has more cells than a grid can have.
    #[error(
        "the level from {min:?} to {max:?} m has too many cells of {cell_size} m; bake a part of it \
         with bounds, or use larger cells"
    )]
    TooManyCells {
        /// Side of a cell [m].
        cell_size: f32,
        /// Least x and z [m].
        min: [f32; 2],
        /// Greatest x and z [m].
        max: [f32; 2],
    },
    /// The rectangle lies so far out that coordinates do not tell its cells apart.
    #[error(
        "the level reaches {farthest} m from the origin, where coordinates do not tell cells of \
         {cell_size} m apart; move it closer, or use larger cells"
    )]
    TooFarOut {
        /// Side of a cell [m].
        cell_size: f32,
        /// The greatest x or z, of either sign [m].
        farthest: f32,
    },
    /// The grid would take more memory than allowed.
    #[error(
        "{} x {} cells of {cell_size} m would take about {:.1} GiB, more than the limit of \
         {:.1} GiB; bake a part of it with bounds, use larger cells, or raise the memory limit",
        cells[0], cells[1], gib(*bytes), gib(*limit)
    )]
    TooLarge {
        /// Along x and z.
        cells: [u32; 2],
        /// The estimate, from the floors over some of the cells; at one span per cell if the cells
        /// alone are too many.
        bytes: u64,
        /// The limit.
        limit: u64,
        /// Side of a cell [m].
        cell_size: f32,
    },
    /// What is cast against would take more memory than allowed.
    #[error(
        "the level's {colliders} colliders with {triangles} triangles would take about {:.1} GiB, more than \
         the limit of {:.1} GiB; mark some to be ignored, or raise the memory limit",
        gib(*bytes), gib(*limit)
    )]
    TooManyColliders {
        /// How many there are.
        colliders: u64,
        /// Triangles of all of them.
        triangles: u64,
        /// The estimate.
        bytes: u64,
        /// The limit [bytes].
        limit: u64,
    },
    /// More floors were found than there may be memory for, before all of them were found.
    #[error(
        "the floors over {} x {} cells of {cell_size} m take more memory than the limit of {:.1} GiB; \
         bake a part of it with bounds, use larger cells, or raise the memory limit",
        cells[0], cells[1], gib(*limit)
    )]
    TooManyFloors {
        /// Along x and z.
        cells: [u32; 2],
        /// The limit [bytes].
        limit: u64,
        /// Side of a cell [m].
        cell_size: f32,
    },
    /// There are more spans than a grid can have.
    #[error("the level has more than 4 billion floors; bake it in parts with bounds")]
    TooManySpans,
    /// A solid of the scene cannot be cast against.
    #[error(transparent)]
    Collision(#[from] CollisionError),
    /// A volume of the scene cannot be used.
    #[error("volume {name:?}: {problem}")]
    Volume {
        /// Its name.
        name: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The least area of a region is not a number of at least 0.
    #[error("min_region_area is {0} m²; it must be a number of at least 0")]
    MinRegionArea(f32),
    /// The result violates an invariant of grids.
    #[error("the baked grid is invalid: {0}")]
    Grid(#[from] GridError),
    /// The observer cancelled it.
    #[error("cancelled")]
    Cancelled,
}

impl From<Cancelled> for BakeError {
    fn from(_: Cancelled) -> Self {
        BakeError::Cancelled
    }
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}
