//! Provides [`PathRequests`]: the queue of members that need a path.
//!
//! Members are answered in the order of their requests. Requests of the same step are ordered by goal, so
//! that all members with one goal are answered together: by one cost field, once there are enough of
//! them. A step expands no more spans than its budget; a search that does not end within it continues in
//! the next step.
//!
//! Finding paths only reads the members, so it can run while others read them too; the answers are handed
//! out afterwards.

use std::collections::VecDeque;

use nalgebra::Point3;

use super::member::{Member, MemberId};
use super::slot_map::SlotMap;
use crate::cost::{Metric, SlopeLimit};
use crate::grid::AgentId;
use crate::navigator::Navigator;
use crate::path::{Answer, Path, Progress, Segments, Waypoint};
use crate::search::{GoalMode, Outcome, Query};

/// The members that need a path and have none yet.
#[derive(Debug, Default)]
pub(crate) struct PathRequests {
    queue: VecDeque<MemberId>,
    running: Option<RunningSearch>,
    /// The goal of the members at the head of the queue.
    group: Option<GoalGroup>,
    found: FoundPaths,
}

/// A search that continues over several steps.
#[derive(Clone, Copy, Debug)]
struct RunningSearch {
    id: MemberId,
    goal: Point3<f32>,
}

/// Members with one goal, next to each other in the queue.
#[derive(Clone, Copy, Debug)]
struct GoalGroup {
    goal: GoalKey,
    members: usize,
}

/// The request of a member, as far as it can be answered in this step.
#[derive(Clone, Copy)]
struct PathRequest {
    /// Its search is already running.
    is_running: bool,
    /// The number of members with the same goal, including this one.
    together: usize,
    /// The most spans to expand.
    budget: u32,
}

/// The work on a request in one step.
struct RequestWork {
    is_done: bool,
    /// How much of the budget it took [spans].
    spent: u32,
}

/// The paths that are found but not handed out yet.
#[derive(Debug, Default)]
struct FoundPaths {
    list: Vec<FoundPath>,
    /// The waypoints of all paths, one after the other.
    waypoints: Vec<Waypoint>,
}

/// The answer to one member.
#[derive(Clone, Copy, Debug)]
struct FoundPath {
    id: MemberId,
    /// How the search ended; `None` if the member has no goal any more.
    outcome: Option<Outcome>,
    /// Where its waypoints end in the list of all.
    waypoints_end: usize,
}

/// What an answer takes besides its search, in spans of the budget.
const REQUEST_SPANS: u32 = 100;
/// What string pulling takes for each span of a corridor, in spans of the budget.
const STRING_PULLING_SPANS: u32 = 4;

impl PathRequests {
    /// Returns the number of members that wait for a path.
    pub(crate) fn len(&self) -> usize {
        self.queue.len() + usize::from(self.running.is_some())
    }

    /// Goes on to another grid: all stay in the queue, and the search that is running begins again.
    pub(crate) fn begin_again(&mut self) {
        if let Some(search) = self.running.take() {
            self.queue.push_front(search.id);
            self.group = None;
        }
    }

    /// Queues the members that have come to need a path since the last step.
    pub(crate) fn queue(&mut self, slot_map: &mut SlotMap) {
        let before = self.queue.len();
        for member in slot_map.iter_mut() {
            if std::mem::take(&mut member.desired.needs_path) && !member.is_queued {
                member.is_queued = true;
                self.queue.push_back(member.id);
            }
        }
        if self.queue.len() > before {
            let new = &mut self.queue.make_contiguous()[before..];
            new.sort_unstable_by_key(|&id| (slot_map.member(id).map(GoalKey::of), id));
        }
    }

    /// Finds paths until the budget [spans] is used up. `navigators` holds one for each agent.
    pub(crate) fn find_paths(
        &mut self,
        navigators: &mut [Navigator],
        slot_map: &SlotMap,
        budget: u32,
    ) {
        navigators.iter_mut().for_each(Navigator::count_step);
        let mut left = budget;
        while left > 0 {
            let running = self.running.take();
            let next = running.map(|search| search.id).or_else(|| self.queue.pop_front());
            let Some(id) = next else { return };
            let together = self.together(slot_map, id);
            let Some(member) = slot_map.member(id) else { continue };
            let Some(goal) = member.following.goal() else {
                self.found.add(id, None);
                continue;
            };
            let is_running = running.is_some_and(|search| search.goal == goal);
            let request = PathRequest { is_running, together, budget: left };
            let work = self.find(&mut navigators[member.agent.index()], member, request);
            left = left.saturating_sub(work.spent);
            if !work.is_done {
                self.running = Some(RunningSearch { id, goal });
            }
        }
    }

