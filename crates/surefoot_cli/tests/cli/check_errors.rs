//! Files of checks that cannot be used: one line with the file, the line and what to do.

use surefoot_testing::Random;

use super::check::{baked, check};
use super::room::Room;

/// Asserts that a file is refused with words.
#[track_caller]
fn refused(room: &Room, text: &str, words: &[&str]) {
    check(room, text).failed(words);
}

const PLACES: &str = "[places]\ngate = [0, 0]\nwell = [3, -3]\n\n";

#[test]
fn names_that_do_not_exist() {
    let room = baked();
    let file = |rest: &str| format!("{PLACES}{rest}");
    refused(
        &room,
        &file("[[path]]\nfrom = 'gate'\nto = 'wellx'\n"),
        &["checks.toml: line 7: no place \"wellx\"; there are: well, gate"],
    );
    refused(
        &room,
        &file("[[reach]]\nfrom = 'gate'\nto = [\n  'well',\n  'x*',\n]\n"),
        &["checks.toml: line 9: the glob \"x*\" matches no place; there are: gate, well"],
    );
    refused(
        &room,
        "[[walkable]]\nat = 'gate'",
        &["line 2: no place \"gate\"; the file names none"],
    );
    refused(
        &room,
        &file("[[path]]\nfrom = 'gate'\nto = 'well'\nagents = ['human', 'orc']\n"),
        &["checks.toml: line 8: the grid has no agent \"orc\"; it has \"human\""],
    );
    refused(&room, &format!("agents = ['orc']\n{PLACES}"), &["checks.toml: line 1: ", "\"orc\""]);
    refused(
        &room,
        "[[area]]\nmin_m2 = 1\narea = 'lava'",
        &["line 3: ", "no area \"lava\"", "\"mud\""],
    );
    refused(
        &room,
        "[[area]]\nmin_m2 = 1\nnode = 'Crat'",
        &["line 3: no node \"Crat\" in the grid", "Crate"],
    );
    refused(
        &room,
        "[[area]]\nmin_m2 = 1\nnode = 'x*'",
        &["line 3: the glob \"x*\" matches no node"],
    );
    refused(
        &room,
        "[[walkable]]\nat = [0, 0]\nnode = 'Wall'",
        &["line 3: no node \"Wall\" in the grid"],
    );
    refused(
        &room,
        "[[walkable]]\nat = [0, 0]\nverdict = 'wet'",
        &["line 3: \"wet\" is no reason not to stand", "too_steep", "no_floor"],
    );
}

#[test]
fn nodes_that_are_no_places() {
    let room = baked();
    let file = |places: &str| {
        format!("scene = 'marks.gltf'\n[places]\n{places}\n[[walkable]]\nat = '*'\n")
    };
    refused(
        &room,
        &file("a = [0, 0]\nb = 'Tip'"),
        &["checks.toml: line 4: no node \"Tip\"", "Top"],
    );
    refused(
        &room,
        &file("b = 'spwan_*'"),
        &["line 3: the glob \"spwan_*\" matches no node", "spawn_1"],
    );
    refused(&room, &file("b = '['"), &["line 3: \"[\": not a glob"]);
    let no_scene = "[places]\na = 'Crate'\n[[walkable]]\nat = 'a'\n";
    refused(
        &room,
        no_scene,
        &["line 2: \"Crate\": the grid knows that node, but not where it is; add scene"],
    );
    let no_node = no_scene.replace("Crate", "Cart");
    refused(
        &room,
        &no_node,
        &["line 2: \"Cart\": places with a name are nodes of the scene", "add scene"],
    );
    let gone = "\n\nscene = 'gone.glb'\n[[walkable]]\nat = [0, 0]";
    refused(&room, gone, &["checks.toml: line 3: gone.glb: no such file; change scene"]);
    room.write("broken.gltf", "{");
    refused(
        &room,
        &gone.replace("gone.glb", "broken.gltf"),
        &["line 3: broken.gltf: its JSON is broken"],
    );
    refused(&room, &gone.replace("gone.glb", "."), &["checks.toml: line 3: "]);
}

