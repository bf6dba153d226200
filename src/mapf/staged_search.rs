//! Provides [`StagedSearch`]: brings bodies to their goals one after another, so that nobody who has come
//! home is in the way of the others.
//!
//! In a maze of passages goals lie in each other's way, and a search for all at once goes astray. But if the
//! goals at the ends of passages are taken first, the others never have to get past those who are there. So
//! in each stage a goal is chosen that does not cut off the other goals from each other; one body goes there,
//! the rest get out of its way, and out of what it will cut off. Then its place is closed.
//!
//! Compare: Kornhauser, Miller and Spirakis, "Coordinating pebble motion on graphs", 1984, which goes by the
//! leaves of trees; Wang and Botea, "MAPP: a scalable multi-agent path planning algorithm", 2011.

use crate::mapf::configuration_search::{ConfigurationSearch, MOST_MOVES, Progress};
use crate::mapf::place_graph::{PlaceGraph, PlaceId};
use crate::mapf::task::{Body, BodyId, PlannedMove, Target, Task};

/// A search by stages.
#[derive(Debug)]
pub(crate) struct StagedSearch {
    /// What is open to those who are not home.
    graph: PlaceGraph,
    /// Where everyone is after all stages so far.
    at: Vec<PlaceId>,
    /// For each body.
    lots: Vec<Lot>,
    moves: Vec<PlannedMove>,
    /// Somebody has come home since those tried again who had failed.
    has_gained: bool,
    stage: Option<Stage>,
}

/// What becomes of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lot {
    /// It has a goal.
    Waits,
    /// It could not come to its goal. It tries again once another has.
    Failed,
    /// It goes wherever the others have to have it.
    Yields,
    IsHome,
}

/// A body goes to its goal.
#[derive(Debug)]
struct Stage {
    body: BodyId,
    /// With those bodies that are not home.
    task: Task,
    bodies: Vec<BodyId>,
    search: ConfigurationSearch,
}

/// A goal that may be the next.
struct Choice {
    body: BodyId,
    /// So many other goals would be cut off from the rest.
    cut_off: usize,
    /// The places that stay open to the others.
    open: Vec<PlaceId>,
}

/// Of goals that cut off nobody's, nearer ones are taken first; each place that is lost to the others counts
/// as much as this distance [mm].
const LOSS: usize = 700;
/// Goals are chosen only if there are no more than so many, times places: each choice looks at all places for
/// each goal.
const MOST_WORK: usize = 20_000;
/// Attempts for each stage.
const MOST_ATTEMPTS: u32 = 4;

impl StagedSearch {
    pub(crate) fn new(task: &Task) -> Self {
        let has_goal = |body: &Body| matches!(body.target, Target::Place(_));
        let goals = task.bodies.iter().filter(|body| has_goal(body)).count();
        let is_small = goals * task.graph.len() <= MOST_WORK;
        let lot = |body| if is_small && has_goal(body) { Lot::Waits } else { Lot::Yields };
        StagedSearch {
            graph: task.graph.clone(),
            at: task.bodies.iter().map(|body| body.start).collect(),
            lots: task.bodies.iter().map(lot).collect(),
            moves: Vec::new(),
            has_gained: false,
            stage: None,
        }
    }

    /// Goes on for so many steps. Returns the moves once nobody else can be brought home.
    pub(crate) fn go_on(&mut self, task: &Task, steps: usize) -> Option<Vec<PlannedMove>> {
        let stage = self.stage.take().or_else(|| self.next_stage(task));
        let Some(mut stage) = stage.filter(|_| self.moves.len() <= MOST_MOVES) else {
            return Some(std::mem::take(&mut self.moves));
        };
        match stage.search.go_on(&stage.task, steps) {
            Progress::GoesOn => self.stage = Some(stage),
            Progress::Found(moves) => self.finish(&stage, &moves),
            Progress::Failed => self.lots[usize::from(stage.body)] = Lot::Failed,
        }
        None
    }

    /// Makes the moves of a stage, if they bring its body home.
    fn finish(&mut self, stage: &Stage, moves: &[PlannedMove]) {
        let body = usize::from(stage.body);
        let ends = stage.task.after(moves);
        if stage.task.rank(&ends).away > 0 {
            self.lots[body] = Lot::Failed;
            return;
        }
        let own = |own: BodyId| stage.bodies[usize::from(own)];
        let moves = moves.iter().map(|next| PlannedMove { body: own(next.body), to: next.to });
        self.moves.extend(moves);
        for (&own, end) in stage.bodies.iter().zip(ends) {
            self.at[usize::from(own)] = end;
        }
        self.lots[body] = Lot::IsHome;
        self.has_gained = true;
        self.graph.close(self.at[body]);
    }

