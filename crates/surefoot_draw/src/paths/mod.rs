//! Pictures of paths over the relief of a grid.
//!
//! Over each cell the floor is shown that the path leads over, or the one that is connected with
//! it ([`super::ground`]). Where a path leads above itself, its lower part is dashed.

mod expansion_map;
mod film;
mod legend;
mod lines;
mod recording;
mod scene;
mod separation;
#[cfg(test)]
mod tests;

use surefoot::{Cancelled, Observer};

use super::ground::MapText;
use super::picture::Picture;
use super::unobserved;

pub use film::film;
pub use recording::Recording;
use scene::PathScene;
pub use scene::{DrawnPath, PathPicture};
pub use separation::separation_picture;

/// Draws paths over the relief, cropped to what there is to see.
///
/// The picture is called `paths.png`. It also works without a path: then it shows what was expanded
/// and the two ends.
pub fn path_picture(picture: &PathPicture) -> Picture {
    unobserved(picture.draw(&()))
}

/// The work on a picture counts as this many parts, which take about as long: choosing the floors that
/// are shown, the legend, the relief.
const PARTS: usize = 3;

impl PathPicture<'_> {
    /// Draws as [`path_picture`] does, with an observer.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer says so.
    pub fn draw(&self, observer: &dyn Observer) -> Result<Picture, Cancelled> {
        let scene = PathScene::new(self, observer)?;
        observer.parts_done(1, PARTS);
        let text = MapText {
            title: title(&scene),
            line: legend::summary_line(self),
            blocks: legend::blocks(&scene, observer)?,
        };
        observer.parts_done(2, PARTS);
        let mut canvas = scene.ground.draw(text, &scene.expansion(self.expanded), observer)?;
        observer.parts_done(PARTS, PARTS);
        lines::draw(&mut canvas, &scene);
        Ok(Picture::new("paths.png", canvas))
    }
}

fn title(scene: &PathScene) -> String {
    match (scene.picture.title, scene.picture.paths.len()) {
        ("", 0 | 1) => scene.ground.title("a path"),
        ("", count) => scene.ground.title(&format!("{count} paths")),
        (title, _) => title.to_owned(),
    }
}
