//! Which neighbors of a span need not be looked at.
//!
//! In the middle of level ground of one kind, steps can change places without a change of cost. Of
//! the paths that differ in nothing else, a search needs one: that with the diagonal steps first. So a
//! span that was reached by a straight step passes on only straight ahead, and one that was reached
//! by a diagonal step only ahead and along its two halves. Whatever else is near such a span is
//! reached from the span before it as cheaply, round it, over the level ground. Elsewhere all
//! neighbors count.
//!
//! The costs found are the same. Say that of all cheapest paths to a span the last step was left out.
//! By a rule that says "more expensive", it cannot have been on a cheapest path. By the one that says "as
//! cheap", it was a diagonal after a straight step, and the path with the two exchanged is a cheapest
//! way as well, whose last step is straight; no rule that says "as cheap" leaves out a straight one.
//! For the rules to be true a diagonal has to cost more than one straight step and less than two.
//! Based on: Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", 2011;
//! Sturtevant and Rabin, "Canonical orderings on grids", 2016.

use crate::grid::{Connections, Dir, SpanAddress, Standing, UniformCells};

use super::nodes::Parent;
use crate::view::UniformGround;

/// The natural steps from a span that was reached in some way: their directions, and where they
/// lead; `None` where all neighbors count.
#[inline]
pub(crate) fn natural<'a>(
    uniform_ground: Option<UniformGround>,
    steps: &'a Connections<'a>,
    (address, parent): (SpanAddress, Option<Parent>),
) -> Option<impl Iterator<Item = (Dir, SpanAddress)> + use<'a>> {
    let uniform_ground = uniform_ground?;
    let Some(Parent::Step(dir)) = parent else { return None };
    if !uniform_ground.contains(address.span) {
        return None;
    }
    let turns: &[u8] = if dir.is_diagonal() { &[0, 1, 7] } else { &[0] };
    let step = move |turn: &u8| {
        let dir = dir.turned(*turn);
        (dir, steps.level_target(address, dir))
    };
    Some(turns.iter().map(step))
}
