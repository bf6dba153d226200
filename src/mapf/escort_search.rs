//! Provides [`EscortSearch`]: brings bodies home one after another, in several orders.
//!
//! A search for all at once goes astray in a maze of passages. One after another always gets on; but how long
//! that takes depends on who is first. So several orders are tried, and the best counts.

use crate::mapf::detours::without_detours;
use crate::mapf::homecoming::{Homecoming, WEIGHT_OF_ONE};
use crate::mapf::task::{BodyId, PlannedMove, Task};
use crate::mapf::timetable::{Time, Timetable};
use crate::search::Random;

/// A search, which is made in slices.
#[derive(Debug)]
pub(crate) struct EscortSearch {
    homecoming: Homecoming,
    /// So many orders were tried before.
    attempts: usize,
    best: Option<Best>,
}

#[derive(Debug)]
struct Best {
    rank: Rank,
    moves: Vec<PlannedMove>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// So many are not home in the end.
    away: usize,
    /// When the last of all has come to rest.
    end: Time,
}

/// So many orders are tried.
const MOST_ATTEMPTS: usize = 8;
/// What others lose by who comes home counts so much, from attempt to attempt.
const WEIGHTS: [u64; 4] =
    [WEIGHT_OF_ONE, 3 * WEIGHT_OF_ONE / 10, 3 * WEIGHT_OF_ONE, 10 * WEIGHT_OF_ONE];
/// A plan is good enough if it takes no longer than so many times what one needs for the farthest way.
const GOOD: Time = 2;

impl EscortSearch {
    pub(crate) fn new(task: &Task) -> Self {
        EscortSearch { homecoming: homecoming(task, 0), attempts: 0, best: None }
    }

    /// Goes on for so many steps. Returns the best moves in the end.
    pub(crate) fn go_on(&mut self, task: &Task, steps: usize) -> Option<Vec<PlannedMove>> {
        let mut left = steps * task.bodies.len();
        while let Some(work) = self.homecoming.go_on(task) {
            left = left.checked_sub(work)?;
        }
        let moves = without_detours(task, std::mem::take(&mut self.homecoming.moves));
        self.attempts += 1;
        let new = Best::new(task, moves);
        let best = self.best.take().filter(|best| best.rank <= new.rank).unwrap_or(new);
        if self.attempts == MOST_ATTEMPTS || best.is_good(task) {
            return Some(best.moves);
        }
        self.best = Some(best);
        self.homecoming = homecoming(task, self.attempts);
        None
    }
}

impl Best {
    fn new(task: &Task, moves: Vec<PlannedMove>) -> Self {
        let away = task.rank(&task.after(&moves)).away;
        let end = Timetable::new(task, &moves).map_or(Time::MAX, |table| table.last_end());
        Best { rank: Rank { away, end }, moves }
    }

    /// Whether another order would hardly do better.
    fn is_good(&self, task: &Task) -> bool {
        let bodies = task.bodies.iter().enumerate();
        let far = bodies.map(|(body, own)| task.distance(body as BodyId, own.start));
        self.rank.away == 0 && self.rank.end <= GOOD * far.max().unwrap_or(0)
    }
}

fn homecoming(task: &Task, attempt: usize) -> Homecoming {
    let random = Random((task.seed << 32) + attempt as u64);
    Homecoming::new(task, WEIGHTS[attempt % WEIGHTS.len()], random)
}
