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
use crate::crowd::duty::{Duty, Errand, Role};
use crate::crowd::member::{Member, MemberId};
use crate::crowd::refuge::{Place, Refuge, RefugeRequest, RefugeSearch};
use crate::crowd::route_ahead::RouteAhead;
use crate::crowd::slot_map::SlotMap;
use crate::path::{GridSight, Sight};
use crate::view::NavPoint;

/// Resolves jams, several at a time.
#[derive(Debug, Default)]
pub(crate) struct JamResolver {
    cases: Vec<JamCase>,
    planner: Planner,
    /// Members that gain nothing on their goals; empty between rounds.
    jammed: Vec<MemberId>,
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
    /// Who leads once this leader is out of the way.
    next: Option<MemberId>,
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
    /// Where the leader goes first, and who leads then.
    swap: Option<Swap>,
}

/// A body that has no place to go, as in a dead end, leads out of there for another to go in.
#[derive(Debug)]
struct Swap {
    refuge: Refuge,
    next: MemberId,
}

/// Why there is no plan.
enum NoPlan {
    /// For this member there is no place off the path.
    NoPlaceFor(MemberId),
    /// Somebody in front is busy with another jam, or gone.
    Busy,
}

/// What plans are made by.
#[derive(Clone, Copy)]
struct Jams<'a> {
    views: &'a AgentViews<'a>,
    slot_map: &'a SlotMap,
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
/// Others make way along this much of a leader's path, or up to open ground [m].
const ROUTE_LENGTH: f32 = 20.0;
/// Bodies farther than this from a leader do not matter to its plan [m].
const PLAN_RADIUS: f32 = 25.0;
/// A body is in the way if the gap between it and the leader's path is below this [m].
const CONTACT_GAP: f32 = 0.02;
/// The leader waits if the gap to somebody in front is below this [sums of both radii].
const LEADER_GAP: f32 = 1.0;
/// Who makes way waits if the gap to somebody in front is below this [sums of both radii].
const QUEUE_GAP: f32 = 0.25;
/// A leader has passed another when it is this far off [sums of both radii].
const PASSED_DISTANCE: f32 = 1.2;
/// A body that is slower stands [m/s].
const STANDING_SPEED: f32 = 0.2;
/// What it costs to have led before [mm].
const COST_OF_LEAD: u32 = 10_000;
/// A leader leads for no longer than this [s].
const MOST_TIME: f32 = 40.0;
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
            self.planner.keep_distances(case, views, slot_map);
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
        let mut jammed = std::mem::take(&mut self.jammed);
        // Room for as many as there can be, so that a crowd that jams allocates nothing here.
        jammed.reserve(slot_map.len());
        jammed.extend(slot_map.iter().filter(is_jammed).map(Member::id));
        let mut looked_at = 0;
        for id in jammed.drain(..) {
            let Some(member) = slot_map.member(id).filter(|member| member.duty.is_none()) else {
                continue;
            };
            if !self.planner.is_narrow(member, views) {
                continue;
            }
            let plan = self.planner.best_plan(member, Jams { views, slot_map });
            match plan {
                Some(plan) => self.cases.push(JamCase::begin(plan, slot_map)),
                None => {
                    if let Some(member) = slot_map.member_mut(id) {
                        member.following.postpone_jam();
                    }
                }
            }
            looked_at += 1;
            if looked_at == MOST_JAMS {
                break;
            }
        }
        self.jammed = jammed;
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
        let (mut errand, mut next) = (None, None);
        if let Some(swap) = plan.swap {
            (errand, next) = (Some(Errand::new(swap.refuge.trail)), Some(swap.next));
        }
        if let Some(leader) = slot_map.member_mut(plan.leader) {
            leader.duty = Duty::lead(errand);
            leader.leads += 1;
        }
        let (leader, makers) = (plan.leader, Vec::new());
        let mut case = JamCase { leader, makers, time: 0.0, failed_plans: 0, next };
        case.send(plan.errands, slot_map);
        case
    }

    /// Sends members off the leader's path.
    fn send(&mut self, errands: Vec<(MemberId, Refuge)>, slot_map: &mut SlotMap) {
        for (id, refuge) in errands {
            let Some(member) = slot_map.member_mut(id) else { continue };
            let Some(end) = refuge.trail.last() else { continue };
            let place = Place { point: end.point, radius: refuge.radius };
            member.duty = Duty::make_way(Errand::new(refuge.trail));
            self.makers.retain(|maker| maker.id != id);
            self.makers.push(MakingWay { id, place });
        }
    }

    /// Lets the one lead for whom the leader has come out of its way, and who made way for it.
    fn swap(&mut self, next: MemberId, place: Place, slot_map: &mut SlotMap) {
        if let Some(leader) = slot_map.member_mut(self.leader) {
            leader.duty.role = Role::MakeWay;
        }
        self.makers.retain(|maker| maker.id != next);
        self.makers.push(MakingWay { id: self.leader, place });
        release(next, slot_map);
        if let Some(leader) = slot_map.member_mut(next) {
            leader.duty = Duty::lead(None);
        }
        (self.leader, self.next, self.time, self.failed_plans) = (next, None, 0.0, 0);
    }

    /// Lets everyone go its own way again.
    fn end(&self, slot_map: &mut SlotMap) {
        release(self.leader, slot_map);
        self.makers.iter().for_each(|maker| release(maker.id, slot_map));
    }
}

