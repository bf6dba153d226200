//! Provides [`MovePlan`]: the moves of each body, and which moves of others have to come before.
//!
//! Whoever comes to a place, or passes near it, waits for the one that did so before. So bodies may walk at
//! their own pace, and those that do not meet need not wait for each other.

use crate::mapf::place_graph::{PlaceGraph, PlaceId};
use crate::mapf::task::{BodyId, PlannedMove, Task};

/// What each body does, one move after another.
#[derive(Debug, Default)]
pub(crate) struct MovePlan {
    /// For each body.
    pub moves: Vec<Vec<Move>>,
}

/// A body goes to a place beside it.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub from: PlaceId,
    pub to: PlaceId,
    /// What others have to have done before.
    pub after: Vec<Condition>,
}

/// Another body has made so many of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub body: BodyId,
    pub moves: u32,
}

/// A move in the order of all.
#[derive(Clone, Copy, Debug)]
struct OrderedMove {
    body: BodyId,
    from: PlaceId,
    to: PlaceId,
}

/// When who came to a place, left it, or passed near it.
#[derive(Clone, Copy)]
struct Visit {
    time: usize,
    body: BodyId,
}

impl MovePlan {
    /// Binds moves to each other that were found in an order. Moves that only lead back to where a body
    /// stood are left out, where nobody has been there meanwhile.
    pub(crate) fn new(task: &Task, moves: &[PlannedMove]) -> Self {
        let mut at: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
        let ordered = moves.iter().map(|&PlannedMove { body, to }| {
            let from = std::mem::replace(&mut at[usize::from(body)], to);
            OrderedMove { body, from, to }
        });
        let ordered = without_detours(task, &ordered.collect::<Vec<_>>());
        let mut plan = MovePlan { moves: vec![Vec::new(); task.bodies.len()] };
        let mut last: Vec<Option<Condition>> = vec![None; task.graph.len()];
        for own in ordered {
            let mut after: Vec<Condition> = Vec::new();
            let moves = &mut plan.moves[usize::from(own.body)];
            let now = Condition { body: own.body, moves: moves.len() as u32 + 1 };
            for place in touched(&task.graph, &own) {
                let before = last[usize::from(place)].replace(now);
                let Some(before) = before.filter(|before| before.body != own.body) else {
                    continue;
                };
                match after.iter_mut().find(|known| known.body == before.body) {
                    Some(known) => known.moves = known.moves.max(before.moves),
                    None => after.push(before),
                }
            }
            moves.push(Move { from: own.from, to: own.to, after });
        }
        plan
    }
}

/// The places that a move leads to, from, or near.
fn touched(graph: &PlaceGraph, own: &OrderedMove) -> impl Iterator<Item = PlaceId> {
    let step = graph.step(own.from, own.to);
    let near = step.map_or(&[] as &[PlaceId], |step| graph.in_the_way(step));
    near.iter().copied().chain([own.from]).filter(|&place| !graph.is_roomy(place))
}

/// The moves without those that lead a body back to where it stood, if nobody else came there meanwhile.
fn without_detours(task: &Task, moves: &[OrderedMove]) -> Vec<OrderedMove> {
    let mut kept = KeptMoves::all(task, moves);
    // One detour less may leave others free.
    for _ in 0..MOST_ROUNDS {
        let any = (0..task.bodies.len()).filter(|&body| kept.leave_out_detours(body)).count() > 0;
        if !any {
            break;
        }
    }
    let all = moves.iter().zip(&kept.is_left_out);
    all.filter(|(_, is_left_out)| !**is_left_out).map(|(own, _)| *own).collect()
}

/// Detours are looked for so often.
const MOST_ROUNDS: usize = 8;

/// Moves, some of which are left out.
struct KeptMoves<'a> {
    moves: &'a [OrderedMove],
    is_left_out: Vec<bool>,
    /// For each place, in order.
    visits: Vec<Vec<Visit>>,
    /// For each body, its moves.
    times: Vec<Vec<usize>>,
}

impl<'a> KeptMoves<'a> {
    fn all(task: &Task, moves: &'a [OrderedMove]) -> Self {
        let mut visits: Vec<Vec<Visit>> = vec![Vec::new(); task.graph.len()];
        let mut times: Vec<Vec<usize>> = vec![Vec::new(); task.bodies.len()];
        for (time, own) in moves.iter().enumerate() {
            times[usize::from(own.body)].push(time);
            for place in touched(&task.graph, own) {
                visits[usize::from(place)].push(Visit { time, body: own.body });
            }
        }
        KeptMoves { moves, is_left_out: vec![false; moves.len()], visits, times }
    }

    /// Leaves out the longest detours of a body. Returns whether there were any.
    fn leave_out_detours(&mut self, body: usize) -> bool {
        let mut times = std::mem::take(&mut self.times[body]);
        let before = times.len();
        let mut begin = 0;
        while begin < times.len() {
            let detour = |&end: &usize| self.is_detour([times[begin], times[end]]);
            match (begin..times.len()).rev().find(detour) {
                Some(end) => {
                    times.drain(begin..=end).for_each(|time| self.is_left_out[time] = true);
                }
                None => begin += 1,
            }
        }
        let any = times.len() < before;
        self.times[body] = times;
        any
    }

    /// Whether a body comes back with its last move to where its first one began, and nobody else came there
    /// meanwhile.
    fn is_detour(&self, [first, last]: [usize; 2]) -> bool {
        let (own, place) = (self.moves[first].body, self.moves[first].from);
        if self.moves[last].to != place {
            return false;
        }
        let visits = &self.visits[usize::from(place)];
        let begin = visits.partition_point(|visit| visit.time < first);
        let mut meanwhile = visits[begin..].iter().take_while(|visit| visit.time < last);
        meanwhile.all(|visit| visit.body == own || self.is_left_out[visit.time])
    }
}
