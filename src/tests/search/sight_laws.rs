//! Lines of sight, held against every cell they pass.

use nalgebra::{Point3, Vector3};

use crate::agent::Agent;
use crate::cost::model::HeightCost;
use crate::grid::{Cell, GridFrame, NavGrid, SpanId};
use crate::path::Straightening;
use crate::path::path_search::PathSearch;
use crate::path::sight::{GridSight, Sight};
use crate::search::query::Query;
use crate::view::NavPoint;
use crate::view::View;

use crate::tests::search::cases::cases;
use crate::tests::search::random::Random;
use crate::tests::search::random_grids::{AGENT, flat};

/// A place on the ground over a random span: anywhere in the cell, often on its borders.
fn place(view: &View, span: SpanId, random: &mut Random) -> NavPoint {
    let center = NavPoint::center(&view.parts(), span);
    let size = view.cell_size();
    // The low borders belong to the cell, the high ones to its neighbors.
    let mut off = || match random.below(4) {
        0 => -0.5,
        1 => 0.0,
        _ => random.below(1024) as f32 / 1024.0 - 0.5,
    };
    let point = center.point + Vector3::new(off() * size, 0.0, off() * size);
    NavPoint { span, point: Point3::new(point.x, center.point.y, point.z) }
}

#[test]
fn sight_is_symmetric() {
    let mut clear = 0;
    for mut case in cases(0..3000) {
        let mut random = case.random.clone();
        for _ in 0..10 {
            let ends = [case.span(), case.span()];
            let view = case.view();
            let [from, to] = ends.map(|span| place(&view, span, &mut random));
            let there = GridSight.is_clear(&view, &from, &to);
            let back = GridSight.is_clear(&view, &to, &from);
            assert_eq!(there, back, "seed {}: {from:?} {to:?}", case.seed);
            clear += usize::from(there);
        }
    }
    assert!(clear > 2000, "{clear}");
}

/// A line that is clear onto one span is not clear onto another floor of the same column.
#[test]
fn sight_ends_on_one_floor_only() {
    let mut others = 0;
    for mut case in cases(0..3000) {
        let mut random = case.random.clone();
        for _ in 0..10 {
            let ends = [case.span(), case.span()];
            let view = case.view();
            let [from, to] = ends.map(|span| place(&view, span, &mut random));
            if !GridSight.is_clear(&view, &from, &to) {
                continue;
            }
            let column = view.parts().column(to.span.0);
            for span in case.grid.column_range(column).filter(|&span| span != to.span.0) {
                let other = NavPoint { span: SpanId(span), ..to };
                assert!(!GridSight.is_clear(&view, &from, &other), "seed {}", case.seed);
                others += 1;
            }
        }
    }
    assert!(others > 500, "{others}");
}

/// Subcells to a cell: everything below is whole numbers of them.
const SUB: i64 = 1024;

/// Whether a segment passes through the inside of a cell, at more than a point; ends in subcells
/// from the cell's least corner.
fn passes([from, to]: [[i64; 2]; 2]) -> bool {
    // The part of the segment inside, as two fractions; compared by multiplying out.
    let (mut enter, mut leave) = ((0, 1), (1, 1));
    let less = |a: (i64, i64), b: (i64, i64)| a.0 * b.1 < b.0 * a.1;
    for axis in 0..2 {
        let length = to[axis] - from[axis];
        if length == 0 {
            // A line along a border runs in the cell that the border belongs to.
            if !(0..SUB).contains(&from[axis]) {
                return false;
            }
            continue;
        }
        let (near, far) = if length > 0 { (0, SUB) } else { (SUB, 0) };
        let part = |at: i64| ((at - from[axis]) * length.signum(), length.abs());
        if less(enter, part(near)) {
            enter = part(near);
        }
        if less(part(far), leave) {
            leave = part(far);
        }
    }
    less(enter, leave)
}

/// Whether all cells that a segment passes or touches at a corner have ground.
fn is_open(grid: &NavGrid, ends: [[i64; 2]; 2]) -> bool {
    let frame = grid.frame();
    let open = |x: i64, z: i64| {
        let cell = Cell::new(frame.min.x + x as i32, frame.min.z + z as i32);
        !grid.column_spans(cell).is_empty()
    };
    let (size_x, size_z) = (i64::from(frame.size_x), i64::from(frame.size_z));
    for x in 0..size_x {
        for z in 0..size_z {
            let local = ends.map(|[px, pz]| [px - x * SUB, pz - z * SUB]);
            if passes(local) && !open(x, z) || cuts(local) && !around(x, z, open) {
                return false;
            }
        }
    }
    true
}

