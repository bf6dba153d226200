//! What `surefoot world` reports.

use std::fmt::Write;
use std::time::Duration;

use serde::Serialize;
use surefoot_bake::{Baked, DroppedRegions, LinkProblem};
use surefoot_world::{PackedWorld, PlannedTile, WorldPlan, WorldStatus};

use crate::shared::figures::{Figures, LINE_WIDTH};

/// What `surefoot world plan` reports.
#[derive(Debug, Serialize)]
pub struct PlanReport<'a> {
    /// How many tiles are to be baked.
    tiles: usize,
    tile_side: u32,
    /// The side of a tile [m].
    tile_metres: f32,
    cell_size: f32,
    /// Along x and z [m].
    size: [f32; 2],
    agents: Vec<&'a str>,
    /// The most that a tile takes on one thread [bytes].
    most_bytes: u64,
    /// What all tiles take on one thread, one after the other [s].
    seconds: f32,
    planned: &'a [PlannedTile],
}

impl<'a> PlanReport<'a> {
    /// Makes the report.
    pub fn new(plan: &'a WorldPlan) -> Self {
        let WorldPlan { frame, tile_side, tiles, request, .. } = plan;
        let cell_size = frame.cell_size;
        PlanReport {
            tiles: tiles.len(),
            tile_side: *tile_side,
            tile_metres: *tile_side as f32 * cell_size,
            cell_size,
            size: [frame.size_x, frame.size_z].map(|cells| cells as f32 * cell_size),
            agents: request.settings.agents.iter().map(|agent| agent.name.as_str()).collect(),
            most_bytes: tiles.iter().map(|tile| tile.bytes).max().unwrap_or(0),
            seconds: tiles.iter().map(|tile| tile.seconds).sum(),
            planned: tiles,
        }
    }

    /// The report as lines of text.
    pub fn text(&self, place: &str) -> String {
        let PlanReport { tiles, tile_side, tile_metres, cell_size, size: [x, z], .. } = self;
        let [most, agents] = [mebibytes(self.most_bytes), self.agents.join(", ")];
        let last = tiles.saturating_sub(1);
        format!(
            "world    {x:.0} x {z:.0} m in cells of {cell_size} m, for {agents}\n\
             tiles    {tiles} of {tile_side} cells, {tile_metres:.0} m\n\
             estimate {:.0} s on one thread; at most {most} a tile\n\
             next     surefoot world tile --store {place} --index 0 to {last}",
            self.seconds
        )
    }
}

/// What `surefoot world status` reports.
#[derive(Debug, Serialize)]
pub struct StatusReport {
    tiles: usize,
    baked: usize,
    missing: Vec<usize>,
    /// The size of the tiles [bytes].
    bytes: u64,
    /// How many files belong to no tile of the plan.
    others: usize,
    /// What the missing tiles take on one thread [s].
    seconds_left: f32,
}

impl StatusReport {
    /// Makes the report.
    pub fn new(plan: &WorldPlan, status: WorldStatus) -> Self {
        let WorldStatus { tiles, missing, bytes, others } = status;
        let left = missing.iter().map(|&index| plan.tiles[index].seconds);
        StatusReport {
            tiles,
            baked: tiles - missing.len(),
            bytes,
            others,
            seconds_left: left.sum(),
            missing,
        }
    }

    /// Whether all tiles are baked.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// The report as lines of text.
    pub fn text(&self) -> String {
        let StatusReport { tiles, baked, missing, others, seconds_left, .. } = self;
        let mut text = format!("baked    {baked} of {tiles} tiles, {}\n", mebibytes(self.bytes));
        if !missing.is_empty() {
            let (ranges, more) = ranges(missing);
            writeln!(text, "missing  {}{more}", ranges.join(",")).ok();
            writeln!(text, "left     about {seconds_left:.0} s on one thread").ok();
        }
        if *others > 0 {
            writeln!(text, "others   {others} files of other plans").ok();
        }
        text.trim_end().to_owned()
    }
}

/// A line lists this many ranges of tiles.
const MOST_RANGES: usize = 12;

