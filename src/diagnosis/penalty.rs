//! What it costs to give way: the fewest and smallest relaxations are to win.
//!
//! A cell of walking costs 2 and a diagonal 3, so that walking only decides between paths on which the
//! same has to give. A limit that gives costs about a hundred thousand, and more by how much it gives.
//! Cells beside obstacles and edges cost little: they come with everything else. What no limit of the
//! agent is about, such as a wall, comes last.

use crate::grid::{Dir, Verdict};
use crate::portable;

use super::ground::{FloorRise, RelaxedGround, TOLERANCE, WidthQuery};
use super::sides::Sides;

/// Of a closed link, and of one that leads only the other way.
pub(super) const LINK: u32 = 120_000;
/// Of entering ground of another kind: steep, under a low ceiling, forbidden.
const KIND: u32 = 80_000;
/// Of a step, and of each metre by which it is too high.
const STEP: u32 = 120_000;
const STEP_METRE: f32 = 100_000.0;
/// Of a step that is as high as the body: climbing does not get over it.
const HIGH_STEP: u32 = 200_000;
/// Of each cell of steep ground, and of each radian by which it is too steep.
const STEEP: u32 = 3_000;
const STEEP_RADIAN: f32 = 60_000.0;
/// Of each cell below a low ceiling, and of each metre by which it is too low.
const CEILING: u32 = 3_000;
const CEILING_METRE: f32 = 50_000.0;
/// Of each cell next to something; and in a passage, there also of the part of the body's width that is
/// missing.
const MARGIN: u32 = 4_000;
const PASSAGE: u32 = 10_000;
const NARROW: f32 = 80_000.0;
/// Of each cell near an edge, on forbidden ground, and below an obstacle of an overlay.
const LEDGE: u32 = 3_000;
const FORBIDDEN: u32 = 3_000;
const RUN_TIME_OBSTACLE: u32 = 1_000;
/// Of each cell of a region that was dropped for being too small.
const SMALL_REGION: u32 = 1_000;
/// Of a gap, and of each metre across.
const GAP: u32 = 120_000;
const GAP_METRE: f32 = 60_000.0;
/// Of a floor between two storeys.
const STOREY: u32 = 800_000;
/// Of a wall, and of each metre through it.
const WALL: u32 = 900_000;
const WALL_METRE: f32 = 200_000.0;

/// The cost of walking to a neighboring cell.
pub(super) fn walk(dir: Dir) -> u32 {
    if dir.is_diagonal() { 3 } else { 2 }
}

/// The cost of relaxed steps on a ground.
pub(super) struct Penalties<'a> {
    pub ground: &'a RelaxedGround<'a>,
    pub sides: Sides,
}

impl Penalties<'_> {
    /// The cost of going to a floor of a neighboring column that no connection leads to; `None` if
    /// nothing could.
    pub fn step(&self, ends: [u32; 2], dir: Dir) -> Option<u32> {
        let [_, to] = ends;
        let rise = self.ground.rise(ends, dir);
        let [start, end] = ends.map(|span| self.ground.verdict(span));
        if rise.headroom < self.ground.least_headroom() {
            return None;
        }
        let is_free = [start, end] == [Verdict::Walkable; 2];
        if is_free && self.sides.are_same(ends) {
            return None;
        }
        let mut cost = walk(dir) + self.stand(to);
        if is_kind(end) && start != end {
            cost += KIND;
        }
        let limits = self.limits(ends, dir, &rise);
        if limits == 0 && (is_free || self.is_unseen(ends)) {
            cost += WALL;
        }
        Some(cost + limits)
    }

    /// The cost of what exceeds limits between two floors.
    fn limits(&self, ends: [u32; 2], dir: Dir, rise: &FloorRise) -> u32 {
        let verdicts = ends.map(|end| self.ground.verdict(end));
        let agent = self.ground.agent;
        let kind = |kind: Verdict| if verdicts.contains(&kind) { 0 } else { KIND };
        if self.ground.is_high(rise) {
            let step = rise.step.abs();
            let high = if step >= agent.height { HIGH_STEP } else { 0 };
            let higher = ends[usize::from(rise.rise > 0.0)];
            let fence = if self.ground.is_fenced(higher, dir) { WALL } else { 0 };
            return STEP + high + fence + scaled(step - agent.max_climb, STEP_METRE);
        }
        if self.ground.is_steep(rise) {
            let angle = portable::atan(rise.rise.abs() / self.ground.cell_size);
            let kind = kind(Verdict::TooSteep);
            return kind + STEEP + scaled(angle - agent.slope_limit, STEEP_RADIAN);
        }
        let short = agent.height - rise.headroom;
        match short > TOLERANCE {
            true => kind(Verdict::LowCeiling) + CEILING + scaled(short, CEILING_METRE),
            false => 0,
        }
    }

    /// The cost of standing on a span.
    pub fn stand(&self, span: u32) -> u32 {
        let (ground, agent) = (self.ground, self.ground.agent);
        match ground.verdict(span) {
            Verdict::Walkable => 0,
            Verdict::TooSteep => {
                STEEP + scaled(ground.slope(span) - agent.slope_limit, STEEP_RADIAN)
            }
            Verdict::LowCeiling => {
                let headroom = ground.view.spans()[span as usize].headroom();
                CEILING + scaled(agent.height - headroom, CEILING_METRE)
            }
            Verdict::Ledge => LEDGE,
            Verdict::Forbidden => FORBIDDEN,
            Verdict::SmallRegion => SMALL_REGION,
            Verdict::Obstacle(_) if ground.is_blocked_at_run_time(span) => RUN_TIME_OBSTACLE,
            _ => {
                let body = 2.0 * agent.radius;
                let width = ground.width(span, self.passage());
                let missing = ((body - width) / body).max(0.0);
                let passage = if width.is_finite() { PASSAGE } else { 0 };
                MARGIN + passage + scaled(missing, NARROW)
            }
        }
    }

    /// Whether something that no floor shows separates two floors: on both sides there is room for the
    /// body, and still no connection. A fence between the centers of cells, for one.
    fn is_unseen(&self, ends: [u32; 2]) -> bool {
        let is_narrow = |span: u32| self.ground.width(span, self.passage()).is_finite();
        // Ledges are on the side of the ground beside them, but between two of them may be a plank.
        let is_ledge = |end: &u32| self.ground.verdict(*end) == Verdict::Ledge;
        self.sides.are_apart(ends)
            && !ends.iter().all(is_ledge)
            && !ends.iter().any(|&end| is_narrow(end))
    }

    /// Up to which width a passage may be too narrow.
    fn passage(&self) -> WidthQuery {
        let most = 2.0 * self.ground.agent.radius + self.ground.cell_size;
        WidthQuery { body: self.ground.allowance(), most }
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

/// Whether ground is of a kind that is entered, rather than beside something.
fn is_kind(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::TooSteep | Verdict::LowCeiling | Verdict::Forbidden)
}

/// What an amount costs; so little that a few of them can be added up.
fn scaled(amount: f32, scale: f32) -> u32 {
    const MOST: f32 = 4e8;
    (amount.max(0.0) * scale).min(MOST) as u32
}
