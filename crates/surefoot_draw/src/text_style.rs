//! Text: one proportional typeface, set on a base line.
//!
//! The face comes with the crate, so a picture looks the same on every machine. Characters it does
//! not have are set as a box.

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};

use super::canvas::PixelPoint;
use super::palette::Rgb;

/// How a line of text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    /// Height of the line [pixels, > 0].
    pub size: f32,
    /// The color of the letters.
    pub color: Rgb,
    /// Whether the letters are heavier.
    pub bold: bool,
    /// Which end of the text stays at its point.
    pub align: Align,
    /// The color of a halo round the letters, which keeps them legible over a map.
    pub halo: Option<Rgb>,
}

/// Which end of a text stays at its point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// The left end.
    #[default]
    Left,
    /// The middle.
    Center,
    /// The right end.
    Right,
}

impl TextStyle {
    /// Plain letters that start at their point.
    pub const fn new(size: f32, color: Rgb) -> Self {
        TextStyle { size, color, bold: false, align: Align::Left, halo: None }
    }

    /// The same, heavier.
    pub const fn bold(self) -> Self {
        TextStyle { bold: true, ..self }
    }

    /// The same, aligned to another end.
    pub const fn aligned(self, align: Align) -> Self {
        TextStyle { align, ..self }
    }

    /// The same with a halo.
    pub const fn halo(self, color: Rgb) -> Self {
        TextStyle { halo: Some(color), ..self }
    }
}

/// The face all text is set in; without one nothing is set.
pub(super) struct Typeface(Option<FontRef<'static>>);

/// A color to be blended into a pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dab {
    /// Column and row.
    pub at: [i64; 2],
    pub color: Rgb,
    /// How much of it [0..=1].
    pub cover: f32,
}

/// Heavier letters are set this often, each time a little further right [pixels].
const BOLD_OFFSETS: [f32; 3] = [0.0, 0.35, 0.7];
/// Letters in the halo's color are set all round [pixels].
const HALO_OFFSETS: [(f32, f32); 8] = [
    (-2.0, 0.0),
    (2.0, 0.0),
    (0.0, -2.0),
    (0.0, 2.0),
    (-1.5, -1.5),
    (1.5, -1.5),
    (-1.5, 1.5),
    (1.5, 1.5),
];
/// Light strokes at small sizes cover little of a pixel: their cover is raised to this power.
const STROKE_GAIN: f32 = 0.62;

impl Typeface {
    pub(super) fn load() -> Self {
        Typeface(FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok())
    }

    pub(super) fn width(&self, text: &str, style: &TextStyle) -> f32 {
        self.glyphs(text, style.size).1 + if style.bold { BOLD_OFFSETS[2] } else { 0.0 }
    }

    /// The dabs of a line of text, in the order in which they are blended.
    pub(super) fn set(&self, at: PixelPoint, text: &str, style: &TextStyle) -> Vec<Dab> {
        let share = match style.align {
            Align::Left => 0.0,
            Align::Center => 0.5,
            Align::Right => 1.0,
        };
        let left = PixelPoint::new((at.x - share * self.width(text, style)).round(), at.y.round());
        let mut dabs = Vec::new();
        if let Some(color) = style.halo {
            for (x, y) in HALO_OFFSETS {
                let at = PixelPoint::new(left.x + x, left.y + y);
                dabs.extend(self.set_once(at, text, &TextStyle { color, ..*style }));
            }
        }
        let offsets = if style.bold { &BOLD_OFFSETS[..] } else { &BOLD_OFFSETS[..1] };
        for offset in offsets {
            dabs.extend(self.set_once(PixelPoint::new(left.x + offset, left.y), text, style));
        }
        dabs
    }

    fn set_once(&self, at: PixelPoint, text: &str, style: &TextStyle) -> Vec<Dab> {
        let mut dabs = Vec::new();
        let Some(font) = &self.0 else { return dabs };
        for (id, x) in self.glyphs(text, style.size).0 {
            let glyph = id.with_scale_and_position(style.size, point(at.x + x, at.y));
            let Some(outline) = font.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, cover| {
                let at = [corner.x as i64 + i64::from(x), corner.y as i64 + i64::from(y)];
                dabs.push(Dab { at, color: style.color, cover: cover.powf(STROKE_GAIN) });
            });
        }
        dabs
    }

    /// The glyphs of a text with their offsets, and its width [pixels].
    fn glyphs(&self, text: &str, size: f32) -> (Vec<(GlyphId, f32)>, f32) {
        let Some(font) = &self.0 else { return (Vec::new(), 0.0) };
        let font = font.as_scaled(PxScale::from(size));
        let mut pen = 0.0;
        let mut previous = None;
        let mut glyphs = Vec::new();
        for letter in text.chars().filter(|letter| !letter.is_control()) {
            let id = font.glyph_id(letter);
            pen += previous.map_or(0.0, |previous| font.kern(previous, id));
            glyphs.push((id, pen));
            pen += font.h_advance(id);
            previous = Some(id);
        }
        (glyphs, pen)
    }
}