#[test]
fn keys_and_values_that_are_none() {
    let room = baked();
    refused(&room, "\n[[paths]]\n", &["checks.toml: line 2: unknown field `paths`", "`path`"]);
    let path = |rest: &str| format!("[[path]]\nfrom = [0, 0]\nto = [3, -3]\n{rest}\n");
    refused(&room, &path("max_len = 3"), &["line 4: unknown field `max_len`", "`max_length`"]);
    refused(&room, "[[path]]\nfrom = [0, 0]\n", &["line 1: missing field `to`"]);
    refused(&room, &path("links = 'door'"), &["line 4: ", "true, false or a list of kinds"]);
    refused(
        &room,
        &path("links = ['teleport']"),
        &["line 4: unknown variant `teleport`", "`door`"],
    );
    refused(&room, &path("exists = 'no'"), &["line 4: invalid type"]);
    refused(&room, "[[walkable]]\nat = [1, 2, 3, 4]", &["line 2: ", "but this has 4"]);
    refused(&room, "[[walkable]]\nat = []", &["line 2: an empty list is no place"]);
    refused(&room, "[[walkable]]\nat = true", &["line 2: ", "expected a name, x, y, z"]);
    refused(&room, "[[grid]]\nhash = 'a'", &["line 1: "]);
    refused(
        &room,
        "[grid]\nhash = 'abc'",
        &["line 2: \"abc\" is no hash of a grid; that of this one is"],
    );
    refused(&room, "[[path]\n", &["checks.toml: line 1: "]);
    refused(&room, "a = 1\na = 2\n", &["checks.toml: line 2: duplicate key"]);
    refused(&room, "[places]\na = [0, 0]\na = [1, 1]\n", &["checks.toml: line 3: duplicate key"]);
}

#[test]
fn numbers_that_are_no_measures() {
    let room = baked();
    let path = |rest: &str| format!("[[path]]\nfrom = [0, 0]\nto = [3, -3]\n{rest}\n");
    for value in ["nan", "-nan", "inf", "-1", "1e300", "-0.1"] {
        let words = "it must be a number of at least 0";
        refused(&room, &path(&format!("max_length = {value}")), &["checks.toml: line 4: ", words]);
        refused(&room, &format!("ascend_cost = {value}\n{}", path("")), &["line 1: ", words]);
        refused(&room, &format!("[[area]]\nmin_m2 = {value}"), &["line 2: ", words]);
        let within = format!("[[walkable]]\nat = {{ at = [0, 0], within = {value} }}");
        refused(&room, &within, &["line 2: ", words]);
    }
    for value in ["nan", "inf", "-inf", "1e300"] {
        let words = ["checks.toml: line 2: ", "is no coordinate; give a number of metres"];
        refused(&room, &format!("[[walkable]]\nat = [0, {value}]"), &words);
        refused(&room, &format!("[places]\na = [0, {value}, 0]\n[[walkable]]\nat = 'a'"), &words);
    }
    refused(&room, &path("min_clearance = 9"), &["line 4: clearance is measured up to 7.96875 m"]);
    refused(&room, &path("max_length = 1\nmin_length = 2"), &["line 5: ", "no level can be so"]);
    refused(&room, &path("exists = false\nmax_cost = 2"), &["line 5: there is to be no path"]);
    refused(
        &room,
        "[[area]]\narea = 'mud'",
        &["line 1: this promises nothing; add min_m2 or max_m2"],
    );
    let both = "[[walkable]]\nat = [0, 0]\nis = true\nverdict = 'ledge'";
    refused(&room, both, &["line 4: what is walkable has nothing in the way"]);
    // Far away, but a place: there is no floor.
    assert_eq!(check(&room, "[[walkable]]\nat = [1e30, -1e30, 3]\nis = false").code, 0);
}

#[test]
fn checks_that_check_nothing() {
    let room = baked();
    for text in ["", "# nothing\n", PLACES, "path = []"] {
        refused(&room, text, &["checks.toml: nothing is checked; add [[path]]"]);
    }
    let file = |rest: &str| format!("{PLACES}{rest}");
    let itself = "[[reach]]\nfrom = 'gate'\nto = 'gate'";
    refused(&room, &file(itself), &["line 7: this is where it starts, gate; give another"]);
    refused(&room, &format!("agents = []\n{PLACES}"), &["line 1: no agent is listed"]);
    let twice = format!("agents = ['human', 'human']\n{PLACES}");
    refused(&room, &twice, &["line 1: agent \"human\" is listed twice"]);
    let named = "[[walkable]]\nat = 'gate'\nname = 'a'\n[[area]]\nmin_m2 = 1\nname = 'a'";
    refused(&room, &file(named), &["line 10: another check is named \"a\""]);
    refused(&room, &file("[[walkable]]\nat = 'gate'\nname = ' '"), &["line 7: this name is empty"]);
    refused(&room, "[places]\n'' = [0, 0]", &["line 2: a place has no name"]);
}