    /// Hands out the paths that were found.
    pub(crate) fn hand_out(&mut self, navigators: &[Navigator], slot_map: &mut SlotMap) {
        let FoundPaths { list, waypoints } = &mut self.found;
        let mut begin = 0;
        for FoundPath { id, outcome, waypoints_end } in list.drain(..) {
            let path = &waypoints[begin..waypoints_end];
            begin = waypoints_end;
            let Some(member) = slot_map.member_mut(id) else { continue };
            member.is_queued = false;
            if let Some(outcome) = outcome {
                let nav = &navigators[member.agent.index()];
                let view = nav.view().parts();
                let limit = SlopeLimit::of(&view, member.settings.slope_limit);
                let metric = Metric::new(&view, nav.shared_model(), limit, 0);
                let segments = Segments { metric: &metric, sight: None };
                member.following.take_answer(&segments, outcome, path);
            }
        }
        waypoints.clear();
    }

    /// Returns how many members at the head of the queue have the goal of a member, including it.
    fn together(&mut self, slot_map: &SlotMap, id: MemberId) -> usize {
        let Some(goal) = slot_map.member(id).map(GoalKey::of) else { return 0 };
        let members = match self.group {
            // The last one was of the same group: the group is not counted again.
            Some(old) if old.goal == goal && old.members > 1 => old.members - 1,
            _ => {
                let same =
                    |other: &&MemberId| slot_map.member(**other).map(GoalKey::of) == Some(goal);
                1 + self.queue.iter().take_while(same).count()
            }
        };
        self.group = Some(GoalGroup { goal, members });
        members
    }

    /// Finds a path for a member, or continues to.
    fn find(&mut self, nav: &mut Navigator, member: &Member, request: PathRequest) -> RequestWork {
        let before = if request.is_running { nav.answer().expanded } else { 0 };
        let (mut progress, mut filled) = (Progress::Running, 0);
        if !request.is_running {
            let begun = nav.begin_by(&query(member), Some(request.together), None);
            (progress, filled) = (begun.progress, begun.looked_at);
        }
        if progress == Progress::Running && nav.advance(request.budget) == Progress::Running {
            let spent = nav.answer().expanded.saturating_sub(before).max(1);
            return RequestWork { is_done: false, spent };
        }
        let straightened = STRING_PULLING_SPANS * nav.corridor_cells();
        let answer = nav.finish();
        self.found.add(member.id, Some(answer));
        let expanded = answer.expanded.saturating_sub(before);
        RequestWork { is_done: true, spent: REQUEST_SPANS + straightened + filled + expanded }
    }
}

impl FoundPaths {
    fn add(&mut self, id: MemberId, answer: Option<&Answer>) {
        let path = answer.and_then(|answer| answer.path().ok());
        self.waypoints.extend_from_slice(path.map_or(&[][..], Path::waypoints));
        let outcome = answer.map(|answer| answer.outcome);
        self.list.push(FoundPath { id, outcome, waypoints_end: self.waypoints.len() });
    }
}

/// Returns the query of a member.
fn query(member: &Member) -> Query {
    let goal = member.following.goal().unwrap_or(member.position);
    let (slope_limit, links) = (member.settings.slope_limit, member.settings.links);
    let mode = GoalMode::NearestByRing;
    Query { goal: mode, slope_limit, links, ..Query::new(member.at.point, goal) }
}

/// Orders requests by agent and goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GoalKey {
    agent: AgentId,
    /// The bits of x, y and z.
    goal: [u32; 3],
}

impl GoalKey {
    fn of(member: &Member) -> Self {
        let goal = member.following.goal().unwrap_or_default();
        let goal = [goal.x, goal.y, goal.z].map(f32::to_bits);
        GoalKey { agent: member.agent, goal }
    }
}
