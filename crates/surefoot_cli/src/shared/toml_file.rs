//! Parses TOML files, with errors that name the file and the line.

use std::path::Path;

use anyhow::anyhow;
use serde::de::DeserializeOwned;

/// Parses the text of a file.
///
/// # Errors
/// What is wrong with it: the file, the line and the key.
pub fn parse<T: DeserializeOwned>(file: &Path, text: &str) -> anyhow::Result<T> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_at(text, span.start));
        anyhow!("{}: line {line}: {}", file.display(), error.message())
    })
}

/// The number of the line at a place of a text [bytes].
pub fn line_at(text: &str, place: usize) -> usize {
    let before = text.as_bytes().iter().take(place);
    1 + before.filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_count_from_1() {
        assert_eq!([0, 1, 2, 3, 99].map(|place| line_at("a\nb\n", place)), [1, 1, 2, 2, 3]);
        let error = parse::<toml::Table>(Path::new("a.toml"), "x = 1\ny = [").unwrap_err();
        assert!(error.to_string().starts_with("a.toml: line 2: "), "{error}");
    }
}
