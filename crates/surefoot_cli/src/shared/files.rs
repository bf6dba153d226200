//! Reads files, with errors that name the file and say what to do.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use anyhow::{Context, anyhow, bail};

/// Reads the bytes of a file if the first few of them are as expected; else no more than those.
///
/// # Errors
/// The file cannot be read, or does not fit into memory. If it does not exist, the error ends with `advice`.
pub fn read_if(
    file: &Path,
    is_expected: impl Fn(&[u8]) -> bool,
    advice: &str,
) -> anyhow::Result<Vec<u8>> {
    let unreadable = |error| unreadable(file, error, advice);
    let mut source = File::open(file).map_err(unreadable)?;
    let mut bytes = Vec::new();
    (&mut source).take(FIRST).read_to_end(&mut bytes).map_err(unreadable)?;
    if is_expected(&bytes) {
        let length = source.metadata().map_or(0, |metadata| metadata.len());
        bytes.try_reserve(usize::try_from(length).unwrap_or(usize::MAX)).map_err(|_| {
            anyhow!("{}: its {length} bytes do not fit into memory", file.display())
        })?;
        source.read_to_end(&mut bytes).map_err(unreadable)?;
    }
    Ok(bytes)
}

/// The error for a file that cannot be read; `advice` is added if it does not exist.
pub fn unreadable(file: &Path, error: std::io::Error, advice: &str) -> anyhow::Error {
    let name = file.display();
    match error.kind() {
        ErrorKind::NotFound => anyhow!("{name}: no such file; {advice}"),
        ErrorKind::IsADirectory => anyhow!("{name}: this is a folder; name a file in it"),
        ErrorKind::PermissionDenied => anyhow!("{name}: you may not read this file"),
        _ => anyhow!(error).context(name.to_string()),
    }
}

/// So many bytes say of what kind a file is.
const FIRST: u64 = 64;

/// Reads a text file.
///
/// # Errors
/// As [`read`], and the first line that is not UTF-8.
pub fn read_text(file: &Path, advice: &str) -> anyhow::Result<String> {
    let unreadable = |error| unreadable(file, error, advice);
    let mut source = File::open(file).map_err(unreadable)?;
    let mut bytes = Vec::new();
    loop {
        let start = bytes.len();
        let count = (&mut source).take(PIECE).read_to_end(&mut bytes).map_err(unreadable)?;
        // No text has such a byte: a device or a file of another kind may have no end.
        if bytes[start..].contains(&0) {
            bail!("{}: this is not a text file", file.display());
        }
        if count == 0 {
            return text(bytes).with_context(|| file.display().to_string());
        }
    }
}

/// A text is read in pieces of this size [bytes].
const PIECE: u64 = 1 << 20;

/// Decodes UTF-8, without the byte order mark that some editors write.
///
/// # Errors
/// The first line that is not UTF-8.
pub fn text(bytes: Vec<u8>) -> anyhow::Result<String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        anyhow!("line {line}: this is not UTF-8 text; save the file as UTF-8")
    })?;
    match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_utf_8_with_or_without_a_byte_order_mark() {
        assert_eq!(text(b"\xef\xbb\xbf1 2\n".to_vec()).unwrap(), "1 2\n");
        assert_eq!(text(b"1 2".to_vec()).unwrap(), "1 2");
        let error = text(b"1\n2\n\xff3".to_vec()).unwrap_err().to_string();
        assert!(error.starts_with("line 3: "), "{error}");
    }
}
