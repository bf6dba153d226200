//! The file of a world: `.navworld`.
//!
//! All numbers are little-endian. A reader needs two reads to open a file, however large it is: the first
//! [`HEADER_BYTES`](container::HEADER_BYTES), and the last 16 KiB, which have the root directory of a world
//! of 100,000 tiles. A tile takes two more: its leaf of the directory, and its bytes.
//!
//! | part | bytes |
//! |---|---|
//! | header | magic, 8 bytes; version, u32; CRC-32 of the 12 bytes before, u32 |
//! | tiles | `.navgrid` files, in the order of a Hilbert curve through columns and rows of tiles; after each 512 entries their *leaf* |
//! | further sections | whatever [`WorldWriter::section`] wrote |
//! | `HEAD` | least cell x, z, i32; cells along x, z, u32; cell size, f32; side of a tile, u32; tiles, u64 |
//! | `META` | JSON: name, agents, areas, provenance, the author's links |
//! | `LEAF` | for each leaf: key of its first entry, u64; where it starts, u64; entries, u32; CRC-32, u32 |
//! | table of sections | for each: tag, 4 letters; flags, u16; 0, u16; where it starts, u64; length, u64; CRC-32, u32; 0, u32 |
//! | trailer | where the table starts, u64; length of the file, u64; sections, u32; CRC-32 of the table, u32; 0, u32; CRC-32 of the 28 bytes before, u32 |
//!
//! An entry of a leaf has 32 bytes: the key, u64, which is the tile's place on the curve; where its bytes
//! start, u64; their length, u32; their CRC-32, u32; spans, u32; flags, u32. Keys ascend. Entries of equal
//! tiles name the same bytes. Bit 0 of the flags is set if the tile is stored as if it lay at cell 0: tiles
//! without links are, since spans, standings and rooms know no x and z, so that equal ground has equal
//! bytes wherever it lies. Tiles are stored without their provenance; the world has one.
//!
//! Bit 0 of a section's flags is the *ignorable* bit, as in the file of a grid. Directories and tiles have
//! checksums, which are compared when they are read.

mod container;
mod directory;
mod file;
mod meta;
mod read_at;
mod tile_bytes;
mod writer;

pub(super) use container::{VERSION, tag_name};
pub(super) use file::WorldFile;
pub use read_at::ReadAt;
pub use writer::WorldWriter;
