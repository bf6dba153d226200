//! Provides [`PathStart`]: what a path costs and how it begins, without the rest of it.

use nalgebra::Point3;

use crate::path::{Progress, Straightening, WantedWaypoints, Waypoint};
use crate::search::{PathError, Query};

use super::context::EngineContext;
use super::{BeginParameters, Navigator};

/// The start of a path: enough for who only wants to know what it costs and where to go first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathStart<'a> {
    /// The first waypoints, beginning with the start.
    pub waypoints: &'a [Waypoint],
    /// Cost of the cheapest corridor, exact from cell to cell; of the path, if that is one straight line
    /// [metres-equivalent]. Straightened to its end, the path costs no more than that and what lies between
    /// its ends and the centers of their cells.
    pub cost: f32,
    /// The last waypoint is the end of the path.
    pub is_whole: bool,
}

/// Cells that are laid out at first for each waypoint: to lay out more takes less time than to begin again.
const CELLS_A_WAYPOINT: u32 = 64;

impl Navigator {
    /// What the cheapest path from one point to another costs, as [`PathStart::cost`]. With prepared routes
    /// nothing is laid out; to compare many ends, see [`Navigator::table`].
    ///
    /// # Errors
    /// Why there is no path.
    pub fn cost(
        &mut self,
        from: impl Into<Point3<f32>>,
        to: impl Into<Point3<f32>>,
    ) -> Result<f32, PathError> {
        self.find_cost(&Query::new(from, to))
    }

    /// As [`Navigator::cost`], by a query. [`Navigator::answer`] is that of a cancelled one until the next.
    ///
    /// # Errors
    /// Why there is no path.
    pub fn find_cost(&mut self, query: &Query) -> Result<f32, PathError> {
        self.begin_laying_out(query, 0);
        let cost = self.search.cost();
        let found = self.search.answer().path().map(|_| cost);
        self.search.drop_path();
        found
    }

    /// Finds a corridor, of which an engine that can leave out the rest lays out so many cells.
    fn begin_laying_out(&mut self, query: &Query, cells: u32) {
        let begun = self.begin_with(query, BeginParameters { asked: None, sight: None, cells });
        if begun.progress == Progress::Running {
            while self.advance(u32::MAX) == Progress::Running {}
        }
    }

    /// The first waypoints of the cheapest path from one point to another, as many as are wanted behind its
    /// start, and what it costs. With prepared routes that takes a part of the time of
    /// [`Navigator::path`]: the rest of the path is not laid out.
    ///
    /// Each segment is clear and none costs more than the corridor beside it, as in a whole path. Farther
    /// corners may still move the last ones of these by a little.
    ///
    /// ```
    /// use surefoot::{NavGrid, Navigator};
    /// let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n.....\n";
    /// let mut nav = Navigator::new(NavGrid::from_map(map, 1.0, &[])?, "human")?;
    /// let start = nav.path_start([0.5, 0.0, 0.5], [4.5, 0.0, 0.5], 1)?;
    /// assert_eq!(start.waypoints.len(), 2);
    /// assert!(!start.is_whole && start.cost > 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why there is no path.
    pub fn path_start(
        &mut self,
        from: impl Into<Point3<f32>>,
        to: impl Into<Point3<f32>>,
        waypoints: usize,
    ) -> Result<PathStart<'_>, PathError> {
        self.find_start(&Query::new(from, to), waypoints)
    }

    /// As [`Navigator::path_start`], by a query. [`Navigator::answer`] and [`Navigator::corridor`] are
    /// those of the start alone until the next query.
    ///
    /// # Errors
    /// Why there is no path.
    pub fn find_start(
        &mut self,
        query: &Query,
        waypoints: usize,
    ) -> Result<PathStart<'_>, PathError> {
        // The start counts, and there always is an end.
        let count = waypoints.max(1).saturating_add(1);
        let mut cells = CELLS_A_WAYPOINT.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
        let mut spare = 1_usize;
        self.begin_laying_out(query, cells);
        loop {
            let wanted = WantedWaypoints { count, spare };
            let straightening = Straightening { sight: None, wanted };
            let found = self.search.straighten(&self.view, &self.model, straightening);
            if found.path()?.waypoints().len() >= count || self.search.is_whole() {
                break;
            }
            (cells, spare) = (cells.saturating_mul(2), spare.saturating_mul(4));
            let Navigator { view, model, search, routes, .. } = self;
            let context = EngineContext { view, model, query, cells };
            let is_found = match routes {
                Some(routes) => routes.lay_out_more(search, &context),
                None => search.lay_out_more(model, |_, _| ()),
            };
            if !is_found {
                break;
            }
        }
        let cost = self.search.cost();
        let all = self.search.answer().path()?.waypoints();
        let count = all.len().min(count);
        let is_whole = count == all.len() && self.search.is_whole();
        Ok(PathStart { waypoints: &all[..count], cost, is_whole })
    }
}
