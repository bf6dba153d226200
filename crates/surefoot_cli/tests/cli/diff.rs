//! `surefoot diff`: what changed from one grid to another.

use serde_json::{Value, json};
use surefoot::grid::SpanId;
use surefoot::{AgentId, NavGrid};

use super::room::{Done, Room, has_keys};

const HOW: &str = "--agent human --cell-size 0.25";

/// Changes the nodes of the level in the text of its file.
fn change_level(room: &Room, change: impl Fn(&mut [Value])) {
    let mut scene: Value = serde_json::from_slice(&room.read("level.gltf")).unwrap();
    change(scene["nodes"].as_array_mut().unwrap());
    room.write("level.gltf", format!("{scene:#}"));
}

fn node<'a>(nodes: &'a mut [Value], name: &str) -> &'a mut Value {
    nodes.iter_mut().find(|node| node["name"] == name).unwrap()
}

/// A room with the level as `old.navgrid` and as `new.navgrid` after a change.
fn changed(how: &str, change: impl Fn(&mut [Value])) -> Room {
    let room = Room::new();
    room.bake(&format!("{how} -o old.navgrid"));
    change_level(&room, change);
    room.bake(&format!("{how} -o new.navgrid"));
    room
}

fn move_crate(nodes: &mut [Value]) {
    node(nodes, "Crate")["translation"][0] = json!(-1.0);
}

fn json(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap()
}

fn diff(room: &Room, arguments: &str) -> Value {
    let done = room.run("surefoot", &format!("diff {arguments} --json"));
    assert!(done.code < 2, "{}", done.err);
    let report = json(&done);
    assert_eq!((done.code, &report["same"]), (done.code, &(done.code == 0).into()));
    report
}

/// Whether an agent can stand near a height at the center of a cell of a grid.
fn stands(grid: &NavGrid, agent: AgentId, [x, y, z]: [f32; 3]) -> bool {
    let Some(cell) = grid.column_at([x, y, z]) else { return false };
    let spans = grid.column_spans(cell).map(SpanId);
    let near = spans.filter(|span| (grid.spans()[span.index()].floor - y).abs() <= 0.05);
    near.into_iter().any(|span| grid.is_walkable(agent, span))
}

/// How much ground of a grid another does not have, found by asking for every span by itself. Right only
/// where no floor moved.
fn lost_by_brute_force(from: &NavGrid, to: &NavGrid, agent: &str) -> usize {
    let [own, other] = [from, to].map(|grid| grid.agent_id(agent).unwrap());
    let spans = (0..from.spans().len() as u32).map(SpanId);
    let ground = spans.filter(|&span| from.is_walkable(own, span));
    ground.filter(|&span| !stands(to, other, from.point(span).unwrap().into())).count()
}

