//! Leaves out of plans what leads bodies back to where they were.

use crate::mapf::place_graph::PlaceId;
use crate::mapf::task::{PlannedMove, Task};

/// Moves without those by which bodies leave a place and come back to it, though nobody needs it meanwhile.
pub(crate) fn without_detours(task: &Task, mut moves: Vec<PlannedMove>) -> Vec<PlannedMove> {
    loop {
        let count = moves.len();
        moves = once(task, &moves);
        if moves.len() == count {
            return moves;
        }
    }
}

fn once(task: &Task, moves: &[PlannedMove]) -> Vec<PlannedMove> {
    let graph = &task.graph;
    let mut at: Vec<PlaceId> = task.bodies.iter().map(|body| body.start).collect();
    let from: Vec<PlaceId> = moves
        .iter()
        .map(|next| std::mem::replace(&mut at[usize::from(next.body)], next.to))
        .collect();
    let needs = |at: usize, place: PlaceId| {
        let step = graph.step(from[at], moves[at].to);
        !graph.is_roomy(place) && step.is_none_or(|step| graph.in_the_way(step).contains(&place))
    };
    let mut is_left_out = vec![false; moves.len()];
    for first in 0..moves.len() {
        if is_left_out[first] {
            continue;
        }
        let (body, place) = (moves[first].body, from[first]);
        let mut last = None;
        for at in first..moves.len() {
            if is_left_out[at] {
                continue;
            }
            if moves[at].body == body {
                last = if moves[at].to == place { Some(at) } else { last };
            } else if needs(at, place) {
                break;
            }
        }
        for at in first..last.map_or(first, |last| last + 1) {
            is_left_out[at] |= moves[at].body == body;
        }
    }
    let left = moves.iter().zip(is_left_out).filter(|(_, is_left_out)| !is_left_out);
    left.map(|(&next, _)| next).collect()
}
