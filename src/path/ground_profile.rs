//! Provides [`GroundProfile`]: the ground below a straight line, as straight pieces that a physics engine
//! can carry a body along.
//!
//! The line has a knot over each cell it crosses, in the middle of its way over it, at the height
//! of the cell's floor: between centers of neighboring cells it is the very line along which the
//! bake has moved the body. A stretch leads past as many knots as lie near it.
//! Based on: the swinging door of E. H. Bristol, "Swinging door trending", 1990.

use nalgebra::{Point3, Vector3};

use crate::grid::{Cell, Dir, plane};
use crate::view::{NavPoint, View, ViewRef};

use super::sight::GridLine;

/// The ground below a line, from where one has got to on.
#[derive(Clone)]
pub struct GroundProfile<'a> {
    knots: Knots<'a>,
    /// Where one has got to.
    anchor: Knot,
    next: Option<Knot>,
}

impl<'a> GroundProfile<'a> {
    /// The profile between two points; the same whichever comes first. The ground goes on over steps of
    /// the agent's climb and `tolerance` [m, >= 0]. `None` if the grid does not have the span of an end,
    /// or the end does not lie over its cell.
    pub fn between(view: &'a View, mut ends: [NavPoint; 2], tolerance: f32) -> Option<Self> {
        let view = view.parts();
        let key = |end: &NavPoint| [end.point.x, end.point.z, end.point.y];
        if key(&ends[1]) < key(&ends[0]) {
            ends.swap(0, 1);
        }
        let [from, to] = ends;
        if ends.iter().any(|end| end.span.index() >= view.spans().len()) {
            return None;
        }
        let cell = view.grid().column_at(from.point)?;
        view.grid().column_at(to.point)?;
        let mut knots = Knots {
            highest_step: view.agent().max_climb + tolerance,
            line: GridLine::between(&view, &from, &to)?,
            from: from.point,
            whole: to.point - from.point,
            cell,
            column: view.column(from.span.0),
            entered: None,
            floor: Some(from.span.0),
            last: Knot { at: 0.0, y: from.point.y },
            end: Some(Knot { at: 1.0, y: to.point.y }),
            view,
        };
        let (anchor, next) = (knots.last, knots.next());
        Some(GroundProfile { knots, anchor, next })
    }

    /// Goes on to the end of a stretch that passes within some metres above or below all knots.
    /// Its two ends; `None` at the end of the line.
    pub fn stretch(&mut self, near: f32) -> Option<[Point3<f32>; 2]> {
        let mut end = self.next?;
        let mut door =
            Door { anchor: self.anchor, near, slopes: [f32::NEG_INFINITY, f32::INFINITY] };
        door.swing(end);
        self.next = loop {
            match self.knots.next() {
                Some(knot) if door.lets_through(knot) => {
                    door.swing(knot);
                    end = knot;
                }
                next => break next,
            }
        };
        let start = std::mem::replace(&mut self.anchor, end);
        Some([start, end].map(|knot| self.knots.place(knot.at, knot.y)))
    }

    /// How much of the line one has gone [0..=1].
    pub fn gone(&self) -> f32 {
        self.anchor.at
    }
}

/// A place on the line: the part of the line before it [0..=1], and its height [m].
#[derive(Clone, Copy)]
struct Knot {
    at: f32,
    y: f32,
}

/// The slopes of straight stretches from a knot that pass near all knots so far.
struct Door {
    anchor: Knot,
    /// How near [m].
    near: f32,
    /// Least and greatest [m a line].
    slopes: [f32; 2],
}

impl Door {
    fn slope(&self, knot: Knot, above: f32) -> f32 {
        (knot.y + above - self.anchor.y) / (knot.at - self.anchor.at)
    }

    fn lets_through(&self, knot: Knot) -> bool {
        (self.slopes[0]..=self.slopes[1]).contains(&self.slope(knot, 0.0))
    }

    fn swing(&mut self, knot: Knot) {
        let [least, greatest] = self.slopes;
        self.slopes =
            [least.max(self.slope(knot, -self.near)), greatest.min(self.slope(knot, self.near))];
    }
}

