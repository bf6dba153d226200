//! Provides [`Picture`]: a drawn map with its file name.

use super::canvas::{Canvas, MapTransform};
use super::image::Image;

/// A drawn picture and its file name.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// `overview.png`, `<agent>-storey-<k>.png` with k counted from the lowest, 0, `paths.png`
    /// or `tracks.png`.
    pub name: String,
    /// Its pixels.
    pub image: Image,
    /// How the world lies on it; with it a [`Canvas`] can draw over the map.
    pub transform: MapTransform,
}

impl Picture {
    /// A picture with what has been drawn on a canvas.
    pub(super) fn new(name: impl Into<String>, canvas: Canvas) -> Self {
        let transform = *canvas.transform();
        Picture { name: name.into(), image: canvas.into_image(), transform }
    }
}
