//! Lets bodies through that block each other where two cannot pass.
//!
//! Avoidance and the overlap solver only know velocities: in a passage that is narrower than two bodies
//! nobody walks back, and bodies of both directions wedge there for good. Most of that is kept from happening
//! by [`OneWayControl`]. What jams all the same is sorted out by a plan for everyone around, see
//! [`Rearrangement`]. Wide ground is left alone, because flows there resolve themselves; unless bodies stand
//! against each other for very long.

use nalgebra::Vector3;

use super::agent_views::AgentViews;
use crate::crowd::ground_search::GroundSearch;
use crate::crowd::jam_targets::{JAMMED_TIME, LONG_TIME};
use crate::crowd::member::{Member, MemberId};
use crate::crowd::narrow_ground::NarrowGround;
use crate::crowd::nearby::{Nearby, waits_in_vain};
use crate::crowd::one_way::OneWayControl;
use crate::crowd::passage_ground::PassageGround;
use crate::crowd::rearrangement::Rearrangement;
use crate::crowd::slot_map::SlotMap;
use crate::crowd::turn::{Stance, Turn};
use crate::grid::NextGrid;

/// Resolves jams, several at a time.
#[derive(Debug, Default)]
pub(crate) struct JamResolver {
    rearrangements: Vec<Rearrangement>,
    one_way: OneWayControl,
    narrow: NarrowGround,
    nearby: Nearby,
    search: GroundSearch,
    /// Since jams were looked for [s].
    interval: f32,
}

/// Jams are looked for, and turns are given, this often [s].
const INTERVAL: f32 = 0.25;
/// One in front of a passage that gains nothing for this long, though it is its turn, is jammed [s].
const TURN_TIME: f32 = 10.0;
/// A member that was pushed away from its goal more often than this, and walks back, is jammed: two that can
/// rest at their goals only once one has let the other pass may push each other aside for ever.
const MOST_RETURNS: u32 = 2;
/// Plans are looked for in so many decisions of bodies a step: some milliseconds at most.
const PLANNING_BUDGET: usize = 20_000;

impl JamResolver {
    /// Decides who goes on in a step, and who walks by a plan.
    pub(crate) fn step(&mut self, views: &AgentViews, slot_map: &mut SlotMap, dt: f32) {
        self.interval += dt;
        self.one_way.add_time(dt);
        if self.interval >= INTERVAL {
            self.interval = 0.0;
            let JamResolver { rearrangements, narrow, .. } = self;
            let ground = &mut PassageGround { views, narrow, rearrangements };
            self.one_way.update(slot_map, ground);
            self.begin(views, slot_map);
        }
        // One plan is looked for at a time.
        let mut decisions = PLANNING_BUDGET;
        let search = &mut self.search;
        self.rearrangements.retain_mut(|own| {
            let budget = if own.is_planning() { std::mem::take(&mut decisions) } else { 0 };
            let goes_on = own.add_time(dt, views, slot_map)
                && own.plan(budget)
                && own.walk(views, slot_map, search);
            if !goes_on {
                own.end(slot_map);
            }
            goes_on
        });
    }

    /// Goes on to another grid. Returns false if ground of a plan is gone: then there are none any more.
    pub(crate) fn go_on_to_another_grid(&mut self, next: &NextGrid) -> bool {
        self.narrow.forget();
        let rearrangements = std::mem::take(&mut self.rearrangements).into_iter();
        let all: Option<Vec<_>> = rearrangements.map(|own| own.on_next(next)).collect();
        let is_any_lost = all.is_none();
        self.rearrangements = all.unwrap_or_default();
        !is_any_lost
    }

    /// Begins to sort out a jam: one at a time, since it takes some milliseconds.
    fn begin(&mut self, views: &AgentViews, slot_map: &mut SlotMap) {
        let Some(jammed) = self.next_jammed(views, slot_map) else { return };
        let JamResolver { rearrangements, narrow, .. } = self;
        let passages = &mut PassageGround { views, narrow, rearrangements };
        let own = Rearrangement::begin(jammed, slot_map, passages);
        match own {
            Some(own) => self.rearrangements.push(own),
            None => give_up(jammed, slot_map),
        }
    }

    /// The first member that is jammed, and in no plan's reach.
    fn next_jammed(&mut self, views: &AgentViews, slot_map: &SlotMap) -> Option<MemberId> {
        let JamResolver { rearrangements, narrow, nearby, .. } = self;
        nearby.forget(slot_map.len());
        let mut is_jammed = |member: &&Member| {
            let span = member.at.span;
            let time = member.following.time_without_gain();
            (time > JAMMED_TIME || comes_back_in_vain(member))
                && member.duty.is_none()
                && !member.is_on_link()
                && !rearrangements.iter().any(|own| own.reaches(span))
                && (time > TURN_TIME && member.turn.passes()
                    || waits_in_vain(member, nearby.around(slot_map, member))
                    || time > LONG_TIME
                        && nearby
                            .is_beside(slot_map, member, |other| stands_in_the_way(member, other))
                    || views.get(member.agent).is_some_and(|view| {
                        narrow.is_narrow(view, span)
                            || narrow.is_narrow_anywhere(view, span)
                                && nearby.is_beside(slot_map, member, gains_nothing)
                    }))
        };
        slot_map.iter().find(|member| is_jammed(member)).map(Member::id)
    }
}

/// Whether a member walks back to its goal again and again, because others push it away from there.
fn comes_back_in_vain(member: &Member) -> bool {
    member.following.returns() > MOST_RETURNS && member.is_under_way()
}

/// Leaves a member to itself that nobody can be moved for. If it is its turn to go into a passage, and it does
/// not get there, others go first.
fn give_up(jammed: MemberId, slot_map: &mut SlotMap) {
    let Some(member) = slot_map.member_mut(jammed) else { return };
    member.following.postpone_jam();
    if member.turn.passes() {
        member.turn = Turn::Waits { time: 0.0, stance: Stance::Walks };
    }
}

fn gains_nothing(member: &Member) -> bool {
    member.following.time_without_gain() > JAMMED_TIME
}

/// Whether another beside a member wants to go nowhere, or gains nothing either and wants to go where the
/// member comes from: wherever they are, they do not get past each other by themselves.
fn stands_in_the_way(member: &Member, other: &Member) -> bool {
    let own = direction(member);
    let faces =
        own.dot(&direction(other)) < 0.0 && own.dot(&(other.position() - member.position())) > 0.0;
    other.stands() || other.following.time_without_gain() > LONG_TIME && faces
}

/// Where a member wants to go next, as far as that is.
fn direction(member: &Member) -> Vector3<f32> {
    let next = member.waypoints().first();
    next.map_or(Vector3::zeros(), |next| next.point - member.position())
}
