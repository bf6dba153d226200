//! Laws of nearest walls.

use std::collections::BTreeSet;
use std::f32::consts::TAU;
use std::sync::Arc;

use crate::follow::slide::slide;
use crate::grid::{CellOffset, Dir, NavGrid, SpanId, nearest_on_segment};
use crate::tests::follow::room_laws::with_rooms;
use crate::tests::search::cases::cases;
use crate::tests::search::random::Random;
use crate::tests::search::random_grids::{AGENT, flat};
use crate::view::{NavPoint, Obstacle, Overlay, View, ViewRef, WallSearch};

/// A place over a random span that the agent can stand on, and in its room.
fn place(view: &View, span: SpanId, random: &mut Random) -> NavPoint {
    let parts = view.parts();
    let offset = [0; 2].map(|_| random.between(-0.499, 0.499));
    let [x, z] = parts.place_in_cell(parts.column(span.0), offset);
    NavPoint::at(&parts, span, [x, 0.0, z].into()).in_room(&parts)
}

/// The view with a few obstacles.
fn blocked(view: &View, random: &mut Random) -> View {
    let mut overlay = Overlay::new(view.grid());
    for _ in 0..3 {
        let span = SpanId(random.below(view.grid().spans().len()) as u32);
        let base = view.grid().point(span).expect("a span");
        let radius = random.between(0.1, 1.0) * view.cell_size();
        overlay.block(Obstacle::Cylinder { base, radius, height: 2.0 }).expect("a shape");
    }
    view.with_overlay(Arc::new(overlay)).expect("its own grid")
}

/// The borders of a span's cell that no connection crosses, from the center of the cell [cells].
fn closed_borders(view: &ViewRef, span: u32) -> Vec<[[f32; 2]; 2]> {
    let closed = Dir::STRAIGHT.iter().filter(|&&dir| !view.connections().has_connection(span, dir));
    let border = |dir: &Dir| {
        let CellOffset { x, z } = dir.offset();
        let [x, z] = [x as f32 / 2.0, z as f32 / 2.0];
        [[x - z, z + x], [x + z, z - x]]
    };
    closed.map(border).collect()
}

/// The distance of a place from the closed borders of all spans that connections lead to [m].
fn by_brute_force(view: &View, from: &NavPoint) -> f32 {
    let parts = view.parts();
    let mut seen = BTreeSet::from([from.span]);
    let mut open = vec![from.span];
    let mut least = f32::INFINITY;
    while let Some(span) = open.pop() {
        let to = parts.offset_in_cell(parts.column(span.0), [from.point.x, from.point.z]);
        for border in closed_borders(&parts, span.0) {
            let near = nearest_on_segment(to, border);
            least = least.min((near[0] - to[0]).hypot(near[1] - to[1]));
        }
        let next = Dir::ALL.into_iter().filter_map(|dir| view.neighbor(span, dir));
        open.extend(next.filter(|&next| seen.insert(next)));
    }
    least * view.cell_size()
}

#[test]
fn on_one_floor_no_wall_of_the_connected_ground_is_nearer() {
    let mut search = WallSearch::default();
    let (mut near, mut none) = (0, 0);
    for seed in 0..60 {
        let random = &mut Random(seed);
        let holes = random.pick(&[0, 2, 10, 30]);
        let grid: NavGrid = flat([1 + random.below(30) as u32, 20], holes, random);
        let view = View::new(&grid, AGENT).expect("its agent");
        let view = if seed % 2 == 0 { view } else { blocked(&view, random) };
        for _ in 0..40 {
            let span = SpanId(random.below(grid.spans().len().max(1)) as u32);
            if !view.is_walkable(span) {
                continue;
            }
            let from = place(&view, span, random);
            let expected = by_brute_force(&view, &from);
            for radius in [0.3, 1.7, 100.0] {
                let found = search.nearest(&view, &from, radius);
                assert_eq!(found, view.nearest_wall(&from, radius), "memory does not matter");
                match found {
                    Some(wall) => {
                        assert!((wall.distance - expected).abs() < 1e-4, "seed {seed}: {wall:?}");
                        near += 1;
                    }
                    None => {
                        assert!(expected > radius - 1e-4, "seed {seed}: {expected} in {radius}");
                        none += 1;
                    }
                }
                let has = |clearance| search.clone().has_clearance(&view, &from, clearance);
                assert!(has(expected - 1e-3) && !has(expected + 1e-3), "seed {seed}");
            }
        }
    }
    assert!(near > 2000 && none > 100, "{near} near, {none} none");
}

/// Whether a point lies on a closed border or in what a room leaves out, of any span.
fn is_wall(view: &View, [x, z]: [f32; 2]) -> bool {
    const NEAR: f32 = 1e-3;
    let parts = view.parts();
    let spans = (0..parts.spans().len() as u32).filter(|&span| view.is_walkable(SpanId(span)));
    let mut spans = spans.map(|span| (span, parts.offset_in_cell(parts.column(span), [x, z])));
    spans.any(|(span, at)| {
        let is_over = at.iter().all(|v| v.abs() <= 0.5 + NEAR);
        let is_on = |border| {
            let near = nearest_on_segment(at, border);
            (near[0] - at[0]).hypot(near[1] - at[1]) <= NEAR
        };
        let is_left_out = || {
            let room = parts.cell_room(SpanId(span));
            room.is_some_and(|cell| !cell.room.contains(at, -NEAR))
        };
        is_over && (closed_borders(&parts, span).into_iter().any(is_on) || is_left_out())
    })
}

