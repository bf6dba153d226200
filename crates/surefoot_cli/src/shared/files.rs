//! Reads files, with errors that name the file and say what to do.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, anyhow};

/// Reads the bytes of a file.
///
/// # Errors
/// The file cannot be read. If it does not exist, the error ends with `advice`.
pub fn read(file: &Path, advice: &str) -> anyhow::Result<Vec<u8>> {
    std::fs::read(file).map_err(|error| unreadable(file, error, advice))
}

/// The error for a file that cannot be read; `advice` is added if it does not exist.
pub fn unreadable(file: &Path, error: std::io::Error, advice: &str) -> anyhow::Error {
    let name = file.display();
    match error.kind() {
        ErrorKind::NotFound => anyhow!("{name}: no such file; {advice}"),
        _ => anyhow!(error).context(name.to_string()),
    }
}

/// Reads a text file.
///
/// # Errors
/// As [`read`], and the first line that is not UTF-8.
pub fn read_text(file: &Path, advice: &str) -> anyhow::Result<String> {
    text(read(file, advice)?).with_context(|| file.display().to_string())
}

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
