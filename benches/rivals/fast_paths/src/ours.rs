//! surefoot's prepared routes.

use std::time::Instant;

use surefoot::path::Progress;
use surefoot::search::{Engine, Outcome, Query};

use crate::Side;
use crate::level::Level;

/// From the grid alone: the order is found, too.
pub fn run(level: &Level) -> Side {
    let mut nav = level.navigator();
    let start = Instant::now();
    nav.prepare().expect("ground that comes apart");
    let seconds = start.elapsed().as_secs_f64();
    let point = |span| level.grid.point(span).expect("a span of the grid");
    let query = |&[from, to]: &[_; 2]| Query {
        engine: Some(Engine::Routes),
        ..Query::new(point(from), point(to))
    };
    let queries: Vec<Query> = level.queries.iter().map(query).collect();
    let mut costs = Vec::new();
    let start = Instant::now();
    for query in &queries {
        assert_eq!(nav.begin(query), Progress::Done);
        let answer = nav.answer();
        assert_eq!(answer.outcome, Outcome::Complete, "{query:?}");
        // The straight line needs no corridor, and costs less than one.
        let is_straight = answer.engine == Engine::Straight;
        costs.push(if is_straight { f64::NAN } else { f64::from(nav.corridor().cost()) });
    }
    let micros = start.elapsed().as_secs_f64() * 1e6;
    Side { seconds, bytes: nav.route_bytes(), micros, costs }
}
