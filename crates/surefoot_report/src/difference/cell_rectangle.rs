//! Provides [`CellRectangle`]: the cells of some spans as few rectangles, for pages and pictures.

use serde::Serialize;
use surefoot::grid::Cell;
use surefoot::{NavGrid, SpanId};

/// A rectangle of cells with floors of about one height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CellRectangle {
    /// Its least x and z [m].
    pub min: [f32; 2],
    /// Its greatest x and z [m].
    pub max: [f32; 2],
    /// The height of its first floor [m]; the others are at most a quarter of a metre off.
    pub y: f32,
}

/// Floors of one rectangle differ from its first by no more than this [m].
const LEVEL: f32 = 0.25;

/// Cells side by side in a row, and how many rows below are alike.
#[derive(Clone, Copy)]
struct Block {
    min: Cell,
    width: u32,
    height: u32,
    y: f32,
}

impl CellRectangle {
    /// Covers the cells of spans that ascend, each once. O(spans · log columns).
    pub fn cover(grid: &NavGrid, spans: &[SpanId]) -> Vec<CellRectangle> {
        let mut blocks: Vec<Block> = Vec::new();
        // The blocks that end in the row above, the blocks of this row, and where both start.
        let (mut above, mut row) = (0..0, 0);
        for run in runs(grid, spans) {
            if blocks.get(row).is_some_and(|first| bottom(first) != run.min.z) {
                above = row..blocks.len();
                row = blocks.len();
            }
            let joins = |block: &&mut Block| {
                block.min.x == run.min.x
                    && block.width == run.width
                    && bottom(block) + 1 == run.min.z
                    && (block.y - run.y).abs() <= LEVEL
            };
            match blocks[above.clone()].iter_mut().find(joins) {
                // It moves to the row that it ends in now.
                Some(block) => {
                    block.height += 1;
                    let grown = *block;
                    block.width = 0;
                    blocks.push(grown);
                }
                None => blocks.push(run),
            }
        }
        blocks.retain(|block| block.width > 0);
        blocks.iter().map(|block| block.rectangle(grid)).collect()
    }
}

/// The last row of a block.
fn bottom(block: &Block) -> i32 {
    block.min.z + block.height as i32 - 1
}

/// Spans side by side in one row, of about one height.
fn runs(grid: &NavGrid, spans: &[SpanId]) -> Vec<Block> {
    let mut runs: Vec<Block> = Vec::new();
    for &span in spans {
        let Some(cell) = grid.cell_of(span) else { continue };
        let y = grid.spans()[span.index()].floor;
        match runs.last_mut() {
            Some(run)
                if run.min.z == cell.z
                    && run.min.x + run.width as i32 == cell.x
                    && (run.y - y).abs() <= LEVEL =>
            {
                run.width += 1;
            }
            _ => runs.push(Block { min: cell, width: 1, height: 1, y }),
        }
    }
    runs
}

impl Block {
    fn rectangle(&self, grid: &NavGrid) -> CellRectangle {
        let last = Cell::new(self.min.x + self.width as i32 - 1, bottom(self));
        let [min, _] = grid.frame().borders(self.min);
        let [_, max] = grid.frame().borders(last);
        CellRectangle { min: min.map(|v| v as f32), max: max.map(|v| v as f32), y: self.y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rectangles of the cells of a map that have a floor.
    fn cover(rows: &[&str]) -> Vec<[f32; 4]> {
        let (height, width) = (rows.len(), rows[0].len());
        let text =
            format!("type octile\nheight {height}\nwidth {width}\nmap\n{}\n", rows.join("\n"));
        let grid = NavGrid::from_map(&text, 0.5, &[]).expect("a map");
        let spans: Vec<SpanId> = (0..grid.spans().len() as u32).map(SpanId).collect();
        let list = CellRectangle::cover(&grid, &spans).into_iter();
        list.map(|CellRectangle { min, max, .. }| [min[0], min[1], max[0], max[1]]).collect()
    }

    #[test]
    fn rows_that_are_alike_become_one_rectangle() {
        assert_eq!(cover(&["...", "..."]), [[0.0, 0.0, 1.5, 1.0]]);
        assert_eq!(cover(&[".@.", ".@.", "@@."]), [[0.0, 0.0, 0.5, 1.0], [1.0, 0.0, 1.5, 1.5]]);
        assert_eq!(cover(&["..", "@@", ".."]), [[0.0, 0.0, 1.0, 0.5], [0.0, 1.0, 1.0, 1.5]]);
        assert_eq!(cover(&["..@", ".@.", "..."]).len(), 4);
    }
}
