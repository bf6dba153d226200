//! Prunes neighbors on uniform ground, as jump point search does.
//!
//! In the middle of level ground of one area, steps can be exchanged without a change of cost. Of
//! the paths that differ in nothing else, a search needs one: the canonical one, with its diagonal steps
//! first. So a span that was reached by a straight step has one natural neighbor, straight ahead, and one
//! that was reached by a diagonal step has three: ahead and along the two halves of the diagonal. All
//! other neighbors are reached from the parent at the same cost, around the span, over the uniform ground.
//! Elsewhere every neighbor counts.
//!
//! The costs found are the same. Suppose that pruning removed the last step of every cheapest path to a
//! span. A rule that removes a step because another path is cheaper did not remove it. A rule that
//! removes one because another path is as cheap removed a diagonal after a straight step; the path with
//! the two exchanged is a cheapest path too, its last step is straight, and no such rule removes a
//! straight step. The rules hold if a diagonal costs more than one straight step and less than two.
//! Based on: Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", 2011;
//! Sturtevant and Rabin, "Canonical orderings on grids", 2016.

use crate::grid::{Connections, Dir, SpanAddress};

/// The natural neighbors of a span on uniform ground that was reached by a step in a direction: the
/// direction of each, and where it is.
#[inline]
pub(crate) fn natural_neighbors<'a>(
    connections: &'a Connections<'a>,
    from: SpanAddress,
    reached_by: Dir,
) -> impl Iterator<Item = (Dir, SpanAddress)> + use<'a> {
    let turns: &[u8] = if reached_by.is_diagonal() { &[0, 1, 7] } else { &[0] };
    turns.iter().map(move |&turn| {
        let dir = reached_by.turned(turn);
        (dir, connections.level_target(from, dir))
    })
}
