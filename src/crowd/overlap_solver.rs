//! Pushes overlapping bodies apart, over the ground.
//!
//! What comes in are the positions after a step; what goes out are positions without overlaps, as far as
//! there is room. Avoidance keeps bodies apart while they can choose; in a dense crowd they only press,
//! and come to overlap. So each overlapping pair is a contact constraint, and all are projected again and
//! again until none is broken. At first the body with the right of way moves less; later both move alike,
//! because a body at a wall cannot give way. Two bodies that stand against each other are also turned
//! around each other, like cogs: without that, flows that press against each other do so forever. A body
//! takes up the velocity of its push, and so slides around the others. Bodies that could not be pushed
//! clear of each other yield for a while: they stop pressing.
//! Based on: Weiss, Litteneker, Jiang and Terzopoulos, "Position-based multi-agent dynamics for real-time
//! crowd simulation", 2017; Müller, Heidelberger, Hennix and Ratcliff, "Position based dynamics", 2007.

use super::agent_views::AgentViews;
use crate::crowd::avoidance::MOST_NEIGHBORS;
use crate::crowd::neighbors::CrowdBody;
use crate::crowd::right_of_way::RightOfWay;
use crate::crowd::slot_map::SlotMap;
use crate::crowd::steering::SteeringDecision;
use crate::follow::{PlanarNavPoint, slide_planar};
use crate::follow::{dot, norm};
use crate::view::ViewRef;

/// Pushes overlapping bodies apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct OverlapSolver {
    /// Where the bodies are now.
    positions: Vec<PlanarNavPoint>,
    /// The iteration in which each body was last moved, from 1 on; 0 for never.
    last_moved: Vec<u8>,
    pairs: Vec<ContactPair>,
}

/// Two bodies that may overlap.
#[derive(Clone, Copy, Debug)]
struct ContactPair {
    slots: [u32; 2],
    /// The part of a push that the first one moves while the right of way counts [0..=1].
    share: f32,
    /// How far each moves to its right for a metre that it is pushed back.
    turning: f32,
}

/// The most iterations in a step. A queue hands a push on by halves from one body to the next: with half
/// as many iterations those at its end may stay in each other.
const MOST_ITERATIONS: u8 = 250;
/// In this many iterations the right of way counts.
const RIGHT_OF_WAY_ITERATIONS: u8 = 10;
/// In this many iterations bodies that stand against each other are turned: it keeps a dense crowd from
/// coming to rest.
const TURNING_ITERATIONS: u8 = 60;
/// How far a body that stands against another moves to its right for a metre that it is pushed back.
const TURNING: f32 = 2.0;
/// Two bodies can stand against each other only if both have been held up for this long [s].
const PATIENCE: f32 = 1.0;
/// Smaller overlaps are left [m].
const ALLOWED_OVERLAP: f32 = 1e-3;
/// Two bodies whose overlap is larger than this after all iterations are jammed [m].
const JAMMED_OVERLAP: f32 = 0.005;
/// Jammed bodies yield for this long [s].
const YIELD_TIME: f32 = 0.3;
/// Bodies in contact with a yielding one yield for a time shorter by this [s]; and so on.
const YIELD_FALLOFF: f32 = 0.03;
/// Bodies are in contact if the gap between them is at most this [m].
const CONTACT_GAP: f32 = 0.02;
/// Bodies with a larger gap between them do not come to overlap by being pushed [m].
const PAIR_GAP: f32 = 0.25;

/// The bodies of a step, and the ground they are pushed over.
pub(crate) struct OverlapContext<'a> {
    /// For each agent, its ground as it is now.
    pub views: &'a AgentViews<'a>,
    pub bodies: &'a [CrowdBody],
    pub decisions: &'a [SteeringDecision],
    pub right_of_way: &'a RightOfWay,
    /// How long the step is [s].
    pub dt: f32,
}

