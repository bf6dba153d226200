//! The buffers of a file: the binary chunk of a `.glb`, data URIs and files beside it.
//!
//! A buffer is read when the first mesh needs it, so one that holds only images stays unread.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use super::document::Document;
use super::fault::Fault;
use super::memory::{Memory, RAISE_LIMIT};

/// The buffers of a file, read on demand.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    bin: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    loaded: Vec<OnceCell<Cow<'a, [u8]>>>,
    /// Bytes of all buffers that were read from elsewhere than the file itself.
    external_bytes: Cell<usize>,
    memory: Memory,
}

impl<'a> Buffers<'a> {
    /// The buffers of a document; relative paths are looked up in the folder. They may take what
    /// memory allows.
    pub fn new(
        document: &'a Document,
        bin: Option<&'a [u8]>,
        folder: Option<&'a Path>,
        memory: Memory,
    ) -> Self {
        let loaded = document.buffers.iter().map(|_| OnceCell::new()).collect();
        Buffers { document, bin, folder, loaded, external_bytes: Cell::new(0), memory }
    }

    /// The bytes of a buffer, cut to its declared length.
    pub fn bytes(&self, index: usize) -> Result<&[u8], Fault> {
        let buffer = self.document.buffer(index)?;
        let cell = &self.loaded[index];
        if let Some(bytes) = cell.get() {
            return Ok(bytes);
        }
        let length = usize::try_from(buffer.byte_length.0).unwrap_or(usize::MAX);
        if buffer.uri.is_some() && !self.memory.fits(self.external_bytes(), length) {
            let limit = self.memory.limit_name();
            let problem = format!("its {length} bytes take more than {limit}; {RAISE_LIMIT}");
            return Err(Fault::Buffer(index, problem));
        }
        let source = match buffer.uri.as_deref() {
            None => self.binary_chunk(index),
            Some(uri) if uri.starts_with("data:") => data_uri(uri).map(Cow::Owned),
            Some(uri) => self.external(uri, length).map(Cow::Owned),
        };
        let bytes = source.map_err(|problem| Fault::Buffer(index, problem))?;
        if bytes.len() < length {
            let problem =
                format!("{length} bytes expected, {} found; export the file again", bytes.len());
            return Err(Fault::Buffer(index, problem));
        }
        let bytes = match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length]),
            Cow::Owned(mut bytes) => {
                bytes.truncate(length);
                self.external_bytes.set(self.external_bytes() + length);
                Cow::Owned(bytes)
            }
        };
        Ok(cell.get_or_init(|| bytes))
    }

    /// Bytes of all buffers that were read from elsewhere than the file itself.
    pub fn external_bytes(&self) -> usize {
        self.external_bytes.get()
    }

    fn binary_chunk(&self, index: usize) -> Result<Cow<'a, [u8]>, String> {
        match self.bin {
            Some(bin) if index == 0 => Ok(Cow::Borrowed(bin)),
            _ => Err("it names no file and the file has no binary chunk for it; \
                      export it again without compression"
                .to_owned()),
        }
    }

    /// Reads a file, up to the buffer's declared length.
    fn external(&self, uri: &str, length: usize) -> Result<Vec<u8>, String> {
        let path = resolve(uri, self.folder)?;
        let shown = path.display();
        let failed = |error: std::io::Error| {
            format!("cannot read {shown} ({error}); put the file there, or export as .glb")
        };
        // Asked before it is opened: a pipe would wait for somebody to write.
        let metadata = std::fs::metadata(&path).map_err(failed)?;
        if !metadata.is_file() {
            return Err(format!("{shown} is not a file; put the buffer there, or export as .glb"));
        }
        let available = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
        let file = File::open(&path).map_err(failed)?;
        let mut bytes = Vec::with_capacity(available.min(length));
        file.take(length as u64).read_to_end(&mut bytes).map_err(failed)?;
        Ok(bytes)
    }
}

/// The file that a URI names, beside the scene.
///
/// # Errors
/// A URI that leads elsewhere, or a scene that is in no folder.
pub(super) fn resolve(uri: &str, folder: Option<&Path>) -> Result<PathBuf, String> {
    // One letter before the colon is a drive, not a scheme.
    let scheme = uri.split_once(':').map_or("", |(scheme, _)| scheme);
    if scheme.len() > 1 && scheme.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err(format!("{uri:.80?} is not beside the scene; save it there as a file"));
    }
    let path = percent_decode_str(uri).decode_utf8().map_err(|_| {
        format!("{uri:.80?} is not a path in UTF-8; rename the file and export again")
    })?;
    let folder = folder.ok_or_else(|| {
        format!("the file {path:.80?} is needed, but no folder was given; load it by its path")
    })?;
    Ok(folder.join(&*path))
}

/// The bytes in a `data:` URI, in base64 or percent-encoded.
fn data_uri(uri: &str) -> Result<Vec<u8>, String> {
    let (header, data) =
        uri.split_once(',').ok_or("its data URI has no comma; export the file again")?;
    if !header.ends_with(";base64") {
        return Ok(percent_decode_str(data).collect());
    }
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let standard = GeneralPurpose::new(&STANDARD, config).decode(data);
    standard.or_else(|error| {
        let fallback = GeneralPurpose::new(&URL_SAFE, config).decode(data);
        fallback.map_err(|_| format!("its base64 is broken ({error}); export the file again"))
    })
}
