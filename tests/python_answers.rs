//! Answers a batch of queries as a program in Rust would, for the tests of the Python package: they compare every
//! bit, and the time.
//!
//!     python_answers GRID AGENT PAIRS OUT [prepare]
//!
//! PAIRS holds six 32-bit floats a row: start and goal. OUT gets, in 32-bit floats: a cost a row; cost, length, climb
//! and descent a row; the number of waypoints a row; and all waypoints. Printed is the time of both [s], on all
//! threads.

use std::error::Error;
use std::sync::Mutex;
use std::time::Instant;

use rayon::prelude::*;
use surefoot::search::{Engine, Query};
use surefoot::{NavGrid, Navigator};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [grid, agent, pairs, out, rest @ ..] = &arguments[..] else {
        return Err("usage: python_answers GRID AGENT PAIRS OUT [prepare]".into());
    };
    let mut navigator = Navigator::new(NavGrid::load(grid)?, agent.as_str())?;
    let is_prepared = rest.first().is_some_and(|word| word == "prepare");
    if is_prepared {
        navigator.prepare()?;
    }
    let engine = Some(if is_prepared { Engine::Routes } else { Engine::AStar });
    let numbers = std::fs::read(pairs)?;
    let numbers = numbers.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
    let numbers: Vec<f32> = numbers.collect();
    let queries: Vec<Query> =
        numbers.as_chunks::<6>().0.iter().map(|&row| query(row, engine)).collect();
    let threads = (0..rayon::current_num_threads()).map(|_| Mutex::new(navigator.clone()));
    let navigators = Navigators(threads.collect());

    let start = Instant::now();
    let cost = |navigator: &mut Navigator, query: &Query| {
        navigator.find_cost(query).unwrap_or(f32::INFINITY)
    };
    let costs = navigators.answer(&queries, cost);
    let of_costs = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let paths = navigators.answer(&queries, path);
    let of_paths = start.elapsed().as_secs_f64();
    println!("{of_costs} {of_paths}");

    let counts = paths.iter().map(|path| path.points.len() as f32);
    let figures = paths.iter().flat_map(|path| path.figures);
    let points = paths.iter().flat_map(|path| path.points.as_flattened()).copied();
    let all = costs.into_iter().chain(figures).chain(counts).chain(points);
    std::fs::write(out, all.flat_map(f32::to_le_bytes).collect::<Vec<u8>>())?;
    Ok(())
}

fn query([x, y, z, to_x, to_y, to_z]: [f32; 6], engine: Option<Engine>) -> Query {
    Query { engine, ..Query::new([x, y, z], [to_x, to_y, to_z]) }
}

/// One for each thread.
struct Navigators(Vec<Mutex<Navigator>>);

impl Navigators {
    fn answer<R: Send>(
        &self,
        queries: &[Query],
        answer: impl Fn(&mut Navigator, &Query) -> R + Sync,
    ) -> Vec<R> {
        let each = |query: &Query| {
            let thread = rayon::current_thread_index().unwrap_or(0);
            answer(&mut self.0[thread].lock().expect("no panic"), query)
        };
        queries.par_iter().with_min_len(8).map(each).collect()
    }
}

/// A path, as the package returns it.
struct FoundPath {
    figures: [f32; 4],
    points: Vec<[f32; 3]>,
}

fn path(navigator: &mut Navigator, query: &Query) -> FoundPath {
    match navigator.find(query).path() {
        Ok(path) => FoundPath {
            figures: [path.cost(), path.length(), path.climb(), path.descent()],
            points: path.waypoints().iter().map(|waypoint| waypoint.point.into()).collect(),
        },
        Err(_) => FoundPath {
            figures: [f32::INFINITY, f32::INFINITY, f32::NAN, f32::NAN],
            points: Vec::new(),
        },
    }
}
