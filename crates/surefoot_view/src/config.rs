//! Provides [`PageConfig`]: what the page is told beside the level.

use serde::Serialize;

/// What the page is told beside the level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageConfig {
    /// The file of the grid, as on the command line: the page shows commands that ask the same.
    pub grid: String,
    /// The file of the scene, if one is shown.
    pub scene: Option<String>,
    /// The version of this crate.
    pub version: &'static str,
    /// What is wrong with the files, such as a scene that the grid was not baked from; shown in red.
    pub warning: Option<String>,
    /// What a report found, each on its place of the level.
    pub notes: Vec<Note>,
}

/// Something that a report found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// In a few words.
    pub title: String,
    /// The rest, in lines.
    pub text: String,
    /// Whether all is as it should be.
    pub good: bool,
    /// The agent that it is about, if it is about one.
    pub agent: Option<String>,
    /// Where it is, or the path that it is about [m]; empty if it is about no place.
    pub points: Vec<[f32; 3]>,
}

impl PageConfig {
    /// A page on a grid, without a scene.
    pub fn new(grid: impl Into<String>) -> Self {
        PageConfig {
            grid: grid.into(),
            scene: None,
            version: env!("CARGO_PKG_VERSION"),
            warning: None,
            notes: Vec::new(),
        }
    }
}
