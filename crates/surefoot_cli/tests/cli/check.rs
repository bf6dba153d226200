//! `surefoot check`: what holds, what does not, and what is said of it.

use serde_json::Value;

use super::room::{Done, Room, has_keys};

/// A room with the level baked for a person, and a file that says where marks are.
pub fn baked() -> Room {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.25 --area mud=Swamp:forbidden");
    let node = |name: &str, [x, y, z]: [f32; 3]| {
        format!("{{\"name\": \"{name}\", \"translation\": [{x}, {y}, {z}]}}")
    };
    let nodes = [
        node("spawn_1", [0.0, 1.0, 0.0]),
        node("spawn_2", [0.0, 0.0, 3.0]),
        node("pickup_a", [3.0, 0.0, -3.0]),
        node("Top", [2.0, 1.5, 2.0]),
        node("Out", [90.0, 0.0, 0.0]),
    ];
    room.write(
        "marks.gltf",
        format!(
            "{{\"asset\": {{\"version\": \"2.0\"}}, \"scene\": 0, \"scenes\": [{{\"nodes\": [0, 1, 2, 3, 4]}}],
            \"nodes\": [{}]}}",
            nodes.join(",")
        ),
    );
    room
}

/// Runs checks on the level.
pub fn check(room: &Room, text: &str) -> Done {
    room.write("checks.toml", text);
    room.run("surefoot", "check level.navgrid checks.toml")
}

/// The results of checks on the level.
fn results(room: &Room, text: &str) -> Vec<Value> {
    room.write("checks.toml", text);
    let done = room.run("surefoot", "check level.navgrid checks.toml --json");
    let report: Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.err));
    let results = report["results"].as_array().unwrap().clone();
    let all_hold = results.iter().all(|result| result["holds"] == true);
    assert_eq!(done.code, i32::from(!all_hold), "{}", done.out);
    assert_eq!(report["holds"], all_hold);
    results
}

/// Asserts that the checks hold.
#[track_caller]
fn holds(room: &Room, text: &str) {
    for result in results(room, text) {
        assert_eq!(result["holds"], true, "{text}: {result:#}");
        assert!(result["why"].is_null(), "{result:#}");
    }
}

/// Asserts that the only check does not hold, and what is said of it.
#[track_caller]
fn fails(room: &Room, text: &str, [found, why]: [&str; 2]) {
    let results = results(room, text);
    assert_eq!((results.len(), &results[0]["holds"]), (1, &Value::Bool(false)), "{results:#?}");
    let said = |key: &str| results[0][key].as_str().unwrap_or_default().to_owned();
    assert!(said("found").contains(found), "no {found:?} in {:?}", said("found"));
    assert!(said("why").contains(why), "no {why:?} in {:?}", said("why"));
}

const PLACES: &str = "places = { west = [-1, 0], east = [3.5, 2], top = [2, 1, 2] }\n";

fn path(keys: &str) -> String {
    format!("{PLACES}[[path]]\nfrom = 'west'\n{keys}")
}

#[test]
fn paths_that_exist_or_do_not() {
    let room = baked();
    holds(&room, &path("to = 'east'"));
    holds(&room, &path("to = 'top'\nexists = false"));
    let why = "in the way: a step of 1.00 m (max climb 0.40";
    fails(&room, &path("to = 'top'"), ["no path: no connection or link", why]);
    let found = ["a path of 5.", ""];
    fails(&room, &path("to = 'east'\nexists = false"), found);
    let beside = ["human cannot stand at 1.4,1.8", "Obstacle: the body would touch \"Crate\""];
    fails(&room, &path("to = { at = [1.4, 1.8], within = 0 }"), beside);
    let off =
        ["human cannot stand at 4.9,0,0", " m away: { at = .., within = 1.5 } lets the place move"];
    fails(&room, &path("to = [4.9, 0, 0]"), off);
    holds(&room, &path("to = { at = [4.9, 0, 0], within = 1.5 }"));
    holds(&room, &path("to = { at = [2, 0, 2], within = 2 }"));
}

#[test]
fn a_place_without_a_floor_is_no_proof_that_no_path_leads_there() {
    let room = baked();
    let nowhere = ["there is no floor at 90,0", ""];
    fails(&room, &path("to = [90, 0]\nexists = false"), nowhere);
    fails(&room, &path("to = [90, 0]"), nowhere);
}

