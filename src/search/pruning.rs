//! Which neighbors of a span need not be looked at.
//!
//! In the middle of level ground of one kind, steps can change places without a change of cost. Of
//! the ways that differ in nothing else, a search needs one: that with the diagonal steps first. So a
//! span that was reached by a straight step passes on only straight ahead, and one that was reached
//! by a diagonal step only ahead and along its two halves. Whatever else is near such a span is
//! reached from the span before it as cheaply, round it, over the level ground. Elsewhere all
//! neighbors count.
//!
//! The costs found are the same. Say that of all cheapest ways to a span the last step was left out.
//! By a rule that says "dearer", it cannot have been on a cheapest way. By the one that says "as
//! cheap", it was a diagonal after a straight step, and the way with the two exchanged is a cheapest
//! way as well, whose last step is straight; no rule that says "as cheap" leaves out a straight one.
//! For the rules to be true a diagonal has to cost more than one straight step and less than two.
//! Based on: Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", 2011;
//! Sturtevant and Rabin, "Canonical orderings on grids", 2016.

use crate::grid::{Dir, Evens, Spot, Standing, Steps};

use super::nodes::Came;

/// The middles of level ground, as the terrain is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EvenGround<'a> {
    /// As baked.
    pub evens: &'a Evens,
    /// What the agent may do on each span, where that has changed since the bake: obstacles take
    /// away steps.
    pub changed: Option<&'a [Standing]>,
}

impl EvenGround<'_> {
    /// Whether a span lies in the middle of level ground.
    #[inline]
    pub(crate) fn contains(&self, span: u32) -> bool {
        self.evens.contains(span)
            && self.changed.is_none_or(|standings| standings[span as usize].is_level())
    }
}

/// The natural steps from a span that was reached in some way: their directions, and where they
/// lead; `None` where all neighbors count.
#[inline]
pub(crate) fn natural<'a>(
    even_ground: Option<EvenGround>,
    steps: &'a Steps<'a>,
    (spot, came): (Spot, Option<Came>),
) -> Option<impl Iterator<Item = (Dir, Spot)> + use<'a>> {
    let even_ground = even_ground?;
    let Some(Came::Step(dir)) = came else { return None };
    if !even_ground.contains(spot.span) {
        return None;
    }
    let turns: &[u8] = if dir.is_diagonal() { &[0, 1, 7] } else { &[0] };
    let step = move |turn: &u8| {
        let dir = dir.turned(*turn);
        (dir, steps.level_target(spot, dir))
    };
    Some(turns.iter().map(step))
}
