//! Lets bodies through that block each other where two cannot pass.
//!
//! Avoidance and the overlap solver only know velocities: in a passage that is narrower than two bodies
//! nobody walks back, so bodies of both directions wedge there for good. So among the bodies of such a
//! jam one becomes the leader, for whom all in front of it make way: each goes to the nearest place off
//! the leader's path, the farthest first, and waits there until the leader has passed. The leader is the
//! one for whom the others have the least to walk; having led before counts as a longer walk, or the same
//! one would lead for ever. Wide ground is left alone: flows there resolve themselves.
//!
//! Compare: the moves "push" and "rotate" of Dergachev and Yakovlev, "Towards unlabeled and labeled
//! multi-agent navigation by combining ORCA with local MAPF", 2020.

use super::agent_views::AgentViews;
use crate::crowd::duty::{Duty, Errand};
use crate::crowd::member::{Member, MemberId};
use crate::crowd::refuge::{Place, Refuge, RefugeRequest, RefugeSearch};
use crate::crowd::route_ahead::RouteAhead;
use crate::crowd::slot_map::SlotMap;

/// Resolves jams, several at a time.
#[derive(Debug, Default)]
pub(crate) struct JamResolver {
    cases: Vec<JamCase>,
    planner: Planner,
    /// Time since plans were made [s].
    since_plans: f32,
}

/// A jam that is being resolved.
#[derive(Debug)]
struct JamCase {
    leader: MemberId,
    makers: Vec<MakingWay>,
    /// Since it began [s].
    time: f32,
    /// Plans that found no place for somebody.
    failed_plans: u32,
}

/// A member that makes way, and its place off the path.
#[derive(Clone, Copy, Debug)]
struct MakingWay {
    id: MemberId,
    place: Place,
}

/// Who goes where, so that a leader can pass.
#[derive(Debug)]
struct Plan {
    leader: MemberId,
    errands: Vec<(MemberId, Refuge)>,
    /// How far they walk in all [mm].
    cost: u32,
}

/// Finds plans.
#[derive(Debug, Default)]
struct Planner {
    search: RefugeSearch,
    route: RouteAhead,
}

/// Plans are made this often [s].
const PLAN_INTERVAL: f32 = 0.25;
/// A body that gains nothing on its goal for this long is jammed [s].
const JAMMED_TIME: f32 = 2.5;
/// Bodies this near to a jammed one may lead as well [m].
const JAM_RADIUS: f32 = 2.0;
/// Of them so many are tried: the nearest.
const MOST_CANDIDATES: usize = 6;
/// In one round of plans so many jams are looked at.
const MOST_JAMS: usize = 4;
/// Others make way along this much of a leader's path [m].
const ROUTE_LENGTH: f32 = 6.0;
/// Bodies farther than this from a leader do not matter to its plan [m].
const PLAN_RADIUS: f32 = 12.0;
/// A body is in the way if the gap between it and the leader's path is below this [m].
const CONTACT_GAP: f32 = 0.02;
/// The leader waits if somebody in front is nearer than this [sums of both radii].
const LEADER_DISTANCE: f32 = 2.0;
/// A leader has passed another when it is this far off [sums of both radii].
const PASSED_DISTANCE: f32 = 1.2;
/// A body that is slower stands [m/s].
const STANDING_SPEED: f32 = 0.2;
/// What it costs to have led before [mm].
const COST_OF_LEAD: u32 = 10_000;
/// A leader leads for no longer than this [s].
const MOST_TIME: f32 = 25.0;
/// And ends when so many plans have failed.
const MOST_FAILED_PLANS: u32 = 12;

impl JamResolver {
    /// Decides who leads and who makes way in a step.
    pub(crate) fn step(&mut self, views: &AgentViews, slot_map: &mut SlotMap, dt: f32) {
        self.cases.iter_mut().for_each(|case| case.time += dt);
        self.since_plans += dt;
        if self.since_plans >= PLAN_INTERVAL {
            self.since_plans = 0.0;
            self.go_on(views, slot_map);
            self.begin(views, slot_map);
        }
        for case in &self.cases {
            self.planner.let_leader_wait(case, views, slot_map);
        }
    }

