//! Orders: every span once, neighbors only in ancestors and descendants, the same for any number of
//! threads.

use crate::cch::dissect::dissect;
use crate::cch::hierarchy::Hierarchy;
use crate::cch::metric::RouteRules;
use crate::cch::parameters::OrderParameters;
use crate::cch::subgraph::{Subgraph, neighbors};
use crate::cost::model::HeightCost;
use crate::grid::{NavGrid, RouteOrder, SpanId};
use crate::tests::search::cases::cases;
use crate::tests::search::random::Random;
use crate::tests::search::random_grids::{AGENT, flat};
use crate::view::View;

use crate::tests::cch::random_parameters;

fn order_of(view: &View, parameters: OrderParameters) -> RouteOrder {
    let ground = Subgraph::of(&view.parts(), &());
    ground.and_then(|ground| dissect(&ground, parameters, &())).expect("nobody cancels")
}

/// For each rank of a separator the ranks of its cell: where they begin and end.
fn cells_of(order: &RouteOrder) -> Vec<[usize; 2]> {
    let (mut cells, mut open) = (Vec::new(), Vec::new());
    for cell in &order.supernodes {
        let separator = cells.len();
        let parts = open.split_off(open.len() - cell.children as usize);
        let begin = parts.first().copied().unwrap_or(separator);
        open.push(begin);
        let own = cell.spans as usize;
        cells.extend(std::iter::repeat_n([begin, separator + own], own));
    }
    cells
}

fn check(view: &View, order: &RouteOrder) {
    let walkable = (0..view.grid().spans().len() as u32).map(SpanId);
    let walkable: Vec<SpanId> = walkable.filter(|&span| view.is_walkable(span)).collect();
    let mut sorted = order.spans.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, walkable);
    let cells = cells_of(order);
    assert_eq!(cells.len(), order.spans.len());
    let mut ranks = vec![usize::MAX; view.grid().spans().len()];
    order.spans.iter().enumerate().for_each(|(rank, span)| ranks[span.index()] = rank);
    for (rank, span) in order.spans.iter().enumerate() {
        neighbors(&view.parts(), span.0, |other| {
            let other = ranks[other as usize];
            let [begin, end] = cells[other.max(rank)];
            assert!((begin..end).contains(&other.min(rank)), "{span:?} has a neighbor elsewhere");
        });
    }
}

#[test]
fn neighbors_are_in_cells_around() {
    let mut deepest = 0;
    for mut case in cases(0..1500) {
        let parameters = random_parameters(&mut case.random);
        let view = case.view();
        let order = order_of(&view, parameters);
        check(&view, &order);
        deepest = deepest.max(order.supernodes.len());
    }
    assert!(deepest > 50, "{deepest}");
}

/// Open ground with holes, wide enough to be dissected by several threads.
fn wide() -> NavGrid {
    flat([150, 140], 20, &mut Random(4))
}

#[test]
fn any_number_of_threads_makes_the_same() {
    let grid = wide();
    let view = View::new(&grid, AGENT).expect("an agent");
    let on = |parallel_spans| {
        let parameters = OrderParameters { parallel_spans, ..OrderParameters::DEFAULT };
        let order = order_of(&view, parameters);
        let hierarchy = Hierarchy::with_parameters(&view.parts(), parameters);
        let model = HeightCost::default();
        let costs = hierarchy.customize(&view, &model, RouteRules::default());
        assert_eq!(costs.bytes(), hierarchy.metric_bytes(&view, &model));
        (order, costs)
    };
    let alone = on(usize::MAX);
    check(&view, &alone.0);
    for parallel_spans in [1 << 14, 1 << 11, 1 << 8] {
        assert!(on(parallel_spans) == alone, "from {parallel_spans} spans on");
    }
}

/// A separator of open ground is about as long as the ground is wide.
#[test]
fn open_ground_has_short_separators() {
    let grid = flat([64, 100], 0, &mut Random(1));
    let view = View::new(&grid, AGENT).expect("an agent");
    let order = order_of(&view, OrderParameters::DEFAULT);
    let last = order.supernodes[order.supernodes.len() - 1];
    assert!(last.spans <= 64, "a separator of {} spans", last.spans);
    assert_eq!(last.children, 2);
}
