//! `surefoot path` and `surefoot paths`.

use std::process::Stdio;

use serde_json::{Value, json};

use super::room::{Done, Room, has_keys};

const KEYS: &str = "schema outcome reason gap cost corridor_cost length climb descent waypoints areas \
                    links nearest why engine expanded bound micros";

/// A room with the level baked for a person, cells of 0.25 m; the swamp is forbidden.
fn baked() -> Room {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.25 --area mud=Swamp:forbidden");
    room
}

fn path(room: &Room, arguments: &str) -> Done {
    room.run("surefoot", &format!("path level.navgrid --agent human {arguments}"))
}

/// The answer as JSON; asserts that it has all its keys and the right exit code.
#[track_caller]
fn answer(room: &Room, arguments: &str) -> Value {
    let done = path(room, &format!("--json {arguments}"));
    assert_eq!(done.err, "", "{arguments}");
    let answer = serde_json::from_str(&done.out).unwrap();
    check(&answer);
    assert_eq!(done.code, i32::from(answer["outcome"] != "complete"), "{arguments}");
    answer
}

/// Asserts that every key is there, and that numbers of the path are there only with a path.
#[track_caller]
fn check(answer: &Value) {
    has_keys(answer, KEYS);
    let has_path = answer["outcome"] == "complete" || answer["outcome"] == "partial";
    for key in ["cost", "corridor_cost", "length", "climb", "descent"] {
        assert_eq!(answer[key].is_number(), has_path, "{key}: {answer}");
    }
    assert_eq!(answer["waypoints"].as_array().unwrap().len() >= 2, has_path, "{answer}");
    assert_eq!(answer["reason"].is_string(), answer["outcome"] == "partial");
    assert_eq!(answer["gap"].is_number(), answer["outcome"] == "partial");
    assert!(answer["micros"].as_f64().unwrap() >= 0.0);
}

fn number(answer: &Value, key: &str) -> f64 {
    answer[key].as_f64().unwrap()
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 0.01, "{value}, not {expected}");
}

#[test]
fn a_path_round_the_crate() {
    let room = baked();
    let found = answer(&room, "--from 0.5,0,2 --to 3.5,0,2");
    assert_eq!(found["outcome"], "complete");
    let length = number(&found, "length");
    assert!((3.1..3.8).contains(&length), "{length}");
    near(number(&found, "cost"), length);
    assert!(number(&found, "corridor_cost") >= number(&found, "cost"));
    near(found["areas"]["walkable"].as_f64().unwrap(), length);
    let waypoints = found["waypoints"].as_array().unwrap();
    assert_eq!(
        (&waypoints[0], waypoints.last().unwrap()),
        (&json!([0.5, 0.0, 2.0]), &json!([3.5, 0.0, 2.0]))
    );
    assert!(waypoints.len() > 2 && found["expanded"].as_u64() > Some(0));
    assert_eq!((&found["bound"], &found["links"]), (&json!(1.0), &json!([])));
}

#[test]
fn the_text_says_the_same() {
    let room = baked();
    let done = path(&room, "--from 0,0,0 --to 0,0,2");
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(lines[0].starts_with("Complete: 2.00 m at a cost of 2.00, 0.00 m up"), "{}", done.out);
    assert_eq!(lines[1..], ["  0.00,0.00,0.00", "  0.00,0.00,2.00"]);
    let done = path(&room, "--from 0,0,0 --to=-3,0.1,0");
    assert_eq!(done.code, 1);
    for words in [
        "No path: the agent cannot stand at the goal",
        "nearest point where it can: -2.00,0.00,0.00",
    ] {
        assert!(done.out.contains(words), "no {words:?} in {}", done.out);
    }
    let done = path(&room, "--from 0,0,0 --to 2,1,2 --goal ring");
    let words = "m from the goal because no connection or link leads to the goal's region: ";
    assert!(done.out.starts_with("Partial, ends ") && done.out.contains(words), "{}", done.out);
}

