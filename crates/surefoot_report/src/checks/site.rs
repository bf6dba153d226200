//! Provides [`Site`]: where a place is for an agent.

use nalgebra::Point3;
use surefoot::NavGrid;
use surefoot::grid::AgentId;

use super::error::CheckError;
use super::places::{CheckPlace, PlaceKind};
use super::report::FoundPlace;
use crate::place::PlaceError;

/// Where a place is for an agent, before anyone asks whether it can stand there.
pub(super) struct Site {
    pub place: FoundPlace,
    /// `None` where there is no floor [m].
    pub point: Option<Point3<f32>>,
    /// Why there is no point.
    pub problem: String,
}

impl CheckPlace {
    /// Where paths begin or end.
    ///
    /// # Errors
    /// The place has no height, and there are several floors where the agent could stand.
    pub fn site(&self, grid: &NavGrid, agent: AgentId) -> Result<Site, CheckError> {
        match self.kind {
            PlaceKind::Point(place) => self.of_point(place.point(grid, agent)),
            PlaceKind::Node(node) => Ok(self.under(node, grid)),
        }
    }

    /// The floor to judge, whether the agent can stand on it or not.
    ///
    /// # Errors
    /// The place has no height, and there are several floors.
    pub fn site_of_any_floor(&self, grid: &NavGrid, agent: AgentId) -> Result<Site, CheckError> {
        match self.kind {
            PlaceKind::Point(place) => self.of_point(place.point_of_any_floor(grid, agent)),
            PlaceKind::Node(node) => Ok(self.under(node, grid)),
        }
    }

    fn of_point(&self, found: Result<[f32; 3], PlaceError>) -> Result<Site, CheckError> {
        match found {
            Ok(point) => Ok(self.at_point(point, 0.0)),
            Err(error @ PlaceError::SeveralFloors { .. }) => Err(self.at.error(error.to_string())),
            Err(PlaceError::NoFloor { x, z }) => {
                Ok(self.nowhere(format!("there is no floor at {x},{z}")))
            }
        }
    }

    /// The ground under a node; in solid ground, the nearest floor.
    fn under(&self, node: [f32; 3], grid: &NavGrid) -> Site {
        let [x, y, z] = node;
        let ground = grid.span_at(node, f32::INFINITY);
        match ground.and_then(|span| grid.ground_height(x, z, span)) {
            Some(height) => self.at_point([x, height, z], (height - y).abs()),
            None => self.nowhere(format!("there is no ground under the node at {x},{y},{z}")),
        }
    }

    fn at_point(&self, point: [f32; 3], moved: f32) -> Site {
        let place = FoundPlace { name: self.name.clone(), point: Some(point), moved };
        Site { place, point: Some(point.into()), problem: String::new() }
    }

    fn nowhere(&self, problem: String) -> Site {
        let place = FoundPlace { name: self.name.clone(), point: None, moved: 0.0 };
        Site { place, point: None, problem }
    }
}
