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
    /// For each body, what others have to have done until nobody comes near where its moves lead in the end.
    pub quiet_after: Vec<Vec<Condition>>,
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

impl MovePlan {
    /// Binds moves to each other that were found in an order.
    pub(crate) fn new(task: &Task, moves: &[PlannedMove]) -> Self {
        let mut plan =
            MovePlan { moves: vec![Vec::new(); task.bodies.len()], quiet_after: Vec::new() };
        let mut at: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
        // For each place, who came there last, or near it.
        let mut last: Vec<Option<Condition>> = vec![None; task.graph.len()];
        // For each place, the last of everyone's moves that touches it.
        let mut touches: Vec<Vec<Condition>> = vec![Vec::new(); task.graph.len()];
        for &PlannedMove { body, to } in moves {
            let from = std::mem::replace(&mut at[usize::from(body)], to);
            let mut after: Vec<Condition> = Vec::new();
            let moves = &mut plan.moves[usize::from(body)];
            let now = Condition { body, moves: moves.len() as u32 + 1 };
            for place in touched(&task.graph, [from, to]) {
                add_latest(&mut touches[usize::from(place)], now);
                let before = last[usize::from(place)].replace(now);
                if let Some(before) = before.filter(|before| before.body != body) {
                    add_latest(&mut after, before);
                }
            }
            moves.push(Move { from, to, after });
        }
        for (body, &end) in at.iter().enumerate() {
            let beside = task.graph.steps(end).iter().map(|step| step.to).chain([end]);
            let near = beside.flat_map(|place| &touches[usize::from(place)]);
            let mut quiet_after = Vec::new();
            near.filter(|other| usize::from(other.body) != body)
                .for_each(|&other| add_latest(&mut quiet_after, other));
            plan.quiet_after.push(quiet_after);
        }
        plan
    }
}

/// Adds a condition to others, with no more than one for each body.
fn add_latest(conditions: &mut Vec<Condition>, new: Condition) {
    match conditions.iter_mut().find(|known| known.body == new.body) {
        Some(known) => known.moves = known.moves.max(new.moves),
        None => conditions.push(new),
    }
}

/// The places that a move leads to, from, or near.
fn touched(graph: &PlaceGraph, [from, to]: [PlaceId; 2]) -> impl Iterator<Item = PlaceId> {
    let step = graph.step(from, to);
    let near = step.map_or(&[] as &[PlaceId], |step| graph.in_the_way(step));
    near.iter().copied().chain([from]).filter(|&place| !graph.is_roomy(place))
}