/// Up to the wall the ground is open in all directions, and there is a wall: also among storeys,
/// ramps and obstacles, and where bodies have less room than their cells.
#[test]
fn up_to_the_wall_the_ground_is_open() {
    let [mut found, mut open, mut touching] = [0; 3];
    for mut case in cases(0..300) {
        if case.seed % 2 == 0 {
            with_rooms(&mut case);
        }
        let random = &mut case.random.clone();
        let view = if case.seed % 3 == 0 { blocked(&case.view(), random) } else { case.view() };
        let cell = view.cell_size();
        for _ in 0..10 {
            let span = random.pick(&case.walkable);
            if !view.is_walkable(span) {
                continue;
            }
            let from = place(&view, span, random);
            let radius = random.between(0.2, 4.0) * cell;
            let wall = view.nearest_wall(&from, radius);
            let reach = wall.map_or(radius, |wall| wall.distance);
            if let Some(wall) = wall {
                let (at, normal) = (wall.point, wall.normal);
                assert!(is_wall(&view, [at.x, at.z]), "seed {}: {wall:?}", case.seed);
                assert!((normal.norm() - 1.0).abs() < 1e-4 && normal.y == 0.0, "{normal}");
                if reach > 0.01 * cell {
                    let off = from.point - at;
                    let back = [normal.x * reach - off.x, normal.z * reach - off.z];
                    assert!(back[0].hypot(back[1]) < 1e-2 * cell, "seed {}: {wall:?}", case.seed);
                    found += 1;
                }
            }
            if reach < 0.02 * cell {
                touching += 1;
                continue;
            }
            for part in 0..24 {
                let angle = TAU * part as f32 / 24.0;
                let by = [angle.cos(), angle.sin()].map(|v| v * (reach - 0.01 * cell));
                let to = slide(&view, from, by).point;
                let off = [to.x - from.point.x - by[0], to.z - from.point.z - by[1]];
                let message = format!("seed {}: {from:?} by {by:?} to {to}", case.seed);
                assert!(off[0].hypot(off[1]) < 6e-3 * cell, "{message}");
                open += 1;
            }
        }
    }
    assert!(found > 1000 && open > 30_000 && touching > 20, "{found} {open} {touching}");
}

#[test]
fn known_walls_have_known_distances() {
    let map = "type octile\nheight 5\nwidth 7\nmap\n.......\n.......\n...@...\n.......\n.......\n";
    let grid = NavGrid::from_map(map, 2.0, &[]).expect("a map");
    let view = View::new(&grid, AGENT).expect("an agent");
    let at = |x: f32, z: f32| {
        let span = grid.span_at([x, 0.0, z], 0.1).expect("a floor");
        NavPoint { span, point: [x, 0.0, z].into() }
    };
    let check = |from: NavPoint, radius: f32, expected: Option<([f32; 2], f32)>| {
        let wall = view.nearest_wall(&from, radius);
        let found = wall.map(|wall| ([wall.point.x, wall.point.z], wall.distance));
        assert_eq!(found, expected, "{from:?} within {radius}");
    };
    // The pillar covers x from 6 to 8, z from 4 to 6.
    check(at(7.5, 3.0), 2.0, Some(([7.5, 4.0], 1.0)));
    check(at(7.5, 3.0), 1.0, Some(([7.5, 4.0], 1.0)));
    check(at(7.5, 3.0), 0.99, None);
    check(at(11.0, 2.0), 5.0, Some(([11.0, 0.0], 2.0)));
    let corner = view.nearest_wall(&at(5.4, 3.2), 5.0).expect("the pillar's corner");
    assert!((corner.distance - 1.0).abs() < 1e-5, "{corner:?}");
    assert!((corner.normal.x + 0.6).abs() < 1e-5 && (corner.normal.z + 0.8).abs() < 1e-5);
    let touching = view.nearest_wall(&at(7.0, 3.999), 1.0).expect("the pillar");
    assert!(touching.distance < 2e-3 && touching.normal.z == -1.0, "{touching:?}");
    assert!(view.has_clearance(&at(7.5, 3.0), 1.0) && !view.has_clearance(&at(7.5, 3.0), 1.01));
    // Under an obstacle the place itself is the wall.
    let mut overlay = Overlay::new(&grid);
    let base = [11.0, 0.0, 3.0].into();
    overlay.block(Obstacle::Cylinder { base, radius: 0.1, height: 2.0 }).expect("a shape");
    let closed = view.with_overlay(Arc::new(overlay)).expect("its own grid");
    let inside = closed.nearest_wall(&at(11.0, 3.0), 1.0).expect("it is the wall");
    assert_eq!((inside.distance, inside.normal.norm()), (0.0, 0.0));
    assert!(!closed.has_clearance(&at(11.0, 3.0), 0.0));
    assert_eq!(closed.nearest_wall(&at(11.0, 5.0), 2.0).map(|wall| wall.distance), Some(1.0));
}
