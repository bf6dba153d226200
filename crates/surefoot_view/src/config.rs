//! Provides [`PageConfig`]: what the page shows beside the level.

use serde::Serialize;

/// What the page shows beside the level.
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
    /// A report to show on the level.
    pub report: Option<PageReport>,
}

/// What a command found, to be shown on the level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageReport {
    /// What it found in all, in a line.
    pub title: String,
    /// What it found, in the order in which it is listed.
    pub notes: Vec<Note>,
}

/// Something that a report found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// In a few words.
    pub title: String,
    /// The rest, in lines.
    pub text: String,
    /// What it means.
    pub tone: NoteTone,
    /// The agent that it is about, if it is about one.
    pub agent: Option<String>,
    /// Where it is, or the path that it is about [m]; empty if it is about no place.
    pub points: Vec<[f32; 3]>,
    /// The ground that it is about.
    pub ground: Vec<GroundRectangle>,
}

/// What a note means: how it is colored, and marked for those who do not see colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteTone {
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// There now, and not before.
    Gained,
    /// There before, and not now.
    Lost,
    /// Neither.
    Plain,
}

/// A level rectangle of ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GroundRectangle {
    /// Least x and z [m].
    pub min: [f32; 2],
    /// Greatest x and z [m].
    pub max: [f32; 2],
    /// Its height [m].
    pub y: f32,
}

impl PageConfig {
    /// A page on a grid, without a scene.
    pub fn new(grid: impl Into<String>) -> Self {
        PageConfig {
            grid: grid.into(),
            scene: None,
            version: env!("CARGO_PKG_VERSION"),
            warning: None,
            report: None,
        }
    }
}
