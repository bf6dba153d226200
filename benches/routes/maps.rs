//! A whole scenario of a Moving AI map, its lengths checked against those that are known.

use surefoot::search::Query;

use crate::prepared::{Prepared, navigator};
use crate::race::{Laps, ROUNDS, Race, Times};
use crate::sites::{MAP, SITES};
use surefoot_testing::{data_folder, scenario};

/// Queries, and the lengths of their shortest paths [cells].
struct Scenario {
    queries: Vec<Query>,
    optima: Vec<f64>,
}

/// Prints a line for the map.
pub fn compare() {
    println!(
        "\nA scenario of a Moving AI map: corridors, each the median of {ROUNDS} times: mean / 99th percentile, µs\n"
    );
    println!("| map | queries | wrong lengths | surefoot A* | routes | surefoot A* / routes |");
    println!("|---|--:|--:|--:|--:|--:|");
    let Some(scenario) = Scenario::load() else { return };
    let Some(site) = SITES.iter().find(|site| site.name == MAP) else { return };
    let Some(grid) = site.grid() else { return };
    let mut prepared = Prepared::new(grid, &site.model);
    let mut race = Race {
        search: &mut navigator(&prepared.grid, &site.model),
        routes: &mut prepared.nav,
        note: |nav| nav.corridor().length(nav.view()),
    };
    let [mut ours, mut found]: [[Laps; ROUNDS]; 2] = Default::default();
    for round in 0..ROUNDS {
        ours[round] = race.search(&scenario.queries);
        found[round] = race.find(&scenario.queries);
    }
    let wrong: usize = ours.iter().chain(&found).map(|laps| scenario.wrong(laps)).sum();
    let (ours, found) = (Times::of(&ours), Times::of(&found));
    let queries = scenario.queries.len();
    println!("| {MAP} | {queries} | {wrong} | {ours} | {found} | {} |", ours.over(found));
    assert_eq!(wrong, 0, "wrong lengths");
}

impl Scenario {
    fn load() -> Option<Scenario> {
        let file = data_folder()?.join("maps").join(format!("{MAP}.map.scen"));
        let text = std::fs::read_to_string(file).expect("the scenario can be read");
        let (queries, optima) = scenario::read(&text).into_iter().unzip();
        Some(Scenario { queries, optima })
    }

    /// How many lengths are not the shortest.
    fn wrong(&self, laps: &Laps) -> usize {
        let is_wrong = |(length, known): &(&f32, &f64)| {
            !length.is_nan() && !scenario::is_shortest(**length, **known)
        };
        laps.notes.iter().zip(&self.optima).filter(is_wrong).count()
    }
}
