//! Provides [`TakeOffs`]: tries from where walking ends what a body can reach.
//!
//! Every link is looked for from its higher end, or from the lower id of two at one height: what can be
//! taken up can be taken down, and a drop leads down only. From each floor next to the end of its ground a
//! ray of cells leads outward, and the first floors of every piece of ground on it are tried.

use super::detour::Detours;
use super::flight::{FLIGHT_MARGIN, MotionTest, Trial};
use super::ground::{Floor, LinkGround};
use crate::casts::TileCaster;
use surefoot::agent::{Agent, BodyShape};
use surefoot::grid::{Dir, LinkKind, LinkMotion};

/// A link is left out if walking takes at most so many times its length, and so much more [m].
const DETOUR_FACTOR: f32 = 2.0;
const DETOUR_EXTRA: f32 = 3.0;
/// How much a limit may be exceeded [m]: the rounding of levels that are built at it.
const TOLERANCE: f32 = 1e-3;
/// This many floors of a piece of ground are tried.
const MOST_TRIES: u32 = 3;
/// The fastest that a body leaves the edge that it drops from [m/s].
const FASTEST_DROP: f32 = 4.0;
/// How far beyond the edge a body flies that runs off it [m].
const OFF_EDGE: f32 = 0.05;
/// The lowest apex of a jump over its higher end [m], and the apex by the length of the jump.
const LEAST_APEX: f32 = 0.2;
const APEX_BY_LENGTH: f32 = 0.125;
/// The apexes of climbs: how far above the ledge a body is lifted onto it [m].
const CLIMB_APEXES: [f32; 2] = [0.1, 0.3];
/// How far from the ledge a body may stand that climbs it, beyond its radius [cells].
const CLIMB_CELLS: f32 = 2.0;

/// A motion that touches nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundLane {
    pub trial: Trial,
    pub two_way: bool,
    /// The direction from the higher end to the lower.
    pub dir: Dir,
}

/// How far links of an agent can lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkReach {
    /// Seen from above [m].
    pub distance: f32,
    /// From the higher end to the lower [m].
    fall: f32,
    /// The farthest that ground goes on beyond the last floor where the agent can stand [m], if nothing
    /// else than its end keeps the agent off.
    margin: f32,
}

impl LinkReach {
    pub fn of(agent: &Agent, cell_size: f32) -> Self {
        let margin = agent.ledge_margin() + std::f32::consts::SQRT_2 * cell_size;
        let jump = if agent.jump_across > 0.0 { agent.jump_across + 2.0 * margin } else { 0.0 };
        let below = margin + agent.radius + CLIMB_CELLS * cell_size;
        let drop = below + FASTEST_DROP * fall_time(agent.drop);
        let fall = agent.drop.max(agent.jump_up).max(agent.max_climb);
        LinkReach { distance: jump.max(drop), fall: fall + TOLERANCE, margin }
    }

    /// Returns how far a path by foot may lead away from both ends of a link before it is too long
    /// [m].
    pub fn detour(&self) -> f32 {
        0.5 * longest_detour(self.distance.hypot(self.fall))
    }
}

/// Returns the length of a path by foot that makes a link of some length needless [m].
fn longest_detour(length: f32) -> f32 {
    DETOUR_FACTOR * length + DETOUR_EXTRA
}

/// Returns how long a fall takes [s].
fn fall_time(height: f32) -> f32 {
    (2.0 * height / LinkMotion::GRAVITY).sqrt()
}

/// The search for links from the floors of a block.
pub(super) struct TakeOffs<'a, T> {
    pub ground: LinkGround<'a>,
    pub test: MotionTest<'a, T>,
    pub detours: Detours<'a>,
    pub reach: LinkReach,
    pub found: Vec<FoundLane>,
}

/// A ray of cells from a floor where walking ends.
#[derive(Clone, Copy)]
struct Ray {
    from: Floor,
    dir: Dir,
    /// Where the ground of the floor ends [m].
    edge: f32,
}

/// Floors on a ray that walking joins.
struct PieceOfGround {
    last: Floor,
    tries: u32,
    is_done: bool,
}

/// Returns whether walking ends at a floor in a direction. On diagonals it ends at corners only: beside
/// them the straight directions are tried.
pub(super) fn ends_at(ground: &LinkGround, floor: Floor, dir: Dir) -> bool {
    let beside = [dir.turned(1), dir.turned(7)];
    !ground.has_neighbor(floor, dir)
        && !(dir.is_diagonal() && beside.iter().any(|&dir| ground.has_neighbor(floor, dir)))
}

