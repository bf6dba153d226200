//! How files are taken apart, spoiled, and sealed again with right checksums.

use flate2::Crc;

/// Where a section of a file lies.
#[derive(Clone, Copy)]
pub struct Section {
    pub header: usize,
    pub start: usize,
    pub end: usize,
}

/// The sections of a sound file.
pub fn sections(bytes: &[u8]) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut header = 32;
    while header < bytes.len() {
        let len = u64::from_le_bytes(bytes[header + 8..header + 16].try_into().unwrap());
        let start = header + 32;
        sections.push(Section { header, start, end: start + len as usize });
        header = start + len as usize;
    }
    sections
}

/// A small generator of its own: the same mutations in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

pub fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(mutant.len());
        match random.below(4) {
            _ if mutant.is_empty() => mutant.push(random.below(256) as u8),
            0 => mutant[at] ^= 1 << random.below(8),
            1 => mutant.truncate(at + 1),
            2 => {
                let from = random.below(bytes.len());
                let len = random.below(64).min(bytes.len() - from);
                mutant.splice(at..at, bytes[from..from + len].iter().copied());
            }
            _ => mutant[at] = random.below(256) as u8,
        }
    }
    mutant
}

/// Changes a section's unpacked bytes, or its header, and seals the file again.
pub fn lie(bytes: &[u8], choose: impl Fn(&Section) -> bool, random: &mut Random) -> Vec<u8> {
    let sections = sections(bytes);
    let choice: Vec<usize> = (0..sections.len()).filter(|&at| choose(&sections[at])).collect();
    let chosen = choice[random.below(choice.len())];
    let mut file = bytes[..32].to_vec();
    for (at, section) in sections.iter().enumerate() {
        let mut header = bytes[section.header..section.start].to_vec();
        let mut stored = bytes[section.start..section.end].to_vec();
        if at == chosen {
            match random.below(5) {
                0 => header[random.below(24)] ^= 1 << random.below(8),
                1 => stored = mutate(&stored, random),
                _ => {
                    let raw = mutate(&inflate(&stored), random);
                    stored = pack(&mut header, &raw);
                }
            }
        }
        append(&mut file, &mut header, &stored);
    }
    seal(&mut file);
    file
}

/// A sound file with each section's header and unpacked bytes changed, sealed again.
pub fn changed(bytes: &[u8], change: impl Fn(&[u8], &mut [u8], &mut Vec<u8>)) -> Vec<u8> {
    let mut file = bytes[..32].to_vec();
    for section in sections(bytes) {
        let mut header = bytes[section.header..section.start].to_vec();
        let mut raw = inflate(&bytes[section.start..section.end]);
        let tag = header[..4].to_vec();
        change(&tag, &mut header, &mut raw);
        let stored = pack(&mut header, &raw);
        append(&mut file, &mut header, &stored);
    }
    seal(&mut file);
    file
}

/// Deflates a section, and says so in its header.
pub fn pack(header: &mut [u8], raw: &[u8]) -> Vec<u8> {
    let stored = deflate(raw);
    header[8..16].copy_from_slice(&(stored.len() as u64).to_le_bytes());
    header[16..24].copy_from_slice(&(raw.len() as u64).to_le_bytes());
    stored
}

pub fn append(file: &mut Vec<u8>, header: &mut [u8], stored: &[u8]) {
    header[24..28].copy_from_slice(&checksum(stored).to_le_bytes());
    let sum = checksum(&header[..28]);
    header[28..32].copy_from_slice(&sum.to_le_bytes());
    file.extend_from_slice(header);
    file.extend(stored);
}

pub fn seal(file: &mut [u8]) {
    let len = file.len() as u64;
    file[16..24].copy_from_slice(&len.to_le_bytes());
    let sum = checksum(&file[..28]);
    file[28..32].copy_from_slice(&sum.to_le_bytes());
}

pub fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

pub fn inflate(stored: &[u8]) -> Vec<u8> {
    let mut raw = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::DeflateDecoder::new(stored), &mut raw).unwrap();
    raw
}

pub fn deflate(raw: &[u8]) -> Vec<u8> {
    let mut stored = Vec::new();
    let mut encoder = flate2::read::DeflateEncoder::new(raw, flate2::Compression::fast());
    std::io::Read::read_to_end(&mut encoder, &mut stored).unwrap();
    stored
}
