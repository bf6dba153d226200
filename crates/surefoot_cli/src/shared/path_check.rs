//! Provides [`PathCheck`]: no output of a command replaces one of its inputs or other outputs.
//!
//! Compares the paths of the command line, with links followed. Hard links, and files that a scene
//! refers to, are not looked for: nobody names those by mistake.

use std::path::{Path, PathBuf};

use anyhow::bail;
use surefoot::grid::follow_links;

use super::output::Output;

/// The files of one command.
#[derive(Debug, Default)]
pub struct PathCheck {
    /// With links followed, and what the file is to the command.
    used: Vec<(PathBuf, String)>,
}

impl PathCheck {
    /// Adds a file that is read; `role` is what an error calls it, such as `the scene`.
    pub fn input(&mut self, file: &Path, role: &str) {
        self.used.push((follow_links(file), role.to_owned()));
    }

    /// Adds a file to write, which was named by an option.
    ///
    /// # Errors
    /// The file cannot be written, or would replace another file of the command.
    pub fn output(&mut self, file: &Path, option: &str) -> anyhow::Result<Output> {
        let place = follow_links(file);
        if let Some((_, role)) = self.used.iter().find(|(other, _)| *other == place) {
            bail!("{}: this would replace {role}; change {option}", file.display());
        }
        let output = Output::check(file, option)?;
        self.used.push((place, format!("the output of {option}")));
        Ok(output)
    }

    /// As [`PathCheck::output`] for an option that may be left out.
    ///
    /// # Errors
    /// As [`PathCheck::output`].
    pub fn output_if_any(
        &mut self,
        file: Option<&Path>,
        option: &str,
    ) -> anyhow::Result<Option<Output>> {
        file.map(|file| self.output(file, option)).transpose()
    }
}
