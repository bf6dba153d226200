//! Provides [`OneWayControl`]: lets bodies into narrow passages in one direction at a time.
//!
//! Where two bodies cannot pass, flows of both directions would block each other for good. So a body
//! that comes to such a passage waits in front of it until nobody inside comes the other way, and whoever
//! came out last has got clear of it. The one that is nearest goes first, and all that go the same way go
//! along, a few at a time, until somebody who comes the other way has waited for a while longer than they.
//! Nobody goes in behind one who gets no further inside. In a passage with a blind end, the ones that go
//! farthest in go first. Those who wait stay out of the way of the others, see [`Lanes`].
//!
//! This keeps most jams from beginning. Bodies that meet in a passage all the same, because they set out
//! there, are left to [`JamResolver`](super::jam_resolver::JamResolver).
//! Compare: alternating one-way traffic on a single-lane bridge.

use nalgebra::Point3;

use crate::crowd::lanes::Lanes;
use crate::crowd::member::{Member, MemberId};
use crate::crowd::passage::Passage;
use crate::crowd::passage_ground::{GroundAhead, PassageGround};
use crate::crowd::slot_map::SlotMap;
use crate::crowd::turn::{PassageAhead, Stance, Turn};

/// Decides whose turn it is to go into narrow passages.
#[derive(Debug, Default)]
pub(crate) struct OneWayControl {
    /// Those inside, or on their way in.
    passing: Vec<Passing>,
    /// Those whose turn is to be decided.
    asking: Vec<Passing>,
    /// Those whose turn it is not.
    denied: Vec<Passing>,
    /// Kept for their memory.
    spare: Vec<Passage>,
    lanes: Lanes,
    /// Where those come out who are not clear of a passage yet.
    exits: Vec<Point3<f32>>,
    /// Since turns were decided [s].
    interval: f32,
}

/// A member, and the passage ahead of it.
#[derive(Debug)]
struct Passing {
    id: MemberId,
    passage: Passage,
    /// How long it has waited [s].
    time: f32,
    priority: u8,
    /// Others are being sorted out there.
    is_closed: bool,
    /// The same where it stands.
    is_in_closed: bool,
    /// It tries to step aside, and a wall is in its way.
    is_hemmed_in: bool,
    /// [m/s]
    speed: f32,
    /// How far the member still moves if it brakes now [m].
    braking_distance: f32,
    /// How long it has got no further [s].
    held_up: f32,
}

/// A turn is decided once a body is this near to the passage [m].
const DECIDING_DISTANCE: f32 = 4.5;
/// Bodies wait this far from the first place where two cannot pass [radii, and m]: those that come out
/// go around them.
const WAITING_RADII: f32 = 5.0;
const WAITING_DISTANCE: f32 = 0.3;
/// A body that waits nearer to the passage than this walks back [radii].
const MOUTH_RADII: f32 = 3.0;
/// A body behind another that waits stands if the gap between them is below this [radii].
const QUEUE_GAP: f32 = 2.5;
/// All that go the same way go along for this long, and twice the time that the passage takes [s].
const BATCH_TIME: f32 = 4.0;
/// Who comes out of a passage keeps others from going in for no longer than this if it gets no further [s].
const PATIENCE: f32 = 5.0;
/// A body that moves more slowly than this does not get anywhere [m/s].
const STILL: f32 = 0.05;
/// So many may be on their way to the mouth of a passage at a time: more would press on each other there.
const MOST_ON_THEIR_WAY: usize = 3;
/// One that is held up for longer than this on its way to a mouth, or inside, gets no further [s].
const MOST_HELD_UP: f32 = 1.0;
/// To have waited for a second counts as much as being nearer to the passage by so many [s].
const TIME_WEIGHT: f32 = 0.05;
/// Bodies wait no longer than this for others that go farther in [s]: those may wait for others in turn.
const MOST_TIME_FOR_DEEPER: f32 = 30.0;

impl OneWayControl {
    /// Lets time pass [s].
    pub(crate) fn add_time(&mut self, dt: f32) {
        self.interval += dt;
    }

    /// Decides whose turn it is.
    pub(crate) fn update(&mut self, slot_map: &mut SlotMap, ground: &mut PassageGround) {
        self.exits.clear();
        self.exits.reserve(slot_map.len());
        for member in slot_map.iter_mut() {
            self.look_ahead(member, ground);
            self.exits.extend(exit_of(member));
        }
        self.take_turns(slot_map);
        self.stand_in_line(slot_map);
        let all = self.denied.drain(..).chain(self.passing.drain(..));
        self.spare.extend(all.map(|own| own.passage));
        self.interval = 0.0;
    }

