//! What it costs to give way: the fewest and smallest relaxations are to win.
//!
//! A cell of walking costs 2 and a diagonal 3, so that walking only decides between paths on which the
//! same has to give. A limit that gives costs about a hundred thousand, and more by how much it gives.
//! Along a passage, a slope or a low ceiling that is paid once, for the worst of it. Cells beside obstacles
//! and edges cost little: they come with everything else. What no limit of the agent is about, such as a
//! wall, comes last.

use crate::grid::{Dir, Verdict};
use crate::portable;

use super::ground::{FloorRise, RelaxedGround, TOLERANCE};
use super::nodes::Passing;
use super::sides::Sides;

/// Of a closed link, and of one that leads only the other way.
pub(super) const LINK: u32 = 120_000;
/// Of entering ground of another kind: steep, under a low ceiling, forbidden. And of how much worse than before
/// it is: each radian by which it is too steep, and each metre by which a ceiling is too low.
const KIND: u32 = 80_000;
const STEEP_RADIAN: f32 = 240_000.0;
const CEILING_METRE: f32 = 200_000.0;
/// Of a ceiling so low that no height is enough: climb or radius have to give too.
const LOWEST_CEILING: u32 = 400_000;
/// Of something beside a body under a low ceiling, however low the body: as the narrowest passage.
const BESIDE_CEILING: u32 = 210_000;
/// Of entering a passage, and of the part of the body's width by which it is narrower than before.
const PASSAGE: u32 = 60_000;
const NARROW: f32 = 150_000.0;
/// Of a step, and of each metre by which it is too high.
const STEP: u32 = 120_000;
const STEP_METRE: f32 = 100_000.0;
/// Of a step that is as high as the body: climbing does not get over it.
const HIGH_STEP: u32 = 200_000;
/// Of each metre next to something.
const MARGIN: f32 = 16_000.0;
/// Of each metre of ground of another kind, or near an edge.
const OFF_LIMITS: f32 = 12_000.0;
/// Of each metre below an obstacle of an overlay, and of a region that was dropped for being too small.
const FITS: f32 = 4_000.0;
/// Of what gives on one of the two floors too.
const PAID: u32 = 1;
/// Of a gap, and of each metre across.
const GAP: u32 = 120_000;
const GAP_METRE: f32 = 100_000.0;
/// Of a floor between two storeys.
const STOREY: u32 = 800_000;
/// Of something thinner than a cell: twice as much, where a center is in its face, is less than over high walls.
const THIN: u32 = 600_000;
/// Of a wall, and of each metre through it.
const WALL: u32 = 900_000;
const WALL_METRE: f32 = 200_000.0;

/// The cost of walking to a neighboring cell.
pub(super) fn walk(dir: Dir) -> u32 {
    if dir.is_diagonal() { 3 } else { 2 }
}

/// What gives on a span.
struct Excess {
    kind: ExcessKind,
    /// The cost of how much.
    amount: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExcessKind {
    Slope,
    Ceiling,
    Forbidden,
    Passage,
}

/// A step between neighboring columns on which limits give.
pub(super) struct RelaxedStep {
    pub cost: u32,
    pub passing: Passing,
}

/// The cost of relaxed steps on a ground.
pub(super) struct Penalties<'a> {
    pub ground: &'a RelaxedGround<'a>,
    pub sides: Sides,
}

