//! What is seen and what is not.

use rapier3d::prelude::QueryFilter;
use surefoot::Agent;
use surefoot::path::Sight;
use surefoot::view::{Obstacle, Overlay};
use surefoot_bake::Scene;
use surefoot_bake::scene::{Placement, Triangles};
use surefoot_rapier::{CastSight, GridThenCast};

use super::level::{Level, block, ground, scene_of};

/// Ground of 48 by 6 m that waves along x: a trough at 0, crests of `height` every `length` metres.
fn waves(height: f32, length: f32) -> Scene {
    let corner = |i: u32, z: f32| {
        let x = i as f32 * 0.125;
        [x, 0.5 * height * (1.0 - (x * std::f32::consts::TAU / length).cos()), z]
    };
    let corners: Vec<_> = (0..=384).flat_map(|i| [corner(i, 0.0), corner(i, 6.0)]).collect();
    let strip = |i: u32| [[2 * i, 2 * i + 1, 2 * i + 2], [2 * i + 1, 2 * i + 3, 2 * i + 2]];
    let faces: Vec<_> = (0..384).flat_map(strip).collect();
    scene_of(|builder| {
        builder.mesh(
            "waves",
            Triangles { vertices: &corners, triangles: &faces },
            Placement::default(),
        );
    })
}

#[test]
fn the_body_follows_the_ground_over_hills_and_through_hollows() {
    let mut level = Level::human(&waves(3.0, 24.0));
    let over = [[4.0, 0.75, 3.0], [20.0, 0.75, 3.1]];
    assert_eq!(level.sees(over), [true, true]);
    assert!(!level.flies(over), "the straight line leads through the hill");
    let across = [[12.0, 3.0, 3.0], [36.0, 3.0, 3.1]];
    assert_eq!(level.sees(across), [true, true]);
    level.put([24.0, 0.5, 3.0], [0.5, 0.5, 0.5]);
    assert_eq!(level.sees(across), [true, false]);
    assert!(level.flies(across), "the straight line leads over the crate");
}

#[test]
fn a_thin_pole_between_the_centers_of_cells_is_seen() {
    let scene = scene_of(|builder| {
        ground(builder, 6.0, 6.0);
        builder.cylinder("pole", [1.0, 0.01], Placement::at([3.0, 1.0, 3.0]).obstacle());
    });
    let level = Level::new(&scene, Agent { radius: 0.2, ..Agent::new("thin") }, 0.5);
    let along = |z: f32| level.sees([[1.0, 0.0, z], [5.0, 0.0, z]]);
    // The grid knows how much room there is around the centers, which lie at 3.25.
    assert_eq!(along(3.1), [false, false]);
    assert_eq!(along(3.205), [false, false]);
    assert_eq!(along(3.25), [true, true]);
}

#[test]
fn a_beam_is_seen_at_the_height_of_the_head_and_not_above() {
    for (underside, clear) in [(1.75, false), (1.79, false), (1.81, true), (2.2, true)] {
        let mut level = Level::human(&scene_of(|builder| ground(builder, 8.0, 4.0)));
        level.put([4.1, underside + 0.05, 2.0], [0.01, 0.05, 2.0]);
        let ends = [[1.0, 0.0, 2.0], [7.0, 0.0, 1.5]];
        assert_eq!(level.sees(ends), [true, clear], "{underside}");
    }
}

#[test]
fn over_ripples_one_cast_covers_the_head_stays_on_the_body() {
    for (over_crest, clear) in [(1.77, false), (1.83, true)] {
        let mut level = Level::human(&waves(0.16, 4.0));
        level.put([22.0, 0.16 + over_crest + 0.5, 3.0], [0.01, 0.5, 3.0]);
        assert_eq!(level.sees([[4.0, 0.0, 3.0], [40.0, 0.0, 3.0]]), [true, clear], "{over_crest}");
    }
}

