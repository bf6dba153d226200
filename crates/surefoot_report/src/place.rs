//! Provides [`Place`]: a position whose height may be left out.

use std::str::FromStr;

use surefoot::grid::AgentId;
use surefoot::{NavGrid, SpanId};
use thiserror::Error;

/// Why a place without a height is no point of a level.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlaceError {
    /// There is no floor.
    #[error("{x},{z}: there is no floor here; give another place")]
    NoFloor {
        /// [m]
        x: f32,
        /// [m]
        z: f32,
    },
    /// There are several floors.
    #[error(
        "{x},{z}: there are {} floors here, at y {}; add the height, as in {x},{:.2},{z}",
        heights.len(),
        joined(heights),
        heights[0]
    )]
    SeveralFloors {
        /// [m]
        x: f32,
        /// [m]
        z: f32,
        /// At least two, from below [m].
        heights: Vec<f32>,
    },
}

fn joined(heights: &[f32]) -> String {
    let shown = heights.iter().take(SHOWN).map(|y| format!("{y:.2}"));
    let shown = shown.collect::<Vec<_>>().join(" and ");
    match heights.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// So many heights are listed.
const SHOWN: usize = 8;

/// A place as people write it: `x,y,z`, or `x,z` where there is one floor [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    x: f32,
    /// `None` is to be looked up.
    y: Option<f32>,
    z: f32,
}

impl Place {
    /// Makes a place of two or three numbers.
    ///
    /// # Errors
    /// There are fewer or more.
    pub fn new(numbers: &[f32]) -> Result<Self, String> {
        match *numbers {
            [x, z] => Ok(Place { x, y: None, z }),
            [x, y, z] => Ok(Place { x, y: Some(y), z }),
            _ => Err(format!("expected x,y,z or x,z, but found {} numbers", numbers.len())),
        }
    }

    /// Where it lies on the map: x and z [m].
    pub fn ground(&self) -> [f32; 2] {
        [self.x, self.z]
    }

    /// Returns the point [m]. A height that was left out is that of the only floor there where the
    /// agent can stand, or else of the only floor.
    ///
    /// # Errors
    /// The height was left out, and there is no floor or more than one.
    pub fn point(&self, grid: &NavGrid, agent: AgentId) -> Result<[f32; 3], PlaceError> {
        let Place { x, y, z } = *self;
        if let Some(y) = y {
            return Ok([x, y, z]);
        }
        let floors = self.floors(grid);
        let walkable = floors.iter().filter(|&&span| grid.is_walkable(agent, span));
        let walkable: Vec<SpanId> = walkable.copied().collect();
        let height =
            self.only_height(grid, if walkable.is_empty() { &floors } else { &walkable })?;
        match height {
            Some(y) => Ok([x, y, z]),
            None => Err(PlaceError::NoFloor { x, z }),
        }
    }

    /// Returns the point [m] to explain the floor at. A height that was left out is that of the only
    /// floor there, whether the agent can stand on it or not; without a floor, that of the nearest
    /// place where it can.
    ///
    /// # Errors
    /// The height was left out, and there are several floors.
    pub fn point_of_any_floor(
        &self,
        grid: &NavGrid,
        agent: AgentId,
    ) -> Result<[f32; 3], PlaceError> {
        let Place { x, y, z } = *self;
        if let Some(y) = y {
            return Ok([x, y, z]);
        }
        let height = self.only_height(grid, &self.floors(grid))?;
        Ok([x, height.unwrap_or_else(|| self.nearest_height(grid, agent)), z])
    }

    /// Returns the same as [`Place::point`]; without a floor, at the height of the nearest place where the agent
    /// can stand.
    ///
    /// # Errors
    /// The height was left out, and there are several floors.
    pub fn point_or_beside(&self, grid: &NavGrid, agent: AgentId) -> Result<[f32; 3], PlaceError> {
        match self.point(grid, agent) {
            Err(PlaceError::NoFloor { x, z }) => Ok([x, self.nearest_height(grid, agent), z]),
            point => point,
        }
    }

    /// The height of the nearest place where the agent can stand; 0 if there is none [m].
    fn nearest_height(&self, grid: &NavGrid, agent: AgentId) -> f32 {
        let nearest = grid.nearest_walkable(agent, [self.x, 0.0, self.z], f32::INFINITY);
        nearest.map_or(0.0, |(_, point)| point.y)
    }

    /// All floors there, from below.
    fn floors(&self, grid: &NavGrid) -> Vec<SpanId> {
        let cell = grid.column_at([self.x, 0.0, self.z]);
        cell.map_or(0..0, |cell| grid.column_spans(cell)).map(SpanId).collect()
    }

    /// The height of the only one of some floors [m]; `None` if there is none.
    fn only_height(&self, grid: &NavGrid, floors: &[SpanId]) -> Result<Option<f32>, PlaceError> {
        let Place { x, z, .. } = *self;
        let height = |&span: &SpanId| grid.ground_height(x, z, span).unwrap_or_default();
        let heights: Vec<f32> = floors.iter().map(height).collect();
        match heights[..] {
            [] => Ok(None),
            [y] => Ok(Some(y)),
            _ => Err(PlaceError::SeveralFloors { x, z, heights }),
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let number = part.trim().parse().ok().filter(|number: &f32| number.is_finite());
            number.ok_or_else(|| format!("\"{}\" is not a number", part.trim()))
        };
        let numbers: Result<Vec<f32>, String> = text.split(',').map(number).collect();
        Place::new(&numbers?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_two_or_three_numbers() {
        assert_eq!("1,-2".parse(), Ok(Place { x: 1.0, y: None, z: -2.0 }));
        assert_eq!("1, 2,3e1".parse(), Ok(Place { x: 1.0, y: Some(2.0), z: 30.0 }));
        let error = |text: &str| text.parse::<Place>().unwrap_err();
        assert_eq!(error("1"), "expected x,y,z or x,z, but found 1 numbers");
        assert_eq!(error("1,2,nan"), "\"nan\" is not a number");
    }
}
