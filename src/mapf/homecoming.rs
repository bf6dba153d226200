//! Provides [`Homecoming`]: brings bodies to their goals one after another, so that nobody who has come home is in
//! the way of the others.
//!
//! In a maze of passages goals lie in each other's way. So whoever comes home next must not cut off any other
//! from its goal, and all others get out of what it does cut off. Then its place is closed. If goals at the ends
//! of passages are taken before those at junctions, the others get past each other for as long as they have to.
//!
//! Compare: Kornhauser, Miller and Spirakis, "Coordinating pebble motion on graphs", 1984, which goes by the
//! leaves of trees; Wang and Botea, "MAPP: a scalable multi-agent path planning algorithm", 2011.

use std::vec;

use crate::mapf::escort::{Errand, Escort, Outcome};
use crate::mapf::goal_choice::{Candidate, GoalChoice};
use crate::mapf::place_graph::{PlaceGraph, PlaceId};
use crate::mapf::task::{Body, BodyId, PlannedMove, Target, Task};
use crate::mapf::timetable::Clock;
use crate::search::Random;

/// Bodies on their way home.
#[derive(Debug)]
pub(crate) struct Homecoming {
    pub moves: Vec<PlannedMove>,
    /// What is open to those who are not home.
    graph: PlaceGraph,
    /// Where everyone is after those moves.
    at: Vec<PlaceId>,
    clock: Clock,
    /// For each body.
    lots: Vec<Lot>,
    /// Somebody has come home since those tried again who had failed.
    has_gained: bool,
    /// What others lose counts as much as so many times the same in time, divided by [`WEIGHT_OF_ONE`].
    weight: u64,
    random: Random,
    round: Option<Round>,
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

/// Some are brought home in thought, and the best of them stays there.
#[derive(Debug)]
struct Round {
    candidates: vec::IntoIter<Candidate>,
    /// So many more are tried.
    left: usize,
    /// One that has not come to its goal yet.
    pending: Option<Attempt>,
    best: Option<Trial>,
}

/// A body on its way to its goal.
#[derive(Debug)]
struct Attempt {
    errand: Errand,
    /// What is lost to the others by that [mm].
    loss: u32,
}

/// One body at its goal.
#[derive(Debug)]
struct Trial {
    body: BodyId,
    moves: Vec<PlannedMove>,
    at: Vec<PlaceId>,
    clock: Clock,
    /// When it is home, and what the others lose by that.
    cost: u64,
}

/// Bodies are brought home only if there are no more goals than so many, times places: each choice looks at all
/// places for each goal.
const MOST_WORK: usize = 20_000;
/// Of so many the best comes home next.
const MOST_TRIALS: usize = 6;
/// It is over after so many moves: to make them shorter would take too long.
const MOST_MOVES: usize = 15_000;
/// What others lose counts as it is.
pub(crate) const WEIGHT_OF_ONE: u64 = 10;
/// By so much, times of both signs, costs differ from attempt to attempt [%].
const NOISE: usize = 15;

impl Homecoming {
    /// Homecomings with other weights or choices take other orders.
    pub(crate) fn new(task: &Task, weight: u64, random: Random) -> Self {
        let has_goal = |body: &Body| matches!(body.target, Target::Place(_));
        let goals = task.bodies.iter().filter(|body| has_goal(body)).count();
        let is_small = goals * task.graph.len() <= MOST_WORK;
        let lot = |body| if is_small && has_goal(body) { Lot::Waits } else { Lot::Yields };
        Homecoming {
            moves: Vec::new(),
            graph: task.graph.clone(),
            at: task.after(&[]),
            clock: Clock::new(task),
            lots: task.bodies.iter().map(lot).collect(),
            has_gained: true,
            weight,
            random,
            round: None,
        }
    }

    /// Goes on. Returns how much was done [decisions of a search]; `None` once nobody else can be brought home.
    pub(crate) fn go_on(&mut self, task: &Task) -> Option<usize> {
        match self.round.take() {
            None => {
                self.round = Some(self.next_round(task)?);
                // To see what a goal leaves open takes as long as one decision for each place.
                Some(self.graph.len() * self.lots.len())
            }
            Some(mut round) => {
                let pending = round.pending.take().or_else(|| self.next_attempt(&mut round));
                let work = pending.map(|attempt| self.go_on_with(attempt, &mut round));
                match work {
                    Some(_) => self.round = Some(round),
                    None => round.best.into_iter().for_each(|best| self.keep(best)),
                }
                Some(work.unwrap_or(0))
            }
        }
    }

