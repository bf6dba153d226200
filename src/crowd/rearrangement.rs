//! Provides [`Rearrangement`]: members that block each other in narrow passages walk by a plan for them all.
//!
//! First they spread: bodies that are pressed together leave each other no way past. While the plan is being
//! found they stand still. Then each walks from place to place, as soon as those have
//! gone who have to go before it. Compare: Dergachev and Yakovlev, "Towards unlabeled and labeled multi-agent
//! navigation by combining ORCA with local MAPF", 2020.

use crate::crowd::agent_views::AgentViews;
use crate::crowd::clear_way::Way;
use crate::crowd::duty::Duty;
use crate::crowd::ground_search::GroundSearch;
use crate::crowd::jam_targets::{JamTargets, MOST_TRIES};
use crate::crowd::jam_task::JamTask;
use crate::crowd::member::{Member, MemberId};
use crate::crowd::passage_ground::PassageGround;
use crate::crowd::slot_map::SlotMap;
use crate::crowd::turn::{Stance, Turn};
use crate::crowd::walker::{Walk, Walker};
use crate::follow::PathFollowing;
use crate::grid::{AgentId, NextGrid, SpanId};
use crate::mapf::{
    Body, BodyId, Condition, LocalGround, Move, MovePlan, PlaceId, PlanSearch, Progress, Reach,
    Target,
};
use crate::view::ViewRef;

/// A jam that is being sorted out.
#[derive(Debug)]
pub(crate) struct Rearrangement {
    /// On whose ground: the largest agent's there.
    agent: AgentId,
    /// The member that it is for.
    jammed: MemberId,
    /// It has been for that member so often that it walks the plan to its end.
    is_repeated: bool,
    ground: LocalGround,
    jam: JamTask,
    stage: Stage,
    /// Since somebody made a move [s].
    idle: f32,
}

#[derive(Debug)]
enum Stage {
    /// They spread, for so long still [s].
    Spreads(f32),
    /// A plan is being found.
    Plans(Box<PlanSearch>),
    Walks(MovePlan),
}

/// How far around a jam everyone is taken in.
const REACH: Reach = Reach { distance: 25_000, open: 10_000, spans: 4_000 };
/// The same on open ground, where the others can go around a jam.
const OPEN_REACH: Reach = Reach { distance: 6_000, open: 10_000, spans: 4_000 };
/// The same for a member that has been jammed before on its way.
const WIDE_REACH: Reach = Reach { distance: 60_000, open: 10_000, spans: 8_000 };
/// The largest agent within this distance of a jammed member decides on the size of places [m].
const SIZE_RADIUS: f32 = 10.0;
/// By so much do those who spread keep farther away from each other [sums of both radii].
const SPREAD: f32 = 0.08;
/// So long do they spread [s].
const SPREAD_TIME: f32 = 0.5;
/// Two members can walk at once if their ways stay this far apart [sums of both radii].
const CLEAR: f32 = 0.9;
/// A member that has made so many moves is on its way.
const UNDER_WAY: usize = 2;
/// Members know so many moves ahead.
const MOVES_AHEAD: usize = 4;
/// It is over if nobody has made a move for this long [s].
const MOST_IDLE: f32 = 5.0;

impl Rearrangement {
    /// Takes in everyone around a jammed member; `None` if there is nobody to be brought anywhere, or others
    /// are being sorted out there.
    pub(crate) fn begin(
        jammed: MemberId,
        slot_map: &mut SlotMap,
        passages: &mut PassageGround,
    ) -> Option<Self> {
        let PassageGround { views, narrow, rearrangements } = passages;
        let member = slot_map.member(jammed)?;
        let view = ground_of_all(member, views, slot_map)?;
        let reach = match (narrow.is_narrow(view, member.at.span), member.jams) {
            (false, 0) => OPEN_REACH,
            (false, _) | (true, 0) => REACH,
            (true, _) => WIDE_REACH,
        };
        let mut is_narrow = |span| narrow.is_narrow_anywhere(view, span);
        let ground = LocalGround::around(view, member.at.span, reach, &mut is_narrow);
        if rearrangements.iter().any(|own| own.overlaps(&ground)) {
            return None;
        }
        slot_map.member_mut(jammed)?.jams += 1;
        let member = slot_map.member(jammed)?;
        let members = free_members(slot_map);
        let is_repeated = member.jams > MOST_TRIES;
        let mut targets = JamTargets::new(view, &ground, &members, member);
        // Where there is no way out, whoever leads out of reach would meet the next ones there.
        let wide = (!targets.has_halls())
            .then(|| LocalGround::around(view, member.at.span, WIDE_REACH, &mut is_narrow));
        if let Some(wide) = &wide {
            targets = JamTargets::new(view, wide, &members, member);
        }
        let jam = JamTask::new(targets, &members);
        let agent = view.agent_id();
        let ground = wide.unwrap_or(ground);
        if jam.is_done() {
            if jam.is_at_target(jammed) {
                // Others rest at its goal, or in front of it: no free place is nearer.
                slot_map.member_mut(jammed)?.following.rest_here();
            }
            return None;
        }
        jam.set_duties(slot_map, &Duty::spreads(SPREAD));
        stop_others(slot_map, &ground);
        let stage = Stage::Spreads(SPREAD_TIME);
        Some(Rearrangement { agent, jammed, is_repeated, ground, jam, stage, idle: 0.0 })
    }

