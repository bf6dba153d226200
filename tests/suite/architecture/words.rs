//! Words of our own that gave way to the field's, in identifiers and in docs.
//!
//! The glossary in ARCHITECTURE.md says what to write instead.

use super::keepers::words;
use super::source::{SourceFile, files_in, workspace};

/// In lower case, as parts of identifiers and as words of docs.
const RETIRED: [&str; 37] = [
    "asker",
    "beads",
    "came",
    "census",
    "dear",
    "dearer",
    "dearest",
    "district",
    "districts",
    "dive",
    "evens",
    "foothold",
    "footing",
    "fours",
    "glide",
    "grain",
    "lettering",
    "leg",
    "legs",
    "onward",
    "partners",
    "plate",
    "pursuit",
    "pusher",
    "rims",
    "roster",
    "rulers",
    "scouts",
    "strand",
    "stroll",
    "tariff",
    "throng",
    "told",
    "veer",
    "vicinity",
    "workshop",
    "workshops",
];

/// Plain English in docs, and no name for anything.
const FINE_IN_DOCS: [&str; 1] = ["came"];

#[test]
fn retired_words_are_gone() {
    let crates = workspace();
    let others: Vec<SourceFile> =
        ["tests", "examples", "benches"].into_iter().flat_map(files_in).collect();
    let files = crates.iter().flat_map(|own| &own.files).chain(&others);
    let files = files.filter(|file| !file.path.contains("architecture/"));
    let found: Vec<String> = files.flat_map(check).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// The retired words of a file, as `file:line: word`.
fn check(file: &SourceFile) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        let doc = line.trim_start().starts_with("///") || line.trim_start().starts_with("//!");
        let text = if doc { line } else { line.split("//").next().unwrap_or_default() };
        let parts = words(text).into_iter().flat_map(|(_, word)| parts(word));
        let retired = parts.filter(|part| {
            let part = part.as_str();
            RETIRED.contains(&part) && !(doc && FINE_IN_DOCS.contains(&part))
        });
        found.extend(retired.map(|word| format!("{}:{}: {word}", file.path, at + 1)));
    }
    found
}

/// The parts of an identifier: `RouteIndex`, `route_index` and `ROUTE_INDEX` have the same.
fn parts(word: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![String::new()];
    let mut was_lower = false;
    for c in word.chars() {
        if c == '_' || c.is_uppercase() && was_lower {
            parts.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(last) = parts.last_mut().filter(|_| c != '_') {
            last.extend(c.to_lowercase());
        }
    }
    parts
}

#[test]
fn retired_words_are_found() {
    for (line, count) in [
        ("struct RouteDistrict;", 1),
        ("let told_cost = district.own;", 2),
        ("const GRAIN: u32 = 3;", 1),
        ("/// What it is told.", 1),
        ("/// Where it came from.", 0),
        ("let came = 3;", 1),
        ("//! Grain by grain.", 2),
        ("let x = 1; // as it was told", 0),
        ("fn template(became: u32) {}", 0),
        ("struct Mainland;", 0),
    ] {
        let found = check(&SourceFile::new("src", "src/x.rs", line));
        assert_eq!(found.len(), count, "{line}: {found:?}");
    }
}
