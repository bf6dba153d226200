//! Crates and parts of the standard library that only some may name.

use super::source::{SourceFile, workspace};

/// A word that only some files may write. A `!` makes it a macro, a `::` a path, a `.` a method.
struct Kept {
    word: &'static str,
    /// Where the rule holds: files whose paths start so.
    within: &'static str,
    /// Where the word may stand: files whose paths start with one of these.
    by: &'static [&'static str],
    why: &'static str,
}

const PHYSICS: &[&str] = &["crates/surefoot_rapier/", "crates/surefoot_bake/src/casts/"];
const COMMANDS: &[&str] = &["crates/surefoot_cli/"];
const RUN_TIME: &str = "src/";
const PARALLEL: &[&str] = &["src/parallel.rs"];

const PORTABLE: &[&str] = &["src/portable.rs"];
/// Of the standard library, in the run time.
const METHODS_OF_THE_PLATFORM: [&str; 16] = [
    ".sin", ".cos", ".tan", ".sin_cos", ".asin", ".acos", ".atan", ".atan2", ".hypot", ".exp",
    ".ln", ".log2", ".log10", ".powf", ".cbrt", ".mul_add",
];

const TAKES_MODEL: &[&str] = &["src/navigator/", "src/crowd/mod.rs"];
const NAMES_MODEL: &[&str] = &["src/navigator/context.rs", "src/navigator/mod.rs"];
/// In a debug build that program's code is slow, however the libraries are optimized.
const GENERIC: &str = "what is generic over a model is compiled with the program that uses it";

const KEPT: [Kept; 18] = [
    kept("rapier3d", PHYSICS, "physics stays where casts are made"),
    kept("parry3d", PHYSICS, "physics stays where casts are made"),
    kept("clap", COMMANDS, "arguments are read by the commands"),
    kept("anyhow", COMMANDS, "the libraries have typed errors"),
    kept("indicatif", COMMANDS, "progress is shown by the commands"),
    kept("println!", COMMANDS, "the libraries do not print"),
    kept("eprintln!", COMMANDS, "the libraries do not print"),
    kept("print!", COMMANDS, "the libraries do not print"),
    kept("eprint!", COMMANDS, "the libraries do not print"),
    kept("dbg!", &[], "it is for debugging"),
    kept("unsafe", &[], "no code needs it"),
    kept("Instant", COMMANDS, "the libraries do not read the clock"),
    kept("SystemTime", COMMANDS, "the libraries do not read the clock"),
    kept("env::", COMMANDS, "the libraries do not read the environment"),
    Kept { within: RUN_TIME, ..kept("NavigatorModel", TAKES_MODEL, GENERIC) },
    Kept { within: "src/navigator/", ..kept("CostModel", NAMES_MODEL, GENERIC) },
    Kept { within: RUN_TIME, ..kept("thread::", PARALLEL, "one file names threads") },
    Kept { within: RUN_TIME, ..kept("rayon", PARALLEL, "one file names threads") },
];

