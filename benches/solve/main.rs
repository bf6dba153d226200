//! How fast paths are found: ratios within one run, as Markdown tables.
//!
//! `cargo bench --bench solve -- [search] [parts]`; both if none is named. Real levels come from
//! the folder in `SUREFOOT_DATA`; they are baked for Recast's agent in cells of 0.3 m.

mod figures;
mod levels;
mod pairs;
mod parts;
mod plain;
mod search;

type Part = (&'static str, fn());

const PARTS: [Part; 2] = [("search", search::compare), ("parts", parts::print)];

fn main() {
    // Cargo adds options of its own, such as `--bench`.
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let words: Vec<String> = words.by_ref().collect();
    for word in &words {
        assert!(PARTS.iter().any(|(name, _)| name == word), "there is no part {word:?}");
    }
    for (name, run) in PARTS {
        if words.is_empty() || words.iter().any(|word| word == name) {
            run();
        }
    }
}
