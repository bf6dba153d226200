//! Words of TOML files that are written.

/// A text in quotation marks.
pub fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A key: bare if TOML allows it.
pub fn key(name: &str) -> String {
    let is_bare =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    if is_bare { name.to_owned() } else { quoted(name) }
}

/// A list of texts.
pub fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts: Vec<String> = texts.into_iter().map(quoted).collect();
    format!("[{}]", texts.join(", "))
}

/// Text as comments: each line behind a `#`.
pub fn comment(text: &str) -> String {
    text.lines().map(|line| format!("# {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for text in
            ["plain", "with \"quotes\"", "back\\slash", "new\nline", "tab\t\u{1}", "", "ä 'x'"]
        {
            let table = format!("{} = {}", key(text), list([text, "b"]));
            let table: toml::Table =
                table.parse().unwrap_or_else(|error| panic!("{table}: {error}"));
            assert_eq!(table[text][0].as_str(), Some(text));
        }
        assert_eq!((key("a_b-1").as_str(), key("a b").as_str()), ("a_b-1", "\"a b\""));
        assert_eq!(comment("a\nb"), "# a\n# b\n");
    }
}
