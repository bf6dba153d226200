//! Members on links: the caller takes over a traversal to animate it, and hands it back.

use nalgebra::Point3;

use crate::crowd::member::MemberId;
use crate::follow::{LinkTraversal, Traversal, nearest_ground};
use crate::view::NavPoint;

use super::Crowd;
use super::errors::{TraversalError, UnknownMember};

impl Crowd {
    /// Takes over the traversal of the link that a member is on, to play it as an animation. The crowd
    /// moves the member no more until it is handed back; [`Crowd::put`] says where it is. The others see
    /// it there and keep clear of it, and it counts for the capacity of its link. New goals wait.
    ///
    /// # Errors
    /// The crowd has no such member, or it is on no link.
    pub fn take_over(&mut self, id: MemberId) -> Result<LinkTraversal, TraversalError> {
        let member = self.slot_map.member_mut(id).ok_or(UnknownMember)?;
        let traversal = member.following.take_over().map(|traversal| traversal.pose());
        traversal.ok_or(TraversalError::NotOnLink)
    }

    /// Hands back a member at the end of its link: it goes on from there. Returns where that is [m].
    ///
    /// # Errors
    /// The crowd has no such member, or it is on no link; nothing changes.
    pub fn hand_back_at_end(&mut self, id: MemberId) -> Result<Point3<f32>, TraversalError> {
        let member = self.slot_map.member_mut(id).ok_or(UnknownMember)?;
        let end = member.following.traversal().map(Traversal::end);
        let end = end.ok_or(TraversalError::NotOnLink)?;
        member.following.land();
        (member.at, member.position) = (end, end.point);
        Ok(end.point)
    }

    /// Hands back a member somewhere else, as when something has knocked it off its link. It stands on the
    /// nearest ground then, and goes on from there by another path. Returns where that is [m]. A member
    /// that was not taken over can be handed back as well.
    ///
    /// # Errors
    /// The crowd has no such member, or it is on no link; nothing changes.
    pub fn hand_back(
        &mut self,
        id: MemberId,
        position: impl Into<Point3<f32>>,
    ) -> Result<Point3<f32>, TraversalError> {
        let member = self.slot_map.member_mut(id).ok_or(UnknownMember)?;
        let view = self.views[member.agent.index()].parts();
        let traversal = member.following.traversal().ok_or(TraversalError::NotOnLink)?;
        let ends: [NavPoint; 2] = [traversal.begin(), traversal.end()];
        let ground = nearest_ground(&view, position.into(), ends);
        member.following.interrupt();
        (member.at, member.position) = (ground, ground.point);
        Ok(ground.point)
    }
}
