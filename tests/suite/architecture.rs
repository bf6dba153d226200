//! The rooms of the crate: who may use whom, and what stays in the binaries.
//!
//! Every path in `src` that starts at the crate, or climbs to it by `super::super`, is held
//! against one table. So are the crates and the parts of the standard library that only some
//! rooms may name. The checker is itself checked on lines that break each rule.

use std::path::{Path, PathBuf};

/// Each room, and the rooms it may use beside itself.
const ROOMS: [(&str, &[&str]); 9] = [
    ("agent", &[]),
    ("grid", &["agent"]),
    ("scene", &["grid", "agent"]),
    ("world", &["scene", "grid", "agent"]),
    ("bake", &["world", "scene", "grid", "agent"]),
    ("solve", &["grid", "agent"]),
    ("routes", &["solve", "grid", "agent"]),
    ("follow", &["routes", "solve", "world", "grid", "agent"]),
    ("draw", &["solve", "grid", "agent"]),
];

/// Words that only some rooms may write, and which; `bin` are the binaries. A `!` makes it a macro.
const WORDS: [(&str, &[&str], &str); 12] = [
    ("rapier3d", &["world"], "physics stays in one room"),
    ("parry3d", &["world"], "physics stays in one room"),
    ("clap", &["bin"], "arguments are read by the binaries"),
    ("anyhow", &["bin"], "the library has typed errors"),
    ("indicatif", &["bin"], "progress is shown by the binaries"),
    ("println!", &["bin"], "the library does not print"),
    ("eprintln!", &["bin"], "the library does not print"),
    ("print!", &["bin"], "the library does not print"),
    ("eprint!", &["bin"], "the library does not print"),
    ("dbg!", &["bin"], "the library does not print"),
    ("Instant", &["bin"], "the library does not read the clock"),
    ("SystemTime", &["bin"], "the library does not read the clock"),
];

#[test]
fn every_room_keeps_to_those_below() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lib = std::fs::read_to_string(root.join("src/lib.rs")).expect("src/lib.rs");
    let mut faults = Vec::new();
    let files = rust_files(&root.join("src"));
    assert!(files.len() > 50, "only {} files were found", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let name = file.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
        faults.extend(check(&name.replace('\\', "/"), &text, &reexports(&lib)));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn every_module_of_the_crate_is_a_room() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lib = std::fs::read_to_string(root.join("src/lib.rs")).expect("src/lib.rs");
    let declared: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    assert!(!declared.is_empty());
    for module in declared {
        assert!(ROOMS.iter().any(|(room, _)| *room == module), "{module} has no row in the table");
    }
}

#[test]
fn the_checker_finds_what_breaks_a_rule() {
    let names = reexports("pub use agent::{Agent, BodyShape};\npub use scene::Scene;\n");
    let found = |file: &str, text: &str| check(file, text, &names);
    let breaks = |file: &str, line: &str| {
        let faults = found(file, &format!("//! Module.\n\n{line}\n"));
        assert_eq!(faults.len(), 1, "{file}: {line}: {faults:?}");
        assert!(faults[0].starts_with(&format!("{file}:3: ")), "{}", faults[0]);
    };
    breaks("src/agent.rs", "use crate::grid::Cell;");
    breaks("src/grid/mod.rs", "use crate::{agent::Agent, world::World};");
    breaks("src/grid/mod.rs", "use crate::{\n    agent::Agent,\n    Scene,\n};");
    breaks("src/grid/format/read.rs", "use super::super::super::bake::bake;");
    breaks("src/grid/lookup.rs", "use super::super::scene::Scene;");
    breaks("src/grid/mod.rs", "use super::scene::Scene;");
    breaks("src/grid/mod.rs", "use crate::*;");
    breaks("src/scene/mod.rs", "pub(crate) use crate::world::Hit;");
    breaks("src/draw/mod.rs", "fn f(bake: &crate::bake::Baked) {}");
    breaks("src/world/mod.rs", "use crate::draw::Picture;");
    breaks("src/world/mod.rs", "use crate::elsewhere::Thing;");
    breaks("src/bake/tile.rs", "use parry3d::math::Vector;");
    breaks("src/bake/tile.rs", "fn f() { std::println!(\"x\") }");
    breaks("src/draw/mod.rs", "dbg!(1);");
    breaks("src/bake/mod.rs", "let start = std::time::Instant::now();");
    breaks("src/scene/mod.rs", "let home = std::env::var(\"HOME\");");
    breaks("src/bin/bake/main.rs", "use rapier3d::prelude::*;");
    breaks("src/lib.rs", "pub fn now() -> std::time::SystemTime { todo() }");
}