/// Returns the first ranges that indices form, as schedulers take them, and words for the rest.
fn ranges(indices: &[usize]) -> (Vec<String>, &'static str) {
    let runs = indices.chunk_by(|a, b| a + 1 == *b);
    let named = runs.clone().map(|run| match run {
        [only] => only.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    let more = if runs.count() > MOST_RANGES { ", and more: see --json" } else { "" };
    (named.take(MOST_RANGES).collect(), more)
}

/// What `surefoot world merge` and `surefoot world bake` report.
#[derive(Debug, Serialize)]
pub struct MergeReport {
    #[serde(flatten)]
    figures: Figures,
    /// The author's links that some agent cannot take.
    link_problems: Vec<String>,
    output: String,
    /// What merging and writing took.
    wall_ms: f64,
}

/// What was written, and how long it took.
#[derive(Debug)]
pub struct Written {
    pub file: String,
    pub time: Duration,
}

impl MergeReport {
    /// Makes the report.
    pub fn new(figures: Figures, baked: &Baked, written: Written) -> Self {
        MergeReport {
            figures,
            link_problems: baked.link_problems.iter().map(link_problem).collect(),
            output: written.file,
            wall_ms: written.time.as_secs_f64() * 1e3,
        }
    }

    /// Whether any agent can stand anywhere.
    pub fn any_walkable(&self) -> bool {
        self.figures.any_walkable()
    }

    /// The report as lines of text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.figures.grid_lines("grid     "));
        for line in self.figures.agent_table(LINE_WIDTH - INDENT.len()).lines() {
            writeln!(text, "{INDENT}{line}").ok();
        }
        for line in self.figures.link_lines() {
            writeln!(text, "links    {line}").ok();
        }
        for problem in self.link_problems.iter().take(MOST_RANGES) {
            writeln!(text, "warning  {problem}").ok();
        }
        let (bytes, seconds) = (self.figures.grid.bytes, self.wall_ms / 1e3);
        writeln!(text, "written  {}: {bytes} bytes, merged in {seconds:.2} s", self.output).ok();
        text + &format!("next     surefoot info {}", self.output)
    }
}

fn link_problem(problem: &LinkProblem) -> String {
    let LinkProblem { link, agent, problem } = problem;
    format!("{link}: agent {agent} cannot take this link: {problem}")
}

/// What `surefoot world merge --pack` reports.
#[derive(Debug, Serialize)]
pub struct PackReport {
    tiles: usize,
    bytes: u64,
    /// How many links the author marked.
    links: usize,
    /// The author's links that some agent cannot take.
    link_problems: Vec<String>,
    /// What each agent lost because it was in too small regions.
    dropped_regions: Vec<DroppedOfAgent>,
    output: String,
    /// What computing borders, packing and writing took.
    wall_ms: f64,
}

/// What an agent lost because it was in too small regions.
#[derive(Debug, Serialize)]
struct DroppedOfAgent {
    agent: String,
    regions: usize,
    spans: usize,
}

impl PackReport {
    /// Makes the report.
    pub fn new(tiles: usize, packed: PackedWorld, bytes: u64, written: Written) -> Self {
        let PackedWorld { links, link_problems, dropped_regions } = packed;
        let dropped = dropped_regions.into_iter().map(|dropped| {
            let DroppedRegions { agent, regions, spans } = dropped;
            DroppedOfAgent { agent, regions, spans }
        });
        PackReport {
            tiles,
            bytes,
            links,
            link_problems: link_problems.iter().map(link_problem).collect(),
            dropped_regions: dropped.collect(),
            output: written.file,
            wall_ms: written.time.as_secs_f64() * 1e3,
        }
    }

    /// The report as lines of text.
    pub fn text(&self) -> String {
        let PackReport { tiles, bytes, output, wall_ms, .. } = self;
        let mut text = String::new();
        for problem in self.link_problems.iter().take(MOST_RANGES) {
            writeln!(text, "warning  {problem}").ok();
        }
        for DroppedOfAgent { agent, regions, spans } in &self.dropped_regions {
            if *regions > 0 {
                writeln!(text, "dropped  {agent}: {regions} small regions, {spans} spans").ok();
            }
        }
        if self.links > 0 {
            writeln!(text, "links    {} of the author", self.links).ok();
        }
        let seconds = wall_ms / 1e3;
        text + &format!("packed   {tiles} tiles into {output}: {bytes} bytes, {seconds:.2} s")
    }
}

/// Before lines that go on with what the line above is about.
const INDENT: &str = "         ";

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tiles_are_listed_as_ranges() {
        let (listed, more) = ranges(&[0, 1, 2, 5, 7, 8]);
        assert_eq!((listed.join(","), more), ("0-2,5,7-8".to_owned(), ""));
        let many: Vec<usize> = (0..40).map(|at| 2 * at).collect();
        let (listed, more) = ranges(&many);
        assert_eq!(listed.len(), MOST_RANGES);
        assert!(!more.is_empty());
    }
}
