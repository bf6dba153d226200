//! The container: a header and a chain of sections, each with its lengths and checksums.

use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};

use super::{FormatError, MAGIC, VERSION, VERSION_WITHOUT_ORDERS};

/// Bytes of the file's header, and of each section's.
const HEADER: usize = 32;
/// No deflated byte unpacks to more than this many.
const MOST_PACKED: u64 = 1032;
/// Measured on 1 M spans of terrain with obstacles, for three agents: level 1 makes 9.9 MB, 2 makes
/// 7.3, 4 makes 7.0 and 6 makes 6.8, all unpacked in like times; packing with 6 takes 2.5 times as
/// long as with 2.
const LEVEL: u32 = 2;

/// Four letters that name a section.
pub(super) type Tag = [u8; 4];

/// Which section: its tag, and the agent it belongs to, 0 for those of the whole grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SectionId {
    pub tag: Tag,
    pub agent: u32,
}

impl SectionId {
    pub(super) fn whole(tag: &Tag) -> Self {
        SectionId { tag: *tag, agent: 0 }
    }

    fn name(self) -> String {
        String::from_utf8_lossy(&self.tag).into_owned()
    }

    /// The error for something wrong in this section.
    pub(super) fn damaged(self, offset: usize, problem: impl Into<String>) -> FormatError {
        FormatError::Damaged {
            section: self.name(),
            offset: offset as u64,
            problem: problem.into(),
        }
    }
}

/// A section as it lies in the file.
#[derive(Clone, Copy)]
pub(super) struct Section<'a> {
    pub id: SectionId,
    /// Where its bytes start in the file.
    pub offset: usize,
    /// Its length unpacked, as the file claims.
    pub raw_len: u64,
    stored: &'a [u8],
    checksum: u32,
}

/// Puts a file together.
pub(super) struct Writer {
    bytes: Vec<u8>,
    sections: u32,
}

impl Writer {
    pub(super) fn new() -> Self {
        Writer { bytes: vec![0; HEADER], sections: 0 }
    }

    /// Length of the file so far.
    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Appends a section, deflated.
    pub(super) fn section(&mut self, id: SectionId, raw: &[u8]) {
        let stored = deflate(raw);
        self.append(id, &stored, raw.len() as u64);
    }

    /// Appends bytes as they are, under a raw length that is their own.
    pub(super) fn padding(&mut self, id: SectionId, len: usize) {
        self.append(id, &vec![0; len], 0);
    }

    fn append(&mut self, id: SectionId, stored: &[u8], raw_len: u64) {
        let start = self.bytes.len();
        self.bytes.extend(id.tag);
        self.bytes.extend(id.agent.to_le_bytes());
        self.bytes.extend((stored.len() as u64).to_le_bytes());
        self.bytes.extend(raw_len.to_le_bytes());
        self.bytes.extend(checksum(stored).to_le_bytes());
        let header = checksum(&self.bytes[start..]);
        self.bytes.extend(header.to_le_bytes());
        self.bytes.extend(stored);
        self.sections += 1;
    }

    /// Fills in the file's header.
    pub(super) fn finish(mut self, version: u32) -> Vec<u8> {
        let len = self.bytes.len() as u64;
        self.bytes[0..8].copy_from_slice(&MAGIC);
        self.bytes[8..12].copy_from_slice(&version.to_le_bytes());
        self.bytes[12..16].copy_from_slice(&self.sections.to_le_bytes());
        self.bytes[16..24].copy_from_slice(&len.to_le_bytes());
        let header = checksum(&self.bytes[..HEADER - 4]);
        self.bytes[HEADER - 4..HEADER].copy_from_slice(&header.to_le_bytes());
        self.bytes
    }
}

/// The sections of a file, their headers checked, their bytes not yet.
pub(super) fn sections(bytes: &[u8]) -> Result<Vec<Section<'_>>, FormatError> {
    let (count, mut at) = (check_header(bytes)?, HEADER);
    let mut sections = Vec::new();
    while at < bytes.len() {
        let section = read_section(bytes, at)?;
        at = section.offset + section.stored.len();
        sections.push(section);
    }
    if sections.len() as u64 != u64::from(count) {
        let problem = format!("{count} sections announced, {} found", sections.len());
        return Err(header_damaged(12, problem));
    }
    Ok(sections)
}

fn header_damaged(offset: u64, problem: String) -> FormatError {
    FormatError::Damaged { section: "header".to_owned(), offset, problem }
}

