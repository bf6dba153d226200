//! What came of a bake: as one JSON object, and in words.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;
use surefoot::bake::LinkProblem;
use surefoot::scene::{SceneReport, Skipped, Warning};

use super::shared::figures::{AgentFigures, Figures, GridFigures};
use super::stages::{StageTime, millis};

/// Everything `bake --json` tells.
#[derive(Debug, Serialize)]
pub struct Report {
    scene: SceneFigures,
    #[serde(flatten)]
    figures: Figures,
    stages: Vec<StageTime>,
    wall_ms: f64,
    /// The most memory the program held, where the system tells [bytes].
    peak_bytes: Option<u64>,
    /// What was used, but looks like a mistake.
    warnings: Vec<Warning>,
    outputs: Outputs,
}

#[derive(Debug, Serialize)]
struct SceneFigures {
    path: String,
    hash: String,
    triangles: usize,
    colliders: usize,
    skipped: Vec<Skipped>,
}

/// The files that were written.
#[derive(Debug, Serialize)]
pub struct Outputs {
    pub grid: String,
    pub pictures: Vec<String>,
}

/// What a report is made of.
#[derive(Debug)]
pub struct Facts {
    pub scene: (String, SceneReport),
    pub figures: Figures,
    pub link_problems: Vec<LinkProblem>,
    pub stages: Vec<StageTime>,
    pub wall: Duration,
    pub outputs: Outputs,
}
