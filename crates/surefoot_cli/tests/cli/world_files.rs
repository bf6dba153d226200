//! `surefoot info`, and questions that are asked of a `.navworld` file.

use serde_json::Value;
use surefoot::far::{BorderRules, TileBorder, TileBorders};
use surefoot::grid::GridTile;
use surefoot::world::{TilePlace, WorldInfo, WorldWriter};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid};

use super::room::{Done, Room, has_keys};

/// A room with the level baked whole, and packed as a world of tiles of 64 cells of 0.05 m.
fn packed() -> Room {
    let room = Room::new();
    let how = "--agent human --cell-size 0.05";
    room.bake(&format!("{how} -o whole.navgrid"));
    let bake = format!("world bake level.gltf --store tiles --tile-side 64 {how} --pack");
    let done = room.run("surefoot", &bake);
    assert_eq!(done.code, 0, "{}", done.err);
    room
}

fn json(done: &Done) -> Value {
    assert!(done.code < 2, "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn info_says_what_a_world_holds() {
    let room = packed();
    let done = room.run("surefoot", "info level.navworld --json");
    let info = json(&done);
    assert_eq!(done.code, 0);
    has_keys(&info, "schema path world agents areas links sections borders scene settings");
    let world = &info["world"];
    has_keys(
        world,
        "name version bytes cell_size size_x size_z bounds tile_side tiles stored_tiles tile_bytes spans \
         load_bytes",
    );
    let whole = NavGrid::load(room.path("whole.navgrid")).unwrap();
    let frame = whole.frame();
    assert_eq!(world["size_x"], frame.size_x);
    assert_eq!(world["bytes"], room.read("level.navworld").len());
    assert_eq!(world["tile_side"], 64);
    assert_eq!(world["version"], 1);
    let tiles = u64::from(frame.size_x.div_ceil(64).pow(2));
    assert!(world["tiles"].as_u64().unwrap() >= tiles, "{world}");
    assert!(world["spans"].as_u64().unwrap() > whole.spans().len() as u64, "{world}");
    let sections: u64 = info["sections"].as_array().unwrap().iter().map(bytes).sum();
    assert!(sections + world["tile_bytes"].as_u64().unwrap() < world["bytes"].as_u64().unwrap());
    assert!(info["borders"][0]["gates"].as_u64().unwrap() > 0, "{info}");
    assert!(bytes(&info["borders"][0]) > 0);
    let baked = json(&room.run("surefoot", "info whole.navgrid --json"));
    assert_eq!(info["scene"], baked["scene"]);
    assert_eq!(info["settings"]["agents"], baked["settings"]["agents"]);

    let done = room.run("surefoot", "info level.navworld");
    let (size_x, size_z) = (frame.size_x, frame.size_z);
    let extent = format!("{size_x} x {size_z} cells of 0.05 m");
    for words in [&extent, "human: radius 0.3", "BORD ", "gates between tiles", "walkable: a metre"]
    {
        assert!(done.out.contains(words), "no {words:?} in {}", done.out);
    }
}

fn bytes(value: &Value) -> u64 {
    value["bytes"].as_u64().unwrap()
}

#[test]
fn worlds_are_asked_like_the_grid_of_their_tiles() {
    let room = packed();
    for command in [
        "why FILE --at 1.4,0,2",
        "why FILE --from 0,0,0 --to 2,1,2",
        "path FILE --from=-1,0,0 --to 3,0,3",
        "path FILE --from 2,0,3 --to 3,0,1 --rect 0.02,-0.52,4,4 --directions 4",
        "info FILE --rect=-2,-2,2,2",
    ] {
        let [grid, world] = ["whole.navgrid", "level.navworld"]
            .map(|file| room.run("surefoot", &command.replace("FILE", file)));
        assert_eq!(grid.code, world.code, "{command}: {} {}", grid.err, world.err);
        let untimed = |done: &Done| {
            let lines = done.out.lines().map(|line| line.split(" expanded in ").next().unwrap());
            let is_own = |line: &&str| !line.starts_with("file ") && !line.starts_with("setting ");
            lines.filter(is_own).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(untimed(&grid), untimed(&world), "{command}");
    }
    room.write("queries.txt", "0 0 0 3 0 3\n0 0 3 0\n");
    let ask =
        |file: &str| room.run("surefoot", &format!("paths {file} --queries queries.txt --json"));
    let costs = |done: &Done| -> Vec<Value> {
        let lines = done.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|answer| answer["cost"].clone()).collect()
    };
    assert_eq!(costs(&ask("whole.navgrid")), costs(&ask("level.navworld")));
}

#[test]
fn other_commands_take_a_part_of_a_world() {
    let room = packed();
    let rect = "--rect=-2,-3,3,3";
    let diff = room.run("surefoot", &format!("diff whole.navgrid level.navworld {rect}"));
    assert_eq!(diff.code, 0, "{}{}", diff.out, diff.err);
    let moved = room.run("surefoot", "diff whole.navgrid level.navworld --json");
    assert_eq!(json(&moved)["agents"][0]["lost"]["spans"], 0, "{}", moved.out);
    room.write(
        "checks.toml",
        "[[path]]\nagents = ['human']\nfrom = [-1, 0, 0]\nto = [2.5, 0, 0]\n",
    );
    let check = room.run("surefoot", &format!("check level.navworld checks.toml {rect}"));
    assert_eq!(check.code, 0, "{}{}", check.out, check.err);
    let view = room.run("surefoot", &format!("view level.navworld {rect} --export part.html"));
    assert_eq!(view.code, 0, "{}", view.err);
    assert!(room.path("part.html").exists());
    let run = format!("run level.navworld {rect} --count 3 --seconds 2 --quiet --json");
    let run = json(&room.run("surefoot", &run));
    assert_eq!(run["agents"], 3, "{run}");

    room.run("surefoot", "path level.navworld --from 0,0,0 --to 1,0,1 --rect 50,50,60,60")
        .failed(&["level.navworld", "--rect", "no tile there", "it lies from"]);
    room.run("surefoot", "info whole.navgrid --rect 50,50,60,60")
        .failed(&["whole.navgrid: --rect"]);
    room.run("surefoot", "info level.navworld --rect 3,0,2,1").failed(&["x0 must be less than x1"]);
    room.run("surefoot", "view level.gltf --rect 0,0,1,1")
        .failed(&["--rect: a scene is baked whole"]);
    let mut bytes = room.read("level.navworld");
    bytes.truncate(bytes.len() - 9);
    room.write("cut.navworld", &bytes);
    for command in ["info cut.navworld", "why cut.navworld --at 0,0,0"] {
        room.run("surefoot", command).failed(&["cut.navworld: trailer", "is the file cut off?"]);
    }
    let update = room.run("bake", "level.gltf --quiet --update level.navworld -o new.navgrid");
    update.failed(&["level.navworld: this is a world of tiles", "surefoot world merge"]);
}

#[test]
fn regions_of_a_world_are_those_of_its_grid() {
    let room = packed();
    let of = |file: &str| json(&room.run("surefoot", &format!("info {file} --regions --json")));
    let (world, whole) = (of("level.navworld"), of("whole.navgrid"));
    let places = |report: &Value| -> Vec<Value> {
        let regions = report["regions"].as_array().expect("regions").iter();
        // Where there is most room is found tile by tile.
        let keys = ["agent", "spans", "area_m2", "min", "max"];
        regions.map(|region| keys.iter().map(|key| region[key].clone()).collect()).collect()
    };
    assert!(!places(&whole).is_empty());
    assert_eq!(places(&world), places(&whole));
    let text = room.run("surefoot", "info level.navworld --regions").out;
    assert_eq!(
        text.lines().filter(|line| line.starts_with("region ")).count(),
        places(&world).len()
    );
    let agent = world["regions"][0]["agent"].as_str().unwrap();
    let of_one = of(&format!("level.navworld --agent {agent}"));
    let all = world["regions"].as_array().unwrap().iter();
    let those: Vec<&Value> = all.filter(|region| region["agent"] == agent).collect();
    assert_eq!(of_one["regions"].as_array().unwrap().iter().collect::<Vec<_>>(), those);
    room.run("surefoot", "info level.navworld --regions --agent giant").failed(&["giant"]);
    write_wide(&room);
    room.run("surefoot", "info wide.navworld --regions").failed(&["does not have its regions"]);
}

#[test]
fn far_paths_cost_what_paths_do() {
    let room = packed();
    let ask = "path level.navworld --from=-1,0 --to 3,0,3 --json";
    let far = room.run("surefoot", &format!("{ask} --far"));
    let report = json(&far);
    assert_eq!(far.code, 0);
    has_keys(
        &report,
        "schema outcome cost least_length crossings gates links regions_m2 engine expanded micros",
    );
    assert_eq!((&report["outcome"], &report["engine"]), (&"complete".into(), &"far".into()));
    let number = |report: &Value, key: &str| report[key].as_f64().unwrap();
    let near = json(&room.run("surefoot", ask));
    let (cost, least) = (number(&report, "cost"), number(&near, "cost"));
    assert!(least <= cost + 1e-3 && cost < 1.3 * least, "{cost} for {least}");
    assert!(number(&report, "least_length") <= cost + 1e-3, "{report}");
    let crossings = report["crossings"].as_u64().unwrap();
    assert!(crossings > 0);
    assert_eq!(report["gates"].as_array().unwrap().len() as u64, 2 * crossings);
    let text = room.run("surefoot", &ask.replace("--json", "--far")).out;
    assert!(text.starts_with("Complete: at least "), "{text}");
    assert_eq!(text.lines().count() as u64, 1 + 2 * crossings);

    let onto_crate = room.run("surefoot", "path level.navworld --far --from 0,0 --to 2,1,2 --json");
    assert_eq!((onto_crate.code, &json(&onto_crate)["outcome"]), (1, &"unreachable".into()));
    let areas = json(&onto_crate)["regions_m2"].as_array().expect("areas").clone();
    assert!(areas[0].as_f64() > areas[1].as_f64() && areas[1].as_f64() > Some(0.0), "{areas:?}");
    let text = room.run("surefoot", "path level.navworld --far --from 0,0 --to 2,1,2").out;
    assert!(text.contains("m² of ground are joined with --from, "), "{text}");
    let outside = room.run("surefoot", "path level.navworld --far --from 0,0 --to 90,0,90 --json");
    assert_eq!((outside.code, &json(&outside)["outcome"]), (1, &"goal_off_grid".into()));
    room.run("surefoot", "path level.navworld --far --from 0,0 --to 1,1 --weight 2")
        .failed(&["--weight has no meaning for far paths"]);
    room.run("surefoot", "path whole.navgrid --far --from 0,0 --to 1,1")
        .failed(&["leave out --far"]);
}

/// Writes a world of two tiles of level ground and of one so far away that no grid can have all of them.
fn write_wide(room: &Room) {
    let side = 1 << 15;
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: side, size_z: side };
    let endless = WorldInfo::endless(0.5, 16, vec![Agent::new("human")]);
    let info = WorldInfo { name: "wide".to_owned(), frame, ..endless };
    let last = side as i32 / 16 - 1;
    let places = [TilePlace::new(0, 0), TilePlace::new(1, 0), TilePlace::new(last, last)];
    let mut writer = WorldWriter::create(room.path("wide.navworld"), info.clone()).unwrap();
    let mut borders = Vec::new();
    let rules = BorderRules::with_spacing(4);
    for place in writer.order().filter(|place| places.contains(place)).collect::<Vec<_>>() {
        let cells = info.cells_of(place).grown(1).overlap(&frame);
        let tile = NavGrid::from_heights(cells, &vec![0.0; cells.cells()], &info.agents).unwrap();
        writer.tile(place, &tile).unwrap();
        let own = GridTile { own: info.cells_of(place), grid: &tile };
        let border = TileBorder::find(&own, AgentId(0), &[], &rules).unwrap();
        borders.push(TileBorders { rules, agents: vec![border] });
    }
    writer.borders(&borders).unwrap();
    writer.finish().unwrap();
}

