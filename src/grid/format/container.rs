//! The container: a header and a chain of sections, each with its lengths and checksums.

use std::cell::RefCell;

use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};

use super::error::FormatError;
use super::memory::MemoryLimit;

/// The first bytes of every file. The high bit and the line ends betray transfers as text.
const MAGIC: [u8; 8] = *b"\x8eNAVG\r\n\x1a";
/// The version that is written, and the newest one that is read.
const VERSION: u32 = 4;

/// Bytes of the file's header, and of each section's.
const HEADER_BYTES: usize = 32;
/// What errors call the header of the file.
pub(super) const HEADER_NAME: &str = "header";
/// The first version whose section headers have flags, and whose files have no padding.
const FIRST_WITH_FLAGS: u32 = 3;
/// Set in a section's flags if a reader that does not know the section may ignore it.
const IGNORABLE: u16 = 1;
/// No deflated byte unpacks to more bytes than this.
const MAX_EXPANSION: u64 = 1032;
/// How hard deflate tries. Measured on 1 M spans of terrain with obstacles, for three agents: level 1
/// makes 9.9 MB, 2 makes 7.3, 4 makes 7.0 and 6 makes 6.8, all unpacked in about the same time; packing
/// with 6 takes 2.5 times as long as with 2.
const DEFLATE_LEVEL: u32 = 2;

/// Four letters that name a section.
pub(super) type Tag = [u8; 4];

/// Which section: its tag, and the agent it belongs to, 0 for those of the whole grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SectionId {
    pub tag: Tag,
    pub agent: u16,
}

impl SectionId {
    pub(super) fn whole(tag: &Tag) -> Self {
        SectionId { tag: *tag, agent: 0 }
    }

    pub(super) fn name(self) -> String {
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

/// The sections this program knows.
const KNOWN: [Tag; 18] = [
    *b"HEAD", *b"META", *b"SETT", *b"NODE", *b"SCEN", *b"COLS", *b"FLOR", *b"CEIL", *b"NORM",
    *b"GRND", *b"STEP", *b"STAT", *b"FARS", *b"REGN", *b"ROOM", *b"MEAS", *b"ROOF", *b"ORDR",
];
/// What the versions before [`FIRST_WITH_FLAGS`] appended to files that packed very well.
pub(super) const PADDING: SectionId = SectionId { tag: *b"PADD", agent: 0 };

/// A section as it lies in the file.
#[derive(Clone, Copy)]
pub(super) struct FileSection<'a> {
    pub id: SectionId,
    /// Where its bytes start in the file.
    pub offset: usize,
    /// Its length unpacked, as the file claims.
    pub raw_len: u64,
    flags: u16,
    stored: &'a [u8],
    checksum: u32,
}

/// Puts a file together, in the newest version.
pub(super) struct Writer {
    bytes: Vec<u8>,
    sections: u32,
}

impl Writer {
    pub(super) fn new() -> Self {
        Writer { bytes: vec![0; HEADER_BYTES], sections: 0 }
    }

    /// Appends a section that every reader has to know.
    pub(super) fn required(&mut self, id: SectionId, raw: &[u8]) {
        self.append(id, 0, raw);
    }

    /// Appends a section that a reader may ignore if it does not know it.
    pub(super) fn ignorable(&mut self, id: SectionId, raw: &[u8]) {
        self.append(id, IGNORABLE, raw);
    }

    fn append(&mut self, id: SectionId, flags: u16, raw: &[u8]) {
        let (start, stored) = (self.bytes.len(), deflate(raw));
        self.bytes.extend(id.tag);
        self.bytes.extend(id.agent.to_le_bytes());
        self.bytes.extend(flags.to_le_bytes());
        self.bytes.extend((stored.len() as u64).to_le_bytes());
        self.bytes.extend((raw.len() as u64).to_le_bytes());
        self.bytes.extend(checksum(&stored).to_le_bytes());
        let header = checksum(&self.bytes[start..]);
        self.bytes.extend(header.to_le_bytes());
        self.bytes.extend(stored);
        self.sections += 1;
    }

    /// Fills in the file's header.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let len = self.bytes.len() as u64;
        self.bytes[0..8].copy_from_slice(&MAGIC);
        self.bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        self.bytes[12..16].copy_from_slice(&self.sections.to_le_bytes());
        self.bytes[16..24].copy_from_slice(&len.to_le_bytes());
        let header = checksum(&self.bytes[..HEADER_BYTES - 4]);
        self.bytes[HEADER_BYTES - 4..HEADER_BYTES].copy_from_slice(&header.to_le_bytes());
        self.bytes
    }
}

/// The sections of a file that this program knows: their headers are checked, their bytes not yet.
/// Unknown sections that may be ignored are checked and skipped.
///
/// # Errors
/// Damage, an unknown section that must not be ignored, or sections that unpack to more than the
/// limit.
pub(super) fn read_sections(
    bytes: &[u8],
    limit: MemoryLimit,
) -> Result<Vec<FileSection<'_>>, FormatError> {
    let FileHeader { version, count } = check_header(bytes)?;
    let most = bytes.len() / HEADER_BYTES - 1;
    let list = count.min(most);
    let limit = limit.hold((list * size_of::<FileSection>()) as u64, 12)?;
    let (mut sections, mut found, mut at) = (Vec::with_capacity(list), 0, HEADER_BYTES);
    while at < bytes.len() {
        let section = read_section(bytes, at)?;
        at = section.offset + section.stored.len();
        found += 1;
        // Beyond the count the list has no room; the file is refused below.
        if section.check_known(version)? && found <= list {
            sections.push(section);
        }
    }
    if found != count {
        return Err(header_damaged(12, format!("it says {count} sections, the file has {found}")));
    }
    limit.check(&sections)?;
    Ok(sections)
}