#[test]
fn a_moved_crate_is_found_with_places_and_nodes() {
    let room = changed(HOW, move_crate);
    let report = diff(&room, "old.navgrid new.navgrid");
    has_keys(
        &report,
        "schema old new same_bytes same causes agents_lost agents_gained areas links agents unnoticed",
    );
    assert_eq!(report["same_bytes"], false);
    let colliders = &report["causes"]["colliders"];
    let mut lists = ["added", "removed"].iter().map(|list| colliders[list].as_array().unwrap());
    assert!(lists.all(|list| list.len() == 1), "{colliders}");
    let human = &report["agents"][0];
    has_keys(
        human,
        "agent body walkable_m2 gained lost moved transitions areas regions details paths",
    );
    let lost = &human["lost"]["clusters"][0];
    has_keys(lost, "number spans area_m2 at min max before after node words");
    assert_eq!((&lost["node"], &lost["before"]), (&"Crate".into(), &"walkable".into()));
    let gained = &human["gained"]["clusters"][0];
    assert_eq!((&gained["node"], &gained["after"]), (&"Crate".into(), &"walkable".into()));
    for (place, x) in [(lost, -1.0), (gained, 2.0)] {
        let at: Vec<f64> =
            place["at"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
        assert!((at[0] - x).abs() < 0.3 && (at[2] - 2.0).abs() < 0.3, "{at:?}");
    }

    let [old, new] =
        ["old", "new"].map(|name| NavGrid::load(room.path(&format!("{name}.navgrid"))));
    let (old, new) = (old.unwrap(), new.unwrap());
    let spans = |list: &str| human[list]["spans"].as_u64().unwrap() as usize;
    assert_eq!(spans("lost"), lost_by_brute_force(&old, &new, "human"));
    assert_eq!(spans("gained"), lost_by_brute_force(&new, &old, "human"));
    assert!(spans("lost") > 20);
    assert_eq!(human["lost"]["area_m2"].as_f64(), Some(spans("lost") as f64 / 16.0));

    let done = room.run("surefoot", "diff old.navgrid new.navgrid");
    assert_eq!(done.code, 1, "{}", done.err);
    for words in ["from old.navgrid to new.navgrid", "1 collider gone (x 1.5 to 2.5", "\"Crate\""] {
        assert!(done.out.contains(words), "no {words:?} in {}", done.out);
    }
}

#[test]
fn places_can_be_asked_about() {
    let room = changed(HOW, move_crate);
    let report = diff(&room, "old.navgrid new.navgrid");
    let lists = ["lost", "gained"].map(|list| &report["agents"][0][list]["clusters"]);
    for (list, [before, after]) in lists.into_iter().zip([[0, 1], [1, 0]]) {
        for place in list.as_array().unwrap() {
            let at = place["at"].as_array().unwrap();
            let at = at.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            let code = |grid: &str| {
                room.run("surefoot", &format!("why {grid}.navgrid --agent human --at {at}")).code
            };
            for (side, grid, expected) in [("before", "old", before), ("after", "new", after)] {
                // Where a floor is gone the point belongs to the next one below.
                if place[side] != "no_floor" {
                    assert_eq!(code(grid), expected, "{grid}: {place}");
                }
            }
        }
    }
}

#[test]
fn the_other_way_round_gained_is_lost() {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/two_storeys.glb");
    let room = Room::new();
    room.write("house.glb", std::fs::read(scene).unwrap());
    let bake = |how: &str| {
        let done = room.run("bake", &format!("house.glb --quiet --cell-size 0.25 {how}"));
        assert_eq!(done.code, 0, "{}", done.err);
    };
    bake("-o old.navgrid");
    bake("-o new.navgrid --ignore Stair");
    let there = diff(&room, "old.navgrid new.navgrid");
    let back = diff(&room, "new.navgrid old.navgrid");
    let agents = there["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 3);
    for (there, back) in agents.iter().zip(back["agents"].as_array().unwrap()) {
        for [one, other] in [["gained", "lost"], ["lost", "gained"]] {
            for key in ["spans", "places"] {
                assert_eq!(there[one][key], back[other][key], "{one} {key} of {}", there["agent"]);
            }
            let places = |agent: &Value, list: &str| -> Vec<Value> {
                let clusters = agent[list]["clusters"].as_array().unwrap().iter();
                clusters.map(|place| json!([place["at"], place["node"], place["spans"]])).collect()
            };
            assert_eq!(places(there, one), places(back, other));
        }
        assert_eq!(there["regions"]["split"], back["regions"]["joined"]);
        assert_eq!(there["regions"]["vanished"], back["regions"]["appeared"]);
        assert_eq!(there["paths"]["impossible"]["count"], back["paths"]["possible"]["count"]);
    }
    // Without stairs nobody comes upstairs.
    let human = &agents[1];
    assert_eq!(human["regions"]["split"].as_array().unwrap().len(), 1, "{human}");
    let path = &human["paths"]["impossible"]["paths"][0];
    let why = path["why"].as_str().unwrap();
    assert!(why.contains("in the way"), "{why}");
    let place = |key: &str| {
        let numbers = path[key].as_array().unwrap().iter();
        numbers.map(ToString::to_string).collect::<Vec<_>>().join(",")
    };
    let (from, to) = (place("from"), place("to"));
    let code = |grid: &str| {
        let path = format!("path {grid}.navgrid --agent human --from {from} --to {to}");
        room.run("surefoot", &path).code
    };
    assert_eq!([code("old"), code("new")], [0, 1]);
    let text = room.run("surefoot", "diff old.navgrid new.navgrid --agent human").out;
    assert!(text.contains("fell apart: ") && text.contains("impossible now: --from"), "{text}");
}

#[test]
fn equal_grids_end_with_0() {
    let room = Room::new();
    room.bake(&format!("{HOW} -o old.navgrid"));
    let done = room.run("surefoot", "diff old.navgrid old.navgrid");
    let same = "The grids are the same: no agent notices a difference.\n";
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, same, ""));
    // Prepared routes are more bytes, and no other ground.
    room.bake(&format!("{HOW} --routes -o new.navgrid"));
    let done = room.run("surefoot", "diff old.navgrid new.navgrid");
    assert_eq!(done.code, 0, "{}", done.out);
    for words in [same, "only the new grid has prepared routes for human", "the bytes of the files"]
    {
        assert!(done.out.contains(words), "no {words:?} in {}", done.out);
    }
    let report = diff(&room, "old.navgrid new.navgrid");
    assert_eq!((&report["same"], &report["same_bytes"]), (&true.into(), &false.into()));
    assert_eq!(report["agents"][0]["paths"], Value::Null);
    // Something changed in the scene that no agent notices.
    change_level(&room, |nodes| node(nodes, "Sheet")["translation"][1] = json!(4.0));
    room.bake(&format!("{HOW} -o new.navgrid"));
    let done = room.run("surefoot", "diff old.navgrid new.navgrid");
    assert!(done.out.contains("other headroom: "), "{}", done.out);
}

