//! Provides [`PlanSearch`]: finds moves for all bodies: for all at once, or one after another.

use crate::mapf::configuration_search::{ConfigurationSearch, Progress};
use crate::mapf::detours::without_detours;
use crate::mapf::escort_search::EscortSearch;
use crate::mapf::exchange_search::ExchangeSearch;
use crate::mapf::plan_refinement::PlanRefinement;
use crate::mapf::task::{BodyId, PlannedMove, Target, Task};
use crate::mapf::timetable::{Clock, Time, TimedMove, Timetable};

/// A search for a plan, which is made in slices. First for all bodies at once; if that does not succeed soon,
/// for one after another; and from where those have come for all at once again. What is found is made shorter.
/// If somebody is still left out, the search goes on from there, as long as more come home by that. If most are
/// left out in the end, bodies change places.
#[derive(Debug)]
pub(crate) struct PlanSearch {
    part: Part,
    /// So many are left out by the last plan.
    away: usize,
    /// So often the search has gone on from where a plan had led.
    rounds: u32,
    /// The plan that was found before bodies changed places.
    without_exchanges: Option<Vec<PlannedMove>>,
}

#[derive(Debug)]
enum Part {
    ForAll(Box<ConfigurationSearch>),
    ByEscorts(Box<EscortSearch>),
    /// Bodies change places.
    ByExchanges(Box<ByExchanges>),
    /// From where all are after some moves.
    Rest(Box<Rest>),
    Refines(Box<PlanRefinement>),
}

/// Bodies change places after some moves.
#[derive(Debug)]
struct ByExchanges {
    task: Task,
    search: ExchangeSearch,
    before: Vec<PlannedMove>,
}

/// What is left after some moves.
#[derive(Debug)]
struct Rest {
    task: Task,
    search: ConfigurationSearch,
    before: Vec<PlannedMove>,
}

/// Attempts for all bodies at once, before one after another is tried.
const FIRST_ATTEMPTS: u32 = 8;
/// Attempts from where some moves have brought everyone.
const LAST_ATTEMPTS: u32 = 20;
/// The search goes on from where a plan has led so often at most.
const MOST_ROUNDS: u32 = 5;
/// Of a plan that takes more than so many times what one needs for the farthest way only a part is walked, because
/// another may be found by then.
const MOST_TIMES: Time = 25;
/// To come to another plan takes as long as to walk so far [mm].
const PLAN_COST: u64 = 10_000;

impl PlanSearch {
    pub(crate) fn new(task: &Task) -> Self {
        let search = ConfigurationSearch::new(task, FIRST_ATTEMPTS);
        PlanSearch {
            part: Part::ForAll(Box::new(search)),
            away: usize::MAX,
            rounds: 0,
            without_exchanges: None,
        }
    }

    /// Goes on for so many steps.
    pub(crate) fn go_on(&mut self, task: &Task, steps: usize) -> Progress {
        let next = match &mut self.part {
            Part::ForAll(search) => match search.go_on(task, steps) {
                Progress::GoesOn => None,
                Progress::Found(moves) if away(task, &moves) == 0 => {
                    match Part::refines(task, &moves) {
                        None => return self.found(task, moves),
                        refines => refines,
                    }
                }
                _ => Some(Part::ByEscorts(Box::new(EscortSearch::new(task)))),
            },
            Part::ByEscorts(search) => {
                search.go_on(task, steps).map(|moves| Part::rest(task, moves))
            }
            Part::Rest(rest) => match rest.go_on(steps) {
                None => None,
                // What brings nobody else home was made as short as can be before.
                Some(moves) if away(task, &moves) >= self.away => {
                    match self.exchanges(task, &moves) {
                        None => return self.found(task, moves),
                        exchanges => exchanges,
                    }
                }
                Some(moves) => match Part::refines(task, &moves) {
                    None => return self.found(task, moves),
                    refines => refines,
                },
            },
            Part::ByExchanges(own) => match own.go_on(task, steps) {
                None => None,
                Some(moves) if away(task, &moves) >= self.away => return self.found(task, moves),
                Some(moves) => match Part::refines(task, &moves) {
                    None => return self.found(task, moves),
                    refines => refines,
                },
            },
            Part::Refines(refinement) => match refinement.go_on(task, steps) {
                None => None,
                Some(moves) => match away(task, &moves) {
                    0 => return self.found(task, moves),
                    left if !self.is_enough(left) => Some(Part::rest(task, moves)),
                    _ => match self.exchanges(task, &moves) {
                        None => return self.found(task, moves),
                        exchanges => exchanges,
                    },
                },
            },
        };
        if let Some(next) = next {
            self.part = next;
        }
        Progress::GoesOn
    }

