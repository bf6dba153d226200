//! Provides [`DebugPicture`]: debug drawing as a picture, seen from above.

use nalgebra::Point3;

use surefoot::debug::{DebugColor, DebugDraw};
use surefoot::grid::GridFrame;

use super::canvas::{Canvas, PixelPoint, Stroke};
use super::image::Image;
use super::layout::Zoom;
use super::palette::{INK, PAPER};
use super::text_style::TextStyle;

/// Draws lines, triangles and text of [`surefoot::debug`] onto a picture, seen from above.
///
/// What is drawn later covers what was drawn before, whatever the heights.
///
/// ```
/// use surefoot::debug::{draw_grid, draw_verdicts};
/// use surefoot::{NavGrid, View};
/// use surefoot_draw::DebugPicture;
/// let grid = NavGrid::from_map("type octile\nheight 1\nwidth 3\nmap\n...\n", 1.0, &[])?;
/// let view = View::new(&grid, "human")?;
/// let mut picture = DebugPicture::new(grid.frame());
/// draw_verdicts(&view, grid.frame(), &mut picture);
/// draw_grid(&view, grid.frame(), &mut picture);
/// assert!(!picture.into_image().to_png()?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DebugPicture {
    canvas: Canvas,
}

/// Width of lines [pixels].
const LINE_WIDTH: f32 = 2.0;
/// Height of text [pixels].
const TEXT_SIZE: f32 = 15.0;

impl DebugPicture {
    /// An empty picture of a part of a grid; `grid.frame()` is the whole grid. Its long side has
    /// about 1400 pixels, at most 48 for each cell.
    pub fn new(part: &GridFrame) -> Self {
        let zoom = Zoom::of(part.size_x.max(part.size_z));
        let pixels = |cells: u32| cells.div_ceil(zoom.cells) * zoom.pixels;
        let image = Image::new(pixels(part.size_x), pixels(part.size_z), PAPER);
        DebugPicture { canvas: Canvas::new(image, zoom.transform(part, PixelPoint::origin())) }
    }

    /// The finished picture.
    pub fn into_image(self) -> Image {
        self.canvas.into_image()
    }
}

impl DebugDraw for DebugPicture {
    fn line(&mut self, from: Point3<f32>, to: Point3<f32>, color: DebugColor) {
        let [from, to] = [from, to].map(|point| self.canvas.transform().to_pixels(point));
        self.canvas.line(from, to, Stroke { color: color.rgb(), width: LINE_WIDTH });
    }

    fn triangle(&mut self, corners: [Point3<f32>; 3], color: DebugColor) {
        let corners = corners.map(|corner| self.canvas.transform().to_pixels(corner));
        self.canvas.triangle(corners, color.rgb());
    }

    fn text(&mut self, at: Point3<f32>, text: &str) {
        let at = self.canvas.transform().to_pixels(at);
        self.canvas.text(at, text, TextStyle::new(TEXT_SIZE, INK).halo(PAPER));
    }
}

#[cfg(test)]
mod tests {
    use surefoot::NavGrid;
    use surefoot::debug::{draw_corridor, draw_path, draw_verdicts};
    use surefoot::grid::Verdict;
    use surefoot::navigator::Navigator;
    use surefoot::search::Query;

    use super::*;

    #[test]
    fn floors_corridors_and_paths_lie_over_each_other() {
        let map = "type octile\nheight 3\nwidth 5\nmap\n.....\n.....\n.....\n";
        let grid = NavGrid::from_map(map, 1.0, &[]).expect("a map");
        let mut nav = Navigator::new(grid.clone(), "human").expect("there");
        nav.begin_search(&Query::new([0.5, 0.0, 1.5], [4.5, 0.0, 1.5]));
        nav.advance(u32::MAX);
        let path = nav.finish().path().expect("a path").clone();
        let mut picture = DebugPicture::new(grid.frame());
        draw_verdicts(nav.view(), grid.frame(), &mut picture);
        draw_corridor(nav.view(), nav.corridor(), &mut picture);
        draw_path(&path, &mut picture);
        let transform = *picture.canvas.transform();
        let image = picture.into_image();
        let color = |x: f32, z: f32| {
            let at = transform.to_pixels([x, 0.0, z]);
            image.pixel(at.x as u32, at.y as u32)
        };
        assert_eq!(color(2.3, 0.4), Some(DebugColor::Verdict(Verdict::Walkable).rgb()));
        assert_eq!(color(2.3, 1.2), Some(DebugColor::Corridor.rgb()));
        assert_eq!(color(2.3, 1.5), Some(DebugColor::Path.rgb()));
    }
}