#[test]
fn each_failure_has_its_name() {
    let room = baked();
    let start = answer(&room, "--from=-3,0.1,0 --to 0,0,0");
    assert_eq!(start["outcome"], "start_off_grid");
    near(start["nearest"][0].as_f64().unwrap(), -2.0);
    let goal = answer(&room, "--from 0,0,0 --to 90,0,0");
    assert_eq!(goal["outcome"], "goal_off_grid");
    assert!(goal["nearest"][0].as_f64().unwrap() > 3.0, "{goal}");
    assert_eq!(goal["expanded"], 0);
    let region = answer(&room, "--from 0,0,0 --to 2,1,2");
    assert_eq!(region["outcome"], "different_region");
    let budget = answer(&room, "--from 0.5,0,2 --to 3.5,0,2 --budget 1");
    assert_eq!((&budget["outcome"], &budget["expanded"]), (&json!("out_of_budget"), &json!(1)));
}

#[test]
fn a_goal_out_of_reach_is_approached_as_asked() {
    let room = baked();
    let ring = answer(&room, "--from 3,0,0 --to=-3,0.1,0 --goal ring");
    assert_eq!((&ring["outcome"], &ring["reason"]), (&json!("partial"), &json!("goal_off_grid")));
    assert!((0.99..1.3).contains(&number(&ring, "gap")), "{ring}");
    let line = answer(&room, "--from 0,0,2 --to 2,1,2 --goal line");
    assert_eq!(
        (&line["outcome"], &line["reason"]),
        (&json!("partial"), &json!("different_region"))
    );
    near(line["waypoints"][1][2].as_f64().unwrap(), 2.0);
    let budget = answer(&room, "--from 0.5,0,2 --to 3.5,0,2 --budget 4 --goal ring");
    assert_eq!(budget["reason"], "out_of_budget");
}

#[test]
fn start_and_goal_may_be_one_place() {
    let room = baked();
    let found = answer(&room, "--from 0,0,0 --to 0,0,0");
    assert_eq!((&found["outcome"], number(&found, "length")), (&json!("complete"), 0.0));
    assert_eq!(found["waypoints"], json!([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]));
}

#[test]
fn options_reach_the_search() {
    let room = baked();
    let ends = "--from 0.5,0,2 --to 3.5,0,2";
    let plain = answer(&room, ends);
    let with = |options: &str| answer(&room, &format!("{ends} {options}"));
    for options in ["--heuristic none", "--heuristic manhattan", "--heuristic euclidean"] {
        near(number(&with(options), "cost"), number(&plain, "cost"));
    }
    assert!(number(&with("--heuristic none"), "expanded") > number(&plain, "expanded"));
    assert_eq!(with("--weight 2")["bound"], 2.0);
    assert!(number(&with("--directions 4"), "corridor_cost") > number(&plain, "corridor_cost"));
    assert_eq!(
        with("--slope-limit 0 --snap-radius 0 --vertical-tolerance 1")["outcome"],
        "complete"
    );
    let high = answer(&room, "--from 0,0.5,0 --to 1,0,0 --vertical-tolerance 0.4");
    assert_eq!(high["outcome"], "start_off_grid");
}

/// Every engine finds a path of the same cost.
#[test]
fn engines_agree_and_are_named() {
    let room = Room::new();
    let queries = "0.5 0 2  3.5 0 2\n3.5 0 2  0.5 0 2\n0.5 0 2  0.6 0 2\n";
    std::fs::write(room.path("queries.txt"), queries).unwrap();
    for routes in ["", "--routes"] {
        room.bake(&format!("--agent human --cell-size 0.1 --area mud=Swamp:forbidden {routes}"));
        let ends = "--from 0.5,0,2 --to 3.5,0,2";
        let by = |engine: &str| answer(&room, &format!("{ends} --engine {engine}"));
        let (searched, looked_up) = (by("astar"), by("index"));
        assert_eq!([&searched["engine"], &looked_up["engine"]], ["astar", "index"]);
        near(number(&searched, "cost"), number(&looked_up, "cost"));
        assert_eq!(by("auto")["engine"], "astar");
        for engine in ["auto", "astar", "index"] {
            let asked = "paths level.navgrid --agent human --queries queries.txt --json --quiet";
            let done = room.run("surefoot", &format!("{asked} --engine {engine}"));
            assert_eq!((done.code, done.err.as_str()), (0, ""), "{engine}");
            for line in done.out.lines() {
                let answer: Value = serde_json::from_str(line).unwrap();
                let known = ["straight", "astar", "index", "field"];
                let named = answer["engine"].as_str().unwrap();
                assert!(if engine == "auto" { known.contains(&named) } else { named == engine });
            }
        }
    }
    let done = path(&room, "--from 0,0,0 --to 1,0,0 --engine fastest");
    assert_eq!(done.code, 2);
    assert!(done.err.contains("fastest"), "{}", done.err);
}

