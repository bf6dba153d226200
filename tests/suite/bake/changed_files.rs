//! Grids that follow a scene that changed, without anything but the older grid: when parts are copied, when
//! everything is baked, and when neither is possible. Edits at random are in `live.rs`.

use surefoot::grid::{Area, LinkKind};
use surefoot::{Agent, NavGrid};
use surefoot_bake::scene::{
    LinkMarker, Placement, SceneBuilder, Volume, VolumeEffect, VolumeShape,
};
use surefoot_bake::{
    BakeSettings, Scene, UpdateError, UpdatedGrid, WholeBakeReason, bake, update_grid,
};

fn settings() -> BakeSettings {
    let agents = vec![Agent { jump_across: 1.5, drop: 2.0, ..Agent::new("human") }];
    BakeSettings { cell_size: Some(0.25), agents, ..Default::default() }
}

/// A yard 40 m square with two blocks to jump between, and more of a test's choice.
fn yard(name: &str, more: impl FnOnce(&mut SceneBuilder)) -> Scene {
    let mut builder = SceneBuilder::new(name);
    builder.cuboid("ground", [20.0, 0.5, 20.0], Placement::at([0.0, -0.5, 0.0]));
    for x in [-12.0, -8.0] {
        builder.cuboid("block", [1.5, 1.5, 4.0], Placement::at([x, 0.5, -10.0]));
    }
    more(&mut builder);
    builder.build().expect("a sound scene")
}

fn whole(scene: &Scene, settings: &BakeSettings) -> NavGrid {
    bake(scene, settings, &()).expect("it bakes").grid
}

fn bytes(grid: &NavGrid) -> Vec<u8> {
    grid.to_bytes().expect("it can be written")
}

/// Updates the file of a grid, and compares with a whole bake.
#[track_caller]
fn check(old: &NavGrid, scene: &Scene, settings: &BakeSettings) -> UpdatedGrid {
    let old = NavGrid::from_bytes(&bytes(old)).expect("it loads");
    let updated = update_grid(&old, scene, settings, &()).expect("it bakes");
    let expected = bake(scene, settings, &()).expect("it bakes");
    assert!(bytes(&updated.baked.grid) == bytes(&expected.grid));
    assert_eq!(updated.baked.link_problems, expected.link_problems);
    assert_eq!(updated.baked.volumes, expected.volumes);
    assert_eq!(updated.baked.dropped_regions, expected.dropped_regions);
    assert_eq!(updated.cells, expected.grid.frame().cells());
    if updated.baked_whole.is_some() {
        assert_eq!(updated.cells_baked, updated.cells);
    }
    updated
}

fn add_crate(builder: &mut SceneBuilder) {
    builder.cuboid("crate", [0.5, 0.5, 0.5], Placement::at([8.0, 0.5, 8.0]));
}

#[test]
fn what_did_not_change_is_copied() {
    let (before, after) = (yard("yard", |_| ()), yard("yard", add_crate));
    let old = whole(&before, &settings());
    assert!(old.links().iter().any(|link| link.generated));
    let same = check(&old, &before, &settings());
    assert_eq!((same.cells_baked, same.colliders_added, same.colliders_removed), (0, 0, 0));
    let more = check(&old, &after, &settings());
    assert_eq!((more.colliders_added, more.colliders_removed), (1, 0));
    assert!(0 < more.cells_baked && more.cells_baked < more.cells / 4, "{}", more.cells_baked);
    let fewer = check(&more.baked.grid, &before, &settings());
    assert_eq!((fewer.colliders_added, fewer.colliders_removed), (0, 1));
    assert_eq!(bytes(&fewer.baked.grid), bytes(&old));
}

/// Equal colliders are counted, since the scene's hash counts them.
#[test]
fn one_of_equal_colliders_may_go() {
    let twice = yard("yard", |builder| (0..2).for_each(|_| add_crate(builder)));
    let old = whole(&twice, &settings());
    let updated = check(&old, &yard("yard", add_crate), &settings());
    assert_eq!((updated.colliders_added, updated.colliders_removed), (0, 1));
}

#[test]
fn links_are_snapped_anew() {
    let with_link = yard("yard", |builder| {
        for x in [10.0, 100.0] {
            builder.link(LinkMarker {
                name: "tunnel".to_owned(),
                from: [-10.0, 0.0, 5.0].into(),
                to: [x, 0.0, 5.0].into(),
                kind: LinkKind::Door,
                ..LinkMarker::default()
            });
        }
    });
    let updated = check(&whole(&yard("yard", |_| ()), &settings()), &with_link, &settings());
    assert_eq!((updated.cells_baked, updated.baked_whole), (0, None));
    assert!(!updated.baked.link_problems.is_empty());
}

