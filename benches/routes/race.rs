//! The same queries, answered by a textbook's A*, by surefoot's, and by prepared routes.

use std::hint::black_box;
use std::time::Instant;

use surefoot::navigator::Navigator;
use surefoot::path::{Corridor, Progress};
use surefoot::search::{Engine, Outcome, Query};
use surefoot::view::{NavPoint, View};
use surefoot::cost::HeightCost;
use surefoot::navigator::Navigator;

use crate::figures::{mean, percentiles};
use crate::plain::Graph;

/// How often everybody is asked everything. A query counts with the median of its times: now and
/// then the machine does something else for as long as a query takes, and that is not slow of it.
pub const ROUNDS: usize = 5;
/// Sums of whole units and of floats agree to this part.
const AGREE: f32 = 1e-3;

/// What everybody is asked.
pub struct Race<'a> {
    pub terrain: &'a View<'a>,
    pub model: &'a HeightCost,
    pub routes: Routes<'a>,
    /// What is noted of a corridor.
    pub note: fn(&Corridor, &View) -> f32,
}

/// What was noted of each query's answer, and how long it took.
#[derive(Default)]
pub struct Laps {
    pub notes: Vec<f32>,
    micros: Vec<f64>,
}

/// The mean and the 99th percentile of the times of many queries [µs].
#[derive(Clone, Copy)]
pub struct Times(pub [f64; 2]);

impl Race<'_> {
    /// Corridors by our search, without straightening.
    pub fn search(&self, search: &mut Navigator, queries: &[Query]) -> Laps {
        let mut laps = Laps::default();
        for query in queries {
            let start = Instant::now();
            search.begin(self.terrain, self.model, query);
            while search.advance(self.terrain, self.model, u32::MAX) == Progress::Running {}
            laps.stop(start);
            assert_eq!(search.outcome(), Outcome::Complete, "{query:?}");
            laps.notes.push((self.note)(search.corridor(), self.terrain));
        }
        laps
    }

    /// Corridors by prepared routes, without straightening.
    pub fn find(&self, search: &mut Navigator, queries: &[Query]) -> Laps {
        let mut laps = Laps::default();
        for query in queries {
            let start = Instant::now();
            let outcome = search.find(self.routes, (self.terrain, self.model), query);
            laps.stop(start);
            assert_eq!((outcome, search.engine()), (Outcome::Complete, Engine::Index), "{query:?}");
            laps.notes.push((self.note)(search.corridor(), self.terrain));
        }
        laps
    }
}

/// What ways cost by the textbook.
pub fn textbook(graph: &Graph, pairs: &[[NavPoint; 2]]) -> Laps {
    let mut laps = Laps::default();
    for [from, to] in pairs {
        let start = Instant::now();
        let (cost, _) = black_box(graph.search(from.span.0, to.span.0));
        laps.stop(start);
        laps.notes.push(cost);
    }
    laps
}

impl Laps {
    fn stop(&mut self, start: Instant) {
        self.micros.push(start.elapsed().as_secs_f64() * 1e6);
    }

    /// # Panics
    /// Where the costs of two sides that both count in whole units differ.
    pub fn check_equal(&self, other: &Laps) {
        for (query, (ours, theirs)) in self.notes.iter().zip(&other.notes).enumerate() {
            assert_eq!(ours, theirs, "query {query}");
        }
    }

    /// # Panics
    /// Where the costs of one that adds up floats are others, but for rounding.
    pub fn check_near(&self, floats: &Laps) {
        for (query, (ours, theirs)) in self.notes.iter().zip(&floats.notes).enumerate() {
            let near = (ours - theirs).abs() <= AGREE * theirs;
            assert!(near, "query {query}: {ours} is not {theirs}");
        }
    }
}

impl Times {
    /// Of the queries of all rounds.
    pub fn of(rounds: &[Laps; ROUNDS]) -> Times {
        Times::of_first(rounds, usize::MAX)
    }

    /// Of the first so many queries.
    pub fn of_first(rounds: &[Laps; ROUNDS], queries: usize) -> Times {
        let median = |query: usize| {
            let [median] =
                percentiles(rounds.each_ref().map(|laps| laps.micros[query]).into(), [50]);
            median
        };
        let queries = queries.min(rounds[0].micros.len());
        let micros: Vec<f64> = (0..queries).map(median).collect();
        let mean = mean(&micros);
        let [last] = percentiles(micros, [99]);
        Times([mean, last])
    }

    /// How many times as long this took as another.
    pub fn over(self, other: Times) -> Times {
        Times([0, 1].map(|at| self.0[at] / other.0[at]))
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{:.1} / {:.1}", self.0[0], self.0[1])
    }
}
