//! Pictures of a run: the tracks of many bodies over the relief of a grid.
//!
//! The color of a line shows when a body was there, its strength how many were: where
//! tracks lie over each other they blend into one flow ([`tally`]), so that thousands read as well as
//! one. Over each cell the highest floor is shown that a body walks on
//! ([`super::ground`]); tracks beneath it are dashed.

mod legend;
mod lines;
mod marks;
mod scene;
mod tally;
#[cfg(test)]
mod tests;

use surefoot::{Cancelled, Observer};

use super::ground::MapText;
use super::picture::Picture;
use super::unobserved;

use lines::TrackLines;
use scene::TrackScene;
pub use scene::{Track, TrackPicture};

/// Draws tracks over the relief, cropped to what there is to see.
///
/// The picture is called `tracks.png`. Bodies are as large as they are, but large enough to be
/// seen; those beneath a floor that another body walks on are hollow. Where tracks lie over each
/// other, the color is that of their mean time. It also works without tracks: then it shows the
/// ground.
pub fn track_picture(picture: &TrackPicture) -> Picture {
    unobserved(picture.draw(&()))
}

impl TrackPicture<'_> {
    /// Draws as [`track_picture`] does, with an observer.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer says so.
    pub fn draw(&self, observer: &dyn Observer) -> Result<Picture, Cancelled> {
        let scene = TrackScene::new(self, observer)?;
        let lines = TrackLines::of(&scene, observer)?;
        let text = MapText {
            title: scene.title(),
            line: scene.line(),
            blocks: legend::blocks(&scene, &lines, observer)?,
        };
        let mut canvas = scene.ground.draw(text, &scene.ground, observer)?;
        lines.draw(&mut canvas);
        marks::draw(&mut canvas, &scene);
        Ok(Picture::new("tracks.png", canvas))
    }
}
