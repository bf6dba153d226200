//! The options and the report of `bake`.

use serde_json::Value;
use surefoot::{AgentId, NavGrid};

use super::room::{Room, has_keys, keys, names, walkable};

const VERDICTS: &str = "too_steep low_ceiling obstacle ledge forbidden inside_solid small_region";

#[test]
fn json_has_the_promised_names() {
    let room = Room::new();
    let report = room.bake("");
    has_keys(
        &report,
        "schema scene grid agents update volumes dropped_regions stages wall_ms peak_bytes warnings \
         outputs",
    );
    has_keys(&report["scene"], "path hash triangles colliders skipped");
    has_keys(&report["grid"], "cell_size size_x size_z origin columns spans max_layers bytes hash");
    has_keys(&report["scene"]["skipped"][0], "node reason");
    has_keys(&report["outputs"], "grid pictures");
    assert!(report["update"].is_null());
    assert_eq!(report["grid"]["origin"].as_array().unwrap().len(), 3);
    let agents = report["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 3);
    for agent in agents {
        has_keys(
            agent,
            "name radius height max_climb slope_limit jump_up jump_across drop walkable_spans \
             walkable_area_m2 regions largest_region_m2 verdicts links",
        );
        has_keys(&agent["verdicts"], VERDICTS);
    }
    for stage in report["stages"].as_array().unwrap() {
        has_keys(stage, "name ms");
        assert!(stage["ms"].as_f64().unwrap() >= 0.0);
    }
}

#[test]
fn json_agrees_with_the_grid() {
    let room = Room::new();
    let report = room.bake("--agent human:slope_limit=30 --cell-size 0.25");
    assert_eq!(report["scene"]["path"], "level.gltf");
    assert_eq!(report["scene"]["colliders"], 4);
    assert_eq!(report["scene"]["skipped"][0]["node"], "Mist-noimp");
    let grid = &report["grid"];
    assert_eq!((&grid["size_x"], &grid["columns"]), (&32.into(), &1024.into()));
    assert_eq!(grid["origin"], serde_json::json!([-4.0, 0.0, -4.0]));
    let file = room.read("level.navgrid");
    assert_eq!(grid["bytes"], file.len());
    assert_eq!(grid["hash"], blake3::hash(&file).to_hex()[..32]);
    let agent = &report["agents"][0];
    assert_eq!(agent["slope_limit"].as_f64().unwrap() as f32, 30f32.to_radians());
    let verdicts = agent["verdicts"].as_object().unwrap();
    let refused: u64 = verdicts.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(walkable(&report, 0) + refused, grid["spans"].as_u64().unwrap());
    let stages = report["stages"].as_array().unwrap();
    assert_eq!(
        (&stages[0]["name"], &stages.last().unwrap()["name"]),
        (&"read".into(), &"write".into())
    );
    assert!(
        stages.iter().any(|stage| stage["name"] == "standing" && stage["ms"].as_f64() > Some(0.0))
    );
    assert_eq!(report["peak_bytes"].is_u64(), cfg!(target_os = "linux"));
}

#[test]
fn bake_writes_next_to_the_scene_and_reports_in_text() {
    let room = Room::new();
    let done = room.run("bake", "level.gltf");
    assert_eq!((done.code, done.out.as_str()), (0, ""));
    for words in ["level.navgrid", "Mist-noimp: ", "human", "surefoot info level.navgrid"] {
        assert!(done.err.contains(words), "no {words:?} in {}", done.err);
    }
    assert_eq!(room.names(), ["level.bin", "level.gltf", "level.navgrid"]);
    assert_eq!(room.run("bake", "level.gltf --quiet").err, "");
}

#[test]
fn each_option_does_what_it_says() {
    let room = Room::new();
    let agent = "--agent human";
    let plain = room.bake(agent);
    let cells = |report: &Value| report["grid"]["size_x"].as_u64().unwrap();
    assert_eq!(room.bake(&format!("{agent} --cell-size 0.5"))["grid"]["cell_size"], 0.5);
    assert_eq!(cells(&room.bake("--cell-size 0.5 --bounds -1,-2,1.5,2")), 5);
    assert_eq!(cells(&room.bake("--cell-size 0.5 --bounds=-1,-2,1.5,2")), 5);
    let ignored = room.bake(&format!("{agent} --ignore Cra* --ignore Swamp"));
    assert_eq!(ignored["scene"]["colliders"], 2);
    assert_eq!(ignored["agents"][0]["verdicts"]["inside_solid"], 0);
    let obstacle = room.bake(&format!("{agent} --obstacle Swamp"));
    assert!(walkable(&obstacle, 0) < walkable(&plain, 0));
    let two_sided = room.bake(&format!("{agent} --two-sided Sheet"));
    assert!(two_sided["grid"]["spans"].as_u64() > plain["grid"]["spans"].as_u64());
    let lava = room.bake(&format!("{agent} --area lava=Swamp:forbidden"));
    assert!(lava["agents"][0]["verdicts"]["forbidden"].as_u64() > Some(0));
    room.bake(&format!("{agent} --area mud=Swamp:2.5 --visual-meshes -o mud.navgrid"));
    let info = room.run("surefoot", "info mud.navgrid --json");
    let info: Value = serde_json::from_str(&info.out).unwrap();
    assert_eq!(info["areas"][1]["cost"], 2.5);
    let wide = room.bake("--agent wide:radius=1,height=2,max_climb=0,shape=box,ledge_margin=0.2");
    assert_eq!(wide["agents"][0]["name"], "wide");
}

#[test]
fn pictures_are_drawn_into_a_folder() {
    let room = Room::new();
    let report = room.bake("--agent human --cell-size 0.5 --png some/pictures");
    let pictures = report["outputs"]["pictures"].as_array().unwrap();
    assert_eq!(pictures.len(), names(&room.path("some/pictures")).len());
    for picture in pictures {
        let bytes = room.read(picture.as_str().unwrap());
        assert!(bytes.starts_with(b"\x89PNG"));
    }
    assert!(report["stages"].as_array().unwrap().iter().any(|stage| stage["name"] == "draw"));
}

#[test]
fn any_number_of_threads_makes_the_same_bytes() {
    let room = Room::new();
    let bytes = |threads| {
        room.bake(&format!("--cell-size 0.05 --threads {threads} -o {threads}"));
        room.read(threads)
    };
    let one = bytes("1");
    assert_eq!(one, bytes("2"));
    assert_eq!(one, bytes("8"));
}

/// Names of a report's stages.
fn stages(report: &Value) -> Vec<&str> {
    let stages = report["stages"].as_array().unwrap().iter();
    stages.map(|stage| stage["name"].as_str().unwrap()).collect()
}

#[test]
fn routes_are_prepared_on_request() {
    let room = Room::new();
    let plain = room.bake("--cell-size 0.1 -o plain");
    let report = room.bake("--cell-size 0.1 --routes");
    assert_eq!(keys(&report), keys(&plain));
    assert_eq!(report["agents"], plain["agents"]);
    let mut expected = stages(&plain);
    expected.insert(expected.len() - 1, "routes");
    assert_eq!(stages(&report), expected);
    let grid = NavGrid::load(room.path("level.navgrid")).unwrap();
    for agent in (0..3).map(AgentId) {
        let order = grid.order(agent).unwrap();
        assert_eq!(order.spans.len() as u64, walkable(&report, agent.index()));
        assert!(order.supernodes.len() > 3);
    }
    let mut parts = grid.into_parts();
    parts.layers.iter_mut().for_each(|layer| layer.order = None);
    assert_eq!(NavGrid::new(parts).unwrap().to_bytes().unwrap(), room.read("plain"));
    let said = room.run("bake", "level.gltf --routes --agent human").err;
    assert!(said.contains("preparing routes for human"), "{said}");
}

#[test]
fn any_number_of_threads_prepares_the_same_routes() {
    let room = Room::new();
    let bytes = |threads| {
        room.bake(&format!("--cell-size 0.05 --routes --threads {threads} -o {threads}"));
        room.read(threads)
    };
    let one = bytes("1");
    assert_eq!(one, bytes("2"));
    assert_eq!(one, bytes("3"));
}

const CONFIG: &str = r#"
output = "from_config.navgrid"
cell_size = 0.5
bounds = [-4, -4, 3, 4]
ignore = ["Crate"]
obstacle = ["Swamp"]
two_sided = ["Sheet"]
threads = 2
memory_limit = 1
routes = true
agents = [{ name = "human" }, { name = "cart", radius = 0.6, height = 1.2, slope_limit = 10, shape = "box" }]
areas = [{ name = "stone", nodes = "Ground", cost = 1.5 }]
"#;

const SAME_ON_THE_LINE: &str = "--cell-size 0.5 --bounds -4,-4,3,4 --ignore Crate \
    --obstacle Swamp --two-sided Sheet --threads 2 --memory-limit 1 --routes --agent human \
    --agent cart:radius=0.6,height=1.2,slope_limit=10,shape=box --area stone=Ground:1.5 -o line";

#[test]
fn a_config_file_says_the_same_as_the_command_line() {
    let room = Room::new();
    std::fs::create_dir(room.path("deep")).unwrap();
    room.write("deep/bake.toml", CONFIG);
    room.bake("--config deep/bake.toml");
    room.bake(SAME_ON_THE_LINE);
    // Paths in the file are relative to its folder.
    assert!(room.read("deep/from_config.navgrid") == room.read("line"));
}

#[test]
fn volumes_come_from_the_config_file() {
    let room = Room::new();
    let plain = room.bake("--agent human --cell-size 0.25");
    assert_eq!(plain["volumes"], serde_json::json!([]));
    room.write(
        "bake.toml",
        r#"
        volumes = [
            { name = "pit", box = { center = [0, 0.5, -3], size = [2, 1, 1], yaw = 90 }, forbidden = true },
            { name = "bog", sphere = { center = [0, 0, 2], radius = 1 }, area = "mud", cost = 3 },
            { name = "sky", prism = { points = [[0, 0], [1, 0], [0, 1]], bottom = 8, top = 9 }, clear = true },
        ]"#,
    );
    let report = room.bake("--agent human --cell-size 0.25 --config bake.toml");
    // In the order of names: 1 m by 2 m, and a circle of 1 m, in cells of 0.25 m.
    let volumes = report["volumes"].as_array().unwrap();
    volumes.iter().for_each(|volume| has_keys(volume, "name spans"));
    assert_eq!((&volumes[1]["name"], &volumes[1]["spans"]), (&"pit".into(), &32.into()));
    assert!((44..56).contains(&volumes[0]["spans"].as_u64().unwrap()), "{volumes:?}");
    assert_eq!((&volumes[2]["name"], &volumes[2]["spans"]), (&"sky".into(), &0.into()));
    assert_eq!(report["agents"][0]["verdicts"]["forbidden"], 32);
    let warning = &report["warnings"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(warning["node"], "sky");
    assert!(warning["message"].as_str().unwrap().contains("touches no floor"), "{warning}");
    let info = room.run("surefoot", "info level.navgrid --json").out;
    let info: Value = serde_json::from_str(&info).unwrap();
    assert_eq!(
        (&info["areas"][2]["name"], &info["areas"][2]["cost"]),
        (&"mud".into(), &3.0.into())
    );
    assert_eq!(info["settings"]["marks"]["volumes"][1]["name"], "bog");
    let text = room.run("bake", "level.gltf --agent human --config bake.toml").err;
    assert!(text.contains("volume   pit: ") && text.contains("warning  sky: "), "{text}");
    let why = room.run("surefoot", "why level.navgrid --at 0,0,-3").out;
    assert!(why.contains("Forbidden"), "{why}");
}

#[test]
fn volumes_that_make_no_sense_are_refused() {
    let room = Room::new();
    let refused = |volume: &str, words: &[&str]| {
        room.write("bake.toml", format!("volumes = [{{ name = 'v', {volume} }}]"));
        room.run("bake", "level.gltf --config bake.toml").failed(words);
        assert!(!room.names().contains(&"level.navgrid".to_owned()));
    };
    let sphere = "sphere = { center = [0, 0, 0], radius = 1 }";
    refused("clear = true", &["line 1", "needs one of box, sphere and prism"]);
    refused(sphere, &["bake.toml", "\"v\"", "give it an area, forbidden or clear"]);
    refused(&format!("{sphere}, colour = 'red'"), &["line 1", "unknown field `colour`"]);
    refused(&format!("{sphere}, area = 'mud', cost = 0"), &["its cost is 0"]);
    refused(
        "clear = true, sphere = { center = [0, 0, nan], radius = 1 }",
        &["its shape is invalid", "NaN"],
    );
    refused(
        "clear = true, prism = { points = [[0, 0], [1, 1], [1, 0], [0, 1]], bottom = 0, top = 1 }",
        &["crosses or touches itself"],
    );
}

#[test]
fn links_come_from_the_config_file() {
    let room = Room::new();
    let agent = "--agent human:ledge_margin=0 --cell-size 0.25 --config bake.toml";
    room.write(
        "bake.toml",
        r#"
        [[links]]
        name = "crate"
        from = [0, 0, 2]
        to = [2, 1, 2]
        kind = "climb"
        width = 0.5
        capacity = 2
        user_data = { key = "red" }

        [[links]]
        name = "lift"
        from = [0, 0, 0]
        to = [[2, 0, 0], [2, 1, 2]]
        moving = true

        [[links]]
        name = "nowhere"
        from = [0, 0, 0]
        to = [0, 50, 0]
        "#,
    );
    let report = room.bake(agent);
    let links = |kind: &str| {
        let links = report["agents"][0]["links"].as_array().unwrap().iter();
        let count = |link: &Value| (link["kind"] == kind).then(|| link["count"].as_u64());
        links.filter_map(count).flatten().sum::<u64>()
    };
    assert_eq!((links("climb"), links("authored")), (1, 2));
    let warning = &report["warnings"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(warning["node"], "nowhere");
    assert!(warning["message"].as_str().unwrap().contains("within 1.30 m of the end"), "{warning}");
    let info = room.run("surefoot", "info level.navgrid --json").out;
    let info: Value = serde_json::from_str(&info).unwrap();
    let marks = &info["settings"]["marks"]["links"];
    assert_eq!((&marks[0]["name"], &marks[2]["stop"]["number"]), (&"crate".into(), &1.into()));
    // The grid remembers its links, so that the scene can be loaded as it was baked.
    let path = room.run("surefoot", "path level.navgrid --from 0,0,2 --to 2,1,2");
    assert_eq!(path.code, 0, "{}", path.err);
    let why = "why level.navgrid --from 0,0,2 --to 2,1,2 --scene level.gltf";
    let why = room.run("surefoot", why);
    assert!(why.code < 2 && !why.err.contains("not the scene"), "{}{}", why.out, why.err);
}

#[test]
fn links_that_make_no_sense_are_refused() {
    let room = Room::new();
    let refused = |link: &str, words: &[&str]| {
        room.write("bake.toml", format!("links = [{{ name = 'x', from = [0, 0, 0], {link} }}]"));
        room.run("bake", "level.gltf --config bake.toml").failed(words);
        assert!(!room.names().contains(&"level.navgrid".to_owned()));
    };
    refused("to = [1, 0, 0], hue = 'red'", &["bake.toml: line 1", "unknown field `hue`"]);
    refused("to = [1, 0, nan]", &["bake.toml", "\"x\"", "NaN) is not a valid position"]);
    refused("to = [1, 0, 1e9]", &["\"x\"", "is not a valid position"]);
    refused("to = [1, 0, 0], width = -1", &["line 1", "link \"x\": its width is -1"]);
    refused("to = [1, 0, 0], cost = -1", &["\"x\"", "its cost must be a number of at least 0"]);
    refused("to = [[1, 0, 0]]", &["line 1", "only one that is moving has several stops"]);
    refused("to = 'door'", &["line 1", "expected a place [x, y, z], or a list"]);
    refused("to = [1, 0, 0], kind = 'hop'", &["line 1", "unknown variant `hop`"]);
}

#[test]
fn small_regions_are_dropped_on_request() {
    let room = Room::new();
    let plain = room.bake("--agent human:ledge_margin=0 --cell-size 0.25");
    assert_eq!(plain["dropped_regions"], serde_json::json!([]));
    // The crate's top is 1 m².
    let top = "--at 2.1,1,2.1";
    let agent = "--agent human:ledge_margin=0 --cell-size 0.25 --min-region-area 1.5";
    let report = room.bake(agent);
    let dropped = &report["dropped_regions"][0];
    has_keys(dropped, "agent regions spans");
    assert_eq!((&dropped["agent"], &dropped["regions"]), (&"human".into(), &1.into()));
    let spans = dropped["spans"].as_u64().unwrap();
    assert_eq!(report["agents"][0]["verdicts"]["small_region"], spans);
    assert_eq!(walkable(&report, 0) + spans, walkable(&plain, 0));
    let why = room.run("surefoot", &format!("why level.navgrid {top}"));
    assert!(why.out.contains("SmallRegion: human fits here"), "{}", why.out);
    let why = room.run("surefoot", &format!("why level.navgrid {top} --json"));
    assert!(why.out.contains("\"small_region\""), "{}", why.out);
    let text = room.run("bake", &format!("level.gltf {agent}")).err;
    let line = format!("dropped  human: {spans} spans in regions that are too small: 1\n");
    assert!(text.contains(&line), "{text}");
    room.write("bake.toml", "min_region_area = 1.5\ncell_size = 0.25");
    room.bake("--agent human:ledge_margin=0 --config bake.toml -o same.navgrid");
    assert!(room.read("same.navgrid") == room.read("level.navgrid"));
    room.run("bake", "level.gltf --min-region-area -1").failed(&["min_region_area is -1 m²"]);
}

#[test]
fn the_command_line_overrides_the_config_file() {
    let room = Room::new();
    room.write("bake.toml", CONFIG);
    let report = room.bake(
        "--config bake.toml --cell-size 0.25 --agent small --ignore Sheet --bounds 0,0,4,4 -o other",
    );
    assert_eq!(report["grid"]["cell_size"], 0.25);
    assert_eq!(
        (&report["agents"][0]["name"], report["agents"].as_array().unwrap().len()),
        (&"small".into(), 1)
    );
    assert_eq!(report["scene"]["colliders"], 3);
    assert_eq!(report["grid"]["size_x"], 16);
    assert_eq!(room.names(), ["bake.toml", "level.bin", "level.gltf", "other"]);
}

#[test]
fn the_exit_code_is_1_if_nothing_is_walkable() {
    let room = Room::new();
    let done = room.run("bake", "level.gltf --obstacle *");
    assert_eq!(done.code, 1);
    assert!(done.err.contains("walkable for any agent"), "{}", done.err);
    assert_eq!(room.run("surefoot", "info level.navgrid").code, 1);
}

#[test]
fn help_and_version_go_to_stdout() {
    let room = Room::new();
    let questions = ["info", "path", "paths", "run", "why"].map(|question| ("surefoot", question));
    for (program, question) in [("bake", ""), ("surefoot", "")].into_iter().chain(questions) {
        let help = room.run(program, &format!("{question} --help"));
        assert_eq!((help.code, help.err.as_str()), (0, ""));
        assert!(help.out.contains("Examples:") && help.out.contains("Exit codes:"), "{}", help.out);
    }
    let version = concat!(" ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(room.run("bake", "--version").out, "bake".to_owned() + version);
    assert_eq!(room.run("surefoot", "--version").out, "surefoot".to_owned() + version);
}