#[test]
fn heights_ground_and_links_are_accounted_for() {
    let room = Room::new();
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/tagged.gltf");
    let done = room.run("bake", &format!("{scene} --quiet --agent human -o level.navgrid"));
    assert_eq!(done.code, 0, "{}", done.err);
    let up = answer(&room, "--from 3,0,11 --to 6,2,15");
    assert_eq!(up["links"], json!(["LadderFoot"]));
    near(number(&up, "climb"), 2.0);
    assert!(up["areas"]["road"].as_f64() > Some(0.9) && up["areas"].get("mud").is_none(), "{up}");
    let words = path(&room, "--from 3,0,11 --to 6,2,15").out;
    assert!(words.contains("then by link \"LadderFoot\" (ladder)"), "{words}");
    let dear = answer(&room, "--from 3,0,11 --to 6,2,15 --ascend-cost 9");
    assert!(number(&dear, "cost") >= number(&up, "cost"));
    let down = answer(&room, "--from 6,2,15 --to 3,0,11 --descend-cost 0.5 --ascend-cost 0");
    near(number(&down, "descent"), 2.0);
}

#[test]
fn pictures_and_animations_are_drawn() {
    let room = baked();
    let done = path(&room, "--from 0.5,0,2 --to 3.5,0,2 --png path.png --frames path.apng");
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let (still, frames) = (decoded(&room, "path.png"), decoded(&room, "path.apng"));
    assert_eq!(still, 1);
    assert!((3..=120).contains(&frames), "{frames}");
    let done = path(&room, "--from 0,0,0 --to 90,0,0 --png none.png --frames none.apng");
    assert_eq!(done.code, 1);
    assert_eq!(decoded(&room, "none.png"), 1);
    assert_eq!(decoded(&room, "none.apng"), 2);
    path(&room, "--from 0,0,0 --to 1,0,0 --png gone/path.png").failed(&["gone", "--png"]);
}

/// Decodes every frame of a PNG file, and counts them.
fn decoded(room: &Room, name: &str) -> u32 {
    let bytes = std::io::Cursor::new(room.read(name));
    let mut reader = png::Decoder::new(bytes).read_info().unwrap();
    let frames = reader.info().animation_control().map_or(1, |control| control.num_frames);
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    for _ in 0..frames {
        reader.next_frame(&mut pixels).unwrap();
    }
    frames
}

const QUERIES: &str = "# from the middle\n0 0 0  0 0 2\n\n0 0 0  2 1 2  # onto the crate\n";

#[test]
fn many_queries_have_a_line_each() {
    let room = baked();
    room.write("queries.txt", QUERIES);
    let paths = "paths level.navgrid --agent human --queries queries.txt --quiet";
    let done = room.run("surefoot", paths);
    assert_eq!((done.code, done.err.as_str()), (1, ""));
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(lines[0].starts_with("line 2: Complete: 2.00 m"), "{}", done.out);
    assert!(
        lines[1].starts_with("line 4: No path: no connection or link leads to the goal's region")
    );
    let done = room.run("surefoot", &format!("{paths} --json"));
    let answers: Vec<Value> =
        done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.iter().for_each(check);
    let outcomes: Vec<&str> =
        answers.iter().filter_map(|answer| answer["outcome"].as_str()).collect();
    assert_eq!((done.code, outcomes), (1, vec!["complete", "different_region"]));
}

