//! TIFF files, decoded by their strips or tiles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use surefoot_bake::scene::SceneError;
use tiff::decoder::{ChunkType, Decoder, DecodingResult};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError, TiffResult};

use super::numbers::StoredSample;
use super::tags::{self, HeightTags};
use super::{HeightFile, HeightSamples, HeightUnit, SampleHints, Window, check_claim, check_size};
use crate::fault::{in_file, unreadable};

/// What decoded pieces are kept, as long as others are not needed [bytes].
const KEPT_BYTES: usize = 64 << 20;
/// Tiles are best read in bands of so many columns, so that those of a band are kept from row to row.
const BAND: usize = 4096;

/// The most samples of a piece: 256 MiB of them.
const MOST_OF_PIECE: usize = 1 << 26;

type FileDecoder = Decoder<BufReader<File>>;

/// The samples of a TIFF file.
struct TiffSamples {
    path: PathBuf,
    size: [usize; 2],
    /// How many columns and rows a piece has, a strip or a tile.
    piece: [usize; 2],
    no_data: Option<f64>,
    is_tiled: bool,
    pieces: Mutex<Pieces>,
}

/// The decoder, with the pieces that were read last.
struct Pieces {
    decoder: FileDecoder,
    /// Those that were left out of the file.
    left_out: BTreeSet<u32>,
    kept: BTreeMap<u32, KeptPiece>,
    kept_bytes: usize,
    /// How often pieces were asked for.
    asked: u64,
}

struct KeptPiece {
    samples: Vec<f32>,
    /// How many columns it has: fewer than others at the right border.
    columns: usize,
    last_asked: u64,
}

/// Opens a TIFF file.
pub fn open(path: &Path, hints: SampleHints) -> Result<HeightFile, SceneError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let length = file.metadata().map_err(|error| unreadable(path, error))?.len();
    let damaged = |error| damaged(path, &error);
    let mut decoder = Decoder::new(BufReader::new(file)).map_err(damaged)?;
    let (width, height) = decoder.dimensions().map_err(damaged)?;
    let size = [width, height].map(|side| side as usize);
    check_size(path, size)?;
    check_claim(path, size, length)?;
    let color = decoder.colortype().map_err(damaged)?;
    if !matches!(color, ColorType::Gray(8 | 16 | 32 | 64)) {
        let problem = format!("its samples are {color:?}; save one band of heights");
        return Err(in_file(path, problem));
    }
    let is_tiled = decoder.get_chunk_type() == ChunkType::Tile;
    let piece = piece_size(&mut decoder, size).map_err(damaged)?;
    let Some(piece) = piece else {
        return Err(in_file(path, "its strips or tiles do not cover it; save it again"));
    };
    let HeightTags { place, no_data, unit } =
        tags::read(&mut decoder).map_err(|problem| in_file(path, problem))?;
    let no_data = hints.no_data.or(no_data);
    let left_out = left_out(&mut decoder).map_err(damaged)?;
    let pieces = Pieces { decoder, left_out, kept: BTreeMap::new(), kept_bytes: 0, asked: 0 };
    let samples = TiffSamples {
        path: path.to_owned(),
        size,
        piece,
        no_data,
        is_tiled,
        pieces: Mutex::new(pieces),
    };
    // Files without a place are as silent of their unit as other pictures.
    let is_whole = samples.first_is_whole()?;
    let by_default = match is_whole && place.is_none() {
        true => HeightUnit::Unsaid,
        false => HeightUnit::Metres(1.0),
    };
    Ok(HeightFile { samples: Box::new(samples), place, unit: unit.unwrap_or(by_default) })
}

/// Returns how many columns and rows a strip or tile has; `None` if they do not cover the picture.
fn piece_size(decoder: &mut FileDecoder, size: [usize; 2]) -> TiffResult<Option<[usize; 2]>> {
    let (width, height) = decoder.chunk_dimensions();
    // A strip may say that it is higher than the picture; there is one then.
    let piece = [width as usize, (height as usize).min(size[1])];
    if piece.contains(&0) {
        return Ok(None);
    }
    if piece[0].saturating_mul(piece[1]) > MOST_OF_PIECE {
        return Err(TiffError::LimitsExceeded);
    }
    let across = [0, 1].map(|axis| size[axis].div_ceil(piece[axis]));
    let count = match decoder.get_chunk_type() {
        ChunkType::Tile => decoder.tile_count()? as usize,
        // The decoder has checked it.
        ChunkType::Strip => across[1],
    };
    Ok((across[0] * across[1] == count).then_some(piece))
}

/// Returns the strips or tiles that have no bytes: GDAL leaves out those without data.
fn left_out(decoder: &mut FileDecoder) -> TiffResult<BTreeSet<u32>> {
    let tag = match decoder.get_chunk_type() {
        ChunkType::Tile => Tag::TileByteCounts,
        ChunkType::Strip => Tag::StripByteCounts,
    };
    let counts: Vec<u64> = decoder.find_tag_unsigned_vec(tag)?.unwrap_or_default();
    Ok((0..).zip(counts).filter(|(_, count)| *count == 0).map(|(index, _)| index).collect())
}

