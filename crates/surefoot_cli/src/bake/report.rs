//! Provides [`BakeReport`]: the result of a bake, as one JSON object and as text.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;
use surefoot_bake::scene::{SceneReport, Skipped, Warning};
use surefoot_bake::{DroppedRegions, LinkProblem, VolumeSpans};

use super::stages::{StageTime, millis};
use super::update::UpdateFigures;
use crate::shared::figures::{Figures, LINE_WIDTH};
use crate::shared::output::STDOUT;

/// What `bake --json` prints.
#[derive(Debug, Serialize)]
pub struct BakeReport {
    scene: SceneFigures,
    #[serde(flatten)]
    figures: Figures,
    /// What was baked again; `null` without `--update`.
    update: Option<UpdateFigures>,
    volumes: Vec<VolumeFigures>,
    dropped_regions: Vec<DroppedFigures>,
    stages: Vec<StageTime>,
    wall_ms: f64,
    /// The most memory the process used [bytes]; `null` where the system does not say.
    peak_bytes: Option<u64>,
    /// What was used but looks like a mistake.
    warnings: Vec<Warning>,
    outputs: BakeOutputs,
}

/// The scene, and what was skipped of it.
#[derive(Debug, Serialize)]
struct SceneFigures {
    path: String,
    hash: String,
    triangles: usize,
    colliders: usize,
    skipped: Vec<Skipped>,
}

/// A volume, and what it touches.
#[derive(Debug, Serialize)]
struct VolumeFigures {
    name: String,
    spans: usize,
}

/// What an agent lost because it was in too small regions.
#[derive(Debug, Serialize)]
struct DroppedFigures {
    agent: String,
    regions: usize,
    spans: usize,
}

/// The files that were written.
#[derive(Debug, Serialize)]
pub struct BakeOutputs {
    pub grid: String,
    pub pictures: Vec<String>,
}

/// What a report is made from.
#[derive(Debug)]
pub struct BakeResult {
    pub scene_path: String,
    pub scene: SceneReport,
    pub figures: Figures,
    pub update: Option<UpdateFigures>,
    pub link_problems: Vec<LinkProblem>,
    pub volumes: Vec<VolumeSpans>,
    pub dropped_regions: Vec<DroppedRegions>,
    pub stages: Vec<StageTime>,
    pub wall: Duration,
    pub outputs: BakeOutputs,
}

impl BakeReport {
    /// Makes the report.
    pub fn new(result: BakeResult) -> Self {
        let report = result.scene;
        let problems = result.link_problems.into_iter().map(|problem| Warning {
            node: problem.link,
            message: format!("agent {} cannot take this link: {}", problem.agent, problem.problem),
        });
        let idle = result.volumes.iter().filter(|volume| volume.spans == 0).map(|volume| Warning {
            node: volume.volume.clone(),
            message: "its volume touches no floor of what was baked; check where it is".to_owned(),
        });
        let warnings = report.warnings.into_iter().chain(problems).chain(idle).collect();
        let volumes = result.volumes.into_iter();
        let dropped = result.dropped_regions.into_iter();
        BakeReport {
            scene: SceneFigures {
                path: result.scene_path,
                hash: report.hash,
                triangles: report.triangles,
                colliders: report.colliders,
                skipped: report.skipped,
            },
            figures: result.figures,
            update: result.update,
            volumes: volumes
                .map(|VolumeSpans { volume, spans }| VolumeFigures { name: volume, spans })
                .collect(),
            dropped_regions: dropped
                .map(|DroppedRegions { agent, regions, spans }| DroppedFigures {
                    agent,
                    regions,
                    spans,
                })
                .collect(),
            stages: result.stages,
            wall_ms: millis(result.wall),
            peak_bytes: peak_bytes(),
            warnings,
            outputs: result.outputs,
        }
    }

    /// Whether any agent can stand anywhere.
    pub fn any_walkable(&self) -> bool {
        self.figures.any_walkable()
    }

