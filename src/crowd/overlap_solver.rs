//! Pushes bodies out of each other, over the ground.
//!
//! Avoidance keeps bodies apart while they can choose. In a throng they only press on, and come to
//! overlap: so each pair that does is pushed apart, again and again until none is left. At first who
//! has the right of way is moved less; then all alike, for who stands at a wall cannot give way. Two
//! who stand against each other are turned round each other as well, like cogs: without that, flows
//! that press on each other do so for ever. A body takes up the velocity it is pushed with, and so
//! slides round the others. Who cannot be pushed clear of others eases off for a while.
//! Based on: Weiss, Litteneker, Jiang and Terzopoulos, "Position-based real-time simulation of
//! large crowds", 2017.

use crate::crowd::neighbors::{Body, MOST_NEIGHBORS};
use crate::crowd::right_of_way::RightOfWay;
use crate::crowd::slot_map::SlotMap;
use crate::crowd::steering::Plan;
use crate::follow::{Spot, slide_level};
use crate::follow::{dot, norm};
use crate::view::ViewRef;

/// Pushes overlapping bodies apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct OverlapSolver {
    /// Where the bodies are now.
    spots: Vec<Spot>,
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
    /// How far each goes to its right for a metre that it is pushed back.
    aside: f32,
}

/// How often bodies are pushed in a step at most. A queue hands a push on by halves from one to the
/// next: with half as many rounds those at its end may stay in each other.
const ROUNDS: u8 = 250;
/// In so many of them the right of way counts.
const ROUNDS_OF_RIGHT: u8 = 10;
/// In so many of them two who stand against each other are turned: it does not let a throng come to
/// rest.
const ROUNDS_OF_TURNING: u8 = 60;
/// Who stands against another moves so far to its right for a metre that it is pushed back.
const ASIDE: f32 = 2.0;
/// Two stand against each other who both have been held up for so long [s].
const PATIENCE: f32 = 1.0;
/// Overlaps smaller than this are left [m].
const SLACK: f32 = 1e-3;
/// Who is deeper in another than this after all rounds could not be pushed clear of it [m].
const DEEP: f32 = 0.005;
/// So long they do not press on then [s].
const EASE: f32 = 0.3;
/// And those who touch one of them so much shorter [s]; and so on.
const SHORTER: f32 = 0.03;
/// Bodies touch whose rims are nearer than this [m].
const TOUCH: f32 = 0.02;
/// Who is farther off than this does not come to overlap by being pushed [m].
const REACH: f32 = 0.25;

/// Who is pushed over what.
pub(crate) struct Pushing<'a> {
    /// For each agent, its ground as it is now.
    pub views: &'a [ViewRef<'a>],
    pub bodies: &'a [Body],
    pub plans: &'a [Plan],
    pub right_of_way: &'a RightOfWay,
    /// How long the step is [s].
    pub dt: f32,
}

impl OverlapSolver {
    /// Pushes everyone apart who overlaps after a step.
    pub(crate) fn push(&mut self, pushing: &Pushing, slot_map: &mut SlotMap) {
        self.gather(slot_map, pushing);
        for round in 1..=ROUNDS {
            if !self.push_all(pushing, round) {
                break;
            }
        }
        let bodies = pushing.bodies;
        for (slot, body) in bodies.iter().enumerate().filter(|&(slot, _)| self.moved[slot] > 0) {
            let end = self.spots[slot].on_ground(pushing.view(body));
            if let Some((end, member)) = end.zip(slot_map.at_mut(body.index)) {
                member.push(end, pushing.dt);
            }
        }
        self.ease(slot_map, bodies);
    }

    /// Pushes each pair once; false where none overlaps any more.
    fn push_all(&mut self, pushing: &Pushing, round: u8) -> bool {
        let bodies = pushing.bodies;
        let mut is_moved = false;
        for at in 0..self.pairs.len() {
            let Pair { slots, share, aside } = self.pairs[at];
            let [one, other] = slots.map(|slot| slot as usize);
            let is_settled = self.moved[one].max(self.moved[other]) + 1 < round;
            if is_settled {
                continue;
            }
            let part = if round <= ROUNDS_OF_RIGHT { share } else { 0.5 };
            // The second takes what is left: a wall may keep the first from doing its part.
            for (slot, from, part) in [(one, other, part), (other, one, 1.0)] {
                let Some([x, z]) = self.push_out([slot, from], bodies) else { break };
                let view = pushing.view(&bodies[slot]);
                let goes_aside = round <= ROUNDS_OF_TURNING && !self.has_moved(slot, pushing);
                let aside = if goes_aside { aside } else { 0.0 };
                let by = [x + aside * z, z - aside * x].map(|v| v * part);
                self.spots[slot] = slide_level(view, self.spots[slot], by);
                self.moved[slot] = round;
                is_moved = true;
            }
        }
        is_moved
    }