    /// Brings the plans of all cases up to date, and ends those that are over.
    fn go_on(&mut self, views: &AgentViews, slot_map: &mut SlotMap) {
        let JamResolver { cases, planner, .. } = self;
        cases.retain_mut(|case| {
            let goes_on = planner.go_on(case, views, slot_map);
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
        let jammed: Vec<MemberId> = slot_map.iter().filter(is_jammed).map(Member::id).collect();
        let mut looked_at = 0;
        for id in jammed {
            let Some(member) = slot_map.member(id).filter(|member| member.duty.is_none()) else {
                continue;
            };
            let Some(view) = views.get(member.agent) else { continue };
            if looked_at == MOST_JAMS {
                break;
            }
            if !self.planner.search.is_narrow(view, &member.at) {
                continue;
            }
            looked_at += 1;
            let candidates = candidates(member, slot_map);
            let plans = candidates.iter().filter_map(|&id| {
                let mut plan = self.planner.plan(id, &[], views, slot_map)?;
                plan.cost += COST_OF_LEAD * slot_map.member(id)?.leads;
                Some(plan)
            });
            match plans.min_by_key(|plan| (plan.cost, plan.leader)) {
                Some(plan) => self.cases.push(JamCase::begin(plan, slot_map)),
                None => {
                    if let Some(member) = slot_map.member_mut(id) {
                        member.following.postpone_jam();
                    }
                }
            }
        }
    }
}

/// The members around a jammed one that may lead, nearest first; only those of the highest priority.
fn candidates(jammed: &Member, slot_map: &SlotMap) -> Vec<MemberId> {
    let distance = |member: &Member| (member.position() - jammed.position()).norm();
    let may_lead = |member: &&Member| {
        let has_path = !member.waypoints().is_empty() && !member.state().is_at_rest();
        member.duty.is_none() && has_path && !member.is_on_link() && distance(member) < JAM_RADIUS
    };
    let mut found: Vec<&Member> = slot_map.iter().filter(may_lead).collect();
    let highest = found.iter().map(|member| member.priority).max().unwrap_or(0);
    found.retain(|member| member.priority == highest);
    found.sort_by(|one, other| {
        distance(one).total_cmp(&distance(other)).then(one.id.cmp(&other.id))
    });
    found.truncate(MOST_CANDIDATES);
    found.into_iter().map(Member::id).collect()
}

impl JamCase {
    fn begin(plan: Plan, slot_map: &mut SlotMap) -> Self {
        if let Some(leader) = slot_map.member_mut(plan.leader) {
            leader.duty = Duty::Lead { waits: false };
            leader.leads += 1;
        }
        let mut case =
            JamCase { leader: plan.leader, makers: Vec::new(), time: 0.0, failed_plans: 0 };
        case.send(plan.errands, slot_map);
        case
    }

    /// Sends members off the leader's path.
    fn send(&mut self, errands: Vec<(MemberId, Refuge)>, slot_map: &mut SlotMap) {
        for (id, refuge) in errands {
            let Some(member) = slot_map.member_mut(id) else { continue };
            let Some(end) = refuge.trail.last() else { continue };
            let place = Place { point: end.point, radius: refuge.radius };
            member.duty = Duty::MakeWay(Errand::new(refuge.trail));
            self.makers.retain(|maker| maker.id != id);
            self.makers.push(MakingWay { id, place });
        }
    }

    /// Lets everyone go its own way again.
    fn end(&self, slot_map: &mut SlotMap) {
        release(self.leader, slot_map);
        self.makers.iter().for_each(|maker| release(maker.id, slot_map));
    }
}

fn release(id: MemberId, slot_map: &mut SlotMap) {
    if let Some(member) = slot_map.member_mut(id) {
        member.duty = Duty::None;
        member.following.resume();
    }
}

impl Planner {
    /// Brings a case up to date. Returns false if it is over.
    fn go_on(&mut self, case: &mut JamCase, views: &AgentViews, slot_map: &mut SlotMap) -> bool {
        let leader = slot_map.member(case.leader).filter(|leader| !leader.state().is_at_rest());
        let Some((leader, view)) = leader.and_then(|own| Some((own, views.get(own.agent)?))) else {
            return false;
        };
        let is_through = case.makers.is_empty() && !self.search.is_narrow(view, &leader.at);
        if is_through || case.time > MOST_TIME || case.failed_plans >= MOST_FAILED_PLANS {
            return false;
        }
        let own = place(leader, views);
        self.route.read(leader, ROUTE_LENGTH);
        let route = &self.route;
        case.makers.retain(|maker| {
            let is_due = slot_map.member(maker.id).is_some_and(|member| {
                let apart = own.radius + maker.place.radius;
                let beside = route.beside(member.position());
                beside.is_some_and(|beside| {
                    beside.along > 0.0 || beside.distance < PASSED_DISTANCE * apart
                })
            });
            if !is_due {
                release(maker.id, slot_map);
            }
            is_due
        });
        match self.plan(case.leader, &case.makers, views, slot_map) {
            Some(plan) => case.send(plan.errands, slot_map),
            None => case.failed_plans += 1,
        }
        true
    }

    /// Makes the leader of a case wait while somebody who makes way is right in front of it.
    fn let_leader_wait(&mut self, case: &JamCase, views: &AgentViews, slot_map: &mut SlotMap) {
        let Some(leader) = slot_map.member(case.leader) else { return };
        let own = place(leader, views);
        self.route.read(leader, ROUTE_LENGTH);
        let waits = case.makers.iter().any(|maker| {
            let Some(member) = slot_map.member(maker.id) else { return false };
            let (other, apart) = (place(member, views), own.radius + maker.place.radius);
            let is_in_front = self
                .route
                .beside(other.point)
                .is_some_and(|beside| beside.along > 0.0 && beside.distance < apart);
            is_in_front && own.gap(&other) < (LEADER_DISTANCE - 1.0) * apart
        });
        if let Some(leader) = slot_map.member_mut(case.leader) {
            leader.duty = Duty::Lead { waits };
        }
    }

    /// Finds out who has to go where, so that a leader can pass. `held` make way already. `None` if there
    /// is no place for somebody, or if somebody in front is busy with another jam.
    fn plan(
        &mut self,
        leader: MemberId,
        held: &[MakingWay],
        views: &AgentViews,
        slot_map: &SlotMap,
    ) -> Option<Plan> {
        let own = place(slot_map.member(leader)?, views);
        self.route.read(slot_map.member(leader)?, ROUTE_LENGTH);
        let mut in_the_way: Vec<(f32, &Member)> = Vec::new();
        let mut taken: Vec<Place> = Vec::new();
        for member in slot_map.iter().filter(|member| member.id != leader) {
            let other = place(member, views);
            if member.is_on_link() || (other.point - own.point).norm() > PLAN_RADIUS {
                continue;
            }
            let held_place = held.iter().find(|maker| maker.id == member.id).map(|own| own.place);
            let point = held_place.unwrap_or(other).point;
            let apart = own.radius + other.radius + CONTACT_GAP;
            let beside = self.route.beside(point).filter(|beside| beside.distance < apart);
            match (beside, held_place) {
                (Some(_), None) if !member.duty.is_none() => return None,
                (Some(beside), _) => in_the_way.push((beside.along, member)),
                (None, Some(place)) => taken.push(place),
                (None, None) => {
                    let stands = !member.duty.is_none() || member.velocity.norm() < STANDING_SPEED;
                    taken.extend(stands.then_some(other));
                }
            }
        }
        in_the_way.sort_by(|one, other| {
            other.0.total_cmp(&one.0).then(one.1.id.cmp(&other.1.id))
        });
        let mut plan = Plan { leader, errands: Vec::new(), cost: 0 };
        for (_, member) in in_the_way {
            let body = place(member, views);
            let request = RefugeRequest {
                body,
                span: member.at.span,
                leader: own,
                route: &self.route,
                taken: &taken,
            };
            let refuge = self.search.find(views.get(member.agent)?, &request)?;
            let end = refuge.trail.last()?;
            taken.push(Place { point: end.point, ..body });
            plan.cost += refuge.cost;
            plan.errands.push((member.id, refuge));
        }
        Some(plan)
    }
}

/// The ground that a member takes up.
fn place(member: &Member, views: &AgentViews) -> Place {
    let radius = views.get(member.agent).map_or(0.0, |view| view.agent().radius);
    Place { point: member.position(), radius }
}
