//! A search as a film: what it has reached and expanded, step by step, and the path at the end.

use surefoot::grid::{GridFrame, SpanId};
use surefoot::observer::check_cancelled;
use surefoot::{Cancelled, Observer};

use super::super::animation::{Animation, FrameTiming};
use super::super::area_style::area_styles;
use super::super::canvas::{Canvas, MapTransform, PixelPoint, Rect};
use super::super::heights::contour_interval;
use super::super::image::{DrawError, Image};
use super::super::layout::Zoom;
use super::super::paint::{MapArea, MapPaint, paint};
use super::super::palette::{INK, OPEN, PAPER, Rgb, mix, order_tint};
use super::super::relief::{Relief, ReliefWindow};
use super::super::text_style::TextStyle;
use super::expansion_map::ORDER_COVER;
use super::lines;
use super::recording::Recording;
use super::scene::{PathPicture, PathScene};

/// The long side of the map is at most this [pixels].
const LONG_SIDE: u32 = 660;
/// Cells are no larger than this [pixels].
const LARGEST_CELL: u32 = 14;
/// Height of the line of words below the map.
const STRIP: i64 = 34;
/// Narrower maps are put on a sheet as wide as this, for the words.
const MIN_WIDTH: i64 = 420;
/// A long search is shown with several expansions a frame.
const MAX_FRAMES: usize = 120;
/// How long a frame is shown, and the last one [ms].
const FRAME_TIME: u16 = 60;
const LAST_FRAME_TIME: u16 = 3000;

/// Draws a search as an animated PNG that loops: open spans blue, expanded ones from yellow to
/// orange in their order, and the paths of the picture at the end. What the picture itself says was
/// expanded does not count.
///
/// O(frames · pixels); the long side has at most 700 pixels.
///
/// # Errors
/// What the encoder reports.
pub fn film(picture: &PathPicture, recording: &Recording) -> Result<Animation, DrawError> {
    picture.draw_film(recording, &())
}

impl PathPicture<'_> {
    /// Draws as [`film`] does, with an observer. Its parts of the work are the frames.
    ///
    /// # Errors
    /// What the encoder reports, and [`DrawError::Cancelled`] if the observer says so.
    pub fn draw_film(
        &self,
        recording: &Recording,
        observer: &dyn Observer,
    ) -> Result<Animation, DrawError> {
        let all = PathPicture { expanded: recording.expanded(), ..*self };
        let scene = PathScene::new(&all, observer)?;
        let total = recording.expanded().len();
        let stride = total.div_ceil(MAX_FRAMES - 2).max(1);
        // The first frame shows the start, the last one the path.
        let frames = total.div_ceil(stride) as u32 + 2;
        let mut film = Film::new(&scene, recording, observer)?;
        let timing = FrameTiming { frames, each: FRAME_TIME, last: LAST_FRAME_TIME };
        Animation::of(timing, |frame| {
            check_cancelled(observer)?;
            film.advance((frame as usize * stride).min(total));
            observer.parts_done(frame as usize + 1, frames as usize);
            Ok(if frame + 1 == frames { film.last_frame() } else { film.frame() })
        })
    }
}

/// A film while it is being drawn.
struct Film<'a> {
    scene: &'a PathScene<'a>,
    recording: &'a Recording,
    zoom: Zoom,
    transform: MapTransform,
    /// The map before the search.
    ground: Image,
    /// The map as far as the search has gone.
    map: Image,
    /// Spans expanded so far, and spans reached.
    expanded: usize,
    reached: usize,
}