    /// Whether a span is in reach of the plan.
    pub(crate) fn reaches(&self, span: SpanId) -> bool {
        self.ground.number(span).is_some()
    }

    fn overlaps(&self, ground: &LocalGround) -> bool {
        ground.points.iter().any(|at| self.reaches(at.span))
    }

    /// Whether others keep off a span until this is over: everywhere but in halls.
    pub(crate) fn closes(&self, span: SpanId) -> bool {
        self.ground
            .number(span)
            .is_some_and(|number| self.jam.halls.at(self.jam.task.graph.nearest(number)).is_none())
    }

    pub(crate) fn is_planning(&self) -> bool {
        matches!(self.stage, Stage::Plans(_))
    }

    /// Lets time pass [s]. Returns false if nobody has to be brought anywhere any more.
    pub(crate) fn add_time(&mut self, dt: f32, views: &AgentViews, slot_map: &mut SlotMap) -> bool {
        self.idle += dt;
        match &mut self.stage {
            Stage::Spreads(left) => {
                *left -= dt;
                *left > 0.0 || self.begin_plan(views, slot_map).is_some()
            }
            _ => true,
        }
    }

    /// Looks for a plan from where all have spread to; `None` if nobody has to be brought anywhere.
    fn begin_plan(&mut self, views: &AgentViews, slot_map: &mut SlotMap) -> Option<()> {
        let view = views.get(self.agent)?;
        self.jam.set_duties(slot_map, &Duty::default());
        let members = free_members(slot_map);
        let jammed = slot_map.member(self.jammed)?;
        let targets = JamTargets::new(view, &self.ground, &members, jammed);
        // Whoever is jammed again may be helped by other choices.
        let seed = u64::from(jammed.jams.saturating_sub(1));
        self.jam = JamTask::new(targets, &members).with_seed(seed);
        self.jam.set_duties(slot_map, &Duty::rearranged());
        self.stage = Stage::Plans(Box::new(PlanSearch::new(&self.jam.task)));
        (!self.jam.is_done()).then_some(())
    }

    /// Looks for a plan, for so many decisions of bodies. Returns false if there is none.
    pub(crate) fn plan(&mut self, decisions: usize) -> bool {
        let Stage::Plans(search) = &mut self.stage else { return true };
        let steps = (decisions / self.jam.task.bodies.len()).max(usize::from(decisions > 0));
        match search.go_on(&self.jam.task, steps) {
            Progress::GoesOn => true,
            Progress::Found(moves) => {
                self.stage = Stage::Walks(MovePlan::new(&self.jam.task, &moves));
                self.idle = 0.0;
                true
            }
            Progress::Failed => false,
        }
    }

    /// Lets everyone walk on. Returns false if it is over.
    pub(crate) fn walk(
        &mut self,
        views: &AgentViews,
        slot_map: &mut SlotMap,
        search: &mut GroundSearch,
    ) -> bool {
        let Some(view) = views.get(self.agent) else { return false };
        self.count_moves(slot_map);
        let Stage::Walks(plan) = &self.stage else { return true };
        let walk = &mut Walk { graph: &self.jam.task.graph, view, slot_map, search };
        let mut is_any_left = false;
        for body in 0..self.jam.walkers.len() {
            let moves = &plan.moves[body];
            let ready = self.ready(body, moves, walk.slot_map);
            let walker = &mut self.jam.walkers[body];
            if walker.made < moves.len() {
                is_any_left = true;
                walker.go_on(ready, moves, walk);
            } else if self.is_free(body, plan) {
                release(self.jam.walkers[body].id, walk.slot_map, PathFollowing::resume);
            }
        }
        is_any_left && self.idle <= MOST_IDLE && !self.is_sorted_out()
    }