fn release(id: MemberId, slot_map: &mut SlotMap) {
    if let Some(member) = slot_map.member_mut(id) {
        member.duty = Duty::default();
        member.following.resume();
    }
}

impl Planner {
    fn is_narrow(&mut self, member: &Member, views: &AgentViews) -> bool {
        views.get(member.agent).is_some_and(|view| self.search.is_narrow(view, member.at.span))
    }

    /// The plan by which everyone around a jammed member walks least; if none lets anyone pass, one by
    /// which two change places.
    fn best_plan(&mut self, jammed: &Member, jams: Jams) -> Option<Plan> {
        let (mut best, mut swap) = (None::<Plan>, None);
        for id in candidates(jammed, jams.slot_map) {
            match self.plan(id, &[], jams) {
                Ok(mut plan) => {
                    plan.cost += COST_OF_LEAD * jams.slot_map.member(id)?.leads;
                    let is_better = |best: &Plan| (plan.cost, id) < (best.cost, best.leader);
                    if best.as_ref().is_none_or(is_better) {
                        best = Some(plan);
                    }
                }
                Err(NoPlan::NoPlaceFor(blocker)) => swap = swap.or(Some([id, blocker])),
                Err(NoPlan::Busy) => {}
            }
        }
        best.or_else(|| self.plan_swap(swap?, jams))
    }

    /// Plans that a blocker without a place of its own leads out of where another wants to go.
    fn plan_swap(&mut self, [next, blocker]: [MemberId; 2], jams: Jams) -> Option<Plan> {
        let Jams { views, slot_map } = jams;
        let (inner, outer) = (slot_map.member(blocker)?, slot_map.member(next)?);
        let view = views.get(inner.agent)?;
        self.read_route(outer, jams);
        let request = RefugeRequest {
            body: place(inner, views),
            span: inner.at.span,
            width: place(outer, views).radius,
            leader: None,
            route: &self.route,
            taken: &[],
            blocked: &[],
        };
        let refuge = self.search.find(view, &request)?;
        self.route.read_trail(&refuge.trail);
        let mut plan = self.make_way(blocker, &[], jams).ok()?;
        plan.swap = Some(Swap { refuge, next });
        Some(plan)
    }

    /// Brings a case up to date. Returns false if it is over.
    fn go_on(&mut self, case: &mut JamCase, views: &AgentViews, slot_map: &mut SlotMap) -> bool {
        let Some(leader) = slot_map.member(case.leader) else { return false };
        if let (Some(next), Some(errand)) = (case.next, leader.duty.errand())
            && errand.is_done(&leader.at)
        {
            let place = place(leader, views);
            case.swap(next, place, slot_map);
        }
        let Some(leader) = slot_map.member(case.leader) else { return false };
        if leader.duty.errand().is_none() && leader.waypoints().is_empty() {
            // Its path is being found.
            return case.time < MOST_TIME;
        }
        let is_through = leader.state().is_at_rest()
            || case.next.is_none() && case.makers.is_empty() && !self.is_narrow(leader, views);
        if is_through || case.time > MOST_TIME || case.failed_plans >= MOST_FAILED_PLANS {
            return false;
        }
        self.release_passed(case, views, slot_map);
        match self.plan(case.leader, &case.makers, Jams { views, slot_map }) {
            Ok(plan) => case.send(plan.errands, slot_map),
            Err(_) => case.failed_plans += 1,
        }
        true
    }

    /// Lets those go on whom the leader has passed.
    fn release_passed(&mut self, case: &mut JamCase, views: &AgentViews, slot_map: &mut SlotMap) {
        let Some(leader) = slot_map.member(case.leader) else { return };
        let own = place(leader, views);
        self.read(leader, views);
        let route = &self.route;
        case.makers.retain(|maker| {
            let is_due = slot_map.member(maker.id).is_some_and(|member| {
                let apart = own.radius + maker.place.radius;
                route.beside(member.position()).is_some_and(|beside| {
                    beside.along > 0.0 || beside.distance < PASSED_DISTANCE * apart
                })
            });
            if !is_due {
                release(maker.id, slot_map);
            }
            is_due
        });
    }

