//! Provides [`Figures`]: a grid in numbers, as JSON and as a table.

use serde::Serialize;
use surefoot::Agent;
use surefoot::NavGrid;
use surefoot::grid::{AgentSummary, GridSummary};
use surefoot_report::degrees;

use super::link_figures::LinkCount;

/// The `grid` of `--json`: a grid and its file.
#[derive(Debug, Serialize)]
pub struct GridFigures {
    cell_size: f32,
    size_x: u32,
    size_z: u32,
    origin: [f32; 3],
    columns: usize,
    spans: usize,
    max_layers: usize,
    /// Length of the file [bytes].
    pub bytes: usize,
    /// That of [`grid_hash`].
    hash: String,
}

/// One of the `agents` of `--json`.
#[derive(Debug, Serialize)]
pub struct AgentFigures {
    name: String,
    radius: f32,
    height: f32,
    max_climb: f32,
    /// [rad]
    slope_limit: f32,
    jump_up: f32,
    jump_across: f32,
    drop: f32,
    #[serde(flatten)]
    summary: AgentSummary,
    /// The links that it can take.
    links: Vec<LinkCount>,
}

/// A grid in numbers.
#[derive(Debug, Serialize)]
pub struct Figures {
    pub grid: GridFigures,
    pub agents: Vec<AgentFigures>,
}

/// The first 128 bits of the BLAKE3 hash of a grid's file, in hexadecimal.
pub fn grid_hash(file: &[u8]) -> String {
    blake3::hash(file).to_hex()[..32].to_owned()
}

impl Figures {
    /// Summarizes a grid, given the bytes of its file. O(cells + spans · agents + bytes).
    pub fn new(grid: &NavGrid, file: &[u8]) -> Self {
        let frame = grid.frame();
        let GridSummary { origin, columns, spans, max_layers, agents } = grid.summary();
        let hash = grid_hash(file);
        let bodies = grid.layers().iter().map(|layer| &layer.agent);
        Figures {
            grid: GridFigures {
                cell_size: frame.cell_size,
                size_x: frame.size_x,
                size_z: frame.size_z,
                origin: origin.into(),
                columns,
                spans,
                max_layers,
                bytes: file.len(),
                hash,
            },
            agents: bodies
                .zip(agents)
                .enumerate()
                .map(|(index, (agent, summary))| {
                    AgentFigures::new(agent, summary, LinkCount::all(grid, index))
                })
                .collect(),
        }
    }

    /// Whether any agent can stand anywhere.
    pub fn any_walkable(&self) -> bool {
        self.agents.iter().any(|agent| agent.summary.walkable_spans > 0)
    }

    /// The grid in one sentence, in lines behind a label.
    pub fn grid_lines(&self, label: &str) -> String {
        let GridFigures { cell_size, size_x, size_z, origin: [x, y, z], .. } = &self.grid;
        let GridFigures { columns, spans, max_layers, .. } = &self.grid;
        let phrases = [
            format!("{size_x} x {size_z} cells of {cell_size} m"),
            format!("from ({x}, {y}, {z}):"),
            format!("{columns} columns with {spans} spans,"),
            format!("at most {max_layers} in one"),
        ];
        wrapped(label, &phrases)
    }

    /// Tables with a line of titles and a line for each agent. Lines are at most `width` letters long,
    /// unless a name alone is longer.
    pub fn agent_table(&self, width: usize) -> String {
        let titles = TITLES.map(str::to_owned);
        let rows = std::iter::once(titles).chain(self.agents.iter().map(AgentFigures::row));
        let rows: Vec<_> = rows.collect();
        // Hardly any bake drops small regions.
        let has_small = self.agents.iter().any(|agent| agent.summary.verdicts.small_region > 0);
        let columns = TITLES.len() - usize::from(!has_small);
        table(&rows.iter().map(|row| &row[..columns]).collect::<Vec<_>>(), width)
    }

    /// A line for each agent that can take links: which, by kind.
    pub fn link_lines(&self) -> impl Iterator<Item = String> {
        let able = self.agents.iter().filter(|agent| !agent.links.is_empty());
        able.map(|agent| format!("{}: {}", agent.name, LinkCount::list(&agent.links)))
    }
}

