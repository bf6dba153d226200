//! Provides [`MotionTest`]: whether a body can move along a link and touches nothing.
//!
//! A body in flight is as tall as the agent, unlike the lifted body that stands and steps, and a little
//! wider, so that what a physics engine does on the way does not end at a wall. It flies from where it
//! comes to rest to where it comes to rest: on stairs that is above the floor at the center of the cell.

use nalgebra::{Point3, Vector3};

use super::ground::{LinkGround, SpanAddress};
use crate::casts::{Body, CollisionWorld, Probe, Room, Section, TileCaster};
use surefoot::agent::Agent;
use surefoot::grid::{Link, LinkKind, LinkLane, LinkMotion};

/// How much wider and higher a body in flight is than the agent [m].
pub(super) const FLIGHT_MARGIN: f32 = 0.03;
/// How far above where it rests a flight begins and ends [m].
const OFF_GROUND: f32 = 0.01;
/// The longest piece of a flight that is swept straight [s]: the chord is off the arc by 5 mm.
const PIECE: f32 = 0.06;
/// What a body steps over on its way to the edge that it drops from [m]: no parapets.
const STEP_OVER: f32 = 0.15;
/// Bisections that find where a lowered body comes to rest.
const REST_BISECTIONS: u32 = 6;
/// Speed of what does not fly: any, since only the path matters [m/s].
const SPEED: f32 = 1.0;

/// The probes of the bodies of an agent: lifted, as it steps; in flight; and as it stands at rest.
const LIFTED: usize = 0;
const FLYING: usize = 1;
const STANDING: usize = 2;

/// Returns the bodies that links are tried with.
pub(super) fn probes(agent: &Agent) -> Vec<Probe> {
    let lifted = Body::new(agent);
    let radius = agent.radius + FLIGHT_MARGIN;
    let top = (agent.height + FLIGHT_MARGIN).max(2.0 * radius);
    let flying = Body { radius, bottom: 0.0, top, ..lifted };
    let standing = Body { bottom: 0.0, top: agent.height.max(2.0 * agent.radius), ..lifted };
    [lifted, flying, standing].map(|body| Probe { body, max_room: FLIGHT_MARGIN }).into()
}

/// Tries motions of one agent's body near a block of cells.
pub(super) struct MotionTest<'a, T> {
    pub ground: LinkGround<'a>,
    pub world: &'a CollisionWorld,
    pub caster: T,
    /// Reused by every query.
    pub sections: Vec<Section>,
}

/// A motion that a link stands for, from one floor to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub kind: LinkKind,
    pub floors: [SpanAddress; 2],
    pub run_up: f32,
    pub apex: f32,
}

impl<T: TileCaster> MotionTest<'_, T> {
    /// Returns whether the lifted body can go level from a floor to a point over the next cells.
    pub fn can_go_level(&mut self, from: SpanAddress, by: Vector3<f32>) -> bool {
        let feet = self.ground.point(from);
        self.caster.can_move(LIFTED, [feet, feet + by])
    }

    /// Returns whether the body can move along a link and touches nothing.
    pub fn can_take(&mut self, trial: &Trial) -> bool {
        let Some(from) = self.rest(trial.floors[0]) else { return false };
        let Some(to) = self.rest(trial.floors[1]) else { return false };
        let link = Link::new("", trial.kind, [from, to]);
        let motion = LinkMotion::new(&link, &trial.lane(), [from, to], SPEED);
        match motion.launch() {
            Some((launch, _)) if trial.run_up > 0.0 => {
                self.can_run_up([from, launch], trial.floors[0])
                    && self.is_clear(&motion.corners(PIECE)[1..])
            }
            _ => self.is_clear(&motion.corners(PIECE)),
        }
    }

    /// Returns where a motion leads, as far as it is known where it begins and ends.
    pub fn corners(&mut self, trial: &Trial) -> Vec<Point3<f32>> {
        let ends = trial.floors.map(|floor| self.rest(floor).unwrap_or(self.ground.point(floor)));
        let link = Link::new("", trial.kind, ends);
        LinkMotion::new(&link, &trial.lane(), ends, SPEED).corners(PIECE)
    }

    /// Returns the solid that the flying body touches first on a straight way, and where its feet are
    /// then, to a tenth of the way.
    pub fn first_touched(&mut self, [from, to]: [Point3<f32>; 2]) -> Option<(u32, Point3<f32>)> {
        let up = Vector3::new(0.0, OFF_GROUND, 0.0);
        (0..=10).find_map(|tenth| {
            let at = from + (to - from) * (0.1 * tenth as f32) + up;
            match self.caster.room(FLYING, at) {
                Room::Blocked(solid) => Some((solid, at)),
                Room::Free(_) => None,
            }
        })
    }

    /// Returns whether the body can go level to where it leaves the ground, over what is hardly a step.
    fn can_run_up(&mut self, ends: [Point3<f32>; 2], floor: SpanAddress) -> bool {
        let least = self.ground.height(floor) + STEP_OVER;
        let [from, to] = ends.map(|end| Point3::new(end.x, end.y.max(least), end.z));
        self.is_free(FLYING, from) && self.caster.can_move(FLYING, [from, to])
    }

    /// Returns whether the flying body touches nothing from corner to corner: first in the middle, where
    /// it is most likely to touch something, and at the start.
    fn is_clear(&mut self, corners: &[Point3<f32>]) -> bool {
        let count = corners.len() - 1;
        let likely = [count / 2, 0, 3 * count / 4, count - 1];
        let rest = (0..count).filter(|piece| !likely.contains(piece));
        let mut pieces = likely.into_iter().chain(rest);
        pieces.all(|piece| self.caster.can_move(FLYING, [corners[piece], corners[piece + 1]]))
    }

    /// Returns where the body leaves a floor and comes back to it: a little above where it comes to rest
    /// that is lowered onto it. `None` if the flying body has no room there.
    fn rest(&mut self, floor: SpanAddress) -> Option<Point3<f32>> {
        let feet = self.ground.point(floor);
        let up = |by: f32| feet + Vector3::new(0.0, by, 0.0);
        let mut free = OFF_GROUND;
        if !self.is_free(STANDING, up(free)) {
            let (start, mut blocked) = (Body::new(self.ground.agent).bottom, OFF_GROUND);
            if !self.is_free(STANDING, up(start)) {
                return None;
            }
            free = start;
            for _ in 0..REST_BISECTIONS {
                let between = 0.5 * (free + blocked);
                let sinks = self.caster.can_move(STANDING, [up(start), up(between)]);
                *(if sinks { &mut free } else { &mut blocked }) = between;
            }
            // The flying body is wider, which counts on slopes.
            free += 2.0 * OFF_GROUND;
        }
        self.is_free(FLYING, up(free)).then(|| up(free))
    }

    fn is_free(&mut self, body: usize, feet: Point3<f32>) -> bool {
        matches!(self.caster.room(body, feet), Room::Free(_))
    }
}

impl Trial {
    pub fn lane(&self) -> LinkLane {
        let Trial { floors, run_up, apex, .. } = *self;
        LinkLane { run_up, apex, ..LinkLane::new(floors.map(SpanAddress::id)) }
    }
}
