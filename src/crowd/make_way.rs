//! Provides [`MakeWayPlanner`]: finds out who has to go where, so that one body of a jam can pass.
//!
//! Each body in front of the leader goes to the nearest place off the leader's path, the farthest first.
//! The leader is the one for whom the others have the least to walk; having led before counts as a longer
//! walk, or the same one would lead for ever. If a body has no such place, as in a dead end, it leads out
//! of there first, and the two change places.
//!
//! Compare: the moves "push" and "rotate" of Dergachev and Yakovlev, "Towards unlabeled and labeled
//! multi-agent navigation by combining ORCA with local MAPF", 2020.

use nalgebra::Point3;

use super::agent_views::AgentViews;
use crate::crowd::member::{Member, MemberId};
use crate::crowd::narrow_ground::NarrowGround;
use crate::crowd::refuge::{Occupied, Place, Refuge, RefugeRequest, RefugeSearch};
use crate::crowd::route_ahead::RouteAhead;
use crate::crowd::slot_map::SlotMap;
use crate::path::{GridSight, Sight};
use crate::view::NavPoint;

/// Who goes where, so that a leader can pass.
#[derive(Debug)]
pub(crate) struct MakeWayPlan {
    pub leader: MemberId,
    /// In the order in which they go.
    pub assignments: Vec<Assignment>,
    /// Where the leader goes first, and who leads then.
    pub swap: Option<Swap>,
    /// How far all walk [mm].
    cost: u32,
}

/// A member, and the place it goes to.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub id: MemberId,
    pub refuge: Refuge,
}

/// A body that has no place to go, as in a dead end, leads out of there for another to go in.
#[derive(Debug)]
pub(crate) struct Swap {
    pub refuge: Refuge,
    pub next: MemberId,
}

/// A member that makes way, and its place off the path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MakingWay {
    pub id: MemberId,
    pub place: Place,
}

/// The crowd that plans are made for.
#[derive(Clone, Copy)]
pub(crate) struct PlanContext<'a> {
    pub views: &'a AgentViews<'a>,
    pub slot_map: &'a SlotMap,
}

/// Why there is no plan.
pub(crate) enum NoPlan {
    /// For this member there is no place off the path.
    NoPlaceFor(MemberId),
    /// Somebody in front is busy with another jam, or gone.
    Busy,
    /// The leader goes over open ground.
    Open,
}

/// A member that cannot lead, because another has no place off its path.
struct Stopped {
    leader: MemberId,
    blocker: MemberId,
    /// From the leader to its goal, along the path [m].
    left: f32,
}

/// The members around a leader.
#[derive(Default)]
struct AroundLeader<'a> {
    /// Those in front of it, the farthest first.
    in_the_way: Vec<InTheWay<'a>>,
    /// Where all others stand.
    occupied: Occupied,
}

/// A member in front of a leader.
struct InTheWay<'a> {
    member: &'a Member,
    /// How far along the leader's path [m].
    along: f32,
}

/// Finds plans, one after another.
#[derive(Debug, Default)]
pub(crate) struct MakeWayPlanner {
    pub narrow: NarrowGround,
    search: RefugeSearch,
    route: RouteAhead,
    /// The end of the route, if the member comes to rest there where it is narrow.
    rests_at: Option<Point3<f32>>,
}

/// Bodies this near to a jammed one may lead as well [m].
const JAM_RADIUS: f32 = 2.0;
/// Of them so many are tried: the nearest.
const MOST_CANDIDATES: usize = 6;
/// Others make way along this much of a leader's path, or up to open ground [m].
const ROUTE_LENGTH: f32 = 20.0;
/// Bodies farther than this from a leader do not matter to its plan [m].
const PLAN_RADIUS: f32 = 25.0;
/// A body is in the way if the gap between it and the leader's path is below this [m].
const CONTACT_GAP: f32 = 0.02;
/// A body that is slower stands [m/s].
const STANDING_SPEED: f32 = 0.2;
/// A member that has led this often and is jammed again has led in vain.
const LEADS_IN_VAIN: u32 = 2;
/// A jam on open ground is left to itself for this long [s].
const LONG_JAM: f32 = 10.0;
/// Somebody in the way that gains on its goal within this time will be gone [s].
const STANDING_TIME: f32 = 1.0;
/// What it costs to have led before [mm].
const COST_OF_LEAD: u32 = 10_000;

