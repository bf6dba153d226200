//! Provides [`TakeOffs`]: tries from where walking ends what a body can reach.
//!
//! Every link is looked for from its higher end, or from the lower id of two at one height: what can be
//! taken up can be taken down, and a drop leads down only. From each floor next to the end of its ground a
//! ray of cells leads outward, and the first floors of every piece of ground on it are tried.

use super::detour::longest_detour;
use super::flight::{FLIGHT_MARGIN, MotionTest, Trial};
use super::ground::{LinkGround, SpanAddress};
use crate::casts::{Probe, TileCaster};
use surefoot::agent::{Agent, BodyShape};
use surefoot::grid::{Dir, LinkKind, LinkMotion};

/// How much a limit may be exceeded [m]: the rounding of levels that are built at it.
const TOLERANCE: f32 = 1e-3;
/// This many floors of a piece of ground are tried.
const MOST_TRIES: u32 = 8;
/// The fastest that a body leaves the edge that it drops from [m/s].
const FASTEST_DROP: f32 = 4.0;
/// How far beyond the edge a body flies that runs off it [m].
const OFF_EDGE: f32 = 0.05;
/// The apexes of climbs: how far above the ledge a body is lifted onto it [m].
const CLIMB_APEXES: [f32; 2] = [0.1, 0.3];
/// How far from the ledge a body may stand that climbs it, beyond its radius [cells].
const CLIMB_CELLS: f32 = 2.0;

/// A motion within an agent's reach.
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
    pub fall: f32,
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

    /// Returns how far from a block the ground and the geometry matter to its links [cells].
    pub fn seen(&self, probes: &[Probe], cell_size: f32) -> u32 {
        let step = std::f32::consts::SQRT_2 * cell_size;
        let body = probes.iter().map(|probe| probe.reach(step)).fold(0.0, f32::max);
        let cells = |length: f32| (length / cell_size).ceil() as u32 + 2;
        cells(self.detour()).max(cells(self.distance) + cells(body))
    }
}

/// Returns how long a fall takes [s].
fn fall_time(height: f32) -> f32 {
    (2.0 * height / LinkMotion::GRAVITY).sqrt()
}

/// The search for links from the floors of a block.
pub(super) struct TakeOffs<'a, T> {
    pub ground: LinkGround<'a>,
    pub test: MotionTest<'a, T>,
    pub reach: LinkReach,
    pub found: Vec<FoundLane>,
}

/// A ray of cells from a floor where walking ends.
#[derive(Clone, Copy)]
pub(super) struct Ray {
    pub from: SpanAddress,
    pub dir: Dir,
    /// Where the ground of the floor ends [m].
    pub edge: f32,
}

/// A ray, and a floor on it.
#[derive(Clone, Copy)]
pub(super) struct FloorPair {
    pub ray: Ray,
    pub to: SpanAddress,
    /// How far apart they are, seen from above [m].
    pub distance: f32,
    /// How much lower the floor is [m, >= 0].
    pub fall: f32,
}

/// Floors on a ray that walking joins.
struct PieceOfGround {
    last: SpanAddress,
    tries: u32,
    is_done: bool,
}

/// Returns whether walking ends at a floor in a direction. On diagonals it ends at corners only: beside
/// them the straight directions are tried.
pub(super) fn ends_at(ground: &LinkGround, floor: SpanAddress, dir: Dir) -> bool {
    let leads_on = |dir| ground.has_neighbor(floor, dir);
    let beside = || [dir.turned(1), dir.turned(7)].into_iter().any(leads_on);
    !leads_on(dir) && (!dir.is_diagonal() || !beside())
}

