//! Provides [`ExchangeSearch`]: brings bodies home one at a time, where there is hardly room to move.
//!
//! First every goal gets somebody on it, whoever it is: bodies move up along a way, and nobody has to pass
//! anybody. Then each that is not home changes places with the one that stands on its goal. The two go to
//! where they can get past each other, and all others out of their way; they change places; then all moves
//! before are made back, by each of the two those of the other. So everyone else is where it was.
//!
//! Sources: Luna and Bekris, "Push and swap: fast cooperative path-finding with completeness guarantees", 2011;
//! de Wilde, ter Mors and Witteveen, "Push and rotate: cooperative multi-agent path planning", 2013.

use std::collections::VecDeque;

use crate::mapf::configuration_search::{ConfigurationSearch, Progress};
use crate::mapf::detours::without_detours;
use crate::mapf::exchange::{Exchange, Exchanges};
use crate::mapf::place_graph::PlaceId;
use crate::mapf::plan_refinement::PlanRefinement;
use crate::mapf::task::{Body, BodyId, NOBODY, PlannedMove, Standing, Target, Task};
use crate::mapf::timetable::MOVE_COST;

/// A search, which is made in slices.
#[derive(Debug)]
pub(crate) struct ExchangeSearch {
    exchanges: Exchanges,
    standing: Standing,
    moves: Vec<PlannedMove>,
    /// After how many of those moves the fewest are away, and so many are.
    best: Best,
    /// For each body, whether it could not be brought home.
    is_given_up: Vec<bool>,
    /// Pairs that change places next, one after the other.
    pairs: VecDeque<Pair>,
    attempt: Option<Attempt>,
}

#[derive(Clone, Copy, Debug)]
struct Best {
    moves: usize,
    away: usize,
}

/// Two bodies that are to change places.
#[derive(Clone, Copy, Debug)]
struct Pair {
    bodies: [BodyId; 2],
    /// Whether they stand one behind the other: then nobody is between them who could go first.
    is_close: bool,
}

/// Some bodies go somewhere.
#[derive(Debug)]
struct Attempt {
    task: Task,
    search: ConfigurationSearch,
    /// Makes what was found shorter: all of it is made twice.
    refinement: Option<PlanRefinement>,
    aim: Aim,
}

#[derive(Debug)]
enum Aim {
    /// Somebody comes to stand on the goal of a body.
    Fill(BodyId),
    /// Two come to where they can change places.
    Exchange {
        pair: Pair,
        exchange: Exchange,
        /// Where they can do so as well, the nearest last.
        others: Vec<Exchange>,
    },
}

/// The way to where two change places is searched for so often.
const MOST_ATTEMPTS: u32 = 2;
/// Two bodies try so many places to change places at.
const MOST_EXCHANGES: usize = 6;
/// It is over after so many moves: to make them shorter would take too long.
const MOST_MOVES: usize = 1_000;
/// On larger graphs there are too many exchanges to choose from.
const MOST_PLACES: usize = 150;
/// Plans for more bodies would have too many moves.
const MOST_BODIES: usize = 24;

impl ExchangeSearch {
    /// `None` if the task is so large that it would take too long.
    pub(crate) fn new(task: &Task) -> Option<Self> {
        if task.graph.len() > MOST_PLACES || task.bodies.len() > MOST_BODIES {
            return None;
        }
        let starts: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
        let mut standing = Standing::default();
        standing.fill(&task.graph, &starts);
        Some(ExchangeSearch {
            exchanges: Exchanges::new(&task.graph),
            standing,
            moves: Vec::new(),
            best: Best { moves: 0, away: task.rank(&starts).away },
            is_given_up: vec![false; starts.len()],
            pairs: VecDeque::new(),
            attempt: None,
        })
    }

    /// Goes on for so many steps. Returns the moves once nobody else can be brought home.
    pub(crate) fn go_on(&mut self, task: &Task, steps: usize) -> Option<Vec<PlannedMove>> {
        let mut left = steps * task.bodies.len();
        while let Some(work) = self.exchanges.find_next(&task.graph) {
            left = left.checked_sub(work)?;
        }
        let Some(mut attempt) = self.attempt.take().or_else(|| self.next_attempt(task)) else {
            self.moves.truncate(self.best.moves);
            return Some(std::mem::take(&mut self.moves));
        };
        match attempt.go_on(steps) {
            Progress::GoesOn => self.attempt = Some(attempt),
            Progress::Found(moves) => self.succeed(task, attempt, moves),
            Progress::Failed => self.fail(task, attempt),
        }
        None
    }

    /// What is tried next; `None` if nothing is left to try.
    fn next_attempt(&mut self, task: &Task) -> Option<Attempt> {
        loop {
            if self.moves.len() > MOST_MOVES {
                return None;
            }
            if let Some(pair) = self.pairs.pop_front() {
                match self.attempt(task, pair, self.nearest_exchanges(task, pair)) {
                    None => self.give_up_pair(task, pair),
                    attempt => return attempt,
                }
                continue;
            }
            let (body, goal) = self.next_body(task)?;
            match self.standing.on(goal) {
                Some(other) => {
                    self.pairs.push_back(Pair { bodies: [body, other], is_close: false });
                }
                None => match self.fill(task, body, goal) {
                    Some(attempt) => return Some(attempt),
                    None => self.is_given_up[usize::from(body)] = true,
                },
            }
        }
    }