impl MakeWayPlanner {
    /// Whether two bodies as large as a member cannot pass each other where it stands.
    pub(crate) fn is_narrow(&mut self, member: &Member, views: &AgentViews) -> bool {
        views.get(member.agent).is_some_and(|view| self.narrow.is_narrow(view, member.at.span))
    }

    /// The plan by which everyone around a jammed member walks least; if none lets anyone pass, one by
    /// which two change places.
    pub(crate) fn best_plan(
        &mut self,
        jammed: &Member,
        context: PlanContext,
    ) -> Option<MakeWayPlan> {
        let (mut best, mut stopped) = (None::<MakeWayPlan>, None::<Stopped>);
        for leader in candidates(jammed, context.slot_map) {
            match self.plan(leader.id, &[], context) {
                Ok(plan) if !self.needs_help(jammed, &plan, context) => {}
                Ok(mut plan) => {
                    let leads = COST_OF_LEAD.saturating_mul(leader.leads);
                    plan.cost = plan.cost.saturating_add(leads);
                    let is_better =
                        |best: &MakeWayPlan| (plan.cost, plan.leader) < (best.cost, best.leader);
                    if best.as_ref().is_none_or(is_better) {
                        best = Some(plan);
                    }
                }
                Err(NoPlan::NoPlaceFor(blocker)) => {
                    let left = leader.remaining_distance().unwrap_or(0.0);
                    // The one that goes farthest in goes first: one that rests farther out would be in its
                    // way.
                    if stopped.as_ref().is_none_or(|stopped| stopped.left < left) {
                        stopped = Some(Stopped { leader: leader.id, blocker, left });
                    }
                }
                Err(NoPlan::Busy | NoPlan::Open) => {}
            }
        }
        // Where those who can lead have led in vain, others have to change places first.
        let leads = |plan: &MakeWayPlan| {
            context.slot_map.member(plan.leader).map_or(0, |leader| leader.leads)
        };
        let may_help = best.as_ref().is_some_and(|plan| leads(plan) < LEADS_IN_VAIN);
        let swap = if may_help {
            None
        } else {
            stopped.and_then(|stopped| self.plan_swap(&stopped, context))
        };
        swap.or(best)
    }

    /// Whether a jam does not resolve itself: somebody in the way does not go the same way, where two
    /// cannot pass. On open ground bodies get around each other, and those who wait step aside.
    fn needs_help(&mut self, jammed: &Member, plan: &MakeWayPlan, context: PlanContext) -> bool {
        let PlanContext { views, slot_map } = context;
        let is_long = jammed.following.time_without_gain() > LONG_JAM;
        plan.assignments.iter().any(|own| {
            let stands = |member: &&Member| {
                let gains = member.following.time_without_gain() < STANDING_TIME;
                !gains || member.state().is_at_rest()
            };
            let member = slot_map.member(own.id).filter(stands);
            member.is_some_and(|member| {
                !self.goes_along(member) && (is_long || self.is_narrow(member, views))
            })
        })
    }

    /// Whether a member goes along the route that was read last.
    fn goes_along(&self, member: &Member) -> bool {
        let next = member.waypoints().first().filter(|_| member.is_under_way());
        let here = self.route.beside(member.position());
        let there = next.and_then(|next| self.route.beside(next.point));
        here.zip(there).is_some_and(|(here, there)| {
            there.along > here.along && there.distance < 2.0 * member.radius
        })
    }

