//! Changes at run time: obstacles, more expensive ground, links. Members whose path is cut find
//! another.

use std::sync::Arc;

use crate::grid::AreaId;
use crate::view::{Obstacle, ObstacleError, ObstacleId, OtherGrid, Overlay, OverlayError, View};

use super::Crowd;

impl Crowd {
    /// Returns the run-time changes over the grid.
    pub fn overlay(&self) -> &Arc<Overlay> {
        &self.overlay
    }

    /// Places an obstacle, see [`Overlay::block`].
    ///
    /// # Errors
    /// The obstacle has no shape: numbers that are not finite, negative sizes, or fewer than three
    /// corners.
    pub fn block(&mut self, obstacle: Obstacle) -> Result<ObstacleId, ObstacleError> {
        self.change_overlay(|overlay| overlay.block(obstacle))
    }

    /// Removes an obstacle. Returns false if there is none of that id.
    pub fn unblock(&mut self, id: ObstacleId) -> bool {
        self.change_overlay(|overlay| overlay.unblock(id))
    }

    /// Sets the cost factor of an area [> 0, finite].
    ///
    /// # Errors
    /// There is no such area, or the factor is out of its limits.
    pub fn set_factor(&mut self, area: AreaId, factor: f32) -> Result<(), OverlayError> {
        self.change_overlay(|overlay| overlay.set_factor(area, factor))
    }

    /// Opens or closes a link, by its index in the grid.
    ///
    /// # Errors
    /// There is no such link.
    pub fn set_link_open(&mut self, link: usize, open: bool) -> Result<(), OverlayError> {
        self.change_overlay(|overlay| overlay.set_link_open(link, open))
    }

    /// Tells where a link that moves is now, see [`Overlay::set_link_stop`].
    ///
    /// # Errors
    /// There is no such link, it does not move, or it has no such stop.
    pub fn set_link_stop(&mut self, link: usize, stop: Option<u32>) -> Result<(), OverlayError> {
        self.change_overlay(|overlay| overlay.set_link_stop(link, stop))
    }

    /// Replaces the overlay.
    ///
    /// # Errors
    /// The overlay was made for another grid; nothing changes.
    pub fn set_overlay(&mut self, overlay: Arc<Overlay>) -> Result<(), OtherGrid> {
        if !overlay.fits(&self.grid) {
            return Err(OtherGrid);
        }
        for (nav, view) in self.navigators.iter_mut().zip(&mut self.views) {
            nav.set_overlay(overlay.clone())?;
            *view = nav.view().clone();
        }
        self.overlay = overlay;
        Ok(())
    }

    fn change_overlay<R>(&mut self, change: impl FnOnce(&mut Overlay) -> R) -> R {
        let empty = Arc::new(Overlay::new(&self.grid));
        let mut overlay = std::mem::replace(&mut self.overlay, empty);
        // All other references are dropped while the overlay changes, or it would be copied.
        self.navigators.iter_mut().for_each(|nav| nav.release_overlay());
        self.views.iter_mut().for_each(View::release_overlay);
        let result = change(Arc::make_mut(&mut overlay));
        let fits = self.set_overlay(overlay);
        debug_assert!(fits.is_ok(), "the overlay is the crowd's own");
        result
    }
}