    /// The next body that is not on its goal: first those whose goals are free.
    fn next_body(&self, task: &Task) -> Option<(BodyId, PlaceId)> {
        let bodies =
            (0..task.bodies.len() as BodyId).filter_map(|body| match self.goal(task, body) {
                Some(goal) if self.standing.at[usize::from(body)] != goal => Some((body, goal)),
                _ => None,
            });
        let left = bodies.filter(|&(body, _)| !self.is_given_up[usize::from(body)]);
        left.min_by_key(|&(_, goal)| self.standing.on(goal).is_some())
    }

    /// The one place where a body has to be.
    fn goal(&self, task: &Task, body: BodyId) -> Option<PlaceId> {
        match task.bodies[usize::from(body)].target {
            Target::Place(goal) if !task.graph.is_roomy(goal) => Some(goal),
            _ => None,
        }
    }

    /// Bodies move up to the free goal of one, from the nearest that stands on nobody's goal.
    fn fill(&self, task: &Task, body: BodyId, goal: PlaceId) -> Option<Attempt> {
        let mut is_goal = vec![false; task.graph.len()];
        for body in 0..task.bodies.len() as BodyId {
            if let Some(goal) = self.goal(task, body) {
                is_goal[usize::from(goal)] = true;
            }
        }
        let at = &self.standing.at;
        let far = task.graph.distances(&[goal]);
        let has_no_goal = |other: &BodyId| !is_goal[usize::from(at[usize::from(*other)])];
        let from = (0..at.len() as BodyId)
            .filter(has_no_goal)
            .filter(|&other| !task.graph.is_roomy(at[usize::from(other)]))
            .min_by_key(|&other| far[usize::from(at[usize::from(other)])])?;
        let mut row = vec![from];
        row.extend(self.between(task, at[usize::from(from)], goal)?);
        let target = |other: BodyId| match row.iter().position(|&own| own == other) {
            Some(place) => {
                let next = row.get(place + 1);
                Target::Place(next.map_or(goal, |&next| at[usize::from(next)]))
            }
            None if has_no_goal(&other) => Target::Anywhere,
            None => Target::Place(at[usize::from(other)]),
        };
        Some(self.attempt_with(task, target, Aim::Fill(body)))
    }

    /// Who stands on the shortest way from one place to another, in order, without those at its ends.
    fn between(&self, task: &Task, from: PlaceId, to: PlaceId) -> Option<Vec<BodyId>> {
        let far = task.graph.distances(&[to]);
        let mut at = from;
        let mut bodies = Vec::new();
        while at != to {
            let steps = task.graph.steps(at).iter();
            let nearer = steps.filter(|step| far[usize::from(step.to)] < far[usize::from(at)]);
            at =
                nearer.min_by_key(|step| step.length.saturating_add(far[usize::from(step.to)]))?.to;
            bodies.extend(self.standing.on(at).filter(|_| at != to));
        }
        Some(bodies)
    }

    /// Where two bodies can change places, the nearest last.
    fn nearest_exchanges(&self, task: &Task, pair: Pair) -> Vec<Exchange> {
        let far =
            pair.bodies.map(|body| task.graph.distances(&[self.standing.at[usize::from(body)]]));
        let mut all: Vec<(u32, Exchange)> = Vec::new();
        for exchange in &self.exchanges.found {
            for turned in [false, true] {
                let exchange = if turned { exchange.turned() } else { exchange.clone() };
                let [one, other] = exchange.places.map(usize::from);
                let cost = far[0][one].saturating_add(far[1][other]);
                if cost < u32::MAX {
                    all.push((
                        cost.saturating_add(exchange.moves.len() as u32 * MOVE_COST),
                        exchange,
                    ));
                }
            }
        }
        all.sort_by_key(|(cost, exchange)| (*cost, exchange.places));
        let mut chosen: Vec<Exchange> = Vec::new();
        for (_, exchange) in all {
            let is_known =
                |other: &Exchange| exchange.places.iter().any(|place| other.places.contains(place));
            if chosen.len() < MOST_EXCHANGES && !chosen.iter().any(is_known) {
                chosen.push(exchange);
            }
        }
        chosen.reverse();
        chosen
    }

    /// Two bodies go to the last of some places where they can change places, and all others out of their way;
    /// `None` if there is none.
    fn attempt(&self, task: &Task, pair: Pair, mut others: Vec<Exchange>) -> Option<Attempt> {
        let exchange = others.pop()?;
        let is_clear = |place: &PlaceId| exchange.clear.binary_search(place).is_err();
        let open: Vec<PlaceId> = (0..task.graph.len() as PlaceId).filter(is_clear).collect();
        let places = exchange.places;
        let target = |body: BodyId| match pair.bodies.iter().position(|&own| own == body) {
            Some(who) => Target::Place(places[who]),
            None => Target::OneOf(open.clone()),
        };
        Some(self.attempt_with(task, target, Aim::Exchange { pair, exchange, others }))
    }