impl TiffSamples {
    /// Whether samples are whole numbers: the type of the first piece says it.
    fn first_is_whole(&self) -> Result<bool, SceneError> {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        let first = (0..).find(|index| !pieces.left_out.contains(index)).unwrap_or(0);
        let count = [0, 1].map(|axis| self.size[axis].div_ceil(self.piece[axis]));
        if first as usize >= count[0] * count[1] {
            return Err(in_file(&self.path, "it has no data at all; save it again"));
        }
        let decoded = pieces.decoder.read_chunk(first);
        let decoded = decoded.map_err(|error| damaged(&self.path, &error))?;
        match decoded {
            DecodingResult::F32(_) | DecodingResult::F64(_) => Ok(false),
            DecodingResult::F16(_) | DecodingResult::U64(_) | DecodingResult::I64(_) => {
                let problem = "its numbers are of a type that heights do not have; save them as \
                               float32 or int16";
                Err(in_file(&self.path, problem))
            }
            _ => Ok(true),
        }
    }

    /// Decodes a piece, unless it was kept.
    fn piece<'p>(&self, pieces: &'p mut Pieces, index: u32) -> Result<&'p KeptPiece, SceneError> {
        pieces.asked += 1;
        let asked = pieces.asked;
        if !pieces.kept.contains_key(&index) {
            let (columns, rows) = pieces.decoder.chunk_data_dimensions(index);
            let samples = if pieces.left_out.contains(&index) {
                // As GDAL has it.
                let sample = if self.no_data.is_some() { f32::NAN } else { 0.0 };
                vec![sample; columns as usize * rows as usize]
            } else {
                let decoded = pieces.decoder.read_chunk(index);
                heights(decoded.map_err(|error| damaged(&self.path, &error))?, self.no_data)
            };
            if samples.len() != columns as usize * rows as usize {
                return Err(in_file(&self.path, "a strip or tile is too short; save it again"));
            }
            pieces.make_room(samples.len() * size_of::<f32>());
            let columns = columns as usize;
            pieces.kept.insert(index, KeptPiece { samples, columns, last_asked: asked });
        }
        let Some(piece) = pieces.kept.get_mut(&index) else {
            return Err(in_file(&self.path, "a strip or tile is gone; open it again"));
        };
        piece.last_asked = asked;
        Ok(piece)
    }
}

impl Pieces {
    /// Lets go of the pieces that were asked for the longest time ago, until there is room for another.
    fn make_room(&mut self, bytes: usize) {
        self.kept_bytes += bytes;
        while self.kept_bytes > KEPT_BYTES {
            let oldest = self.kept.iter().min_by_key(|(_, piece)| piece.last_asked);
            let Some((&oldest, _)) = oldest else { break };
            if let Some(piece) = self.kept.remove(&oldest) {
                self.kept_bytes -= piece.samples.len() * size_of::<f32>();
            }
        }
    }
}

impl HeightSamples for TiffSamples {
    fn size(&self) -> [usize; 2] {
        self.size
    }

    fn band(&self) -> usize {
        if self.is_tiled { BAND.next_multiple_of(self.piece[0]) } else { self.size[0] }
    }

    fn read(&self, window: Window) -> Result<Vec<f32>, SceneError> {
        let mut samples = vec![f32::NAN; window.len()];
        let across = self.size[0].div_ceil(self.piece[0]);
        let ends = [0, 1].map(|axis| window.first[axis] + window.size[axis]);
        let range = |axis: usize| {
            window.first[axis] / self.piece[axis]..ends[axis].div_ceil(self.piece[axis])
        };
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        for piece_row in range(1) {
            for piece_column in range(0) {
                let index = u32::try_from(piece_row * across + piece_column).unwrap_or(u32::MAX);
                let KeptPiece { samples: from, columns, .. } = self.piece(&mut pieces, index)?;
                let start = [piece_column * self.piece[0], piece_row * self.piece[1]];
                let end = [start[0] + columns, start[1] + from.len() / columns];
                // The part that piece and window share.
                let low = [0, 1].map(|axis| window.first[axis].max(start[axis]));
                let high = [0, 1].map(|axis| ends[axis].min(end[axis]));
                for row in low[1]..high[1] {
                    let line = (row - start[1]) * columns;
                    let line = &from[line + low[0] - start[0]..line + high[0] - start[0]];
                    let at = (row - window.first[1]) * window.size[0] + low[0] - window.first[0];
                    samples[at..at + line.len()].copy_from_slice(line);
                }
            }
        }
        Ok(samples)
    }
}

/// The samples of a piece.
fn heights(decoded: DecodingResult, no_data: Option<f64>) -> Vec<f32> {
    fn all<T: Copy + Into<f64>>(values: &[T], no_data: Option<f64>) -> Vec<f32> {
        values.iter().map(|&value| value.into().height(no_data)).collect()
    }
    match decoded {
        DecodingResult::U8(values) => all(&values, no_data),
        DecodingResult::I8(values) => all(&values, no_data),
        DecodingResult::U16(values) => all(&values, no_data),
        DecodingResult::I16(values) => all(&values, no_data),
        DecodingResult::U32(values) => all(&values, no_data),
        DecodingResult::I32(values) => all(&values, no_data),
        DecodingResult::F32(values) => all(&values, no_data.map(|number| f64::from(number as f32))),
        DecodingResult::F64(values) => all(&values, no_data),
        DecodingResult::F16(_) | DecodingResult::U64(_) | DecodingResult::I64(_) => Vec::new(),
    }
}

fn damaged(path: &Path, error: &TiffError) -> SceneError {
    let problem = match error {
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "it ends early; save it again".to_owned()
        }
        TiffError::LimitsExceeded => {
            "a strip or tile of it takes more than 256 MiB; save it in tiles (gdal_translate -co \
             TILED=YES)"
                .to_owned()
        }
        TiffError::UnsupportedError(error) => {
            format!("{error}; save it without compression, or with deflate or LZW")
        }
        error => format!("it is damaged ({error}); save it again"),
    };
    in_file(path, problem)
}
