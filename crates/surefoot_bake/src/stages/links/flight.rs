//! Provides [`MotionTest`]: whether a body can move along a link and touches nothing.
//!
//! A body in flight is as tall as the agent, unlike the lifted body that stands and steps, and a little
//! wider, so that what a physics engine does on the way does not end at a wall. It flies from where it
//! comes to rest to where it comes to rest: on stairs that is above the floor at the center of the cell.

use nalgebra::{Point3, Vector3};

use super::ground::{Floor, LinkGround};
use crate::casts::{Body, Probe, Room, Section, TileCaster, World};
use surefoot::agent::Agent;
use surefoot::grid::{Link, LinkKind, LinkLane, LinkMotion};

/// How much wider and higher a body in flight is than the agent, and how far above the ground it begins
/// and ends [m].
pub(super) const FLIGHT_MARGIN: f32 = 0.02;
/// The longest piece of a flight that is swept straight [s]: the chord is off the arc by 8 mm.
const PIECE: f32 = 0.08;
/// What a body steps over on its way to the edge that it drops from [m]: no parapets.
const STEP_OVER: f32 = 0.15;
/// Bisections that find where a lowered body comes to rest.
const REST_BISECTIONS: u32 = 6;
/// Speed of what does not fly: any, since only the path matters [m/s].
const SPEED: f32 = 1.0;

/// The probes of the bodies of an agent: lifted, as it stands and steps; and in flight.
const LIFTED: usize = 0;
const FLYING: usize = 1;

/// Returns the bodies that links are tried with.
pub(super) fn probes(agent: &Agent) -> Vec<Probe> {
    let lifted = Body::new(agent);
    let radius = agent.radius + FLIGHT_MARGIN;
    let top = (agent.height + FLIGHT_MARGIN).max(2.0 * radius);
    let flying = Body { radius, bottom: 0.0, top, ..lifted };
    [lifted, flying].map(|body| Probe { body, max_room: FLIGHT_MARGIN }).into()
}

/// Tries motions of one agent's body near a block of cells.
pub(super) struct MotionTest<'a, T> {
    pub ground: LinkGround<'a>,
    pub world: &'a World,
    pub caster: T,
    /// Reused by every query.
    pub sections: Vec<Section>,
}

/// A motion that a link stands for, from one floor to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub kind: LinkKind,
    pub floors: [Floor; 2],
    pub run_up: f32,
    pub apex: f32,
}

impl<T: TileCaster> MotionTest<'_, T> {
    /// Returns whether the lifted body can go level from a floor to a point over the next cells.
    pub fn can_go_level(&mut self, from: Floor, by: Vector3<f32>) -> bool {
        let feet = self.ground.point(from);
        self.caster.can_move(LIFTED, [feet, feet + by])
    }

    /// Returns whether the body can move along a link and touches nothing.
    pub fn can_take(&mut self, trial: &Trial) -> bool {
        let Some(mut from) = self.rest(trial.floors[0]) else { return false };
        let Some(to) = self.rest(trial.floors[1]) else { return false };
        if trial.kind == LinkKind::Drop {
            from.y = from.y.max(self.ground.height(trial.floors[0]) + STEP_OVER);
            if !self.is_free(from) {
                return false;
            }
        }
        let link = Link::new("", trial.kind, [from, to]);
        let lane =
            LinkLane { spans: trial.floors.map(Floor::id), run_up: trial.run_up, apex: trial.apex };
        self.is_clear(&LinkMotion::new(&link, &lane, [from, to], SPEED))
    }

    /// Returns whether the flying body touches nothing on a motion: first its middle, where it is most
    /// likely to touch something, and its start.
    fn is_clear(&mut self, motion: &LinkMotion) -> bool {
        let mut corners = motion.corners(PIECE);
        corners.dedup();
        let pieces: Vec<_> = corners.windows(2).map(|ends| [ends[0], ends[1]]).collect();
        let count = pieces.len();
        let likely = [count / 2, 0, 3 * count / 4, count.saturating_sub(1)];
        let rest = (0..count).filter(|piece| !likely.contains(piece));
        likely
            .into_iter()
            .chain(rest)
            .all(|piece| pieces.get(piece).is_none_or(|&piece| self.caster.can_move(FLYING, piece)))
    }

    /// Returns where the flying body comes to rest that is lowered onto a floor; `None` if it has no room
    /// there.
    fn rest(&mut self, floor: Floor) -> Option<Point3<f32>> {
        let feet = self.ground.point(floor);
        let up = |by: f32| feet + Vector3::new(0.0, by, 0.0);
        if self.is_free(up(FLIGHT_MARGIN)) {
            return Some(up(FLIGHT_MARGIN));
        }
        let lift = Body::new(self.ground.agent).bottom;
        let raised = [0.5, 1.0].map(|part| part * lift).into_iter();
        let mut free = raised.into_iter().find(|&by| self.is_free(up(by)))?;
        let mut blocked = FLIGHT_MARGIN;
        let start = free;
        for _ in 0..REST_BISECTIONS {
            let between = 0.5 * (free + blocked);
            let sinks = self.caster.can_move(FLYING, [up(start), up(between)]);
            *(if sinks { &mut free } else { &mut blocked }) = between;
        }
        Some(up(free))
    }

    fn is_free(&mut self, feet: Point3<f32>) -> bool {
        matches!(self.caster.room(FLYING, feet), Room::Free(_))
    }
}