    /// Reads the passage ahead of a member. One that is about to walk by a plan keeps its turn: the
    /// plan depends on who stands in line, and on who was about to go in.
    fn look_ahead(&mut self, member: &mut Member, ground: &mut PassageGround) {
        if member.duty.is_spreading() {
            return;
        }
        let before = std::mem::take(&mut member.turn);
        // A body that waits may have been pushed in.
        let is_deep = member.is_deep_inside();
        if before.waits() && !is_deep {
            member.last_narrow = None;
        }
        let goes = member.is_under_way() && !member.duty.is_rearranged();
        let view = ground.views.get(member.agent).filter(|_| goes);
        let Some(view) = view else { return };
        let mut passage = self.spare.pop().unwrap_or_default();
        if !passage.read(member, view, ground.narrow) {
            self.spare.push(passage);
            member.last_open = Some(member.position());
            return;
        }
        if passage.entrance > 0.0 {
            member.last_open = Some(member.position());
        } else if !before.waits() || is_deep {
            member.last_narrow = Some(member.position());
        }
        let entrance = passage.entrance;
        let passes = before.passage().is_some_and(|own| passage.begins_near(&own.begin));
        let (waits, time) = match before {
            Turn::Waits { time, .. } => (true, time),
            _ => (false, 0.0),
        };
        let mut own = Passing::new(member, passage, time);
        own.is_hemmed_in = before.steps_aside() && member.velocity().norm() < STILL;
        let way = GroundAhead { view, member, passage: &own.passage, waits };
        (own.is_closed, own.is_in_closed) = (ground.is_closed(&way), ground.closes(member.at.span));
        if own.is_closed {
            self.asking.push(own);
        } else if entrance == 0.0 && (!waits || is_deep) || passes && entrance <= DECIDING_DISTANCE
        {
            member.turn = own.turn();
            self.passing.push(own);
        } else {
            self.asking.push(own);
        }
    }

    /// Gives a turn to all that get in nobody's way.
    fn take_turns(&mut self, slot_map: &mut SlotMap) {
        self.asking.sort_unstable_by(|one, other| {
            let order = other.priority.cmp(&one.priority);
            order.then(one.due().total_cmp(&other.due())).then(one.id.cmp(&other.id))
        });
        let OneWayControl { passing, asking, denied, spare, exits, .. } = self;
        let mut undecided = asking.drain(..);
        while let Some(own) = undecided.next() {
            let others = denied.iter().chain(undecided.as_slice());
            let is_ahead =
                own.is_in_mouth() && passing.iter().any(|other| own.goes_to_mouth_of(other));
            let is_denied = own.is_closed
                || passing.iter().any(|other| own.passage.is_opposed_to(&other.passage))
                || is_held_up_inside(passing, &own)
                || own.waits_for_deeper(others.clone().chain(passing.iter()))
                || !is_ahead
                    && (exits.iter().any(|exit| own.passage.begins_near(exit))
                        || is_mouth_busy(passing, &own)
                        || own.goes_after_any(others));
            if is_denied {
                denied.push(own);
            } else if own.passage.entrance > DECIDING_DISTANCE {
                set_turn(slot_map, own.id, Turn::Waits { time: own.time, stance: Stance::Walks });
                spare.push(own.passage);
            } else {
                set_turn(slot_map, own.id, own.turn());
                passing.push(own);
            }
        }
    }

    /// Makes the others stand in front of the passage, one behind the other.
    fn stand_in_line(&mut self, slot_map: &mut SlotMap) {
        if self.denied.is_empty() {
            return;
        }
        for own in &self.denied {
            let time = own.time + self.interval;
            set_turn(slot_map, own.id, Turn::Waits { time, stance: Stance::Walks });
        }
        self.lanes.read(slot_map);
        for own in &self.denied {
            let is_behind = |other: &Passing| own.is_behind(other, slot_map);
            let beside = slot_map.member(own.id).and_then(|member| self.lanes.stance(member));
            let is_at_closed = own.is_closed && !own.is_in_closed && own.passage.entrance == 0.0;
            let is_in_way = matches!(beside, Some(Stance::StepsAside { .. }));
            let stance = if is_at_closed && !is_in_way {
                Stance::Stands
            } else if own.is_inside() {
                Stance::BacksOff
            } else if let Some(stance @ Stance::StepsAside { .. }) = beside {
                if own.is_hemmed_in { Stance::BacksOff } else { stance }
            } else if own.is_in_mouth() {
                Stance::BacksOff
            } else if beside.is_some() || own.is_at_line() || self.denied.iter().any(is_behind) {
                Stance::Stands
            } else {
                Stance::Walks
            };
            let time = own.time + self.interval;
            set_turn(slot_map, own.id, Turn::Waits { time, stance });
        }
    }
}

impl Passing {
    fn new(member: &Member, passage: Passage, time: f32) -> Self {
        let settings = member.settings();
        let speed = member.velocity().norm();
        Passing {
            id: member.id(),
            passage,
            is_closed: false,
            is_in_closed: false,
            is_hemmed_in: false,
            time,
            priority: member.priority(),
            speed: settings.speed,
            held_up: member.following.held_up(),
            braking_distance: speed * speed / (2.0 * settings.acceleration),
        }
    }