    /// Plans that a blocker without a place of its own leads out of where another wants to go.
    fn plan_swap(
        &mut self,
        &Stopped { leader: next, blocker, .. }: &Stopped,
        context: PlanContext,
    ) -> Option<MakeWayPlan> {
        let PlanContext { views, slot_map } = context;
        let (inner, outer) = (slot_map.member(blocker)?, slot_map.member(next)?);
        self.read_narrow_route(outer, views);
        let request = RefugeRequest {
            body: place(inner, views),
            span: inner.at.span,
            width: place(outer, views).radius,
            leader: None,
            rests_at: None,
            route: &self.route,
            occupied: &Occupied::default(),
        };
        // On narrow ground it would stand in the other's way again, farther out.
        let view = views.get(inner.agent)?;
        let is_open = |span| {
            let clearance = view.grid().clearance(inner.agent, span);
            clearance.is_some_and(|clearance| clearance >= request.width)
        };
        let refuge = self.search.find(view, &request, is_open)?;
        self.route.read_trail(&refuge.trail);
        self.rests_at = None;
        let mut plan = self.plan_along_route(inner, &[], context).ok()?;
        plan.swap = Some(Swap { refuge, next });
        Some(plan)
    }

    /// Finds out who has to go where, so that a leader can pass. `held` make way already.
    pub(crate) fn plan(
        &mut self,
        leader: MemberId,
        held: &[MakingWay],
        context: PlanContext,
    ) -> Result<MakeWayPlan, NoPlan> {
        let leader = context.slot_map.member(leader).ok_or(NoPlan::Busy)?;
        let is_narrow = self.read_narrow_route(leader, context.views);
        if !is_narrow && held.is_empty() {
            return Err(NoPlan::Open);
        }
        self.plan_along_route(leader, held, context)
    }

    /// As [`Self::plan`], along the route that was read.
    fn plan_along_route(
        &mut self,
        leader: &Member,
        held: &[MakingWay],
        context: PlanContext,
    ) -> Result<MakeWayPlan, NoPlan> {
        let own = place(leader, context.views);
        let AroundLeader { in_the_way, mut occupied } = self.look_around(leader, held, context)?;
        let mut plan =
            MakeWayPlan { leader: leader.id, assignments: Vec::new(), swap: None, cost: 0 };
        for InTheWay { member, .. } in in_the_way {
            let view = context.views.get(member.agent).ok_or(NoPlan::Busy)?;
            let request = RefugeRequest {
                body: place(member, context.views),
                span: member.at.span,
                width: own.radius,
                leader: Some(own),
                rests_at: self.rests_at.map(|point| Place { point, ..own }),
                route: &self.route,
                occupied: &occupied,
            };
            let MakeWayPlanner { narrow, search, .. } = self;
            // Who stands on open ground would lock itself in where it is narrow.
            let refuge = match narrow.is_narrow(view, member.at.span) {
                true => search.find(view, &request, |_| true),
                false => search
                    .find(view, &request, |span| !narrow.is_narrow(view, span))
                    .or_else(|| search.find(view, &request, |_| true)),
            };
            let refuge = refuge.ok_or(NoPlan::NoPlaceFor(member.id))?;
            // On open ground those who stand there are pushed aside.
            occupied.add(refuge.place, self.narrow.is_narrow(view, refuge.span));
            plan.cost = plan.cost.saturating_add(refuge.cost);
            plan.assignments.push(Assignment { id: member.id, refuge });
        }
        Ok(plan)
    }