#[test]
fn queries_may_come_from_standard_input() {
    let room = baked();
    room.write("queries.txt", "0 0 0 0 0 2\n0 0 0 1 0 1\n");
    let mut command =
        room.command("surefoot", "paths level.navgrid --agent human --queries - --json");
    let input = Stdio::from(std::fs::File::open(room.path("queries.txt")).unwrap());
    let done = command.stdin(input).output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(String::from_utf8(done.stdout).unwrap().lines().count(), 2);
}

#[test]
fn no_queries_have_no_answers() {
    let room = baked();
    room.write("queries.txt", "# none\n");
    let paths = "paths level.navgrid --agent human --queries queries.txt --quiet";
    let done = room.run("surefoot", paths);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""));
}

#[test]
fn misuse_is_refused_in_one_line() {
    let room = baked();
    let check = |options: &str, words: &[&str]| {
        path(&room, &format!("--from 0,0,0 --to 1,0,0 {options}")).failed(words);
    };
    check("--ascend-cost -1", &["--ascend-cost", "must be 0 or more"]);
    check("--descend-cost nan", &["--descend-cost", "\"nan\" is not a number"]);
    check("--weight 0.5", &["--weight", "'0.5'", "must be from 1 to 1000"]);
    check("--weight 1e9", &["--weight", "must be from 1 to 1000"]);
    check("--slope-limit 90", &["--slope-limit", "must be at least 0 and less than 90 degrees"]);
    check("--snap-radius -0.1", &["--snap-radius"]);
    check("--vertical-tolerance inf", &["--vertical-tolerance"]);
    check("--budget -1", &["--budget"]);
    check("--directions 6", &["--directions", "4, 8"]);
    check("--goal near", &["--goal", "fail, ring, line"]);
    check("--heuristic best", &["octile, manhattan, euclidean, none"]);
    path(&room, "--from 0 --to 1,0,0").failed(&["expected x,y,z or x,z, but found 1 numbers"]);
    path(&room, "--from 0,0,0").failed(&["--to"]);
    let giant = "--agent giant";
    let known = ["level.navgrid", "giant", "it has \"human\""];
    room.run("surefoot", &format!("path level.navgrid {giant} --from 0,0,0 --to 1,0,0"))
        .failed(&known);
    room.write("queries.txt", "0 0 0 1 0 0\n");
    let queries = "--queries queries.txt";
    room.run("surefoot", &format!("paths level.navgrid {giant} {queries}")).failed(&known);
}

#[test]
fn errors_name_the_file_and_the_line() {
    let room = baked();
    let check = |text: &str, words: &[&str]| {
        room.write("queries.txt", text);
        let done = room.run("surefoot", "paths level.navgrid --agent human --queries queries.txt");
        done.failed(words);
    };
    check("0 0 0 1 0 0\n0 0 0 1 0\n", &["queries.txt", "line 2", "but found 5"]);
    check("# x\n0 0 zero 1 0 0\n", &["queries.txt: line 2: \"zero\" is not a number"]);
    check("0 0 0 1 0 0 0", &["line 1", "but found 7"]);
    let check_bytes = |bytes: &[u8], words: &[&str]| {
        room.write("queries.txt", bytes);
        let done = room.run("surefoot", "paths level.navgrid --agent human --queries queries.txt");
        done.failed(words);
    };
    check_bytes(b"0 0 0 1 0 0\n0 \xff", &["queries.txt: line 2: ", "UTF-8"]);
    // A byte order mark is not part of the first number.
    check("\u{feff}0 0 0 1 0\n", &["line 1: expected 6 numbers, x y z x y z, or 4"]);
    room.run("surefoot", "paths level.navgrid --agent human --queries gone.txt")
        .failed(&["gone.txt: no such file; check --queries"]);
}
