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

use super::ground::MapText;
use super::picture::Picture;

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
    let scene = TrackScene::new(picture);
    let lines = TrackLines::of(&scene);
    let text = MapText {
        title: scene.title(),
        line: scene.line(),
        blocks: legend::blocks(&scene, &lines),
    };
    let mut canvas = scene.ground.draw(text, &scene.ground);
    lines.draw(&mut canvas);
    marks::draw(&mut canvas, &scene);
    Picture::new("tracks.png", canvas)
}
