//! What it takes to prepare routes, and how much faster paths are found by them.

use surefoot::HeightCost;
use surefoot::search::Query;

use crate::figures::{percentiles, timed};
use crate::pairs::random_pairs;
use crate::plain::Graph;
use crate::prepared::{Prepared, largest_region, navigator};
use crate::race::{Laps, ROUNDS, Race, Times, textbook};
use crate::sites::{SITES, Site};

const QUERIES: usize = 1000;
/// On large open ground a textbook's search answers only this many.
const OPEN_QUERIES: usize = 200;
/// Costs that are not those of any site.
const OTHER_COSTS: HeightCost = HeightCost { ascend: 3.0, descend: 0.5 };

/// How long corridors took.
struct Line {
    name: &'static str,
    textbook: Times,
    search: Times,
    routes: Times,
    /// The same, of the queries that the textbook's search answered.
    routes_there: Times,
}

/// Prints a table of what it takes, and one of times.
pub fn compare() {
    println!("\nRoutes prepared, and customized again for another model\n");
    println!("| level | spans | order, s | prepare, s | again, s | B per span |");
    println!("|---|--:|--:|--:|--:|--:|");
    let lines: Vec<Line> = SITES.iter().filter_map(measure).collect();
    println!(
        "\nCorridors between {QUERIES} random pairs, each the median of {ROUNDS} times: mean / 99th percentile, µs\n"
    );
    println!(
        "| level | textbook A* | surefoot A* | routes | textbook / routes | surefoot A* / routes |"
    );
    println!("|---|--:|--:|--:|--:|--:|");
    for line in &lines {
        let Line { name, textbook, search, routes, routes_there } = line;
        let (gain, own_gain) = (textbook.over(*routes_there), search.over(*routes));
        println!("| {name} | {textbook} | {search} | {routes} | {gain} | {own_gain} |");
    }
    let gains = lines.iter().map(|line| line.textbook.over(line.routes_there).0[0]);
    let [median] = percentiles(gains.collect(), [50]);
    println!("\nThe textbook's mean over that of routes, median of the levels: {median:.1}");
}

fn measure(site: &Site) -> Option<Line> {
    let mut prepared = Prepared::new(site.grid()?, &site.model);
    print_preparation(site, &mut prepared);
    Some(race(site, &mut prepared))
}

fn print_preparation(site: &Site, prepared: &mut Prepared) {
    let Prepared { grid, nav, seconds } = prepared;
    let bytes = nav.route_bytes();
    let ((), again) = timed(|| nav.set_model(OTHER_COSTS));
    nav.set_model(site.model);
    let walkable = grid.layers()[0].standings.iter().filter(|span| span.is_walkable()).count();
    println!(
        "| {} | {walkable} | {:.2} | {:.2} | {again:.2} | {} |",
        site.name,
        seconds.order,
        seconds.prepare,
        bytes / walkable,
    );
}

fn race(site: &Site, prepared: &mut Prepared) -> Line {
    let graph = Graph::of(prepared.nav.view(), &site.model);
    let places = largest_region(&prepared.grid);
    let pairs: Vec<_> = random_pairs(&prepared.grid, &places).take(QUERIES).collect();
    let queries: Vec<Query> =
        pairs.iter().map(|[from, to]| Query::new(from.point, to.point)).collect();
    let few = if site.is_open { OPEN_QUERIES } else { QUERIES };
    // One side after the other, so that none finds its memory taken by another's, and all again.
    let mut race = Race {
        search: &mut navigator(&prepared.grid, &site.model),
        routes: &mut prepared.nav,
        note: |nav| nav.corridor().cost(),
    };
    let [mut theirs, mut ours, mut found]: [[Laps; ROUNDS]; 3] = Default::default();
    for round in 0..ROUNDS {
        theirs[round] = textbook(&graph, &pairs[..few]);
        ours[round] = race.search(&queries);
        found[round] = race.find(&queries);
    }
    for ((theirs, ours), found) in theirs.iter().zip(&ours).zip(&found) {
        found.check_equal(ours);
        found.check_near(theirs);
    }
    Line {
        name: site.name,
        textbook: Times::of(&theirs),
        search: Times::of(&ours),
        routes: Times::of(&found),
        routes_there: Times::of_first(&found, few),
    }
}
