//! Scenarios of the Moving AI Lab: queries on maps, and the lengths that are known to be shortest.

use std::path::Path;

use surefoot::NavGrid;
use surefoot::search::Query;

/// The maps among the test data.
pub const MAPS: [&str; 7] =
    ["arena2", "brc202d", "orz900d", "Aurora", "maze512-8-0", "random512-25-0", "Berlin_0_1024"];
/// Known lengths are rounded to this, relative.
pub const TOLERANCE: f64 = 1e-5;

/// A map of a folder, and its scenario.
pub fn load(folder: &Path, map: &str) -> (NavGrid, Vec<(Query, f64)>) {
    let text = |ending: &str| {
        let file = folder.join("maps").join(format!("{map}{ending}"));
        std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
    };
    let grid = NavGrid::from_map(&text(".map"), 1.0, &[]).expect("it reads");
    (grid, read(&text(".map.scen")))
}

/// The queries of a scenario and their known lengths [cells]; a line of it holds bucket, map, width,
/// height, start, goal, length. Cells are 1 m.
pub fn read(text: &str) -> Vec<(Query, f64)> {
    text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(read_line).collect()
}

fn read_line(line: &str) -> (Query, f64) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |at: usize| words[at].parse::<f32>().expect("a number");
    let center = |at: usize| [number(at) + 0.5, 0.0, number(at + 1) + 0.5];
    // The benchmark names cells: no end is moved to a better one.
    let query = Query { snap_radius: Some(0.0), ..Query::new(center(4), center(6)) };
    (query, words[8].parse().expect("a length"))
}

/// Whether a length is the known one.
pub fn is_shortest(length: f32, known: f64) -> bool {
    (f64::from(length) - known).abs() <= TOLERANCE * known.max(1.0)
}
