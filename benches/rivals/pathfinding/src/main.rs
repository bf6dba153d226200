//! Moving AI scenarios: surefoot's A* against that of the `pathfinding` crate, in one run.
//!
//! `cargo run --release -- FOLDER [EVERY]` runs every query (or every EVERY-th) of `arena2`,
//! `orz900d` and `Aurora` with both, checks both against the known optimal length, and prints the
//! total times and their ratio. Both count a diagonal as √2 and cut no corner.

mod map;

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use map::{Map, Scenario};
use surefoot::path::Progress;
use surefoot::search::Query;
use surefoot::{HeightCost, NavGrid, Navigator};

const MAPS: [&str; 3] = ["arena2", "orz900d", "Aurora"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("expected FOLDER [EVERY]")?;
    let every = arguments.next().map_or(Ok(1), |every| every.parse())?;
    let (mut ours_total, mut theirs_total) = (Duration::ZERO, Duration::ZERO);
    println!(
        "{:<10} {:>8} {:>12} {:>12} {:>7}",
        "map", "queries", "surefoot", "pathfinding", "ratio"
    );
    for name in MAPS {
        let file = |ending: &str| Path::new(&folder).join(format!("{name}{ending}"));
        let text = std::fs::read_to_string(file(".map"))?;
        let mut scenario = Scenario::read(&std::fs::read_to_string(file(".map.scen"))?)?;
        scenario.queries = scenario.queries.into_iter().step_by(every).collect();
        let ours = ours(&text, &scenario)?;
        let theirs = theirs(&text, &scenario)?;
        line(name, scenario.queries.len(), ours, theirs);
        ours_total += ours;
        theirs_total += theirs;
    }
    line("all", 0, ours_total, theirs_total);
    Ok(())
}

fn line(name: &str, queries: usize, ours: Duration, theirs: Duration) {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    println!("{name:<10} {queries:>8} {ours:>12.1?} {theirs:>12.1?} {ratio:>7.3}");
}

fn ours(text: &str, scenario: &Scenario) -> Result<Duration, Box<dyn Error>> {
    let grid = NavGrid::from_map(text, 1.0, &[])?;
    let mut nav = Navigator::with_model(grid, "human", HeightCost::FLAT)?;
    let start = Instant::now();
    for query in &scenario.queries {
        let center = |(x, z): (i32, i32)| [x as f32 + 0.5, 0.0, z as f32 + 0.5];
        nav.begin_search(&Query::new(center(query.start), center(query.goal)));
        while nav.advance(u32::MAX) == Progress::Running {}
        query.check(f64::from(nav.corridor().length(nav.view())))?;
    }
    Ok(start.elapsed())
}

fn theirs(text: &str, scenario: &Scenario) -> Result<Duration, Box<dyn Error>> {
    let map = Map::read(text)?;
    let start = Instant::now();
    for query in &scenario.queries {
        let heuristic = |at: &(i32, i32)| map::octile(*at, query.goal);
        let found = pathfinding::directed::astar::astar(
            &query.start,
            |at| map.neighbors(*at),
            heuristic,
            |at| *at == query.goal,
        );
        let (path, _) = found.ok_or("no path")?;
        query.check(path.windows(2).map(|pair| map::distance(pair[0], pair[1])).sum())?;
    }
    Ok(start.elapsed())
}