impl Penalties<'_> {
    /// The cost of going to a floor of a neighboring column that no connection leads to; `None` if
    /// nothing could.
    pub fn step(&self, ends: [u32; 2], dir: Dir) -> Option<RelaxedStep> {
        let [from, to] = ends;
        let rise = self.ground.rise(ends, dir);
        if rise.headroom < self.ground.least_headroom() {
            return None;
        }
        let is_free = ends.iter().all(|&end| self.ground.verdict(end) == Verdict::Walkable);
        if is_free && self.sides.are_same(ends) {
            return None;
        }
        let mut cost = walk(dir) + self.stay(to) + self.enter(Some(from), to);
        let limits = self.limits(ends, dir, &rise);
        let mut passing = Passing::Relaxed;
        let has_room = limits <= PAID && self.ground.lip(ends, dir).is_none();
        let is_unseen = has_room && (is_free || self.is_unseen(ends));
        if is_unseen || self.ground.has_wall(ends, dir) {
            (cost, passing) = (cost + THIN, Passing::Thin);
        }
        Some(RelaxedStep { cost: cost + limits, passing })
    }

    /// The cost of what exceeds limits between two floors, and on neither of them.
    fn limits(&self, ends: [u32; 2], dir: Dir, rise: &FloorRise) -> u32 {
        let verdicts = ends.map(|end| self.ground.verdict(end));
        let agent = self.ground.agent;
        if self.ground.is_high(rise) {
            let step = rise.step.abs();
            let high = if step >= agent.height { HIGH_STEP } else { 0 };
            let steep = scaled(step - agent.max_climb, STEP_METRE);
            return STEP + high + steep + self.ceiling_of_step(rise);
        }
        let (excess, own) = if self.ground.is_steep(rise) {
            let angle = portable::atan(rise.rise.abs() / self.ground.cell_size);
            (scaled(angle - agent.slope_limit, STEEP_RADIAN), Verdict::TooSteep)
        } else if let Some(lip) = self.ground.lip(ends, dir) {
            let over_both = ends.map(|end| self.ground.headroom(end)).into_iter();
            let over_both = over_both.fold(agent.height, f32::min);
            let paid = if over_both < agent.height { 0 } else { KIND };
            return PAID + paid + scaled(over_both - lip, CEILING_METRE);
        } else {
            let short = agent.height - rise.headroom;
            if self.is_past_ceiling(ends) {
                return BESIDE_CEILING;
            }
            if short <= TOLERANCE {
                return 0;
            }
            (scaled(short, CEILING_METRE), Verdict::LowCeiling)
        };
        // Never nothing: it is a limit that gives.
        if verdicts.contains(&own) { PAID } else { KIND + excess }
    }

    /// The cost of a ceiling that is too low over a step: also something thin between a floor above it and one
    /// below.
    fn ceiling_of_step(&self, rise: &FloorRise) -> u32 {
        let is_low = rise.headroom < self.ground.agent.height - TOLERANCE;
        if is_low { KIND + self.ceiling(rise.headroom) } else { 0 }
    }

    /// The cost of how much too low a ceiling is [m].
    fn ceiling(&self, headroom: f32) -> u32 {
        let is_enough = headroom >= self.ground.least_height() - TOLERANCE;
        let lowest = if is_enough { 0 } else { LOWEST_CEILING };
        lowest + scaled(self.ground.agent.height - headroom, CEILING_METRE)
    }

    /// Whether only one of two floors is under a low ceiling, and a body touches something else on the other:
    /// then what hangs between them was not measured.
    fn is_past_ceiling(&self, ends: [u32; 2]) -> bool {
        let is_low = |end: u32| self.ground.verdict(end) == Verdict::LowCeiling;
        let is_beside = |end: u32| {
            matches!(self.ground.verdict(end), Verdict::Obstacle(_))
                && self.ground.is_beside_ceiling(end)
        };
        let [from, to] = ends;
        (is_low(from) && is_beside(to)) || (is_beside(from) && is_low(to))
    }

    /// The cost of coming to stand on a span from elsewhere.
    pub fn stand(&self, span: u32) -> u32 {
        self.stay(span) + self.enter(None, span)
    }

    /// The cost of what gives on a span and gave less on the one before.
    fn enter(&self, from: Option<u32>, to: u32) -> u32 {
        let Some(Excess { kind, amount }) = self.excess(to) else { return 0 };
        match from.and_then(|from| self.excess(from)) {
            Some(before) if before.kind == kind => amount.saturating_sub(before.amount),
            _ if kind == ExcessKind::Passage => PASSAGE + amount,
            _ => KIND + amount,
        }
    }

    /// What gives on a span, all along it.
    fn excess(&self, span: u32) -> Option<Excess> {
        let (ground, agent) = (self.ground, self.ground.agent);
        let (kind, amount) = match ground.verdict(span) {
            Verdict::TooSteep => {
                let angle = ground.slope(span) - agent.slope_limit;
                (ExcessKind::Slope, scaled(angle, STEEP_RADIAN))
            }
            Verdict::LowCeiling => {
                let headroom = ground.headroom(span);
                // Where no body is low enough, something beside it changes nothing.
                let is_beside =
                    headroom >= ground.least_height() - TOLERANCE && ground.is_beside_ceiling(span);
                let beside = if is_beside { BESIDE_CEILING } else { 0 };
                (ExcessKind::Ceiling, beside + self.ceiling(headroom))
            }
            Verdict::Forbidden => (ExcessKind::Forbidden, 0),
            Verdict::Obstacle(_) if !ground.is_blocked_at_run_time(span) => {
                let (body, width) = (2.0 * agent.radius, self.passage_width(span));
                let missing = (body - width) / body;
                (width.is_finite()).then_some((ExcessKind::Passage, scaled(missing, NARROW)))?
            }
            _ => return None,
        };
        Some(Excess { kind, amount })
    }

    /// The cost of each cell, so that less of the same is better.
    fn stay(&self, span: u32) -> u32 {
        let each_metre = match self.ground.verdict(span) {
            Verdict::Walkable => return 0,
            Verdict::TooSteep | Verdict::LowCeiling | Verdict::Ledge | Verdict::Forbidden => {
                OFF_LIMITS
            }
            Verdict::SmallRegion => FITS,
            Verdict::Obstacle(_) if self.ground.is_blocked_at_run_time(span) => FITS,
            _ => MARGIN,
        };
        scaled(self.ground.cell_size, each_metre)
    }

    /// Whether something that no floor shows separates two floors: on both sides there is room for the
    /// body, and still no connection. A fence between the centers of cells, for one.
    fn is_unseen(&self, ends: [u32; 2]) -> bool {
        let is_narrow = |span: u32| self.passage_width(span).is_finite();
        // Ledges are on the side of the ground beside them, but between two of them may be a plank.
        let is_ledge = |end: &u32| self.ground.verdict(*end) == Verdict::Ledge;
        self.sides.are_apart(ends)
            && !ends.iter().all(is_ledge)
            && !ends.iter().any(|&end| is_narrow(end))
    }

    fn passage_width(&self, span: u32) -> f32 {
        self.ground.passage_width(span, self.ground.allowance())
    }

    /// The cost of a gap [m].
    pub fn gap(&self, width: f32, rise: f32) -> u32 {
        let agent = self.ground.agent;
        let higher = (rise.abs() - agent.max_climb).max(0.0);
        let high = if rise >= agent.height { HIGH_STEP } else { 0 };
        GAP + high + scaled(width, GAP_METRE) + scaled(higher, STEP_METRE)
    }

    /// The cost of another storey [m].
    pub fn storey(&self, rise: f32) -> u32 {
        STOREY + scaled(rise.abs(), STEP_METRE)
    }

    /// The cost of a wall [m].
    pub fn wall(&self, thickness: f32) -> u32 {
        WALL + scaled(thickness, WALL_METRE)
    }
}

/// What an amount costs; so little that a few of them can be added up.
fn scaled(amount: f32, scale: f32) -> u32 {
    const MOST: f32 = 4e8;
    (amount.max(0.0) * scale).min(MOST) as u32
}
