//! How fast a bake is, and how much memory it takes: ratios within one run, as Markdown tables.
//!
//! `cargo bench --bench bake -- [casters] [threads] [memory] [stages]`; all parts if none is
//! named. Real levels come from the folder in `SUREFOOT_DATA`.

mod casters;
mod levels;
mod memory;
mod stages;
mod threads;
mod timing;

use std::env;

type Part = (&'static str, fn());

const PARTS: [Part; 4] = [
    ("casters", casters::compare),
    ("threads", threads::compare),
    ("memory", memory::compare),
    ("stages", stages::print),
];

fn main() {
    // Cargo adds options of its own, such as `--bench`.
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let [word, tile_size] = &words[..]
        && word == memory::CHILD
    {
        return memory::bake_as_child(tile_size.parse().expect("a tile size in cells"));
    }
    for word in &words {
        assert!(PARTS.iter().any(|(name, _)| name == word), "there is no part {word:?}");
    }
    for (name, run) in PARTS {
        if words.is_empty() || words.iter().any(|word| word == name) {
            run();
        }
    }
}
