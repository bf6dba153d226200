//! Provides [`Nearby`]: who is near a member, and [`waits_in_vain`]: whether anyone there gets on.

use crate::crowd::held_up::{BESIDE, gap};
use crate::crowd::member::{Member, MemberId};
use crate::crowd::slot_map::SlotMap;

/// The members of a crowd by where they are; listed once somebody asks for them.
#[derive(Debug, Default)]
pub(crate) struct Nearby {
    /// By their place along the x axis [m].
    listed: Vec<(f32, MemberId)>,
    /// The radius of the largest [m].
    largest: f32,
}

/// A member waits for one that rests for no longer than this if nobody around gets on [s].
const MOST_TIME_IN_VAIN: f32 = 5.0;
/// Around a member is this near to it, from body to body [m].
const AROUND: f32 = 3.0;
/// A member that has gained something on its goal within this time gets on [s].
const GETS_ON_TIME: f32 = 4.0;

impl Nearby {
    /// Forgets where members were. Keeps memory for so many.
    pub(crate) fn forget(&mut self, count: usize) {
        self.listed.clear();
        self.listed.reserve(count);
    }

    /// Whether something holds for one that is so near to a member that it may be in its way.
    pub(crate) fn is_beside(
        &mut self,
        slot_map: &SlotMap,
        member: &Member,
        holds: impl Fn(&Member) -> bool,
    ) -> bool {
        self.within(slot_map, member, BESIDE).any(|other| are_beside(member, other) && holds(other))
    }

    /// The members around a member, and some more.
    pub(crate) fn around<'a>(
        &'a mut self,
        slot_map: &'a SlotMap,
        member: &Member,
    ) -> impl Iterator<Item = &'a Member> + Clone {
        self.within(slot_map, member, AROUND)
    }

    /// The members within a distance of a member along the x axis [m], from body to body.
    fn within<'a>(
        &'a mut self,
        slot_map: &'a SlotMap,
        member: &Member,
        distance: f32,
    ) -> impl Iterator<Item = &'a Member> + Clone {
        if self.listed.is_empty() {
            self.list(slot_map);
        }
        let far = member.radius + self.largest + distance;
        let [low, high] = [-far, far].map(|far| member.position().x + far);
        let first = self.listed.partition_point(|(x, _)| *x < low);
        let near = self.listed[first..].iter().take_while(move |(x, _)| *x <= high);
        near.filter_map(|(_, id)| slot_map.member(*id))
    }

    fn list(&mut self, slot_map: &SlotMap) {
        self.listed.extend(slot_map.iter().map(|member| (member.position().x, member.id)));
        self.listed
            .sort_unstable_by(|(x, id), (other_x, other)| x.total_cmp(other_x).then(id.cmp(other)));
        self.largest = slot_map.iter().map(|member| member.radius).fold(0.0, f32::max);
    }
}

/// Whether a member has for long been beside one that stands, and nobody around gets on: nothing will change there.
pub(crate) fn waits_in_vain<'a>(
    member: &Member,
    mut others: impl Iterator<Item = &'a Member> + Clone,
) -> bool {
    let rests_in_the_way = |other: &Member| are_beside(member, other) && other.stands();
    let gets_on = |other: &Member| {
        other.id != member.id
            && gap(member, other) <= AROUND
            && other.is_under_way()
            && other.following.time_without_gain() < GETS_ON_TIME
    };
    member.following.time_without_gain() > MOST_TIME_IN_VAIN
        && others.clone().any(rests_in_the_way)
        && !others.any(gets_on)
}

fn are_beside(member: &Member, other: &Member) -> bool {
    other.id != member.id && gap(member, other) <= BESIDE
}