#[test]
fn worlds_too_large_for_memory_are_asked_in_parts() {
    let room = Room::new();
    write_wide(&room);
    let info = json(&room.run("surefoot", "info wide.navworld --json"));
    assert_eq!(info["world"]["tiles"], 3);
    assert!(info["world"]["stored_tiles"].as_u64().unwrap() <= 3);
    assert!(info["world"]["load_bytes"].as_u64().unwrap() > 1 << 30, "{info}");
    let words = ["wide.navworld", "name a part of it with --rect", "from (0, 0) to (16384, 16384)"];
    for command in ["why wide.navworld --at 1,0,1", "view wide.navworld --export wide.html"] {
        room.run("surefoot", command).failed(&words);
    }
    let path = "path wide.navworld --from 2,2 --to 14,5 --json";
    let far = json(&room.run("surefoot", path));
    assert_eq!((&far["engine"], &far["crossings"]), (&"far".into(), &1.into()));
    let near = json(&room.run("surefoot", &format!("{path} --rect 0,0,20,20")));
    assert_eq!(near["outcome"], "complete");
    assert!(near["cost"].as_f64() <= far["cost"].as_f64());
    room.run("surefoot", &format!("{path} --ascend-cost 3"))
        .failed_as_json(&["--ascend-cost", "--rect"]);
    let png = "path wide.navworld --from 2,2 --to 14,5 --png path.png";
    room.run("surefoot", png).failed(&["far paths know no --png", "--rect"]);
}