#[test]
fn links_are_compared() {
    let link = |name: &str, at: f32| {
        format!(
            "[[links]]\nname = \"{name}\"\nfrom = [{at}, 0.0, -1.0]\nto = [{at}, 0.0, 1.0]\nkind = \"jump\"\n"
        )
    };
    let room = Room::new();
    room.write("old.toml", link("Gap", 0.0) + &link("Gone", 1.0));
    room.write("new.toml", link("Gap", 0.0) + "cost = 7.5\n" + &link("Added", -1.0));
    for name in ["old", "new"] {
        room.bake(&format!("{HOW} --config {name}.toml -o {name}.navgrid"));
    }
    let links = &diff(&room, "old.navgrid new.navgrid")["links"];
    let names = |list: &str| -> Vec<Value> {
        links[list]["links"].as_array().unwrap().iter().map(|link| link["name"].clone()).collect()
    };
    assert_eq!(
        (names("gained"), names("lost"), names("changed")),
        (vec![json!("Added")], vec![json!("Gone")], vec![json!("Gap")])
    );
    assert_eq!(links["changed"]["links"][0]["changes"], json!(["costs 7.5 instead of 2"]));
    assert_eq!(links["gained"]["kinds"], json!({"jump": 1}));
    let text = room.run("surefoot", "diff old.navgrid new.navgrid").out;
    assert!(
        text.contains("links     1 jump gained\n          \"Added\" (jump) from -1.00"),
        "{text}"
    );
}

#[test]
fn settings_areas_and_agents_are_compared() {
    let room = Room::new();
    room.bake(
        "--agent human --agent cart:radius=0.5 --cell-size 0.25 --area mud=Swamp:2 -o old.navgrid",
    );
    room.bake(
        "--agent human --agent dog:height=0.8 --cell-size 0.25 --area mud=Swamp:3 -o new.navgrid",
    );
    let report = diff(&room, "old.navgrid new.navgrid");
    assert_eq!(
        (&report["agents_lost"], &report["agents_gained"]),
        (&json!(["cart"]), &json!(["dog"]))
    );
    let mud = json!([{"name": "mud", "old": "a metre costs 2", "new": "a metre costs 3"}]);
    assert_eq!(report["areas"], mud);
    assert_eq!(report["agents"].as_array().unwrap().len(), 1);
    assert_eq!(report["causes"]["settings"][0]["name"], "marks.areas");
    let text = room.run("surefoot", "diff old.navgrid new.navgrid").out;
    for words in ["agent     cart: only in the old grid", "agent     dog: only in the new grid"] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    let only = |agent: &str| {
        room.run("surefoot", &format!("diff old.navgrid new.navgrid --agent {agent}"))
    };
    assert_eq!(only("human").code, 1);
    let files = "old.navgrid and new.navgrid: ";
    only("cart").failed(&[files, "only the old grid has an agent \"cart\"; both have \"human\""]);
    only("dog").failed(&[files, "only the new grid has an agent \"dog\""]);
    only("cat").failed(&[files, "neither grid has an agent \"cat\"; both have \"human\""]);
}

#[test]
fn grids_for_other_agents_have_no_picture_in_common() {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.25 -o old.navgrid");
    room.bake("--agent dog:height=0.8 --cell-size 0.25 -o new.navgrid");
    let done = room.run("surefoot", "diff old.navgrid new.navgrid");
    assert_eq!((done.code, done.out.lines().count()), (1, 3), "{}", done.out);
    let done = room.run("surefoot", "diff old.navgrid new.navgrid --png d.png");
    done.failed(&["the grids have no agent in common; leave out --png"]);
}

#[test]
fn grids_of_older_programs_can_be_compared() {
    let room = Room::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/format/fixtures");
    for name in ["v1", "v3"] {
        let file = std::fs::read(format!("{folder}/{name}.navgrid")).unwrap();
        room.write(&format!("{name}.navgrid"), file);
    }
    let done = room.run("surefoot", "diff v1.navgrid v3.navgrid");
    assert!(done.code < 2, "{}", done.err);
    let back = room.run("surefoot", "diff v3.navgrid v1.navgrid");
    assert_eq!(done.code, back.code, "{}", back.err);
}

