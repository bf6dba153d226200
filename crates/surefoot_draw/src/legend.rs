//! The legend: blocks of rows, each a swatch, a name and a number.

use super::area_style::AreaStyle;
use super::arrows::arrow_head;
use super::canvas::{Canvas, PixelPoint, Rect, Stroke};
use super::marks::{ChangeMark, EndMark, TrackEnd, draw_start};
use super::palette::{DEAD_LINK, FAINT_INK, HAIRLINE, INK, LINK, Rgb};
use super::text_style::{Align, TextStyle};

/// A titled part of the legend.
#[derive(Clone, Debug)]
pub(super) struct LegendBlock {
    pub title: String,
    pub rows: Vec<LegendRow>,
}

/// A line of a block.
#[derive(Clone, Debug)]
pub(super) struct LegendRow {
    pub swatch: Swatch,
    pub label: String,
    pub value: String,
}

/// What a row shows at its left.
#[derive(Clone, Debug)]
pub(super) enum Swatch {
    /// Nothing; the label starts at the left.
    Blank,
    /// A color, or several side by side.
    Tints(Vec<Rgb>),
    /// A color with the number that stands on the map.
    Numbered(Rgb, usize),
    /// A kind of ground over a color.
    Ground(Rgb, AreaStyle),
    /// A link the agent can or cannot take.
    Link { live: bool },
    /// A path as it is drawn over the map.
    Path(Rgb),
    /// A dashed line.
    Dashes(Rgb),
    /// The start or the goal of a path.
    End(EndMark),
    /// Where the body of a track starts.
    TrackStart,
    /// How the track of a body ends.
    TrackEnd(TrackEnd),
    /// Ground that changed.
    Changed(ChangeMark),
    /// The colors of a scale over the whole width, between two labels.
    Scale(ColorScale),
}

/// Colors that change evenly from one share to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColorScale {
    /// The color of a share.
    pub color: fn(f32) -> Rgb,
    /// The shares at the left and at the right end.
    pub shares: [f32; 2],
}

/// Width of the legend [pixels].
pub(super) const WIDTH: i64 = 352;
const ROW: i64 = 25;
const TITLE: i64 = 34;
const AFTER: i64 = 20;
const SWATCH: Rect = Rect { x: 0, y: 0, width: 32, height: 17 };

impl LegendBlock {
    pub(super) fn new(title: impl Into<String>) -> Self {
        LegendBlock { title: title.into(), rows: Vec::new() }
    }

    pub(super) fn row(&mut self, swatch: Swatch, label: impl Into<String>, value: String) {
        self.rows.push(LegendRow { swatch, label: label.into(), value });
    }