impl<T: TileCaster> TakeOffs<'_, T> {
    /// Looks for links from a floor.
    pub fn search(&mut self, from: SpanAddress) {
        for dir in Dir::ALL {
            if ends_at(&self.ground, from, dir)
                && self.test.can_go_level(from, self.ground.step(dir))
            {
                self.search_along(from, dir);
            }
        }
    }

    fn search_along(&mut self, from: SpanAddress, dir: Dir) {
        let step = self.ground.step_length(dir);
        let cells = (self.reach.distance / step).ceil() as i32;
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
                let ray = *ray.get_or_insert_with(|| self.ray(from, dir));
                if let Some(found) = self.try_floor(&ray, to, cell as f32 * step) {
                    self.found.push(found);
                    pieces[at].is_done = true;
                }
            }
        }
    }

    pub fn ray(&mut self, from: SpanAddress, dir: Dir) -> Ray {
        Ray { from, dir, edge: self.ground_length(from, dir) }
    }

    /// Returns how far the ground of a floor goes on in a direction, up to its margin [m].
    fn ground_length(&mut self, from: SpanAddress, dir: Dir) -> f32 {
        let cells = (self.reach.margin / self.ground.step_length(dir)).ceil() as u32 + 1;
        self.test.ground_length(from, dir, cells)
    }

    /// Returns whether a floor is one to stand on and not too far below another.
    fn is_in_reach(&self, from: SpanAddress, to: SpanAddress) -> bool {
        let fall = self.ground.height(from) - self.ground.height(to);
        let is_lower = fall > 0.0 || (fall == 0.0 && to.span > from.span);
        is_lower && fall <= self.reach.fall && self.ground.is_walkable(to)
    }

    fn try_floor(&mut self, ray: &Ray, to: SpanAddress, distance: f32) -> Option<FoundLane> {
        let motions = self.motions(ray, to, distance);
        motions.into_iter().find(|motion| self.test.can_take(&motion.trial))
    }

    /// Returns the motions within the agent's reach between the ends of a ray, seen from above so far
    /// apart [m]: the best first.
    pub fn motions(&mut self, ray: &Ray, to: SpanAddress, distance: f32) -> Vec<FoundLane> {
        let fall = self.ground.height(ray.from) - self.ground.height(to);
        let pair = FloorPair { ray: *ray, to, distance, fall };
        let mut motions = Vec::new();
        self.add_climbs(&pair, &mut motions);
        self.add_jumps(&pair, &mut motions);
        self.add_drops(&pair, &mut motions);
        motions
    }

    fn add_climbs(&self, pair: &FloorPair, motions: &mut Vec<FoundLane>) {
        let FloorPair { ray, to, distance, fall } = *pair;
        let agent = self.ground.agent;
        let farthest = ray.edge + agent.radius + CLIMB_CELLS * self.ground.step_length(ray.dir);
        let is_climb = fall > agent.max_climb && fall <= agent.jump_up + TOLERANCE;
        if is_climb && distance > ray.edge && distance <= farthest {
            let floors = [to, ray.from];
            let trial = |apex| Trial { kind: LinkKind::Climb, floors, run_up: 0.0, apex };
            motions.extend(CLIMB_APEXES.map(|apex| ray.lane(trial(apex), true)));
        }
    }

    fn add_jumps(&mut self, pair: &FloorPair, motions: &mut Vec<FoundLane>) {
        let FloorPair { ray, to, distance, fall } = *pair;
        let agent = self.ground.agent;
        let most_fall = agent.drop.max(agent.jump_up).max(agent.max_climb) + TOLERANCE;
        if agent.jump_across == 0.0 || fall > most_fall {
            return;
        }
        let gap = self.gap(pair);
        // Ground that goes on below the edge is dropped or climbed to.
        if gap <= 0.0 || gap > agent.jump_across + TOLERANCE {
            return;
        }
        let two_way = fall <= agent.jump_up.max(agent.max_climb) + TOLERANCE;
        let rise = if two_way { fall } else { 0.0 };
        let least = LinkMotion::LEAST_APEX;
        let most = (agent.jump_up - rise).max(least);
        let apexes = [LinkMotion::usual_apex(distance).min(most), least, most];
        let floors = [ray.from, to];
        let trial = |apex| Trial { kind: LinkKind::Jump, floors, run_up: 0.0, apex };
        motions.extend(apexes.map(|apex| ray.lane(trial(apex), two_way)));
    }

    fn add_drops(&self, pair: &FloorPair, motions: &mut Vec<FoundLane>) {
        let FloorPair { ray, to, distance, fall } = *pair;
        let agent = self.ground.agent;
        if fall <= agent.max_climb || fall > agent.drop + TOLERANCE {
            return;
        }
        // A body that runs off the edge flies; one that is slower goes over the edge and falls.
        let slowest = match agent.shape {
            BodyShape::Capsule => (LinkMotion::GRAVITY * agent.radius).sqrt(),
            BodyShape::Box => f32::INFINITY,
        };
        let over_edge = agent.radius + FLIGHT_MARGIN + OFF_EDGE;
        let floors = [ray.from, to];
        for (run_up, slowest) in [(ray.edge + OFF_EDGE, slowest), (ray.edge + over_edge, 0.0)] {
            let speed = (distance - run_up) / fall_time(fall);
            if (slowest..=FASTEST_DROP).contains(&speed) {
                let trial = Trial { kind: LinkKind::Drop, floors, run_up, apex: 0.0 };
                motions.push(ray.lane(trial, false));
            }
        }
    }

    /// Returns how wide the gap is between the ground of two floors [m]; 0 or less if there is none.
    pub fn gap(&mut self, pair: &FloorPair) -> f32 {
        pair.distance - pair.ray.edge - self.ground_length(pair.to, pair.ray.dir.opposite())
    }
}

impl Ray {
    fn lane(&self, trial: Trial, two_way: bool) -> FoundLane {
        FoundLane { trial, two_way, dir: self.dir }
    }
}
