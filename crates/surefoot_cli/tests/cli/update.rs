//! `bake --update`: the grid of a scene that changed, from the grid before.

use serde_json::Value;

use super::room::{Room, has_keys};

/// Small cells and bodies, so that a crate touches a small part of the level.
const HOW: &str =
    "--agent mouse:radius=0.1,height=0.2,max_climb=0.05,jump_across=0.4 --cell-size 0.05";

/// Moves the crate of the level in the text of its file.
fn move_crate(room: &Room, x: f64) {
    let mut scene: Value = serde_json::from_slice(&room.read("level.gltf")).unwrap();
    let nodes = scene["nodes"].as_array_mut().unwrap();
    let node = nodes.iter_mut().find(|node| node["name"] == "Crate").unwrap();
    node["translation"][0] = x.into();
    room.write("level.gltf", format!("{scene:#}"));
}

#[test]
fn an_updated_grid_has_the_bytes_of_a_whole_bake() {
    let room = Room::new();
    room.bake(HOW);
    move_crate(&room, 2.5);
    let report = room.bake(&format!("{HOW} --update level.navgrid -o updated.navgrid"));
    let update = &report["update"];
    has_keys(update, "grid cells_baked cells colliders_added colliders_removed baked_whole");
    assert_eq!(update["grid"], "level.navgrid");
    assert_eq!((&update["colliders_added"], &update["colliders_removed"]), (&1.into(), &1.into()));
    assert!(update["baked_whole"].is_null(), "{update}");
    let [baked, cells] = ["cells_baked", "cells"].map(|key| update[key].as_u64().unwrap());
    assert!(0 < baked && 2 * baked < cells && cells == 160 * 160, "{update}");
    room.bake(&format!("{HOW} -o whole.navgrid"));
    assert_eq!(room.read("updated.navgrid"), room.read("whole.navgrid"));

    // In place, with prepared routes, and again when nothing changed.
    room.bake(&format!("{HOW} --update level.navgrid --routes"));
    room.bake(&format!("{HOW} --routes -o whole.navgrid"));
    assert_eq!(room.read("level.navgrid"), room.read("whole.navgrid"));
    let done = room.run("bake", &format!("level.gltf {HOW} --update level.navgrid"));
    assert_eq!(done.code, 0);
    let expected = "update   baked 0 of 25600 cells again; 0 colliders added, 0 removed\n";
    assert!(done.err.contains(expected), "{}", done.err);
    assert_eq!(room.read("level.navgrid"), room.read("updated.navgrid"));
}

#[test]
fn other_settings_bake_everything() {
    let room = Room::new();
    room.bake(HOW);
    let how = "--agent human --cell-size 0.25";
    let done = room.run("bake", &format!("level.gltf {how} --update level.navgrid"));
    assert_eq!(done.code, 0);
    let expected =
        "update   baked everything: the settings or marks are not those of the older grid";
    assert!(done.err.contains(expected), "{}", done.err);
    room.bake(&format!("{how} -o whole.navgrid"));
    assert_eq!(room.read("level.navgrid"), room.read("whole.navgrid"));
}

#[test]
fn what_cannot_be_updated_is_refused_and_stays() {
    let room = Room::new();
    room.bake(HOW);
    let check = |arguments: &str, words: &[&str]| {
        let before = room.names();
        room.run("bake", &format!("{arguments} {HOW} --quiet")).failed(words);
        assert_eq!(room.names(), before);
    };
    let advice = "gone.navgrid: no such file; bake the scene once without --update";
    check("level.gltf --update gone.navgrid", &[advice]);
    check("level.gltf --update level.gltf -o new.navgrid", &["level.gltf", "not a .navgrid"]);
    let mut damaged = room.read("level.navgrid");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    room.write("damaged.navgrid", &damaged);
    check("level.gltf --update damaged.navgrid", &["damaged.navgrid: ", "checksum"]);
    check("level.gltf --update damaged.navgrid -o damaged.navgrid", &["damaged.navgrid: "]);
    assert_eq!(room.read("damaged.navgrid"), damaged);
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/format/fixtures/v3.navgrid");
    room.write("old.navgrid", std::fs::read(old).unwrap());
    check("level.gltf --update old.navgrid", &["old.navgrid: ", "bake it anew once"]);
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/stairs.gltf");
    room.write("stairs.gltf", std::fs::read(other).unwrap());
    check(
        "stairs.gltf --update level.navgrid",
        &["level.navgrid: ", "another scene", "\"level.gltf\"", "\"stairs.gltf\""],
    );
    // The grid to update may be replaced, but not by the pictures' folder or the scene.
    check("level.gltf --update level.navgrid -o level.gltf", &["would replace the scene"]);
}
