//! The queue of members that need a path, and who finds it.
//!
//! Members are answered in the order they asked, those who asked in the same step by goal, so that
//! all who want to go to one place are answered together: by one cost field, once there are enough
//! of them. A step looks at no more spans than its budget; a search that does not end within it
//! goes on in the next step.
//!
//! Finding paths only looks at members, so it can go on while others do so too; the answers are
//! handed out afterwards.

use std::collections::VecDeque;

use nalgebra::Point3;

use super::member::{Member, MemberId};
use super::slot_map::SlotMap;
use crate::cost::{Metric, SlopeLimit};
use crate::grid::AgentId;
use crate::navigator::{Navigator, NavigatorModel};
use crate::path::{Answer, Path, Progress, Segments, Waypoint};
use crate::search::{GoalMode, Outcome, Query};

/// Who asked for a path and has none yet.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    queue: VecDeque<MemberId>,
    /// Whose search is under way, and where to.
    current: Option<UnderWay>,
    /// Where those at the head of the queue want to go, and how many they are.
    group: Option<(GoalKey, usize)>,
    answers: Answers,
}

/// A search that goes on over several steps.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    id: MemberId,
    goal: Point3<f32>,
}

/// How a member's request is answered.
#[derive(Clone, Copy)]
struct Request {
    /// Its search is under way.
    goes_on: bool,
    /// How many members want to go to the same goal, it included.
    together: usize,
    /// The most spans to look at.
    budget: u32,
}

/// What answering a request led to.
struct Handled {
    is_done: bool,
    /// How many spans were looked at.
    looked_at: u32,
}

/// What was found and is not handed out yet.
#[derive(Debug, Default)]
struct Answers {
    /// Who asked, how the search ended, and where its waypoints end in the list of all; no outcome
    /// for who does not want to go anywhere any more.
    list: Vec<(MemberId, Option<Outcome>, usize)>,
    waypoints: Vec<Waypoint>,
}

/// What an answer costs beside its search: as much as looking at so many spans.
const LEAST: u32 = 100;
/// What straightening costs for each span of a corridor: as much as looking at so many.
const STRAIGHTENING: u32 = 4;

impl Requests {
    /// How many wait for a path.
    pub(crate) fn len(&self) -> usize {
        self.queue.len() + usize::from(self.current.is_some())
    }

    /// Queues those who ask since the last step.
    pub(crate) fn queue(&mut self, slot_map: &mut SlotMap) {
        let before = self.queue.len();
        for member in slot_map.iter_mut() {
            if std::mem::take(&mut member.desired.asks) && !member.is_queued {
                member.is_queued = true;
                self.queue.push_back(member.id);
            }
        }
        if self.queue.len() > before {
            let new = &mut self.queue.make_contiguous()[before..];
            new.sort_unstable_by_key(|&id| (slot_map.member(id).map(goal_key), id));
        }
    }

    /// Finds answers until so many spans have been looked at. `navigators` holds one for each agent.
    pub(crate) fn find_paths<M: NavigatorModel>(
        &mut self,
        navigators: &mut [Navigator<M>],
        slot_map: &SlotMap,
        budget: u32,
    ) {
        navigators.iter_mut().for_each(Navigator::count_step);
        let mut left = budget;
        while left > 0 {
            let under_way = self.current.take();
            let next = under_way.map(|old| old.id).or_else(|| self.queue.pop_front());
            let Some(id) = next else { return };
            let together = self.together(slot_map, id);
            let Some(member) = slot_map.member(id) else { continue };
            let Some(goal) = member.following.goal() else {
                self.answers.add(id, None);
                continue;
            };
            let goes_on = under_way.is_some_and(|old| old.goal == goal);
            let request = Request { goes_on, together, budget: left };
            let handled = self.find(&mut navigators[member.agent.index()], member, request);
            left = left.saturating_sub(handled.looked_at);
            if !handled.is_done {
                self.current = Some(UnderWay { id, goal });
            }
        }
    }

    /// Hands out what was found.
    pub(crate) fn hand_out<M: NavigatorModel>(
        &mut self,
        navigators: &[Navigator<M>],
        slot_map: &mut SlotMap,
    ) {
        let Answers { list, waypoints } = &mut self.answers;
        let mut begin = 0;
        for (id, outcome, end) in list.drain(..) {
            let path = &waypoints[begin..end];
            begin = end;
            let Some(member) = slot_map.member_mut(id) else { continue };
            member.is_queued = false;
            if let Some(outcome) = outcome {
                let nav = &navigators[member.agent.index()];
                let view = nav.view().parts();
                let limit = SlopeLimit::of(&view, member.settings.slope_limit);
                let metric = Metric::new(&view, nav.model(), limit, 0);
                let segments = Segments { metric: &metric, sight: None };
                member.following.answer(&segments, (outcome, path));
            }
        }
        waypoints.clear();
    }

    /// How many at the head of the queue want to go where a member does, it included.
    fn together(&mut self, slot_map: &SlotMap, id: MemberId) -> usize {
        let Some(key) = slot_map.member(id).map(goal_key) else { return 0 };
        let count = match self.group {
            Some((old, count)) if old == key && count > 1 => count - 1,
            _ => {
                let same = |other: &&MemberId| slot_map.member(**other).map(goal_key) == Some(key);
                1 + self.queue.iter().take_while(same).count()
            }
        };
        self.group = Some((key, count));
        count
    }

    /// Finds a path for a member, or goes on to.
    fn find<M: NavigatorModel>(
        &mut self,
        nav: &mut Navigator<M>,
        member: &Member,
        request: Request,
    ) -> Handled {
        let before = if request.goes_on { nav.answer().expanded } else { 0 };
        let (mut progress, mut filled) = (Progress::Running, 0);
        if !request.goes_on {
            let begun = nav.begin_by(&query(member), Some(request.together), None);
            (progress, filled) = (begun.progress, begun.looked_at);
        }
        if progress == Progress::Running && nav.advance(request.budget) == Progress::Running {
            let looked_at = nav.answer().expanded.saturating_sub(before).max(1);
            return Handled { is_done: false, looked_at };
        }
        let straightened = STRAIGHTENING * nav.corridor().spans().len() as u32;
        let answer = nav.finish();
        self.answers.add(member.id, Some(answer));
        let expanded = answer.expanded.saturating_sub(before);
        Handled { is_done: true, looked_at: LEAST + straightened + filled + expanded }
    }
}

impl Answers {
    fn add(&mut self, id: MemberId, answer: Option<&Answer>) {
        let way = answer.and_then(|answer| answer.path().ok()).map_or(&[][..], Path::waypoints);
        self.waypoints.extend_from_slice(way);
        self.list.push((id, answer.map(|answer| answer.outcome), self.waypoints.len()));
    }
}

/// What a member asks for.
fn query(member: &Member) -> Query {
    let goal = member.following.goal().unwrap_or(member.position);
    let slope_limit = member.settings.slope_limit;
    Query { goal: GoalMode::NearestByRing, slope_limit, ..Query::new(member.at.point, goal) }
}

/// Who wants to go where.
type GoalKey = (AgentId, [u32; 3]);

/// Orders those who ask by where they want to go.
fn goal_key(member: &Member) -> GoalKey {
    let goal = member.following.goal().unwrap_or_default();
    (member.agent, [goal.x, goal.y, goal.z].map(f32::to_bits))
}