/// Checks the file's header; returns the number of sections.
fn check_header(bytes: &[u8]) -> Result<u32, FormatError> {
    if bytes.len() < 12 || bytes[..8] != MAGIC {
        return Err(FormatError::NotANavgrid);
    }
    let found = u32_at(bytes, 8);
    if !(VERSION_WITHOUT_ORDERS..=VERSION).contains(&found) {
        return Err(FormatError::Version { found, supported: VERSION });
    }
    if bytes.len() < HEADER {
        return Err(header_damaged(bytes.len() as u64, "the file ends inside it".to_owned()));
    }
    if checksum(&bytes[..HEADER - 4]) != u32_at(bytes, HEADER - 4) {
        return Err(header_damaged(0, "its checksum does not fit".to_owned()));
    }
    let claimed = u64_at(bytes, 16);
    if claimed != bytes.len() as u64 {
        let problem = format!("{claimed} bytes announced, the file has {}", bytes.len());
        return Err(header_damaged(16, problem));
    }
    if u32_at(bytes, 24) != 0 {
        return Err(header_damaged(24, "reserved bytes are in use".to_owned()));
    }
    Ok(u32_at(bytes, 12))
}

fn read_section(bytes: &[u8], at: usize) -> Result<Section<'_>, FormatError> {
    let Some(header) = bytes.get(at..at + HEADER) else {
        return Err(header_damaged(at as u64, "the file ends inside a section header".to_owned()));
    };
    let tag = [header[0], header[1], header[2], header[3]];
    let id = SectionId { tag, agent: u32_at(header, 4) };
    if checksum(&header[..HEADER - 4]) != u32_at(header, HEADER - 4) {
        return Err(id.damaged(at, "the checksum of its header does not fit"));
    }
    let (stored_len, raw_len) = (u64_at(header, 8), u64_at(header, 16));
    let offset = at + HEADER;
    if stored_len > (bytes.len() - offset) as u64 {
        return Err(id.damaged(at, "it is longer than the file"));
    }
    if raw_len > stored_len.saturating_mul(MOST_PACKED) {
        return Err(id.damaged(at, "it claims to unpack to more than it can"));
    }
    let stored = &bytes[offset..offset + stored_len as usize];
    Ok(Section { id, offset, raw_len, stored, checksum: u32_at(header, 24) })
}

impl Section<'_> {
    pub(super) fn damaged(&self, problem: impl Into<String>) -> FormatError {
        self.id.damaged(self.offset, problem)
    }

    fn verify(&self) -> Result<(), FormatError> {
        if checksum(self.stored) != self.checksum {
            return Err(self.damaged("its checksum does not fit"));
        }
        Ok(())
    }

    /// Checks the bytes, then unpacks them; nothing is left over on either side.
    pub(super) fn unpack(&self) -> Result<Vec<u8>, FormatError> {
        self.verify()?;
        let mut inflate = Decompress::new(false);
        // Room beyond the claim shows a stream that holds more.
        let mut raw = Vec::with_capacity(self.raw_len as usize + 16);
        let status = inflate.decompress_vec(self.stored, &mut raw, FlushDecompress::Finish);
        match status {
            Err(error) => return Err(self.damaged(format!("it cannot be unpacked: {error}"))),
            Ok(status) if status != Status::StreamEnd => {
                return Err(self.damaged("it does not unpack to the length it claims"));
            }
            Ok(_) => {}
        }
        if raw.len() as u64 != self.raw_len || inflate.total_in() != self.stored.len() as u64 {
            return Err(self.damaged("it does not unpack to the length it claims"));
        }
        Ok(raw)
    }

    /// Checks a section of padding: nothing but zeros.
    pub(super) fn check_padding(&self) -> Result<(), FormatError> {
        self.verify()?;
        if self.raw_len != 0 || self.stored.iter().any(|&byte| byte != 0) {
            return Err(self.damaged("padding holds something"));
        }
        Ok(())
    }
}

fn deflate(raw: &[u8]) -> Vec<u8> {
    let mut pack = Compress::new(Compression::new(LEVEL), false);
    let mut stored = Vec::with_capacity(raw.len() / 4 + 64);
    loop {
        let rest = &raw[pack.total_in() as usize..];
        // Deflating from memory to memory cannot fail; a stream that ended early would not
        // unpack to its length.
        match pack.compress_vec(rest, &mut stored, FlushCompress::Finish) {
            Ok(Status::Ok | Status::BufError) => stored.reserve(stored.capacity() / 2 + 64),
            Ok(Status::StreamEnd) | Err(_) => return stored,
        }
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The number at an offset that is known to lie inside.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