    /// Whether those who are left need no plan any more, and others may follow them out: only one is, who is on
    /// its way, and has not come back again and again; or some have got out, and all who are left go to the same
    /// hall.
    fn is_sorted_out(&self) -> bool {
        let Stage::Walks(plan) = &self.stage else { return false };
        let is_out = |walker: &Walker, moves: &[Move]| walker.made == moves.len();
        let walkers = || self.jam.walkers.iter().zip(&plan.moves);
        let mut left = walkers()
            .zip(&self.jam.task.bodies)
            .filter(|((walker, moves), _)| !is_out(walker, moves))
            .map(|((walker, _), body)| (walker, &body.target));
        let Some((walker, target)) = left.next() else { return true };
        let mut others = left.map(|(_, other)| other).peekable();
        let goes_to_end = self.is_repeated && walker.id == self.jammed;
        let is_on_its_way = walker.made >= UNDER_WAY && !goes_to_end;
        if others.peek().is_none() && is_on_its_way && self.jam.halls.are_any() {
            return true;
        }
        matches!(target, Target::OneOf(_))
            && others.all(|other| other == target)
            && walkers().any(|(walker, moves)| !moves.is_empty() && is_out(walker, moves))
    }

    /// Counts the moves that were made since the last step.
    fn count_moves(&mut self, slot_map: &mut SlotMap) {
        let Stage::Walks(plan) = &self.stage else { return };
        let graph = &self.jam.task.graph;
        for (walker, moves) in self.jam.walkers.iter_mut().zip(&plan.moves) {
            let Some(member) = slot_map.member_mut(walker.id) else { continue };
            let made = walker.made;
            // Where there is room for all the rest of its moves is left to itself.
            let place = self.ground.number(member.at.span).map(|span| graph.nearest(span));
            let has_room = place.is_some_and(|place| graph.is_roomy(place));
            if has_room && moves[made..].iter().all(|next| graph.is_roomy(next.to)) {
                (walker.made, walker.begun) = (moves.len(), moves.len());
            } else {
                walker.count_moves(member, moves, graph);
                if has_room {
                    walker.skip_roomy(moves, graph);
                }
            }
            for next in &moves[made..walker.made] {
                self.idle = 0.0;
                member.duty.come_to(&graph.points[usize::from(next.to)]);
            }
        }
    }

    /// Whether a body that has made its moves may go its own way: it has come to a hall; or to its target, and
    /// nobody has to pass there any more, who would push it aside, or whose way it would come back into.
    fn is_free(&self, body: usize, plan: &MovePlan) -> bool {
        let Body { start, target } = &self.jam.task.bodies[body];
        let moves = &plan.moves[body];
        let end = moves.last().map_or(*start, |last| last.to);
        let is_there = self.jam.task.distance(body as BodyId, end) == 0;
        let is_made = |other: &Condition| {
            self.jam.walkers[usize::from(other.body)].made >= other.moves as usize
        };
        self.jam.task.graph.is_roomy(end)
            || match target {
                Target::Anywhere => moves.is_empty(),
                Target::OneOf(_) | Target::Place(_) => {
                    is_there && plan.quiet_after[body].iter().all(is_made)
                }
            }
    }

    /// How many more moves a body may make.
    fn ready(&self, body: usize, moves: &[Move], slot_map: &SlotMap) -> usize {
        let Walker { id, made, begun } = self.jam.walkers[body];
        let Some(member) = slot_map.member(id) else { return 0 };
        let ahead = moves[begun..].iter().take((made + MOVES_AHEAD).saturating_sub(begun));
        ahead.take_while(|next| self.is_ready(member, next, slot_map)).count()
    }

