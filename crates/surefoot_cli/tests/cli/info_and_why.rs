//! `surefoot info` and `surefoot why`.

use serde_json::Value;
use surefoot::cch::route_bytes;
use surefoot::cost::HeightCost;
use surefoot::view::View;
use surefoot::{AgentId, NavGrid};

use super::room::{Done, Room, keys};

/// A room with the level baked for a person, cells of 0.25 m.
fn baked() -> Room {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.25 --area mud=Swamp:forbidden");
    room
}

fn json(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn info_agrees_with_the_report_of_bake() {
    let room = Room::new();
    let report = room.bake("--cell-size 0.25");
    let done = room.run("surefoot", "info level.navgrid --json");
    let info = json(&done);
    assert_eq!(done.code, 0);
    assert_eq!((&info["grid"], &info["agents"]), (&report["grid"], &report["agents"]));
    assert_eq!(info["scene"]["hash"], report["scene"]["hash"]);
    let expected = ["path", "grid", "agents", "areas", "links", "routes", "scene", "settings"];
    assert!(expected.iter().all(|key| keys(&info).contains(key)), "{:?}", keys(&info));

    let done = room.run("surefoot", "info level.navgrid");
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    for words in ["level.gltf", "32 x 32 cells of 0.25 m", "human", "walkable: a metre costs 1"] {
        assert!(done.out.contains(words), "no {words:?} in {}", done.out);
    }
}

#[test]
fn info_shows_the_settings_of_the_bake() {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.3 --area mud=Swamp:2.5 --ignore Cra*");
    let settings = &json(&room.run("surefoot", "info level.navgrid --json"))["settings"];
    assert_eq!(settings["cell_size"].to_string(), "0.3");
    assert_eq!(settings["agents"][0]["radius"].to_string(), "0.3");
    assert_eq!(settings["marks"]["ignore"], serde_json::json!(["Cra*"]));
    assert_eq!(settings["marks"]["areas"][0]["name"], "mud");
    let plain = Room::new();
    plain.bake("--cell-size 0.3");
    let settings = &json(&plain.run("surefoot", "info level.navgrid --json"))["settings"];
    assert!(settings["marks"].is_null(), "{settings}");
}

#[test]
fn info_shows_prepared_routes() {
    let room = Room::new();
    room.bake("--agent human --agent cart:radius=0.6 --cell-size 0.25 --routes");
    let grid = NavGrid::load(room.path("level.navgrid")).unwrap();
    let info = json(&room.run("surefoot", "info level.navgrid --json"));
    for (at, name) in ["human", "cart"].into_iter().enumerate() {
        let order = grid.order(AgentId(at as u16)).unwrap();
        let (supernodes, bytes) = (order.supernodes.len(), order.bytes());
        assert_eq!(bytes, 4 * order.spans.len() + 8 * supernodes);
        let view = View::new(&grid, name).unwrap();
        let memory = route_bytes(&view, &HeightCost::default()).unwrap();
        let expected = serde_json::json!(
            {"agent": name, "prepared": true, "supernodes": supernodes, "bytes": bytes,
             "index_bytes": memory.index, "cost_bytes": memory.costs}
        );
        assert_eq!(info["routes"][at], expected);
        let words = format!("{name}: prepared, {supernodes} supernodes, {bytes} bytes of memory");
        let said = room.run("surefoot", "info level.navgrid").out;
        assert!(said.contains(&words), "no {words:?} in {said}");
    }
    room.bake("--agent human");
    let info = json(&room.run("surefoot", "info level.navgrid --json"));
    let expected = serde_json::json!(
        [{"agent": "human", "prepared": false, "supernodes": null, "bytes": null,
          "index_bytes": null, "cost_bytes": null}]
    );
    assert_eq!(info["routes"], expected);
    let said = room.run("surefoot", "info level.navgrid").out;
    assert!(said.contains("human: not prepared; bake with --routes"), "{said}");
}

#[test]
fn lines_fit_on_a_terminal() {
    let room = Room::new();
    room.bake("--agent watchman_of_the_northern_gate:radius=0.3 --cell-size 0.25 --routes");
    let said = room.run("surefoot", "info level.navgrid --regions").out;
    let wide: Vec<&str> = said.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    for start in ["grid  ", "routes  ", "region  "] {
        let at = said.find(&format!("\n{start}")).expect("it is said");
        let next = said[at + 1..].lines().nth(1);
        assert!(next.is_some_and(|next| next.starts_with("          ")), "{start}: {said}");
    }
}

#[track_caller]
fn check_why(room: &Room, at: &str, (code, said): (i32, &[&str])) {
    let done = room.run("surefoot", &format!("why level.navgrid --agent human --at {at}"));
    assert_eq!((done.code, done.err.as_str()), (code, ""), "{}", done.out);
    for words in said {
        assert!(done.out.contains(words), "no {words:?} in {}", done.out);
    }
}

#[test]
fn why_gives_the_reason() {
    let room = baked();
    check_why(&room, "0,0,0", (0, &["Walkable: human can stand here", "floor at y 0.00"]));
    check_why(&room, "0,1.7,0", (0, &["floor at y 0.00"]));
    let beside =
        ["Obstacle: the body would touch \"Crate\"", "ground of \"Ground\"", "human can stand: "];
    check_why(&room, "1.4,0,2", (1, &beside));
    check_why(&room, "2,0,2", (1, &["InsideSolid: the floor lies inside \"Crate\""]));
    check_why(&room, "3.9,0,0", (1, &["Ledge: nearer than 0.30 m"]));
    check_why(&room, "-3,0.1,0", (1, &["Forbidden", "area mud"]));
    check_why(&room, "0,0,-3", (0, &["headroom 3.00 m (needs 1.80), slope 0° (limit 45°)"]));
}

#[test]
fn why_says_how_high_a_body_may_be() {
    let room = Room::new();
    room.bake("--agent giant:height=3.5 --cell-size 0.25");
    let done = room.run("surefoot", "why level.navgrid --at 0,0,-3 --json");
    let report = json(&done);
    assert_eq!((done.code, report["verdict"].as_str()), (1, Some("low_ceiling")), "{report}");
    let fits = report["floor"]["fits"].as_f64().unwrap();
    assert!((2.99..=3.0).contains(&fits), "{report}");
    assert!(report["words"].as_str().unwrap().contains("a body as wide fits up to"), "{report}");
    let open = json(&room.run("surefoot", "why level.navgrid --at 0,0 --json"));
    assert!(open["walkable"] == true && open["floor"]["fits"].is_null(), "{open}");
}

#[test]
fn why_takes_two_numbers_where_there_is_one_floor() {
    let room = baked();
    check_why(&room, "0,0", (0, &["Walkable: human can stand here", "floor at y 0.00"]));
    check_why(&room, "1.4,2", (1, &["Obstacle: the body would touch \"Crate\""]));
    check_why(&room, "3.9,0", (1, &["Ledge: nearer than 0.30 m"]));
    check_why(&room, "40,0", (1, &["outside the grid, which covers x -4 to 4, z -4 to 4"]));
    let two = "-3,0: there are 2 floors here, at y 0.00 and 0.10; add the height, as in -3,0.00,0";
    let why = "why level.navgrid --agent human";
    room.run("surefoot", &format!("{why} --at=-3,0")).failed(&[&format!("--at: {two}")]);
    let done = room.run("surefoot", &format!("{why} --from 0,0 --to 2,2"));
    assert!(done.out.contains("a step of 1.00 m (max climb 0.40)"), "{}", done.out);
    let done = room.run("surefoot", &format!("{why} --from 0,0 --to 0,2"));
    assert_eq!((done.code, done.out.trim()), (0, "Nothing is in the way: a path leads there."));
}

#[test]
fn why_names_the_nearest_floors() {
    let room = baked();
    check_why(
        &room,
        "0,2.5,0",
        (1, &["No floor within 1.80 m", "below at y 0.00", "0.00,0.00,0.00 (2.50 m"]),
    );
    check_why(&room, "0,-5,0", (1, &["above at y 0.00"]));
    check_why(&room, "40,0,0", (1, &["outside the grid, which covers x -4 to 4, z -4 to 4"]));
}

#[test]
fn why_answers_in_json() {
    let room = baked();
    let why = |at| {
        json(&room.run("surefoot", &format!("why level.navgrid --agent human --json --at {at}")))
    };
    let crate_side = why("1.4,0,2");
    assert_eq!(
        (&crate_side["verdict"], &crate_side["obstacle"]),
        (&"obstacle".into(), &"Crate".into())
    );
    assert_eq!(crate_side["walkable"], false);
    assert_eq!(crate_side["floor"]["node"], "Ground");
    assert!(crate_side["nearest"]["distance"].as_f64().unwrap() < 0.5);
    let open = why("0,0,0");
    assert_eq!((&open["verdict"], &open["nearest"]), (&"walkable".into(), &Value::Null));
    assert_eq!(open["floor"]["region"], 0);
    assert_eq!(why("0,9,0")["floor"], Value::Null);
}

/// From the middle of the level to the top of the crate.
const ONTO_CRATE: &str = "why level.navgrid --agent human --from 0,0,0 --to 2,1,2";

#[test]
fn why_says_what_separates_two_places() {
    let room = baked();
    let done = room.run("surefoot", ONTO_CRATE);
    assert_eq!((done.code, done.err.as_str()), (1, ""));
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(lines[0], "No path for human. In the way, in order:");
    assert!(lines[1].starts_with("  a step of 1.00 m (max climb 0.40) at "), "{}", done.out);
    assert!(lines[1].ends_with(", of \"Crate\""), "{}", done.out);
    let done = room.run("surefoot", "why level.navgrid --agent human --from 0,0,0 --to 0,0,2");
    assert_eq!((done.code, done.out.trim()), (0, "Nothing is in the way: a path leads there."));
    let done = room.run("surefoot", "why level.navgrid --agent human --from 0,0,0 --to=-3.5,0.1,0");
    for words in ["cannot stand at the goal", "The goal: Forbidden: no agent", "Nearest place"] {
        assert!(done.out.contains(words), "no {words:?} in {}", done.out);
    }
}

#[test]
fn what_separates_two_places_has_json_and_a_picture() {
    let room = baked();
    let done = room.run("surefoot", &format!("{ONTO_CRATE} --json --png why.png"));
    let why = json(&done);
    assert_eq!((done.code, &why["connected"], &why["explained"]), (1, &false.into(), &true.into()));
    let keys = ["agent", "from", "to", "regions", "blockers", "start", "goal", "words"];
    keys.iter().for_each(|key| assert!(!why[key].is_null(), "{key}: {why}"));
    let step = &why["blockers"][0];
    assert_eq!((&step["kind"], &step["node"]), (&"step".into(), &"Crate".into()));
    assert!((step["size"].as_f64().unwrap() - 1.0).abs() < 0.01, "{step}");
    assert!((step["limit"].as_f64().unwrap() - 0.4).abs() < 0.01, "{step}");
    assert_eq!(&room.read("why.png")[1..4], b"PNG");
}

#[test]
fn a_path_that_fails_says_why_in_one_line() {
    let room = baked();
    let path = "path level.navgrid --agent human --from 0,0,0";
    let done = room.run("surefoot", &format!("{path} --to 2,1,2"));
    assert_eq!((done.code, done.out.lines().count()), (1, 1));
    assert!(done.out.contains("In the way: a step of 1.00 m"), "{}", done.out);
    let done = room.run("surefoot", &format!("{path} --to 90,0,0 --json"));
    let answer = json(&done);
    assert!(answer["why"].as_str().unwrap().contains("outside the grid"), "{answer}");
    // Farther away than a query looks.
    assert!(answer["nearest"][0].as_f64().unwrap() > 3.0, "{answer}");
}

#[test]
fn info_lists_regions() {
    let room = baked();
    let regions = &json(&room.run("surefoot", "info level.navgrid --json --regions"))["regions"];
    let count = regions.as_array().unwrap().len();
    assert!(count >= 2, "{regions}");
    let [ground, top] = [&regions[0], &regions[count - 1]];
    assert_eq!((&ground["agent"], &ground["region"]), (&"human".into(), &0.into()));
    assert!(ground["area_m2"].as_f64() > top["area_m2"].as_f64(), "{regions}");
    let text = room.run("surefoot", "info level.navgrid --regions").out;
    let lines = text.lines().filter(|line| line.starts_with("region    human ")).count();
    assert_eq!(lines, count, "{text}");
    assert!(json(&room.run("surefoot", "info level.navgrid --json"))["regions"].is_null());
}

#[test]
fn info_lists_regions_of_one_agent() {
    let room = Room::new();
    room.bake("--agent human --agent child:radius=0.2,height=1.2 --cell-size 0.25");
    let agents = |arguments: &str| -> Vec<String> {
        let done = room.run("surefoot", &format!("info level.navgrid --json {arguments}"));
        let regions = json(&done)["regions"].as_array().unwrap().clone();
        let names = regions.iter().map(|region| region["agent"].as_str().unwrap().to_owned());
        let mut names: Vec<String> = names.collect();
        names.dedup();
        names
    };
    assert_eq!(agents("--regions"), ["human", "child"]);
    assert_eq!(agents("--regions --agent child"), ["child"]);
    let check = |arguments: &str, words: &[&str]| room.run("surefoot", arguments).failed(words);
    check(
        "info level.navgrid --regions --agent giant",
        &["level.navgrid", "giant", "it has \"human\""],
    );
    check("info level.navgrid --agent child", &["--regions"]);
}

#[test]
fn misuse_is_refused_in_one_line() {
    let room = baked();
    let grid = room.read("level.navgrid");
    room.write("cut.navgrid", &grid[..grid.len() - 7]);
    let check = |arguments: &str, words: &[&str]| room.run("surefoot", arguments).failed(words);
    check("info gone.navgrid", &["gone.navgrid: no such file; make one from a scene with `bake`"]);
    check("info .", &["folder"]);
    check("info level.gltf", &["level.gltf: this is not a .navgrid file", "`bake level.gltf`"]);
    check("info level.bin", &["level.bin: this is not a .navgrid file"]);
    check("info cut.navgrid", &["cut.navgrid", "header"]);
    check("why cut.navgrid --agent human --at 0,0,0", &["cut.navgrid"]);
    check(
        "why level.navgrid --agent giant --at 0,0,0",
        &["level.navgrid", "giant", "it has \"human\""],
    );
    check("why level.navgrid --agent human --at 0", &["expected x,y,z or x,z, but found 1 number"]);
    check("why level.navgrid --agent human --at 0,0,x", &["\"x\" is not a number"]);
    check("why level.navgrid --agent human", &["--at"]);
    check("why level.navgrid --agent human --from 0,0,0", &["--to"]);
    check("why level.navgrid --agent human --at 0,0,0 --from 0,0,0 --to 0,0,1", &["--at"]);
    check("where level.navgrid", &["where"]);
}

#[test]
fn damaged_grids_are_refused_in_one_line() {
    let room = baked();
    let grid = room.read("level.navgrid");
    for at in (0..grid.len()).step_by(grid.len() / 40) {
        let mut damaged = grid.clone();
        damaged[at] ^= 0x55;
        room.write("damaged.navgrid", damaged);
        room.run("surefoot", "info damaged.navgrid").failed(&["damaged.navgrid"]);
    }
}
