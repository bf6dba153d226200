//! Changes at run time: obstacles, more expensive ground, links, another cost model.

use std::sync::Arc;

use crate::cost::SharedModel;
use crate::grid::AreaId;
use crate::view::{Obstacle, ObstacleError, ObstacleId, OtherGrid, Overlay, OverlayError};

use super::{Navigator, NavigatorModel};

impl Navigator {
    /// The run-time changes over the grid.
    pub fn overlay(&self) -> &Arc<Overlay> {
        &self.overlay
    }

    /// Places an obstacle, see [`Overlay::block`].
    ///
    /// # Errors
    /// Not a shape: numbers that are not finite, negative sizes, or fewer than three corners.
    pub fn block(&mut self, obstacle: Obstacle) -> Result<ObstacleId, ObstacleError> {
        self.change(|overlay| overlay.block(obstacle))
    }

    /// Removes an obstacle; false if there is none of that id.
    pub fn unblock(&mut self, id: ObstacleId) -> bool {
        self.change(|overlay| overlay.unblock(id))
    }

    /// Sets the cost factor of an area [> 0, finite].
    ///
    /// # Errors
    /// There is no such area, or the factor is out of its limits.
    pub fn set_factor(&mut self, area: AreaId, factor: f32) -> Result<(), OverlayError> {
        self.change(|overlay| overlay.set_factor(area, factor))
    }

    /// Opens or closes a link, by its index in the grid.
    ///
    /// # Errors
    /// There is no such link.
    pub fn set_link_open(&mut self, link: usize, open: bool) -> Result<(), OverlayError> {
        self.change(|overlay| overlay.set_link_open(link, open))
    }

    /// Tells where a link that moves is now, see [`Overlay::set_link_stop`].
    ///
    /// # Errors
    /// There is no such link, it does not move, or it has no such stop.
    pub fn set_link_stop(&mut self, link: usize, stop: Option<u32>) -> Result<(), OverlayError> {
        self.change(|overlay| overlay.set_link_stop(link, stop))
    }

    /// Shows the changes of another overlay, such as one that several navigators share.
    ///
    /// # Errors
    /// It was made for another grid.
    pub fn set_overlay(&mut self, overlay: Arc<Overlay>) -> Result<(), OtherGrid> {
        self.view = self.view.with_overlay(overlay.clone())?;
        self.overlay = overlay;
        Ok(())
    }

    /// Counts costs by another model from now on. Routes are prepared again.
    pub fn set_model(&mut self, model: impl NavigatorModel) {
        self.search.release_view(&self.model);
        self.model = SharedModel::new(model);
        self.fields.clear();
        if let Some(routes) = &mut self.routes {
            routes.price_again(&self.view, &self.model);
        }
    }

    /// Gives up the overlay, so that whoever shares it can change it without a copy. It has to be set
    /// again afterwards.
    pub(crate) fn release_overlay(&mut self) {
        self.search.release_view(&self.model);
        self.view.release_overlay();
        self.overlay = Arc::new(Overlay::new(self.view.grid()));
    }

    fn change<R>(&mut self, change: impl FnOnce(&mut Overlay) -> R) -> R {
        let mut overlay = self.overlay.clone();
        self.release_overlay();
        let result = change(Arc::make_mut(&mut overlay));
        let fits = self.set_overlay(overlay);
        debug_assert!(fits.is_ok(), "the overlay is the navigator's own");
        result
    }
}