    /// Whether all have gone who have to go before a move.
    fn is_ready(&self, member: &Member, next: &Move, slot_map: &SlotMap) -> bool {
        let graph = &self.jam.task.graph;
        let Some(step) = graph.step(next.from, next.to) else { return false };
        next.after.iter().all(|condition| {
            let before = &self.jam.walkers[usize::from(condition.body)];
            let moves = condition.moves as usize;
            if before.made > moves {
                return true;
            }
            if before.begun < moves || before.made + 1 < moves {
                return false;
            }
            if before.made == moves && self.has_room(condition) {
                return true;
            }
            // It is where that move leads to, or on its way there.
            let before = slot_map.member(before.id).filter(|before| before.duty.is_rearranged());
            before.is_none_or(|before| {
                let now = (member.position() - before.position()).norm();
                let apart = CLEAR * (member.radius + before.radius);
                let trail = graph.trail(step);
                let way = Way { from: trail[0].point, points: &trail[1..] };
                way.is_clear_of(self.way_left(before, condition), apart, now)
            })
        })
    }

    /// Where a member goes until it has made the moves of a condition.
    fn way_left<'a>(&self, member: &'a Member, condition: &Condition) -> Way<'a> {
        let end = self.last_place(condition);
        let end = end.map(|place| &self.jam.task.graph.points[usize::from(place)]);
        let errand = member.duty.errand().zip(end);
        let points = errand.map_or(&[][..], |(errand, end)| errand.until(end));
        Way { from: member.position(), points }
    }

    /// Whether the last move of a condition leads where there is room for all.
    fn has_room(&self, condition: &Condition) -> bool {
        self.last_place(condition).is_some_and(|place| self.jam.task.graph.is_roomy(place))
    }

    /// Where the last move of a condition leads; `None` if it is met without any.
    fn last_place(&self, condition: &Condition) -> Option<PlaceId> {
        let Stage::Walks(plan) = &self.stage else { return None };
        let moves = &plan.moves[usize::from(condition.body)];
        let last = (condition.moves as usize).checked_sub(1).and_then(|at| moves.get(at));
        last.map(|last| last.to)
    }

    /// Lets everyone go its own way again. Whom no plan has led elsewhere is as held up as before.
    pub(crate) fn end(&self, slot_map: &mut SlotMap) {
        for walker in &self.jam.walkers {
            match self.stage {
                Stage::Spreads(_) | Stage::Plans(_) => {
                    release(walker.id, slot_map, PathFollowing::postpone_jam)
                }
                Stage::Walks(_) => release(walker.id, slot_map, PathFollowing::resume),
            }
        }
    }

    /// Goes on to another grid; `None` if some ground is gone.
    pub(crate) fn on_next(self, next: &NextGrid) -> Option<Self> {
        let ground = self.ground.on_next(next)?;
        let jam = self.jam.on_next(next)?;
        Some(Rearrangement { ground, jam, ..self })
    }
}

/// Those who walk on the ground, and by no plan.
fn free_members(slot_map: &SlotMap) -> Vec<&Member> {
    slot_map.iter().filter(|member| member.duty.is_none() && !member.is_on_link()).collect()
}

/// The ground of the largest agent that has members near a jammed one, and can stand where that stands.
fn ground_of_all<'a>(
    jammed: &Member,
    views: &'a AgentViews<'a>,
    slot_map: &SlotMap,
) -> Option<&'a ViewRef<'a>> {
    let near = slot_map
        .iter()
        .filter(|member| (member.position() - jammed.position()).norm() < SIZE_RADIUS)
        .filter_map(|member| views.get(member.agent))
        .filter(|view| view.is_walkable(jammed.at.span));
    near.max_by(|one, other| {
        let by_id = other.agent_id().cmp(&one.agent_id());
        one.agent().radius.total_cmp(&other.agent().radius).then(by_id)
    })
}

/// Makes everyone else wait who was about to go into a passage on some ground.
fn stop_others(slot_map: &mut SlotMap, ground: &LocalGround) {
    for member in slot_map.iter_mut() {
        let is_other = member.turn.passes() && !member.duty.is_rearranged();
        if is_other && ground.number(member.at.span).is_some() {
            member.turn = Turn::Waits { time: 0.0, stance: Stance::Stands };
        }
    }
}

/// Takes a member out of the plan; how it goes on is up to what it follows.
fn release(id: MemberId, slot_map: &mut SlotMap, go_on: fn(&mut PathFollowing)) {
    let member = slot_map.member_mut(id).filter(|member| member.duty.is_rearranged());
    if let Some(member) = member {
        member.duty = Duty::default();
        go_on(&mut member.following);
    }
}