impl OverlapSolver {
    /// Pushes all members apart that overlap after a step.
    pub(crate) fn solve(&mut self, context: &OverlapContext, slot_map: &mut SlotMap) {
        self.gather(slot_map, context);
        for iteration in 1..=MOST_ITERATIONS {
            if !self.iterate(context, iteration) {
                break;
            }
        }
        let bodies = context.bodies;
        let moved = |slot: usize| self.last_moved[slot] > 0;
        for (slot, body) in bodies.iter().enumerate().filter(|&(slot, _)| moved(slot)) {
            let end = context.view(body).and_then(|view| self.positions[slot].on_ground(view));
            if let Some((end, member)) = end.zip(slot_map.at_mut(body.index)) {
                member.push(end, context.dt);
            }
        }
        self.let_jammed_yield(slot_map, bodies);
    }

    /// Pushes each pair apart once. Returns false if none overlaps any more.
    fn iterate(&mut self, context: &OverlapContext, iteration: u8) -> bool {
        let bodies = context.bodies;
        let mut any_moved = false;
        for at in 0..self.pairs.len() {
            let ContactPair { slots, share, turning } = self.pairs[at];
            let [one, other] = slots.map(|slot| slot as usize);
            // Neither has moved since this pair was last looked at.
            let is_unchanged = self.last_moved[one].max(self.last_moved[other]) + 1 < iteration;
            if is_unchanged {
                continue;
            }
            let share = if iteration <= RIGHT_OF_WAY_ITERATIONS { share } else { 0.5 };
            // The second takes what is left: a wall may keep the first from doing its part.
            for (slot, from, share) in [(one, other, share), (other, one, 1.0)] {
                let Some([x, z]) = self.push_out([slot, from], bodies) else { break };
                if bodies[slot].is_fixed {
                    continue;
                }
                let Some(view) = context.view(&bodies[slot]) else { continue };
                let is_turned =
                    iteration <= TURNING_ITERATIONS && !self.has_moved_enough(slot, context);
                let turning = if is_turned { turning } else { 0.0 };
                let by = [x + turning * z, z - turning * x].map(|v| v * share);
                self.positions[slot] = slide_planar(view, self.positions[slot], by);
                self.last_moved[slot] = iteration;
                any_moved = true;
            }
        }
        any_moved
    }

    /// Makes bodies yield that could not be pushed clear of each other, and those in contact with them:
    /// where the ground is full, every body that presses makes it fuller.
    fn let_jammed_yield(&self, slot_map: &mut SlotMap, bodies: &[CrowdBody]) {
        for pair in &self.pairs {
            let slots = pair.slots.map(|slot| slot as usize);
            let gap = self.gap(slots, bodies);
            if gap > CONTACT_GAP {
                continue;
            }
            let indices = slots.map(|slot| bodies[slot].index);
            let times =
                indices.map(|index| slot_map.at(index).map_or(0.0, |member| member.yield_time));
            let from_contact = times[0].max(times[1]) - YIELD_FALLOFF;
            let time = if gap < -JAMMED_OVERLAP { YIELD_TIME } else { from_contact };
            for (at, index) in indices.into_iter().enumerate() {
                // A body that walks out of the contact makes room: if it stood too, all would for good.
                let (own, other) = (&bodies[slots[at]], &bodies[slots[1 - at]]);
                let to_other = self.offset([slots[1 - at], slots[at]]);
                let presses =
                    dot(own.desired, to_other) >= 0.0 && !own.goes_before(other) && !own.is_fixed;
                if let Some(member) = slot_map.at_mut(index).filter(|_| presses) {
                    member.yield_time = member.yield_time.max(time);
                }
            }
        }
    }