    /// It goes through.
    fn turn(&self) -> Turn {
        let left = self.passage.entrance + self.passage.length;
        Turn::Passes(PassageAhead { left, begin: self.passage.begin() })
    }

    /// Whoever has the least goes in first [s]: the nearest, since they stand in front of the others.
    fn due(&self) -> f32 {
        self.passage.entrance / self.speed - TIME_WEIGHT * self.time
    }

    /// Whether it is on its way to the same mouth as another.
    fn goes_to_mouth_of(&self, other: &Passing) -> bool {
        self.passage.entrance > 0.0 && other.passage.begins_near(&self.passage.begin())
    }

    /// The longest that anyone at the same mouth has waited [s].
    fn longest_time<'a>(&self, others: impl Iterator<Item = &'a Passing>) -> f32 {
        let beside = others.filter(|other| other.passage.begins_near(&self.passage.begin()));
        beside.map(|other| other.time).fold(self.time, f32::max)
    }

    /// Whether somebody who comes the other way goes first, having waited much longer than everyone at this
    /// one's mouth.
    fn goes_after_any<'a>(&self, mut others: impl Iterator<Item = &'a Passing> + Clone) -> bool {
        if self.passage.entrance == 0.0 {
            return false;
        }
        let batch = BATCH_TIME + 2.0 * self.passage.length / self.speed;
        let latest = self.longest_time(others.clone()) + batch;
        others.any(|other| {
            let is_later = self.priority < other.priority || latest < other.time;
            is_later && self.passage.is_opposed_to(&other.passage)
        })
    }

    /// Whether it waits for others who go in farther than it.
    fn waits_for_deeper<'a>(&self, mut others: impl Iterator<Item = &'a Passing>) -> bool {
        self.time < MOST_TIME_FOR_DEEPER
            && others.any(|other| {
                other.passage.entrance > 0.0
                    && self.passage.ends_in(&other.passage)
                    && !other.passage.ends_in(&self.passage)
                    && !self.passage.is_opposed_to(&other.passage)
            })
    }

    /// Whether it has come to where bodies wait.
    fn is_at_line(&self) -> bool {
        let line = WAITING_DISTANCE + WAITING_RADII * self.passage.radius();
        self.passage.entrance - self.braking_distance <= line
    }

    /// Whether it was pushed in, or nearly.
    fn is_inside(&self) -> bool {
        self.passage.entrance <= self.passage.radius()
    }

    /// Whether it stands where others come out.
    fn is_in_mouth(&self) -> bool {
        self.passage.entrance <= MOUTH_RADII * self.passage.radius()
    }

    /// Whether it stands behind another that waits.
    fn is_behind(&self, other: &Passing, slot_map: &SlotMap) -> bool {
        if other.passage.entrance >= self.passage.entrance {
            return false;
        }
        let [own, other] = [self.id, other.id].map(|id| slot_map.member(id));
        own.zip(other).is_some_and(|(own, other)| {
            let gap = (own.position() - other.position()).norm() - 2.0 * self.passage.radius();
            other.turn.is_in_line() && gap < QUEUE_GAP * self.passage.radius()
        })
    }
}

/// Whether enough are on their way to the mouth of a member's passage. One that gets no further behind the
/// member does not count: the member may be in its way.
fn is_mouth_busy(passing: &[Passing], own: &Passing) -> bool {
    let is_stuck_behind = |other: &Passing| {
        other.held_up > MOST_HELD_UP && other.passage.entrance > own.passage.entrance
    };
    let is_on_its_way = |other: &&Passing| {
        other.goes_to_mouth_of(own) && !other.is_in_mouth() && !is_stuck_behind(other)
    };
    passing.iter().filter(is_on_its_way).count() >= MOST_ON_THEIR_WAY
}

/// Whether somebody gets no further inside a member's passage: whoever goes in behind is in the way of all who
/// may have to make room there.
fn is_held_up_inside(passing: &[Passing], own: &Passing) -> bool {
    let is_held_up = |other: &Passing| {
        other.is_inside()
            && other.held_up > MOST_HELD_UP
            && own.passage.leads_by(&other.passage.begin())
    };
    !own.is_inside() && passing.iter().any(is_held_up)
}

/// Where a member has come out of a passage that it is not clear of yet.
fn exit_of(member: &mut Member) -> Option<Point3<f32>> {
    let exit = member.last_narrow?;
    let clear = WAITING_DISTANCE + WAITING_RADII * member.radius;
    let is_leaving = member.is_under_way() && (member.position() - exit).norm() < clear;
    if !is_leaving {
        member.last_narrow = None;
    }
    member.last_narrow.filter(|_| member.following.held_up() < PATIENCE)
}

fn set_turn(slot_map: &mut SlotMap, id: MemberId, turn: Turn) {
    if let Some(member) = slot_map.member_mut(id) {
        member.turn = turn;
    }
}
