//! Files that use each other in a circle: few at a time, so that each can be read before the next.

use std::collections::{BTreeMap, BTreeSet};

use super::sample;
use super::source::{Crate, Destination, mentions, workspace};

/// The most files of a room that may be in a circle.
const MOST: usize = 3;
#[test]
fn no_many_files_of_a_room_use_each_other_in_a_circle() {
    let mut faults = Vec::new();
    for own in workspace() {
        for (room, circle) in circles(&own).into_iter().filter(|(_, circle)| circle.len() > MOST) {
            faults.push(format!("{}::{room}: {}", own.name, circle.join(", ")));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The circles of a crate of more than one file, with their rooms.
fn circles(own: &Crate) -> Vec<(String, Vec<&str>)> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in own.files.iter().filter(|file| file.room() != "tests") {
        for mention in mentions(&file.code).iter().filter(|mention| !mention.is_reexport) {
            if let Destination::File(to) = own.destination(file, mention)
                && to.room() == file.room()
                && to.path != file.path
            {
                uses.entry(&file.path).or_default().insert(&to.path);
            }
        }
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|&file| (file, reachable(&uses, file))).collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
    let mut circles = Vec::new();
    let mut seen = BTreeSet::new();
    for file in own.files.iter().filter(|file| reaches(&file.path, &file.path)) {
        let inside = |other: &&str| reaches(&file.path, other) && reaches(other, &file.path);
        let circle: Vec<&str> = reached.keys().copied().filter(inside).collect();
        if seen.insert(circle.clone()) {
            circles.push((file.room().to_owned(), circle));
        }
    }
    circles
}

fn reachable<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = uses.get(from).into_iter().flatten().copied().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(uses.get(next).into_iter().flatten());
        }
    }
    reached
}

#[test]
fn circles_are_found_through_names_that_are_handed_on() {
    let own = sample(&[
        ("src/lib.rs", "mod room;\n"),
        (
            "src/room/mod.rs",
            "mod a;\nmod b;\nmod c;\npub use a::A;\npub use b::B;\npub struct Own;\n",
        ),
        ("src/room/a.rs", "use super::B;\npub struct A;\n"),
        ("src/room/b.rs", "use super::c::{C, D};\npub struct B;\n"),
        ("src/room/c.rs", "fn f(a: crate::room::A) {}\npub struct C;\n"),
        ("src/room/d.rs", "use super::{A, Own};\n"),
    ]);
    let files = vec!["src/room/a.rs", "src/room/b.rs", "src/room/c.rs"];
    assert_eq!(circles(&own), [("room".to_owned(), files)]);
}
