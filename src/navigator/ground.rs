//! Where a point is on the ground, and how far walls are from it.

use nalgebra::Point3;

use crate::path::{RayHit, raycast};
use crate::search::{Endpoints, PathError, Query};
use crate::view::{NavPoint, NearestWall};

use super::Navigator;

impl Navigator {
    /// The nearest place where the agent may not stand, within a distance [m]: see
    /// [`View::nearest_wall`](crate::view::View::nearest_wall). The point snaps to the ground as the
    /// start of a query does.
    ///
    /// ```
    /// use surefoot::{NavGrid, Navigator};
    /// let map = "type octile\nheight 3\nwidth 5\nmap\n.....\n.....\n..@..\n";
    /// let grid = NavGrid::from_map(map, 1.0, &[])?;
    /// let mut nav = Navigator::new(grid, "human")?;
    /// let wall = nav.nearest_wall([2.5, 0.0, 1.25], 1.0)?.expect("a wall nearby");
    /// assert_eq!((wall.distance, wall.normal.z), (0.75, -1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The agent cannot stand at the point, or anywhere near it.
    pub fn nearest_wall(
        &mut self,
        from: impl Into<Point3<f32>>,
        radius: f32,
    ) -> Result<Option<NearestWall>, PathError> {
        let place = self.snap(from)?;
        Ok(self.walls.nearest(&self.view, &place, radius))
    }

    /// Whether the agent may stand at a point with more clearance than its body needs: no wall is nearer
    /// than a distance [m]. The point snaps to the ground as the start of a query does.
    ///
    /// # Errors
    /// The agent cannot stand at the point, or anywhere near it.
    pub fn has_clearance(
        &mut self,
        at: impl Into<Point3<f32>>,
        clearance: f32,
    ) -> Result<bool, PathError> {
        let place = self.snap(at)?;
        Ok(self.walls.has_clearance(&self.view, &place, clearance))
    }

    /// The place on the ground that a point means as the start of a query: on the floor below it, or where
    /// the agent can stand within twice its radius. There its body touches nothing.
    ///
    /// # Errors
    /// The agent cannot stand at the point, or anywhere near it.
    pub fn snap(&self, point: impl Into<Point3<f32>>) -> Result<NavPoint, PathError> {
        let point = point.into();
        self.snap_by(&Query::new(point, point))
    }

    /// As [`Navigator::snap`], the start of a query, with its tolerances and its area filter.
    ///
    /// # Errors
    /// The agent cannot stand at the start, or anywhere near it.
    pub fn snap_by(&self, query: &Query) -> Result<NavPoint, PathError> {
        let filtered = self.view.filtered(&query.filter);
        Endpoints { view: &filtered.parts(), query }.start()
    }

    /// How far the agent gets along the straight line from a point towards another, over the ground: see
    /// [`raycast`](crate::path::raycast()). The start snaps to the ground as that of a query does.
    ///
    /// # Errors
    /// The agent cannot stand at the start, or anywhere near it.
    pub fn raycast(
        &self,
        from: impl Into<Point3<f32>>,
        to: impl Into<Point3<f32>>,
    ) -> Result<RayHit, PathError> {
        let start = self.snap(from)?;
        Ok(raycast(&self.view, &start, to))
    }
}
