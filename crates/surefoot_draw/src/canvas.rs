//! Provides [`Canvas`]: an image to draw on, in pixels or in metres of the world.
//!
//! Pixels are squares: pixel (0, 0) covers `[0, 1) x [0, 1)` and is sampled at (0.5, 0.5). Every
//! shape is antialiased: a pixel takes as much of the color as the shape covers of it.

use std::ops::Range;

use nalgebra::{Point2, Point3, distance};

use super::image::Image;
use super::palette::{Rgb, mix};
use super::text_style::{Dab, TextStyle, Typeface};

/// A point on the canvas, from its top left [pixels].
pub type PixelPoint = Point2<f32>;

/// How the world lies on the canvas: seen from above, x to the right, z downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapTransform {
    /// The point of the world (x, z) at the map's top left corner [m].
    pub origin: [f32; 2],
    /// Where that corner is.
    pub corner: PixelPoint,
    /// Pixels to the metre [> 0].
    pub scale: f32,
}

impl MapTransform {
    /// Returns where a point of the world is on the canvas.
    pub fn to_pixels(&self, point: impl Into<Point3<f32>>) -> PixelPoint {
        let point = point.into();
        let x = (point.x - self.origin[0]) * self.scale;
        let y = (point.z - self.origin[1]) * self.scale;
        PixelPoint::new(self.corner.x + x, self.corner.y + y)
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its color.
    pub color: Rgb,
    /// Its width [pixels, > 0].
    pub width: f32,
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Its left edge.
    pub x: i64,
    /// Its upper edge.
    pub y: i64,
    /// Pixels along x.
    pub width: i64,
    /// Pixels along y.
    pub height: i64,
}

/// An image to draw on, in pixels or, through its transform, in metres of the world.
pub struct Canvas {
    image: Image,
    transform: MapTransform,
    typeface: Typeface,
}

impl Canvas {
    /// A canvas over an image.
    pub fn new(image: Image, transform: MapTransform) -> Self {
        Canvas { image, transform, typeface: Typeface::load() }
    }

    /// How the world lies on it.
    pub fn transform(&self) -> &MapTransform {
        &self.transform
    }

    /// What has been drawn so far.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// The finished picture.
    pub fn into_image(self) -> Image {
        self.image
    }

    /// Blends a color into a pixel; `cover` from 0, nothing, to 1, all of it. Pixels outside are left
    /// out.
    pub fn blend(&mut self, [x, y]: [i64; 2], color: Rgb, cover: f32) {
        if let Some(pixel) = self.image.pixel_mut(x, y) {
            *pixel = mix(*pixel, color, cover);
        }
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, rect: Rect, color: Rgb) {
        for y in rect.y..rect.y + rect.height {
            for x in rect.x..rect.x + rect.width {
                self.blend([x, y], color, 1.0);
            }
        }
    }

    /// Draws the border of a rectangle, one pixel wide, inside it.
    pub fn frame(&mut self, rect: Rect, color: Rgb) {
        let Rect { x, y, width, height } = rect;
        self.fill(Rect { height: 1, ..rect }, color);
        self.fill(Rect { y: y + height - 1, height: 1, ..rect }, color);
        self.fill(Rect { width: 1, ..rect }, color);
        self.fill(Rect { x: x + width - 1, width: 1, ..rect }, color);
    }

    /// Draws a straight line with round ends.
    pub fn line(&mut self, from: PixelPoint, to: PixelPoint, stroke: Stroke) {
        let (width, height) = (self.image.width().into(), self.image.height().into());
        let all = Rect { x: 0, y: 0, width, height };
        for CoveredPixel { at, cover } in line_cover([from, to], stroke.width, all) {
            self.blend(at, stroke.color, cover);
        }
    }

    /// Draws straight lines from each point to the next.
    pub fn polyline(&mut self, places: &[PixelPoint], stroke: Stroke) {
        for pair in places.windows(2) {
            self.line(pair[0], pair[1], stroke);
        }
    }

    /// Draws dashes along straight lines from each point to the next; a dash and the gap after it
    /// are `period` pixels long [> 0].
    pub fn dashes(&mut self, places: &[PixelPoint], period: f32, stroke: Stroke) {
        let mut gone = 0.0;
        for pair in places.windows(2) {
            for [from, to] in dashes([pair[0], pair[1]], gone, period) {
                self.line(from, to, stroke);
            }
            gone += distance(&pair[0], &pair[1]);
        }
    }

    /// Fills a disc; radius in pixels.
    pub fn disc(&mut self, middle: PixelPoint, radius: f32, color: Rgb) {
        self.line(middle, middle, Stroke { color, width: 2.0 * radius });
    }

    /// Draws a circle; radius in pixels, to the middle of the line.
    pub fn circle(&mut self, middle: PixelPoint, radius: f32, stroke: Stroke) {
        let reach = radius + stroke.width;
        for y in self.rows(middle.y - reach, middle.y + reach) {
            for x in self.columns(middle.x - reach, middle.x + reach) {
                let off = (distance(&center(x, y), &middle) - radius).abs();
                self.blend([x, y], stroke.color, stroke.width / 2.0 + 0.5 - off);
            }
        }
    }

    /// Fills a triangle.
    pub fn triangle(&mut self, corners: [PixelPoint; 3], color: Rgb) {
        let low = corners.iter().fold(corners[0], |low, corner| low.inf(corner));
        let high = corners.iter().fold(corners[0], |high, corner| high.sup(corner));
        for y in self.rows(low.y - 1.0, high.y + 1.0) {
            for x in self.columns(low.x - 1.0, high.x + 1.0) {
                self.blend([x, y], color, depth(corners, center(x, y)) + 0.5);
            }
        }
    }

