//! Pushes bodies out of each other, over the ground.
//!
//! Avoidance keeps bodies apart while they can choose. In a throng they only press on, and come to
//! overlap: so each pair that does is pushed apart, again and again until none is left. At first who
//! has the right of way is moved less; then all alike, for who stands at a wall cannot give way. A
//! body takes up the velocity it is pushed with, and so slides round the others.
//! Based on: Weiss, Litteneker, Jiang and Terzopoulos, "Position-based real-time simulation of
//! large crowds", 2017.

use super::evade::Plan;
use super::neighbors::{Body, MOST_NEIGHBORS};
use super::right_of_way::RightOfWay;
use super::roster::Roster;
use crate::follow::slide::slide;
use crate::grid::NavGrid;
use crate::solve::{Overlay, Terrain};

/// Pushes overlapping bodies apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pusher {
    /// Where the bodies are now.
    places: Vec<[f32; 2]>,
    /// The round in which each was moved last, from 1 on.
    moved: Vec<u8>,
    pairs: Vec<Pair>,
}

/// Two that may overlap.
#[derive(Clone, Copy, Debug)]
struct Pair {
    slots: [u32; 2],
    /// The part that the first one moves while the right of way counts.
    share: f32,
}

/// How often bodies are pushed in a step at most.
const ROUNDS: u8 = 60;
/// In so many of them the right of way counts.
const ROUNDS_OF_RIGHT: u8 = 10;
/// Overlaps smaller than this are left [m].
const SLACK: f32 = 1e-3;
/// Who is farther off than this does not come to overlap by being pushed [m].
const REACH: f32 = 0.25;

impl Pusher {
    /// Pushes everyone apart who overlaps, after a step of `dt` seconds.
    pub(crate) fn push(
        &mut self,
        (grid, overlay, dt): (&NavGrid, &Overlay, f32),
        roster: &mut Roster,
        (bodies, plans, right_of_way): (&[Body], &[Plan], &RightOfWay),
    ) {
        self.gather(roster, (bodies, plans, right_of_way));
        for round in 1..=ROUNDS {
            let mut is_moved = false;
            for at in 0..self.pairs.len() {
                let Pair { slots, share } = self.pairs[at];
                let [one, other] = slots.map(|slot| slot as usize);
                let is_settled = self.moved[one].max(self.moved[other]) + 1 < round;
                if is_settled {
                    continue;
                }
                let part = if round <= ROUNDS_OF_RIGHT { share } else { 0.5 };
                // The second takes what is left: a wall may keep the first from doing its part.
                for (slot, from, part) in [(one, other, part), (other, one, 1.0)] {
                    let Some(by) = self.push_out([slot, from], bodies) else { break };
                    let by = by.map(|v| v * part);
                    is_moved = true;
                    let Some(member) = roster.at_mut(bodies[slot].index) else { continue };
                    let Some(terrain) = Terrain::changed(grid, member.agent, overlay) else {
                        continue;
                    };
                    let before = member.position;
                    member.at = slide(&terrain, member.at, by);
                    member.position = member.at.point;
                    member.push((member.position - before) / dt);
                    self.places[slot] = [member.position.x, member.position.z];
                    self.moved[slot] = round;
                }
            }
            if !is_moved {
                return;
            }
        }
    }

    /// Takes down where everyone is, and who is so near to whom that they may overlap.
    fn gather(
        &mut self,
        roster: &Roster,
        (bodies, plans, right_of_way): (&[Body], &[Plan], &RightOfWay),
    ) {
        let place = |body: &Body| {
            roster.at(body.index).map_or(body.disc.place, |own| [own.at.point.x, own.at.point.z])
        };
        self.places.clear();
        self.places.extend(bodies.iter().map(place));
        self.moved.clear();
        self.moved.resize(bodies.len(), 0);
        self.pairs.clear();
        // For as many as there can be, so that a throng later on takes no more memory.
        self.pairs.reserve(MOST_NEIGHBORS * bodies.len());
        for (one, plan) in plans.iter().enumerate() {
            for other in plan.near.slots() {
                let slots = [one, other];
                let is_listed = other < one && plans[other].near.slots().any(|slot| slot == one);
                if !is_listed && self.gap(slots, bodies) < REACH {
                    let share = right_of_way.share(&bodies[one], &bodies[other]);
                    self.pairs.push(Pair { slots: slots.map(|slot| slot as u32), share });
                }
            }
        }
    }

    /// How far the rims of two are from each other [m].
    fn gap(&self, [one, other]: [usize; 2], bodies: &[Body]) -> f32 {
        let [x, z] = [0, 1].map(|axis| self.places[one][axis] - self.places[other][axis]);
        (x * x + z * z).sqrt() - bodies[one].disc.radius - bodies[other].disc.radius
    }

    /// By how much a body has to be pushed to be out of another; `None` where they do not overlap.
    fn push_out(&self, [own, other]: [usize; 2], bodies: &[Body]) -> Option<[f32; 2]> {
        let depth = -self.gap([own, other], bodies);
        if depth <= SLACK {
            return None;
        }
        let apart = [0, 1].map(|axis| self.places[own][axis] - self.places[other][axis]);
        let distance = (apart[0] * apart[0] + apart[1] * apart[1]).sqrt();
        // Of two in one place each goes another way.
        let aside = if bodies[own].index < bodies[other].index { [1.0, 0.0] } else { [-1.0, 0.0] };
        let way = if distance > 1e-4 { apart.map(|v| v / distance) } else { aside };
        Some(way.map(|v| v * depth))
    }
}
