//! `surefoot run`.

use std::time::Duration;

use serde_json::Value;
use surefoot::{Agent, NavGrid};

use super::room::{Done, Room, has_keys};

const KEYS: &str = "schema agents arrived stuck off_grid_samples overlaps mean_time_ratio \
                    steps_per_second micros_per_agent_step seconds waiting following too_far partial \
                    overlaps_on_links longest_overlap_s deepest_overlap samples slowest_step_ms \
                    seed threads interrupted problem jams \
                    unfinished";
const GEOMETRY_KEYS: &str = "in_geometry_samples in_geometry_deep_samples in_geometry_on_links deepest_in_geometry in_geometry_nodes";
/// Keys that differ from run to run.
const TIMED: [&str; 4] =
    ["steps_per_second", "micros_per_agent_step", "slowest_step_ms", "threads"];

/// A room with the level baked for a person, cells of 0.25 m; the swamp is forbidden.
fn baked() -> Room {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.25 --area mud=Swamp:forbidden");
    room
}

fn run(room: &Room, arguments: &str) -> Done {
    room.run("surefoot", &format!("run level.navgrid --agent human {arguments}"))
}

/// The report as JSON; asserts that the exit code is right.
#[track_caller]
fn report(room: &Room, arguments: &str) -> Value {
    let done = run(room, &format!("--json --quiet {arguments}"));
    assert_eq!(done.err, "", "{arguments}");
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(done.code, i32::from(report["arrived"] == 0), "{arguments}");
    report
}

/// The report without keys that differ from run to run.
fn untimed(mut report: Value) -> Value {
    TIMED.iter().for_each(|key| assert!(report.as_object_mut().unwrap().remove(*key).is_some()));
    report
}

fn count(report: &Value, key: &str) -> u64 {
    report[key].as_u64().unwrap_or_else(|| panic!("{key}: {report}"))
}

fn number(report: &Value, key: &str) -> f64 {
    report[key].as_f64().unwrap_or_else(|| panic!("{key}: {report}"))
}

#[test]
fn twenty_walk_to_their_goals() {
    let room = baked();
    let report = report(&room, "--count 20 --seconds 60");
    has_keys(&report, KEYS);
    let ends = ["arrived", "partial", "stuck", "waiting", "following"];
    assert_eq!(ends.iter().map(|end| count(&report, end)).sum::<u64>(), 20);
    assert_eq!((count(&report, "agents"), count(&report, "arrived")), (20, 20), "{report}");
    assert_eq!(count(&report, "off_grid_samples"), 0);
    // All were there long before the time was up; nobody flew.
    assert!((1.0..30.0).contains(&number(&report, "seconds")), "{report}");
    assert!((1.0..3.0).contains(&number(&report, "mean_time_ratio")), "{report}");
    assert_eq!(count(&report, "samples"), (number(&report, "seconds") * 10.0).round() as u64 + 1);
    assert!(number(&report, "steps_per_second") > 0.0 && report["interrupted"] == false);
}

#[test]
fn only_times_differ_between_runs_and_threads() {
    let room = Room::new();
    room.bake("--agent human:radius=0.06,height=0.3,max_climb=0.1 --cell-size 0.1");
    // A crowd of fewer than 256 is stepped on one thread.
    let arguments = "--count 300 --seconds 2 --csv out.csv --png out.png --scene level.gltf";
    let run = |threads: u32| {
        let report = report(&room, &format!("{arguments} --threads {threads}"));
        let most = std::thread::available_parallelism().unwrap().get() as u32;
        assert_eq!(report["threads"], threads.min(most));
        (untimed(report), room.read("out.csv"), room.read("out.png"))
    };
    let once = run(1);
    assert_eq!(count(&once.0, "agents"), 300);
    for threads in [1, 2, 8] {
        assert!(run(threads) == once, "{threads} threads");
    }
}

#[test]
fn options_do_what_they_say() {
    let room = baked();
    let plain = report(&room, "--count 5 --seconds 60");
    assert_eq!(untimed(plain.clone()), untimed(report(&room, "--count 5 --seconds 60 --seed 0")));
    let other = report(&room, "--count 5 --seconds 60 --seed 1");
    assert_ne!(plain["mean_time_ratio"], other["mean_time_ratio"]);
    assert_eq!(other["seed"], 1);
    let slow = report(&room, "--count 5 --seconds 60 --speed 0.5");
    assert!(number(&slow, "seconds") > 2.0 * number(&plain, "seconds"), "{slow}");
    let short = report(&room, "--count 5 --seconds 0.5 --dt 0.05");
    assert_eq!((number(&short, "seconds"), count(&short, "samples")), (0.5, 6));
    assert_eq!((count(&short, "arrived"), &short["mean_time_ratio"]), (0, &Value::Null));
    assert_eq!(count(&short, "following") + count(&short, "waiting"), 5);
    let unfinished = short["unfinished"].as_array().unwrap();
    assert_eq!(unfinished.len(), 5, "{short}");
    assert!(unfinished.iter().all(|body| number(body, "remaining") > 1.0), "{short}");
    assert_eq!(plain["unfinished"], Value::Array(Vec::new()));
    let text = run(&room, "--count 5 --seconds 0.5 --quiet").out;
    assert!(text.contains("Walking   body 0 at (") && text.contains("; 2 more\n"), "{text}");
}

