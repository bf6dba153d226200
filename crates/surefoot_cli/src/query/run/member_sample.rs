//! Provides [`MemberSample`]: what is known of a member at one sample.

use nalgebra::Point3;
use surefoot::crowd::Member;
use surefoot::follow::FollowState;

/// The position and state of a member.
#[derive(Clone, Copy, Debug)]
pub struct MemberSample {
    /// The position of its feet [m].
    pub position: Point3<f32>,
    pub state: FollowState,
}

impl MemberSample {
    pub fn of(member: &Member) -> Self {
        MemberSample { position: member.position(), state: member.state() }
    }

    pub fn is_on_link(&self) -> bool {
        matches!(self.state, FollowState::OnLink { .. })
    }
}