    /// Reads the positions of all members, and lists the pairs that may come to overlap.
    fn gather(&mut self, slot_map: &SlotMap, context: &OverlapContext) {
        let OverlapContext { bodies, decisions, right_of_way, .. } = *context;
        self.positions.clear();
        let members = bodies.iter().filter_map(|body| slot_map.at(body.index));
        self.positions.extend(members.map(|member| member.seen_at()));
        self.last_moved.clear();
        self.last_moved.resize(bodies.len(), 0);
        self.pairs.clear();
        // Room for as many as there can be, so that a crowd that grows dense allocates nothing.
        self.pairs.reserve(MOST_NEIGHBORS * bodies.len());
        for (one, decision) in decisions.iter().enumerate() {
            for other in decision.neighbors.slots() {
                let slots = [one, other];
                let is_listed =
                    || other < one && decisions[other].neighbors.slots().any(|slot| slot == one);
                if self.gap(slots, bodies) < PAIR_GAP && !is_listed() {
                    let both = slots.map(|slot| &bodies[slot]);
                    let share = right_of_way.share(both[0], both[1]);
                    let turning = TURNING * opposition(both);
                    let slots = slots.map(|slot| slot as u32);
                    self.pairs.push(ContactPair { slots, share, turning });
                }
            }
        }
    }

    /// Whether a body has moved in this step by as much as its desired velocity takes it.
    fn has_moved_enough(&self, slot: usize, context: &OverlapContext) -> bool {
        let OverlapContext { bodies, dt, .. } = *context;
        let (from, to) = (bodies[slot].disc.center, self.positions[slot].position);
        norm([0, 1].map(|axis| to[axis] - from[axis])) > norm(bodies[slot].desired) * dt
    }

    /// Returns the gap between two bodies [m]; negative if they overlap, or have not spread far enough.
    fn gap(&self, [one, other]: [usize; 2], bodies: &[CrowdBody]) -> f32 {
        let both = [one, other].map(|slot| &bodies[slot]);
        let radii = both[0].disc.radius + both[1].disc.radius;
        let spread = both[0].spread.min(both[1].spread);
        norm(self.offset([one, other])) - radii - spread * radii
    }

    /// Returns the offset from one body to another [m].
    fn offset(&self, [to, from]: [usize; 2]) -> [f32; 2] {
        let [to, from] = [to, from].map(|slot| self.positions[slot].position);
        [0, 1].map(|axis| to[axis] - from[axis])
    }

    /// Returns the push that brings a body out of another [m]; `None` if they do not overlap.
    fn push_out(&self, [own, other]: [usize; 2], bodies: &[CrowdBody]) -> Option<[f32; 2]> {
        let depth = -self.gap([own, other], bodies);
        if depth <= ALLOWED_OVERLAP {
            return None;
        }
        let offset = self.offset([own, other]);
        let distance = norm(offset);
        // Two bodies at one point have no direction: they go opposite ways along x.
        let fallback =
            if bodies[own].index < bodies[other].index { [1.0, 0.0] } else { [-1.0, 0.0] };
        let direction = if distance > 1e-4 { offset.map(|v| v / distance) } else { fallback };
        Some(direction.map(|v| v * depth))
    }
}

impl<'a> OverlapContext<'a> {
    /// Returns the ground of a body's agent.
    fn view(&self, body: &CrowdBody) -> Option<&'a ViewRef<'a>> {
        self.views.get(body.agent)
    }
}

/// Returns how much two bodies stand against each other [0..=1]: 1 if each wants to go where the other
/// comes from.
fn opposition([one, other]: [&CrowdBody; 2]) -> f32 {
    let between = [0, 1].map(|axis| other.disc.center[axis] - one.disc.center[axis]);
    let approach = [0, 1].map(|axis| one.desired[axis] - other.desired[axis]);
    let is_ahead = dot(between, approach) > 0.0;
    if !is_ahead || one.held_up.min(other.held_up) <= PATIENCE {
        return 0.0;
    }
    let speeds = norm(one.desired) * norm(other.desired);
    if speeds > 0.0 { (-dot(one.desired, other.desired) / speeds).max(0.0) } else { 0.0 }
}
