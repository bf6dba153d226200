//! Lets bodies through that block each other where two cannot pass.
//!
//! Avoidance and the overlap solver only know velocities: in a passage that is narrower than two bodies
//! nobody walks back, and bodies of both directions wedge there for good. So one body of such a jam
//! becomes the leader: all in front of it make way, as [`MakeWayPlanner`] has found out, and wait until
//! it has passed. Plans are made anew every moment, since others come along. Wide ground is left alone:
//! flows there resolve themselves.

use super::agent_views::AgentViews;
use crate::crowd::duty::{Duty, Errand, Role};
use crate::crowd::make_way::{
    Assignment, MakeWayPlan, MakeWayPlanner, MakingWay, PlanContext, place,
};
use crate::crowd::member::{Member, MemberId};
use crate::crowd::one_way::OneWayControl;
use crate::crowd::slot_map::SlotMap;
use crate::crowd::turn::Turn;

/// Resolves jams, several at a time.
#[derive(Debug, Default)]
pub(crate) struct JamResolver {
    cases: Vec<JamCase>,
    planner: MakeWayPlanner,
    one_way: OneWayControl,
    /// Members that gain nothing on their goals; empty between rounds.
    jammed: Vec<MemberId>,
    /// Time since plans were made [s].
    since_plans: f32,
}

/// A jam that is being resolved.
#[derive(Debug)]
struct JamCase {
    leader: MemberId,
    /// In the order in which they go.
    making_way: Vec<MakingWay>,
    /// Since it began [s].
    time: f32,
    /// Plans that found no place for somebody.
    failed_plans: u32,
    /// Who leads once this leader is out of the way.
    next: Option<MemberId>,
}

/// Plans are made this often [s].
const PLAN_INTERVAL: f32 = 0.25;
/// A body that gains nothing on its goal for this long is jammed [s].
const JAMMED_TIME: f32 = 2.5;
/// In one round of plans so many jams are looked at.
const MOST_JAMS: usize = 4;
/// The leader waits if the gap to somebody in front is below this [sums of both radii].
const LEADER_GAP: f32 = 1.0;
/// Who makes way waits if the gap to somebody in front is below this [sums of both radii].
const QUEUE_GAP: f32 = 0.25;
/// A leader has passed another when it is this far off [sums of both radii].
const PASSED_DISTANCE: f32 = 1.2;
/// A leader leads for no longer than this [s].
const MOST_TIME: f32 = 40.0;
/// And ends when so many plans have failed.
const MOST_FAILED_PLANS: u32 = 12;

impl JamResolver {
    /// Decides who leads and who makes way in a step.
    pub(crate) fn step(&mut self, views: &AgentViews, slot_map: &mut SlotMap, dt: f32) {
        self.cases.iter_mut().for_each(|case| case.time += dt);
        self.since_plans += dt;
        self.one_way.add_time(dt);
        if self.since_plans >= PLAN_INTERVAL {
            self.since_plans = 0.0;
            self.one_way.update(slot_map, views, &mut self.planner.narrow);
            self.go_on(views, slot_map);
            self.begin(views, slot_map);
        }
        for case in &self.cases {
            case.keep_distances(&mut self.planner, views, slot_map);
        }
    }

    /// Goes on to another grid: the cases stay, and what was known of the ground is forgotten.
    pub(crate) fn go_on_to_another_grid(&mut self) {
        self.planner.narrow.forget();
    }

    /// Brings the plans of all cases up to date, and ends those that are over.
    fn go_on(&mut self, views: &AgentViews, slot_map: &mut SlotMap) {
        let JamResolver { cases, planner, .. } = self;
        cases.retain_mut(|case| {
            let goes_on = case.go_on(planner, views, slot_map);
            if !goes_on {
                case.end(slot_map);
            }
            goes_on
        });
    }

    /// Begins a case for each of the first jams.
    fn begin(&mut self, views: &AgentViews, slot_map: &mut SlotMap) {
        let is_jammed = |member: &&Member| {
            let is_free = member.duty.is_none() && !member.is_on_link();
            is_free && member.following.time_without_gain() > JAMMED_TIME
        };
        let mut jammed = std::mem::take(&mut self.jammed);
        // Room for as many as there can be, so that a crowd that jams allocates nothing here.
        jammed.reserve(slot_map.len());
        jammed.extend(slot_map.iter().filter(is_jammed).map(Member::id));
        let mut looked_at = 0;
        for id in jammed.drain(..) {
            // Another case may have taken it in by now.
            let Some(member) = slot_map.member(id).filter(|member| member.duty.is_none()) else {
                continue;
            };
            let is_jammed = self.planner.is_narrow(member, views)
                || matches!(member.turn, Turn::Passes { .. })
                    && touches_resting(member, views, slot_map);
            if !is_jammed {
                continue;
            }
            let plan = self.planner.best_plan(member, PlanContext { views, slot_map });
            if let Some(plan) = plan {
                self.cases.push(JamCase::begin(plan, slot_map));
            } else if let Some(member) = slot_map.member_mut(id) {
                member.following.postpone_jam();
            }
            looked_at += 1;
            if looked_at == MOST_JAMS {
                break;
            }
        }
        self.jammed = jammed;
    }
}

impl JamCase {
    fn begin(plan: MakeWayPlan, slot_map: &mut SlotMap) -> Self {
        let (mut errand, mut next) = (None, None);
        if let Some(swap) = plan.swap {
            (errand, next) = (Some(Errand::new(swap.refuge.trail)), Some(swap.next));
        }
        if let Some(leader) = slot_map.member_mut(plan.leader) {
            leader.duty = Duty::lead(errand);
            leader.leads = leader.leads.saturating_add(1);
        }
        let (leader, making_way) = (plan.leader, Vec::new());
        let mut case = JamCase { leader, making_way, time: 0.0, failed_plans: 0, next };
        case.send(plan.assignments, slot_map);
        case
    }