impl<'a> Film<'a> {
    fn new(
        scene: &'a PathScene,
        recording: &'a Recording,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let window = &scene.ground.window;
        let zoom = zoom(window);
        let grid = scene.picture.view.grid();
        let relief = Relief::of(
            grid,
            &scene.expansion(&[]),
            ReliefWindow { frame: window, block: zoom.cells },
            observer,
        )?;
        let side = i64::from(zoom.pixels);
        let (width, height) = (relief.width as i64 * side, relief.height as i64 * side);
        let transform = zoom.transform(window, PixelPoint::origin());
        let blank = Image::new(width.max(MIN_WIDTH) as u32, (height + STRIP) as u32, PAPER);
        let mut canvas = Canvas::new(blank, transform);
        let rect = Rect { x: 0, y: 0, width, height };
        let contours = contour_interval(scene.ground.heights);
        let area = MapArea { rect, zoom: side, pixel: 1.0 / transform.scale, contours };
        let (relief, area_styles) = (&relief, &area_styles(grid.areas()));
        paint(&mut canvas, &MapPaint { relief, area: &area, area_styles, observer })?;
        let ground = canvas.into_image();
        let map = ground.clone();
        Ok(Film { scene, recording, zoom, transform, ground, map, expanded: 0, reached: 0 })
    }

    /// Draws the search up to a number of expanded spans.
    fn advance(&mut self, expanded: usize) {
        let recording = self.recording;
        let reached = recording.reached().partition_point(|(after, _)| *after <= expanded);
        for (_, span) in &recording.reached()[self.reached..reached] {
            self.tint(*span, OPEN);
        }
        let last = recording.expanded().len().saturating_sub(1).max(1) as f32;
        for (at, span) in recording.expanded()[self.expanded..expanded].iter().enumerate() {
            self.tint(*span, order_tint((self.expanded + at) as f32 / last));
        }
        (self.expanded, self.reached) = (expanded, reached);
    }

    /// Lays a color over the ground of a span, where it is shown.
    fn tint(&mut self, span: SpanId, color: Rgb) {
        let scene = self.scene;
        let cell = scene.picture.view.grid().cell_of(span);
        let Some(cell) = cell.filter(|&cell| scene.ground.cutaway.at(cell) == Some(span)) else {
            return;
        };
        let side = i64::from(self.zoom.pixels);
        let dot = |cell: i32, min: i32| i64::from((cell - min) / self.zoom.cells as i32) * side;
        let (left, top) =
            (dot(cell.x, scene.ground.window.min.x), dot(cell.z, scene.ground.window.min.z));
        for (x, y) in (0..side * side).map(|at| (left + at % side, top + at / side)) {
            let ground = self.ground.pixel(x as u32, y as u32);
            if let (Some(pixel), Some(ground)) = (self.map.pixel_mut(x, y), ground) {
                *pixel = mix(ground, color, ORDER_COVER);
            }
        }
    }

    fn frame(&self) -> Image {
        let total = self.recording.expanded().len();
        let mut canvas = Canvas::new(self.map.clone(), self.transform);
        lines::draw_ends(&mut canvas, self.scene);
        self.write(&mut canvas, &format!("{} of {total} spans expanded", self.expanded));
        canvas.into_image()
    }

    fn last_frame(&self) -> Image {
        let mut canvas = Canvas::new(self.map.clone(), self.transform);
        lines::draw(&mut canvas, self.scene);
        let path = self.scene.picture.paths.iter().find_map(|way| way.path);
        let total = self.recording.expanded().len();
        let words = match path {
            Some(path) => {
                let (length, cost) = (path.length(), path.cost());
                format!("{total} spans expanded: {length:.1} m at a cost of {cost:.1}")
            }
            None => format!("{total} spans expanded: no path"),
        };
        self.write(&mut canvas, &words);
        canvas.into_image()
    }

    fn write(&self, canvas: &mut Canvas, words: &str) {
        let image = canvas.image();
        let (width, base) = (i64::from(image.width()), i64::from(image.height()) - STRIP);
        // Marks near the lower edge may reach over it.
        canvas.fill(Rect { x: 0, y: base, width, height: STRIP }, PAPER);
        let style = TextStyle::new(17.0, INK);
        let words = canvas.shortened(words, style, width as f32 - 20.0);
        canvas.text(PixelPoint::new(10.0, base as f32 + 23.0), &words, style);
    }
}

/// The zoom at which a window fits.
fn zoom(window: &GridFrame) -> Zoom {
    let cells = window.size_x.max(window.size_z).max(1);
    Zoom {
        pixels: (LONG_SIDE / cells).clamp(1, LARGEST_CELL),
        cells: cells.div_ceil(LONG_SIDE).max(1),
    }
}
