//! surefoot's prepared routes.

use std::time::Instant;

use surefoot::AgentId;
use surefoot::routes::{RouteIndex, RouteRules, RouteSearch, Routes};
use surefoot::solve::{Outcome, Query};

use crate::Side;
use crate::level::Level;

/// From the grid alone: the order is found, too.
pub fn run(level: &Level) -> Side {
    let (terrain, model) = (level.terrain(), &level.model);
    let start = Instant::now();
    let index = RouteIndex::new(&level.grid, AgentId(0)).expect("one agent");
    let costs = index.price(&terrain, model, RouteRules::default());
    let seconds = start.elapsed().as_secs_f64();
    let point = |span| level.grid.point(span).expect("a span of the grid");
    let queries = level.queries.iter().map(|&[from, to]| Query::new(point(from), point(to)));
    let queries: Vec<Query> = queries.collect();
    let routes = Routes { index: &index, costs: &costs };
    let mut search = RouteSearch::default();
    let mut found = Vec::new();
    let start = Instant::now();
    for query in &queries {
        let outcome = search.find(routes, (&terrain, model), query);
        assert_eq!(outcome, Outcome::Complete, "{query:?}");
        found.push(f64::from(search.corridor().cost()));
    }
    let micros = start.elapsed().as_secs_f64() * 1e6;
    Side { seconds, bytes: index.bytes() + costs.bytes(), micros, costs: found }
}