    /// Writes a line of text; `at` is on its base line, at the end that the style aligns to.
    pub fn text(&mut self, at: PixelPoint, text: &str, style: TextStyle) {
        for Dab { at, color, cover } in self.typeface.set(at, text, &style) {
            self.blend(at, color, cover);
        }
    }

    /// How wide a line of text is [pixels].
    pub fn text_width(&self, text: &str, style: TextStyle) -> f32 {
        self.typeface.width(text, &style)
    }

    /// The text, cut short with an ellipsis if it is wider than the room for it [pixels].
    pub(super) fn shortened(&self, text: &str, style: TextStyle, room: f32) -> String {
        if self.text_width(text, style) <= room {
            return text.to_owned();
        }
        let mut short: Vec<char> = text.chars().take(MAX_LETTERS).collect();
        loop {
            let cut = short.iter().collect::<String>() + "…";
            if short.pop().is_none() || self.text_width(&cut, style) <= room {
                return cut;
            }
        }
    }

    fn rows(&self, top: f32, bottom: f32) -> Range<i64> {
        pixels([top, bottom], 0..i64::from(self.image.height()))
    }

    fn columns(&self, left: f32, right: f32) -> Range<i64> {
        pixels([left, right], 0..i64::from(self.image.width()))
    }
}

/// No line of text is longer than this.
const MAX_LETTERS: usize = 300;

/// A pixel that a shape touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CoveredPixel {
    /// Column and row.
    pub at: [i64; 2],
    /// How much of it the shape covers; less than 0 is nothing, more than 1 is all.
    pub cover: f32,
}

/// The pixels within some bounds that a straight line with round ends touches, and how much of each
/// it covers; less than 0 is nothing.
pub(super) fn line_cover(
    [from, to]: [PixelPoint; 2],
    width: f32,
    bounds: Rect,
) -> impl Iterator<Item = CoveredPixel> {
    let reach = width / 2.0 + 1.0;
    let (top, bottom) = (from.y.min(to.y) - reach, from.y.max(to.y) + reach);
    let rows = pixels([top, bottom], bounds.y..bounds.y + bounds.height);
    rows.flat_map(move |y| {
        let [left, right] = x_range(from, to, [y as f32 + 0.5 - reach, y as f32 + 0.5 + reach]);
        let columns = pixels([left - reach, right + reach], bounds.x..bounds.x + bounds.width);
        columns.map(move |x| {
            let off = distance(&center(x, y), &nearest(from, to, center(x, y)));
            CoveredPixel { at: [x, y], cover: width / 2.0 + 0.5 - off }
        })
    })
}

/// The dashes on a segment that begins `gone` pixels along its line; a dash and the gap after it are
/// `period` pixels long [> 0].
pub(super) fn dashes(
    [from, to]: [PixelPoint; 2],
    gone: f32,
    period: f32,
) -> impl Iterator<Item = [PixelPoint; 2]> {
    let length = distance(&from, &to);
    let along = (to - from) / length.max(1e-6);
    let first = (gone / period).floor() as i64;
    let last = ((gone + length) / period).floor() as i64;
    (first..=last).filter_map(move |dash| {
        let at = |part: f32| (period * (dash as f32 + part) - gone).clamp(0.0, length);
        let (start, end) = (at(0.0), at(DASH));
        (start < end).then(|| [from + along * start, from + along * end])
    })
}

/// The pixels of a range that lie between two points along it.
fn pixels([low, high]: [f32; 2], within: Range<i64>) -> Range<i64> {
    (low.floor() as i64).max(within.start)..(high.ceil() as i64).min(within.end)
}

/// The part of a period that a dash takes; the gap seems longer than it is without round ends.
const DASH: f32 = 0.5;

fn center(x: i64, y: i64) -> PixelPoint {
    PixelPoint::new(x as f32 + 0.5, y as f32 + 0.5)
}

/// The point of a segment nearest to a point.
fn nearest(from: PixelPoint, to: PixelPoint, place: PixelPoint) -> PixelPoint {
    let along = to - from;
    let length = along.norm_squared();
    let share = if length > 0.0 { (place - from).dot(&along) / length } else { 0.0 };
    from + along * share.clamp(0.0, 1.0)
}

/// Least and greatest x of the part of a segment whose y lies in a band.
fn x_range(from: PixelPoint, to: PixelPoint, band: [f32; 2]) -> [f32; 2] {
    let rise = to.y - from.y;
    let at = |y: f32| {
        let share = if rise.abs() > 1e-6 { (y - from.y) / rise } else { 0.0 };
        from.x + (to.x - from.x) * share.clamp(0.0, 1.0)
    };
    if rise.abs() <= 1e-6 {
        return [from.x.min(to.x), from.x.max(to.x)];
    }
    let (a, b) = (at(band[0]), at(band[1]));
    [a.min(b), a.max(b)]
}

/// How far inside a triangle a point is, negative outside [pixels].
fn depth(corners: [PixelPoint; 3], place: PixelPoint) -> f32 {
    let [a, b, c] = corners;
    let turn = (b - a).perp(&(c - a)).signum();
    let inside = |from: PixelPoint, to: PixelPoint| {
        let along = to - from;
        turn * along.perp(&(place - from)) / along.norm().max(1e-6)
    };
    inside(a, b).min(inside(b, c)).min(inside(c, a))
}
