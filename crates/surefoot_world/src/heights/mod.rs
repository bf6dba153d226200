//! Height files: heights on a lattice, read by window.
//!
//! A file may be larger than memory: what comes out is the samples of a rectangle of columns and rows. PNG,
//! GeoTIFF, NumPy and raw numbers are known. Nothing in a file can make this panic, or allocate what a
//! header claims without the bytes for it.

mod npy;
mod numbers;
mod plain;
mod png;
mod tags;
mod tiff;

use std::fs::File;
use std::path::Path;

use surefoot::Observer;
use surefoot_bake::scene::SceneError;

use crate::fault::{in_file, unreadable};
use numbers::{Numbers, SampleKind};
use plain::{PlainSamples, Stored};

/// A rectangle of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its first column and its first row.
    pub first: [usize; 2],
    /// How many columns and rows it has.
    pub size: [usize; 2],
}

impl Window {
    /// How many samples it has.
    pub fn len(&self) -> usize {
        self.size[0] * self.size[1]
    }
}

/// Samples of heights, in rows, as they are in a file; NaN where there is no data.
pub trait HeightSamples: Send + Sync {
    /// How many columns and rows there are; none is 0.
    fn size(&self) -> [usize; 2];

    /// How many columns are best read together, from the first row to the last.
    fn band(&self) -> usize {
        self.size()[0]
    }

    /// Returns the samples of a window, row by row. The window lies within the size.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    fn read(&self, window: Window) -> Result<Vec<f32>, SceneError>;
}

/// What a user says of the samples of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleHints {
    /// Columns and rows, for files that do not say it.
    pub size: Option<[usize; 2]>,
    /// The number that stands for no data.
    pub no_data: Option<f64>,
}

/// A height file that is open.
pub struct HeightFile {
    /// Its samples.
    pub samples: Box<dyn HeightSamples>,
    /// Where they are, if the file says it.
    pub place: Option<SamplePlace>,
    /// What samples count.
    pub unit: HeightUnit,
}

/// What the samples of a file count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HeightUnit {
    /// So many metres.
    Metres(f64),
    /// Whole numbers of a unit that the file does not say.
    Unsaid,
    /// Metres or feet: the file says that its places are in feet, and nothing of heights.
    MetresOrFeet {
        /// A foot of its places [m].
        foot: f64,
    },
}

/// Where samples are: x to the east, z to the south [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplePlace {
    /// Of the first sample of the first row.
    pub first: [f64; 2],
    /// Between columns and between rows; `None` if the file says it in degrees.
    pub spacing: Option<[f64; 2]>,
}

/// The most samples of a file.
const MOST_SAMPLES: usize = 1 << 34;
/// The most columns, or rows.
const MOST_SIDE: usize = 1 << 20;
/// No compression makes a sample smaller than this part of a byte.
const MOST_SAMPLES_PER_BYTE: u64 = 2048;

/// Opens a height file, by what its name ends with.
///
/// # Errors
/// It cannot be read, is damaged, or is of a kind that cannot be used.
pub fn open(
    path: &Path,
    hints: SampleHints,
    observer: &dyn Observer,
) -> Result<HeightFile, SceneError> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let knows_size = !matches!(ending.as_str(), "f32" | "raw" | "r16" | "u16");
    if knows_size && hints.size.is_some() {
        let problem = "only raw files (.f32, .raw, .r16) take a size; leave it out";
        return Err(in_file(path, problem));
    }
    match ending.as_str() {
        "png" => png::open(path, hints, observer),
        "tif" | "tiff" => tiff::open(path, hints),
        "npy" => npy::open(path, hints),
        "f32" => raw(path, hints, SampleKind::F32),
        "raw" | "r16" | "u16" => raw(path, hints, SampleKind::U16),
        _ => Err(in_file(path, "it is no height file; use .png, .tif, .npy, .f32, .raw or .r16")),
    }
}

/// Opens a file of little-endian numbers.
fn raw(path: &Path, hints: SampleHints, kind: SampleKind) -> Result<HeightFile, SceneError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let Some(size) = hints.size else {
        let problem = "a raw file does not say how large it is; add size = [columns, rows]";
        return Err(in_file(path, problem));
    };
    check_size(path, size)?;
    let numbers = Numbers { kind, big_endian: false, no_data: hints.no_data };
    let samples = PlainSamples::new(path, Stored::of_file(file), numbers, size);
    samples.check_length("check its size")?;
    Ok(HeightFile::plain(samples))
}

impl HeightFile {
    /// A file that says nothing of where it is.
    fn plain(samples: PlainSamples) -> Self {
        let is_whole = samples.numbers.kind.is_whole();
        let unit = if is_whole { HeightUnit::Unsaid } else { HeightUnit::Metres(1.0) };
        HeightFile { samples: Box::new(samples), place: None, unit }
    }
}

/// Refuses what is no size of a height file.
fn check_size(path: &Path, [columns, rows]: [usize; 2]) -> Result<(), SceneError> {
    let is_side = |side| (2..=MOST_SIDE).contains(&side);
    if !is_side(columns) || !is_side(rows) {
        return Err(in_file(
            path,
            format!(
                "it has {columns} columns and {rows} rows; both must be from 2 to {MOST_SIDE}, so cut \
                 larger ones into several files"
            ),
        ));
    }
    if columns * rows > MOST_SAMPLES {
        let problem = format!("it has {} samples, of at most {MOST_SAMPLES}", columns * rows);
        return Err(in_file(path, problem + "; cut it into several files"));
    }
    Ok(())
}

/// Refuses what a compressed file of some length cannot hold.
fn check_claim(path: &Path, [columns, rows]: [usize; 2], bytes: u64) -> Result<(), SceneError> {
    if (columns * rows) as u64 > bytes.saturating_mul(MOST_SAMPLES_PER_BYTE) {
        return Err(in_file(
            path,
            format!(
                "it claims {columns} x {rows} samples, more than its {bytes} bytes can hold; it is \
                 damaged, make it again"
            ),
        ));
    }
    Ok(())
}
