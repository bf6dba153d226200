//! What people and scripts meet in a shell: short forms, stdout, JSON, completions, closed pipes.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::room::{Room, names};

/// A room with the level baked for a person.
fn baked() -> Room {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.25");
    room
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn surefoot_alone_lists_its_commands() {
    let done = Room::new().run("surefoot", "");
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    for command in ["check", "info", "path", "paths", "run", "why", "completions", "man", "Usage"] {
        assert!(done.err.contains(command), "no {command} in {}", done.err);
    }
}

#[test]
fn completions_and_manual_pages_of_both_commands() {
    let room = Room::new();
    for (arguments, words) in [
        ("completions bash", &["surefoot", "--slope-limit"][..]),
        ("completions zsh bake", &["#compdef bake", "--cell-size"]),
        ("completions fish", &["complete -c surefoot"]),
        ("man", &[".TH surefoot", "paths"]),
        ("man bake", &[".TH bake", "cell\\-size"]),
        ("man path", &[".TH", "ascend\\-cost"]),
        ("man check", &[".TH", "junit"]),
    ] {
        let done = room.run("surefoot", arguments);
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{arguments}");
        for word in words {
            assert!(done.out.contains(word), "{arguments}: no {word:?}");
        }
    }
    room.run("surefoot", "man swim").failed(&["no command \"swim\"", "lists"]);
}

#[test]
fn a_grid_goes_to_stdout() {
    let room = baked();
    let mut command = room.command("bake", "level.gltf --agent human --cell-size 0.25 -o -");
    let done = command.output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(done.stdout, room.read("level.navgrid"));
    assert!(String::from_utf8(done.stderr).unwrap().contains("standard output"));
    assert!(!room.path("-").exists());
    room.run("bake", "level.gltf -o - --quiet --json").failed_as_json(&["--output - and --json"]);
}

#[test]
fn one_agent_and_one_floor_need_not_be_named() {
    let room = baked();
    let named = "path level.navgrid --agent human --from 0.5,0,2 --to 3.5,0,2";
    let [named, short] = [named, "path level.navgrid --from 0.5,2 --to 3.5,2"].map(|arguments| {
        let done = room.run("surefoot", arguments);
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        // Times differ.
        done.out.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(named, short);
    let beside = "path level.navgrid --from 0.5,2 --to 90,2";
    // As with a height: no path, and the nearest place to the goal.
    for beside in [beside, "path level.navgrid --from 0.5,2 --to 90,0,2"] {
        let done = room.run("surefoot", beside);
        assert_eq!(done.code, 1, "{}", done.err);
        assert!(done.out.contains("cannot stand at the goal") && done.out.contains("nearest"));
    }
    let why = room.run("surefoot", "why level.navgrid --from 0.5,2 --to 90,2");
    assert_eq!(why.code, 1, "{}", why.err);
    // Of the crate's floor and the ground below it the agent can stand on one.
    let crate_top = "path level.navgrid --from 0.5,2 --to 2,2 --json";
    assert_eq!(json(&room.run("surefoot", crate_top).out)["outcome"], "different_region");
    room.write("queries", "0.5 2 3.5 2\n0.5 0 2 3.5 0 2\n\n0.5 2 90 2\n");
    let paths = "paths level.navgrid --queries queries --quiet";
    let done = room.run("surefoot", paths);
    assert_eq!((done.code, done.out.lines().count()), (1, 3), "{}", done.err);
    room.write("queries", "0.5 2 3.5 2\n0.5 0 2 3.5 0 2\n");
    let done = room.run("surefoot", paths);
    assert_eq!((done.code, done.out.lines().count()), (0, 2), "{}", done.err);

    room.bake("--cell-size 0.25");
    let nobody = "path level.navgrid --from 0.5,0,2 --to 3.5,0,2";
    room.run("surefoot", nobody).failed(&["3 agents", "--agent: small, human, large"]);
}

#[test]
fn a_place_with_several_floors_needs_its_height() {
    let room = Room::new();
    let stairs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/stairs.gltf");
    let bake = format!("{stairs} --agent human --cell-size 0.25 --quiet -o stairs.navgrid");
    assert_eq!(room.run("bake", &bake).code, 0);
    room.run("surefoot", "path stairs.navgrid --from 9,2 --to 9,6").failed(&[
        "--from: 9,2: there are 2 floors here, at y 0.00 and 2.00; add the height, as in 9,0.00,2",
    ]);
}

#[test]
fn json_has_a_schema_and_errors_are_json() {
    let room = baked();
    room.write("queries", "0.5 2 3.5 2\n");
    for arguments in [
        "info level.navgrid --json",
        "why level.navgrid --at 0,0,0 --json",
        "path level.navgrid --from 0.5,2 --to 3.5,2 --json",
        "paths level.navgrid --queries queries --quiet --json",
        "run level.navgrid --count 2 --seconds 1 --quiet --json",
    ] {
        let done = room.run("surefoot", arguments);
        assert_eq!(json(&done.out)["schema"], 1, "{arguments}: {}", done.err);
        assert!(done.out.trim_start_matches(['{', '\n', ' ']).starts_with("\"schema\""));
    }
    assert_eq!(room.bake("--agent human")["schema"], 1);
    for (program, arguments, words) in [
        ("surefoot", "info gone.navgrid --json", "gone.navgrid: no such file"),
        ("surefoot", "path level.navgrid --json --from 1", "expected x,y,z or x,z"),
        ("bake", "gone.gltf --json", "gone.gltf: no such file"),
        ("bake", "level.gltf --json --cell-size 0", "cell size is 0"),
    ] {
        room.run(program, arguments).failed_as_json(&[words]);
    }
}

#[test]
fn paths_stops_when_its_reader_is_gone() {
    let room = baked();
    room.write("queries", "0.5 2 3.5 2\n".repeat(300_000));
    let mut command = room.command("surefoot", "paths level.navgrid --queries queries --quiet");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    drop(reader);
    let start = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
}

#[test]
fn more_threads_than_processors_are_not_started() {
    let room = baked();
    let run = "run level.navgrid --count 2 --seconds 1 --quiet --json --threads 1024";
    let report = json(&room.run("surefoot", run).out);
    let most = std::thread::available_parallelism().unwrap().get() as u64;
    assert!(report["threads"].as_u64().unwrap() <= most, "{}", report["threads"]);
}

#[test]
fn settings_are_checked_before_the_scene_is_read() {
    let room = Room::new();
    room.write("broken.gltf", "{");
    for (arguments, words) in [
        ("--cell-size -1", "cell size is -1"),
        ("--cell-size 1", "cell size is 1 m, but agent \"small\" is 0.5 m wide"),
        ("--bounds 1,1,0,0", "x0 must be less than x1"),
        ("--agent a --agent a", "two agents"),
        ("--ignore [", "glob"),
        ("--area mud=Swamp:-1", "mud"),
    ] {
        room.run("bake", &format!("broken.gltf --quiet {arguments}")).failed(&[words]);
    }
    room.run("bake", "level.gltf --quiet --bounds 20,20,30,30").failed(&[
        "level.gltf",
        "the level lies from x -4 to 4",
        "cover a part of it",
    ]);
}

#[test]
fn pictures_of_an_earlier_bake_are_removed() {
    let room = Room::new();
    std::fs::create_dir(room.path("pictures")).unwrap();
    room.write("pictures/guard-storey-7.png", "a user's own file");
    room.write("pictures/notes.txt", "keep");
    room.bake("--cell-size 0.5 --agent human --agent cart --png pictures");
    let first = names(&room.path("pictures"));
    assert!(first.iter().any(|name| name.starts_with("cart-storey-")), "{first:?}");
    std::fs::copy(room.path("pictures/overview.png"), room.path("pictures/mine.png")).unwrap();
    room.bake("--cell-size 0.5 --agent human --png pictures");
    let second = names(&room.path("pictures"));
    assert!(!second.iter().any(|name| name.starts_with("cart-")), "{second:?}");
    for kept in ["guard-storey-7.png", "notes.txt", "mine.png", "human-storey-0.png"] {
        assert!(second.iter().any(|name| name == kept), "no {kept} in {second:?}");
    }
}

#[test]
fn tables_fit_on_a_terminal() {
    let room = Room::new();
    let report = room.run("bake", "level.gltf").err;
    let info = room.run("surefoot", "info level.navgrid").out;
    for text in [report, info] {
        let table = text.lines().filter(|line| line.starts_with("        "));
        let widest = table.map(|line| line.chars().count()).max();
        assert!(widest.is_some_and(|width| width <= 80), "{text}");
        assert!(text.contains("in solid"), "{text}");
    }
}

#[test]
fn paths_shows_its_progress() {
    let room = baked();
    room.write("queries", "0.5 2 3.5 2\n");
    let done = room.run("surefoot", "paths level.navgrid --queries queries --engine index");
    for words in ["preparing routes", "finding 1 path"] {
        assert!(done.err.contains(words), "no {words:?} in {}", done.err);
    }
}
