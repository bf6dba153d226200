//! Provides [`RelaxedGround`]: all floors of a view, whether the agent can stand on them or not.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::agent::{Agent, BodyShape};
use crate::grid::baker::SLIT;
use crate::grid::{CellOffset, Dir, NodeId, Span, SpanId, Verdict, plane};
use crate::portable;
use crate::view::ViewRef;

use super::nodes::Allowance;

/// Rounding of steps and headrooms, as in the bake [m].
pub(super) const TOLERANCE: f32 = 1.5e-3;

/// How much more than its climb a body is lifted, as in the bake [m].
pub(super) const SKIN: f32 = 0.05;

/// The steepest ground: no agent has a slope limit above 85° [rad].
const STEEPEST: f32 = 1.49;

/// A body touches what a column shows if that is no farther than its radius and so many cells.
const NEAR_CELLS: f32 = 0.75;

/// All floors of a view, for one agent.
pub(super) struct RelaxedGround<'a> {
    pub view: &'a ViewRef<'a>,
    pub agent: &'a Agent,
    pub cell_size: f32,
    /// The steepest rise over run.
    max_slope: f32,
    /// What is known of [`RelaxedGround::is_below_step`]: a search asks again and again.
    below_steps: RefCell<HashMap<u32, bool>>,
}

/// How two floors of neighboring columns lie to each other [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct FloorRise {
    /// The step at the edge that the cells share; negative for a drop.
    pub step: f32,
    /// From center to center; negative for a fall.
    pub rise: f32,
    /// From the higher floor to the lower ceiling.
    pub headroom: f32,
}

/// What a vertical line at a column holds at the height of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColumnKind {
    /// Ground within the climb, with room for the body: the span.
    Ground(u32),
    /// Nothing: the ground is lower, or there is none.
    Air,
    /// No floor at all below.
    Void,
    /// Something solid.
    Solid,
}

impl ColumnKind {
    /// Whether the ground ends before it.
    fn is_end(self) -> bool {
        !matches!(self, ColumnKind::Ground(_))
    }
}

impl<'a> RelaxedGround<'a> {
    pub fn new(view: &'a ViewRef<'a>) -> Self {
        let agent = view.agent();
        let max_slope = portable::tan(agent.slope_limit);
        RelaxedGround {
            view,
            agent,
            cell_size: view.cell_size(),
            max_slope,
            below_steps: RefCell::default(),
        }
    }

    /// The agent's own limits.
    pub fn allowance(&self) -> Allowance {
        let Agent { max_climb, height, slope_limit, .. } = *self.agent;
        Allowance { max_climb, height, slope_limit }
    }

    /// Why the agent can or cannot stand on a span now, also by a query's filter.
    pub fn verdict(&self, span: u32) -> Verdict {
        let standing = self.view.standing(SpanId(span));
        match standing.map_or(Verdict::InsideSolid, |standing| standing.verdict()) {
            Verdict::Walkable if !self.view.is_allowed(SpanId(span)) => Verdict::Forbidden,
            // A lower body is lifted as far, and touches the ceiling.
            Verdict::Obstacle(_) if self.is_too_low(span) => Verdict::LowCeiling,
            verdict => verdict,
        }
    }

    fn is_too_low(&self, span: u32) -> bool {
        let needed = self.needed_height() - TOLERANCE;
        let own = self.view.spans()[span as usize].headroom();
        let is_low = own < needed || (self.headroom(span) < needed && !self.is_below_step(span));
        is_low && !self.is_blocked_at_run_time(span)
    }

    /// Whether what hangs over a body beside the center of a span is the edge of a floor that it may step onto.
    fn is_below_step(&self, span: u32) -> bool {
        let find = || {
            let feet = self.view.floor(span);
            let steps = feet + self.headroom(span)..=feet + self.agent.height;
            let tops = self.covered(span).flat_map(|column| self.view.grid().column_range(column));
            tops.map(|top| self.view.floor(top)).any(|top| steps.contains(&top))
        };
        *self.below_steps.borrow_mut().entry(span).or_insert_with(find)
    }

    /// How high the agent's body reaches above the ground [m].
    pub fn needed_height(&self) -> f32 {
        self.top(self.allowance())
    }

    /// The same of a body that climbs as much and is as wide, however low it is [m].
    pub fn least_height(&self) -> f32 {
        self.top(Allowance { height: 0.0, ..self.allowance() })
    }