const fn kept(word: &'static str, by: &'static [&'static str], why: &'static str) -> Kept {
    Kept { word, within: "", by, why }
}

#[test]
fn words_are_kept_to_few_files() {
    let mut faults = Vec::new();
    for own in workspace() {
        faults.extend(own.files.iter().flat_map(check));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Every breach in a file, as `file:line: what`.
fn check(file: &SourceFile) -> Vec<String> {
    if file.room() == "tests" {
        return Vec::new();
    }
    let mut faults = Vec::new();
    // Tests may compute what they like.
    let tests = file.code.find("#[cfg(test)]").unwrap_or(file.code.len());
    let methods = METHODS_OF_THE_PLATFORM.map(|word| Kept {
        within: RUN_TIME,
        ..kept(word, PORTABLE, "it rounds in another way on other machines")
    });
    let all = || KEPT.iter().chain(&methods);
    for (at, word) in words(&file.code) {
        let after = &file.code[at + word.len()..];
        let is = |kept: &&Kept| {
            let name = kept.word.trim_start_matches('.').trim_end_matches(['!', ':']);
            let is_method = kept.word.starts_with('.');
            let fits = if is_method {
                file.code[..at].ends_with('.') && after.starts_with('(')
            } else {
                after.starts_with(&kept.word[name.len()..])
            };
            name == word && fits && !(is_method && at > tests)
        };
        let holds = |kept: &&Kept| {
            file.path.starts_with(kept.within)
                && !kept.by.iter().any(|by| file.path.starts_with(by))
        };
        if let Some(kept) = all().filter(is).find(holds) {
            faults.push(format!("{}:{}: {}: {}", file.path, file.line(at), kept.word, kept.why));
        }
    }
    faults
}

/// Every identifier and where it starts.
pub fn words(code: &str) -> Vec<(usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut at = 0;
    for word in code.split(|c| !part(c)) {
        if !word.is_empty() {
            found.push((at, word));
        }
        at += word.len() + code[at + word.len()..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

#[test]
fn what_breaks_a_rule_is_found() {
    for (path, line) in [
        ("crates/surefoot_bake/src/stages/tile.rs", "use parry3d::math::Vector;"),
        ("crates/surefoot_bake/src/stages/tile.rs", "fn f() { std::println!(\"x\") }"),
        ("crates/surefoot_draw/src/lib.rs", "dbg!(1);"),
        ("crates/surefoot_cli/src/lib.rs", "dbg!(1);"),
        ("src/cch/min_plus.rs", "fn f() { unsafe { g() } }"),
        ("crates/surefoot_cli/src/bake/run.rs", "use rapier3d::prelude::*;"),
        ("crates/surefoot_bake/src/stages/mod.rs", "let start = std::time::Instant::now();"),
        ("crates/surefoot_bake/src/scene/mod.rs", "let home = std::env::var(\"HOME\");"),
        ("src/lib.rs", "pub fn now() -> std::time::SystemTime { todo() }"),
        ("src/cch/mod.rs", "use std::thread::spawn;"),
        ("src/cch/mod.rs", "use rayon::prelude::*;"),
        ("src/crowd/mod.rs", "let sine = angle.sin();"),
        ("src/path/mod.rs", "let length = (a - b).hypot(c);"),
    ] {
        let found = check(&SourceFile::new("src", path, &format!("\n{line}\n")));
        assert_eq!(found.len(), 1, "{path}: {line}: {found:?}");
        assert!(found[0].starts_with(&format!("{path}:2: ")), "{}", found[0]);
    }
}

#[test]
fn what_keeps_the_rules_passes() {
    for (path, line) in [
        ("crates/surefoot_bake/src/casts/tiled/scan.rs", "use parry3d::math::Vector;"),
        ("crates/surefoot_rapier/src/sweep.rs", "use rapier3d::prelude::*;"),
        ("crates/surefoot_cli/src/lib.rs", "fn f() { println!(); std::env::args(); }"),
        ("crates/surefoot_bake/src/stages/mod.rs", "use rayon::prelude::*;"),
        ("src/parallel.rs", "std::thread::spawn(f); use rayon::join;"),
        ("src/grid/mod.rs", "// as with rapier3d, println!()"),
        ("src/grid/mod.rs", "let sin = portable::cos(x); #[cfg(test)] mod tests { x.sin(); }"),
        ("crates/surefoot_bake/src/stages/mod.rs", "let sine = angle.sin();"),
        ("src/grid/mod.rs", "fn print(fingerprint: u32) { self.print(1) }"),
        ("src/lib.rs", "const VERSION: &str = env!(\"CARGO_PKG_VERSION\");"),
    ] {
        let found = check(&SourceFile::new("src", path, line));
        assert_eq!(found, Vec::<String>::new(), "{path}: {line}");
    }
}