    /// The stage of the goal that cuts off the least; `None` if nobody else can be brought home.
    fn next_stage(&mut self, task: &Task) -> Option<Stage> {
        let choice = self.best_choice(task);
        if choice.as_ref().is_none_or(|choice| choice.cut_off > 0) && self.has_gained {
            self.has_gained = false;
            for lot in self.lots.iter_mut().filter(|lot| **lot == Lot::Failed) {
                *lot = Lot::Waits;
            }
            return self.best_choice(task).map(|choice| self.stage(task, choice));
        }
        choice.map(|choice| self.stage(task, choice))
    }

    /// The goal that cuts off the least, and of those the nearest.
    fn best_choice(&self, task: &Task) -> Option<Choice> {
        let waiting = (0..self.lots.len()).filter(|&body| self.lots[body] == Lot::Waits);
        let choices = waiting.map(|body| self.choice(task, body as BodyId));
        choices.min_by_key(|choice| {
            let far = task.distance(choice.body, self.at[usize::from(choice.body)]) as usize;
            let lost = self.graph.len() - choice.open.len();
            (choice.cut_off, far + LOSS * lost, choice.body)
        })
    }

    /// A stage for those who are not home.
    fn stage(&self, task: &Task, choice: Choice) -> Stage {
        let Choice { body: chosen, open, .. } = choice;
        let left = (0..self.lots.len() as BodyId)
            .filter(|&body| self.lots[usize::from(body)] != Lot::IsHome);
        let bodies: Vec<BodyId> = left.collect();
        let target = |body: BodyId| match body == chosen {
            true => task.bodies[usize::from(body)].target.clone(),
            false => Target::OneOf(open.clone()),
        };
        let start = |body: BodyId| self.at[usize::from(body)];
        let tasks = bodies.iter().map(|&body| Body { start: start(body), target: target(body) });
        let task = Task::new(self.graph.clone(), tasks.collect());
        let search = ConfigurationSearch::new(&task, MOST_ATTEMPTS);
        Stage { body: chosen, task, bodies, search }
    }

    /// What a body would leave open at its goal.
    fn choice(&self, task: &Task, body: BodyId) -> Choice {
        let goal = goal_of(task, body);
        let goals = (0..self.lots.len() as BodyId)
            .filter(|&other| {
                other != body && matches!(self.lots[usize::from(other)], Lot::Waits | Lot::Failed)
            })
            .filter_map(|other| goal_of(task, other));
        let goals: Vec<PlaceId> = goals.collect();
        let mut is_seen = vec![false; self.graph.len()];
        let mut best = Choice { body, cut_off: usize::MAX, open: Vec::new() };
        for first in 0..self.graph.len() as PlaceId {
            if is_seen[usize::from(first)] || Some(first) == goal {
                continue;
            }
            let open = self.component(first, goal, &mut is_seen);
            let is_open = |goal: &&PlaceId| open.binary_search(goal).is_ok();
            let cut_off = goals.len() - goals.iter().filter(is_open).count();
            let rank = |cut_off, open: &Vec<PlaceId>| (cut_off, usize::MAX - open.len());
            if rank(cut_off, &open) < rank(best.cut_off, &best.open) {
                (best.cut_off, best.open) = (cut_off, open);
            }
        }
        best
    }

    /// The places that bodies get to from one, and back, if one place is closed; in order.
    fn component(
        &self,
        first: PlaceId,
        closed: Option<PlaceId>,
        is_seen: &mut [bool],
    ) -> Vec<PlaceId> {
        is_seen[usize::from(first)] = true;
        let mut found = vec![first];
        let mut at = 0;
        while at < found.len() {
            for step in self.graph.steps(found[at]) {
                let is_open =
                    closed.is_none_or(|place| !self.graph.in_the_way(step).contains(&place));
                if is_open && !std::mem::replace(&mut is_seen[usize::from(step.to)], true) {
                    found.push(step.to);
                }
            }
            at += 1;
        }
        found.sort_unstable();
        found
    }
}

/// The place where a body has to be.
fn goal_of(task: &Task, body: BodyId) -> Option<PlaceId> {
    match task.bodies[usize::from(body)].target {
        Target::Place(place) => Some(place),
        _ => None,
    }
}
