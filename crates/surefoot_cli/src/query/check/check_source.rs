//! Provides [`CheckSource`]: a file of checks, with the line of everything in it.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use surefoot_report::checks::{CheckError, CheckFile, CheckReport, NodePoint, SpecPath, SpecStep};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::scene_nodes;
use crate::shared::interrupt::Interrupted;
use crate::shared::{files, toml_file};

/// A file of checks.
pub struct CheckSource {
    path: PathBuf,
    text: String,
    pub file: CheckFile,
}

impl CheckSource {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not one of checks: the file, the line and the key.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let advice = "make one with `surefoot check GRID --init`";
        let text = files::read_text(path, advice)?;
        let file = toml_file::parse(path, &text)?;
        Ok(CheckSource { path: path.to_owned(), text, file })
    }

    /// The scene that was given, or else that the file names, relative to its folder.
    pub fn scene(&self, given: Option<&Path>) -> Option<PathBuf> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let named = self.file.scene.as_ref().map(|scene| folder.join(scene));
        given.map(Path::to_owned).or(named)
    }

    /// The nodes of the scene that was given, or else that the file names, relative to its folder.
    ///
    /// # Errors
    /// The scene cannot be read.
    pub fn nodes(&self, given: Option<&Path>) -> anyhow::Result<Option<Vec<NodePoint>>> {
        let nodes = match (given, &self.file.scene) {
            (Some(scene), _) => scene_nodes::load(scene, "check --scene")?,
            (None, Some(_)) => {
                let scene = self.scene(None).unwrap_or_default();
                let line = self.key_line("scene");
                let advice = "change scene, whose path begins at the folder of the checks";
                scene_nodes::load(&scene, advice)
                    .with_context(|| format!("{}: line {line}", self.path.display()))?
            }
            (None, None) => return Ok(None),
        };
        let point = |node: surefoot_bake::scene::NamedNode| NodePoint {
            name: node.name,
            point: node.point.into(),
        };
        Ok(Some(nodes.into_iter().map(point).collect()))
    }

    /// The line of a key at the top.
    fn key_line(&self, key: &str) -> usize {
        let table = DeTable::parse(&self.text).ok();
        let place = table.and_then(|table| {
            let mut keys = table.get_ref().iter();
            keys.find(|(name, _)| name.get_ref() == key).map(|(name, _)| name.span().start)
        });
        toml_file::line_at(&self.text, place.unwrap_or_default())
    }

    /// An error with the file and the line that it is about.
    pub fn located(&self, error: CheckError) -> anyhow::Error {
        let name = self.path.display();
        match error {
            CheckError::Cancelled(_) => Interrupted.into(),
            CheckError::Spec { at, problem } if at.steps().is_empty() => {
                anyhow!("{name}: {problem}")
            }
            CheckError::Spec { at, problem } => {
                let lines = Lines::new(&self.text);
                match lines.line(&at) {
                    Some(line) => anyhow!("{name}: line {line}: {problem}"),
                    None => anyhow!("{name}: {at}: {problem}"),
                }
            }
            other => anyhow!("{name}: {other}"),
        }
    }

    /// Says of every result on which line its check is, and puts them in the order of the file.
    pub fn add_lines(&self, report: &mut CheckReport) {
        let lines = Lines::new(&self.text);
        for result in &mut report.results {
            result.line = lines.line(result.spec_path());
        }
        report.results.sort_by_key(|result| result.line);
    }
}

/// The lines of what is in a text.
struct Lines<'a> {
    text: &'a str,
    table: Option<Spanned<DeTable<'a>>>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Lines { text, table: DeTable::parse(text).ok() }
    }

    /// The line of what a path leads to, or of the last step of it that the text has.
    fn line(&self, path: &SpecPath) -> Option<usize> {
        let mut place = None;
        let mut inside = None;
        let mut table = Some(self.table.as_ref()?.get_ref());
        for step in path.steps() {
            let next: Option<(usize, &Spanned<DeValue>)> = match step {
                SpecStep::Key(key) => table.and_then(|table| {
                    let (name, value) = table.iter().find(|(name, _)| name.get_ref() == key)?;
                    Some((name.span().start, value))
                }),
                SpecStep::Index(index) => inside.and_then(|value: &Spanned<DeValue>| {
                    let element = value.get_ref().as_array()?.get(*index)?;
                    Some((element.span().start, element))
                }),
            };
            let Some((start, value)) = next else { break };
            (place, inside, table) = (Some(start), Some(value), value.get_ref().as_table());
        }
        place.map(|place| toml_file::line_at(self.text, place))
    }
}
