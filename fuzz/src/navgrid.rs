//! Target `navgrid`: the sections of a `.navgrid` file, sealed with right lengths and checksums.
//!
//! An input is the version of the format in one byte, then sections: tag (4 bytes), agent (2), flags (2)
//! and length (4), little-endian, and the section's bytes as they are before they are packed. So every
//! change gets past the checksums, to the decoders and to validation. What loads is walked on.

use std::hash::{DefaultHasher, Hash, Hasher};

use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress};
use surefoot::NavGrid;
use surefoot::grid::LoadOptions;

use crate::grid_laws;

/// What a grid may take [bytes].
const MEMORY_LIMIT: u64 = 16 << 20;
/// Bytes of the file's header, and of each section's.
const HEADER_BYTES: usize = 32;
/// Bytes before each section in an input.
const INPUT_HEADER_BYTES: usize = 12;

/// Loads a file made of an input, and checks the grid.
///
/// # Panics
/// A law of grids does not hold.
pub fn run(data: &[u8]) {
    let file = seal(data);
    match NavGrid::from_bytes_with(&file, &LoadOptions { memory_limit: MEMORY_LIMIT }) {
        Ok(grid) => grid_laws::check(&grid, seed(data)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A number for the choices that an input does not make itself.
fn seed(data: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    hasher.finish()
}

/// The file that an input describes.
pub fn seal(input: &[u8]) -> Vec<u8> {
    let (&version, mut rest) = input.split_first().unwrap_or((&0, &[]));
    let (mut file, mut sections) = (vec![0; HEADER_BYTES], 0u32);
    while let Some((header, after)) = rest.split_at_checked(INPUT_HEADER_BYTES) {
        let len = u32::from_le_bytes([header[8], header[9], header[10], header[11]]) as usize;
        let (raw, next) = after.split_at(len.min(after.len()));
        append(&mut file, &header[..8], raw);
        (rest, sections) = (next, sections + 1);
    }
    let len = file.len() as u64;
    file[..8].copy_from_slice(b"\x8eNAVG\r\n\x1a");
    file[8..12].copy_from_slice(&u32::from(version).to_le_bytes());
    file[12..16].copy_from_slice(&sections.to_le_bytes());
    file[16..24].copy_from_slice(&len.to_le_bytes());
    let sum = checksum(&file[..HEADER_BYTES - 4]);
    file[HEADER_BYTES - 4..HEADER_BYTES].copy_from_slice(&sum.to_le_bytes());
    file
}

fn append(file: &mut Vec<u8>, id: &[u8], raw: &[u8]) {
    let (start, stored) = (file.len(), deflate(raw));
    file.extend(id);
    file.extend((stored.len() as u64).to_le_bytes());
    file.extend((raw.len() as u64).to_le_bytes());
    file.extend(checksum(&stored).to_le_bytes());
    let sum = checksum(&file[start..]);
    file.extend(sum.to_le_bytes());
    file.extend(stored);
}

/// The input that describes a sound file: the inverse of [`seal`].
///
/// # Panics
/// The file is not sound.
pub fn unseal(file: &[u8]) -> Vec<u8> {
    let mut input = vec![file[8]];
    let mut rest = &file[HEADER_BYTES..];
    while !rest.is_empty() {
        let (header, after) = rest.split_at(HEADER_BYTES);
        let len = |at: usize| {
            u64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes")) as usize
        };
        let (stored, next) = after.split_at(len(8));
        let raw = inflate(stored, len(16));
        input.extend(&header[..8]);
        input.extend((raw.len() as u32).to_le_bytes());
        input.extend(raw);
        rest = next;
    }
    input
}

fn deflate(raw: &[u8]) -> Vec<u8> {
    let mut stored = Vec::with_capacity(raw.len() + raw.len() / 8 + 64);
    let mut pack = Compress::new(Compression::fast(), false);
    pack.compress_vec(raw, &mut stored, FlushCompress::Finish).expect("memory can be packed");
    stored
}

fn inflate(stored: &[u8], len: usize) -> Vec<u8> {
    let mut raw = Vec::with_capacity(len + 16);
    let mut unpack = Decompress::new(false);
    unpack.decompress_vec(stored, &mut raw, FlushDecompress::Finish).expect("a sound section");
    raw
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}
