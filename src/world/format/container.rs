//! The container: a header, a trailer, and a table of sections before that.

use flate2::Crc;

use crate::world::error::WorldError;

/// The first bytes of every file. The high bit and the line ends betray transfers as text.
const MAGIC: [u8; 8] = *b"\x8eNAVW\r\n\x1a";
/// The version that is written and read.
pub(in crate::world) const VERSION: u32 = 1;
/// Bytes of the header.
pub(super) const HEADER_BYTES: usize = 16;
/// Bytes of the trailer.
pub(super) const TRAILER_BYTES: usize = 32;
/// Bytes of a section's row in the table.
pub(super) const ROW_BYTES: usize = 32;
/// Set in a section's flags if a reader that does not know the section may ignore it.
const IGNORABLE: u16 = 1;
/// The most sections of a file.
pub(super) const MOST_SECTIONS: u32 = 4096;
/// The sections that this program knows, and that every world has.
pub(super) const KNOWN: [Tag; 3] = [*b"HEAD", *b"META", *b"LEAF"];

/// Four letters that name a section.
pub(in crate::world) type Tag = [u8; 4];

/// Writes a tag for people.
pub(in crate::world) fn tag_name(tag: Tag) -> String {
    String::from_utf8_lossy(&tag).into_owned()
}

/// A section's row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SectionRow {
    pub tag: Tag,
    pub is_ignorable: bool,
    pub offset: u64,
    pub length: u64,
    pub checksum: u32,
}

/// The bytes of the header.
pub(super) fn header() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// Checks the header.
///
/// # Errors
/// Bytes of another format, another version, damage.
pub(super) fn check_header(bytes: &[u8]) -> Result<(), WorldError> {
    if bytes.len() < HEADER_BYTES || bytes[..8] != MAGIC {
        return Err(WorldError::NotANavworld);
    }
    let found = u32_at(bytes, 8);
    if found != VERSION {
        return Err(WorldError::Version { found, supported: VERSION });
    }
    if checksum(&bytes[..12]) != u32_at(bytes, 12) {
        return Err(WorldError::damaged("header", 0, "its checksum does not match"));
    }
    Ok(())
}

/// Where the table of sections lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trailer {
    pub table: u64,
    pub sections: u32,
    pub checksum: u32,
}

impl Trailer {
    /// The bytes of the trailer; they end a file of `length` bytes.
    pub(super) fn bytes(&self, length: u64) -> Vec<u8> {
        let mut bytes = self.table.to_le_bytes().to_vec();
        bytes.extend(length.to_le_bytes());
        bytes.extend(self.sections.to_le_bytes());
        bytes.extend(self.checksum.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the trailer of a file of `length` bytes.
    ///
    /// # Errors
    /// Damage, and a file that was cut off.
    pub(super) fn read(bytes: &[u8], length: u64) -> Result<Self, WorldError> {
        let offset = length - bytes.len() as u64;
        let damaged = |problem: String| WorldError::damaged("trailer", offset, problem);
        if checksum(&bytes[..28]) != u32_at(bytes, 28) {
            return Err(damaged("its checksum does not match: is the file cut off?".to_owned()));
        }
        let claimed = u64_at(bytes, 8);
        if claimed != length {
            return Err(damaged(format!("it says {claimed} bytes, the file has {length}")));
        }
        let (table, sections) = (u64_at(bytes, 0), u32_at(bytes, 16));
        if sections > MOST_SECTIONS {
            return Err(damaged(format!("it says {sections} sections, more than {MOST_SECTIONS}")));
        }
        let rows = u64::from(sections) * ROW_BYTES as u64;
        if table < HEADER_BYTES as u64 || table.checked_add(rows) != Some(offset) {
            return Err(damaged(format!("{sections} sections do not end where it begins")));
        }
        if u32_at(bytes, 24) != 0 {
            return Err(damaged("its reserved bytes are not 0".to_owned()));
        }
        Ok(Trailer { table, sections, checksum: u32_at(bytes, 20) })
    }
}

impl SectionRow {
    pub(super) fn name(&self) -> String {
        tag_name(self.tag)
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.tag.to_vec();
        bytes.extend((if self.is_ignorable { IGNORABLE } else { 0 }).to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(self.offset.to_le_bytes());
        bytes.extend(self.length.to_le_bytes());
        bytes.extend(self.checksum.to_le_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    fn read(bytes: &[u8]) -> (Self, u16) {
        let flags = u16::from_le_bytes([bytes[4], bytes[5]]);
        let row = SectionRow {
            tag: [bytes[0], bytes[1], bytes[2], bytes[3]],
            is_ignorable: flags & IGNORABLE != 0,
            offset: u64_at(bytes, 8),
            length: u64_at(bytes, 16),
            checksum: u32_at(bytes, 24),
        };
        (row, flags)
    }
}

/// Reads the table of sections, whose bytes end at `end` of the file.
///
/// # Errors
/// Damage; a section that this program does not know and that must not be ignored.
pub(super) fn read_table(bytes: &[u8], trailer: &Trailer) -> Result<Vec<SectionRow>, WorldError> {
    let damaged =
        |problem: String| WorldError::damaged("table of sections", trailer.table, problem);
    if checksum(bytes) != trailer.checksum {
        return Err(damaged("its checksum does not match".to_owned()));
    }
    let mut rows: Vec<SectionRow> = Vec::new();
    for bytes in bytes.chunks_exact(ROW_BYTES) {
        let (row, flags) = SectionRow::read(bytes);
        let end = row.offset.checked_add(row.length);
        let is_inside =
            row.offset >= HEADER_BYTES as u64 && end.is_some_and(|end| end <= trailer.table);
        if !is_inside {
            return Err(damaged(format!("section {} lies outside of the file", row.name())));
        }
        if rows.iter().any(|other| other.tag == row.tag) {
            return Err(damaged(format!("there are two sections {}", row.name())));
        }
        let is_known = KNOWN.contains(&row.tag);
        if is_known && flags != 0 || !is_known && !row.is_ignorable {
            let problem = "this program does not know it, and cannot read the world without it";
            let (section, offset) = (row.name(), row.offset);
            return Err(WorldError::Unsupported { section, offset, problem: problem.to_owned() });
        }
        rows.push(row);
    }
    Ok(rows)
}

pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The number at an offset that is known to lie inside.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The number at an offset that is known to lie inside.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
