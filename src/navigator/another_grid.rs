//! A navigator goes on to another grid: the next one of a level that changes.

use std::sync::Arc;

use super::{Navigator, RepeatedGoal, WallSearch};
use crate::grid::{NavGrid, UnknownAgent};
use crate::view::{Overlay, View};

impl Navigator {
    /// Goes on to another grid, for the agent of the same name: the changes of the overlay hold there,
    /// too, see [`Overlay::over`](crate::view::Overlay::over). A running query is dropped. Prepared
    /// routes follow: their order is carried over, and costs are computed again only around what changed,
    /// unless so much did that preparing them anew is better; where that grid cannot be prepared, queries
    /// search. O(spans), and the time of an update of routes.
    ///
    /// # Errors
    /// The grid has no such agent; nothing changes.
    pub fn set_grid(&mut self, grid: &NavGrid) -> Result<(), UnknownAgent> {
        let view = View::new(grid, self.view.agent().name.as_str())?;
        self.go_on_with(view, Arc::new(self.overlay.over(grid)));
        Ok(())
    }

    /// Goes on with the view of another grid, and an overlay of it.
    pub(crate) fn go_on_with(&mut self, view: View, overlay: Arc<Overlay>) {
        self.search.forget();
        self.fields.clear();
        self.repeats = RepeatedGoal::default();
        self.walls = WallSearch::default();
        let view = view.with_overlay(overlay.clone()).unwrap_or(view);
        let before = std::mem::replace(&mut self.view, view);
        self.overlay = overlay;
        let routes = self.routes.take();
        self.routes = routes.and_then(|routes| routes.follow([&before, &self.view], &self.model));
    }
}
