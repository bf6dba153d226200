//! NumPy files.
//!
//! Based on: the NumPy documentation, "NEP 1: A simple file format for NumPy arrays". The header is a
//! dictionary as Python writes it, of which three keys count.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use surefoot_bake::scene::SceneError;

use super::numbers::{Numbers, SampleKind};
use super::plain::{PlainSamples, Stored};
use super::{HeightFile, SampleHints, check_size};
use crate::fault::{in_file, unreadable};

/// The longest header [bytes].
const MOST_HEADER: usize = 1 << 16;

/// Opens a NumPy file.
pub fn open(path: &Path, hints: SampleHints) -> Result<HeightFile, SceneError> {
    let mut file = File::open(path).map_err(|error| unreadable(path, error))?;
    let (header, start) = match read_header(&mut file) {
        Ok(header) => header,
        Err(HeaderFault::Read(error)) if error.kind() != std::io::ErrorKind::UnexpectedEof => {
            return Err(unreadable(path, error));
        }
        Err(HeaderFault::Read(_)) => {
            return Err(in_file(path, "it ends within its header; make it again"));
        }
        Err(HeaderFault::Problem(problem)) => return Err(in_file(path, problem)),
    };
    let Header { kind, big_endian, by_columns, size } =
        Header::parse(&header).map_err(|problem| in_file(path, problem))?;
    check_size(path, size)?;
    let numbers = Numbers { kind, big_endian, no_data: hints.no_data };
    let stored = Stored::of_file(file).laid_out(start, by_columns);
    let samples = PlainSamples::new(path, stored, numbers, size);
    samples.check_length("it is damaged, save it again")?;
    Ok(HeightFile::plain(samples))
}

enum HeaderFault {
    Read(std::io::Error),
    Problem(&'static str),
}

impl From<std::io::Error> for HeaderFault {
    fn from(error: std::io::Error) -> Self {
        HeaderFault::Read(error)
    }
}

/// Returns the text of the header, and where the samples start [bytes].
fn read_header(file: &mut impl Read) -> Result<(String, u64), HeaderFault> {
    let mut start = [0; 8];
    file.read_exact(&mut start)?;
    if start[..6] != *b"\x93NUMPY" {
        return Err(HeaderFault::Problem("it is no NumPy file; save it with numpy.save"));
    }
    let mut length = [0; 4];
    let counted = match start[6] {
        1 => 2,
        2 | 3 => 4,
        _ => return Err(HeaderFault::Problem("its format is newer than 3.0; save it as 1.0")),
    };
    file.read_exact(&mut length[..counted])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MOST_HEADER {
        return Err(HeaderFault::Problem("its header is too long; save a plain array"));
    }
    let mut text = vec![0; length];
    file.read_exact(&mut text)?;
    let text = String::from_utf8(text);
    let text = text.map_err(|_| HeaderFault::Problem("its header is damaged; save it again"))?;
    Ok((text, (start.len() + counted + length) as u64))
}

/// What the header says.
#[derive(Debug, PartialEq)]
struct Header {
    kind: SampleKind,
    big_endian: bool,
    by_columns: bool,
    size: [usize; 2],
}

impl Header {
    fn parse(text: &str) -> Result<Self, String> {
        let missing =
            |key: &str| format!("its header has no {key:?}; it is damaged, save it again");
        let descr = value(text, "descr").ok_or_else(|| missing("descr"))?;
        let shape = value(text, "shape").ok_or_else(|| missing("shape"))?;
        let order = value(text, "fortran_order").ok_or_else(|| missing("fortran_order"))?;
        let (kind, big_endian) = sample_kind(descr)?;
        let shape = shape.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let (shape, _) = shape.ok_or_else(|| missing("shape"))?;
        let sides = shape.split(',').map(str::trim).filter(|side| !side.is_empty());
        let sides: Result<Vec<usize>, _> = sides.map(str::parse).collect();
        let Ok(&[rows, columns]) = sides.as_deref() else {
            return Err(format!("its shape is ({shape}); save an array of two dimensions"));
        };
        Ok(Header {
            kind,
            big_endian,
            by_columns: order.starts_with("True"),
            size: [columns, rows],
        })
    }
}

/// Returns what follows a key.
fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let quoted = ["'", "\""].map(|quote| format!("{quote}{key}{quote}"));
    let rest = quoted.iter().find_map(|key| text.split_once(key.as_str()))?.1;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

fn sample_kind(descr: &str) -> Result<(SampleKind, bool), String> {
    let name = descr.split(['\'', '"']).nth(1).unwrap_or(descr);
    let refused = || {
        format!(
            "its numbers are of type {name:?}; use float32, float64, int8, uint8, int16, uint16, \
             int32 or uint32"
        )
    };
    let (order, kind) = name.split_at_checked(1).ok_or_else(refused)?;
    let kind = match kind {
        "u1" => SampleKind::U8,
        "i1" => SampleKind::I8,
        "u2" => SampleKind::U16,
        "i2" => SampleKind::I16,
        "u4" => SampleKind::U32,
        "i4" => SampleKind::I32,
        "f4" => SampleKind::F32,
        "f8" => SampleKind::F64,
        _ => return Err(refused()),
    };
    match order {
        "<" | "|" => Ok((kind, false)),
        ">" => Ok((kind, true)),
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_numpy_writes_them() {
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (512, 256), }   \n";
        let header = Header {
            kind: SampleKind::F32,
            big_endian: false,
            by_columns: false,
            size: [256, 512],
        };
        assert_eq!(Header::parse(text), Ok(header));
        let text = "{\"shape\":(2,3),\"fortran_order\":True,\"descr\":\">i2\"}";
        let header =
            Header { kind: SampleKind::I16, big_endian: true, by_columns: true, size: [3, 2] };
        assert_eq!(Header::parse(text), Ok(header));
    }

    #[test]
    fn headers_that_make_no_sense() {
        let refused = |text: &str, words: &str| {
            let problem = Header::parse(text).expect_err(text);
            assert!(problem.contains(words), "{text}: {problem}");
        };
        refused("", "no \"descr\"");
        refused("{'descr': '<f4', 'shape': (1, 2)}", "no \"fortran_order\"");
        let with = |descr: &str, shape: &str| {
            format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}")
        };
        refused(&with("'<c8'", "(4, 4)"), "of type \"<c8\"");
        refused(&with("[('x', '<f4')]", "(4, 4)"), "of type \"x\"");
        refused(&with("'é'", "(4, 4)"), "of type");
        refused(&with("'<f4'", "(4,)"), "two dimensions");
        refused(&with("'<f4'", "(4, 4, 3)"), "two dimensions");
        refused(&with("'<f4'", "(4, -4)"), "two dimensions");
        refused(&with("'<f4'", "4"), "no \"shape\"");
    }
}
