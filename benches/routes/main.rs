//! How fast prepared routes are, and what they take: ratios within one run, as Markdown tables.
//!
//! `cargo bench --bench routes -- [levels] [maps] [router] [updates]`; all if none is named.
//! Levels, maps and heights come from the folder in `SUREFOOT_DATA`.

#[path = "../solve/figures.rs"]
mod figures;
mod heights;
mod levels;
mod maps;
mod octaves;
#[path = "../solve/pairs.rs"]
mod pairs;
#[path = "../solve/plain.rs"]
mod plain;
mod prepared;
mod race;
mod router;
mod sites;
mod updates;

type Part = (&'static str, fn());

const PARTS: [Part; 4] = [
    ("levels", levels::compare),
    ("maps", maps::compare),
    ("router", router::compare),
    ("updates", updates::print),
];

fn main() {
    // Cargo adds options of its own, such as `--bench`.
    let words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let words: Vec<String> = words.collect();
    for word in &words {
        assert!(PARTS.iter().any(|(name, _)| name == word), "there is no part {word:?}");
    }
    for (name, run) in PARTS {
        if words.is_empty() || words.iter().any(|word| word == name) {
            run();
        }
    }
}
