//! Misuse of `bake`: wrong arguments and settings, damaged scenes, full disks, closed pipes, ctrl-C.

#[cfg(target_os = "linux")]
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use super::room::Room;

#[test]
fn errors_are_one_line() {
    let room = Room::new();
    let check = |arguments: &str, words: &[&str]| {
        room.run("bake", &format!("--quiet {arguments}")).failed(words);
    };
    check("", &["<SCENE>", "--help"]);
    check("gone.gltf", &["gone.gltf: no such file; give a .gltf or .glb file"]);
    check(".", &["not a file; give a .gltf or .glb"]);
    check("level.bin", &["level.bin", "JSON"]);
    check("level.gltf --frob", &["--frob"]);
    check("level.gltf --agent a:girth=1", &["girth", "radius, height, max_climb"]);
    check("level.gltf --agent a:radius=", &["radius", "is not a number"]);
    check("level.gltf --agent a:radius=-1", &["radius is -1", "more than 0"]);
    check("level.gltf --agent a:slope_limit=100", &["slope_limit is 100", "degrees"]);
    check("level.gltf --agent a --agent a", &["two agents", "\"a\""]);
    check("level.gltf --cell-size -1", &["cell size is -1"]);
    check("level.gltf --bounds 1,1,0,0", &["x0 must be less than x1"]);
    check("level.gltf --bounds 1,1,0", &["x0,z0,x1,z1"]);
    check("level.gltf --area mud", &["NAME=GLOB"]);
    check("level.gltf --area mud=Swamp:deep", &["deep", "forbidden"]);
    check("level.gltf --area mud=Swamp:-1", &["mud", "more than 0"]);
    check("level.gltf --ignore [", &["[", "glob"]);
    check("level.gltf --threads 0", &["--threads"]);
    check("level.gltf --memory-limit 0", &["memory limit"]);
    check("level.gltf --cell-size 0.00001", &["level.gltf", "GiB", "larger cells"]);
    check("level.gltf --cell-size 0.01 --memory-limit 0.001", &["limit of 0.0 GiB"]);
    let reason = "(marked to be ignored by the glob \"*\"), ";
    check("level.gltf --ignore *", &["level.gltf", "no collision geometry", reason, "more"]);
    assert_eq!(room.names(), ["level.bin", "level.gltf"]);
}

#[test]
fn config_errors_name_file_line_and_key() {
    let room = Room::new();
    let check = |text: &str, words: &[&str]| {
        room.write("bake.toml", text);
        room.run("bake", "level.gltf --quiet --config bake.toml").failed(words);
    };
    check("threads = 2\ncellsize = 1\n", &["bake.toml: line 2", "`cellsize`", "`cell_size`"]);
    check("[[agents]]\nname = 'a'\n\ngirth = 1\n", &["bake.toml: line 4", "`girth`", "`radius`"]);
    check("agents = [{ radius = 1 }]", &["bake.toml: line 1", "`name`"]);
    check("[[agents]]\nname = 'a'\nradius = -1\n", &["bake.toml", "\"a\"", "radius is -1"]);
    check("areas = [{ name = 'a', nodes = 'b', cost = 'dear' }]", &["line 1", "forbidden"]);
    check("cell_size = 'wide'", &["bake.toml: line 1", "wide"]);
    check("agents = []", &["bake.toml: no agent"]);
    check("[[agents]]\nname = ''\n", &["bake.toml: an agent has no name"]);
    check("agents = [{ name = 'a' }, { name = 'a' }]", &["bake.toml: two agents", "\"a\""]);
    check("memory_limit = -1", &["bake.toml: the memory limit is -1 GiB"]);
    check("cell_size = 0", &["bake.toml: cell size is 0"]);
    check("bounds = [1, 1, 0, 2]", &["bake.toml: ", "x0 must be less than x1"]);
    check("areas = [{ name = 'a', nodes = 'b', cost = 0 }]", &["bake.toml: ", "\"a\""]);
    check("ignore = ['[']", &["bake.toml: ", "\"[\""]);
    check("threads = 0", &["bake.toml", "threads is 0"]);
    check("cell_size = [", &["bake.toml: line 1"]);
    room.run("bake", "level.gltf --config gone.toml")
        .failed(&["gone.toml: no such file; check --config"]);
}

#[test]
fn damaged_scenes_are_refused_in_one_line() {
    let room = Room::new();
    let scene = room.read("level.gltf");
    for length in (0..scene.len() - 2).step_by(scene.len() / 20) {
        room.write("cut.gltf", &scene[..length]);
        room.run("bake", "cut.gltf --quiet").failed(&["cut.gltf"]);
    }
    let buffer = room.read("level.bin");
    room.write("level.bin", &buffer[..buffer.len() / 2]);
    room.run("bake", "level.gltf --quiet").failed(&["level.gltf"]);
    std::fs::remove_file(room.path("level.bin")).unwrap();
    room.run("bake", "level.gltf --quiet").failed(&["level.gltf", "level.bin"]);
}

