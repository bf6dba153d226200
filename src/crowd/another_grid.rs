//! A crowd goes on to another grid: the next one of a level that changes, or of a world that streams.

use std::sync::Arc;

use crate::cost::{CostModel, Metric};
use crate::follow::{DesiredVelocity, NextGround, locate};
use crate::grid::{AgentId, NavGrid, NextGrid};
use crate::view::View;

use super::Crowd;
use super::errors::OtherAgents;
use super::jam_resolver::JamResolver;
use super::link_turn::LinkTurn;
use super::member::{Member, MemberId};
use super::turn::Turn;

impl Crowd {
    /// Goes on to another grid. Where the floors under a member are the same, it goes on as if nothing had
    /// happened: along its path, along its link, and in the queue for a path. On other ground it stands where
    /// it stood, or on the nearest ground within two of its radii; one that is over no ground because its link
    /// is gone stands at an end of that.
    ///
    /// A member asks for a path again if
    /// - the ground or a link along its path is gone or cannot be walked any more: it goes on along what is
    ///   left of the path until there is another;
    /// - ground has changed, and a path over that might cost less than its own;
    /// - its path ends short of its goal, or there was none, and there is new ground nearer to the goal, or
    ///   other ground.
    ///
    /// A search that is running begins again. The changes of the overlay hold on the grid, too, see
    /// [`Overlay::over`](crate::view::Overlay::over). A member without ground near it is removed; returns the
    /// ids of those. O(members · length of their paths), and as
    /// [`Navigator::set_grid`](crate::Navigator::set_grid). What changed is found in O(cells + spans) unless
    /// the grid is a window of a [`World`](crate::world::World), which knows it already.
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
        let before = std::mem::replace(&mut self.grid, grid.clone());
        let known: Vec<View> = std::mem::take(&mut self.views);
        self.overlay = Arc::new(self.overlay.over(grid));
        let agents = (0..grid.layers().len() as u16).map(AgentId);
        self.baked = agents.filter_map(|agent| View::new(grid, agent).ok()).collect();
        for (navigator, view) in self.navigators.iter_mut().zip(&self.baked) {
            navigator.go_on_with(view.clone(), self.overlay.clone());
        }
        self.views = self.navigators.iter().map(|navigator| navigator.view().clone()).collect();
        self.requests.begin_again();
        self.seen.clear();
        let next = NextGrid::new(&before, grid);
        self.keep_duties(&next);
        Ok(self.go_on(&next, &known))
    }

    /// Lets members go on making way for each other; if some of their ground is gone, all go their own ways.
    fn keep_duties(&mut self, next: &NextGrid) {
        let mut all = self.jam_resolver.go_on_to_another_grid(next);
        for member in self.slot_map.iter_mut() {
            all &= member.duty.go_on(next);
        }
        if all {
            return;
        }
        self.jam_resolver = JamResolver::default();
        for member in self.slot_map.iter_mut() {
            member.turn = Turn::None;
            member.last_narrow = None;
            if !std::mem::take(&mut member.duty).is_none() {
                member.following.resume();
            }
        }
    }

    /// Puts every member on the ground under it; returns those that have none, which are removed.
    fn go_on(&mut self, next: &NextGrid, known: &[View]) -> Vec<MemberId> {
        let mut lost = Vec::new();
        for (navigator, known) in self.navigators.iter().zip(known) {
            let view = navigator.view().parts();
            let metric = Metric::new(&view, navigator.shared_model(), None, 0);
            let ground = NextGround::new(next, known.stamp(), &metric);
            let is_of_agent = |member: &&mut Member| member.agent == view.agent_id();
            for member in self.slot_map.iter_mut().filter(is_of_agent) {
                if !member.go_on(&ground) {
                    lost.push(member.id);
                }
            }
        }
        lost.sort_unstable();
        for &id in &lost {
            self.slot_map.remove(id);
        }
        lost
    }
}

impl Member {
    /// Goes on to another grid. Returns false if there is no ground near.
    fn go_on<M: CostModel + ?Sized>(&mut self, ground: &NextGround<M>) -> bool {
        let NextGround { next, metric, .. } = ground;
        let ends = self.following.traversal().map(|own| [own.end(), own.begin()]);
        let link_begin = self.following.keep_traversal(next);
        let is_off_link = ends.is_some() && link_begin.is_none();
        let is_same = !is_off_link && next.is_same_along(self.at.place(), self.at.place());
        let same = self.at.on_next(next).filter(|_| is_same);
        let at = match same.or(link_begin) {
            Some(at) => at,
            None => {
                let ends = ends.into_iter().flatten().map(|end| end.point);
                let mut places = std::iter::once(self.position).chain(ends);
                let found = places.find_map(|place| locate(metric.view, None, place).ok());
                let Some(found) = found else { return false };
                let at = found.in_room(metric.view);
                self.position = at.point;
                self.desired = DesiredVelocity::default();
                at
            }
        };
        self.at = at;
        if is_off_link {
            self.link_turn = LinkTurn::default();
            self.following.change_grid();
        } else {
            self.link_turn = self.link_turn.on_next(next);
            self.following.go_on(ground, &at);
        }
        true
    }
}
