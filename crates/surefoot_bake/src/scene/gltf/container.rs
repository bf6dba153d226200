//! The two containers of glTF: `.gltf` is JSON text, `.glb` is a header and two chunks.

use super::fault::Fault;

/// The parts of a file: its JSON text, and the binary chunk of a `.glb`.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    pub bin: Option<&'a [u8]>,
}

const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

impl<'a> Container<'a> {
    /// Splits a file; what does not start as a `.glb` is taken for JSON text.
    pub fn split(bytes: &'a [u8]) -> Result<Self, Fault> {
        if bytes.is_empty() {
            return Err(Fault::file("it is empty; export it again"));
        }
        if !bytes.starts_with(b"glTF") {
            if !may_be_json(bytes) {
                return Err(Fault::file(
                    "it is no glTF file: it begins neither as a .glb nor as JSON; give a scene that was \
                     exported as glTF 2.0",
                ));
            }
            return Ok(Container { json: bytes, bin: None });
        }
        let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
            return Err(truncated(HEADER, bytes.len()));
        };
        if version != 2 {
            return Err(Fault::file(format!("it is a .glb of version {version}; export it as 2")));
        }
        if length < HEADER || length > bytes.len() {
            return Err(truncated(length.max(HEADER), bytes.len()));
        }
        let (kind, json, rest) = chunk(&bytes[HEADER..length])?;
        if kind != b"JSON" {
            return Err(Fault::file("its first chunk is not JSON; export it again"));
        }
        let bin = binary(rest)?;
        Ok(Container { json, bin })
    }
}

/// Whether text begins as a JSON object does, behind a byte order mark and white space.
fn may_be_json(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    text.trim_ascii_start().starts_with(b"{")
}

/// The first binary chunk; chunks of other kinds are skipped, as the format asks.
fn binary(mut rest: &[u8]) -> Result<Option<&[u8]>, Fault> {
    while rest.len() >= CHUNK_HEADER {
        let (kind, data, after) = chunk(rest)?;
        if kind == b"BIN\0" {
            return Ok(Some(data));
        }
        rest = after;
    }
    Ok(None)
}

/// Kind and data of a chunk, and what follows it.
type Chunk<'a> = (&'a [u8], &'a [u8], &'a [u8]);

fn chunk(bytes: &[u8]) -> Result<Chunk<'_>, Fault> {
    let (Some(length), Some(kind)) = (word(bytes, 0), bytes.get(4..CHUNK_HEADER)) else {
        return Err(truncated(CHUNK_HEADER, bytes.len()));
    };
    let body = &bytes[CHUNK_HEADER..];
    let data = body.get(..length).ok_or_else(|| truncated(length, body.len()))?;
    Ok((kind, data, &body[length..]))
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(word)).ok()
}

fn truncated(needed: usize, found: usize) -> Fault {
    Fault::file(format!("it is cut short: {needed} bytes expected, {found} found; copy it again"))
}
