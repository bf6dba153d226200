//! Finds the ground that the ends of a query mean.
//!
//! An end means the floor it stands on, within the vertical tolerance; where the agent cannot
//! stand there, the nearest place within the snap radius where it can. For a goal, places that can
//! be reached come first.

use nalgebra::Point3;

use crate::grid::{Exit, SpanId, Within};

use super::outcome::{Outcome, Shortfall};
use super::query::{GoalMode, Query};
use super::terrain::Terrain;

/// A point on the ground, and the span it lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footing {
    /// The span.
    pub span: SpanId,
    /// A point over its cell, at the height of the ground [m].
    pub point: Point3<f32>,
}

impl Footing {
    /// The ground at the center of a span's cell; the span is one of the grid.
    pub(crate) fn center(terrain: &Terrain, span: SpanId) -> Self {
        let cell = terrain.frame().cell(terrain.column(span.0));
        let floor = terrain.spans()[span.index()].floor;
        Footing { span, point: terrain.frame().point(cell, floor) }
    }

    /// Where a way by link starts and ends on the ground.
    pub(crate) fn link_ends(terrain: &Terrain, exit: &Exit) -> [Self; 2] {
        let spans = [exit.at, exit.other];
        let link = &terrain.grid().links()[exit.link as usize];
        let baked = link.ends[terrain.agent_id().index()];
        let points = if baked == Some(spans) { [link.from, link.to] } else { [link.to, link.from] };
        [0, 1].map(|end| Footing::at(terrain, spans[end], points[end]))
    }

    /// A point's ground on a span; its center where the point is not over its cell.
    pub(crate) fn at(terrain: &Terrain, span: SpanId, point: Point3<f32>) -> Self {
        match terrain.grid().ground_height(point.x, point.z, span) {
            Some(y) => Footing { span, point: Point3::new(point.x, y, point.z) },
            None => Footing::center(terrain, span),
        }
    }
}

/// Where a search is to lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Goal {
    pub footing: Footing,
    /// Why this is not what was asked for.
    pub shortfall: Option<Shortfall>,
}

/// Places for an answer are looked for within so many cells of where nothing is.
const LOOK_AROUND: f32 = 64.0;

/// The ends of a query on a terrain.
pub(crate) struct Ends<'a> {
    pub terrain: &'a Terrain<'a>,
    pub query: &'a Query,
}