    fn attempt_with(&self, task: &Task, target: impl Fn(BodyId) -> Target, aim: Aim) -> Attempt {
        let at = &self.standing.at;
        let body = |body: BodyId| Body { start: at[usize::from(body)], target: target(body) };
        let bodies = (0..at.len() as BodyId).map(body).collect();
        let task = Task::new(task.graph.clone(), bodies);
        let search = ConfigurationSearch::new(&task, MOST_ATTEMPTS);
        Attempt { task, search, refinement: None, aim }
    }

    fn succeed(&mut self, task: &Task, attempt: Attempt, moves: Vec<PlannedMove>) {
        let moves = match &attempt.aim {
            Aim::Fill(_) => Some(moves),
            Aim::Exchange { pair, exchange, .. } => {
                there_and_back(&attempt.task, &moves, pair.bodies, exchange)
            }
        };
        match moves {
            Some(moves) => {
                for next in &moves {
                    self.standing.put(&task.graph, next.body, next.to);
                }
                self.moves.extend(moves);
                let away = task.rank(&self.standing.at).away;
                if away < self.best.away {
                    self.best = Best { moves: self.moves.len(), away };
                }
            }
            None => self.fail(task, attempt),
        }
    }

    fn fail(&mut self, task: &Task, attempt: Attempt) {
        match attempt.aim {
            Aim::Fill(body) => self.is_given_up[usize::from(body)] = true,
            Aim::Exchange { pair, others, .. } => match self.attempt(task, pair, others) {
                None => self.give_up_pair(task, pair),
                attempt => self.attempt = attempt,
            },
        }
    }

    /// Two that cannot change places do so one after another with those between them.
    fn give_up_pair(&mut self, task: &Task, pair: Pair) {
        let [body, other] = pair.bodies;
        let [from, to] = pair.bodies.map(|body| self.standing.at[usize::from(body)]);
        let between = self.between(task, from, to).filter(|_| !pair.is_close);
        let between = between.unwrap_or_default();
        self.pairs.clear();
        if between.is_empty() {
            self.is_given_up[usize::from(body)] = true;
            return;
        }
        let there = between.iter().map(|&next| [body, next]).chain([[body, other]]);
        let back = between.iter().rev().map(|&next| [other, next]);
        self.pairs.extend(there.chain(back).map(|bodies| Pair { bodies, is_close: true }));
    }
}

impl Attempt {
    /// Goes on for so many steps.
    fn go_on(&mut self, steps: usize) -> Progress {
        if let Some(refinement) = &mut self.refinement {
            return match refinement.go_on(&self.task, steps) {
                Some(moves) => Progress::Found(moves),
                None => Progress::GoesOn,
            };
        }
        match self.search.go_on(&self.task, steps) {
            Progress::Found(moves) if self.brings_all(&moves) => {
                self.refinement = PlanRefinement::new(&self.task, &moves);
                if self.refinement.is_some() { Progress::GoesOn } else { Progress::Failed }
            }
            Progress::GoesOn => Progress::GoesOn,
            _ => Progress::Failed,
        }
    }

    fn brings_all(&self, moves: &[PlannedMove]) -> bool {
        self.task.rank(&self.task.after(moves)).away == 0
    }
}

/// Some moves, an exchange, and the moves back, by each of the two those of the other; `None` if somebody
/// would be in the way.
fn there_and_back(
    task: &Task,
    there: &[PlannedMove],
    pair: [BodyId; 2],
    exchange: &Exchange,
) -> Option<Vec<PlannedMove>> {
    let mut at: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
    let mut back = Vec::with_capacity(there.len());
    for next in there {
        let from = std::mem::replace(&mut at[usize::from(next.body)], next.to);
        let body = match pair.iter().position(|&own| own == next.body) {
            Some(who) => pair[1 - who],
            None => next.body,
        };
        back.push(PlannedMove { body, to: from });
    }
    let between =
        exchange.moves.iter().map(|next| PlannedMove { body: pair[next.who], to: next.to });
    let all: Vec<PlannedMove> =
        there.iter().copied().chain(between).chain(back.into_iter().rev()).collect();
    can_be_made(task, &all).then(|| without_detours(task, all))
}

/// Whether nobody is in anybody's way.
fn can_be_made(task: &Task, moves: &[PlannedMove]) -> bool {
    let starts: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
    let mut standing = Standing::default();
    standing.fill(&task.graph, &starts);
    moves.iter().all(|next| {
        let from = standing.at[usize::from(next.body)];
        let step = task.graph.step(from, next.to);
        let is_free = step.is_some_and(|step| {
            task.graph
                .in_the_way(step)
                .iter()
                .all(|&place| standing.on[usize::from(place)] == NOBODY)
        });
        standing.put(&task.graph, next.body, next.to);
        is_free
    })
}
