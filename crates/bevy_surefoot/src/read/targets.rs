//! Sends members where their targets are.

use surefoot::Crowd;

use super::agent_row::{AgentRowItem, Reading};
use crate::convert::point;
use crate::nav_agent::{Joined, NavMovement, NavTarget, Sent, TargetFault};

impl AgentRowItem<'_, '_> {
    /// Sends the member to its target, if that is somewhere else than before.
    pub(super) fn send(&self, crowd: &mut Crowd, joined: &mut Joined, reading: &Reading) {
        let target = self.target.filter(|_| *self.movement != NavMovement::Manual);
        let place = target.map(|&to| place_of(to, reading));
        joined.target_fault = place.and_then(Result::err);
        let Some(Ok(sent)) = place else {
            if joined.sent.take().is_some() {
                crowd.stop(joined.id).ok();
            }
            return;
        };
        if joined.sent == Some(sent) {
            return;
        }
        let is_followed = joined.sent.is_some_and(|before| before.to == sent.to);
        let id = joined.id;
        // The crowd has the member: it was looked up before.
        match is_followed {
            true => crowd.set_target(id, point(sent.point)).ok(),
            false => crowd.set_goal(id, point(sent.point)).ok(),
        };
        joined.sent = Some(sent);
    }
}

fn place_of(to: NavTarget, reading: &Reading) -> Result<Sent, TargetFault> {
    let place = match to {
        NavTarget::Point(place) => place,
        NavTarget::Entity(entity) => reading.feet(entity).ok_or(TargetFault::Gone(entity))?,
    };
    if !place.is_finite() {
        return Err(TargetFault::NotFinite);
    }
    Ok(Sent { to, point: place })
}
