//! Which file is whose: nothing that is written takes the place of another file of the same command.

use std::path::{Path, PathBuf};

use anyhow::bail;
use surefoot_bake::Scene;

use super::output::{Output, place_of};

/// The files of a command, with what they are to it.
#[derive(Debug, Default)]
pub struct Claims {
    /// Where each is or will be, and what it is.
    pub taken: Vec<(PathBuf, String)>,
}

impl Claims {
    /// A file that is read, and what it is.
    pub fn read(&mut self, file: &Path, what: &str) {
        self.taken.push((place_of(file), what.to_owned()));
    }

    /// A scene that is read, with the files it names.
    pub fn read_scene(&mut self, scene: &Path) {
        self.read(scene, "the scene");
        // A pipe can be read once only.
        let files = if scene.is_file() { Scene::files(scene) } else { Vec::new() };
        files.iter().for_each(|file| self.read(file, "a file of the scene"));
    }

    /// A file to write, which was named by an option.
    ///
    /// # Errors
    /// A place that cannot be written, or that another file would lose.
    pub fn write(&mut self, file: &Path, option: &str) -> anyhow::Result<Output> {
        self.check(file, option)?;
        let output = Output::claim(file, option)?;
        self.read(file, &format!("what {option} writes"));
        Ok(output)
    }

    /// Checks that no file of the command is lost by writing another.
    ///
    /// # Errors
    /// One is.
    pub fn check(&self, file: &Path, option: &str) -> anyhow::Result<()> {
        let place = place_of(file);
        match self.taken.iter().find(|(other, _)| is_same(&place, other)) {
            Some((_, what)) => {
                bail!("{}: this would replace {what}; change {option}", file.display())
            }
            None => Ok(()),
        }
    }
}

/// Whether two places are one.
fn is_same(one: &Path, other: &Path) -> bool {
    one == other || identity(one).is_some_and(|own| identity(other) == Some(own))
}

/// What tells a file from all others, however many names it has.
#[cfg(unix)]
fn identity(file: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let there = std::fs::metadata(file).ok()?;
    Some((there.dev(), there.ino()))
}

/// What tells a file from all others: other systems have nothing that the standard library knows.
#[cfg(not(unix))]
fn identity(_file: &Path) -> Option<(u64, u64)> {
    None
}
