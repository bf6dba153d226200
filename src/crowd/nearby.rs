//! Provides [`Nearby`]: who is near a member, and whether anyone there gets on.

use crate::crowd::held_up::{TOUCH_GAP, gap};
use crate::crowd::member::Member;

/// Members of a crowd by where they are.
pub(crate) struct Nearby<'a> {
    /// By their place along the x axis.
    members: Vec<&'a Member>,
    /// The radius of the largest [m].
    largest: f32,
}

/// A member waits for one that rests for no longer than this if nobody around gets on [s].
const MOST_TIME_IN_VAIN: f32 = 5.0;
/// Around a member is this near to it, from body to body [m].
const AROUND: f32 = 3.0;
/// A member that has gained something on its goal within this time gets on [s].
const GETS_ON_TIME: f32 = 4.0;

impl<'a> Nearby<'a> {
    pub(crate) fn of(members: impl Iterator<Item = &'a Member>) -> Self {
        let mut members: Vec<&Member> = members.collect();
        members.sort_by(|one, other| one.position().x.total_cmp(&other.position().x));
        let largest = members.iter().map(|member| member.radius).fold(0.0, f32::max);
        Nearby { members, largest }
    }

    /// Whether a member touches one for which something holds.
    pub(crate) fn touches(&self, member: &Member, holds: impl Fn(&Member) -> bool) -> bool {
        self.any(member, TOUCH_GAP, holds)
    }

    /// Whether a member has for long touched one that rests, and nobody around gets on: nothing will change there.
    pub(crate) fn waits_in_vain(&self, member: &Member) -> bool {
        let gets_on = |other: &Member| {
            other.is_under_way() && other.following.time_without_gain() < GETS_ON_TIME
        };
        member.following.time_without_gain() > MOST_TIME_IN_VAIN
            && self.touches(member, |other| other.state().is_at_rest())
            && !self.any(member, AROUND, gets_on)
    }

    /// Whether something holds for one that is no farther from a member than this [m], from body to body.
    fn any(&self, member: &Member, within: f32, holds: impl Fn(&Member) -> bool) -> bool {
        let x = member.position().x;
        let far = member.radius + self.largest + within;
        let first = self.members.partition_point(|other| other.position().x < x - far);
        self.members[first..]
            .iter()
            .take_while(|other| other.position().x <= x + far)
            .any(|other| other.id != member.id && gap(member, other) <= within && holds(other))
    }
}
