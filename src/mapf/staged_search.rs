//! Provides [`StagedSearch`]: brings bodies to their goals a few at a time, so that nobody who has come home is
//! in the way of the others.
//!
//! In a maze of passages goals lie in each other's way, and a search for all at once goes astray. But if the
//! goals at the ends of passages are taken first, the others never have to get past those who are there. So
//! in each stage some goals are chosen that do not cut off the other goals from each other; their bodies go
//! there, the rest get out of their way, and out of what they will cut off. Then those places are closed.
//!
//! Compare: Kornhauser, Miller and Spirakis, "Coordinating pebble motion on graphs", 1984, which goes by the
//! leaves of trees; Wang and Botea, "MAPP: a scalable multi-agent path planning algorithm", 2011.

use crate::mapf::configuration_search::{ConfigurationSearch, MOST_MOVES, Progress};
use crate::mapf::goal_choice::{Choice, GoalChoice, parts};
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
    /// So many goals are chosen for the next stage at most.
    most_chosen: usize,
    /// One that has not come home by itself.
    blocked: Option<Blocked>,
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

/// Others are in the way of a body to its goal.
#[derive(Clone, Copy, Debug)]
struct Blocked {
    body: BodyId,
    /// What is tried next.
    attempt: Attempt,
    /// So often all was tried before.
    rounds: u32,
}

/// How a body is brought home that others are in the way of. One after another is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempt {
    /// The others go out of its way to where there is room for them, while it goes to its goal: it lets those
    /// by that come out of a blind end.
    GoesMeanwhile,
    /// The others do, and it goes wherever they have to have it.
    Yields,
    /// After that it goes to its goal; the others, wherever it has to have them.
    Goes,
}

/// Some bodies go to their goals.
#[derive(Debug)]
struct Stage {
    /// Those that go home.
    chosen: Vec<BodyId>,
    /// With those bodies that are not home.
    task: Task,
    bodies: Vec<BodyId>,
    search: ConfigurationSearch,
}

