//! Files that `surefoot check` reads and writes: JUnit XML, first files, and those of this repository.

use std::collections::BTreeMap;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::Event;

use super::check::{baked, check};
use super::room::Room;

/// An element of XML: its attributes, and its text.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
}

/// The elements of a file, in order.
fn elements(xml: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(xml);
    let mut found: Vec<Element> = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                let name = tag.name().as_ref().to_owned();
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    let key = attribute.key.as_ref().to_owned();
                    (key, unescape(&attribute.value).unwrap().into_owned())
                });
                found.push(Element { name, attributes: attributes.collect(), text: String::new() });
            }
            Event::Text(text) => {
                if let Some(last) = found.last_mut() {
                    last.text += &text;
                }
            }
            Event::GeneralRef(name) => {
                let character = format!("&{};", &*name);
                found.last_mut().unwrap().text += &unescape(&character).unwrap();
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn results_as_junit_xml() {
    let room = baked();
    room.write(
        "checks.toml",
        "[[walkable]]\nname = 'a < b & \"c\" \\u0001'\nat = [0, 0]\n\n[[walkable]]\nat = [1.4, 2]\n"
            .replace('\'', "\"")
            .replace("\"c\"", "\\\"c\\\""),
    );
    let done = room.run("surefoot", "check level.navgrid checks.toml --junit results.xml");
    assert_eq!(done.code, 1, "{}", done.err);
    let xml = String::from_utf8(room.read("results.xml")).unwrap();
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "), "{xml}");
    let elements = elements(&xml);
    let names: Vec<&str> = elements.iter().map(|element| element.name.as_str()).collect();
    assert_eq!(names, ["testsuites", "testsuite", "testcase", "testcase", "failure"]);
    for suite in &elements[..2] {
        assert_eq!((&*suite.attributes["tests"], &*suite.attributes["failures"]), ("2", "1"));
    }
    assert_eq!(elements[1].attributes["name"], "checks.toml on level.navgrid");
    let [good, bad, failure] = [&elements[2], &elements[3], &elements[4]];
    assert_eq!(good.attributes["name"], "a < b & \"c\" \u{fffd}, human");
    assert_eq!((&*good.attributes["classname"], &*good.attributes["line"]), ("walkable", "1"));
    assert_eq!((&*bad.attributes["file"], &*bad.attributes["line"]), ("checks.toml", "5"));
    assert_eq!(failure.attributes["message"], "human cannot stand there: obstacle");
    assert!(failure.text.contains("why       Obstacle: the body would touch"), "{}", failure.text);
    let again = room.run("surefoot", "check level.navgrid checks.toml --junit again.xml");
    assert_eq!((again.code, room.read("again.xml")), (1, xml.into_bytes()));
}

#[test]
fn a_first_file_from_marked_nodes_holds() {
    let room = baked();
    let init = "check level.navgrid --init --scene marks.gltf";
    let done = room.run("surefoot", init);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    for line in [
        "scene = \"marks.gltf\"",
        "agents = [\"human\"]",
        "spawn = \"spawn_*\"",
        "pickup_a = \"pickup_a\"",
        "[[reach]]\nfrom = \"spawn\"\nto = \"pickup_a\"\n",
        "[[area]]\nagents = [\"human\"]\nmin_m2 = ",
    ] {
        assert!(done.out.contains(line), "no {line:?} in {}", done.out);
    }
    let done = check(&room, &done.out);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    assert_eq!(done.out.lines().last(), Some("2 checks hold."));
}

#[test]
fn what_does_not_hold_is_a_comment_in_a_first_file() {
    let room = baked();
    let marks = String::from_utf8(room.read("marks.gltf")).unwrap();
    room.write(
        "marks.gltf",
        marks.replace("\"Top\"", "\"pickup_top\"").replace("\"Out\"", "\"flag\""),
    );
    let done = room.run("surefoot", "check level.navgrid --init --scene marks.gltf");
    for line in [
        "# Not so for human: 2 of 2 pairs fail; the first is spawn_1 to flag: there is no ground",
        "in the way: a step of 1.00 m",
        "# [[reach]]\n# from = \"spawn\"\n# to = \"pickup_top\"\n",
        "there is no ground under the node",
    ] {
        assert!(done.out.contains(line), "no {line:?} in {}", done.out);
    }
    assert_eq!(check(&room, &done.out).code, 0);
}

#[test]
fn a_first_file_without_marks_holds() {
    let room = Room::new();
    room.bake("--cell-size 0.25");
    for init in ["check level.navgrid --init", "check level.navgrid --init --scene level.gltf"] {
        let done = room.run("surefoot", init);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
        let done = check(&room, &done.out);
        assert_eq!(done.out.lines().last(), Some("3 checks hold."), "{}", done.err);
    }
}

#[test]
fn a_first_file_is_written_beside_its_scene_and_over_nothing() {
    let room = baked();
    std::fs::create_dir(room.path("checks")).unwrap();
    let init = "check level.navgrid --init --scene marks.gltf -o checks/first.toml";
    let done = room.run("surefoot", init);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""));
    let text = String::from_utf8(room.read("checks/first.toml")).unwrap();
    assert!(text.contains("scene = \"../marks.gltf\"\n"), "{text}");
    assert_eq!(room.run("surefoot", "check level.navgrid checks/first.toml").code, 0);
    room.run("surefoot", init)
        .failed(&["checks/first.toml: this file is there already; remove it"]);
    assert_eq!(room.read("checks/first.toml"), text.as_bytes());
}

#[test]
fn the_examples_of_the_manual_and_of_a_first_file_are_checks() {
    let room = baked();
    let manual = include_str!("../../../../docs/src/commands/check.md");
    let example = manual.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    check(&room, example).failed(&["checks.toml: line 1: level.glb: no such file"]);
    let first = room.run("surefoot", "check level.navgrid --init").out;
    let examples = first.split("surefoot check`:\n").nth(1).unwrap();
    let lines = examples.lines().map(|line| line.trim_start_matches(['#', ' ']).to_owned() + "\n");
    check(&room, &lines.collect::<String>()).failed(&["\"Well\": ", "add scene"]);
}

/// Bakes a scene of this repository, and runs its checks.
#[track_caller]
fn own_scene(room: &Room, scene: &str) -> String {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let name = scene.split('.').next().unwrap();
    let bake = format!("{} --quiet -o own.navgrid", scenes.join(scene).display());
    assert_eq!(room.run("bake", &bake).code, 0);
    let checks = scenes.join(format!("checks/{name}.toml"));
    let done = room.run("surefoot", &format!("check own.navgrid {}", checks.display()));
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    done.out
}

#[test]
fn what_is_promised_of_the_scenes_of_this_repository_holds() {
    let room = Room::new();
    let village = own_scene(&room, "village.glb");
    assert!(
        village.contains("a human gets everywhere in the village, human: all 56 pairs"),
        "{village}"
    );
    for scene in ["two_storeys.glb", "low_door.gltf", "gaps.gltf", "tagged.gltf", "stairs.gltf"] {
        own_scene(&room, scene);
    }
}
