//! The same queries, answered by a textbook's A*, by surefoot's, and by prepared routes.

use std::hint::black_box;
use std::time::Instant;

use surefoot::Navigator;
use surefoot::path::Progress;
use surefoot::search::{Engine, Outcome, Query};
use surefoot::view::NavPoint;

use crate::figures::{mean, percentiles};
use crate::plain::Graph;

/// How often every side answers every query. The median of its times counts, so that a busy moment of
/// the machine does not.
pub const ROUNDS: usize = 5;
/// Sums of whole units and of floats agree to this part.
const AGREE: f32 = 1e-3;

/// Two sides that answer the same queries.
pub struct Race<'a> {
    /// Without prepared routes.
    pub search: &'a mut Navigator,
    /// With them.
    pub routes: &'a mut Navigator,
    /// What is noted of a corridor.
    pub note: fn(&Navigator) -> f32,
}

/// What was noted of each query's answer, and how long it took. NaN if the straight line was the
/// answer, which has no corridor.
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
    pub fn search(&mut self, queries: &[Query]) -> Laps {
        let mut laps = Laps::default();
        for query in queries {
            let start = Instant::now();
            self.search.begin_search(query);
            while self.search.advance(u32::MAX) == Progress::Running {}
            laps.stop(start);
            assert_eq!(self.search.answer().outcome, Outcome::Complete, "{query:?}");
            laps.notes.push((self.note)(self.search));
        }
        laps
    }

    /// Corridors by prepared routes, without straightening.
    pub fn find(&mut self, queries: &[Query]) -> Laps {
        let mut laps = Laps::default();
        for query in queries {
            let query = Query { engine: Some(Engine::Routes), ..query.clone() };
            let start = Instant::now();
            let progress = self.routes.begin(&query);
            laps.stop(start);
            let answer = self.routes.answer();
            assert_eq!(
                (progress, answer.outcome),
                (Progress::Done, Outcome::Complete),
                "{query:?}"
            );
            let is_straight = answer.engine == Engine::Straight;
            laps.notes.push(if is_straight { f32::NAN } else { (self.note)(self.routes) });
        }
        laps
    }
}

/// What paths cost by the textbook.
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
    /// If the costs of two sides that both count in whole units differ.
    pub fn check_equal(&self, other: &Laps) {
        for (query, (ours, theirs)) in self.notes.iter().zip(&other.notes).enumerate() {
            assert!(ours.is_nan() || ours == theirs, "query {query}: {ours} is not {theirs}");
        }
    }

    /// # Panics
    /// If the costs of one that adds up floats differ by more than rounding.
    pub fn check_near(&self, floats: &Laps) {
        for (query, (ours, theirs)) in self.notes.iter().zip(&floats.notes).enumerate() {
            let near = (ours - theirs).abs() <= AGREE * theirs;
            assert!(ours.is_nan() || near, "query {query}: {ours} is not {theirs}");
        }
    }
}

impl Times {
    /// Of the queries of all rounds.
    pub fn of(rounds: &[Laps; ROUNDS]) -> Times {
        Times::of_first(rounds, usize::MAX)
    }

    /// Of the first queries only.
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
