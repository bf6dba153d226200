//! Provides [`Animation`]: pictures that follow each other in one PNG file.
//!
//! Each frame stores only the rectangle that differs from the one before, and in it only the
//! pixels that differ; the rest is transparent and costs next to nothing.
//! Based on: "APNG specification", Parmenter, Vukicevic and Smith, 2004.

use std::io::Write;
use std::path::Path;

use super::image::{DrawError, Image};
use surefoot::Cancelled;
use surefoot::grid::replace_file;

/// An animated PNG file, encoded. Viewers that do not animate show its first frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Animation {
    bytes: Vec<u8>,
    frames: u32,
}

/// How many frames there are, and how long each but the last is shown, and the last [ms].
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameTiming {
    pub frames: u32,
    pub each: u16,
    pub last: u16,
}

/// A part of an image, in pixels.
#[derive(Clone, Copy)]
struct FrameRect {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

impl Animation {
    /// Encodes the frames that `frame` draws, all of one size; it is asked for each once, in order.
    ///
    /// # Errors
    /// What the encoder reports.
    pub(super) fn of(
        timing: FrameTiming,
        mut frame: impl FnMut(u32) -> Result<Image, Cancelled>,
    ) -> Result<Self, DrawError> {
        let mut before = frame(0)?;
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, before.width(), before.height());
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        encoder.set_filter(png::Filter::Adaptive);
        encoder.set_animated(timing.frames.max(1), 0)?;
        encoder.set_frame_delay(timing.delay(0), 1000)?;
        let mut writer = encoder.write_header()?;
        let first = FramePair { before: None, next: &before };
        writer.write_image_data(&first.changes(before.whole()))?;
        for at in 1..timing.frames {
            let next = frame(at)?;
            let part = changed(&before, &next);
            writer.set_frame_delay(timing.delay(at), 1000)?;
            write_part(&mut writer, FramePair { before: Some(&before), next: &next }, part)?;
            before = next;
        }
        writer.finish()?;
        Ok(Animation { bytes, frames: timing.frames.max(1) })
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of frames.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Writes the file, replacing what is there in one step.
    ///
    /// # Errors
    /// Where the file cannot be written; it names the path.
    pub fn save(&self, path: &Path) -> Result<(), DrawError> {
        replace_file(path, &self.bytes)
            .map_err(|source| DrawError::Save { path: path.into(), source })
    }
}

impl FrameTiming {
    fn delay(self, frame: u32) -> u16 {
        if frame + 1 >= self.frames { self.last } else { self.each }
    }
}

impl Image {
    fn whole(&self) -> FrameRect {
        FrameRect { x: 0, y: 0, width: self.width(), height: self.height() }
    }
}

fn write_part<W: Write>(
    writer: &mut png::Writer<W>,
    pair: FramePair,
    part: FrameRect,
) -> Result<(), png::EncodingError> {
    writer.reset_frame_position()?;
    writer.set_frame_dimension(part.width, part.height)?;
    writer.set_frame_position(part.x, part.y)?;
    writer.set_blend_op(png::BlendOp::Over)?;
    writer.write_image_data(&pair.changes(part))
}

/// The rectangle round all pixels that differ; one pixel where none do.
fn changed(before: &Image, next: &Image) -> FrameRect {
    let (width, pixels) = (next.width(), before.pixels().iter().zip(next.pixels()));
    let (mut low, mut high) = ([u32::MAX; 2], [0; 2]);
    for (at, _) in pixels.enumerate().filter(|(_, (one, other))| one != other) {
        let place = [at as u32 % width, at as u32 / width];
        low = [low[0].min(place[0]), low[1].min(place[1])];
        high = [high[0].max(place[0]), high[1].max(place[1])];
    }
    if low[0] == u32::MAX {
        return FrameRect { x: 0, y: 0, width: 1, height: 1 };
    }
    FrameRect { x: low[0], y: low[1], width: high[0] - low[0] + 1, height: high[1] - low[1] + 1 }
}

/// A frame, and the one before it if there is one.
#[derive(Clone, Copy)]
struct FramePair<'a> {
    before: Option<&'a Image>,
    next: &'a Image,
}

impl FramePair<'_> {
    /// The pixels of a part; those that are as before are transparent.
    fn changes(self, part: FrameRect) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(part.width as usize * part.height as usize * 4);
        for y in part.y..part.y + part.height {
            for x in part.x..part.x + part.width {
                let color = self.next.pixel(x, y);
                let same = self.before.is_some_and(|before| before.pixel(x, y) == color);
                let [red, green, blue] = color.unwrap_or_default();
                bytes.extend(if same { [0; 4] } else { [red, green, blue, u8::MAX] });
            }
        }
        bytes
    }
}
