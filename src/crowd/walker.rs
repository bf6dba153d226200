//! Provides [`Walker`]: a member that walks by the plan of a rearrangement.

use crate::crowd::errand::{Errand, off_line};
use crate::crowd::ground_search::GroundSearch;
use crate::crowd::member::{Member, MemberId};
use crate::crowd::slot_map::SlotMap;
use crate::follow::horizontal_distance;
use crate::mapf::{Move, PlaceGraph};
use crate::path::{GridSight, Sight};
use crate::view::{NavPoint, ViewRef};

/// A member that walks by the plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walker {
    pub id: MemberId,
    /// So many moves are made.
    pub made: usize,
    /// So many are made, or may be.
    pub begun: usize,
}

/// Those who walk, and the ground under them.
pub(crate) struct Walk<'a> {
    pub graph: &'a PlaceGraph,
    pub view: &'a ViewRef<'a>,
    pub slot_map: &'a mut SlotMap,
    pub search: &'a mut GroundSearch,
}

/// A member has made a move if it is this near to the place that the move leads to [m].
const AT_PLACE: f32 = 0.15;
/// The same if it goes on from there at once [m].
const PASSING: f32 = 0.3;
/// But it has gone at least this part of the way between the two places.
const HALF_WAY: f32 = 0.5;

impl Walker {
    /// Counts the moves that a member has made.
    pub(crate) fn count_moves(&mut self, member: &Member, moves: &[Move], graph: &PlaceGraph) {
        let is_made = |&at: &usize| {
            let [from, to] =
                [moves[at].from, moves[at].to].map(|place| graph.points[usize::from(place)].point);
            let near = if at + 1 < self.begun { PASSING } else { AT_PLACE };
            let near = near.min(HALF_WAY * horizontal_distance(&from, &to));
            horizontal_distance(&to, &member.position()) <= near
        };
        // It may have cut a corner.
        let last = (self.made..self.begun).rev().find(is_made);
        self.made = last.map_or(self.made, |at| at + 1);
    }

    /// Counts the moves to places with room for all as made by one that has come to such a place: it need not
    /// stand where another does.
    pub(crate) fn skip_roomy(&mut self, moves: &[Move], graph: &PlaceGraph) {
        let is_roomy = |next: &&Move| graph.is_roomy(next.to);
        self.made += moves[self.made..self.begun].iter().take_while(is_roomy).count();
    }

    /// Sends a member on for some more moves; without any it stays where it is.
    pub(crate) fn go_on(&mut self, more: usize, moves: &[Move], walk: &mut Walk) {
        let Some(member) = walk.slot_map.member_mut(self.id) else { return };
        let goes_on = |errand: &Errand| errand.is_seen(walk.view, &member.at);
        if !member.duty.is_rearranged() || more == 0 && member.duty.errand().is_some_and(goes_on) {
            return;
        }
        self.begun += more;
        let graph = walk.graph;
        let steps = moves[self.made..self.begun].iter();
        let mut steps = steps.filter_map(|next| graph.step(next.from, next.to));
        let from = graph.points[usize::from(moves[self.made].from)];
        let mut trail = steps.next().map_or(vec![from], |step| graph.trail(step).to_vec());
        let near = joining_point(walk.view, &member.at, &trail);
        trail.extend(steps.flat_map(|step| graph.trail(step)));
        let begin = match near {
            Some(_) => None,
            None => walk.search.trail(walk.view, member.at.span, trail[0].span),
        };
        trail.splice(0..near.unwrap_or(0), begin.unwrap_or_default());
        member.duty.set_errand(Errand::new(trail));
    }
}

/// Where a body joins a trail: the next point, of those that it sees, on the part that is nearest to it.
pub(crate) fn joining_point(view: &ViewRef, at: &NavPoint, trail: &[NavPoint]) -> Option<usize> {
    let away = |&point: &usize| {
        let before = point.checked_sub(1).map_or(&trail[point], |before| &trail[before]);
        off_line(at, before, &trail[point])
    };
    let seen = (0..trail.len()).filter(|&point| GridSight.is_clear(view.view, at, &trail[point]));
    seen.min_by(|one, other| away(one).total_cmp(&away(other)))
}
