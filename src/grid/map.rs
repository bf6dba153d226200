//! Grids from text maps of the Moving AI Lab's benchmarks (`type octile`).
//!
//! A letter is a cell: `.` and `G` ground, `S` swamp, `W` water, a forbidden area, and `T`, `@`, `O` no
//! floor at all. Rows of the text run along x, the first at z = 0.
//! Based on: Sturtevant, "Benchmarks for grid-based pathfinding", 2012.

use nalgebra::Vector3;

use super::build::{add_layers, bare_parts};
use super::{Area, AreaId, Cell, GridError, GridFrame, GridParts, NavGrid, NodeId, Span};
use crate::agent::Agent;

/// A text that is not a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// A line of the text cannot be read.
    #[error("line {line}, column {column}: {problem}")]
    Text {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// The map can be read but does not make a grid, or an agent fails its check.
    #[error(transparent)]
    Grid(#[from] GridError),
}

const SWAMP: AreaId = AreaId(1);
const WATER: AreaId = AreaId(2);
/// Metres-equivalent of a metre through swamp.
const SWAMP_COST: f32 = 2.0;

impl NavGrid {
    /// A flat grid at height 0 from a Moving AI map, with a cell size [m, > 0].
    ///
    /// `.`, `G` and `S` are passable, `S` in the area "swamp"; `W` is floor in the forbidden area
    /// "water"; `T`, `@` and `O` are no floor. All 8 directions, no corner is cut. If
    /// `agents` is empty, the grid has one agent: [`Agent::default`].
    ///
    /// # Errors
    /// The line and column at which the text is not such a map; an agent that fails its check.
    ///
    /// ```
    /// use surefoot::NavGrid;
    /// let map = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";
    /// let grid = NavGrid::from_map(map, 1.0, &[])?;
    /// assert_eq!(grid.spans().len(), 5);
    /// # Ok::<(), surefoot::grid::MapError>(())
    /// ```
    pub fn from_map(text: &str, cell_size: f32, agents: &[Agent]) -> Result<Self, MapError> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let (size_x, size_z) = read_header(&mut lines)?;
        // Refused before anything is allocated: each cell is a character of the text.
        if u64::from(size_x) * u64::from(size_z) > text.len() as u64 {
            let problem = format!("{size_x} x {size_z} cells are more than the text holds");
            return Err(MapError::Text { line: 2, column: 1, problem });
        }
        let frame = GridFrame { cell_size, min: Cell::new(0, 0), size_x, size_z };
        let mut parts = bare_parts(frame);
        let area = |name: &str, cost, forbidden| Area { name: name.to_owned(), cost, forbidden };
        parts.areas.extend([area("swamp", SWAMP_COST, false), area("water", 1.0, true)]);
        read_rows(&mut lines, &mut parts)?;
        let default = [Agent::default()];
        add_layers(&mut parts, if agents.is_empty() { &default } else { agents })?;
        Ok(NavGrid::new(parts)?)
    }
}

/// A line of the text with its number, counted from 1.
type NumberedLine<'a> = (usize, &'a str);

/// Reads the four lines above the rows: width and height.
fn read_header<'a>(
    lines: &mut impl Iterator<Item = NumberedLine<'a>>,
) -> Result<(u32, u32), MapError> {
    let (mut width, mut height) = (None, None);
    let mut last = 0;
    for (line, text) in lines {
        last = line;
        let fail = |problem: String| Err(MapError::Text { line, column: 1, problem });
        let (key, value) = text.trim_end().split_once(' ').unwrap_or((text.trim_end(), ""));
        match key {
            "type" if value == "octile" => {}
            "type" => return fail(format!("type \"{value}\" is not supported, only octile")),
            "width" | "height" => {
                let Ok(size) = value.trim().parse::<u32>() else {
                    return fail(format!("{key} \"{value}\" is not a number of cells"));
                };
                *(if key == "width" { &mut width } else { &mut height }) = Some(size);
            }
            "map" => {
                return match (width, height) {
                    (Some(width), Some(height)) => Ok((width, height)),
                    _ => fail("width and height have to stand above the map".to_owned()),
                };
            }
            _ => return fail("expected type, height, width or map".to_owned()),
        }
    }
    let problem = "the text ends before its map".to_owned();
    Err(MapError::Text { line: last + 1, column: 1, problem })
}

fn read_rows<'a>(
    lines: &mut impl Iterator<Item = NumberedLine<'a>>,
    parts: &mut GridParts,
) -> Result<(), MapError> {
    let frame = parts.frame;
    let mut last = 0;
    for _ in 0..frame.size_z {
        let Some((line, row)) = lines.next() else {
            let problem = format!("the text ends before its {} rows", frame.size_z);
            return Err(MapError::Text { line: last + 1, column: 1, problem });
        };
        last = line;
        let mut columns = 0;
        for (x, letter) in row.chars().enumerate() {
            let fail = |problem| Err(MapError::Text { line, column: x + 1, problem });
            if x >= frame.size_x as usize {
                return fail(format!("the row is longer than {} cells", frame.size_x));
            }
            match terrain(letter) {
                Some(Terrain::Floor(area)) => parts.spans.push(flat(area)),
                Some(Terrain::None) => {}
                None => return fail(format!("{letter:?} is no terrain, use . G S W T @ O")),
            }
            parts.first.push(parts.spans.len() as u32);
            columns = x + 1;
        }
        if columns < frame.size_x as usize {
            let problem = format!("the row ends before {} cells", frame.size_x);
            return Err(MapError::Text { line, column: columns + 1, problem });
        }
    }
    match lines.find(|(_, text)| !text.trim().is_empty()) {
        None => Ok(()),
        Some((line, _)) => {
            let problem = format!("more than {} rows", frame.size_z);
            Err(MapError::Text { line, column: 1, problem })
        }
    }
}

enum Terrain {
    Floor(AreaId),
    None,
}

fn terrain(letter: char) -> Option<Terrain> {
    Some(match letter {
        '.' | 'G' => Terrain::Floor(AreaId(0)),
        'S' => Terrain::Floor(SWAMP),
        'W' => Terrain::Floor(WATER),
        'T' | '@' | 'O' => Terrain::None,
        _ => return None,
    })
}

fn flat(area: AreaId) -> Span {
    Span::new(0.0, f32::INFINITY, Vector3::y()).on(area, NodeId::NONE)
}
