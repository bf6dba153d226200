//! Finds the ground that the ends of a query mean.
//!
//! An end means the floor it stands on, within the vertical tolerance; where the agent cannot
//! stand there, the nearest place within the snap radius where it can. For a goal, places that can
//! be reached come first.

use nalgebra::Point3;

use crate::grid::{SpanId, Within};
use crate::portable;
use crate::view::{NavPoint, ViewRef};

use super::outcome::PathError;
use super::query::{GoalMode, Query};

/// Where a search is to lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Goal {
    pub nav_point: NavPoint,
    /// Why this is not what was asked for.
    pub shortfall: Option<PathError>,
}

/// Places for an answer are looked for within so many cells of where nothing is.
const LOOK_AROUND: f32 = 64.0;

/// The ends of a query on a view.
pub(crate) struct Endpoints<'a> {
    pub view: &'a ViewRef<'a>,
    pub query: &'a Query,
}

impl Endpoints<'_> {
    /// Where the path starts.
    ///
    /// # Errors
    /// The agent cannot stand anywhere near.
    pub(crate) fn start(&self) -> Result<NavPoint, PathError> {
        let point = self.query.from;
        let found = self.exact(point).or_else(|| self.snapped(point, |_| true));
        found.ok_or_else(|| PathError::StartOffGrid { nearest: self.around(point) })
    }

    /// Where the path ends.
    ///
    /// # Errors
    /// The goal cannot be reached, and the query accepts nothing else.
    pub(crate) fn goal(&self, start: NavPoint) -> Result<Goal, PathError> {
        let point = self.query.to;
        let reachable = |span| self.view.view.may_reach(start.span, span);
        let exact = self.exact(point);
        let reached = exact.filter(|exact| reachable(exact.span));
        if let Some(nav_point) = reached.or_else(|| self.snapped(point, reachable)) {
            return Ok(Goal { nav_point, shortfall: None });
        }
        let instead = match self.query.goal {
            GoalMode::Fail => None,
            GoalMode::NearestByRing => self.nearest(point, f32::INFINITY, reachable),
            GoalMode::NearestAlongLine => self.along_line(start, reachable),
        };
        let is_on_grid = exact.is_some() || self.snapped(point, |_| true).is_some();
        let reason = match instead {
            _ if is_on_grid => PathError::DifferentRegion,
            Some(_) => PathError::GoalOffGrid { nearest: None },
            None => PathError::GoalOffGrid { nearest: self.around(point) },
        };
        let goal = |nav_point| Goal { nav_point, shortfall: Some(reason) };
        instead.map(goal).ok_or(reason)
    }

    /// The goal, whether it can be reached or not.
    ///
    /// # Errors
    /// The agent cannot stand anywhere near.
    pub(crate) fn nearest_to_goal(&self) -> Result<NavPoint, PathError> {
        let point = self.query.to;
        let found = self.exact(point).or_else(|| self.snapped(point, |_| true));
        found.ok_or_else(|| PathError::GoalOffGrid { nearest: self.around(point) })
    }

    /// The floor at a point, where the agent can stand on it.
    fn exact(&self, point: Point3<f32>) -> Option<NavPoint> {
        let grid = self.view.grid();
        let tolerance = self.query.vertical_tolerance(self.view.agent());
        let span = grid.span_at(point, tolerance).filter(|&span| self.is_open(span))?;
        let y = self.view.feet_height([point.x, point.z], span)?;
        let exact = NavPoint { span, point: Point3::new(point.x, y, point.z) };
        Some(exact.in_room(self.view))
    }

    /// Whether the agent can stand on a span, and the query's filter does not forbid it.
    fn is_open(&self, span: SpanId) -> bool {
        self.view.is_walkable(span) && self.view.is_allowed(span)
    }

    /// The nearest place within the tolerances where the agent can stand.
    fn snapped(&self, point: Point3<f32>, accepted: impl Fn(SpanId) -> bool) -> Option<NavPoint> {
        let agent = self.view.agent();
        let (radius, height) =
            (self.query.snap_radius(agent), self.query.vertical_tolerance(agent));
        self.within(point, Within { radius, height }, accepted)
    }

    fn nearest(
        &self,
        point: Point3<f32>,
        radius: f32,
        accepted: impl Fn(SpanId) -> bool,
    ) -> Option<NavPoint> {
        self.within(point, Within { radius, height: f32::INFINITY }, accepted)
    }

    fn within(
        &self,
        point: Point3<f32>,
        within: Within,
        accepted: impl Fn(SpanId) -> bool,
    ) -> Option<NavPoint> {
        let open = |span| self.is_open(span) && accepted(span);
        let (span, point) = self.view.grid().nearest_where(point, within, open)?;
        // The nearest point may lie at the very border of its cell; ends keep off it a little.
        Some(NavPoint { span, point: self.inside(span, point) }.in_room(self.view))
    }

    /// The point moved into its span's own cell, at the height of the body's feet.
    fn inside(&self, span: SpanId, point: Point3<f32>) -> Point3<f32> {
        let frame = self.view.frame();
        let cell = frame.cell(self.view.column(span.0));
        let [x, z] = frame.center(cell);
        let most = frame.cell_size * 0.499;
        let (x, z) = (point.x.clamp(x - most, x + most), point.z.clamp(z - most, z + most));
        let height = self.view.feet_height([x, z], span);
        Point3::new(x, height.unwrap_or(point.y), z)
    }

    /// A place to tell of where none was found.
    fn around(&self, point: Point3<f32>) -> Option<Point3<f32>> {
        let radius = LOOK_AROUND * self.view.cell_size();
        self.nearest(point, radius, |_| true).map(|nav_point| nav_point.point)
    }

    /// The first place on the way back from the goal to the start that can be reached. Of several
    /// floors the one nearest to the line counts.
    pub(crate) fn along_line(
        &self,
        start: NavPoint,
        reachable: impl Fn(SpanId) -> bool,
    ) -> Option<NavPoint> {
        let (goal, back) = (self.query.to, start.point - self.query.to);
        if !back.iter().all(|v| v.is_finite()) {
            return None;
        }
        let cells = portable::hypot(back.x, back.z) / self.view.cell_size();
        let stops = (2.0 * cells).ceil().clamp(1.0, MOST_STOPS);
        (0..=stops as u32).find_map(|stop| {
            let point = goal + back * (stop as f32 / stops);
            let cell = self.view.grid().column_at(point)?;
            let column = self.view.grid().column_spans(cell).map(SpanId);
            let open = column.filter(|&span| self.is_open(span) && reachable(span));
            let off = |span: &SpanId| (self.view.spans()[span.index()].floor - point.y).abs();
            let span = open.min_by(|a, b| off(a).total_cmp(&off(b)))?;
            Some(NavPoint { span, point: self.inside(span, point) }.in_room(self.view))
        })
    }
}

/// A line from very far away is looked at this often at most.
const MOST_STOPS: f32 = 1e6;
