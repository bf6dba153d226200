//! The map of the program that this toolkit grew from, and what its ways really cost.

use crate::agent::Agent;
use crate::cost::model::CellCost;
use crate::grid::{Cell, GridFrame, NavGrid};
use crate::path::path_search::PathSearch;
use crate::search::heuristic::Heuristic;
use crate::search::query::Query;
use crate::view::Directions;
use crate::view::View;

use crate::tests::search::cases::run;
use crate::tests::search::random_grids::AGENT;

/// 10 by 10 cells with a wall over x = 2..=6 at z = 4.
fn map() -> NavGrid {
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 10, size_z: 10 };
    let wall = |at: usize| at / 10 == 4 && (2..=6).contains(&(at % 10));
    let heights: Vec<f32> = (0..100).map(|at| if wall(at) { f32::NAN } else { 0.0 }).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("walker")]).expect("sound heights")
}

/// What the way from (3, 3) to (4, 6) costs.
fn cost(directions: Directions, heuristic: Heuristic) -> f32 {
    let grid = map();
    let view = View::new(&grid, AGENT).expect("an agent");
    let model = CellCost::ten_fourteen(1.0);
    let query = Query { directions, heuristic, ..Query::new([3.5, 0.0, 3.5], [4.5, 0.0, 6.5]) };
    run(&mut PathSearch::default(), (&view, &model), &query).cost()
}

/// The route that the original program itself takes here is not the cheapest one, and so no measure
/// of what is right; the costs below are counted by hand.
#[test]
fn the_way_round_the_wall_is_the_cheapest() {
    for heuristic in
        [Heuristic::Octile, Heuristic::Manhattan, Heuristic::Euclidean, Heuristic::None]
    {
        // Round the west end, at x = 1, no corner cut: 2 west to (1, 3), 2 south to (1, 5), then
        // 3 east and 1 south, of which 1 by a diagonal: (2, 6), (3, 6), (4, 6) or the like.
        // 2 · 10 + 2 · 10 + 14 + 2 · 10 = 74. Round the east end, at x = 7, it is 4 east,
        // 2 south, then 3 west and 1 south: 40 + 20 + 14 + 20 = 94.
        assert_eq!(cost(Directions::Eight, heuristic), 74.0, "{heuristic:?}");
        // Without diagonals: 2 west, 2 south, 3 east and 1 south: 8 · 10.
        assert_eq!(cost(Directions::Four, heuristic), 80.0, "{heuristic:?}");
    }
}
