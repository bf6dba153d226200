//! Output files: pipes and links stay, and no output replaces an input or another output.

use std::os::unix::fs::FileTypeExt;

use super::room::Room;

/// Commands with an option for a file to write, to be followed by its name.
const WRITERS: [&str; 7] = [
    "bake level.gltf --quiet --agent human --cell-size 0.25 -o",
    "surefoot path level.navgrid --agent human --from 0.5,0,2 --to 3.5,0,2 --png",
    "surefoot path level.navgrid --agent human --from 0.5,0,2 --to 3.5,0,2 --frames",
    "surefoot diff level.navgrid level.navgrid --html",
    "surefoot check level.navgrid checks.toml --report",
    "surefoot run level.navgrid --agent human --count 2 --seconds 5 --quiet --png",
    "surefoot run level.navgrid --agent human --count 2 --seconds 5 --quiet --csv",
];

/// A room with the level baked for a person.
fn baked() -> Room {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.25");
    room.write("checks.toml", "[[path]]\nfrom = [0.5, 2]\nto = [3.5, 2]\n");
    room
}

#[track_caller]
fn write(room: &Room, writer: &str, name: &str) {
    let (program, arguments) = writer.split_once(' ').unwrap();
    let done = room.run(program, &format!("{arguments} {name}"));
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{writer}");
}

#[test]
fn pipes_stay_and_are_written_to() {
    for writer in WRITERS {
        let room = baked();
        let reader = room.pipe("out");
        write(&room, writer, "out");
        let there = std::fs::symlink_metadata(room.path("out")).unwrap();
        assert!(there.file_type().is_fifo(), "{writer}");
        assert!(!reader.join().unwrap().is_empty(), "{writer}");
    }
}

#[test]
fn links_stay_and_their_files_are_written() {
    for writer in WRITERS {
        let room = baked();
        room.write("old", "old");
        room.link("old", "link");
        // A file that is not there as yet, by way of another link.
        room.link("new", "further");
        room.link("further", "far");
        for (link, file) in [("link", "old"), ("far", "new")] {
            write(&room, writer, link);
            assert!(room.path(link).is_symlink(), "{writer}");
            assert!(room.read(file).len() > 3, "{writer}");
        }
        assert!(room.path("further").is_symlink(), "{writer}");
    }
}

#[test]
fn pictures_keep_pipes_and_links() {
    let room = Room::new();
    std::fs::create_dir(room.path("pictures")).unwrap();
    let reader = room.pipe("pictures/overview.png");
    room.link("../storey.png", "pictures/human-storey-0.png");
    room.bake("--agent human --cell-size 0.5 --png pictures");
    let there = std::fs::symlink_metadata(room.path("pictures/overview.png")).unwrap();
    assert!(there.file_type().is_fifo());
    assert!(reader.join().unwrap().starts_with(b"\x89PNG"));
    assert!(room.path("pictures/human-storey-0.png").is_symlink());
    assert!(room.read("storey.png").starts_with(b"\x89PNG"));
}

#[test]
fn no_output_replaces_an_input() {
    let room = baked();
    room.write("bake.toml", "cell_size = 0.5\n");
    for (to, name) in [("level.gltf", "scene"), ("level.navgrid", "grid")] {
        room.link(to, name);
    }
    let before = ["level.gltf", "level.navgrid", "bake.toml"].map(|name| room.read(name));
    let bake = |arguments: &str, words: &[&str]| {
        room.run("bake", &format!("level.gltf --quiet {arguments}")).failed(words);
    };
    for own in ["level.gltf", "./level.gltf", "scene"] {
        bake(&format!("-o {own}"), &[own, "the scene; change --output"]);
    }
    bake("--config bake.toml -o bake.toml", &["bake.toml", "the configuration file"]);
    let ends = "level.navgrid --agent human --from 0,0,0 --to 1,0,0";
    let walk = "level.navgrid --agent human --count 2 --seconds 1 --scene level.gltf --quiet";
    for own in ["level.navgrid", "../level.navgrid", "grid"] {
        let own = own.replace("..", room.path("").to_str().unwrap());
        for option in ["--png", "--frames"] {
            room.run("surefoot", &format!("path {ends} {option} {own}")).failed(&[
                &own,
                "the grid; change ",
                option,
            ]);
        }
        for option in ["--png", "--csv"] {
            room.run("surefoot", &format!("run {walk} {option} {own}")).failed(&[
                &own,
                "the grid; change ",
                option,
            ]);
        }
    }
    room.run("surefoot", &format!("run {walk} --csv scene")).failed(&["the scene; change --csv"]);
    let after = ["level.gltf", "level.navgrid", "bake.toml"].map(|name| room.read(name));
    assert!(before == after);
}

#[test]
fn no_output_replaces_another() {
    let room = baked();
    room.link("new", "link");
    let names = room.names();
    let ends = "level.navgrid --agent human --from 0,0,0 --to 1,0,0";
    for other in ["new", "./new", "link"] {
        room.run("surefoot", &format!("path {ends} --png new --frames {other}"))
            .failed(&[other, "the output of --png; change --frames"]);
        room.run(
            "surefoot",
            &format!(
                "run level.navgrid --agent human --count 2 --seconds 1 --csv new --png {other}"
            ),
        )
        .failed(&[other, "the output of --csv; change --png"]);
    }
    assert_eq!(room.names(), names);
}

#[test]
fn the_grid_may_go_into_the_folder_of_pictures() {
    let room = Room::new();
    room.bake("--agent human --cell-size 0.5 --png q -o q/level.png");
    assert!(room.read("q/level.png").starts_with(b"\x8eNAVG"));
}

#[test]
fn outputs_are_checked_before_the_work() {
    let room = baked();
    let check = |arguments: &str, words: &[&str]| {
        let done = room.run("surefoot", &format!("path gone.navgrid --agent human {arguments}"));
        done.failed(words);
        assert!(!done.err.contains(".tmp"), "{}", done.err);
    };
    for option in ["--png", "--frames"] {
        let ends = "--from 0,0,0 --to 1,0,0";
        check(&format!("{ends} {option} gone/a.png"), &["gone: no such folder", option]);
        check(&format!("{ends} {option} ."), &["this is a folder", option]);
        check(&format!("{ends} {option} level.bin/a"), &["level.bin", option]);
    }
}