    /// How high a body reaches that stands on a floor [m].
    pub fn top(&self, body: Allowance) -> f32 {
        match self.agent.shape {
            // A capsule is never lower than it is wide: lifted by much, it reaches above its height.
            BodyShape::Capsule => body.height.max(body.max_climb + SKIN + 2.0 * self.agent.radius),
            BodyShape::Box => body.height,
        }
    }

    /// The node of the ceiling over a span, if the grid knows it.
    pub fn ceiling_node(&self, span: u32) -> Option<NodeId> {
        match self.view.standing(SpanId(span))?.verdict() {
            Verdict::Obstacle(node) => Some(node),
            _ => self.view.grid().node_above(SpanId(span)),
        }
    }

    /// Whether only an obstacle that was added at run time keeps the agent off a span.
    pub fn is_blocked_at_run_time(&self, span: u32) -> bool {
        let baked = self.view.grid().is_walkable(self.view.agent_id(), SpanId(span));
        baked && !self.view.is_walkable(SpanId(span))
    }

    /// The column next to another, as a row-major position; `None` outside the frame.
    pub fn beside(&self, column: usize, offset: CellOffset) -> Option<usize> {
        let frame = self.view.frame();
        frame.index(frame.cell(column).moved(offset))
    }

    /// The spans of a column that are not inside something solid, and no walls.
    pub fn floors(&self, column: usize) -> impl Iterator<Item = u32> + use<'_> {
        self.view.grid().column_range(column).filter(|&span| !self.is_solid(span))
    }

    /// The lowest ceiling that a lower body might be made for [m].
    pub fn least_headroom(&self) -> f32 {
        SLIT * self.agent.height
    }

    /// Whether a span is inside something, too steep for any agent, or in a slit.
    fn is_solid(&self, span: u32) -> bool {
        match self.verdict(span) {
            Verdict::InsideSolid => true,
            Verdict::TooSteep => self.slope(span) > STEEPEST,
            Verdict::LowCeiling => self.headroom(span) < self.least_headroom(),
            _ => false,
        }
    }

    /// How the floor of a span lies to one in the next column.
    pub fn rise(&self, [from, to]: [u32; 2], dir: Dir) -> FloorRise {
        let [from, to] = [from, to].map(|span| &self.view.spans()[span as usize]);
        let CellOffset { x, z } = dir.offset();
        let half = 0.5 * self.cell_size;
        let [x, z] = [half * x as f32, half * z as f32];
        FloorRise {
            step: plane(to, [-x, -z]) - plane(from, [x, z]),
            rise: to.floor - from.floor,
            headroom: from.ceiling.min(to.ceiling) - from.floor.max(to.floor),
        }
    }

    /// Whether a step exceeds the agent's climb.
    pub fn is_high(&self, rise: &FloorRise) -> bool {
        rise.step.abs() > self.agent.max_climb + TOLERANCE
    }

    /// Whether the rise between two centers exceeds climb and slope limit.
    pub fn is_steep(&self, rise: &FloorRise) -> bool {
        let most = self.max_slope * self.cell_size + TOLERANCE;
        rise.rise.abs() > most.max(self.agent.max_climb + TOLERANCE)
    }

    /// Slope of a span's floor [rad].
    pub fn slope(&self, span: u32) -> f32 {
        portable::acos(self.view.spans()[span as usize].normal().y.clamp(0.0, 1.0))
    }

    /// What a column holds for a body that stands at a height, or comes there from a floor beside.
    pub fn column_kind(&self, column: usize, feet: f32, body: Allowance) -> ColumnKind {
        let spans = self.view.spans();
        let range = self.view.grid().column_range(column);
        let slope = self.max_slope.min(1.0) * self.cell_size;
        let climb = body.max_climb.max(slope) + TOLERANCE;
        let mut kind = ColumnKind::Void;
        for span in range {
            let Span { floor, ceiling, .. } = spans[span as usize];
            if floor > feet + body.height {
                break;
            }
            let is_solid = self.is_solid(span);
            let headroom = ceiling - floor.max(feet);
            let climb = climb.max(self.granted_rise(span, body));
            if floor > feet + climb {
                // The top of something that stands in the way of the body, or its inside.
                return match kind {
                    ColumnKind::Ground(_) => kind,
                    _ => ColumnKind::Solid,
                };
            }
            kind = if is_solid || headroom < body.height - TOLERANCE {
                ColumnKind::Solid
            } else if floor >= feet - climb {
                ColumnKind::Ground(span)
            } else {
                ColumnKind::Air
            };
        }
        kind
    }

    /// How far ground rises from cell to cell that is too steep for the agent, and not for a body [m]; 0
    /// for other ground.
    fn granted_rise(&self, span: u32, body: Allowance) -> f32 {
        let slope = self.slope(span);
        let is_granted = slope <= body.slope_limit && self.verdict(span) == Verdict::TooSteep;
        let diagonal = std::f32::consts::SQRT_2 * self.cell_size;
        if is_granted { portable::tan(slope) * diagonal + TOLERANCE } else { 0.0 }
    }

    /// The columns that a body over a span may touch something in.
    fn covered(&self, span: u32) -> impl Iterator<Item = usize> {
        let column = self.view.column(span);
        let reach = self.agent.radius + NEAR_CELLS * self.cell_size;
        let cells = (reach / self.cell_size).ceil() as i32;
        let offsets =
            (-cells..=cells).flat_map(move |z| (-cells..=cells).map(move |x| CellOffset { x, z }));
        let is_near = move |at: &CellOffset| {
            portable::hypot(at.x as f32, at.z as f32) * self.cell_size <= reach
        };
        offsets.filter(is_near).filter_map(move |offset| self.beside(column, offset))
    }

    /// Width of the passage around a span where the body touches something, up to which a body may be too
    /// wide for it at the centers of cells [m]; infinite where there is none. Counted in cells if the bake
    /// measured nothing.
    pub fn passage_width(&self, span: u32, body: Allowance) -> f32 {
        let widest = 2.0 * self.agent.radius;
        match self.passage(span) {
            Some(passage) => passage.width,
            None if self.is_measured() => f32::INFINITY,
            None => self.width(span, WidthQuery { body, most: widest + self.cell_size }),
        }
    }

    /// Width of the ground at a span, across the narrowest of four directions, in cells [m]; infinite if it
    /// is wider than asked.
    pub fn width(&self, span: u32, query: WidthQuery) -> f32 {
        let widths = Dir::FORWARD.map(|dir| self.width_along(span, dir, query));
        widths.into_iter().fold(f32::INFINITY, f32::min)
    }

    fn width_along(&self, span: u32, dir: Dir, query: WidthQuery) -> f32 {
        let length = dir.length() * self.cell_size;
        let mut width = length;
        for dir in [dir, dir.opposite()] {
            for on in self.ground_along(span, dir, query.body) {
                let ColumnKind::Ground(_) = on else { break };
                width += length;
                if width > query.most {
                    return f32::INFINITY;
                }
            }
        }
        width
    }

    /// The distance from a span's center to the nearest drop, to half a cell, if there is one within a
    /// distance and a cell more [m].
    pub fn drop_distance(&self, span: u32, body: Allowance, most: f32) -> Option<f32> {
        let along = |dir: Dir| {
            let length = dir.length() * self.cell_size;
            // As many as the largest number, where cells are tiny: the ground ends before.
            let columns = ((most / length).ceil() as usize).saturating_add(1);
            let kinds = self.ground_along(span, dir, body).take(columns);
            let mut ends = kinds.enumerate().filter(|(_, kind)| kind.is_end());
            let (count, kind) = ends.next()?;
            let is_drop = matches!(kind, ColumnKind::Air | ColumnKind::Void);
            is_drop.then_some((count as f32 + 0.5) * length)
        };
        Dir::ALL.into_iter().filter_map(along).min_by(f32::total_cmp)
    }

    /// The columns from a span in a direction, up to the first that is not ground.
    fn ground_along(
        &self,
        span: u32,
        dir: Dir,
        body: Allowance,
    ) -> impl Iterator<Item = ColumnKind> + use<'_> {
        let mut at = Some((self.view.column(span), span));
        std::iter::from_fn(move || {
            let (column, span) = at?;
            let next = self.beside(column, dir.offset());
            let feet = self.view.spans()[span as usize].floor;
            // Where steep ground begins and ends, one of the two is level.
            let max_climb = body.max_climb.max(self.granted_rise(span, body));
            let body = Allowance { max_climb, ..body };
            let kind = next.map_or(ColumnKind::Void, |next| self.column_kind(next, feet, body));
            at = match (kind, next) {
                (ColumnKind::Ground(span), Some(next)) => Some((next, span)),
                _ => None,
            };
            Some(kind)
        })
    }
}

/// What a width is measured for.
#[derive(Clone, Copy)]
pub(super) struct WidthQuery {
    pub body: Allowance,
    /// Widths above this do not matter [m].
    pub most: f32,
}
