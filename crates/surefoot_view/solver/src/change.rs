//! Provides [`Changes`]: what a user has put into the level, as the page describes it.
//!
//! The page says what there is, not what was done: an overlay is made of the whole list each time, so that
//! a link to the page, a reload and the undoing of a change all lead to the same overlay.

use std::collections::BTreeMap;

use serde::Deserialize;
use surefoot::{NavGrid, Obstacle, Overlay};

/// The run-time changes of a level.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    #[serde(default)]
    obstacles: Vec<Shape>,
    /// Indices of links that are closed.
    #[serde(default)]
    closed_links: Vec<usize>,
    /// Cost factors of areas, by name.
    #[serde(default)]
    factors: BTreeMap<String, f32>,
}

/// An obstacle. Lengths in metres.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
enum Shape {
    Box {
        /// The middle of its lower side.
        at: [f32; 3],
        half: [f32; 3],
        /// From +x towards +z [rad].
        #[serde(default)]
        yaw: f32,
    },
    Cylinder {
        at: [f32; 3],
        radius: f32,
        height: f32,
    },
    Prism {
        /// (x, z) of its corners.
        corners: Vec<[f32; 2]>,
        bottom: f32,
        top: f32,
    },
}

impl From<Shape> for Obstacle {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Box { at: [x, y, z], half, yaw } => {
                Obstacle::Box { center: [x, y + half[1], z].into(), half: half.into(), yaw }
            }
            Shape::Cylinder { at, radius, height } => {
                Obstacle::Cylinder { base: at.into(), radius, height }
            }
            Shape::Prism { corners, bottom, top } => Obstacle::Prism { corners, bottom, top },
        }
    }
}

impl Changes {
    /// Makes an overlay of them.
    ///
    /// # Errors
    /// In words, the first change that the grid cannot take.
    pub fn overlay(self, grid: &NavGrid) -> Result<Overlay, String> {
        let mut overlay = Overlay::new(grid);
        for (index, shape) in self.obstacles.into_iter().enumerate() {
            let blocked = overlay.block(shape.into());
            blocked.map_err(|error| format!("obstacle {}: {error}", index + 1))?;
        }
        for link in self.closed_links {
            overlay.set_link_open(link, false).map_err(|error| error.to_string())?;
        }
        for (name, factor) in self.factors {
            let area = grid.area_id(&name).map_err(|error| error.to_string())?;
            overlay.set_factor(area, factor).map_err(|error| format!("area {name}: {error}"))?;
        }
        Ok(overlay)
    }
}