impl Ends<'_> {
    /// Where the way starts.
    ///
    /// # Errors
    /// The outcome of the query, where the agent can stand nowhere near.
    pub(crate) fn start(&self) -> Result<Footing, Outcome> {
        let point = self.query.from;
        let found = self.exact(point).or_else(|| self.snapped(point, |_| true));
        found.ok_or_else(|| Outcome::StartOffGrid { nearest: self.around(point) })
    }

    /// Where the way ends.
    ///
    /// # Errors
    /// The outcome of the query, where the goal cannot be reached and nothing else will do.
    pub(crate) fn goal(&self, start: Footing) -> Result<Goal, Outcome> {
        let point = self.query.to;
        let reachable = |span| self.terrain.may_reach(start.span, span);
        let exact = self.exact(point);
        let reached = exact.filter(|exact| reachable(exact.span));
        if let Some(footing) = reached.or_else(|| self.snapped(point, reachable)) {
            return Ok(Goal { footing, shortfall: None });
        }
        let known = exact.is_some() || self.snapped(point, |_| true).is_some();
        let shortfall = if known { Shortfall::DifferentRegion } else { Shortfall::GoalOffGrid };
        let instead = match self.query.goal {
            GoalMode::Fail => None,
            GoalMode::NearestByRing => self.nearest(point, f32::INFINITY, reachable),
            GoalMode::NearestAlongLine => self.along_line(start, reachable),
        };
        match (instead, shortfall) {
            (Some(footing), _) => Ok(Goal { footing, shortfall: Some(shortfall) }),
            (None, Shortfall::GoalOffGrid) => {
                Err(Outcome::GoalOffGrid { nearest: self.around(point) })
            }
            (None, shortfall) => Err(shortfall.outcome()),
        }
    }

    /// The floor at a point, where the agent can stand on it.
    fn exact(&self, point: Point3<f32>) -> Option<Footing> {
        let grid = self.terrain.grid();
        let tolerance = self.query.vertical_tolerance(self.terrain.agent());
        let span = grid.span_at(point, tolerance).filter(|&span| self.terrain.is_walkable(span))?;
        let y = grid.ground_height(point.x, point.z, span)?;
        Some(Footing { span, point: Point3::new(point.x, y, point.z) })
    }

    /// The nearest place within the tolerances where the agent can stand.
    fn snapped(&self, point: Point3<f32>, accepted: impl Fn(SpanId) -> bool) -> Option<Footing> {
        let agent = self.terrain.agent();
        let (radius, height) =
            (self.query.snap_radius(agent), self.query.vertical_tolerance(agent));
        self.within(point, Within { radius, height }, accepted)
    }

    fn nearest(
        &self,
        point: Point3<f32>,
        radius: f32,
        accepted: impl Fn(SpanId) -> bool,
    ) -> Option<Footing> {
        self.within(point, Within { radius, height: f32::INFINITY }, accepted)
    }

    fn within(
        &self,
        point: Point3<f32>,
        within: Within,
        accepted: impl Fn(SpanId) -> bool,
    ) -> Option<Footing> {
        let open = |span| self.terrain.is_walkable(span) && accepted(span);
        let (span, point) = self.terrain.grid().nearest_where(point, within, open)?;
        // The nearest point may lie at the very border of its cell; ends keep off it a little.
        Some(Footing { span, point: self.inside(span, point) })
    }

    /// The point moved into its span's own cell, at the height of the ground.
    fn inside(&self, span: SpanId, point: Point3<f32>) -> Point3<f32> {
        let frame = self.terrain.frame();
        let cell = frame.cell(self.terrain.column(span.0));
        let [x, z] = frame.center(cell);
        let most = frame.cell_size * 0.499;
        let (x, z) = (point.x.clamp(x - most, x + most), point.z.clamp(z - most, z + most));
        let height = self.terrain.grid().ground_height(x, z, span);
        Point3::new(x, height.unwrap_or(point.y), z)
    }

    /// A place to tell of where none was found.
    fn around(&self, point: Point3<f32>) -> Option<Point3<f32>> {
        let radius = LOOK_AROUND * self.terrain.cell_size();
        self.nearest(point, radius, |_| true).map(|footing| footing.point)
    }

    /// The first place on the way back from the goal to the start that can be reached. Of several
    /// floors the one nearest to the line counts.
    pub(crate) fn along_line(
        &self,
        start: Footing,
        reachable: impl Fn(SpanId) -> bool,
    ) -> Option<Footing> {
        let (goal, back) = (self.query.to, start.point - self.query.to);
        if !back.iter().all(|v| v.is_finite()) {
            return None;
        }
        let cells = back.x.hypot(back.z) / self.terrain.cell_size();
        let stops = (2.0 * cells).ceil().clamp(1.0, MOST_STOPS);
        (0..=stops as u32).find_map(|stop| {
            let point = goal + back * (stop as f32 / stops);
            let cell = self.terrain.grid().column_at(point)?;
            let column = self.terrain.grid().column_spans(cell).map(SpanId);
            let open = column.filter(|&span| self.terrain.is_walkable(span) && reachable(span));
            let off = |span: &SpanId| (self.terrain.spans()[span.index()].floor - point.y).abs();
            let span = open.min_by(|a, b| off(a).total_cmp(&off(b)))?;
            Some(Footing { span, point: self.inside(span, point) })
        })
    }
}

/// A line from very far away is looked at this often at most.
const MOST_STOPS: f32 = 1e6;