impl<T: TileCaster> TakeOffs<'_, T> {
    /// Looks for links from a floor.
    pub fn search(&mut self, from: Floor) {
        for dir in Dir::ALL {
            if ends_at(&self.ground, from, dir)
                && self.test.can_go_level(from, self.ground.step(dir))
            {
                self.search_along(from, dir);
            }
        }
    }

    fn search_along(&mut self, from: Floor, dir: Dir) {
        let step = self.ground.step_length(dir);
        let cells = (self.reach.distance / step).ceil() as i32;
        let margin_cells = (self.reach.margin / step).ceil() as u32 + 1;
        let mut pieces: Vec<PieceOfGround> = Vec::new();
        let mut ray = None;
        for cell in 1..=cells {
            let Some(column) = self.ground.column_beyond(from.column, dir, cell) else { return };
            for to in self.ground.column(column) {
                if !self.is_in_reach(from, to) {
                    continue;
                }
                let joined =
                    |piece: &PieceOfGround| self.ground.neighbor(piece.last, dir) == Some(to);
                let at = pieces.iter().position(joined).unwrap_or_else(|| {
                    pieces.push(PieceOfGround { last: to, tries: 0, is_done: false });
                    pieces.len() - 1
                });
                let piece = &mut pieces[at];
                piece.last = to;
                piece.tries += 1;
                if piece.is_done || piece.tries > MOST_TRIES {
                    continue;
                }
                let is_new = piece.tries == 1;
                if is_new && self.is_near_by_foot(from, to) {
                    pieces[at].is_done = true;
                    continue;
                }
                let ray = *ray.get_or_insert_with(|| Ray {
                    from,
                    dir,
                    edge: self.test.ground_length(from, dir, margin_cells),
                });
                if let Some(found) = self.try_floor(&ray, to, cell as f32 * step) {
                    self.found.push(found);
                    pieces[at].is_done = true;
                }
            }
        }
    }

    /// Returns whether a floor is one to stand on and not too far below another.
    fn is_in_reach(&self, from: Floor, to: Floor) -> bool {
        let fall = self.ground.height(from) - self.ground.height(to);
        let is_lower = fall > 0.0 || (fall == 0.0 && to.span > from.span);
        is_lower && fall <= self.reach.fall && self.ground.is_walkable(to)
    }

    /// Returns whether walking from one floor to another does nearly as well as a link.
    fn is_near_by_foot(&mut self, from: Floor, to: Floor) -> bool {
        let length = (self.ground.point(to) - self.ground.point(from)).norm();
        self.ground.region(from) == self.ground.region(to)
            && self.detours.is_within(from, to, longest_detour(length))
    }

    fn try_floor(&mut self, ray: &Ray, to: Floor, distance: f32) -> Option<FoundLane> {
        self.try_climb(ray, to, distance)
            .or_else(|| self.try_jump(ray, to, distance))
            .or_else(|| self.try_drop(ray, to, distance))
    }

    fn try_climb(&mut self, ray: &Ray, to: Floor, distance: f32) -> Option<FoundLane> {
        let agent = self.ground.agent;
        let fall = self.ground.height(ray.from) - self.ground.height(to);
        let farthest = ray.edge + agent.radius + CLIMB_CELLS * self.ground.step_length(ray.dir);
        let is_climb = fall > agent.max_climb && fall <= agent.jump_up + TOLERANCE;
        if !is_climb || distance <= ray.edge || distance > farthest {
            return None;
        }
        let floors = [to, ray.from];
        let trial = |apex| Trial { kind: LinkKind::Climb, floors, run_up: 0.0, apex };
        self.first_clear(CLIMB_APEXES.map(trial)).map(|trial| ray.found(trial, true))
    }

    fn try_jump(&mut self, ray: &Ray, to: Floor, distance: f32) -> Option<FoundLane> {
        let agent = self.ground.agent;
        let fall = self.ground.height(ray.from) - self.ground.height(to);
        let most_fall = agent.drop.max(agent.jump_up).max(agent.max_climb) + TOLERANCE;
        if agent.jump_across == 0.0 || fall > most_fall {
            return None;
        }
        let step = self.ground.step_length(ray.dir);
        let margin_cells = (self.reach.margin / step).ceil() as u32 + 1;
        let back = self.test.ground_length(to, ray.dir.opposite(), margin_cells);
        let gap = distance - ray.edge - back;
        // Ground that goes on below the edge is dropped or climbed to.
        if gap <= 0.0 || gap > agent.jump_across + TOLERANCE {
            return None;
        }
        let two_way = fall <= agent.jump_up.max(agent.max_climb) + TOLERANCE;
        let rise = if two_way { fall } else { 0.0 };
        let most = (agent.jump_up - rise).max(LEAST_APEX);
        let apexes = [(APEX_BY_LENGTH * distance).clamp(LEAST_APEX, most), LEAST_APEX, most];
        let floors = [ray.from, to];
        let trial = |apex| Trial { kind: LinkKind::Jump, floors, run_up: 0.0, apex };
        self.first_clear(apexes.map(trial)).map(|trial| ray.found(trial, two_way))
    }

    fn try_drop(&mut self, ray: &Ray, to: Floor, distance: f32) -> Option<FoundLane> {
        let agent = self.ground.agent;
        let fall = self.ground.height(ray.from) - self.ground.height(to);
        if fall <= agent.max_climb || fall > agent.drop + TOLERANCE {
            return None;
        }
        // A body that runs off the edge flies; one that is slower goes over the edge and falls.
        let slowest = match agent.shape {
            BodyShape::Capsule => (LinkMotion::GRAVITY * agent.radius).sqrt(),
            BodyShape::Box => f32::INFINITY,
        };
        let over_edge = agent.radius + FLIGHT_MARGIN + 0.5 * FLIGHT_MARGIN;
        let launches = [(ray.edge + OFF_EDGE, slowest), (ray.edge + over_edge, 0.0)];
        let floors = [ray.from, to];
        let trials = launches.map(|(run_up, slowest)| {
            let speed = (distance - run_up) / fall_time(fall);
            let is_possible = (slowest..=FASTEST_DROP).contains(&speed);
            is_possible.then_some(Trial { kind: LinkKind::Drop, floors, run_up, apex: 0.0 })
        });
        self.first_clear(trials.into_iter().flatten()).map(|trial| ray.found(trial, false))
    }

    fn first_clear(&mut self, trials: impl IntoIterator<Item = Trial>) -> Option<Trial> {
        trials.into_iter().find(|trial| self.test.can_take(trial))
    }
}

impl Ray {
    fn found(&self, trial: Trial, two_way: bool) -> FoundLane {
        FoundLane { trial, two_way, dir: self.dir }
    }
}