    /// Those who may come home next; `None` if there are none.
    fn next_round(&mut self, task: &Task) -> Option<Round> {
        if self.moves.len() > MOST_MOVES {
            return None;
        }
        let mut candidates = self.candidates(task);
        if candidates.is_empty() && std::mem::take(&mut self.has_gained) {
            for lot in self.lots.iter_mut().filter(|lot| **lot == Lot::Failed) {
                *lot = Lot::Waits;
            }
            candidates = self.candidates(task);
        }
        if candidates.is_empty() {
            return None;
        }
        let candidates = candidates.into_iter();
        Some(Round { candidates, left: MOST_TRIALS, pending: None, best: None })
    }

    /// Those who wait and cut off nobody, first those who are near, and by whom little is lost.
    fn candidates(&self, task: &Task) -> Vec<Candidate> {
        let all = 0..self.lots.len() as BodyId;
        let goal = |body: BodyId| match (&task.bodies[usize::from(body)].target, self.lot(body)) {
            (&Target::Place(goal), Lot::Waits | Lot::Failed) => Some(goal),
            _ => None,
        };
        let goals: Vec<Option<PlaceId>> = all.clone().map(goal).collect();
        let choice = GoalChoice { graph: &self.graph, goals: &goals };
        let waiting = all.filter(|&body| self.lot(body) == Lot::Waits);
        let mut candidates: Vec<Candidate> =
            waiting.filter_map(|body| choice.candidate(body)).collect();
        candidates.sort_by_key(|&Candidate { body, loss, .. }| {
            (loss.saturating_add(task.distance(body, self.at[usize::from(body)])), body)
        });
        candidates
    }

    fn lot(&self, body: BodyId) -> Lot {
        self.lots[usize::from(body)]
    }

    /// The next candidate on its way; `None` if enough were tried.
    fn next_attempt(&self, round: &mut Round) -> Option<Attempt> {
        let next = round.candidates.next().filter(|_| round.left > 0)?;
        let Candidate { body, goal, is_open, loss } = next;
        let mut is_lost: Vec<bool> = is_open.iter().map(|is_open| !is_open).collect();
        is_lost[usize::from(goal)] = false;
        for other in (0..self.lots.len()).filter(|&other| self.lots[other] == Lot::IsHome) {
            is_lost[usize::from(self.at[other])] = false;
        }
        Some(Attempt { errand: Errand::new(body, goal, is_lost), loss })
    }

    /// Brings a candidate home in thought, by the next way. Returns how much was done.
    fn go_on_with(&mut self, mut attempt: Attempt, round: &mut Round) -> usize {
        let mut escort = Escort::new(&self.graph, &self.at);
        let outcome = escort.attempt(&mut attempt.errand);
        let Escort { moves, standing, work, .. } = escort;
        let body = attempt.errand.body;
        let trial = match outcome {
            Outcome::Retry => {
                round.pending = Some(attempt);
                return work;
            }
            Outcome::Arrived => self.trial(attempt, moves, standing.at),
            Outcome::Failed => None,
        };
        match trial {
            None => self.lots[usize::from(body)] = Lot::Failed,
            Some(trial) => round.add(trial),
        }
        work
    }

    /// What it costs if some moves bring a body home; `None` if they do not fit the places.
    fn trial(
        &mut self,
        attempt: Attempt,
        moves: Vec<PlannedMove>,
        at: Vec<PlaceId>,
    ) -> Option<Trial> {
        let body = attempt.errand.body;
        let mut clock = self.clock.clone();
        for next in &moves {
            clock.add(&self.graph, next)?;
        }
        let noise = (100 - NOISE + self.random.below(2 * NOISE)) as u64;
        let home = u64::from(clock.arrived(body)) * noise / 100;
        let cost = home + self.weight * u64::from(attempt.loss) / WEIGHT_OF_ONE;
        Some(Trial { body, moves, at, clock, cost })
    }

    /// Lets a body stay at its goal.
    fn keep(&mut self, trial: Trial) {
        self.moves.extend(trial.moves);
        (self.at, self.clock) = (trial.at, trial.clock);
        self.graph.close(self.at[usize::from(trial.body)]);
        self.lots[usize::from(trial.body)] = Lot::IsHome;
        self.has_gained = true;
    }
}

impl Round {
    /// One more was brought home in thought.
    fn add(&mut self, trial: Trial) {
        self.left -= 1;
        if self.best.as_ref().is_none_or(|best| trial.cost < best.cost) {
            self.best = Some(trial);
        }
    }
}