#[test]
fn a_place_with_several_floors_needs_its_height() {
    let room = baked();
    let text = "[places]\nswamp = [-3, 0]\n[[walkable]]\nat = 'swamp'\n";
    refused(
        &room,
        text,
        &["checks.toml: line 2: -3,0: there are 2 floors here, at y 0.00 and 0.10"],
    );
}

#[test]
fn files_that_cannot_be_read() {
    let room = baked();
    let run = |arguments: &str| room.run("surefoot", &format!("check {arguments}"));
    run("level.navgrid gone.toml")
        .failed(&["gone.toml: no such file; make one with `surefoot check"]);
    run("level.navgrid .").failed(&[".: "]);
    run("gone.navgrid gone.toml").failed(&["gone.toml"]);
    room.write("checks.toml", b"[places]\na = '\xff'\n");
    run("level.navgrid checks.toml").failed(&["checks.toml: line 2: this is not UTF-8 text"]);
    room.write("checks.toml", "[[walkable]]\nat = [0, 0]\n");
    run("gone.navgrid checks.toml").failed(&["gone.navgrid: no such file"]);
    run("level.gltf checks.toml").failed(&["level.gltf"]);
    run("level.navgrid checks.toml --scene gone.glb")
        .failed(&["gone.glb: no such file; check --scene"]);
    run("level.navgrid checks.toml --junit gone/a.xml").failed(&["gone", "--junit"]);
    run("level.navgrid checks.toml --junit checks.toml").failed(&["would replace the checks"]);
    run("level.navgrid checks.toml --junit level.navgrid").failed(&["would replace the grid"]);
    run("level.navgrid").failed(&["<CHECKS>"]);
    run("level.navgrid checks.toml --init").failed(&["--init"]);
    run("level.navgrid checks.toml -o a.toml").failed(&["--output", "CHECKS"]);
    run("level.navgrid --init --json").failed_as_json(&["--init"]);
    room.write("bom.toml", b"\xef\xbb\xbf[[walkable]]\r\nat = [0, 0]\r\nis = flase\r\n");
    run("level.navgrid bom.toml").failed(&["bom.toml: line 3: "]);
    run("level.navgrid bom.toml --json").failed_as_json(&["bom.toml: line 3: "]);
}

#[test]
fn damaged_files_are_refused_or_checked() {
    let room = baked();
    let text = "scene = 'marks.gltf'\nagents = ['human']\n[places]\na = [0, 0]\nb = 'spawn_*'\n\
        [[path]]\nfrom = 'a'\nto = 'b'\nmax_length = 9\nmin_clearance = 0.1\nlinks = ['jump']\n\
        [[reach]]\nfrom = 'b'\nto = { at = 'a', within = 1 }\n\
        [[walkable]]\nat = [[1, 2], 'b']\nverdict = 'ledge'\n[[area]]\nmin_m2 = 3\narea = 'mud'\n";
    let mut seed = Random(7);
    let mut checked = 0;
    for round in 0..150 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=round % 3 {
            let at = seed.below(bytes.len());
            match seed.below(8) {
                0 => bytes[at] = b"'\"[]{}=.,-9e*?#\n\\\x00\xff"[seed.below(19)],
                1 => drop(bytes.remove(at)),
                2 => bytes.truncate(at.max(1)),
                3 => bytes.splice(at..at, *b"9e9").for_each(drop),
                _ => {
                    let digit = bytes[at..].iter().position(u8::is_ascii_digit);
                    digit.into_iter().for_each(|digit| bytes[at + digit] = b"0123456789"[at % 10]);
                }
            }
        }
        room.write("damaged.toml", &bytes);
        let done = room.run("surefoot", "check level.navgrid damaged.toml");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!((0..=2).contains(&done.code), "{text}: {}", done.err);
        assert_eq!(done.err.lines().count(), usize::from(done.code == 2), "{text}: {}", done.err);
        if done.code == 2 {
            assert!(done.err.starts_with("error: damaged.toml: "), "{text}: {}", done.err);
        } else {
            checked += 1;
        }
    }
    assert!((10..140).contains(&checked), "{checked} of 150 were checked");
}
