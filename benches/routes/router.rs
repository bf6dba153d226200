//! Whether the router takes what finds a way soonest, by distance.

use std::sync::Arc;
use std::time::Instant;

use surefoot::AgentId;
use surefoot::navigator::Navigator;
use surefoot::path::Answer;
use surefoot::search::{Engine, Outcome, Query};
use surefoot::view::NavPoint;
use surefoot::cost::HeightCost;
use surefoot::navigator::Navigator;

use crate::figures::timed;
use crate::octaves::Octaves;
use crate::prepared::Prepared;
use crate::sites::{SITES, Site};

const OCTAVES: u32 = 12;
/// For each octave; there may be fewer.
const QUERIES: usize = 100;
/// An octave of fewer says nothing.
const LEAST_QUERIES: usize = 20;
/// Of each query the fastest one counts: what else the machine does only slows it down.
const ROUNDS: usize = 7;
const ENGINES: [Engine; 4] = [Engine::Straight, Engine::AStar, Engine::Index, Engine::Field];

/// Prints a table for each site but the largest.
pub fn compare() {
    SITES[..SITES.len() - 1].iter().for_each(compare_on);
}

fn compare_on(site: &Site) {
    let Some(grid) = site.grid() else { return };
    let prepared = Prepared::new(grid, &site.model);
    let grid = Arc::new(prepared.grid.clone());
    let (router, seconds) = timed(|| Navigator::new(grid, AgentId(0), site.model));
    let mut sides = Sides::new(site, &prepared, router.expect("one agent"));
    println!("\nRouter on {}, made in {seconds:.2} s: straightened ways, mean µs\n", site.name);
    println!(
        "| cells | queries | A* | routes | router | router / best | straight | A* | routes | field |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut octaves = Octaves::new(&prepared.grid);
    for octave in 0..OCTAVES {
        let pairs = octaves.pairs(octave, QUERIES);
        if pairs.len() >= LEAST_QUERIES {
            print_octave(octave, &mut sides, &pairs);
        }
    }
}

fn print_octave(octave: u32, sides: &mut Sides, pairs: &[[NavPoint; 2]]) {
    let laps = sides.run(pairs);
    let [search, routes, router] = [0, 1, 2].map(|side: usize| laps[side].mean());
    let counts = ENGINES.map(|engine| laps[2].count(engine).to_string()).join(" | ");
    println!(
        "| {} | {} | {search:.1} | {routes:.1} | {router:.1} | {:.2} | {counts} |",
        1 << octave,
        pairs.len(),
        router / search.min(routes),
    );
}

/// Those that find ways.
struct Sides<'a> {
    site: &'a Site,
    prepared: &'a Prepared,
    search: Navigator,
    route_search: Navigator,
    router: Navigator<HeightCost>,
}

/// What one side found for all queries, and how long each took in its fastest round.
#[derive(Default)]
struct Lap {
    /// Costs of the corridors; 0 for straight lines, which need none.
    costs: Vec<f32>,
    engines: Vec<Engine>,
    micros: Vec<f64>,
}

impl Sides<'_> {
    fn new<'a>(site: &'a Site, prepared: &'a Prepared, router: Navigator<HeightCost>) -> Sides<'a> {
        let (search, route_search) = (Navigator::default(), Navigator::default());
        Sides { site, prepared, search, route_search, router }
    }

    /// A search, then routes, then the router; round by round, so that a slow second of the machine
    /// hits all of them.
    fn run(&mut self, pairs: &[[NavPoint; 2]]) -> [Lap; 3] {
        let Sides { site, prepared, search, route_search, router } = self;
        let (terrain, routes, model) = (prepared.terrain(), prepared.routes(), &site.model);
        let queries = pairs.iter().map(|[from, to]| Query::new(from.point, to.point));
        let queries: Vec<Query> = queries.collect();
        let mut laps: [Lap; 3] = Default::default();
        for _ in 0..ROUNDS {
            laps[0].round(&queries, |query| {
                let engine = engine_of(search.path(&terrain, model, query));
                (engine, search.corridor().cost())
            });
            laps[1].round(&queries, |query| {
                let engine = engine_of(route_search.path(routes, (&terrain, model), query));
                (engine, route_search.corridor().cost())
            });
            laps[2].round(&queries, |query| {
                let engine = engine_of(router.path(&terrain, query));
                (engine, router.corridor().cost())
            });
        }
        for (at, ends) in pairs.iter().enumerate() {
            let costs = [0, 1, 2].map(|side: usize| laps[side].costs[at]);
            assert!(costs[0] == costs[1] && costs[0] == costs[2], "{costs:?}: {ends:?}");
        }
        laps
    }
}

fn engine_of(answer: &Answer) -> Engine {
    assert_eq!(answer.outcome, Outcome::Complete, "all places lie in one region");
    answer.engine
}

impl Lap {
    /// Finds all ways once more: those of one side in a row, with the memory they need at hand from
    /// a pass before it.
    fn round(&mut self, queries: &[Query], mut find: impl FnMut(&Query) -> (Engine, f32)) {
        self.micros.resize(queries.len(), f64::INFINITY);
        queries.iter().map(&mut find).for_each(drop);
        let timed = queries.iter().zip(&mut self.micros).map(|(query, micros)| {
            let start = Instant::now();
            let found = find(query);
            *micros = micros.min(start.elapsed().as_secs_f64() * 1e6);
            found
        });
        (self.engines, self.costs) = timed.unzip();
    }

    /// Of all queries, on average [µs].
    fn mean(&self) -> f64 {
        self.micros.iter().sum::<f64>() / self.micros.len() as f64
    }

    fn count(&self, engine: Engine) -> usize {
        self.engines.iter().filter(|&&used| used == engine).count()
    }
}