    /// A line of text, broken where it would be too long.
    pub(super) fn note(&mut self, text: &str) {
        let mut line = String::new();
        for word in text.split(' ') {
            if !line.is_empty() && line.chars().count() + word.chars().count() >= NOTE_LETTERS {
                self.row(Swatch::Blank, std::mem::take(&mut line), String::new());
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.row(Swatch::Blank, line, String::new());
    }

    /// Its height, with the space after it [pixels].
    pub(super) fn height(&self) -> i64 {
        TITLE + ROW * self.rows.len() as i64 + AFTER
    }

    /// Draws it with its top left corner at a pixel.
    pub(super) fn draw(&self, canvas: &mut Canvas, [x, y]: [i64; 2]) {
        let heading = TextStyle::new(17.0, INK).bold();
        canvas.text(pixel_point(x, y + 18), &self.title, heading);
        canvas.fill(Rect { x, y: y + 26, width: WIDTH, height: 1 }, HAIRLINE);
        for (at, row) in self.rows.iter().enumerate() {
            row.draw(canvas, [x, y + TITLE + ROW * at as i64]);
        }
    }
}

/// About as many letters as fit on a line of a note.
const NOTE_LETTERS: usize = 47;

impl LegendRow {
    fn draw(&self, canvas: &mut Canvas, [x, y]: [i64; 2]) {
        let base = y + 15;
        let value = TextStyle::new(16.0, INK).aligned(Align::Right);
        if let Swatch::Scale(scale) = self.swatch {
            return self.draw_scale(canvas, [x, y], scale);
        }
        let blank = matches!(self.swatch, Swatch::Blank);
        let left = if blank { x } else { x + SWATCH.width + 12 };
        let room = (WIDTH - (left - x)) as f32 - canvas.text_width(&self.value, value) - 8.0;
        let color = if blank && self.value.is_empty() { FAINT_INK } else { INK };
        let style = TextStyle::new(16.0, color);
        let label = canvas.shortened(&self.label, style, room);
        canvas.text(pixel_point(left, base), &label, style);
        canvas.text(pixel_point(x + WIDTH, base), &self.value, value);
        let rect = Rect { x, y: y + 1, ..SWATCH };
        self.swatch.draw(canvas, rect);
    }

    fn draw_scale(&self, canvas: &mut Canvas, [x, y]: [i64; 2], scale: ColorScale) {
        let ColorScale { color, shares: [first, last] } = scale;
        let style = TextStyle::new(16.0, INK);
        let (low, high) =
            (canvas.text_width(&self.label, style), canvas.text_width(&self.value, style));
        let start = x + low.ceil() as i64 + 10;
        let end = x + WIDTH - high.ceil() as i64 - 10;
        for at in start..end {
            let along = (at - start) as f32 / (end - start).max(1) as f32;
            let share = first + (last - first) * along;
            canvas.fill(Rect { x: at, y: y + 1, width: 1, height: SWATCH.height }, color(share));
        }
        let bar = Rect { x: start, y: y + 1, width: end - start, height: SWATCH.height };
        canvas.frame(bar, FAINT_INK);
        canvas.text(pixel_point(x, y + 15), &self.label, style);
        canvas.text(pixel_point(x + WIDTH, y + 15), &self.value, style.aligned(Align::Right));
    }
}

impl Swatch {
    fn draw(&self, canvas: &mut Canvas, rect: Rect) {
        let Rect { x, y, width, height } = rect;
        let middle = PixelPoint::new(x as f32 + width as f32 / 2.0, y as f32 + height as f32 / 2.0);
        match *self {
            Swatch::Blank | Swatch::Scale(..) => {}
            Swatch::Tints(ref tints) => stripes(canvas, rect, tints),
            Swatch::Numbered(tint, number) => {
                stripes(canvas, rect, &[tint]);
                let digits = TextStyle::new(15.0, INK).bold().aligned(Align::Center);
                let at = PixelPoint::new(middle.x, middle.y + 5.0);
                canvas.text(at, &number.to_string(), digits);
            }
            Swatch::Ground(tint, print) => {
                for at in (0..width * height).map(|at| [at % width, at / width]) {
                    let color = print.over(tint, at);
                    canvas.blend([x + at[0], y + at[1]], color, 1.0);
                }
                canvas.frame(rect, FAINT_INK);
            }
            Swatch::Path(color) => {
                let ends = [
                    PixelPoint::new(x as f32 + 2.0, middle.y),
                    PixelPoint::new((x + width) as f32 - 2.0, middle.y),
                ];
                canvas.polyline(&ends, Stroke { color, width: 5.0 });
            }
            Swatch::Dashes(color) => {
                let ends = [
                    PixelPoint::new(x as f32 + 3.0, middle.y),
                    PixelPoint::new((x + width) as f32, middle.y),
                ];
                canvas.dashes(&ends, 9.0, Stroke { color, width: 2.0 });
            }
            Swatch::Changed(mark) => {
                for at in (0..width * height).map(|at| [x + at % width, y + at / width]) {
                    canvas.blend(at, mark.shade(at), 1.0);
                }
                canvas.frame(rect, mark.outline());
            }
            Swatch::End(end) => end.draw(canvas, middle),
            Swatch::TrackStart => draw_start(canvas, middle, 2.5),
            Swatch::TrackEnd(end) => end.draw(canvas, middle, 5.0),
            Swatch::Link { live } => {
                let color = if live { LINK } else { DEAD_LINK };
                let (from, to) = (
                    PixelPoint::new(x as f32 + 2.0, middle.y),
                    PixelPoint::new((x + width) as f32 - 2.0, middle.y),
                );
                canvas.line(from, to, Stroke { color, width: 2.0 });
                canvas.disc(from, 3.5, color);
                arrow_head(canvas, [from, to], color);
            }
        }
    }
}

fn stripes(canvas: &mut Canvas, rect: Rect, tints: &[Rgb]) {
    for x in 0..rect.width {
        let tint = tints[x as usize * tints.len() / rect.width as usize];
        canvas.fill(Rect { x: rect.x + x, width: 1, ..rect }, tint);
    }
    canvas.frame(rect, FAINT_INK);
}

fn pixel_point(x: i64, y: i64) -> PixelPoint {
    PixelPoint::new(x as f32, y as f32)
}