#[test]
fn limits_of_paths() {
    let room = baked();
    let check = |kept: &str, broken: &str, words: &str| {
        holds(&room, &path(&format!("to = 'east'\n{kept}")));
        fails(&room, &path(&format!("to = 'east'\n{broken}")), [words, "cheapest path"]);
    };
    check("max_length = 6", "max_length = 5", "which is longer than 5 m");
    check("min_length = 5", "min_length = 7.5", "which is shorter than 7.5 m");
    check("max_cost = 6", "max_cost = 2", "which costs more than 2");
    let both = "max_cost = 2\nmax_length = 3";
    check("max_climb = 0\nmax_descent = 0", both, "is longer than 3 m and costs more than 2");
}

#[test]
fn heights_and_their_costs() {
    let room = Room::new();
    let stairs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/stairs.gltf");
    room.run("bake", &format!("{stairs} --agent human --quiet -o level.navgrid"));
    let up = |keys: &str| format!("[[path]]\nfrom = [1, 0, 1]\nto = [9, 2, 6]\n{keys}");
    holds(&room, &up("max_climb = 2.1\nmax_descent = 0.1"));
    fails(
        &room,
        &up("max_climb = 1.9"),
        ["2.00 m up and 0.00 m down, which goes up more than 1.9", ""],
    );
    let down = "[[path]]\nfrom = [9, 2, 6]\nto = [1, 0, 1]\nmax_descent = 1.9\n";
    fails(&room, down, ["which goes down more than 1.9 m", ""]);
    let cost = |text: &str| results(&room, text)[0]["findings"][0]["cost"].as_f64().unwrap();
    let (plain, own) = (cost(&up("")), cost(&up("ascend_cost = 11")));
    assert!((own - plain - 20.0).abs() < 1.0, "{plain} {own}");
    let of_file = cost(&format!("ascend_cost = 11\n{}", up("")));
    assert_eq!(
        (of_file, cost(&format!("ascend_cost = 11\n{}", up("ascend_cost = 1")))),
        (own, plain)
    );
}

#[test]
fn clearance_along_a_path() {
    let room = baked();
    // Between the crate and the edge the agent can stand on a strip of about 0.9 m.
    let beside = "[[path]]\nfrom = [3.5, 0]\nto = [3.5, 3.6]\n";
    holds(&room, &format!("{beside}min_clearance = 0.35"));
    let found = ["along it there is a clearance of 0.38 m", "it is narrow because of what is at "];
    fails(&room, &format!("{beside}min_clearance = 0.5"), found);
    holds(&room, "[[path]]\nfrom = [-1, -2]\nto = [3, -2]\nmin_clearance = 0.75");
}

#[test]
fn reach_with_and_without_links() {
    let room = Room::new();
    let tagged = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/tagged.gltf");
    room.run("bake", &format!("{tagged} --agent human --quiet -o level.navgrid"));
    let places = "places = { foot = [2, 0, 15], top = [6, 2, 16] }\n";
    let reach = |keys: &str| format!("{places}[[reach]]\nfrom = 'foot'\nto = 'top'\n{keys}");
    holds(&room, &reach(""));
    holds(&room, &reach("links = ['ladder']"));
    holds(&room, &reach("links = false\nexists = false"));
    let words = ["no path: ", "in the way: "];
    fails(&room, &reach("links = false"), words);
    fails(&room, &reach("links = ['door']"), words);
    let connected = ["a path of ", ""];
    fails(&room, &reach("exists = false"), connected);
    let path = format!("{places}[[path]]\nfrom = 'foot'\nto = 'top'\n");
    let found = &results(&room, &path)[0]["findings"][0];
    assert_eq!(found["links"][0], "LadderFoot", "{found:#}");
    holds(&room, &format!("{path}links = false\nexists = false"));
}

const MARKS: &str = "scene = 'marks.gltf'\n[places]\nspawns = 'spawn_*'\npickups = 'pickup_*'\n";

#[test]
fn every_spawn_reaches_every_pickup() {
    let room = baked();
    let reach = format!("{MARKS}[[reach]]\nfrom = 'spawns'\nto = 'pickups'\n");
    holds(&room, &reach);
    let done = check(&room, &reach);
    assert_eq!(
        done.out,
        "ok    spawns reach pickups, human: all 2 pairs are connected\n1 check holds.\n"
    );
    let top = format!("{MARKS}top = 'Top'\n[[reach]]\nfrom = 'spawns'\nto = ['pickups', 'top']\n");
    let results = results(&room, &top);
    assert_eq!((&results[0]["failing"], &results[0]["looked_at"]), (&2.into(), &4.into()));
    let said = results[0]["found"].as_str().unwrap();
    assert!(said.starts_with("2 of 4 pairs fail; the first is spawn_1 to top: no path"), "{said}");
    let to = &results[0]["findings"][0]["to"];
    assert_eq!((&to["point"][1], &to["moved"]), (&1.0.into(), &0.5.into()));
}

