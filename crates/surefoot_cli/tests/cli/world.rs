//! `surefoot world`: tiles that are planned, baked in any order, killed and repeated, and merged.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::room::{Done, Room, has_keys};

/// Small cells and bodies, so that the level has many tiles; one of them jumps.
const HOW: &str = "--agent mouse:radius=0.1,height=0.2,max_climb=0.05,jump_across=0.4 --agent human --cell-size 0.05";

fn world(room: &Room, arguments: &str) -> Done {
    room.run("surefoot", &format!("world {arguments}"))
}

/// Plans the level in tiles of 64 cells, and returns how many there are.
fn plan(room: &Room, how: &str) -> usize {
    let done = world(room, &format!("plan level.gltf --store tiles --tile-side 64 --json {how}"));
    assert_eq!(done.code, 0, "{}", done.err);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    has_keys(
        &report,
        "schema tiles tile_side tile_metres cell_size size agents most_bytes seconds planned",
    );
    assert!(done.err.contains("next     surefoot world tile --store "), "{}", done.err);
    report["tiles"].as_u64().unwrap() as usize
}

/// The files of tiles in the store.
fn tiles(room: &Room) -> Vec<PathBuf> {
    let entries = fs::read_dir(room.path("tiles/tiles")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn fails(done: &Done, code: i32, words: &str) {
    assert_eq!(done.code, code, "{}", done.err);
    assert!(done.err.contains(words), "{}", done.err);
    assert_eq!(done.err.lines().filter(|line| line.starts_with("error: ")).count(), 1);
}

#[test]
fn tiles_merge_to_the_bytes_of_one_bake() {
    let room = Room::new();
    room.bake(&format!("{HOW} --routes -o whole.navgrid"));
    let count = plan(&room, HOW);
    assert!(count > 4, "{count}");
    let status = world(&room, "status --store tiles");
    assert_eq!(status.code, 1);
    let expected = format!("missing  0-{}", count - 1);
    assert!(status.out.contains(&expected), "{}", status.out);
    fails(&world(&room, "merge --store tiles"), 2, "tiles are not baked yet");
    fails(&world(&room, "seams --store tiles --index 1"), 75, "tile 1 is not baked yet");

    // From the last to the first, by what a scheduler says, several with one index.
    for job in (0..count.div_ceil(3)).rev() {
        let arguments = "world tile --store tiles --per-job 3 --threads 1";
        let mut command = room.command("surefoot", arguments);
        let variable = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"][job % 2];
        let output = command.env(variable, job.to_string()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let again = world(&room, "tile --store tiles --index 0");
    assert_eq!((again.code, again.err.trim()), (0, "tile 0 is in the store already"));
    assert_eq!(world(&room, "status --store tiles").code, 0);
    let done = world(&room, "merge --store tiles -o merged.navgrid --routes --json");
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(room.read("merged.navgrid"), room.read("whole.navgrid"));
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["output"], "merged.navgrid");

    let seams = world(&room, "seams --store tiles --index 1");
    assert_eq!(seams.code, 0, "{}", seams.err);
    assert!(seams.err.contains("borders of tile 1: computed in"), "{}", seams.err);
    let seams = world(&room, "seams --store tiles --index 1");
    assert!(seams.err.contains("in the store already"), "{}", seams.err);
}

#[test]
fn seams_wait_for_the_tiles_whose_links_lead_there() {
    let room = Room::new();
    let count = plan(&room, HOW);
    assert!(count > 4, "{count}");
    let done = world(&room, "tile --store tiles --index 1 --threads 1");
    assert_eq!(done.code, 0, "{}", done.err);
    fails(&world(&room, "seams --store tiles --index 1"), 75, "tile 0 is not baked yet");
    for index in (0..count).filter(|&index| index != 1) {
        let done = world(&room, &format!("tile --store tiles --index {index} --threads 1"));
        assert_eq!(done.code, 0, "{}", done.err);
    }
    let done = world(&room, "seams --store tiles --index 1");
    assert_eq!(done.code, 0, "{}", done.err);
    let done = world(&room, "merge --store tiles --pack -o packed.navworld");
    assert_eq!(done.code, 0, "{}", done.err);
}

#[test]
fn a_change_bakes_only_the_tiles_that_see_it() {
    let room = Room::new();
    let how = HOW.replace("jump_across=0.4", "jump_across=0");
    let bake = format!("bake level.gltf --store tiles --tile-side 64 -o merged.navgrid {how}");
    let first = world(&room, &bake);
    assert_eq!(first.code, 0, "{}", first.err);
    let before = tiles(&room).len();
    assert!(first.err.contains(&format!("tiles    {before}, of which {before} were baked")));
    let same = world(&room, &bake);
    assert!(same.err.contains(", of which 0 were baked"), "{}", same.err);

    let mut scene: Value = serde_json::from_slice(&room.read("level.gltf")).unwrap();
    let nodes = scene["nodes"].as_array_mut().unwrap();
    let node = nodes.iter_mut().find(|node| node["name"] == "Crate").unwrap();
    node["translation"][0] = 2.5.into();
    room.write("level.gltf", format!("{scene:#}"));
    // Jobs of the plan before do not mix the two.
    fs::remove_file(&tiles(&room)[0]).unwrap();
    let stale: Vec<Done> =
        (0..before).map(|at| world(&room, &format!("tile --store tiles --index {at}"))).collect();
    let refused = stale.iter().filter(|done| done.err.contains("changed since it was planned"));
    let baked = stale.iter().filter(|done| done.err.contains(" spans, "));
    assert_eq!(refused.count() + baked.count(), 1);

    let changed = world(&room, &bake);
    assert_eq!(changed.code, 0, "{}", changed.err);
    let words = format!("tiles    {before}, of which ");
    let line = changed.err.lines().find(|line| line.starts_with(&words)).expect("a line");
    let baked = line[words.len()..].split(' ').next().expect("a number");
    let baked: usize = baked.parse().expect("a number");
    assert!(0 < baked && baked < before, "{line}");
    room.bake(&format!("{how} -o whole.navgrid"));
    assert_eq!(room.read("merged.navgrid"), room.read("whole.navgrid"));
    let status = world(&room, "status --store tiles");
    assert!(status.out.contains("files of other plans"), "{}", status.out);
}

#[test]
fn jobs_that_are_killed_and_doubled_do_no_harm() {
    let room = Room::new();
    room.bake(&format!("{HOW} -o whole.navgrid"));
    let count = plan(&room, HOW);
    let job = format!("world tile --store tiles --index 0 --per-job {count} --again --quiet");
    for delay in [10, 40, 70, 100] {
        let mut child = room.command("surefoot", &job).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut both = [0, 1].map(|_| room.command("surefoot", &job).spawn().unwrap());
    for child in &mut both {
        assert!(child.wait().unwrap().success());
    }
    let done = world(&room, "merge --store tiles -o merged.navgrid");
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(room.read("merged.navgrid"), room.read("whole.navgrid"));
    assert_eq!(world(&room, "verify --store tiles --count 3").code, 0);
}

#[test]
fn damaged_and_mixed_up_tiles_are_found() {
    let room = Room::new();
    let bake = format!("bake level.gltf --store tiles --tile-side 64 -o merged.navgrid {HOW}");
    assert_eq!(world(&room, &bake).code, 0);
    let files = tiles(&room);
    let bytes = fs::read(&files[1]).unwrap();
    fs::write(&files[1], &bytes[..bytes.len() / 2]).unwrap();
    fails(&world(&room, "merge --store tiles -o m.navgrid"), 2, "bake it again with --again");
    let count = files.len();
    let verify = world(&room, &format!("verify --store tiles --count {count}"));
    assert_eq!(verify.code, 1, "{}", verify.err);
    assert_eq!(verify.err.matches("it is not what a new bake gives").count(), 1);
    fs::copy(&files[0], &files[1]).unwrap();
    fails(&world(&room, "merge --store tiles -o m.navgrid"), 2, "it is another tile");
    let status = world(&room, "status --store tiles --json");
    let status: Value = serde_json::from_str(&status.out).unwrap();
    has_keys(&status, "schema tiles baked missing bytes others seconds_left");
    let again = world(&room, &format!("tile --store tiles --index 0 --per-job {count} --again"));
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(world(&room, "merge --store tiles -o m.navgrid").code, 0);
    assert_eq!(room.read("m.navgrid"), room.read("merged.navgrid"));
}

/// Writes a world of two levels on a height file, and returns its settings.
fn write_world(room: &Room) {
    let heights: Vec<u8> =
        (0..33 * 33u32).flat_map(|at| (0.02 * (at % 33) as f32).to_le_bytes()).collect();
    room.write("heights.f32", heights);
    room.write(
        "world.toml",
        "[bake]\ncell_size = 0.25\nagents = [{ name = 'human' }]\n\
         [[terrain]]\nfile = 'heights.f32'\nsize = [33, 33]\nspacing = 1\norigin = [-16, -0.5, -16]\n\
         [[scenes]]\nfile = 'level.gltf'\nplaces = [[0, 0, 0], [9, 0.5, 4, 30]]\n",
    );
}

#[test]
fn worlds_of_scenes_and_heights_are_baked_packed_and_merged() {
    let room = Room::new();
    write_world(&room);
    let bake = room.run("bake", "world.toml --json");
    assert_eq!(bake.code, 0, "{}", bake.err);
    let report: Value = serde_json::from_str(&bake.out).unwrap();
    assert_eq!(report["outputs"]["grid"], "world.navgrid");
    let done = world(&room, "bake world.toml --store tiles --tile-side 64 -o merged.navgrid");
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(room.read("merged.navgrid"), room.read("world.navgrid"));
    let packed = world(&room, "merge --store tiles --pack -o packed.navworld --json");
    assert_eq!(packed.code, 0, "{}", packed.err);
    let report: Value = serde_json::from_str(&packed.out).unwrap();
    let keys = "schema tiles bytes links link_problems dropped_regions output wall_ms";
    has_keys(&report, keys);
    assert_eq!(report["bytes"], room.read("packed.navworld").len());
    let again = world(&room, "merge --store tiles --pack -o again.navworld --threads 1");
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(room.read("again.navworld"), room.read("packed.navworld"));

    let heights = "heights.f32 --samples 33,33 --spacing 1 --cell-size 0.5 --agent human";
    let done = room.run("bake", &format!("{heights} -o ground.navgrid"));
    assert_eq!(done.code, 0, "{}", done.err);
    fails(&room.run("bake", "heights.f32 --spacing 1 -o g.navgrid"), 2, "heights.f32");
    fails(&room.run("bake", "heights.f32 --samples 33,34 --spacing 1"), 2, "heights.f32");
    let ground = "[[terrain]]\nfile = 'heights.f32'\nsize = [33, 33]\nspacing = 1\n";
    room.write("world.toml", format!("[bake]\ncell = 1\n{ground}"));
    fails(&room.run("bake", "world.toml"), 2, "world.toml: [bake]");
    room.write("world.toml", "[[scenes]]\nplaces = []\n");
    fails(&room.run("bake", "world.toml"), 2, "world.toml");
}

#[test]
fn a_packed_world_says_what_became_of_links_and_small_regions() {
    let room = Room::new();
    let link = |name: &str, y: f32| {
        format!("[[links]]\nname = '{name}'\nfrom = [-3, 0, -3]\nto = [3, {y}, 3]\nkind = 'jump'\n")
    };
    let links = [link("gap", 0.0), link("nowhere", 70.0)].concat();
    room.write("bake.toml", format!("min_region_area = 1\n{links}"));
    let done = world(&room, "bake level.gltf --store tiles --config bake.toml --pack");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("links    2 of the author"), "{}", done.err);
    assert!(
        done.err.contains("warning  nowhere: agent human cannot take this link"),
        "{}",
        done.err
    );
    let info = room.run("surefoot", "info level.navworld");
    assert!(info.out.contains("link      gap: jump from [-3.0, 0.0, -3.0]"), "{}", info.out);
    let info = room.run("surefoot", "info level.navworld --json");
    let info: Value = serde_json::from_str(&info.out).unwrap();
    has_keys(&info["links"][0], "id name kind generated two_way cost from to widths agents");
    assert_eq!(info["links"].as_array().unwrap().len(), 2);
}

#[test]
fn misuse_says_what_to_do() {
    let room = Room::new();
    fails(&world(&room, "status --store tiles"), 2, "plan a world with `surefoot world plan`");
    fails(&world(&room, "plan absent.glb --store tiles"), 2, "absent.glb");
    fails(&world(&room, "plan level.gltf --store level.gltf"), 2, "the folder of the store");
    fails(&world(&room, "plan level.gltf --store tiles --cell-size 0"), 2, "cell size is 0 m");
    fails(&world(&room, "plan level.gltf --store tiles --tile-side 0"), 2, "--tile-side");
    let count = plan(&room, "--agent human --cell-size 0.1");
    fails(&world(&room, "tile --store tiles"), 2, "no --index is given");
    let words = format!("there is no tile {count}");
    fails(&world(&room, &format!("tile --store tiles --index {count}")), 2, &words);
    let mut command = room.command("surefoot", "world tile --store tiles");
    let output = command.env("SLURM_ARRAY_TASK_ID", "seven").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    room.write("tiles/plan.json", "{\"version\": 99}");
    fails(&world(&room, "status --store tiles"), 2, "plan.json has version 99");
    room.write("tiles/plan.json", "{\"version");
    fails(&world(&room, "status --store tiles"), 2, "plan.json is damaged");
}