#[test]
fn the_checker_lets_pass_what_keeps_the_rules() {
    let names = reexports("pub use agent::{Agent, BodyShape};\n");
    for (file, line) in [
        ("src/bake/mod.rs", "use crate::{Agent, grid::{Cell, GridFrame}, world::World};"),
        ("src/grid/format/read.rs", "use super::super::{Span, SpanId};"),
        ("src/world/tiled/core.rs", "use super::super::body::Body; use parry3d::math::Vector;"),
        ("src/grid/mod.rs", "// as in crate::world, with rapier3d"),
        ("src/grid/mod.rs", "/// See [`crate::bake`]. println!()"),
        ("src/grid/mod.rs", "fn print(fingerprint: u32) { self.print(1) }"),
        ("src/grid/mod.rs", "mod tests { use super::*; use super::Cell; }"),
        (
            "src/bin/bake/main.rs",
            "use surefoot::bake::bake; fn f() { println!(); std::env::args(); }",
        ),
        ("src/lib.rs", "pub use scene::Scene;"),
        ("src/bake/mod.rs", "const VERSION: &str = env!(\"CARGO_PKG_VERSION\");"),
    ] {
        assert_eq!(check(file, line, &names), Vec::<String>::new(), "{file}: {line}");
    }
}

/// Every breach in a file, as `file:line: what`. `names` are those the crate's root hands on, with
/// the room each comes from.
fn check(file: &str, text: &str, names: &[(String, String)]) -> Vec<String> {
    let inner = file.trim_start_matches("src/").trim_end_matches(".rs");
    let module: Vec<&str> = inner.split('/').filter(|part| *part != "mod").collect();
    let room = module[0];
    let code = without_comments(text);
    let mut faults = Vec::new();
    let mut fault = |at: usize, what: String| {
        let line = code[..at].matches('\n').count() + 1;
        faults.push(format!("{file}:{line}: {what}"));
    };
    for (at, word) in words(&code) {
        let after = &code[at + word.len()..];
        let is = |keyword: &str| match keyword.strip_suffix('!') {
            Some(name) => name == word && after.starts_with('!'),
            None => keyword == word,
        };
        let keepers = WORDS.iter().find(|(keyword, ..)| is(keyword));
        if let Some((_, allowed, why)) = keepers.filter(|(_, allowed, _)| !allowed.contains(&room))
        {
            fault(at, format!("{word} belongs to {}: {why}", allowed.join(", ")));
        }
        if word == "env" && after.starts_with("::") && room != "bin" {
            fault(at, "the library does not read the environment".to_owned());
        }
    }
    if let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) {
        for (at, used) in from_root(&code, module.len()) {
            let from = names.iter().find(|(name, _)| *name == used).map_or(&used, |(_, room)| room);
            if from != room && !allowed.contains(&from.as_str()) {
                fault(at, format!("{room} may not use {used} of {from}"));
            }
        }
    }
    faults
}

/// The first names of all paths from the crate's root, in a module `depth` below it.
fn from_root(code: &str, depth: usize) -> Vec<(usize, String)> {
    let climb = "super::".repeat(depth);
    let mut found = Vec::new();
    for (start, climbed) in [("crate::", false), (climb.as_str(), true)] {
        for (at, _) in code.match_indices(start) {
            let before = &code[..at];
            let inside = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            if !inside {
                let names = first_names(&code[at + start.len()..]);
                // In a module inside the file the same climb ends lower, at names of its own.
                let known = |name: &String| !climbed || ROOMS.iter().any(|(room, _)| room == name);
                found.extend(names.into_iter().filter(known).map(|name| (at, name)));
            }
        }
    }
    found
}

/// The name a path goes on with, or all of those in its braces.
fn first_names(rest: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let Some(list) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let (mut level, mut start, mut names) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        let ends = level == 0 && (c == ',' || c == '}');
        if ends {
            names.push(name(list[start..at].trim_start()));
            start = at + 1;
        }
        match c {
            '{' => level += 1,
            '}' if level == 0 => break,
            '}' => level -= 1,
            _ => {}
        }
    }
    names.retain(|name: &String| !name.is_empty());
    names
}

/// The names `lib.rs` hands on, each with the room it comes from.
fn reexports(lib: &str) -> Vec<(String, String)> {
    let lines = lib.lines().filter_map(|line| line.strip_prefix("pub use ")?.split_once("::"));
    let names = |(room, list): (&str, &str)| {
        let list = list.trim_end_matches(';').trim_matches(['{', '}']).to_owned();
        let room = room.to_owned();
        let names: Vec<String> = list.split(',').map(|name| name.trim().to_owned()).collect();
        names.into_iter().map(move |name| (name, room.clone()))
    };
    lines.flat_map(names).collect()
}

/// Every identifier and where it starts.
fn words(code: &str) -> Vec<(usize, &str)> {
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

/// The text with its line comments blanked; lines keep their numbers. A `//` in a string ends the
/// line as well, which hides nothing that the rules are about.
fn without_comments(text: &str) -> String {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
