//! The queue of members that need a way, and who finds it.
//!
//! Members are answered in the order they asked, those who asked in the same step by goal, so that
//! all who want to go to one place are answered together: by one cost field, once there are enough
//! of them. A step looks at no more spans than its budget; a search that does not end within it
//! goes on in the next step.
//!
//! Finding ways only looks at members, so it can go on while others do so too; the answers are
//! handed out afterwards.

use std::collections::VecDeque;
use std::sync::Arc;

use nalgebra::Point3;

use crate::cost::{CostModel, Metric, SlopeLimit};
use crate::crowd::member::{Member, MemberId};
use crate::crowd::slot_map::SlotMap;
use crate::grid::{AgentId, NavGrid};
use crate::navigator::{FieldCache, Router};
use crate::path::{Answer, Path, PathSearch, Progress, Segments, Waypoint};
use crate::search::{GoalMode, Outcome, Query};
use crate::view::{Overlay, ViewRef};

/// Who asked for a way and has none yet, and what finds ways.
#[derive(Debug)]
pub(crate) struct Requests<M> {
    queue: VecDeque<MemberId>,
    /// Whose search is under way, and where to.
    current: Option<(MemberId, Point3<f32>)>,
    /// Where those at the head of the queue want to go, and how many they are.
    group: Option<(GoalKey, usize)>,
    /// What finds ways, for each agent.
    finders: Vec<Finder<M>>,
    answers: Answers,
}

/// What was found and is not handed out yet.
#[derive(Debug, Default)]
struct Answers {
    /// Who asked, how the search ended, and where its waypoints end in the list of all; no outcome
    /// for who does not want to go anywhere any more.
    list: Vec<(MemberId, Option<Outcome>, usize)>,
    waypoints: Vec<Waypoint>,
}

/// What finds ways for one agent.
#[derive(Debug)]
struct Finder<M> {
    search: PathSearch,
    fields: FieldCache,
    router: Option<Router<M>>,
}

/// What is there for everyone.
pub(crate) struct Ground<'a, M> {
    pub grid: &'a Arc<NavGrid>,
    pub overlay: &'a Overlay,
    pub model: &'a M,
}

/// So many fields are kept for each agent.
const MOST_FIELDS: usize = 4;
/// What an answer costs beside its search: as much as looking at so many spans.
const LEAST: u32 = 100;
/// What straightening costs for each span of a corridor: as much as looking at so many.
const STRAIGHTENING: u32 = 4;

impl<M: CostModel + Clone + Send + Sync + 'static> Requests<M> {
    pub(crate) fn new(agents: usize) -> Self {
        let finder = || Finder {
            search: PathSearch::default(),
            fields: FieldCache::new(MOST_FIELDS),
            router: None,
        };
        let finders = std::iter::repeat_with(finder).take(agents).collect();
        let queue = VecDeque::new();
        Requests { queue, current: None, group: None, finders, answers: Answers::default() }
    }

    /// Prepares routes for an agent; false for one that the grid does not have.
    pub(crate) fn prepare(&mut self, ground: &Ground<M>, agent: AgentId) -> bool {
        let Some(finder) = self.finders.get_mut(agent.index()) else { return false };
        finder.router = Router::new(ground.grid.clone(), agent, ground.model.clone());
        finder.router.is_some()
    }

    /// How many wait for a way.
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

    /// Finds answers until so many spans have been looked at.
    pub(crate) fn find_ways(&mut self, ground: &Ground<M>, slot_map: &SlotMap, budget: u32) {
        for router in self.finders.iter_mut().filter_map(|finder| finder.router.as_mut()) {
            router.update(ground.overlay);
        }
        let mut left = budget;
        while left > 0 {
            let under_way = self.current.take();
            let next = under_way.map(|(id, _)| id).or_else(|| self.queue.pop_front());
            let Some(id) = next else { return };
            let together = self.together(slot_map, id);
            let Some(member) = slot_map.member(id) else { continue };
            let Some(goal) = member.following.goal() else {
                self.answers.add(id, None);
                continue;
            };
            let goes_on = under_way.is_some_and(|(_, old)| old == goal);
            let (done, spent) = self.find(ground, member, (goes_on, together, left));
            left = left.saturating_sub(spent);
            if !done {
                self.current = Some((id, goal));
            }
        }
    }

    /// Hands out what was found.
    pub(crate) fn hand_out(&mut self, ground: &Ground<M>, slot_map: &mut SlotMap) {
        let Answers { list, waypoints } = &mut self.answers;
        let mut begin = 0;
        for (id, outcome, end) in list.drain(..) {
            let way = &waypoints[begin..end];
            begin = end;
            let Some(member) = slot_map.member_mut(id) else { continue };
            member.is_queued = false;
            let view = ViewRef::changed(ground.grid, member.agent, ground.overlay);
            if let Some((view, outcome)) = view.zip(outcome) {
                let limit = SlopeLimit::of(&view, member.settings.slope_limit);
                let metric = Metric::new(&view, ground.model, limit, 0);
                member.following.answer(&Segments { metric: &metric, sight: None }, (outcome, way));
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

    /// Finds a way for a member, or goes on to. Returns whether that is done, and how many spans were
    /// looked at.
    fn find(
        &mut self,
        ground: &Ground<M>,
        member: &Member,
        (goes_on, together, budget): (bool, usize, u32),
    ) -> (bool, u32) {
        let Some(view) = ViewRef::changed(ground.grid, member.agent, ground.overlay) else {
            return (true, 0);
        };
        let finder = &mut self.finders[member.agent.index()];
        let before = if goes_on { finder.search.expanded() } else { 0 };
        let query = query(member);
        let (progress, filled) = if goes_on {
            (Progress::Running, 0)
        } else {
            finder.begin((&view, ground.model), &query, together)
        };
        if progress == Progress::Running {
            if let Some(router) = &mut finder.router {
                let answer = router.path(&view, &query);
                let spent = LEAST + answer.expanded;
                self.answers.add(member.id, Some(answer));
                return (true, spent);
            }
            let progress = finder.search.advance(&view, ground.model, budget);
            if progress == Progress::Running {
                return (false, finder.search.expanded().saturating_sub(before).max(1));
            }
        }
        let laid = STRAIGHTENING * finder.search.corridor().spans().len() as u32;
        let answer = finder.search.straighten(&view, ground.model, None);
        self.answers.add(member.id, Some(answer));
        (true, LEAST + laid + filled + answer.expanded.saturating_sub(before))
    }
}

impl Answers {
    fn add(&mut self, id: MemberId, answer: Option<&Answer>) {
        let way = answer.and_then(Answer::path).map_or(&[][..], Path::waypoints);
        self.waypoints.extend_from_slice(way);
        self.list.push((id, answer.map(|answer| answer.outcome), self.waypoints.len()));
    }
}

impl<M: CostModel> Finder<M> {
    /// Begins a search, and ends it at once where the straight line or a shared field is the
    /// answer. Returns how many spans were looked at for that.
    fn begin(
        &mut self,
        (view, model): (&ViewRef, &M),
        query: &Query,
        together: usize,
    ) -> (Progress, u32) {
        let search = &mut self.search;
        if search.begin(view, model, query) == Progress::Done
            || search.go_straight(view, model, None)
        {
            return (Progress::Done, 0);
        }
        self.fields.finish_with(search, (view, model), (query, together))
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
