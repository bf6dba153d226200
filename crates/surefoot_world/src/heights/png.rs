//! PNG pictures of heights: decoded once, row by row, then read where the rows are.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use png::{BitDepth, ColorType, Decoder, DecodingError, Info, Limits, Reader};
use surefoot::Observer;
use surefoot::observer::check_cancelled;
use surefoot_bake::scene::SceneError;

use super::numbers::{Numbers, SampleKind};
use super::plain::{PlainSamples, Stored};
use super::{HeightFile, SampleHints, check_claim, check_size};
use crate::fault::{in_file, unreadable};

/// What the decoder may take beside its rows [bytes].
const MEMORY: usize = 64 << 20;
/// Pictures of up to so many bytes are kept in memory, others in a file that is gone with the program.
const MOST_IN_MEMORY: usize = 64 << 20;

/// Opens a PNG picture.
pub fn open(
    path: &Path,
    hints: SampleHints,
    observer: &dyn Observer,
) -> Result<HeightFile, SceneError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let length = file.metadata().map_err(|error| unreadable(path, error))?.len();
    let mut decoder = Decoder::new_with_limits(BufReader::new(file), Limits { bytes: MEMORY });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let info = decoder.read_header_info().map_err(|error| damaged(path, error))?;
    let size = [info.width, info.height].map(|side| side as usize);
    check_size(path, size)?;
    check_claim(path, size, length)?;
    let mut reader = decoder.read_info().map_err(|error| damaged(path, error))?;
    let kind = sample_kind(reader.info()).map_err(|problem| in_file(path, problem))?;
    let numbers = Numbers { kind, big_endian: true, no_data: hints.no_data };
    let bytes = size[0] * size[1] * kind.bytes();
    let stored = if bytes <= MOST_IN_MEMORY {
        // Grows as rows are decoded: what a header claims may not be there.
        let mut rows = Vec::new();
        decode(path, &mut reader, &mut rows, observer)?;
        Stored::of_memory(rows)
    } else {
        let space =
            |error| in_file(path, format!("its rows cannot be kept in a temporary file: {error}"));
        let file = tempfile::tempfile().map_err(space)?;
        let mut rows = BufWriter::new(file);
        decode(path, &mut reader, &mut rows, observer)?;
        Stored::of_file(rows.into_inner().map_err(|error| space(error.into_error()))?)
    };
    let samples = PlainSamples::new(path, stored, numbers, size);
    samples.check_length("it is damaged, save it again")?;
    Ok(HeightFile::plain(samples))
}

/// Returns how the samples of a picture are stored, unless it is of a kind that cannot be used.
fn sample_kind(info: &Info<'_>) -> Result<SampleKind, String> {
    let kind = match (info.color_type, info.bit_depth) {
        (ColorType::Grayscale, BitDepth::Sixteen) => SampleKind::U16,
        (ColorType::Grayscale, BitDepth::Eight) => SampleKind::U8,
        (color, depth) => {
            return Err(format!(
                "it is {color:?} with {} bits; save it as grayscale with 16 bits (or 8), without \
                 transparency",
                depth as u8
            ));
        }
    };
    if info.trns.is_some() {
        return Err("it has a transparent color; save it without, and use no_data".to_owned());
    }
    if info.interlaced {
        return Err("it is interlaced; save it without interlacing".to_owned());
    }
    Ok(kind)
}

/// The observer is asked once for so many rows.
const ROWS_PER_LOOK: usize = 64;

/// Writes all rows.
fn decode(
    path: &Path,
    reader: &mut Reader<BufReader<File>>,
    to: &mut impl Write,
    observer: &dyn Observer,
) -> Result<(), SceneError> {
    let mut count = 0;
    while let Some(row) = reader.next_row().map_err(|error| damaged(path, error))? {
        if count % ROWS_PER_LOOK == 0 {
            check_cancelled(observer)?;
        }
        count += 1;
        to.write_all(row.data()).map_err(|error| {
            in_file(path, format!("its rows cannot be kept in a temporary file: {error}"))
        })?;
    }
    Ok(())
}

fn damaged(path: &Path, error: DecodingError) -> SceneError {
    match error {
        DecodingError::LimitsExceeded => {
            in_file(path, "its rows are too long; cut it into several files")
        }
        error => in_file(path, format!("it is damaged ({error}); save it again")),
    }
}
