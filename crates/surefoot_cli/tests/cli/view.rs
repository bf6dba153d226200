//! `surefoot view`: pages as files, the server, and misuse.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use super::room::Room;

/// A room with the level baked for a person and a cart.
fn baked() -> Room {
    let room = Room::new();
    room.bake("--agent human --agent cart:radius=0.6 --cell-size 0.25");
    room
}

#[test]
fn a_page_has_the_level_inside() {
    let room = baked();
    let done = room.run("surefoot", "view level.navgrid --scene level.gltf --export level.html");
    assert_eq!((done.code, done.out.as_str()), (0, ""));
    assert_eq!(done.err, "");
    let page = String::from_utf8(room.read("level.html")).unwrap();
    assert!(page.contains("\"grid\":\"level.navgrid\"") && page.contains("surefoot-scene"));
    let done = room.run("surefoot", "view level.navgrid --export bare.html");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!String::from_utf8(room.read("bare.html")).unwrap().contains("id=\"surefoot-scene\""));
    let corner = "view level.navgrid --scene level.gltf --export part.html --bounds 1,1,3,3";
    assert_eq!(room.run("surefoot", corner).code, 0);
    assert!(room.read("part.html").len() < room.read("level.html").len());
    room.run("surefoot", "view level.navgrid --scene level.gltf --export again.html");
    assert_eq!(room.read("again.html"), room.read("level.html"));
}

#[test]
fn a_scene_is_baked_first() {
    let room = Room::new();
    room.write("bake.toml", "cell_size = 0.5\nagents = [{ name = 'giant', radius = 0.5 }]\n");
    let done = room.run("surefoot", "view level.gltf --config bake.toml --export level.html");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("baking level.gltf"), "{}", done.err);
    assert_eq!(room.names(), ["bake.toml", "level.bin", "level.gltf", "level.html"]);
}

#[test]
fn errors_are_one_line() {
    let room = baked();
    let check = |arguments: &str, words: &[&str]| {
        room.run("surefoot", &format!("view {arguments}")).failed(words);
    };
    check("gone.navgrid", &["gone.navgrid: no such file"]);
    check("gone.gltf", &["gone.gltf: no such file"]);
    check("level.bin --export a.html", &["level.bin"]);
    check("level.navgrid --scene gone.gltf --export a.html", &["gone.gltf: no such file"]);
    check("level.gltf --scene level.gltf --export a.html", &["leave out --scene"]);
    check("level.navgrid --config bake.toml --export a.html", &["--config", "not baked again"]);
    check("level.navgrid --export gone/a.html", &["gone", "--export"]);
    check("level.navgrid --export level.navgrid", &["would replace the level"]);
    check("level.navgrid --bounds 0,0,1,1", &["--export"]);
    check("level.navgrid --export a.html --bounds 1,1,0,0", &["x0 must be less than x1"]);
    check(
        "level.navgrid --export a.html --bounds 90,90,99,99",
        &["--bounds", "no cell of the grid"],
    );
    check("level.navgrid --export a.html --open", &["--open"]);
    check("level.navgrid --port 99999", &["--port"]);
    room.write("broken.navgrid", &room.read("level.navgrid")[..200]);
    check("broken.navgrid --export a.html", &["broken.navgrid"]);
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port();
    check(&format!("level.navgrid --port {port}"), &[&format!("port {port}"), "--port"]);
    assert_eq!(room.names(), ["broken.navgrid", "level.bin", "level.gltf", "level.navgrid"]);
}

#[test]
fn a_scene_that_is_not_the_grids_is_shown_with_a_warning() {
    let room = baked();
    let scene = String::from_utf8(room.read("level.gltf")).unwrap();
    room.write("level.gltf", scene.replace("\"Crate\"", "\"Chest\""));
    let done = room.run("surefoot", "view level.navgrid --scene level.gltf --export level.html");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("warning: the grid was not baked from level.gltf"), "{}", done.err);
    let page = String::from_utf8(room.read("level.html")).unwrap();
    assert!(page.contains("\"warning\":\"the grid was not baked from"));
}

#[test]
fn the_server_hands_out_the_grid_and_ends_on_request() {
    let room = baked();
    let mut command = room.command("surefoot", "view level.navgrid --port 0");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let host = address.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    assert!(host.starts_with("127.0.0.1:"), "{address}");
    let mut stream = TcpStream::connect(&host).unwrap();
    let close = "Connection: close\r\n\r\n";
    write!(stream, "GET /level.navgrid HTTP/1.1\r\nHost: {host}\r\n{close}").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.ends_with(&room.read("level.navgrid")));
    child.kill().unwrap();
    child.wait().unwrap();
}
