//! Provides [`Touching`]: whom a member touches that does not get on either.

use std::cell::OnceCell;

use crate::crowd::held_up::{TOUCH_GAP, gap};
use crate::crowd::member::Member;
use crate::crowd::slot_map::SlotMap;

/// The members that gain nothing, or have come to rest; listed once somebody asks for them.
pub(crate) struct Touching<'a> {
    slot_map: &'a SlotMap,
    listed: OnceCell<Listed<'a>>,
}

struct Listed<'a> {
    /// By their place along the x axis.
    members: Vec<&'a Member>,
    /// The radius of the largest [m].
    largest: f32,
}

impl<'a> Touching<'a> {
    pub(crate) fn new(slot_map: &'a SlotMap) -> Self {
        Touching { slot_map, listed: OnceCell::new() }
    }

    /// Whether a member touches one for which something holds.
    pub(crate) fn any(&self, member: &Member, holds: impl Fn(&Member) -> bool) -> bool {
        let Listed { members, largest } = self.listed.get_or_init(|| list(self.slot_map));
        let x = member.position().x;
        let far = member.radius + largest + TOUCH_GAP;
        let first = members.partition_point(|other| other.position().x < x - far);
        members[first..]
            .iter()
            .take_while(|other| other.position().x <= x + far)
            .any(|other| other.id != member.id && gap(member, other) <= TOUCH_GAP && holds(other))
    }
}

fn list(slot_map: &SlotMap) -> Listed<'_> {
    let stands = |member: &&Member| {
        member.state().is_at_rest() || member.following.time_without_gain() > 0.0
    };
    let mut members: Vec<&Member> = slot_map.iter().filter(stands).collect();
    members.sort_by(|one, other| one.position().x.total_cmp(&other.position().x));
    let largest = members.iter().map(|member| member.radius).fold(0.0, f32::max);
    Listed { members, largest }
}
