//! What separates two places, drawn over the ground: the path with relaxed limits, and a number
//! wherever something is in the way.

use surefoot::diagnosis::Separation;
use surefoot::grid::SpanId;
use surefoot::{Cancelled, Observer};

use super::super::canvas::{Canvas, PixelPoint, Stroke};
use super::super::ground::MapText;
use super::super::legend::{LegendBlock, Swatch};
use super::super::palette::{ENDS, INK, PAPER};
use super::super::picture::Picture;
use super::super::text_style::{Align, TextStyle};
use super::super::unobserved;
use super::scene::{PathPicture, PathScene};
use super::{PARTS, legend, lines, title};

/// The legend has room for this many blockers.
const MOST_LISTED: usize = 8;

/// Draws what separates the two ends of a picture: the path on which the least would have to give,
/// dashed, with a number wherever something is in the way. The legend says what.
///
/// The picture is called `why.png`. Paths and what was expanded are drawn as by
/// [`path_picture`](super::path_picture).
pub fn separation_picture(picture: &PathPicture, separation: &Separation) -> Picture {
    unobserved(picture.draw_separation(separation, &()))
}

impl PathPicture<'_> {
    /// Draws as [`separation_picture`] does, with an observer.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer says so.
    pub fn draw_separation(
        &self,
        separation: &Separation,
        observer: &dyn Observer,
    ) -> Result<Picture, Cancelled> {
        let track = separation.track.iter().map(|point| point.span);
        let shown: Vec<SpanId> = self.expanded.iter().copied().chain(track).collect();
        // The map is cropped to what was expanded; the track has to be on it, too.
        let wide = PathPicture { expanded: &shown, ..*self };
        let scene = PathScene::new(&wide, observer)?;
        observer.parts_done(1, PARTS);
        let mut blocks = legend::blocks(&PathScene::new(self, observer)?, observer)?;
        observer.parts_done(2, PARTS);
        blocks.insert(0, block(separation));
        let text = MapText { title: title(&scene), line: legend::summary_line(self), blocks };
        let mut canvas = scene.ground.draw(text, &scene.expansion(self.expanded), observer)?;
        observer.parts_done(PARTS, PARTS);
        draw_track(&mut canvas, separation);
        lines::draw(&mut canvas, &scene);
        draw_blockers(&mut canvas, separation);
        Ok(Picture::new("why.png", canvas))
    }
}

fn block(separation: &Separation) -> LegendBlock {
    let mut block = LegendBlock::new("In the way");
    if !separation.track.is_empty() {
        block.row(Swatch::Dashes(ENDS[1]), "path with limits relaxed", String::new());
    }
    if separation.blockers.is_empty() {
        block.note(&separation.to_string());
    }
    for (number, blocker) in (1..).zip(&separation.blockers).take(MOST_LISTED) {
        block.note(&format!("{number}  {blocker}"));
    }
    block
}

fn draw_track(canvas: &mut Canvas, separation: &Separation) {
    let place = |point: &surefoot::view::NavPoint| canvas.transform().to_pixels(point.point);
    let track: Vec<PixelPoint> = separation.track.iter().map(place).collect();
    canvas.dashes(&track, 10.0, Stroke { color: PAPER, width: 5.0 });
    canvas.dashes(&track, 10.0, Stroke { color: ENDS[1], width: 2.5 });
}

fn draw_blockers(canvas: &mut Canvas, separation: &Separation) {
    let style = TextStyle::new(14.0, PAPER).bold().aligned(Align::Center);
    for (number, blocker) in (1..).zip(&separation.blockers) {
        let at = canvas.transform().to_pixels(blocker.at);
        canvas.disc(at, 11.0, PAPER);
        canvas.disc(at, 9.5, INK);
        canvas.text(PixelPoint::new(at.x, at.y + 5.0), &number.to_string(), style);
    }
}
