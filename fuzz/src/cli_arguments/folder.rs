//! The folder that a command runs in.

use std::path::PathBuf;
use std::sync::LazyLock;

use surefoot::Agent;
use surefoot_bake::{BakeSettings, bake};
use tempfile::TempDir;

use super::words::Line;

/// A scene, its grid, and another of it.
static FILES: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let path = surefoot_testing::repository().join("scenes/low_door.gltf");
    let scene = surefoot_testing::load(&path);
    let agents = vec![Agent::new("human"), Agent { height: 1.0, ..Agent::new("small") }];
    let settings = BakeSettings { cell_size: Some(0.5), agents, ..BakeSettings::default() };
    let part = BakeSettings { bounds: Some([0.0, 0.0, 6.0, 6.0]), ..settings.clone() };
    let file = |settings: &BakeSettings| {
        bake(&scene, settings, &()).expect("it bakes").grid.to_bytes().expect("a file")
    };
    [std::fs::read(path).expect("a scene"), file(&settings), file(&part)]
});

/// A folder of its own, with `work` in it, where the command runs.
pub(super) struct Room(TempDir);

impl Room {
    pub fn new(line: &Line) -> Self {
        let room = Room(tempfile::tempdir().expect("a folder"));
        std::fs::create_dir(room.path("work")).expect("a folder");
        let [scene, grid, other] = &*FILES;
        let files: [(&str, &[u8]); 6] = [
            ("level.gltf", scene),
            ("level.navgrid", grid),
            ("bake.toml", line.config.as_bytes()),
            ("queries.txt", line.queries.as_bytes()),
            ("checks.toml", line.checks.as_bytes()),
            ("other.navgrid", other),
        ];
        for (name, bytes) in files {
            std::fs::write(room.path("work").join(name), bytes).expect("it can be written");
        }
        room
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A file as text, where its bytes are no text with marks in their place.
    pub fn read(&self, name: &str) -> String {
        let bytes = std::fs::read(self.path(name)).expect("it was written");
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