#[test]
fn routes_are_not_kept() {
    let scene = yard("yard", |_| ());
    let mut grid = whole(&scene, &settings());
    let order = surefoot::cch::find_order(&grid, surefoot::AgentId(0), &()).expect("an order");
    grid = grid.with_order(surefoot::AgentId(0), order).expect("it fits");
    check(&grid, &scene, &settings());
}

#[test]
fn everything_is_baked_where_that_is_due() {
    let scene = yard("yard", add_crate);
    let old = whole(&scene, &settings());
    let reason = |scene: &Scene, settings: &BakeSettings| {
        check(&old, scene, settings).baked_whole.expect("everything is baked")
    };
    let finer = BakeSettings { cell_size: Some(0.2), ..settings() };
    assert_eq!(reason(&scene, &finer), WholeBakeReason::Settings);
    let pool = yard("yard", |builder| {
        let pool = Area { name: "pool".to_owned(), forbidden: true, ..Area::walkable() };
        let effect = VolumeEffect::Area(builder.area(pool));
        let shape = VolumeShape::Sphere { center: [3.0, 0.0, 3.0].into(), radius: 2.0 };
        builder.volume(Volume { name: "pool".to_owned(), shape, effect });
    });
    assert_eq!(reason(&pool, &settings()), WholeBakeReason::Surroundings);
    let annex = yard("yard", |builder| {
        builder.cuboid("annex", [5.0, 0.5, 5.0], Placement::at([24.0, -0.5, 0.0]));
    });
    assert_eq!(reason(&annex, &settings()), WholeBakeReason::Extent);
    let roof = yard("yard", |builder| {
        builder.cuboid("roof", [19.0, 0.5, 19.0], Placement::at([0.0, 4.0, 0.0]));
    });
    assert_eq!(reason(&roof, &settings()), WholeBakeReason::MostChanged);
    for (settings, expected) in [
        (BakeSettings { min_region_area: 2.0, ..settings() }, WholeBakeReason::SmallRegions),
        (
            BakeSettings { bounds: Some([-9.0, -9.0, 9.0, 9.0]), ..settings() },
            WholeBakeReason::Bounds,
        ),
    ] {
        let old = whole(&scene, &settings);
        let updated = check(&old, &yard("yard", |_| ()), &settings);
        assert_eq!(updated.baked_whole, Some(expected));
    }
}

#[test]
fn another_scene_is_refused_and_a_renamed_one_is_not() {
    let old = whole(&yard("yard", |_| ()), &settings());
    let renamed = check(&old, &yard("court", add_crate), &settings());
    assert_eq!(renamed.baked_whole, None);
    assert_eq!(renamed.baked.grid.provenance().scene, "court");
    let mut other = SceneBuilder::new("hall");
    other.cuboid("floor", [20.0, 0.5, 20.0], Placement::at([0.0, -0.5, 0.0]));
    let other = other.build().expect("a sound scene");
    let error = update_grid(&old, &other, &settings(), &()).expect_err("another scene");
    let expected = UpdateError::OtherScene {
        older: "yard".to_owned(),
        scene: "hall".to_owned(),
        same: 0,
        colliders: 1,
    };
    assert_eq!(error, expected);
    let text = error.to_string();
    assert!(text.contains("\"yard\"") && text.contains("0 of the 1 colliders"), "{text}");
}

#[test]
fn a_grid_without_a_record_is_refused() {
    let scene = yard("yard", |_| ());
    let mut parts = whole(&scene, &settings()).into_parts();
    parts.provenance.record = None;
    let old = NavGrid::new(parts).expect("sound parts");
    assert_eq!(update_grid(&old, &scene, &settings(), &()), Err(UpdateError::NoRecord));
}

#[test]
fn a_scene_that_cannot_be_baked_is_refused() {
    let old = whole(&yard("yard", |_| ()), &settings());
    let empty = SceneBuilder::new("yard").build().expect("a sound scene");
    let error = update_grid(&old, &empty, &settings(), &()).expect_err("nothing to bake");
    assert!(matches!(error, UpdateError::Bake(_)), "{error}");
}
