//! Files to read, with errors that say which and what to do.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, anyhow};

/// The bytes of a file.
///
/// # Errors
/// A file that cannot be read; `advice` says what to do where there is none.
pub fn read(file: &Path, advice: &str) -> anyhow::Result<Vec<u8>> {
    std::fs::read(file).map_err(|error| unreadable(file, error, advice))
}

/// What to say of a file that cannot be read; the advice is for one that is not there.
pub fn unreadable(file: &Path, error: std::io::Error, advice: &str) -> anyhow::Error {
    let name = file.display();
    match error.kind() {
        ErrorKind::NotFound => anyhow!("{name}: No such file; {advice}"),
        _ => anyhow!(error).context(name.to_string()),
    }
}

/// The text of a file.
///
/// # Errors
/// As [`read`], and bytes that are no text: the line.
pub fn read_text(file: &Path, advice: &str) -> anyhow::Result<String> {
    text(read(file, advice)?).with_context(|| file.display().to_string())
}

/// Bytes as text, without the mark that some programs begin a file with.
///
/// # Errors
/// Bytes that are not UTF-8: the line.
pub fn text(bytes: Vec<u8>) -> anyhow::Result<String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + sound.iter().filter(|&&byte| byte == b'\n').count();
        anyhow!("line {line}: this is no text in UTF-8; save it as such")
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
    fn text_is_utf_8_with_or_without_a_mark() {
        assert_eq!(text(b"\xef\xbb\xbf1 2\n".to_vec()).unwrap(), "1 2\n");
        assert_eq!(text(b"1 2".to_vec()).unwrap(), "1 2");
        let error = text(b"1\n2\n\xff3".to_vec()).unwrap_err().to_string();
        assert!(error.starts_with("line 3: "), "{error}");
    }
}
