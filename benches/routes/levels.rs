//! What it takes to prepare routes, and how much sooner ways are found by them.

use surefoot::cch::RouteRules;
use surefoot::navigator::Navigator;
use surefoot::cost::HeightCost;
use surefoot::search::Query;
use surefoot::navigator::Navigator;

use crate::figures::{percentiles, timed};
use crate::pairs::random_pairs;
use crate::plain::Graph;
use crate::prepared::{Prepared, largest_region};
use crate::race::{Laps, ROUNDS, Race, Times, textbook};
use crate::sites::{SITES, Site};

const QUERIES: usize = 1000;
/// On large open ground a textbook's search is asked only so many.
const OPEN_QUERIES: usize = 200;
/// Costs that are not those of any site.
const OTHER_COSTS: HeightCost = HeightCost { ascend: 3.0, descend: 0.5 };

/// How long corridors took.
struct Line {
    name: &'static str,
    textbook: Times,
    search: Times,
    routes: Times,
    /// The same, of the queries that the textbook's search was asked.
    routes_there: Times,
}

/// Prints a table of what it takes, and one of times.
pub fn compare() {
    println!("\nRoutes prepared, and priced again by another model\n");
    println!(
        "| level | spans | order, s | index, s | price, s | again, s | index, B a span | costs, B a span |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
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
    let prepared = Prepared::new(site.grid()?, &site.model);
    print_preparation(site.name, &prepared);
    Some(race(site, &prepared))
}

fn print_preparation(name: &str, prepared: &Prepared) {
    let Prepared { grid, index, costs, seconds } = prepared;
    let reprice = || index.price(&prepared.terrain(), &OTHER_COSTS, RouteRules::default());
    let (_, again) = timed(reprice);
    let walkable = grid.layers()[0].standings.iter().filter(|span| span.is_walkable()).count();
    println!(
        "| {name} | {walkable} | {:.2} | {:.2} | {:.2} | {again:.2} | {} | {} |",
        seconds.order,
        seconds.index,
        seconds.price,
        index.bytes() / walkable,
        costs.bytes() / walkable,
    );
}

fn race(site: &Site, prepared: &Prepared) -> Line {
    let (terrain, routes) = (prepared.terrain(), prepared.routes());
    let graph = Graph::of(&terrain, &site.model);
    let race = Race { terrain: &terrain, model: &site.model, routes, note: |way, _| way.cost() };
    let places = largest_region(&prepared.grid);
    let pairs: Vec<_> = random_pairs(&prepared.grid, &places).take(QUERIES).collect();
    let queries: Vec<Query> =
        pairs.iter().map(|[from, to]| Query::new(from.point, to.point)).collect();
    let few = if site.is_open { OPEN_QUERIES } else { QUERIES };
    // One side after the other, so that none finds its memory taken by another's, and all again.
    let (mut search, mut route_search) = (Navigator::default(), Navigator::default());
    let [mut theirs, mut ours, mut found]: [[Laps; ROUNDS]; 3] = Default::default();
    for round in 0..ROUNDS {
        theirs[round] = textbook(&graph, &pairs[..few]);
        ours[round] = race.search(&mut search, &queries);
        found[round] = race.find(&mut route_search, &queries);
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
