//! Orders and shapes: every span once, neighbors only up and down, the same for any threads.

use crate::cch::dissect::dissect;
use crate::cch::hierarchy::RouteIndex;
use crate::cch::metric::RouteRules;
use crate::cch::parameters::Grain;
use crate::cch::subgraph::{Part, neighbors};
use crate::cost::model::HeightCost;
use crate::grid::{NavGrid, RouteOrder, SpanId};
use crate::tests::search::cases::cases;
use crate::tests::search::random::Random;
use crate::tests::search::random_grids::{AGENT, flat};
use crate::view::View;

use crate::tests::cch::random_grain;

/// For each rank the ranks of the district whose own it is: where they begin and end.
fn owners(order: &RouteOrder) -> Vec<[usize; 2]> {
    let (mut owners, mut open) = (Vec::new(), Vec::new());
    for district in &order.supernodes {
        let own = owners.len();
        let parts = open.split_off(open.len() - district.children as usize);
        let begin = parts.first().copied().unwrap_or(own);
        open.push(begin);
        owners.extend(std::iter::repeat_n(
            [begin, own + district.spans as usize],
            district.spans as usize,
        ));
    }
    owners
}

fn check(view: &View, order: &RouteOrder) {
    let walkable = (0..view.grid().spans().len() as u32).map(SpanId);
    let walkable: Vec<SpanId> = walkable.filter(|&span| view.is_walkable(span)).collect();
    let mut sorted = order.spans.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, walkable);
    let owners = owners(order);
    assert_eq!(owners.len(), order.spans.len());
    let mut ranks = vec![usize::MAX; view.grid().spans().len()];
    order.spans.iter().enumerate().for_each(|(rank, span)| ranks[span.index()] = rank);
    for (rank, span) in order.spans.iter().enumerate() {
        neighbors(&view.parts(), span.0, |other| {
            let other = ranks[other as usize];
            let [begin, end] = owners[other.max(rank)];
            assert!((begin..end).contains(&other.min(rank)), "{span:?} has a neighbor elsewhere");
        });
    }
}

#[test]
fn neighbors_are_in_districts_around() {
    let mut deepest = 0;
    for mut case in cases(0..1500) {
        let grain = random_grain(&mut case.random);
        let view = case.view();
        let order = dissect(&Part::of(&view.parts()), grain);
        check(&view, &order);
        deepest = deepest.max(order.supernodes.len());
    }
    assert!(deepest > 50, "{deepest}");
}

/// Open ground with holes, wide enough to be taken apart by several threads.
fn wide() -> NavGrid {
    flat([150, 140], 20, &mut Random(4))
}

#[test]
fn any_number_of_threads_makes_the_same() {
    let grid = wide();
    let view = View::new(&grid, AGENT).expect("an agent");
    let on = |worth_threads| {
        let grain = Grain { worth_threads, ..Grain::USUAL };
        let order = dissect(&Part::of(&view.parts()), grain);
        let index = RouteIndex::of_grain(&view.parts(), grain);
        let model = HeightCost::default();
        let costs = index.price(&view, &model, RouteRules::default());
        assert_eq!(costs.bytes(), index.cost_bytes(&view, &model));
        (order, costs)
    };
    let alone = on(usize::MAX);
    check(&view, &alone.0);
    for worth_threads in [1 << 14, 1 << 11, 1 << 8] {
        assert!(on(worth_threads) == alone, "from {worth_threads} spans on");
    }
}

/// A cut through open ground is about as long as the ground is wide.
#[test]
fn open_ground_is_cut_along_short_lines() {
    let grid = flat([64, 100], 0, &mut Random(1));
    let view = View::new(&grid, AGENT).expect("an agent");
    let order = dissect(&Part::of(&view.parts()), Grain::USUAL);
    let last = order.supernodes[order.supernodes.len() - 1];
    assert!(last.spans <= 64, "{} spans part the whole", last.spans);
    assert_eq!(last.children, 2);
}
