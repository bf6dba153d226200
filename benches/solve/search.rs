//! surefoot's A* against a textbook one over the same steps, costs and queries.

use std::time::Instant;

use surefoot::HeightCost;
use surefoot::path::Progress;
use surefoot::search::Query;

use crate::figures::spread;
use crate::levels::Level;
use crate::pairs::pairs;
use crate::plain::Graph;

const QUERIES: usize = 1000;
const ROUNDS: usize = 3;
/// Sums of whole units and of floats agree to this part.
const AGREE: f32 = 1e-3;

/// Prints the times of both.
pub fn compare() {
    println!("\nA* over {QUERIES} random pairs, heights counted: µs, median and 99th percentile\n");
    println!(
        "| level | spans | expanded, mean | surefoot | textbook | ratio of medians | surefoot, expansions/ms |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let model = HeightCost::default();
    for level in Level::all() {
        let mut nav = level.navigator(model);
        let graph = Graph::of(nav.view(), &model);
        let pairs = pairs(nav.view(), QUERIES, true);
        // One side after the other, so that neither finds its memory taken by the other's, and
        // both again.
        let (mut ours, mut theirs, mut expanded) = (Vec::new(), Vec::new(), 0);
        for _ in 0..ROUNDS {
            let mut costs = Vec::new();
            for [from, to] in &pairs {
                let query = Query::new(from.point, to.point);
                let start = Instant::now();
                nav.begin_search(&query);
                while nav.advance(u32::MAX) == Progress::Running {}
                ours.push(start.elapsed().as_secs_f64() * 1e6);
                expanded += u64::from(nav.answer().expanded);
                costs.push(nav.corridor().cost());
            }
            for ([from, to], ours) in pairs.iter().zip(costs) {
                let start = Instant::now();
                let (cost, _) = graph.search(from.span.0, to.span.0);
                theirs.push(start.elapsed().as_secs_f64() * 1e6);
                assert!((ours - cost).abs() <= AGREE * cost, "{ours} is not {cost}");
            }
        }
        let rate = expanded as f64 / ours.iter().sum::<f64>() * 1e3;
        let ([ours, ours_99], [theirs, theirs_99]) = (spread(ours), spread(theirs));
        println!(
            "| {} | {} | {} | {ours:.0} / {ours_99:.0} | {theirs:.0} / {theirs_99:.0} | {:.2} | {rate:.0} |",
            level.name,
            level.grid.spans().len(),
            expanded / (QUERIES * ROUNDS) as u64,
            ours / theirs,
        );
    }
}