#[test]
fn nodes_mean_the_ground_under_them() {
    let room = baked();
    holds(&room, &format!("{MARKS}[[walkable]]\nat = 'sp*'\n"));
    let out = |keys: &str| format!("{MARKS}out = 'Out'\n{keys}");
    let found = ["there is no ground under the node at 90,0,0", ""];
    fails(&room, &out("[[walkable]]\nat = 'out'"), found);
    fails(&room, &out("[[path]]\nfrom = 'out'\nto = 'pickups'\nexists = false"), found);
    holds(&room, &out("[[walkable]]\nat = 'out'\nverdict = 'no_floor'"));
}

#[test]
fn places_where_an_agent_can_stand_or_not() {
    let room = baked();
    let at = |keys: &str| format!("[[walkable]]\n{keys}");
    holds(&room, &at("at = [0, 0]"));
    holds(&room, &at("at = [1.4, 2]\nis = false"));
    holds(&room, &at("at = [1.4, 2]\nverdict = 'obstacle'\nnode = 'Cra*'"));
    holds(&room, &at("at = [3.9, 0]\nverdict = 'ledge'"));
    holds(&room, &at("at = [-3, 0.1, 0]\nverdict = 'forbidden'"));
    holds(&room, &at("at = [90, 0, 0]\nverdict = 'no_floor'"));
    holds(&room, &at("at = { at = [3.9, 0], within = 1 }"));
    let beside = "Obstacle: the body would touch \"Crate\"";
    fails(&room, &at("at = [1.4, 2]"), ["human cannot stand there: obstacle", beside]);
    fails(&room, &at("at = [1.4, 2]\nverdict = 'ledge'"), ["obstacle", beside]);
    fails(&room, &at("at = [1.4, 2]\nnode = 'Ground'"), ["obstacle", beside]);
    fails(&room, &at("at = [0, 0]\nis = false"), ["human can stand there", "Walkable"]);
    fails(&room, &at("at = [90, 0, 0]"), ["there is no floor", "outside the grid"]);
    let two = at("at = [[0, 0], [1.4, 2], [3.9, 0]]");
    fails(&room, &two, ["2 of 3 places fail; the first is 1.4,2: human cannot", beside]);
}

#[test]
fn areas_have_limits() {
    let room = baked();
    let ground = results(&room, "[[area]]\nmin_m2 = 1")[0]["walkable_m2"].as_f64().unwrap();
    holds(&room, &format!("[[area]]\nmin_m2 = {ground}\nmax_m2 = {ground}"));
    holds(&room, "[[area]]\nnode = 'Crate'\nmin_m2 = 0.2\nmax_m2 = 4");
    holds(&room, "[[area]]\narea = 'mud'\nmax_m2 = 0");
    let rest = "human cannot stand on the rest: forbidden 16.0 m²";
    fails(&room, "[[area]]\narea = 'mud'\nmin_m2 = 1", ["0.0 m²", rest]);
    fails(&room, "[[area]]\nnode = 'Gr*'\nmax_m2 = 1", [" m²", "ledge"]);
}

#[test]
fn the_bake_stays_the_same() {
    let room = baked();
    let info = room.run("surefoot", "info level.navgrid --json");
    let info: Value = serde_json::from_str(&info.out).unwrap();
    let hash = info["grid"]["hash"].as_str().unwrap();
    let grid = format!("[grid]\nhash = '{hash}'");
    holds(&room, &grid);
    room.bake("--agent human --cell-size 0.25");
    fails(&room, &grid, ["hash ", "the bake gives other bytes"]);
}

#[test]
fn agents_of_a_file_and_of_a_check() {
    let room = Room::new();
    room.bake("--cell-size 0.25");
    let agents = |text: &str| -> Vec<String> {
        let results = results(&room, text);
        results.iter().map(|one| one["agent"].as_str().unwrap().to_owned()).collect()
    };
    let at = "[[walkable]]\nat = [0, 0]\n";
    assert_eq!(agents(at), ["small", "human", "large"]);
    assert_eq!(agents(&format!("agents = ['large', 'small']\n{at}")), ["large", "small"]);
    let own = format!("agents = ['large']\n{at}agents = ['human', 'small']");
    assert_eq!(agents(&own), ["human", "small"]);
    let names = format!("{at}agents = ['human']\n{at}agents = ['small']\n{at}agents = ['small']\n");
    let names: Vec<String> =
        results(&room, &names).iter().map(|one| one["name"].to_string()).collect();
    assert_eq!(names, ["\"0,0 walkable\"", "\"0,0 walkable\"", "\"0,0 walkable (2)\""]);
}

