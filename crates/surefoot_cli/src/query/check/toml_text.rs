//! Words of TOML files that are written.

/// A text in quotation marks, on one line, so that it may be a key, too.
pub fn quoted(text: &str) -> String {
    // What JSON escapes TOML escapes alike; it asks for one more.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
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

/// Text as comments: each line behind a `#`, without characters that must not be in comments.
pub fn comment(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let comment = |line: &str| {
        let line: String = line.chars().map(clean).collect();
        format!("{}\n", format!("# {line}").trim_end())
    };
    text.lines().map(comment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        let odd = ["with \"quotes\"", "back\\slash", "new\nline", "tab\t\u{1}\u{7f}", "", "ä 'x'"];
        for text in ["plain"].into_iter().chain(odd) {
            let table = format!("{} = {}", key(text), list([text, "b"]));
            let table: toml::Table =
                table.parse().unwrap_or_else(|error| panic!("{table}: {error}"));
            assert_eq!(table[text][0].as_str(), Some(text));
        }
        assert_eq!((key("a_b-1").as_str(), key("a b").as_str()), ("a_b-1", "\"a b\""));
        assert_eq!(comment("a\u{1}c\n\nb"), "# a c\n#\n# b\n");
    }
}
