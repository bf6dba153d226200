//! Provides [`Image`]: a rectangle of colors, and how it becomes a PNG file.
//!
//! A file is written under another name and then renamed, so that a reader sees the old picture or
//! the new one, never half of one.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::palette::Rgb;
use surefoot::grid::replace_file;
use surefoot::observer::check_cancelled;
use surefoot::{Cancelled, Observer};

/// A picture's pixels, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<Rgb>,
}

/// A picture that could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The folder for the pictures cannot be made.
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file cannot be written; what was there before is untouched.
    #[error("cannot write the picture {}: {source}", path.display())]
    Save {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The observer cancelled the drawing.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Pixels that are not for a file yet cannot be stored as PNG.
    #[error("cannot encode the picture: {0}")]
    Pixels(#[from] png::EncodingError),
    /// The pixels cannot be stored as PNG.
    #[error("cannot encode the picture {}: {source}", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// The encoder's error.
        source: png::EncodingError,
    },
}

/// The observer is asked once for so many pixels.
const PIXELS_PER_LOOK: usize = 1 << 16;

/// A keyword of the PNG standard: the program that made a file.
const SOFTWARE: &str = "Software";
const NAME: &str = "surefoot";

/// Whether the bytes are a PNG file that this crate made.
pub fn is_own_png(bytes: &[u8]) -> bool {
    let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info();
    reader.is_ok_and(|reader| {
        let texts = &reader.info().uncompressed_latin1_text;
        texts.iter().any(|text| text.keyword == SOFTWARE && text.text == NAME)
    })
}

impl Image {
    /// An image of one color; `width` and `height` in pixels, at least 1.
    pub fn new(width: u32, height: u32, color: Rgb) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        Image { width, height, pixels: vec![color; width as usize * height as usize] }
    }

    /// Pixels along a row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, row by row from the top left.
    pub fn pixels(&self) -> &[Rgb] {
        &self.pixels
    }

    /// The color of a pixel; `None` outside. O(1).
    pub fn pixel(&self, x: u32, y: u32) -> Option<Rgb> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels[y as usize * self.width as usize + x as usize])
    }

    /// Copies an image that is no wider to the left edge, from a row on.
    pub(super) fn paste(&mut self, image: &Image, top: u32) {
        let (own, other) = (self.width as usize, image.width as usize);
        let rows = self.pixels.chunks_exact_mut(own.max(1)).skip(top as usize);
        for (row, pixels) in rows.zip(image.pixels.chunks_exact(other.max(1))) {
            row[..other].copy_from_slice(pixels);
        }
    }

    /// A pixel, to change it; `None` outside.
    pub(super) fn pixel_mut(&mut self, x: i64, y: i64) -> Option<&mut Rgb> {
        let inside =
            (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        if !inside {
            return None;
        }
        self.pixels.get_mut(y as usize * self.width as usize + x as usize)
    }

    /// The bytes of a PNG file.
    ///
    /// # Errors
    /// What the encoder reports.
    pub fn to_png(&self) -> Result<Vec<u8>, DrawError> {
        self.to_png_observed(&())
    }

    /// As [`Image::to_png`], with an observer.
    ///
    /// # Errors
    /// What the encoder reports, and [`DrawError::Cancelled`] if the observer says so.
    pub fn to_png_observed(&self, observer: &dyn Observer) -> Result<Vec<u8>, DrawError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        encoder.set_filter(png::Filter::Adaptive);
        encoder.add_text_chunk(SOFTWARE.to_owned(), NAME.to_owned())?;
        let mut writer = encoder.write_header()?;
        let mut rows = writer.stream_writer()?;
        for part in self.pixels.chunks(PIXELS_PER_LOOK) {
            check_cancelled(observer)?;
            rows.write_all(part.as_flattened()).map_err(png::EncodingError::IoError)?;
        }
        rows.finish()?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Writes a PNG file, replacing what is there in one step.
    ///
    /// # Errors
    /// Where the file cannot be written; it names the path.
    pub fn save(&self, path: &Path) -> Result<(), DrawError> {
        let bytes = self.to_png().map_err(|error| match error {
            DrawError::Pixels(source) => DrawError::Encode { path: path.into(), source },
            error => error,
        })?;
        replace_file(path, &bytes).map_err(|source| DrawError::Save { path: path.into(), source })
    }
}