/// Goals are chosen only if there are no more than so many, times places: each choice looks at all places for
/// each goal.
const MOST_WORK: usize = 20_000;
/// Attempts for each stage.
const MOST_ATTEMPTS: u32 = 4;
/// So many go home in one stage at most.
const MOST_CHOSEN: usize = 8;
/// All is tried so often for one that others are in the way of.
const MOST_ROUNDS: u32 = 2;
/// It is over after so many moves: to make them shorter would take too long.
const MOST_STAGED_MOVES: usize = 3 * MOST_MOVES;

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
            most_chosen: MOST_CHOSEN,
            blocked: None,
            stage: None,
        }
    }

    /// Goes on for so many steps. Returns the moves once nobody else can be brought home.
    pub(crate) fn go_on(&mut self, task: &Task, steps: usize) -> Option<Vec<PlannedMove>> {
        let stage = self.stage.take().or_else(|| self.next_stage(task));
        let Some(mut stage) = stage.filter(|_| self.moves.len() <= MOST_STAGED_MOVES) else {
            return Some(std::mem::take(&mut self.moves));
        };
        match stage.search.go_on(&stage.task, steps) {
            Progress::GoesOn => self.stage = Some(stage),
            Progress::Found(moves) => self.finish(task, &stage, &moves),
            Progress::Failed => self.give_up(&stage),
        }
        None
    }

    /// Makes the moves of a stage, if they bring somebody home, or others out of its way.
    fn finish(&mut self, task: &Task, stage: &Stage, moves: &[PlannedMove]) {
        let ends = stage.task.after(moves);
        let is_home = |own: &usize| {
            stage.chosen.contains(&stage.bodies[*own])
                && stage.task.distance(*own as BodyId, ends[*own]) == 0
        };
        let home: Vec<usize> = (0..ends.len()).filter(is_home).collect();
        if home.is_empty() && !stage.chosen.is_empty() {
            return self.give_up(stage);
        }
        let own = |own: BodyId| stage.bodies[usize::from(own)];
        let moves = moves.iter().map(|next| PlannedMove { body: own(next.body), to: next.to });
        self.moves.extend(moves);
        for (&own, &end) in stage.bodies.iter().zip(&ends) {
            self.at[usize::from(own)] = end;
        }
        for &own in &home {
            self.close(task, stage.bodies[own]);
        }
        if home.is_empty() {
            let now_goes = |blocked: Blocked| Blocked { attempt: Attempt::Goes, ..blocked };
            self.blocked = self.blocked.map(now_goes);
        } else {
            self.blocked = None;
        }
    }

    /// Closes the place of a body that has come home, unless that cuts off others that are not where the stage
    /// wanted them.
    fn close(&mut self, task: &Task, body: BodyId) {
        let mut graph = self.graph.clone();
        graph.close(self.at[usize::from(body)]);
        self.lots[usize::from(body)] = Lot::IsHome;
        let goals = self.goals(task);
        let choice = GoalChoice { task, graph: &graph, at: &self.at, goals: &goals };
        if choice.cuts_off() {
            self.lots[usize::from(body)] = Lot::Failed;
        } else {
            self.graph = graph;
            self.has_gained = true;
        }
    }

    /// Fewer are chosen the next time. For one that was chosen alone more is tried, until it is left.
    fn give_up(&mut self, stage: &Stage) {
        let blocked = match (self.blocked, stage.chosen.as_slice()) {
            (None, &[body]) => Blocked { body, attempt: Attempt::GoesMeanwhile, rounds: 0 },
            (None, chosen) => {
                self.most_chosen = chosen.len() / 2;
                return;
            }
            (Some(blocked), _) => match blocked.attempt {
                Attempt::GoesMeanwhile => Blocked { attempt: Attempt::Yields, ..blocked },
                Attempt::Goes if blocked.rounds + 1 < MOST_ROUNDS => Blocked {
                    attempt: Attempt::GoesMeanwhile,
                    rounds: blocked.rounds + 1,
                    ..blocked
                },
                _ => return self.leave(blocked.body),
            },
        };
        self.blocked = Some(blocked);
    }

    /// A body tries again only once another has come home.
    fn leave(&mut self, body: BodyId) {
        self.lots[usize::from(body)] = Lot::Failed;
        self.most_chosen = MOST_CHOSEN;
        self.blocked = None;
    }

    /// The next goals that cut off no others; `None` if nobody else can be brought home.
    fn next_stage(&mut self, task: &Task) -> Option<Stage> {
        if let Some(Blocked { body, attempt, .. }) = self.blocked {
            let stage = self.stage_for_blocked(task, body, attempt);
            if stage.is_some() {
                return stage;
            }
            self.leave(body);
        }
        let choice = self.choice(task).or_else(|| {
            if !std::mem::take(&mut self.has_gained) {
                return None;
            }
            for lot in self.lots.iter_mut().filter(|lot| **lot == Lot::Failed) {
                *lot = Lot::Waits;
            }
            self.choice(task)
        });
        let Choice { bodies, open } = choice?;
        Some(self.stage(task, bodies, &open))
    }

    /// The nearest goals that cut off no others, of those that wait.
    fn choice(&self, task: &Task) -> Option<Choice> {
        let waits = |&body: &BodyId| self.lots[usize::from(body)] == Lot::Waits;
        let bodies: Vec<BodyId> = (0..self.lots.len() as BodyId).filter(waits).collect();
        let goals = self.goals(task);
        let choice = GoalChoice { task, graph: &self.graph, at: &self.at, goals: &goals };
        choice.nearest(&bodies, self.most_chosen)
    }

    /// For each body, where it is still to come.
    fn goals(&self, task: &Task) -> Vec<Option<PlaceId>> {
        let bodies = task.bodies.iter().zip(&self.lots);
        let goals = bodies.map(|(body, lot)| match (&body.target, lot) {
            (&Target::Place(goal), Lot::Waits | Lot::Failed) => Some(goal),
            _ => None,
        });
        goals.collect()
    }

    /// Those that are not home.
    fn left(&self) -> Vec<BodyId> {
        let all = 0..self.lots.len() as BodyId;
        all.filter(|&body| self.lots[usize::from(body)] != Lot::IsHome).collect()
    }

    /// Some go to their goals, and all others where those leave open ground.
    fn stage(&self, task: &Task, chosen: Vec<BodyId>, open: &[PlaceId]) -> Stage {
        let target = |body: BodyId| match chosen.contains(&body) {
            true => task.bodies[usize::from(body)].target.clone(),
            false => Target::OneOf(open.to_vec()),
        };
        self.stage_with(target, chosen.clone())
    }

    /// A stage with some targets, in which some go home.
    fn stage_with(&self, target: impl Fn(BodyId) -> Target, chosen: Vec<BodyId>) -> Stage {
        let bodies = self.left();
        let start = |body: BodyId| self.at[usize::from(body)];
        let tasks = bodies.iter().map(|&body| Body { start: start(body), target: target(body) });
        let task = Task::new(self.graph.clone(), tasks.collect());
        let search = ConfigurationSearch::new(&task, MOST_ATTEMPTS);
        Stage { chosen, task, bodies, search }
    }

    /// The stage of one that others are in the way of; `None` if they have no room.
    fn stage_for_blocked(&self, task: &Task, body: BodyId, attempt: Attempt) -> Option<Stage> {
        let goals = self.goals(task);
        let choice = GoalChoice { task, graph: &self.graph, at: &self.at, goals: &goals };
        let open = choice.open_without(body)?;
        if attempt == Attempt::Goes {
            return Some(self.stage(task, vec![body], &open));
        }
        let Clearing { way, aside, room } =
            self.clearing(body, goals[usize::from(body)]?, &open)?;
        let is_on_way = |other: BodyId| way[usize::from(self.at[usize::from(other)])];
        let yields = attempt == Attempt::Yields;
        let target = |other: BodyId| match other == body {
            true if yields => Target::Anywhere,
            true => task.bodies[usize::from(body)].target.clone(),
            false if is_on_way(other) => Target::OneOf(room.clone()),
            false => Target::OneOf(aside.clone()),
        };
        let chosen = if yields { Vec::new() } else { vec![body] };
        Some(self.stage_with(target, chosen))
    }

    /// Where others can get out of the way of a body to its goal; `None` if nobody is in its way, or there is
    /// no room.
    fn clearing(&self, body: BodyId, goal: PlaceId, open: &[PlaceId]) -> Option<Clearing> {
        let way = self.way(self.at[usize::from(body)], goal)?;
        let is_on_way = |place: &PlaceId| way[usize::from(*place)];
        let left = self.left();
        let standing: Vec<PlaceId> = left.iter().map(|&body| self.at[usize::from(body)]).collect();
        let moved = standing.iter().filter(|place| is_on_way(place)).count() - 1;
        let (mut aside, mut room) = (Vec::new(), Vec::new());
        for mut part in parts(&self.graph, |place| is_on_way(&place)) {
            part.retain(|place| open.binary_search(place).is_ok());
            let taken = standing.iter().filter(|place| part.binary_search(place).is_ok()).count();
            if part.len() >= taken + moved {
                room.extend_from_slice(&part);
            }
            aside.extend(part);
        }
        aside.sort_unstable();
        room.sort_unstable();
        (moved > 0 && !room.is_empty()).then_some(Clearing { way, aside, room })
    }

    /// For each place, whether somebody there is in the way of one that goes from a place to a goal; `None` if
    /// there is no way.
    fn way(&self, from: PlaceId, goal: PlaceId) -> Option<Vec<bool>> {
        let distances = self.graph.distances(&[goal]);
        let far = |place: PlaceId| distances[usize::from(place)];
        let mut is_on_way = vec![false; self.graph.len()];
        is_on_way[usize::from(from)] = true;
        let mut at = from;
        while at != goal {
            let steps = self.graph.steps(at).iter().filter(|step| far(step.to) < far(at));
            let step = steps.min_by_key(|step| step.length.saturating_add(far(step.to)))?;
            for &place in self.graph.in_the_way(step) {
                is_on_way[usize::from(place)] = true;
            }
            at = step.to;
        }
        Some(is_on_way)
    }
}

/// The way of a body to its goal, and where others are out of it.
struct Clearing {
    /// For each place, whether somebody there is in the way.
    way: Vec<bool>,
    /// All places from which nobody is.
    aside: Vec<PlaceId>,
    /// Those of them that have room for all who are in the way.
    room: Vec<PlaceId>,
}
