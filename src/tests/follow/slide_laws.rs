//! Laws of sliding.

use crate::agent::Agent;
use crate::follow::slide::slide;
use crate::grid::{Cell, GridFrame, NavGrid};
use crate::path::sight::{GridSight, Sight};
use crate::tests::follow::walker::ground;
use crate::tests::search::cases::cases;
use crate::view::NavPoint;
use crate::view::View;

/// A point that slides stays on the ground, in the cell of its span, within reach of the movement.
#[test]
fn sliding_never_leaves_the_ground() {
    let (mut slides, mut free) = (0, 0);
    for mut case in cases(0..300) {
        let span = case.span();
        let mut random = case.random.clone();
        let view = case.view();
        let mut at = NavPoint::center(&view.parts(), span);
        for _ in 0..40 {
            let by = [0; 2].map(|_| random.between(-3.0, 3.0) * view.cell_size());
            let to = slide(&view, at, by);
            let cell = case.grid.column_at(to.point).expect("inside the frame");
            assert!(case.grid.column_spans(cell).contains(&to.span.0), "seed {}", case.seed);
            assert!(view.is_walkable(to.span), "seed {}", case.seed);
            let height = case.grid.ground_height(to.point.x, to.point.z, to.span);
            assert_eq!(height, Some(to.point.y), "seed {}", case.seed);
            let moved = [to.point.x - at.point.x, to.point.z - at.point.z];
            let inset = 2e-3 * view.cell_size();
            for axis in [0, 1] {
                let within =
                    (by[axis].min(0.0) - inset..=by[axis].max(0.0) + inset).contains(&moved[axis]);
                assert!(within, "seed {}: {by:?} moved by {moved:?}", case.seed);
            }
            // A clear straight line is followed to its end.
            let goal = NavPoint {
                span: to.span,
                point: [at.point.x + by[0], to.point.y, at.point.z + by[1]].into(),
            };
            if GridSight.is_clear(&view, &at, &goal) {
                let off = (to.point - goal.point).norm();
                assert!(off <= inset, "seed {}: off by {off}", case.seed);
                free += 1;
            }
            slides += 1;
            at = to;
        }
    }
    assert!(free > 1000 && slides > 10 * free / 9, "{free} of {slides} free");
}

#[test]
fn a_wall_takes_only_the_movement_into_it() {
    let grid =
        NavGrid::from_map("type octile\nheight 3\nwidth 4\nmap\n....\n..@.\n....\n", 1.0, &[])
            .expect("a map");
    let view = View::new(&grid, crate::grid::AgentId(0)).expect("an agent");
    let slid = slide(&view, ground(&grid, [0.5, 1.5]), [3.0, 0.25]).point;
    assert!((1.99..2.0).contains(&slid.x) && slid.z == 1.75, "{slid}");
    // Past the end of the wall the movement continues.
    let slid = slide(&view, ground(&grid, [1.9, 1.9]), [1.0, 0.5]).point;
    assert!(slid.z > 2.3, "{slid}");
    let slid = slide(&view, ground(&grid, [0.5, 0.5]), [-9.0, -9.0]).point;
    assert!(slid.x > 0.0 && slid.z > 0.0 && slid.x < 1e-2 && slid.z < 1e-2, "{slid}");
    for by in [[f32::NAN, 0.0], [f32::INFINITY, 1.0], [0.0, 0.0]] {
        let from = ground(&grid, [0.5, 0.5]);
        assert_eq!(slide(&view, from, by), from, "{by:?}");
    }
}

#[test]
fn far_from_the_origin_points_stay_in_their_cells() {
    let min = Cell::new(400_000, -400_000);
    let frame = GridFrame { cell_size: 0.25, min, size_x: 8, size_z: 8 };
    let grid = NavGrid::from_heights(frame, &[0.0; 64], &[Agent::new("human")]).expect("level");
    let view = View::new(&grid, crate::grid::AgentId(0)).expect("an agent");
    let mut at = ground(&grid, [100_001.0, -99_999.0]);
    for by in [[9.0, 0.0], [0.0, -9.0], [-9.0, 9.0], [9.0, -0.3], [0.1, 9.0]] {
        at = slide(&view, at, by);
        let cell = grid.column_at(at.point).expect("inside the frame");
        assert!(grid.column_spans(cell).contains(&at.span.0), "{by:?}: {at:?}");
    }
}
