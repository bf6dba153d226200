//! Whether the navigator chooses the fastest engine, by distance.

use std::time::Instant;

use surefoot::Navigator;
use surefoot::search::{Engine, Outcome, Query};
use surefoot::view::NavPoint;

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
const ENGINES: [Engine; 4] = [Engine::Straight, Engine::AStar, Engine::Routes, Engine::Field];

/// Prints a table for each site but the largest.
pub fn compare() {
    SITES[..SITES.len() - 1].iter().for_each(compare_on);
}

fn compare_on(site: &Site) {
    let Some(grid) = site.grid() else { return };
    let [search, routes, chosen] = [0; 3].map(|_| Prepared::new(grid.clone(), &site.model));
    let seconds = chosen.seconds.prepare;
    let name = site.name;
    let mut sides = Sides([search.nav, routes.nav, chosen.nav]);
    println!("\nNavigator on {name}, prepared in {seconds:.2} s: straightened paths, mean µs\n");
    println!(
        "| cells | queries | A* | routes | navigator | navigator / best | straight | A* | routes | field |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut octaves = Octaves::new(&chosen.grid);
    for octave in 0..OCTAVES {
        let pairs = octaves.pairs(octave, QUERIES);
        if pairs.len() >= LEAST_QUERIES {
            print_octave(octave, &mut sides, &pairs);
        }
    }
}

fn print_octave(octave: u32, sides: &mut Sides, pairs: &[[NavPoint; 2]]) {
    let laps = sides.run(pairs);
    let [search, routes, chosen] = [0, 1, 2].map(|side: usize| laps[side].mean());
    let counts = ENGINES.map(|engine| laps[2].count(engine).to_string()).join(" | ");
    println!(
        "| {} | {} | {search:.1} | {routes:.1} | {chosen:.1} | {:.2} | {counts} |",
        1 << octave,
        pairs.len(),
        chosen / search.min(routes),
    );
}

/// A search, prepared routes, and the navigator's own choice.
struct Sides([Navigator; 3]);

/// The engine of each side.
const FORCED: [Option<Engine>; 3] = [Some(Engine::AStar), Some(Engine::Routes), None];

/// What one side found for all queries, and how long each took in its fastest round.
#[derive(Default)]
struct Lap {
    /// Costs of the corridors; 0 for straight lines, which need none.
    costs: Vec<f32>,
    engines: Vec<Engine>,
    micros: Vec<f64>,
}

impl Sides {
    /// One side after the other, round by round, so that a slow second of the machine hits all of them.
    fn run(&mut self, pairs: &[[NavPoint; 2]]) -> [Lap; 3] {
        let mut laps: [Lap; 3] = Default::default();
        for _ in 0..ROUNDS {
            for ((nav, lap), engine) in self.0.iter_mut().zip(&mut laps).zip(FORCED) {
                let query = |[from, to]: &[NavPoint; 2]| Query {
                    engine,
                    ..Query::new(from.point, to.point)
                };
                let queries: Vec<Query> = pairs.iter().map(query).collect();
                lap.round(&queries, |query| {
                    let answer = nav.find(query);
                    assert_eq!(answer.outcome, Outcome::Complete, "all places lie in one region");
                    (answer.engine, nav.corridor().cost())
                });
            }
        }
        for (at, ends) in pairs.iter().enumerate() {
            let costs = [0, 1, 2].map(|side: usize| laps[side].costs[at]);
            assert!(costs[0] == costs[1] && costs[0] == costs[2], "{costs:?}: {ends:?}");
        }
        laps
    }
}

impl Lap {
    /// Finds all paths once more: those of one side in a row, with the memory they need at hand from
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