/// The knots of a line after its start.
#[derive(Clone)]
struct Knots<'a> {
    view: ViewRef<'a>,
    /// The ground goes on over steps up to this [m].
    highest_step: f32,
    line: GridLine,
    from: Point3<f32>,
    whole: Vector3<f32>,
    /// The cell it has got to, and its row-major position.
    cell: Cell,
    column: usize,
    /// Where on the line it entered the cell; none in the first.
    entered: Option<f32>,
    /// The floor there; none over a gap.
    floor: Option<u32>,
    last: Knot,
    /// The line's end, until it is given out.
    end: Option<Knot>,
}

impl Iterator for Knots<'_> {
    type Item = Knot;

    fn next(&mut self) -> Option<Knot> {
        while let Some((dir, border)) = self.line.next_border() {
            let knot = self.leave(border);
            self.enter(dir, border);
            if knot.is_some() {
                return knot;
            }
        }
        self.end.take()
    }
}

impl Knots<'_> {
    /// Leaves a cell; its knot, except for that of the start and over gaps. A gap ends where there is
    /// ground below the straight line from its start to the line's end.
    fn leave(&mut self, border: f32) -> Option<Knot> {
        let middle = (self.entered? + border) / 2.0;
        if self.floor.is_none() {
            let end = self.end?;
            let slope = (end.y - self.last.y) / (end.at - self.last.at);
            self.floor = self.nearest(middle, self.last.y + slope * (middle - self.last.at));
        }
        self.last = Knot { at: middle, y: self.height(self.floor?, middle) };
        Some(self.last)
    }

    /// Enters a cell: by a step where the agent has one, else onto the floor that goes on there.
    fn enter(&mut self, dir: Dir, border: f32) {
        let connections = self.view.connections();
        let from = self.floor.map(|floor| (floor, self.height(floor, border)));
        let step = from.and_then(|(floor, _)| connections.known_target(self.column, floor, dir));
        self.column = connections.neighbor_of(self.column, dir);
        self.cell = self.cell.neighbor(dir);
        self.entered = Some(border);
        self.floor = step.or_else(|| self.nearest(border, from?.1));
    }

    /// The floor in the cell nearest to a height, not farther off than the agent climbs.
    fn nearest(&self, at: f32, y: f32) -> Option<u32> {
        let off = |&span: &u32| (self.height(span, at) - y).abs();
        let floors = self.view.grid().column_range(self.column);
        let nearest = floors.min_by(|a, b| off(a).total_cmp(&off(b)))?;
        (off(&nearest) <= self.highest_step).then_some(nearest)
    }

    /// The height of a floor of the cell it has got to.
    fn height(&self, floor: u32, at: f32) -> f32 {
        let [x, z] = self.view.frame().center(self.cell);
        let place = self.place(at, 0.0);
        plane(&self.view.spans()[floor as usize], [place.x - x, place.z - z])
    }

    fn place(&self, at: f32, y: f32) -> Point3<f32> {
        let along = self.from + self.whole * at;
        Point3::new(along.x, y, along.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::grid::{AgentId, GridFrame, NavGrid, SpanId};

    const SIDE: u32 = 40;

    /// Ground of a height at each cell of 0.5 m.
    fn grid(height: impl Fn(u32, u32) -> f32) -> NavGrid {
        let frame = GridFrame { cell_size: 0.5, min: Cell::new(-3, 5), size_x: SIDE, size_z: SIDE };
        let heights: Vec<f32> = (0..SIDE * SIDE).map(|at| height(at % SIDE, at / SIDE)).collect();
        NavGrid::from_heights(frame, &heights, &[Agent::new("walker")]).expect("sound heights")
    }

    /// The middle of a cell, counted from the frame's corner.
    fn middle(view: &View, x: u32, z: u32) -> NavPoint {
        let point = [-1.25 + 0.5 * x as f32, 0.0, 2.75 + 0.5 * z as f32];
        let span = view.grid().span_at(point, f32::INFINITY).expect("ground");
        NavPoint { span, point: view.grid().point(span).expect("a span of the grid") }
    }

    fn points(view: &View, ends: [NavPoint; 2], near: f32) -> Vec<Point3<f32>> {
        let mut profile = GroundProfile::between(view, ends, 0.05).expect("ends over their cells");
        let mut points = Vec::new();
        while let Some([from, to]) = profile.stretch(near) {
            assert!(points.last().is_none_or(|last| *last == from));
            if points.is_empty() {
                points.push(from);
            }
            points.push(to);
        }
        assert_eq!(profile.gone(), 1.0);
        points
    }

    #[test]
    fn stretches_pass_near_all_knots_and_are_few() {
        let grid = grid(|x, z| 0.4 * (x as f32 * 0.7).sin() + 0.3 * (z as f32 * 0.9).cos());
        let view = View::new(&grid, AgentId(0)).expect("an agent");
        for (x, z) in [(39, 39), (39, 13), (5, 31), (0, 39), (39, 0), (38, 37)] {
            let ends = [middle(&view, 0, 0), middle(&view, x, z)];
            let knots = points(&view, ends, 0.0);
            let mut before = knots.len() + 1;
            for near in [0.01, 0.1, 0.3, 2.0] {
                let few = points(&view, ends, near);
                assert_eq!([few[0], few[few.len() - 1]], [knots[0], knots[knots.len() - 1]]);
                assert!(few.len() < before, "{} after {before}", few.len());
                before = few.len();
                for knot in &knots {
                    let gone = |point: &Point3<f32>| (point - knots[0]).xz().norm();
                    let at = few.partition_point(|point| gone(point) < gone(knot)).max(1);
                    let [a, b] = [few[at - 1], few[at]];
                    let part = (gone(knot) - gone(&a)) / (gone(&b) - gone(&a));
                    let off = a.y + (b.y - a.y) * part - knot.y;
                    assert!(off.abs() <= near + 1e-4, "{off} off with {near}");
                }
            }
            assert_eq!(before, 2, "all within 2 m of a straight line");
        }
    }

    #[test]
    fn between_centers_it_is_the_line_of_the_bake() {
        let grid = grid(|x, _| if x < 20 { 0.0 } else { 0.3 });
        let view = View::new(&grid, AgentId(0)).expect("an agent");
        let ends = [middle(&view, 18, 4), middle(&view, 21, 4)];
        let heights: Vec<f32> = points(&view, ends, 0.0).iter().map(|point| point.y).collect();
        assert_eq!(heights, [0.0, 0.0, 0.3, 0.3]);
    }

    #[test]
    fn a_gap_is_crossed_straight_to_where_the_ground_goes_on() {
        let pit = |x: u32| if (10..20).contains(&x) { -5.0 } else { 0.0 };
        let grid = grid(|x, _| if x < 30 { pit(x) } else { 0.02 * (x - 30) as f32 });
        let view = View::new(&grid, AgentId(0)).expect("an agent");
        let ends = [middle(&view, 5, 4), middle(&view, 39, 4)];
        for point in points(&view, ends, 0.0) {
            assert!((-0.01..0.2).contains(&point.y), "{point}");
        }
        let down = [middle(&view, 5, 4), middle(&view, 15, 4)];
        assert_eq!(points(&view, down, 0.1).last().map(|point| point.y), Some(-5.0));
    }

    #[test]
    fn ends_that_are_not_over_their_cells_have_none() {
        let grid = grid(|_, _| 0.0);
        let view = View::new(&grid, AgentId(0)).expect("an agent");
        let end = middle(&view, 0, 1);
        let elsewhere = NavPoint { span: SpanId(0), ..end };
        // To the left of the frame the row before goes on.
        let outside = NavPoint { span: SpanId(SIDE - 1), point: [-1.75, 0.0, 3.25].into() };
        for other in [elsewhere, outside, NavPoint { point: [f32::NAN; 3].into(), ..end }] {
            assert!(GroundProfile::between(&view, [end, other], 0.05).is_none());
            assert!(GroundProfile::between(&view, [other, end], 0.05).is_none());
        }
    }
}