    /// What is tried last, once: bodies change places, from where a plan has led. `None` if it has led most of
    /// them home, or there are too many.
    fn exchanges(&mut self, task: &Task, before: &[PlannedMove]) -> Option<Part> {
        let is_good = 2 * away(task, before) <= away(task, &[]);
        if self.without_exchanges.is_some() || is_good {
            return None;
        }
        let task = task.from(&task.after(before));
        let search = ExchangeSearch::new(&task)?;
        self.without_exchanges = Some(before.to_vec());
        let before = before.to_vec();
        Some(Part::ByExchanges(Box::new(ByExchanges { task, search, before })))
    }

    /// The end of the search: a plan, or the one before bodies changed places if that brings more home in the
    /// same time.
    fn found(&mut self, task: &Task, moves: Vec<PlannedMove>) -> Progress {
        let before = self.without_exchanges.take();
        let moves = match before {
            Some(before) if is_faster(task, &before, &moves) => before,
            _ => moves,
        };
        let moves = first_part(task, moves);
        match away(task, &moves) < away(task, &[]) {
            true => Progress::Found(moves),
            false => Progress::Failed,
        }
    }

    /// Whether the search is over if a plan leaves so many out.
    fn is_enough(&mut self, away: usize) -> bool {
        self.rounds += 1;
        let before = std::mem::replace(&mut self.away, away);
        away >= before || self.rounds > MOST_ROUNDS
    }
}

impl Part {
    fn rest(task: &Task, before: Vec<PlannedMove>) -> Self {
        let task = task.from(&task.after(&before));
        let search = ConfigurationSearch::new(&task, LAST_ATTEMPTS);
        Part::Rest(Box::new(Rest { task, search, before }))
    }

    /// `None` if the moves do not fit the task.
    fn refines(task: &Task, moves: &[PlannedMove]) -> Option<Self> {
        Some(Part::Refines(Box::new(PlanRefinement::new(task, moves)?)))
    }
}

impl ByExchanges {
    /// Goes on for so many steps. Returns all moves in the end.
    fn go_on(&mut self, task: &Task, steps: usize) -> Option<Vec<PlannedMove>> {
        let more = self.search.go_on(&self.task, steps)?;
        let before = std::mem::take(&mut self.before);
        Some(if more.is_empty() { before } else { without_detours(task, [before, more].concat()) })
    }
}

impl Rest {
    /// Goes on for so many steps. Returns all moves in the end.
    fn go_on(&mut self, steps: usize) -> Option<Vec<PlannedMove>> {
        let moves = match self.search.go_on(&self.task, steps) {
            Progress::GoesOn => return None,
            Progress::Found(moves) => moves,
            Progress::Failed => Vec::new(),
        };
        self.before.extend(moves);
        Some(std::mem::take(&mut self.before))
    }
}

/// The part of a plan that is walked before another is looked for: all of it, unless it takes too long. Then it
/// ends when the last has come home who does in time; if nobody does, it is walked all the same.
fn first_part(task: &Task, moves: Vec<PlannedMove>) -> Vec<PlannedMove> {
    let bodies = || 0..task.bodies.len() as BodyId;
    let far = |body: BodyId| task.distance(body, task.bodies[usize::from(body)].start);
    let longest = MOST_TIMES.saturating_mul(bodies().map(far).max().unwrap_or(0));
    let Some(table) = Timetable::new(task, &moves).filter(|table| table.last_end() > longest)
    else {
        return moves;
    };
    let comes_home =
        |&body: &BodyId| far(body) > 0 && task.distance(body, table.end(task, body)) == 0;
    let home = bodies().filter(comes_home).filter_map(|body| home_at(task, &table, body));
    let Some(end) = home.filter(|&end| end <= longest).max() else { return moves };
    let mut clock = Clock::new(task);
    let mut moves = table.in_order(&task.graph);
    moves.retain(|next| clock.add(&task.graph, next).is_some_and(|own| own.end <= end));
    moves
}

/// When a body that comes home does so: who only has to get out of the way is there as soon as it is out.
fn home_at(task: &Task, table: &Timetable, body: BodyId) -> Option<Time> {
    let moves = table.path(task, body).moves;
    let is_home = |own: &&TimedMove| task.distance(body, own.step(&task.graph).to) == 0;
    let last = match task.bodies[usize::from(body)].target {
        Target::OneOf(_) => moves.iter().find(is_home),
        _ => moves.last(),
    };
    last.map(|last| last.end)
}

/// Whether a plan brings more bodies home in the same time than another.
fn is_faster(task: &Task, moves: &[PlannedMove], other: &[PlannedMove]) -> bool {
    let home = |moves| away(task, &[]).saturating_sub(away(task, moves)) as u64;
    let time = |moves| {
        let table = Timetable::new(task, moves);
        PLAN_COST + table.map_or(0, |table| u64::from(table.last_end()))
    };
    home(moves) * time(other) > home(other) * time(moves)
}

/// How many are not where they have to be after some moves.
fn away(task: &Task, moves: &[PlannedMove]) -> usize {
    task.rank(&task.after(moves)).away
}
