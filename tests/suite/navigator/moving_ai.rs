//! Scenarios of the Moving AI Lab: known shortest lengths, and no corner cut.
//!
//! A part of the queries of each map; `.ci/run` has the example `movingai` answer them all.

use surefoot::cost::{CellCost, HeightCost};
use surefoot::search::Outcome;
use surefoot::path::Progress;
use surefoot::navigator::Navigator;
use surefoot::view::View;
use surefoot::{AgentId, Cell};

use crate::support::{self, scenario};

/// Queries a map.
const QUERIES: usize = 40;

/// Panics where a diagonal step of the corridor has no floor on one side.
fn check_corners(terrain: &View, search: &Navigator) {
    let grid = terrain.grid();
    let open =
        |cell| grid.column_spans(cell).any(|span| terrain.is_walkable(surefoot::SpanId(span)));
    for pair in search.corridor().spans().windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|span| grid.cell_of(span).expect("a span"));
        assert!(open(Cell::new(from.x, to.z)) && open(Cell::new(to.x, from.z)), "{from:?} {to:?}");
    }
}

#[test]
fn ways_are_as_short_as_known_and_cut_no_corner() {
    let Some(folder) = support::data_folder() else { return };
    for map in scenario::MAPS {
        let (grid, asked) = scenario::load(&folder, map);
        let terrain = View::new(&grid, AgentId(0)).expect("one agent");
        let mut search = Navigator::default();
        for (query, known) in asked.iter().step_by(asked.len() / QUERIES) {
            search.begin(&terrain, &HeightCost::FLAT, query);
            while search.advance(&terrain, &HeightCost::FLAT, 10_000) == Progress::Running {}
            assert_eq!(search.outcome(), Outcome::Complete, "{map}: {query:?}");
            let length = search.corridor().length(&terrain);
            assert!(scenario::is_shortest(length, *known), "{map}: {length}, {query:?}");
            check_corners(&terrain, &search);
        }
        println!("{map}: {QUERIES} of {} queries", asked.len());
    }
}

/// With 10 and 14 the cheapest way may be another than the shortest; it costs a whole number.
#[test]
fn tens_and_fourteens_add_up() {
    let Some(folder) = support::data_folder() else { return };
    let (grid, asked) = scenario::load(&folder, "arena2");
    let terrain = View::new(&grid, AgentId(0)).expect("one agent");
    let (query, _) = &asked[asked.len() - 1];
    let model = CellCost::ten_fourteen(1.0);
    let mut search = Navigator::default();
    search.begin(&terrain, &model, query);
    while search.advance(&terrain, &model, u32::MAX) == Progress::Running {}
    let spans = search.corridor().spans();
    let cells: Vec<Cell> = spans.iter().filter_map(|&span| grid.cell_of(span)).collect();
    let diagonal = |pair: &&[Cell]| pair[0].x != pair[1].x && pair[0].z != pair[1].z;
    let diagonals = cells.windows(2).filter(diagonal).count();
    let expected = 14 * diagonals + 10 * (cells.len() - 1 - diagonals);
    assert_eq!(search.outcome(), Outcome::Complete);
    assert!(expected > 1000);
    assert_eq!(search.corridor().cost(), expected as f32);
}
