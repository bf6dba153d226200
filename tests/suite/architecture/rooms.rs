//! Which room of a crate may use which: only those below.

use super::sample;
use super::source::{Crate, Destination, mentions, workspace};

/// The rooms of the run time from the lowest up: each may use those before it.
const RUN_TIME: [&str; 19] = [
    "observer",
    "parallel",
    "portable",
    "agent",
    "level",
    "grid",
    "view",
    "cost",
    "search",
    "diagnosis",
    "path",
    "cch",
    "navigator",
    "follow",
    "mapf",
    "crowd",
    "far",
    "world",
    "debug",
];
/// The rooms of the baker from the lowest up.
const BAKER: [&str; 3] = ["scene", "casts", "stages"];
/// The rooms of worlds from files, from the lowest up.
const WORLD: [&str; 14] = [
    "fault",
    "heights",
    "terrain",
    "instances",
    "composed",
    "world_file",
    "store",
    "error",
    "request",
    "plan",
    "stored",
    "seams",
    "pack",
    "jobs",
];
/// May use everything.
const EXEMPT: &str = "tests";

#[test]
fn every_room_keeps_to_those_below() {
    for own in workspace() {
        let (rooms, least): (&[&str], _) = match own.name.as_str() {
            "surefoot" => (&RUN_TIME, 50),
            "surefoot_bake" => (&BAKER, 50),
            "surefoot_world" => (&WORLD, 20),
            _ => continue,
        };
        assert!(own.files.len() > least, "only {} files of {}", own.files.len(), own.name);
        let faults = faults(&own, rooms);
        assert!(faults.is_empty(), "\n{}", faults.join("\n"));
        for file in &own.files {
            let is_known = file.module.is_empty() || file.room() == EXEMPT;
            assert!(is_known || rooms.contains(&file.room()), "{} is in no room", file.path);
        }
    }
}

/// Every breach in a crate, as `file:line: what`.
fn faults(own: &Crate, rooms: &[&str]) -> Vec<String> {
    let height = |room: &str| rooms.iter().position(|known| *known == room);
    let mut faults = Vec::new();
    for file in own.files.iter().filter(|file| !file.module.is_empty() && file.room() != EXEMPT) {
        for mention in mentions(&file.code) {
            let fault = match own.destination(file, &mention) {
                Destination::Elsewhere => None,
                Destination::Unknown => Some("leads to no room".to_owned()),
                Destination::File(to) if to.room() == file.room() => None,
                Destination::File(to) => {
                    let is_below = height(to.room()) < height(file.room());
                    (!is_below || height(to.room()).is_none())
                        .then(|| format!("{} may not use {}", file.room(), to.room()))
                }
            };
            let place = || format!("{}:{}", file.path, file.line(mention.at));
            let path = mention.segments.join("::");
            faults.extend(fault.map(|fault| format!("{}: {path}: {fault}", place())));
        }
    }
    faults
}

const LIB: &str = "mod agent;\nmod grid;\nmod view;\npub use agent::Agent;\npub use view::View;\n";
const ROOMS: [&str; 3] = ["agent", "grid", "view"];

fn found(file: &str, text: &str) -> Vec<String> {
    let grid = "mod frame;\nmod format;\npub use frame::Cell;\npub struct NavGrid;\n";
    let mut files = vec![
        ("src/lib.rs", LIB),
        ("src/agent.rs", "pub struct Agent;\n"),
        ("src/grid/mod.rs", grid),
        ("src/grid/frame.rs", "pub struct Cell;\n"),
        ("src/grid/format/mod.rs", "mod read;\n"),
        ("src/grid/format/read.rs", ""),
        ("src/view.rs", "pub struct View;\n"),
    ];
    let text = format!(
        "//! Module.\n\n{text}\n{}",
        match file {
            "src/grid/mod.rs" => grid,
            _ => "",
        }
    );
    files.retain(|(path, _)| *path != file);
    files.push((file, &text));
    faults(&sample(&files), &ROOMS)
}

#[test]
fn what_breaks_a_rule_is_found() {
    let breaks = |file: &str, line: &str| {
        let faults = found(file, line);
        assert_eq!(faults.len(), 1, "{file}: {line}: {faults:?}");
        assert!(faults[0].starts_with(&format!("{file}:3: ")), "{}", faults[0]);
    };
    breaks("src/agent.rs", "use crate::grid::Cell;");
    breaks("src/agent.rs", "use super::grid::Cell;");
    breaks("src/grid/mod.rs", "use crate::{agent::Agent, view::View};");
    breaks("src/grid/mod.rs", "use crate::{\n    agent::Agent,\n    View,\n};");
    breaks("src/grid/mod.rs", "pub(crate) use crate::view::View;");
    breaks("src/grid/mod.rs", "use crate::*;");
    breaks("src/grid/mod.rs", "fn f(view: &crate::view::View) {}");
    breaks("src/grid/frame.rs", "use super::super::view::View;");
    breaks("src/grid/format/read.rs", "use super::super::super::view::View;");
    breaks("src/view.rs", "use crate::elsewhere::Thing;");
}

#[test]
fn what_keeps_the_rules_passes() {
    for (file, line) in [
        ("src/view.rs", "use crate::{Agent, grid::{Cell, NavGrid}};"),
        ("src/view.rs", "// as in crate::elsewhere\nuse std::fmt;"),
        ("src/grid/mod.rs", "/// See [`crate::view`]."),
        ("src/grid/format/read.rs", "use super::super::{Cell, NavGrid};"),
        (
            "src/grid/frame.rs",
            "use crate::agent::Agent;\n#[cfg(test)]\nmod tests {\nuse super::*;\n}",
        ),
        ("src/grid/frame.rs", "pub(in crate::grid) fn f() {}"),
        ("src/tests/mod.rs", "use crate::view::View;"),
        ("src/lib.rs", LIB),
    ] {
        assert_eq!(found(file, line), Vec::<String>::new(), "{file}: {line}");
    }
}
