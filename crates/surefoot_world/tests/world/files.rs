//! Height files, written by the tests that read them.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use tiff::encoder::colortype::ColorType;
use tiff::encoder::{Compression, ImageEncoder, TiffEncoder, TiffKindStandard, TiffValue};
use tiff::tags::Tag;

/// Heights on a lattice, in rows.
#[derive(Clone, Debug)]
pub struct Heights {
    pub columns: usize,
    pub rows: usize,
    pub samples: Vec<f64>,
}

impl Heights {
    /// Heights given by column and row.
    pub fn of(columns: usize, rows: usize, height: impl Fn(usize, usize) -> f64) -> Self {
        let samples = (0..columns * rows).map(|at| height(at % columns, at / columns)).collect();
        Heights { columns, rows, samples }
    }

    /// Whole numbers from 0 to 250, of which no two near each other are the same.
    pub fn whole(columns: usize, rows: usize) -> Self {
        Heights::of(columns, rows, |column, row| ((column * 7 + row * 31) % 251) as f64)
    }

    /// The bytes of all samples, in the order of rows.
    pub fn bytes<const N: usize>(&self, convert: impl Fn(f64) -> [u8; N]) -> Vec<u8> {
        self.samples.iter().flat_map(|&sample| convert(sample)).collect()
    }

    /// The same by columns.
    pub fn turned(&self) -> Heights {
        let sample = |row: usize, column: usize| self.samples[row * self.columns + column];
        Heights::of(self.rows, self.columns, sample)
    }
}

/// The bytes of a NumPy file.
pub fn npy(descr: &str, by_columns: bool, shape: [usize; 2], samples: &[u8]) -> Vec<u8> {
    let order = if by_columns { "True" } else { "False" };
    let [rows, columns] = shape;
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({rows}, {columns}), }}");
    while !(10 + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(samples);
    bytes
}

/// Writes heights as a NumPy file of floats, and returns its path.
pub fn write_npy(folder: &Path, name: &str, heights: &Heights) -> PathBuf {
    let samples = heights.bytes(|v| (v as f32).to_le_bytes());
    write(folder, name, &npy("<f4", false, [heights.rows, heights.columns], &samples))
}

/// Writes a file, and returns its path.
pub fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("the file can be written");
    path
}

/// Writes a picture of some kind.
pub fn write_png(path: &Path, [width, height]: [u32; 2], kind: PngKind, rows: &[u8]) {
    let file = BufWriter::new(File::create(path).expect("a file"));
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(kind.color);
    encoder.set_depth(kind.depth);
    if let Some(trns) = kind.transparent {
        encoder.set_trns(trns);
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(rows).expect("rows");
}

#[derive(Clone, Copy)]
pub struct PngKind {
    pub color: png::ColorType,
    pub depth: png::BitDepth,
    pub transparent: Option<&'static [u8]>,
}

pub const GRAY_16: PngKind =
    PngKind { color: png::ColorType::Grayscale, depth: png::BitDepth::Sixteen, transparent: None };

/// How a TIFF file is written.
#[derive(Clone, Copy, Default)]
pub struct TiffOptions<'a> {
    pub compression: Compression,
    pub rows_per_strip: Option<u32>,
    /// ModelPixelScale.
    pub scale: Option<[f64; 3]>,
    /// ModelTiepoint.
    pub tie: Option<[f64; 6]>,
    pub keys: &'a [u16],
    pub no_data: Option<&'a str>,
}

/// Writes a TIFF file of strips.
pub fn write_tiff<C: ColorType>(
    path: &Path,
    size: [u32; 2],
    options: TiffOptions<'_>,
    samples: &[C::Inner],
) where
    [C::Inner]: TiffValue,
{
    let file = BufWriter::new(File::create(path).expect("a file"));
    let encoder = TiffEncoder::new(file).expect("an encoder");
    let mut encoder = encoder.with_compression(options.compression);
    let mut image: ImageEncoder<'_, _, C, TiffKindStandard> =
        encoder.new_image(size[0], size[1]).expect("an image");
    if let Some(rows) = options.rows_per_strip {
        image.rows_per_strip(rows).expect("rows");
    }
    let tags = image.encoder();
    if let Some(scale) = options.scale {
        tags.write_tag(Tag::ModelPixelScaleTag, &scale[..]).expect("a tag");
    }
    if let Some(tie) = options.tie {
        tags.write_tag(Tag::ModelTiepointTag, &tie[..]).expect("a tag");
    }
    if !options.keys.is_empty() {
        tags.write_tag(Tag::GeoKeyDirectoryTag, options.keys).expect("a tag");
    }
    if let Some(no_data) = options.no_data {
        tags.write_tag(Tag::GdalNodata, no_data).expect("a tag");
    }
    image.write_data(samples).expect("strips");
}

/// The bytes of a big-endian TIFF file of floats in tiles, each compressed. Tiles of nothing but NaN are left
/// out.
pub fn tiled_tiff(heights: &Heights, side: usize) -> Vec<u8> {
    let Heights { columns, rows, ref samples } = *heights;
    let mut bytes = b"MM\x00\x2a\0\0\0\0".to_vec();
    let (mut offsets, mut counts) = (Vec::new(), Vec::new());
    for top in (0..rows).step_by(side) {
        for left in (0..columns).step_by(side) {
            let sample = |at: usize| {
                let (column, row) = (left + at % side, top + at / side);
                let is_in = column < columns && row < rows;
                if is_in { samples[row * columns + column] as f32 } else { f32::NAN }
            };
            if (0..side * side).map(sample).all(f32::is_nan) {
                offsets.push(0);
                counts.push(0);
                continue;
            }
            let tile: Vec<u8> = (0..side * side).flat_map(|at| sample(at).to_be_bytes()).collect();
            let mut encoder =
                flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
            std::io::Write::write_all(&mut encoder, &tile).expect("a tile");
            let tile = encoder.finish().expect("a tile");
            offsets.push(bytes.len() as u32);
            counts.push(tile.len() as u32);
            bytes.extend(tile);
        }
    }
    // A single number is no list.
    let list = |bytes: &mut Vec<u8>, numbers: &[u32]| {
        if let [number] = numbers {
            return *number;
        }
        let at = bytes.len() as u32;
        bytes.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        at
    };
    let count = offsets.len() as u32;
    let [offsets_at, counts_at] = [&offsets, &counts].map(|numbers| list(&mut bytes, numbers));
    let start = bytes.len() as u32;
    bytes[4..8].copy_from_slice(&start.to_be_bytes());
    // Tag, type (3 is u16, 4 is u32), number of values, value or place.
    let (side, columns, rows) = (side as u32, columns as u32, rows as u32);
    let entries: [[u32; 4]; 11] = [
        [256, 4, 1, columns],
        [257, 4, 1, rows],
        [258, 3, 1, 32 << 16],
        [259, 3, 1, 8 << 16],
        [262, 3, 1, 1 << 16],
        [277, 3, 1, 1 << 16],
        [322, 4, 1, side],
        [323, 4, 1, side],
        [324, 4, count, offsets_at],
        [325, 4, count, counts_at],
        [339, 3, 1, 3 << 16],
    ];
    bytes.extend((entries.len() as u16).to_be_bytes());
    for [tag, kind, count, value] in entries {
        bytes.extend((tag as u16).to_be_bytes());
        bytes.extend((kind as u16).to_be_bytes());
        bytes.extend(count.to_be_bytes());
        bytes.extend(value.to_be_bytes());
    }
    bytes.extend([0; 4]);
    bytes
}
