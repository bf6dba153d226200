//! Provides [`Watch`]: follows the files of a level, so that its page shows them as they are now.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use surefoot_view::Viewed;

use super::ViewArguments;
use super::opened::{OpenedLevel, is_scene};
use crate::query::input;
use crate::shared::console::note;

/// Between two looks at the files.
const PAUSE: Duration = Duration::from_millis(250);

/// What tells a file from how it was before.
#[derive(Clone, Debug, PartialEq)]
struct Stamp {
    files: Vec<Option<(SystemTime, u64)>>,
}

impl Stamp {
    fn of(files: &[PathBuf]) -> Self {
        let stamp = |file: &PathBuf| {
            let data = std::fs::metadata(file).ok()?;
            Some((data.modified().ok()?, data.len()))
        };
        Stamp { files: files.iter().map(stamp).collect() }
    }

    /// Whether all files are there.
    fn is_whole(&self) -> bool {
        self.files.iter().all(Option::is_some)
    }
}

/// The files of a level, and where the page finds them.
pub struct Watch {
    arguments: ViewArguments,
    level: OpenedLevel,
    viewed: Viewed,
}

impl Watch {
    pub fn new(arguments: &ViewArguments, level: OpenedLevel, viewed: Viewed) -> Self {
        Watch { arguments: arguments.clone(), level, viewed }
    }

    /// Follows the files for as long as the program runs.
    pub fn run(mut self) {
        let ViewArguments { file, scene, config, .. } = &self.arguments;
        let others = [scene, config].into_iter().flatten();
        let files: Vec<PathBuf> = std::iter::once(file).chain(others).cloned().collect();
        let mut known = Stamp::of(&files);
        let mut last = known.clone();
        loop {
            std::thread::sleep(PAUSE);
            let now = Stamp::of(&files);
            // A file that is being written is left alone until it stays as it is.
            let is_settled = now == last && now.is_whole();
            last = now.clone();
            if is_settled && now != known {
                known = now;
                self.open_again();
            }
        }
    }

    fn open_again(&mut self) {
        let name = self.arguments.file.display().to_string();
        self.viewed.set_message(format!("{name} has changed; loading it…"));
        let opened = if is_scene(&self.arguments.file) {
            OpenedLevel::bake(&self.arguments, Some(&self.level.grid))
        } else {
            load(&self.arguments)
        };
        match opened {
            Ok(level) => {
                self.viewed.set_warning(level.warning.clone());
                self.viewed.set_scene(level.scene_bytes.clone());
                self.viewed.set_grid(level.grid_bytes.clone());
                self.level = level;
                note(format_args!("{name} has changed: the page shows it"));
            }
            Err(error) => {
                let words = format!("{error:#}; the page shows the level as it was before");
                note(format_args!("error: {words}"));
                self.viewed.set_message(words.clone());
                self.viewed.set_warning(Some(words));
            }
        }
    }
}

fn load(arguments: &ViewArguments) -> anyhow::Result<OpenedLevel> {
    let (grid, bytes) = input::load(&arguments.file, arguments.part)?.with_bytes()?;
    OpenedLevel::with_scene(grid, bytes, arguments.scene.as_deref())
}