#[test]
fn what_is_lower_than_the_lift_passes_below() {
    for (top, clear) in [(0.1, true), (0.44, true), (0.5, false)] {
        let mut level = Level::human(&scene_of(|builder| ground(builder, 8.0, 4.0)));
        level.put([4.1, 0.5 * top, 2.0], [0.01, 0.5 * top, 2.0]);
        assert_eq!(level.sees([[1.0, 0.0, 2.0], [7.0, 0.0, 2.0]]), [true, clear], "{top}");
    }
}

#[test]
fn stairs_are_clear_up_and_down_along_and_aslant() {
    let level = Level::own("stairs.gltf");
    for [near, far] in [[3.5, 3.5], [2.6, 4.4], [4.3, 2.7], [3.0, 3.8]] {
        let ends = [[2.0, 0.0, near], [9.0, 2.0, far]];
        assert_eq!(level.sees(ends), [true, true], "{near} to {far}");
    }
    // Beside them two steps of a metre.
    assert_eq!(level.sees([[3.0, 0.0, 8.5], [8.5, 2.0, 8.5]]), [false, false]);
}

#[test]
fn a_cast_alone_crosses_a_pit_but_no_wall_and_no_storey() {
    let mut level = Level::human(&scene_of(|builder| {
        block(builder, "near", [[0.0, -1.0, 0.0], [4.0, 0.0, 4.0]]);
        block(builder, "far", [[6.0, -1.0, 0.0], [10.0, 0.2, 4.0]]);
        block(builder, "roof", [[0.0, 3.0, 0.0], [10.0, 3.2, 4.0]]);
    }));
    let across = [[2.0, 0.0, 2.0], [8.0, 0.2, 2.0]];
    assert_eq!(level.sees(across), [false, true]);
    assert_eq!(level.sees([[2.0, 0.0, 2.0], [8.0, 3.2, 2.0]]), [false, false]);
    assert_eq!(level.sees([[2.0, 0.0, 2.0], [2.0, 3.2, 2.0]]), [false, false]);
    assert_eq!(level.sees([[2.0, 0.0, 2.0], [2.0, 0.0, 2.0]]), [true, true]);
    level.put([5.0, 0.0, 2.0], [0.1, 3.0, 2.0]);
    assert_eq!(level.sees(across), [false, false]);
}

#[test]
fn obstacles_of_an_overlay_are_the_grids_part() {
    let level = Level::human(&scene_of(|builder| ground(builder, 8.0, 4.0)));
    let mut overlay = Overlay::new(&level.grid);
    let crate_box = Obstacle::Box {
        center: [4.0, 0.5, 2.0].into(),
        half: nalgebra::Vector3::new(0.5, 0.5, 0.5),
        yaw: 0.0,
    };
    overlay.block(crate_box).expect("a sound obstacle");
    let view = level.view().with_overlay(overlay.into()).expect("its grid");
    let [from, to] = [[1.0, 0.0, 2.0], [7.0, 0.0, 2.0]].map(|point| level.nav_point(point));
    assert!(!GridThenCast::new(&level.physics).is_clear(&view, &from, &to));
    assert!(CastSight::new(&level.physics).is_clear(&view, &from, &to));
}

#[test]
fn a_crate_dropped_after_the_bake_is_seen_unless_the_filter_leaves_it_out() {
    let mut level = Level::human(&scene_of(|builder| {
        ground(builder, 12.0, 2.0);
        block(builder, "left", [[0.0, 0.0, -0.2], [12.0, 3.0, 0.0]]);
        block(builder, "right", [[0.0, 0.0, 2.0], [12.0, 3.0, 2.2]]);
    }));
    level.drop_crate([6.0, 1.0, 1.0]);
    let ends = [[1.0, 0.0, 1.0], [11.0, 0.0, 1.0]];
    assert_eq!(level.sees(ends), [true, false]);
    let [from, to] = ends.map(|point| level.nav_point(point));
    for (filter, clear) in [
        (QueryFilter::exclude_dynamic(), true),
        (QueryFilter::exclude_fixed(), false),
        (QueryFilter::only_dynamic(), false),
    ] {
        let pipeline = level.physics.query_pipeline_with_filter(filter);
        let sight = GridThenCast::new(pipeline);
        assert_eq!(sight.is_clear(&level.view(), &from, &to), clear, "{:?}", filter.flags);
    }
}