impl AgentFigures {
    fn new(agent: &Agent, summary: AgentSummary, links: Vec<LinkCount>) -> Self {
        AgentFigures {
            name: agent.name.clone(),
            radius: agent.radius,
            height: agent.height,
            max_climb: agent.max_climb,
            slope_limit: agent.slope_limit,
            jump_up: agent.jump_up,
            jump_across: agent.jump_across,
            drop: agent.drop,
            summary,
            links,
        }
    }

    fn row(&self) -> [String; TITLES.len()] {
        let AgentSummary { walkable_area_m2, regions, largest_region_m2, verdicts, .. } =
            &self.summary;
        [
            self.name.clone(),
            self.radius.to_string(),
            self.height.to_string(),
            self.max_climb.to_string(),
            degrees(self.slope_limit),
            format!("{walkable_area_m2:.1}"),
            regions.to_string(),
            format!("{largest_region_m2:.1}"),
            verdicts.too_steep.to_string(),
            verdicts.low_ceiling.to_string(),
            verdicts.obstacle.to_string(),
            verdicts.ledge.to_string(),
            verdicts.forbidden.to_string(),
            verdicts.inside_solid.to_string(),
            verdicts.small_region.to_string(),
        ]
    }
}

const TITLES: [&str; 15] = [
    "agent",
    "radius",
    "height",
    "climb",
    "slope",
    "walkable m²",
    "regions",
    "largest m²",
    "too steep",
    "low ceiling",
    "obstacle",
    "ledge",
    "forbidden",
    "in solid",
    "small region",
];

/// Tables fit on a terminal of this width [letters].
pub const LINE_WIDTH: usize = 80;

/// Phrases behind a label, in lines of at most [`LINE_WIDTH`], unless a phrase alone is longer. The lines
/// after the first are indented by the width of the label.
pub fn wrapped(label: &str, phrases: &[String]) -> String {
    let indent = label.chars().count();
    let mut text = label.to_owned();
    let mut width = indent;
    for phrase in phrases {
        let needed = phrase.chars().count();
        if width == indent {
            width += needed;
        } else if width + 1 + needed <= LINE_WIDTH {
            text.push(' ');
            width += 1 + needed;
        } else {
            text += &format!("\n{:indent$}", "");
            width = indent + needed;
        }
        text += phrase;
    }
    text
}

/// Aligns the first column to the left and all others to the right. Columns that do not fit into the
/// width go on in another table below, which begins with the first column again.
fn table(rows: &[&[String]], width: usize) -> String {
    let count = rows.iter().map(|row| row.len()).min().unwrap_or(0);
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..count).map(|column| widest(column).unwrap_or(0)).collect();
    let mut lines = Vec::new();
    let mut next = 1;
    while next < count {
        let columns = next..next + columns_that_fit(&widths, next, width);
        next = columns.end;
        for row in rows {
            let mut line = format!("{:<w$}", row[0], w = widths[0]);
            for column in columns.clone() {
                line += &format!("{GAP}{:>w$}", row[column], w = widths[column]);
            }
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// Between two columns.
const GAP: &str = "  ";

/// How many columns from `next` on fit beside the first; at least one.
fn columns_that_fit(widths: &[usize], next: usize, width: usize) -> usize {
    let ends = widths[next..].iter().scan(widths[0], |end, width| {
        *end += GAP.len() + width;
        Some(*end)
    });
    ends.take_while(|&end| end <= width).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["a", "m²"], ["long", "1"]].map(|row| row.map(str::to_owned));
        assert_eq!(table(&rows.each_ref().map(|row| &row[..]), 80), "a     m²\nlong   1");
    }

    #[test]
    fn phrases_that_do_not_fit_go_on_below() {
        let [long, short] = ["x".repeat(70), "up to here".to_owned()];
        let phrases = [short.clone(), long.clone(), short.clone()];
        let expected = format!("links  {short}\n       {long}\n       {short}");
        assert_eq!(wrapped("links  ", &phrases), expected);
        let fits = ["x".repeat(36), "x".repeat(36)];
        assert_eq!(wrapped("links  ", &fits).chars().count(), LINE_WIDTH);
    }

    #[test]
    fn columns_that_do_not_fit_go_on_below() {
        let rows = [["agent", "12345", "1234", "1"], ["me", "1", "2", "3"]];
        let rows = rows.map(|row| row.map(str::to_owned));
        let expected = "agent  12345  1234\nme         1     2\nagent  1\nme     3";
        let rows = rows.each_ref().map(|row| &row[..]);
        assert_eq!(table(&rows, 18), expected);
        assert_eq!(table(&rows, 1).lines().count(), 6);
    }
}