    /// Keeps those from pressing on for a while who could not be pushed clear of each other, and those
    /// who touch them: where a place is full, whoever presses on makes it fuller.
    fn ease(&self, slot_map: &mut SlotMap, bodies: &[Body]) {
        for pair in &self.pairs {
            let slots = pair.slots.map(|slot| slot as usize);
            let gap = self.gap(slots, bodies);
            if gap > TOUCH {
                continue;
            }
            let indices = slots.map(|slot| bodies[slot].index);
            let eased = indices.map(|index| slot_map.at(index).map_or(0.0, |member| member.eased));
            let longest = eased[0].max(eased[1]) - SHORTER;
            let time = if gap < -DEEP { EASE } else { longest };
            for index in indices {
                if let Some(member) = slot_map.at_mut(index) {
                    member.eased = member.eased.max(time);
                }
            }
        }
    }

    /// Takes down where everyone is, and who is so near to whom that they may overlap.
    fn gather(&mut self, slot_map: &SlotMap, pushing: &Pushing) {
        let Pushing { bodies, plans, right_of_way, .. } = *pushing;
        self.spots.clear();
        let members = bodies.iter().filter_map(|body| slot_map.at(body.index));
        self.spots.extend(members.map(|member| Spot::from(member.at)));
        self.moved.clear();
        self.moved.resize(bodies.len(), 0);
        self.pairs.clear();
        // For as many as there can be, so that a throng later on takes no more memory.
        self.pairs.reserve(MOST_NEIGHBORS * bodies.len());
        for (one, plan) in plans.iter().enumerate() {
            for other in plan.near.slots() {
                let slots = [one, other];
                let is_listed = || other < one && plans[other].near.slots().any(|slot| slot == one);
                if self.gap(slots, bodies) < REACH && !is_listed() {
                    let both = slots.map(|slot| &bodies[slot]);
                    let share = right_of_way.share(both[0], both[1]);
                    let aside = ASIDE * against(both);
                    self.pairs.push(Pair { slots: slots.map(|slot| slot as u32), share, aside });
                }
            }
        }
    }

    /// Whether a body has come as far in this step as it wants to walk in one.
    fn has_moved(&self, slot: usize, pushing: &Pushing) -> bool {
        let Pushing { bodies, dt, .. } = *pushing;
        let (from, to) = (bodies[slot].disc.place, self.spots[slot].place);
        norm([0, 1].map(|axis| to[axis] - from[axis])) > norm(bodies[slot].wanted) * dt
    }

    /// How far the rims of two are from each other [m].
    fn gap(&self, [one, other]: [usize; 2], bodies: &[Body]) -> f32 {
        let [x, z] = [0, 1].map(|axis| self.spots[one].place[axis] - self.spots[other].place[axis]);
        norm([x, z]) - bodies[one].disc.radius - bodies[other].disc.radius
    }

    /// By how much a body has to be pushed to be out of another; `None` where they do not overlap.
    fn push_out(&self, [own, other]: [usize; 2], bodies: &[Body]) -> Option<[f32; 2]> {
        let depth = -self.gap([own, other], bodies);
        if depth <= SLACK {
            return None;
        }
        let apart = [0, 1].map(|axis| self.spots[own].place[axis] - self.spots[other].place[axis]);
        let distance = norm(apart);
        // Of two in one place each goes another way.
        let aside = if bodies[own].index < bodies[other].index { [1.0, 0.0] } else { [-1.0, 0.0] };
        let way = if distance > 1e-4 { apart.map(|v| v / distance) } else { aside };
        Some(way.map(|v| v * depth))
    }
}

impl<'a> Pushing<'a> {
    /// The ground as a body finds it.
    fn view(&self, body: &Body) -> &'a ViewRef<'a> {
        &self.views[body.agent.index()]
    }
}

/// How much two stand against each other [0..=1]: 1 where each wants to go where the other comes
/// from.
fn against([one, other]: [&Body; 2]) -> f32 {
    let between = [0, 1].map(|axis| other.disc.place[axis] - one.disc.place[axis]);
    let nearing = [0, 1].map(|axis| one.wanted[axis] - other.wanted[axis]);
    let is_ahead = dot(between, nearing) > 0.0;
    if !is_ahead || one.held_up.min(other.held_up) <= PATIENCE {
        return 0.0;
    }
    let speeds = norm(one.wanted) * norm(other.wanted);
    if speeds > 0.0 { (-dot(one.wanted, other.wanted) / speeds).max(0.0) } else { 0.0 }
}
