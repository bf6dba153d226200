//! A crowd goes on to another grid: the next one of a level that changes.

use std::sync::Arc;

use crate::follow::locate;
use crate::grid::{AgentId, NavGrid};
use crate::navigator::NavigatorModel;
use crate::view::View;

use super::Crowd;
use super::errors::OtherAgents;
use super::jam_resolver::JamResolver;
use super::link_traffic::LinkTraffic;
use super::member::MemberId;
use super::requests::PathRequests;

impl<M: NavigatorModel> Crowd<M> {
    /// Goes on to another grid: every member stands where it stood, or on the nearest ground within two of
    /// its radii, keeps its goal, and finds a path again; one that is over no ground because it is on a link
    /// stands at an end of the link. The changes of the overlay hold there, too, see
    /// [`Overlay::over`](crate::view::Overlay::over). A member without ground near it is removed; returns
    /// the ids of those. O(members), and as [`Navigator::set_grid`](crate::Navigator::set_grid).
    ///
    /// # Errors
    /// The grid has other agents, or the same in another order; nothing changes.
    pub fn set_grid(&mut self, grid: &NavGrid) -> Result<Vec<MemberId>, OtherAgents> {
        let names = |grid: &NavGrid| -> Vec<String> {
            grid.layers().iter().map(|layer| layer.agent.name.clone()).collect()
        };
        if names(grid) != names(&self.grid) {
            return Err(OtherAgents);
        }
        let overlay = Arc::new(self.overlay.over(grid));
        let agents = (0..grid.layers().len() as u16).map(AgentId);
        self.baked = agents.filter_map(|agent| View::new(grid, agent).ok()).collect();
        for (navigator, view) in self.navigators.iter_mut().zip(&self.baked) {
            navigator.go_on_with(view.clone(), overlay.clone());
        }
        self.views = self.navigators.iter().map(|navigator| navigator.view().clone()).collect();
        (self.grid, self.overlay) = (grid.clone(), overlay);
        self.requests = PathRequests::default();
        self.jam_resolver = JamResolver::default();
        self.link_traffic = LinkTraffic::default();
        self.seen.clear();
        Ok(self.stand_again())
    }

    /// Puts every member on the ground under it; returns those that have none, which are removed.
    fn stand_again(&mut self) -> Vec<MemberId> {
        let mut lost = Vec::new();
        for member in self.slot_map.iter_mut() {
            let view = self.views[member.agent.index()].parts();
            let ends = member.following.traversal().map(|own| [own.end(), own.begin()]);
            let ends = ends.into_iter().flatten().map(|end| end.point);
            let mut places = std::iter::once(member.position).chain(ends);
            match places.find_map(|place| locate(&view, None, place).ok()) {
                Some(at) => member.stand_on_another_grid(at.in_room(&view)),
                None => lost.push(member.id),
            }
        }
        for &id in &lost {
            self.slot_map.remove(id);
        }
        lost
    }
}
