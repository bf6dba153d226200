//! What a level says beyond its geometry: areas and links.
//!
//! A baker writes these words into a grid and the run time reads them, so both share them here.

use nalgebra::Point3;
use serde::{Deserialize, Serialize};

/// Index of a span in its grid: column by column, low to high within each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SpanId(pub u32);

impl SpanId {
    /// Position in the grid's array of spans.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of an area in its grid; 0 is plain walkable ground.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct AreaId(pub u8);

impl AreaId {
    /// Position in the grid's list of areas.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A kind of ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Its name; unique within a grid.
    pub name: String,
    /// Cost of one metre on it, relative to one metre on plain ground [> 0, finite].
    pub cost: f32,
    /// Whether agents are kept off it.
    pub forbidden: bool,
}

impl Area {
    /// Plain walkable ground: the first area of every grid.
    pub fn walkable() -> Self {
        Area { name: "walkable".to_owned(), cost: 1.0, forbidden: false }
    }
}

/// An off-mesh connection: it joins two spans that no step joins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Name of the node that marks it, or of the rule that generated it.
    pub name: String,
    /// What kind of movement it takes.
    pub kind: LinkKind,
    /// Whether it may also be taken from its end to its start. Ignored for drops, which never can:
    /// see [`Link::is_reversible`].
    pub two_way: bool,
    /// Cost of taking it, in metres of plain ground [>= 0, finite].
    pub cost: f32,
    /// Where it starts [m].
    pub from: Point3<f32>,
    /// Where it ends [m].
    pub to: Point3<f32>,
    /// For each agent the spans at its start and its end; `None` if the agent cannot take it.
    pub ends: Vec<Option<[SpanId; 2]>>,
}

impl Link {
    /// Whether it can be taken in both directions and so joins the regions at its ends into one.
    pub fn is_reversible(&self) -> bool {
        self.two_way && self.kind != LinkKind::Drop
    }
}

/// What kind of movement a link takes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LinkKind {
    /// Any other movement that an author marked.
    #[default]
    Authored,
    /// Over a gap.
    Jump,
    /// Down only.
    Drop,
    /// Up or down a ladder.
    Ladder,
    /// Through a door.
    Door,
}
