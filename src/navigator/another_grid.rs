//! A navigator goes on to another grid: the next one of a level that changes.

use std::sync::Arc;

use super::{Navigator, NavigatorModel, RepeatedGoal, WallSearch};
use crate::grid::{NavGrid, UnknownAgent};
use crate::path::PathSearch;
use crate::view::{Overlay, View};

impl<M: NavigatorModel> Navigator<M> {
    /// Goes on to another grid, for the agent of the same name: the changes of the overlay hold there,
    /// too, see [`Overlay::over`](crate::view::Overlay::over). A running query is dropped. Routes that
    /// were prepared are prepared again; where that grid cannot be prepared, queries search.
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
        self.search = PathSearch::default();
        self.fields.clear();
        self.repeats = RepeatedGoal::default();
        self.walls = WallSearch::default();
        self.view = view.with_overlay(overlay.clone()).unwrap_or(view);
        self.overlay = overlay;
        if let Some(routes) = self.routes.take() {
            self.prepare_for(routes.rules()).ok();
        }
    }
}