    /// The report as lines of text.
    pub fn text(&self) -> String {
        let SceneFigures { path, triangles, colliders, .. } = &self.scene;
        let mut text = format!("scene    {path}: {triangles} triangles in {colliders} colliders\n");
        let skipped = self.scene.skipped.iter().map(|skip| (&skip.node, &skip.reason));
        text += &grouped("skipped", skipped.collect());
        let warnings = self.warnings.iter().map(|warning| (&warning.node, &warning.message));
        text += &grouped("warning", warnings.collect());
        if let Some(update) = &self.update {
            text += &format!("update   {update}\n");
        }
        text += &self.volume_lines();
        text += &format!("{}\n", self.figures.grid_lines("grid     "));
        for line in self.figures.agent_table(LINE_WIDTH - INDENT.len()).lines() {
            text += &format!("{INDENT}{line}\n");
        }
        for line in self.figures.link_lines() {
            text += &format!("links    {line}\n");
        }
        for DroppedFigures { agent, regions, spans } in &self.dropped_regions {
            writeln!(
                text,
                "dropped  {agent}: {spans} spans in regions that are too small: {regions}"
            )
            .ok();
        }
        if !self.any_walkable() {
            text += "result   nothing is walkable for any agent; `surefoot why` gives the reason at \
                     a point\n";
        }
        text + &self.files()
    }

    /// A line for each of the first volumes.
    fn volume_lines(&self) -> String {
        let mut text = String::new();
        for VolumeFigures { name, spans } in self.volumes.iter().take(MOST_REASONS) {
            writeln!(text, "volume   {name}: {spans} spans").ok();
        }
        let rest = self.volumes.len().saturating_sub(MOST_REASONS);
        if rest > 0 {
            writeln!(text, "volume   ... and {rest} more; --json lists all").ok();
        }
        text
    }

    fn files(&self) -> String {
        let (BakeOutputs { grid, pictures }, bytes) = (&self.outputs, self.figures.grid.bytes);
        let mut text = format!("written  {grid}: {bytes} bytes, {:.2} s\n", self.wall_ms / 1e3);
        if let Some(first) = pictures.first() {
            text += &format!("drawn    {} pictures, beginning with {first}\n", pictures.len());
        }
        if grid != STDOUT {
            text += &format!("next     surefoot info {grid}");
        }
        text.trim_end().to_owned()
    }
}

/// Before lines that go on with what the line above is about.
const INDENT: &str = "         ";

/// The text lists this many reasons of one kind; JSON lists all.
const MOST_REASONS: usize = 8;
/// The text names this many nodes for one reason.
const MOST_NODES: usize = 3;

/// A line for each reason with its nodes; reasons with the most nodes come first.
fn grouped(title: &str, mut entries: Vec<(&String, &String)>) -> String {
    entries.sort_by_key(|&(node, reason)| (reason, node));
    let mut groups: Vec<_> = entries.chunk_by(|a, b| a.1 == b.1).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut text = String::new();
    for group in groups.iter().take(MOST_REASONS) {
        writeln!(text, "{title:<8} {}{}", nodes(group), group[0].1).ok();
    }
    let rest: usize = groups.iter().skip(MOST_REASONS).map(|group| group.len()).sum();
    if rest > 0 {
        writeln!(text, "{title:<8} ... and {rest} more; --json lists all").ok();
    }
    text
}

/// The names of the first nodes of a group, and how many more there are; empty if they have no names.
fn nodes(group: &[(&String, &String)]) -> String {
    let named: Vec<&str> = group.iter().map(|entry| entry.0.as_str()).collect();
    let shown = named[..named.len().min(MOST_NODES)].join(", ");
    match named.len().saturating_sub(MOST_NODES) {
        _ if shown.is_empty() => String::new(),
        0 => format!("{shown}: "),
        more => format!("{shown} ... and {more} more; --json lists all: "),
    }
}

/// The most memory this process has used [bytes].
#[cfg(target_os = "linux")]
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The most memory this process has used: not known on this system.
#[cfg(not(target_os = "linux"))]
fn peak_bytes() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_grouped_and_capped() {
        let nodes: Vec<String> = (0..5).map(|i| format!("Tree{i}")).collect();
        let (marked, empty) = ("marked".to_owned(), "empty".to_owned());
        let mut entries: Vec<_> = nodes.iter().map(|node| (node, &marked)).collect();
        entries.push((&nodes[0], &empty));
        let expected = "skipped  Tree0, Tree1, Tree2 ... and 2 more; --json lists all: marked\n\
                        skipped  Tree0: empty\n";
        assert_eq!(grouped("skipped", entries), expected);

        let reasons: Vec<String> = (0..10).map(|i| format!("reason {i}")).collect();
        let entries = reasons.iter().map(|reason| (&nodes[0], reason)).collect();
        let text = grouped("warning", entries);
        assert_eq!(text.lines().count(), MOST_REASONS + 1);
        assert!(text.ends_with("warning  ... and 2 more; --json lists all\n"));
    }
}
