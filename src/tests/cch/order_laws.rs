//! Orders and shapes: every span once, neighbors only up and down, the same for any threads.

use crate::grid::{NavGrid, RouteOrder, SpanId};
use crate::routes::costs::RouteRules;
use crate::routes::dissect::dissect;
use crate::routes::grain::Grain;
use crate::routes::index::RouteIndex;
use crate::routes::part::{Part, neighbors};
use crate::solve::tests::cases::cases;
use crate::solve::tests::random::Random;
use crate::solve::tests::random_grids::{AGENT, flat};
use crate::solve::{HeightCost, Terrain};

use super::random_grain;

/// For each rank the ranks of the district whose own it is: where they begin and end.
fn owners(order: &RouteOrder) -> Vec<[usize; 2]> {
    let (mut owners, mut open) = (Vec::new(), Vec::new());
    for district in &order.districts {
        let own = owners.len();
        let parts = open.split_off(open.len() - district.parts as usize);
        let begin = parts.first().copied().unwrap_or(own);
        open.push(begin);
        owners.extend(std::iter::repeat_n(
            [begin, own + district.own as usize],
            district.own as usize,
        ));
    }
    owners
}

fn check(terrain: &Terrain, order: &RouteOrder) {
    let walkable = (0..terrain.spans().len() as u32).map(SpanId);
    let walkable: Vec<SpanId> = walkable.filter(|&span| terrain.is_walkable(span)).collect();
    let mut sorted = order.spans.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, walkable);
    let owners = owners(order);
    assert_eq!(owners.len(), order.spans.len());
    let mut ranks = vec![usize::MAX; terrain.spans().len()];
    order.spans.iter().enumerate().for_each(|(rank, span)| ranks[span.index()] = rank);
    for (rank, span) in order.spans.iter().enumerate() {
        neighbors(terrain, span.0, |other| {
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
        let terrain = case.terrain();
        let order = dissect(&Part::of(&terrain), grain);
        check(&terrain, &order);
        deepest = deepest.max(order.districts.len());
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
    let terrain = Terrain::new(&grid, AGENT).expect("an agent");
    let on = |worth_threads| {
        let grain = Grain { worth_threads, ..Grain::USUAL };
        let order = dissect(&Part::of(&terrain), grain);
        let index = RouteIndex::of_grain(&terrain, grain);
        let model = HeightCost::default();
        let costs = index.price(&terrain, &model, RouteRules::default());
        assert_eq!(costs.bytes(), index.cost_bytes(&terrain, &model));
        (order, costs)
    };
    let alone = on(usize::MAX);
    check(&terrain, &alone.0);
    for worth_threads in [1 << 14, 1 << 11, 1 << 8] {
        assert!(on(worth_threads) == alone, "from {worth_threads} spans on");
    }
}

/// A cut through open ground is about as long as the ground is wide.
#[test]
fn open_ground_is_cut_along_short_lines() {
    let grid = flat([64, 100], 0, &mut Random(1));
    let terrain = Terrain::new(&grid, AGENT).expect("an agent");
    let order = dissect(&Part::of(&terrain), Grain::USUAL);
    let last = order.districts[order.districts.len() - 1];
    assert!(last.own <= 64, "{} spans part the whole", last.own);
    assert_eq!(last.parts, 2);
}