/// Whether a slanting segment passes through a cell's least corner, or ends there coming from the
/// cell across it.
fn cuts([from, to]: [[i64; 2]; 2]) -> bool {
    let along = [to[0] - from[0], to[1] - from[1]];
    let on_line = from[0] * along[1] == from[1] * along[0];
    let apart = |axis: usize| {
        let (low, high) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
        low < 0 && 0 <= high
    };
    // Falling lines through a corner touch it from the sides that the corner does not belong to.
    let rising = along[0] * along[1] > 0;
    let falling = along[0] * along[1] < 0;
    let inside = |axis: usize| from[axis].min(to[axis]) < 0 && from[axis].max(to[axis]) > 0;
    on_line && (rising && apart(0) && apart(1) || falling && inside(0) && inside(1))
}

/// Whether the four cells round a cell's least corner are open.
fn around(x: i64, z: i64, open: impl Fn(i64, i64) -> bool) -> bool {
    open(x, z) && open(x - 1, z) && open(x, z - 1) && open(x - 1, z - 1)
}

#[test]
fn sight_on_flat_ground_is_what_every_cell_says() {
    let mut random = Random(11);
    let mut counts = [0; 2];
    for _ in 0..1500 {
        let size = [0; 2].map(|_| 1 + random.below(9) as u32);
        let holes = random.pick(&[5, 15]);
        let grid = flat(size, holes, &mut random);
        if grid.spans().is_empty() {
            continue;
        }
        let view = View::new(&grid, AGENT).expect("an agent");
        for _ in 0..10 {
            let spans = [0; 2].map(|_| SpanId(random.below(grid.spans().len()) as u32));
            let [from, to] = spans.map(|span| place(&view, span, &mut random));
            let ends = [from, to].map(|end| grid.frame().subcells(end.point.x, end.point.z));
            let clear = GridSight.is_clear(&view, &from, &to);
            assert_eq!(clear, is_open(&grid, ends), "{from:?} {to:?}");
            counts[usize::from(clear)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 2000), "{counts:?}");
}

/// Where nothing is in the way the straight line is the path, whatever the corridor.
#[test]
fn a_clear_line_is_the_whole_path() {
    let mut random = Random(12);
    let mut search = PathSearch::default();
    let mut clear = 0;
    for _ in 0..1500 {
        let grid = flat([9, 7], 8, &mut random);
        let view = View::new(&grid, AGENT).expect("an agent");
        let spans = [0; 2].map(|_| SpanId(random.below(grid.spans().len()) as u32));
        let [from, to] = spans.map(|span| place(&view, span, &mut random));
        let query = Query::new(from.point, to.point);
        let model = HeightCost::default();
        let straight = GridSight.is_clear(&view, &from, &to);
        let whole = search.path(&view, &model, &query).clone();
        super::cases::run(&mut search, (&view, &model), &query);
        let pulled = search.straighten(&view, &model, Straightening::whole(None));
        for path in [whole.path(), pulled.path()].into_iter().flatten() {
            assert_eq!(path.waypoints().len() == 2, straight, "{from:?} {to:?}");
            let least = (to.point - from.point).norm();
            assert!(path.length() >= least * 0.9999, "{from:?} {to:?}");
            assert!(!straight || path.length() <= least * 1.0001, "{from:?} {to:?}");
            clear += usize::from(straight);
        }
    }
    assert!(clear > 500, "{clear}");
}

/// Sight along and over the borders of cells: which cells a line on a border runs through.
#[test]
fn a_line_on_a_border_runs_in_the_cell_above_it() {
    let frame = GridFrame { cell_size: 1.0, min: Cell::new(0, 0), size_x: 4, size_z: 2 };
    let nan = f32::NAN;
    let heights = [0.0, nan, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("walker")]).expect("flat");
    let view = View::new(&grid, AGENT).expect("an agent");
    let at = |x: f32, z: f32| {
        let span = grid.span_at([x, 0.0, z], 1.0).expect("ground");
        NavPoint { span, point: Point3::new(x, 0.0, z) }
    };
    assert!(GridSight.is_clear(&view, &at(0.5, 1.0), &at(3.5, 1.0)));
    assert!(!GridSight.is_clear(&view, &at(0.5, 0.99), &at(3.5, 1.0)));
    // Through the hole's corners, from both sides.
    assert!(!GridSight.is_clear(&view, &at(0.5, 0.5), &at(1.5, 1.5)));
    assert!(!GridSight.is_clear(&view, &at(2.5, 0.5), &at(1.5, 1.5)));
    assert!(GridSight.is_clear(&view, &at(2.5, 0.5), &at(3.5, 1.5)));
}
