//! What else a query is made of: straightening against the search before it, lines of sight, cost
//! fields, and goals that cannot be reached.

use std::hint::black_box;
use std::time::Instant;

use surefoot::grid::Cell;
use surefoot::path::{GridSight, Progress, Sight};
use surefoot::search::{CostField, Engine, FieldQuery, Query};
use surefoot::view::{NavPoint, View};
use surefoot::{HeightCost, Navigator};

use crate::figures::spread;
use crate::levels::Level;
use crate::pairs::pairs;

const QUERIES: usize = 1000;
const TURNS: usize = 20;

/// Prints a line a level.
pub fn print() {
    println!("\nParts: median µs of a search and of straightening what it found; sight; fields\n");
    println!(
        "| level | search | straighten | share | ns a cell of sight | field, M spans/s | unreachable, ns |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for level in Level::all() {
        let mut nav = level.navigator(HeightCost::default());
        let [search, straighten] = search_and_straighten(&mut nav);
        println!(
            "| {} | {search:.0} | {straighten:.0} | {:.2} | {:.1} | {:.1} | {:.0} |",
            level.name,
            straighten / search,
            sight(nav.view()),
            field(&nav),
            unreachable(&mut nav),
        );
    }
}

fn search_and_straighten(nav: &mut Navigator) -> [f64; 2] {
    let (mut searching, mut straightening) = (Vec::new(), Vec::new());
    for [from, to] in pairs(nav.view(), QUERIES, true) {
        let query = Query::new(from.point, to.point);
        let start = Instant::now();
        nav.begin_search(&query);
        while nav.advance(u32::MAX) == Progress::Running {}
        searching.push(start.elapsed().as_secs_f64() * 1e6);
        let start = Instant::now();
        black_box(nav.finish());
        straightening.push(start.elapsed().as_secs_f64() * 1e6);
    }
    [spread(searching)[0], spread(straightening)[0]]
}

/// Nanoseconds for each border between cells that a clear line crosses.
fn sight(view: &View) -> f64 {
    let clear = |[from, to]: &[NavPoint; 2]| GridSight.is_clear(view, from, to);
    let lines: Vec<_> = pairs(view, 20 * QUERIES, true).into_iter().filter(clear).collect();
    let cell = |end: &NavPoint| view.grid().cell_of(end.span).unwrap_or(Cell::new(0, 0));
    let borders = |[from, to]: &[NavPoint; 2]| {
        let (from, to) = (cell(from), cell(to));
        from.x.abs_diff(to.x) + from.z.abs_diff(to.z)
    };
    let crossed: u32 = lines.iter().map(borders).sum();
    let turn = || {
        let start = Instant::now();
        lines.iter().for_each(|line| assert!(black_box(clear(line))));
        start.elapsed().as_secs_f64() * 1e9 / f64::from(crossed)
    };
    spread(std::iter::repeat_with(turn).take(TURNS).collect())[0]
}

/// Millions of spans that a field reaches in a second.
fn field(nav: &Navigator) -> f64 {
    let mut field = CostField::default();
    let rates = pairs(nav.view(), TURNS, true).into_iter().map(|[source, _]| {
        let sources = [source.span];
        let start = Instant::now();
        nav.fill(&mut field, &FieldQuery::to(&sources));
        field.reached().len() as f64 / start.elapsed().as_secs_f64() / 1e6
    });
    spread(rates.collect())[0]
}

/// Nanoseconds until it is known that a goal cannot be reached.
fn unreachable(nav: &mut Navigator) -> f64 {
    let apart = pairs(nav.view(), QUERIES, false);
    let times = apart.iter().map(|[from, to]| {
        let engine = Some(Engine::AStar);
        let query = Query { snap_radius: Some(0.0), engine, ..Query::new(from.point, to.point) };
        let start = Instant::now();
        for _ in 0..TURNS {
            black_box(nav.find(&query));
        }
        start.elapsed().as_secs_f64() * 1e9 / TURNS as f64
    });
    spread(times.collect())[0]
}