    /// Sends members off the leader's path.
    fn send(&mut self, assignments: Vec<Assignment>, slot_map: &mut SlotMap) {
        for Assignment { id, refuge } in assignments {
            let Some(member) = slot_map.member_mut(id) else { continue };
            let place = refuge.place;
            member.duty = Duty::make_way(Errand::new(refuge.trail));
            self.making_way.retain(|other| other.id != id);
            self.making_way.push(MakingWay { id, place });
        }
    }

    /// Brings a case up to date. Returns false if it is over.
    fn go_on(
        &mut self,
        planner: &mut MakeWayPlanner,
        views: &AgentViews,
        slot_map: &mut SlotMap,
    ) -> bool {
        self.swap_if_out(views, slot_map);
        let Some(leader) = slot_map.member(self.leader) else { return false };
        if leader.duty.errand().is_none() && leader.waypoints().is_empty() {
            // Its path is being found.
            return self.time < MOST_TIME;
        }
        let is_through =
            self.next.is_none() && self.making_way.is_empty() && !planner.is_narrow(leader, views);
        if is_through
            || leader.state().is_at_rest()
            || self.time > MOST_TIME
            || self.failed_plans >= MOST_FAILED_PLANS
        {
            return false;
        }
        self.release_passed(planner, views, slot_map);
        let context = PlanContext { views, slot_map };
        match planner.plan(self.leader, &self.making_way, context) {
            Ok(plan) => self.send(plan.assignments, slot_map),
            Err(_) => self.failed_plans += 1,
        }
        true
    }

    /// If the leader has come out of the way of another, who made way for it meanwhile, that one leads.
    fn swap_if_out(&mut self, views: &AgentViews, slot_map: &mut SlotMap) {
        let Some(next) = self.next else { return };
        let Some(leader) = slot_map.member_mut(self.leader) else { return };
        if !leader.duty.errand().is_some_and(|errand| errand.is_done(&leader.at)) {
            return;
        }
        leader.duty.role = Role::MakeWay;
        let place = place(leader, views);
        self.making_way.retain(|other| other.id != next);
        self.making_way.push(MakingWay { id: self.leader, place });
        release(next, slot_map);
        if let Some(leader) = slot_map.member_mut(next) {
            leader.duty = Duty::lead(None);
        }
        (self.leader, self.next, self.time, self.failed_plans) = (next, None, 0.0, 0);
    }

    /// Lets those go on whom the leader has passed.
    fn release_passed(
        &mut self,
        planner: &mut MakeWayPlanner,
        views: &AgentViews,
        slot_map: &mut SlotMap,
    ) {
        let Some(leader) = slot_map.member(self.leader) else { return };
        let own = place(leader, views);
        let route = planner.route_of(leader, views);
        self.making_way.retain(|other| {
            let is_ahead = slot_map.member(other.id).is_some_and(|member| {
                let apart = own.radius + other.place.radius;
                route.beside(member.position()).is_some_and(|beside| {
                    beside.along > 0.0 || beside.distance < PASSED_DISTANCE * apart
                })
            });
            if !is_ahead {
                release(other.id, slot_map);
            }
            is_ahead
        });
    }

    /// Makes everyone wait who comes too near to somebody who has to go first: those who make way go one
    /// behind the other, and the leader after them. Pressed against each other they would not get round a
    /// corner.
    fn keep_distances(
        &self,
        planner: &mut MakeWayPlanner,
        views: &AgentViews,
        slot_map: &mut SlotMap,
    ) {
        let in_order = self.making_way.iter().map(|other| other.id).chain([self.leader]);
        for (before, id) in in_order.enumerate() {
            let Some(member) = slot_map.member(id) else { continue };
            let least = if id == self.leader { LEADER_GAP } else { QUEUE_GAP };
            let own = place(member, views);
            let route = planner.route_of(member, views);
            let mut first = self.making_way[..before].iter();
            let waits = first.any(|other| {
                let Some(other) = slot_map.member(other.id) else { return false };
                let is_there = other.duty.errand().is_none_or(|errand| errand.is_done(&other.at));
                if is_there && id != self.leader {
                    return false;
                }
                let other = place(other, views);
                let apart = own.radius + other.radius;
                let is_ahead = route
                    .beside(other.point)
                    .is_some_and(|beside| beside.along > 0.0 && beside.distance < apart);
                is_ahead && own.gap(&other) < least * apart
            });
            if let Some(member) = slot_map.member_mut(id) {
                member.duty.waits = waits;
            }
        }
    }

    /// Lets everyone go its own way again.
    fn end(&self, slot_map: &mut SlotMap) {
        release(self.leader, slot_map);
        self.making_way.iter().for_each(|other| release(other.id, slot_map));
    }
}

/// Whether a member touches another that has come to rest.
fn touches_resting(member: &Member, views: &AgentViews, slot_map: &SlotMap) -> bool {
    let own = place(member, views);
    slot_map.iter().any(|other| {
        let is_resting = other.state().is_at_rest() && other.id != member.id;
        is_resting && own.touches(&place(other, views))
    })
}

fn release(id: MemberId, slot_map: &mut SlotMap) {
    if let Some(member) = slot_map.member_mut(id) {
        member.duty = Duty::default();
        member.following.resume();
    }
}