#[test]
fn outputs_that_cannot_be_written_are_refused() {
    let room = Room::new();
    room.write("file", "here");
    let check = |arguments: &str, words: &[&str]| {
        room.run("bake", &format!("level.gltf --quiet {arguments}")).failed(words);
    };
    check("-o gone/a.navgrid", &["gone", "--output"]);
    check("-o file/a.navgrid", &["file", "--output"]);
    check("-o .", &["folder", "--output"]);
    check("-o level.gltf", &["replace the scene"]);
    check("--png file", &["file", "pictures"]);
    check("--png file/deeper", &["file/deeper", "pictures"]);
    assert_eq!(room.names(), ["file", "level.bin", "level.gltf"]);
}

#[cfg(target_os = "linux")]
#[test]
fn full_and_read_only_disks() {
    let room = Room::new();
    let full = room.run("bake", "level.gltf --quiet -o /dev/full");
    full.failed(&["/dev/full", "No space left"]);
    assert!(std::fs::metadata("/dev/full").is_ok_and(|full| !full.is_file()));
    room.run("bake", "level.gltf --quiet -o /proc/a.navgrid").failed(&["/proc", "--output"]);
    room.run("bake", "level.gltf --quiet --png /proc/a").failed(&["/proc/a"]);

    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = room.command("bake", "level.gltf --quiet --json");
    let done = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8(done.stderr).unwrap().contains("standard output"));
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_an_end_are_refused() {
    let room = Room::new();
    room.bake("--agent human");
    room.run("surefoot", "info /dev/zero").failed(&["/dev/zero", "not a .navgrid file"]);
    let text = ["/dev/zero", "not a text file"];
    room.run("bake", "level.gltf --config /dev/zero").failed(&text);
    room.run("surefoot", "paths level.navgrid --agent human --queries /dev/zero").failed(&text);
    // Nobody writes into this pipe.
    let made = Command::new("mkfifo").arg(room.path("pipe")).status().unwrap();
    assert!(made.success());
    let scene = String::from_utf8(room.read("level.gltf")).unwrap();
    room.write("piped.gltf", scene.replace("level.bin", "pipe"));
    room.run("bake", "piped.gltf --quiet").failed(&["pipe is not a file"]);
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_are_refused_and_stay() {
    let room = Room::new();
    room.link("two", "one");
    room.link("one", "two");
    room.run("bake", "level.gltf --quiet -o one").failed(&["one", "circle"]);
    assert!(std::fs::symlink_metadata(room.path("one")).unwrap().is_symlink());
}

#[test]
fn options_of_height_files_are_refused_for_others() {
    let room = Room::new();
    for option in ["--spacing 1", "--samples 3,3", "--no-data 5", "--height-scale 2"] {
        let name = option.split(' ').next().unwrap();
        room.run("bake", &format!("level.gltf --quiet {option}")).failed(&[name, "no effect"]);
    }
}

#[test]
fn a_failed_bake_leaves_the_old_file() {
    let room = Room::new();
    room.write("level.navgrid", "old");
    room.run("bake", "level.gltf --cell-size 0.00001 --quiet").failed(&["GiB"]);
    room.run("bake", "level.gltf --agent a:radius=-1").failed(&["radius"]);
    assert_eq!(room.read("level.navgrid"), b"old");
    assert_eq!(room.names(), ["level.bin", "level.gltf", "level.navgrid"]);
}

#[test]
fn closed_pipes_are_no_error() {
    let room = Room::new();
    room.bake("--agent human");
    let commands = [
        ("bake", "level.gltf --json"),
        ("bake", "--help"),
        ("surefoot", "info level.navgrid --json"),
        ("surefoot", "why level.navgrid --agent human --at 0,0,0"),
        ("surefoot", "diff level.navgrid level.navgrid"),
        ("surefoot", "run level.navgrid --agent human --count 2 --seconds 20"),
    ];
    for (program, arguments) in commands {
        let mut command = room.command(program, arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{program} {arguments}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_the_old_file_and_nothing_else() {
    let room = Room::new();
    room.write("level.navgrid", "old");
    let done = room.interrupt("bake", "level.gltf --cell-size 0.002 --json", "this needs");
    assert_eq!(done.code, 130);
    assert_eq!(done.err, "interrupted; level.navgrid is unchanged\n");
    assert!(done.took < Duration::from_secs(1), "{:?}", done.took);
    assert_eq!(done.out, "");
    assert_eq!(room.read("level.navgrid"), b"old");
    assert_eq!(room.names(), ["level.bin", "level.gltf", "level.navgrid"]);
}
