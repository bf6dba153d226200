//! Scenarios of the Moving AI Lab: known shortest lengths, and no corner cut.
//!
//! A part of the queries of each map; `.ci/run` has the example `movingai` answer them all.

use surefoot::cost::{CellCost, HeightCost};
use surefoot::path::Progress;
use surefoot::search::{Outcome, Query};
use surefoot::{Cell, Navigator, SpanId};
use surefoot_testing::{data_folder, scenario};

/// Queries per map.
const QUERIES: usize = 40;

/// Searches from cell to cell, even if the straight line would do.
fn search(nav: &mut Navigator, query: &Query) -> Outcome {
    nav.begin_search(query);
    while nav.advance(10_000) == Progress::Running {}
    nav.answer().outcome
}

/// Panics if a diagonal step of the corridor has no floor on one side.
fn check_corners(nav: &Navigator) {
    let grid = nav.grid();
    let open = |cell| grid.column_spans(cell).any(|span| nav.view().is_walkable(SpanId(span)));
    for pair in nav.corridor().spans().windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|span| grid.cell_of(span).expect("a span"));
        assert!(open(Cell::new(from.x, to.z)) && open(Cell::new(to.x, from.z)), "{from:?} {to:?}");
    }
}

#[test]
fn paths_are_as_short_as_known_and_cut_no_corner() {
    let Some(folder) = data_folder() else { return };
    for map in scenario::MAPS {
        let (grid, queries) = scenario::load(&folder, map);
        let mut nav = Navigator::with_model(grid, "human", HeightCost::FLAT).expect("one agent");
        for (query, known) in queries.iter().step_by(queries.len() / QUERIES) {
            assert_eq!(search(&mut nav, query), Outcome::Complete, "{map}: {query:?}");
            let length = nav.corridor().length(nav.view());
            assert!(scenario::is_shortest(length, *known), "{map}: {length}, {query:?}");
            check_corners(&nav);
        }
        println!("{map}: {QUERIES} of {} queries", queries.len());
    }
}

/// With 10 and 14 the cheapest path may not be the shortest; it costs a whole number.
#[test]
fn tens_and_fourteens_add_up() {
    let Some(folder) = data_folder() else { return };
    let (grid, queries) = scenario::load(&folder, "arena2");
    let model = CellCost::ten_fourteen(1.0);
    let mut nav = Navigator::with_model(grid, "human", model).expect("one agent");
    let outcome = search(&mut nav, &queries[queries.len() - 1].0);
    let spans = nav.corridor().spans();
    let cells: Vec<Cell> = spans.iter().filter_map(|&span| nav.grid().cell_of(span)).collect();
    let diagonal = |pair: &&[Cell]| pair[0].x != pair[1].x && pair[0].z != pair[1].z;
    let diagonals = cells.windows(2).filter(diagonal).count();
    let expected = 14 * diagonals + 10 * (cells.len() - 1 - diagonals);
    assert_eq!(outcome, Outcome::Complete);
    assert!(expected > 1000);
    assert_eq!(nav.corridor().cost(), expected as f32);
}
