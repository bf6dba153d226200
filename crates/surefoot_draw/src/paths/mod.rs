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

use super::ground::MapText;
use super::picture::Picture;

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
    let scene = PathScene::new(picture);
    let text = MapText {
        title: title(&scene),
        line: legend::summary_line(picture),
        blocks: legend::blocks(&scene),
    };
    let mut canvas = scene.ground.draw(text, &scene.expansion(picture.expanded));
    lines::draw(&mut canvas, &scene);
    Picture::new("paths.png", canvas)
}

fn title(scene: &PathScene) -> String {
    match (scene.picture.title, scene.picture.paths.len()) {
        ("", 0 | 1) => scene.ground.title("a path"),
        ("", count) => scene.ground.title(&format!("{count} paths")),
        (title, _) => title.to_owned(),
    }
}