    /// Makes everyone of a case wait who comes too near to somebody who has to go first: those who make
    /// way go one behind the other, and the leader after them. Pressed against each other they would not
    /// get round a corner.
    fn keep_distances(&mut self, case: &JamCase, views: &AgentViews, slot_map: &mut SlotMap) {
        for (at, id) in case.makers.iter().map(|maker| maker.id).chain([case.leader]).enumerate() {
            let waits = slot_map.member(id).is_some_and(|member| {
                let least = match member.duty.role {
                    Role::Lead => LEADER_GAP,
                    _ => QUEUE_GAP,
                };
                let own = place(member, views);
                self.read(member, views);
                let before = case.makers[..at.min(case.makers.len())].iter();
                let mut before = before.filter_map(|maker| slot_map.member(maker.id));
                before.any(|other| {
                    let other = place(other, views);
                    let apart = own.radius + other.radius;
                    let is_ahead = self
                        .route
                        .beside(other.point)
                        .is_some_and(|beside| beside.along > 0.0 && beside.distance < apart);
                    is_ahead && own.gap(&other) < least * apart
                })
            });
            if let Some(member) = slot_map.member_mut(id) {
                member.duty.waits = waits;
            }
        }
    }

    /// Reads the route of a member. What others have pushed off its path finds back to it over the ground.
    fn read(&mut self, member: &Member, views: &AgentViews) {
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
    }

    /// Reads the route of a member up to open ground.
    fn read_route(&mut self, member: &Member, jams: Jams) {
        self.read(member, jams.views);
        let Planner { search, route } = self;
        let Some(view) = jams.views.get(member.agent) else { return };
        route.cut(ROUTE_LENGTH, |point| {
            let span = view.grid().span_at(point, view.agent().height);
            span.is_none_or(|span| search.is_narrow(view, span))
        });
    }

    /// Finds out who has to go where, so that a leader can pass. `held` make way already.
    fn plan(&mut self, leader: MemberId, held: &[MakingWay], jams: Jams) -> Result<Plan, NoPlan> {
        self.read_route(jams.slot_map.member(leader).ok_or(NoPlan::Busy)?, jams);
        self.make_way(leader, held, jams)
    }

    /// As [`Self::plan`], on the route that was read.
    fn make_way(
        &mut self,
        leader: MemberId,
        held: &[MakingWay],
        jams: Jams,
    ) -> Result<Plan, NoPlan> {
        let Jams { views, slot_map } = jams;
        let own = place(slot_map.member(leader).ok_or(NoPlan::Busy)?, views);
        let mut in_the_way: Vec<(f32, &Member)> = Vec::new();
        let (mut taken, mut blocked): (Vec<Place>, Vec<Place>) = Default::default();
        for member in slot_map.iter().filter(|member| member.id != leader) {
            let other = place(member, views);
            if member.is_on_link() || (other.point - own.point).norm() > PLAN_RADIUS {
                continue;
            }
            let held_place = held.iter().find(|maker| maker.id == member.id).map(|own| own.place);
            let point = held_place.unwrap_or(other).point;
            let apart = own.radius + other.radius + CONTACT_GAP;
            let beside = self.route.beside(point);
            let beside = beside.filter(|beside| beside.distance < apart && beside.along > 0.0);
            match (beside, held_place) {
                (Some(_), None) if !member.duty.is_none() => return Err(NoPlan::Busy),
                (Some(beside), _) => in_the_way.push((beside.along, member)),
                (None, Some(place)) => {
                    let places =
                        if self.is_narrow(member, views) { &mut blocked } else { &mut taken };
                    places.push(place);
                }
                (None, None) => {
                    let stands = !member.duty.is_none() || member.velocity.norm() < STANDING_SPEED;
                    let is_narrow = stands && self.is_narrow(member, views);
                    let places = if is_narrow { &mut blocked } else { &mut taken };
                    places.extend(stands.then_some(other));
                }
            }
        }
        in_the_way.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.id.cmp(&other.1.id)));
        let mut plan = Plan { leader, errands: Vec::new(), cost: 0, swap: None };
        for (_, member) in in_the_way {
            let body = place(member, views);
            let request = RefugeRequest {
                body,
                span: member.at.span,
                width: own.radius,
                leader: Some(own),
                route: &self.route,
                taken: &taken,
                blocked: &blocked,
            };
            let view = views.get(member.agent).ok_or(NoPlan::Busy)?;
            let refuge = self.search.find(view, &request).ok_or(NoPlan::NoPlaceFor(member.id))?;
            let end = refuge.trail.last().ok_or(NoPlan::Busy)?;
            // On open ground those who stand there are pushed aside.
            let is_narrow = self.search.is_narrow(view, end.span);
            let places = if is_narrow { &mut blocked } else { &mut taken };
            places.push(Place { point: end.point, ..body });
            plan.cost += refuge.cost;
            plan.errands.push((member.id, refuge));
        }
        Ok(plan)
    }
}

/// The ground that a member takes up.
fn place(member: &Member, views: &AgentViews) -> Place {
    let radius = views.get(member.agent).map_or(0.0, |view| view.agent().radius);
    Place { point: member.position(), radius }
}