#[test]
fn the_picture_and_the_report_are_the_same_every_time() {
    let room = changed(HOW, move_crate);
    let mut first: Option<(Vec<u8>, String)> = None;
    for _ in 0..2 {
        let done =
            room.run("surefoot", "diff old.navgrid new.navgrid --json --rectangles --png d.png");
        // Slow machines report progress.
        assert_eq!(done.code, 1, "{}", done.err);
        let found = (room.read("d.png"), done.out);
        assert_eq!(&found.0[1..4], b"PNG");
        if let Some(first) = &first {
            assert!(*first == found);
        }
        first = Some(found);
    }
    let report: Value = serde_json::from_str(&first.unwrap().1).unwrap();
    let place = &report["agents"][0]["lost"]["clusters"][0];
    let rectangles = place["rectangles"].as_array().unwrap();
    let area = |rectangle: &Value| {
        let side = |axis: usize| {
            rectangle["max"][axis].as_f64().unwrap() - rectangle["min"][axis].as_f64().unwrap()
        };
        side(0) * side(1)
    };
    assert_eq!(Some(rectangles.iter().map(area).sum::<f64>()), place["area_m2"].as_f64());
}

#[test]
fn numbers_of_places_and_paths_are_the_users() {
    let room = changed(HOW, move_crate);
    let report = diff(&room, "old.navgrid new.navgrid --most 0 --paths 7");
    let human = &report["agents"][0];
    assert_eq!((&human["lost"]["clusters"], &human["paths"]["sampled"]), (&json!([]), &7.into()));
    let all = diff(&room, &format!("old.navgrid new.navgrid --paths 1 --most {}", u64::MAX));
    let lost = &all["agents"][0]["lost"];
    let count = lost["clusters"].as_array().unwrap().len();
    assert_eq!(Some(count as u64), lost["places"].as_u64());
    assert_eq!(diff(&room, "old.navgrid new.navgrid --paths 0")["agents"][0]["paths"], Value::Null);
    let others = |percent: f32| {
        let report = diff(&room, &format!("old.navgrid new.navgrid --path-tolerance {percent}"));
        let paths = &report["agents"][0]["paths"];
        ["longer", "shorter"].map(|kind| paths[kind]["count"].as_u64().unwrap()).iter().sum::<u64>()
    };
    assert!(others(0.0) > others(60.0), "{} and {}", others(0.0), others(60.0));
    assert_eq!(others(1e6), 0);
}

#[test]
fn misuse_of_diff_is_refused_in_one_line() {
    let room = changed(HOW, move_crate);
    room.bake("--agent human --cell-size 0.5 -o coarse.navgrid");
    let grid = room.read("old.navgrid");
    room.write("cut.navgrid", &grid[..grid.len() / 2]);
    let check = |arguments: &str, words: &[&str]| {
        room.run("surefoot", &format!("diff {arguments}")).failed(words);
    };
    check("old.navgrid", &["<NEW>"]);
    check("gone.navgrid new.navgrid", &["gone.navgrid: no such file; make one from a scene"]);
    check("old.navgrid gone.navgrid", &["gone.navgrid: no such file"]);
    check(
        "level.gltf new.navgrid",
        &["level.gltf: this is not a .navgrid file", "`bake level.gltf`"],
    );
    check("old.navgrid cut.navgrid", &["cut.navgrid: "]);
    check("old.navgrid .", &["folder"]);
    let sizes = "the old grid has cells of 0.25 m, the new one of 0.5 m; bake both with the same";
    check("old.navgrid coarse.navgrid", &["old.navgrid and coarse.navgrid: ", sizes]);
    check("old.navgrid new.navgrid --png old.navgrid", &["replace the old grid", "--png"]);
    check("old.navgrid new.navgrid --png new.navgrid", &["replace the new grid", "--png"]);
    check("old.navgrid new.navgrid --png gone/d.png", &["gone", "--png"]);
    check("old.navgrid new.navgrid --most -1", &["--most"]);
    check("old.navgrid new.navgrid --paths many", &["many"]);
    check("old.navgrid new.navgrid --path-tolerance -3", &["at least 0"]);
    check("old.navgrid new.navgrid --rectangles", &["--json"]);
    room.run("surefoot", "diff old.navgrid coarse.navgrid --json").failed_as_json(&[sizes]);
    assert_eq!(room.read("old.navgrid"), grid);
}