#[test]
fn results_as_json() {
    let room = baked();
    let text = format!(
        "{PLACES}[[walkable]]\nat = 'top'\n[[path]]\nfrom = 'west'\nto = 'top'\n\n[[path]]\n\
         name = 'round the crate'\nfrom = 'west'\nto = 'east'\nmin_clearance = 0.1\n"
    );
    room.write("checks.toml", &text);
    let done = room.run("surefoot", "check level.navgrid checks.toml --json");
    assert_eq!((done.code, done.err.as_str()), (1, ""));
    let report: Value = serde_json::from_str(&done.out).unwrap();
    has_keys(&report, "schema grid checks holds held failed results");
    assert_eq!((&report["held"], &report["failed"]), (&2.into(), &1.into()));
    let results = report["results"].as_array().unwrap();
    // In the order of the file, whatever the order of their kinds.
    let lines: Vec<u64> = results.iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 4, 8]);
    let keys = "check spec line name agent holds promised found why looked_at failing walkable_m2 findings";
    results.iter().for_each(|result| has_keys(result, keys));
    assert_eq!(
        (&results[2]["spec"], &results[2]["name"]),
        (&"path[1]".into(), &"round the crate".into())
    );
    assert_eq!(
        results[2]["promised"],
        "a path from west to east, with a clearance of at least 0.1 m"
    );
    let keys = "holds at from to found why waypoints length cost climb descent links clearance narrowest \
                verdict nearest blockers";
    let failed = &results[1]["findings"][0];
    has_keys(failed, keys);
    has_keys(&failed["to"], "name point moved");
    has_keys(&failed["blockers"][0], "kind size limit name node needs_link at before after words");
    let found = &results[2]["findings"][0];
    assert!(found["waypoints"].as_array().unwrap().len() > 2, "{found:#}");
    assert!(found["narrowest"].is_array() && found["clearance"].is_f64(), "{found:#}");
    assert_eq!(results[0]["findings"][0]["verdict"], "walkable");
}

#[test]
fn failures_in_words() {
    let room = baked();
    let done =
        check(&room, &path("to = 'top'\n[[path]]\nfrom = 'west'\nto = 'east'\nmax_length = 5\n"));
    assert_eq!((done.code, done.err.as_str()), (1, ""));
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(lines[0], "FAIL  path from west to top, human  (checks.toml:2)");
    assert_eq!(lines[1], "      promised  a path from west to top");
    assert_eq!(
        lines[2],
        "      found     no path: no connection or link leads to the goal's region"
    );
    assert!(lines[3].starts_with("      why       in the way: a step of 1.00 m"), "{}", lines[3]);
    assert_eq!(lines[4], "FAIL  path from west to east, human  (checks.toml:5)");
    assert_eq!(lines[8], "2 checks fail.");
}

#[test]
fn no_output_replaces_the_scene_of_the_checks() {
    let room = baked();
    let scene = room.read("marks.gltf");
    room.write("checks.toml", "scene = 'marks.gltf'\n[[walkable]]\nat = [0, 0, 0]\n");
    for option in ["--report", "--junit"] {
        let line = format!("check level.navgrid checks.toml {option} marks.gltf");
        room.run("surefoot", &line).failed(&["would replace the scene of the checks", option]);
    }
    assert_eq!(room.read("marks.gltf"), scene);
}

#[test]
fn a_place_in_the_air_is_no_place() {
    let room = baked();
    for place in ["[90, 0, 1]", "[0, 40, 0]", "[1e38, 0, 1]", "{ at = [90, 0, 1], within = 2 }"] {
        let path = format!("[places]\noff = {place}\n[[path]]\nfrom = [0, 0, 0]\nto = 'off'\n");
        for exists in [true, false] {
            let result = &results(&room, &format!("{path}exists = {exists}"))[0];
            assert_eq!(result["holds"], false, "{place} {exists}: {result:#}");
        }
        let reach = path.replace("path", "reach");
        assert_eq!(results(&room, &format!("{reach}exists = false"))[0]["holds"], false, "{place}");
    }
    // A crate stands there: nobody gets onto it, but it is a place.
    let onto = "[[path]]\nfrom = [0, 0, 0]\nto = [2, 0, 2]\nexists = false";
    let result = &results(&room, onto)[0];
    assert_eq!(result["holds"], true, "{result:#}");
}