/// The file's header.
struct FileHeader {
    version: u32,
    /// Number of sections.
    count: usize,
}

fn header_damaged(offset: u64, problem: String) -> FormatError {
    FormatError::Damaged { section: HEADER_NAME.to_owned(), offset, problem }
}

fn check_header(bytes: &[u8]) -> Result<FileHeader, FormatError> {
    if bytes.len() < 12 || bytes[..8] != MAGIC {
        return Err(FormatError::NotANavgrid);
    }
    let version = u32_at(bytes, 8);
    if !(1..=VERSION).contains(&version) {
        return Err(FormatError::Version { found: version, supported: VERSION });
    }
    if bytes.len() < HEADER_BYTES {
        return Err(header_damaged(bytes.len() as u64, "the file ends inside it".to_owned()));
    }
    if checksum(&bytes[..HEADER_BYTES - 4]) != u32_at(bytes, HEADER_BYTES - 4) {
        return Err(header_damaged(0, "its checksum does not match".to_owned()));
    }
    let claimed = u64_at(bytes, 16);
    if claimed != bytes.len() as u64 {
        let problem = format!("it says {claimed} bytes, the file has {}", bytes.len());
        return Err(header_damaged(16, problem));
    }
    if u32_at(bytes, 24) != 0 {
        return Err(header_damaged(24, "its reserved bytes are not 0".to_owned()));
    }
    Ok(FileHeader { version, count: u32_at(bytes, 12) as usize })
}

fn read_section(bytes: &[u8], at: usize) -> Result<FileSection<'_>, FormatError> {
    let Some(header) = bytes.get(at..at + HEADER_BYTES) else {
        return Err(header_damaged(at as u64, "the file ends inside a section header".to_owned()));
    };
    let tag = [header[0], header[1], header[2], header[3]];
    let id = SectionId { tag, agent: u16_at(header, 4) };
    if checksum(&header[..HEADER_BYTES - 4]) != u32_at(header, HEADER_BYTES - 4) {
        return Err(id.damaged(at, "the checksum of its header does not match"));
    }
    let (stored_len, raw_len) = (u64_at(header, 8), u64_at(header, 16));
    let offset = at + HEADER_BYTES;
    if stored_len > (bytes.len() - offset) as u64 {
        return Err(id.damaged(at, "it is longer than the file"));
    }
    if raw_len > stored_len.saturating_mul(MAX_EXPANSION) {
        return Err(id.damaged(at, "it cannot unpack to the length it claims"));
    }
    let stored = &bytes[offset..offset + stored_len as usize];
    let (flags, checksum) = (u16_at(header, 6), u32_at(header, 24));
    Ok(FileSection { id, offset, raw_len, flags, stored, checksum })
}

impl FileSection<'_> {
    pub(super) fn damaged(&self, problem: impl Into<String>) -> FormatError {
        self.id.damaged(self.offset, problem)
    }

    /// Whether this program knows the section; if not, it may be ignored, and its bytes are as they
    /// were written.
    fn check_known(&self, version: u32) -> Result<bool, FormatError> {
        let is_known = KNOWN.contains(&self.id.tag);
        if version < FIRST_WITH_FLAGS {
            if self.flags != 0 {
                return Err(self.damaged("it belongs to an agent above 65535"));
            }
            if !is_known && self.id != PADDING {
                return Err(self.damaged(format!("version {version} has no such section")));
            }
            return Ok(true);
        }
        if is_known && self.flags & !IGNORABLE != 0 {
            let problem = format!("this program does not know its flags {:#06x}", self.flags);
            return Err(self.unsupported(problem));
        }
        if !is_known && self.flags & IGNORABLE == 0 {
            let problem = "this program does not know it, and the grid cannot be read without it";
            return Err(self.unsupported(problem));
        }
        if !is_known {
            self.verify()?;
        }
        Ok(is_known)
    }

    fn unsupported(&self, problem: impl Into<String>) -> FormatError {
        FormatError::Unsupported {
            section: self.id.name(),
            offset: self.offset as u64,
            problem: problem.into(),
        }
    }

    fn verify(&self) -> Result<(), FormatError> {
        if checksum(self.stored) != self.checksum {
            return Err(self.damaged("its checksum does not match"));
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

    /// Checks a section of padding, as older versions wrote it: nothing but zeros.
    pub(super) fn check_padding(&self) -> Result<(), FormatError> {
        self.verify()?;
        if self.raw_len != 0 || self.stored.iter().any(|&byte| byte != 0) {
            return Err(self.damaged("the padding is not all zeros"));
        }
        Ok(())
    }
}

thread_local! {
    /// Kept, because a new one clears 300 kB, which takes longer than deflating a small grid.
    static PACK: RefCell<Compress> =
        RefCell::new(Compress::new(Compression::new(DEFLATE_LEVEL), false));
}

fn deflate(raw: &[u8]) -> Vec<u8> {
    PACK.with_borrow_mut(|pack| {
        pack.reset();
        deflate_by(pack, raw)
    })
}

fn deflate_by(pack: &mut Compress, raw: &[u8]) -> Vec<u8> {
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

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// The number at an offset that is known to lie inside.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}