    /// Finds out who is in front of a leader, and where all others stand.
    fn look_around<'a>(
        &mut self,
        leader: &Member,
        held: &[MakingWay],
        context: PlanContext<'a>,
    ) -> Result<AroundLeader<'a>, NoPlan> {
        let PlanContext { views, slot_map } = context;
        let own = place(leader, views);
        let mut around = AroundLeader::default();
        for member in slot_map.iter().filter(|member| member.id != leader.id) {
            let held_place = held.iter().find(|other| other.id == member.id).map(|own| own.place);
            // Who makes way already counts as where it goes.
            let other = held_place.unwrap_or(place(member, views));
            if member.is_on_link() || (other.point - own.point).norm() > PLAN_RADIUS {
                continue;
            }
            if member.stands_in_line() && !self.is_narrow(member, views) {
                // It steps aside by itself.
                continue;
            }
            let apart = own.radius + other.radius + CONTACT_GAP;
            let beside = self.route.beside(other.point);
            match beside.filter(|beside| beside.distance < apart && beside.along > 0.0) {
                Some(_) if held_place.is_none() && !member.duty.is_none() => {
                    return Err(NoPlan::Busy);
                }
                Some(beside) => around.in_the_way.push(InTheWay { member, along: beside.along }),
                None if member.duty.is_none() && member.velocity.norm() >= STANDING_SPEED => {}
                None => around.occupied.add(other, self.is_narrow(member, views)),
            }
        }
        around.in_the_way.sort_by(|one, other| {
            other.along.total_cmp(&one.along).then(one.member.id.cmp(&other.member.id))
        });
        Ok(around)
    }

    /// The route of a member. What others have pushed off its path finds back to it over the ground.
    pub(crate) fn route_of(&mut self, member: &Member, views: &AgentViews) -> &RouteAhead {
        let next = match member.duty.errand() {
            Some(errand) => errand.ahead().first().copied(),
            None => member.waypoints().first().map(|next| {
                let (span, point) = (next.span, next.point);
                NavPoint { span, point }
            }),
        };
        let begin = next.zip(views.get(member.agent)).and_then(|(next, view)| {
            let is_clear = GridSight.is_clear(view.view, &member.at, &next);
            if is_clear { None } else { self.search.trail_to(view, member.at.span, next.span) }
        });
        self.route.read(member, begin.as_deref().unwrap_or_default());
        &self.route
    }

    /// Reads the route of a member up to open ground. Returns whether it leads over narrow ground.
    fn read_narrow_route(&mut self, member: &Member, views: &AgentViews) -> bool {
        self.route_of(member, views);
        let mut is_any_narrow = self.is_narrow(member, views);
        let MakeWayPlanner { narrow, route, .. } = self;
        let Some(view) = views.get(member.agent) else { return false };
        let end = route.cut(ROUTE_LENGTH, |point| {
            let span = view.grid().span_at(point, view.agent().height);
            let is_narrow = span.is_none_or(|span| narrow.is_narrow(view, span));
            is_any_narrow |= is_narrow;
            is_narrow
        });
        self.rests_at = end.filter(|_| member.duty.errand().is_none());
        is_any_narrow
    }
}

/// The members around a jammed one that may lead, nearest first; only those of the highest priority.
fn candidates<'a>(jammed: &Member, slot_map: &'a SlotMap) -> Vec<&'a Member> {
    let distance = |member: &Member| (member.position() - jammed.position()).norm();
    let may_lead = |member: &&Member| {
        let has_path = !member.waypoints().is_empty() && !member.state().is_at_rest();
        member.duty.is_none()
            && has_path
            && !member.is_on_link()
            && !member.stands_in_line()
            && distance(member) < JAM_RADIUS
    };
    let mut found: Vec<&Member> = slot_map.iter().filter(may_lead).collect();
    let highest = found.iter().map(|member| member.priority).max().unwrap_or(0);
    found.retain(|member| member.priority == highest);
    found.sort_by(|one, other| {
        distance(one).total_cmp(&distance(other)).then(one.id.cmp(&other.id))
    });
    found.truncate(MOST_CANDIDATES);
    found
}

/// The ground that a member takes up.
pub(crate) fn place(member: &Member, views: &AgentViews) -> Place {
    let radius = views.get(member.agent).map_or(0.0, |view| view.agent().radius);
    Place { point: member.position(), radius }
}
