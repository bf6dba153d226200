//! Runs every query of a Moving AI scenario and checks the lengths that are known to be optimal.
//!
//! `cargo run --release --example movingai -- MAP SCEN` prints one line of JSON: `queries`, `wrong`
//! (lengths that are not the optimum), `found`, `mean_us` and `p99_us` (time of a query). With
//! `routes` as a third word prepared routes answer, without it a search. Without arguments it runs a
//! small map of its own.

use std::error::Error;
use std::time::Instant;

use surefoot::path::{Progress, Sight};
use surefoot::search::{Engine, Outcome, Query};
use surefoot::view::{NavPoint, View};
use surefoot::{HeightCost, NavGrid, Navigator};

const OWN_MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n..@...\n.@@.@.\n....@.\n.@....\n";
const OWN_SCENARIO: &str = "version 1\n\
    0 own.map 6 4 0 0 3 0 7\n\
    0 own.map 6 4 0 2 3 3 3.41421356\n\
    0 own.map 6 4 1 0 5 0 10\n";
/// Known lengths are rounded to this, relative.
const TOLERANCE: f64 = 1e-5;

/// Confirms nothing: paths stay on the centers of cells, as the known lengths are measured.
struct NoSight;

impl Sight for NoSight {
    fn is_clear(&self, _: &View, _: &NavPoint, _: &NavPoint) -> bool {
        false
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let by_routes = files.get(2).is_some_and(|word| word == "routes");
    let (map, scenario) = match files.as_slice() {
        [map, scenario] => (std::fs::read_to_string(map)?, std::fs::read_to_string(scenario)?),
        [map, scenario, _] if by_routes => {
            (std::fs::read_to_string(map)?, std::fs::read_to_string(scenario)?)
        }
        [] => (OWN_MAP.to_owned(), OWN_SCENARIO.to_owned()),
        _ => return Err("expected MAP SCEN [routes]".into()),
    };
    let grid = NavGrid::from_map(&map, 1.0, &[])?;
    let mut nav = Navigator::with_model(grid, "human", HeightCost::FLAT)?;
    if by_routes {
        nav.prepare()?;
    }
    let (mut found, mut wrong, mut micros) = (0, 0, Vec::new());
    for line in scenario.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let (query, optimum) = read_query(line)?;
        let start = Instant::now();
        if by_routes {
            nav.with_sight(&NoSight).find(&query);
        } else {
            nav.begin_search(&query);
            while nav.advance(u32::MAX) == Progress::Running {}
        }
        micros.push(start.elapsed().as_secs_f64() * 1e6);
        let complete = nav.answer().outcome == Outcome::Complete;
        let length = f64::from(nav.corridor().length(nav.view()));
        found += u32::from(complete);
        wrong += u32::from(!complete || (length - optimum).abs() > TOLERANCE * optimum.max(1.0));
    }
    micros.sort_by(f64::total_cmp);
    let queries = micros.len();
    let mean = micros.iter().sum::<f64>() / queries.max(1) as f64;
    let p99 = micros.get(queries * 99 / 100).copied().unwrap_or(0.0);
    println!(
        "{{\"queries\":{queries},\"wrong\":{wrong},\"found\":{found},\
         \"mean_us\":{mean:.1},\"p99_us\":{p99:.1}}}"
    );
    if wrong > 0 { Err(format!("{wrong} of {queries} are wrong").into()) } else { Ok(()) }
}

/// The query of a line, and the length of its shortest path: bucket, map, width, height, start,
/// goal, length.
fn read_query(line: &str) -> Result<(Query, f64), Box<dyn Error>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [.., start_x, start_y, goal_x, goal_y, length] = words[..] else {
        return Err(format!("not a query: {line}").into());
    };
    let center = |x: &str, y: &str| -> Result<[f32; 3], Box<dyn Error>> {
        Ok([x.parse::<f32>()? + 0.5, 0.0, y.parse::<f32>()? + 0.5])
    };
    let query = Query::new(center(start_x, start_y)?, center(goal_x, goal_y)?);
    // The benchmark names cells: no end is moved to a better one.
    let engine = Some(Engine::Routes);
    Ok((Query { snap_radius: Some(0.0), engine, ..query }, length.parse()?))
}