#[test]
fn the_text_says_the_same() {
    let room = baked();
    let done = run(&room, "--count 5 --seconds 60 --scene level.gltf");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with("5 human after "), "{}", done.out);
    for words in ["s: 5 arrived.\n", "what the same paths take at 3.5 m/s", "nobody off it in "] {
        assert!(done.out.contains(words), "no {words:?} in {}", done.out);
    }
    for line in ["Overlaps  ", "Geometry  ", "Speed     "] {
        assert!(done.out.lines().any(|own| own.starts_with(line)), "no {line:?} in {}", done.out);
    }
    assert_eq!(done.err, "placing 5 human\nrunning 5 human for 60 s\n");
}

#[test]
fn everyone_is_in_the_csv_file_at_every_sample() {
    let room = baked();
    let report = report(&room, "--count 3 --seconds 20 --csv out.csv");
    let text = String::from_utf8(room.read("out.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("time,member,x,y,z,state"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len() as u64, 3 * count(&report, "samples"));
    for (at, row) in rows.iter().enumerate() {
        let expected = [format!("{:.3}", (at / 3) as f64 / 10.0), (at % 3).to_string()];
        assert_eq!(row[..2], expected);
        let place: Vec<f32> = row[2..5].iter().map(|v| v.parse().unwrap()).collect();
        assert!(place.iter().all(|v| v.abs() < 4.0), "{row:?}");
    }
    assert!(rows[..3].iter().all(|row| row[5] == "waiting"));
    assert!(rows[rows.len() - 3..].iter().all(|row| row[5] == "arrived"));
}

#[test]
fn tracks_are_drawn() {
    let room = baked();
    report(&room, "--count 5 --seconds 20 --png tracks.png");
    let bytes = std::io::Cursor::new(room.read("tracks.png"));
    let reader = png::Decoder::new(bytes).read_info().unwrap();
    assert!(reader.info().width > 200);
}

#[test]
fn bodies_in_the_geometry_of_the_scene_are_counted() {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.25 --ignore Swamp");
    let run = "--count 20 --seconds 20 --scene level.gltf";
    let fits = report(&room, run);
    has_keys(&fits, &format!("{KEYS} {GEOMETRY_KEYS}"));

    // Bodies too large for where they walk stand in the crate.
    let grid = NavGrid::load(room.path("level.navgrid")).unwrap();
    let mut parts = grid.into_parts();
    parts.layers[0].agent.radius = 0.6;
    NavGrid::new(parts).unwrap().save(room.path("level.navgrid")).unwrap();
    let large = report(&room, run);
    assert!(count(&large, "in_geometry_samples") > count(&fits, "in_geometry_samples"), "{large}");
    assert!(count(&large["in_geometry_nodes"], "Crate") > 0, "{large}");
    assert!((0.1..0.6).contains(&number(&large, "deepest_in_geometry")), "{large}");

    room.bake("--agent human --cell-size 0.25 --ignore Swamp --ignore Crate");
    assert_eq!(report(&room, run)["in_geometry_samples"], 0);
}

#[test]
fn a_scene_that_the_grid_was_not_baked_from_is_refused() {
    let room = baked();
    let scene = String::from_utf8(room.read("level.gltf")).unwrap();
    room.write("other.gltf", scene.replace("0.5", "0.625"));
    let other = "--count 5 --seconds 1 --scene other.gltf";
    run(&room, other).failed(&["other.gltf", "level.navgrid", "bake it again"]);
    run(&room, "--count 5 --seconds 1 --scene gone.gltf")
        .failed(&["gone.gltf: no such file; check --scene"]);
}

#[test]
fn routes_are_prepared_if_the_grid_has_them() {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.25 --routes");
    let said = run(&room, "--count 5 --seconds 20");
    assert_eq!(said.code, 0);
    for words in ["preparing routes\n", "preparing routes took "] {
        assert!(said.err.contains(words), "no {words:?} in {}", said.err);
    }
}

#[test]
fn those_whose_way_is_too_long_are_counted_apart() {
    let room = baked();
    let short = report(&room, "--count 10 --seconds 0.2");
    assert_eq!(count(&short, "too_far"), 10 - count(&short, "arrived"), "{short}");
    let said = run(&room, "--count 10 --seconds 0.2 --quiet").out;
    assert!(said.contains("had more than 0.2 s to walk at 3.5 m/s"), "{said}");
    assert_eq!(count(&report(&room, "--count 10 --seconds 60"), "too_far"), 0);
}

#[test]
fn more_than_fit_are_refused_and_as_many_as_fit_are_not() {
    let room = baked();
    let done = run(&room, "--count 4000000000 --seconds 1 --quiet");
    done.failed(&["level.navgrid", "human fit", "use --count"]);
    let most = done.err.split_whitespace().find_map(|word| word.parse::<u32>().ok()).unwrap();
    assert!((20..100).contains(&most), "{}", done.err);
    let all = report(&room, &format!("--count {most} --seconds 0.1"));
    assert_eq!(count(&all, "agents"), u64::from(most));
    run(&room, &format!("--count {} --seconds 1 --quiet", most + 1)).failed(&["use --count"]);
}

#[test]
fn nobody_walks_where_nothing_is_walkable() {
    let room = Room::new();
    room.bake("--agent human --obstacle *");
    let done = run(&room, "--count 5 --seconds 1");
    assert_eq!(done.code, 1);
    assert!(done.out.starts_with("Nothing is walkable for human"), "{}", done.out);
    let report = report(&room, "--count 5 --seconds 1 --png out.png --csv out.csv");
    assert_eq!((count(&report, "agents"), &report["mean_time_ratio"]), (0, &Value::Null));
    assert!(done.out.starts_with(report["problem"].as_str().unwrap()));
    assert_eq!((number(&report, "seconds"), number(&report, "steps_per_second")), (0.0, 0.0));
    assert_eq!(room.read("out.csv"), b"time,member,x,y,z,state\n");
}

#[test]
fn misuse_is_refused_in_one_line() {
    let room = baked();
    let grid = room.read("level.navgrid");
    let check = |arguments: &str, words: &[&str]| run(&room, arguments).failed(words);
    let walk = |options: &str, words: &[&str]| {
        check(&format!("--count 5 --seconds 1 {options}"), words);
    };
    check("--seconds 1", &["--count"]);
    check("--count 5", &["--seconds"]);
    check("--count 0 --seconds 1", &["--count", "0 is not in 1.."]);
    check("--count -1 --seconds 1", &["--count", "-1"]);
    check("--count 5 --seconds -1", &["--seconds", "must be greater than 0"]);
    check("--count 5 --seconds 0", &["--seconds", "must be greater than 0"]);
    check("--count 5 --seconds nan", &["--seconds", "\"nan\" is not a number"]);
    walk("--speed 0", &["--speed", "must be greater than 0"]);
    walk("--speed inf", &["--speed", "\"inf\" is not a number"]);
    walk("--dt 0.5", &["--dt", "must be at most 0.1"]);
    // Time would not advance.
    walk("--dt 1e-30", &["--dt", "must be at least 0.0001"]);
    walk("--seed -1", &["--seed", "-1"]);
    walk("--threads 0", &["--threads"]);
    walk("--csv gone/out.csv", &["gone", "--csv"]);
    walk("--csv .", &["folder", "--csv"]);
    walk("--png gone/out.png", &["gone", "--png"]);
    walk("--png level.navgrid", &["level.navgrid", "change --png"]);
    walk("--csv out --png ./out", &["./out", "change --png"]);
    walk("--csv ./level.gltf --scene level.gltf", &["level.gltf", "change --csv"]);
    let other = |file: &str, agent: &str| {
        let arguments = format!("run {file} --agent {agent} --count 5 --seconds 1");
        room.run("surefoot", &arguments)
    };
    other("gone.navgrid", "human").failed(&["gone.navgrid", "no such file"]);
    other("level.navgrid", "giant").failed(&["level.navgrid", "giant", "it has \"human\""]);
    assert_eq!(room.names(), ["level.bin", "level.gltf", "level.navgrid"]);
    assert!(room.read("level.navgrid") == grid);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let room = baked();
    let done = run(&room, "--count 20 --seconds 20 --quiet --csv /dev/full");
    done.failed(&["/dev/full", "No space left"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_run_with_a_report() {
    let room = baked();
    let arguments = "run level.navgrid --agent human --count 5 --seconds 1e9 --speed 1e-5 --json \
                     --csv out.csv";
    let done = room.interrupt("surefoot", arguments, "running");
    assert_eq!(done.code, 1);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((&report["interrupted"], &report["arrived"]), (&true.into(), &0.into()));
    let rows = String::from_utf8(room.read("out.csv")).unwrap().lines().count() as u64;
    assert_eq!(rows, 1 + 5 * count(&report, "samples"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_does_not_wait_for_routes() {
    let room = Room::new();
    let rows = format!("{}\n", ".".repeat(1000)).repeat(1000);
    let map = format!("type octile\nheight 1000\nwidth 1000\nmap\n{rows}");
    let grid = NavGrid::from_map(&map, 0.5, &[Agent::new("human")]).unwrap();
    grid.save(room.path("level.navgrid")).unwrap();
    // Left alone, it takes several seconds.
    let arguments = "run level.navgrid --agent human --count 100 --seconds 60 --threads 1";
    let done = room.interrupt("surefoot", arguments, "preparing routes");
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (130, "", "interrupted\n"));
    assert!(done.took < Duration::from_secs(1), "{:?}", done.took);
}
