//! Worlds: tiles that are baked from what each of them sees merge to the bytes of one bake.

use std::path::{Path, PathBuf};

use surefoot::NavGrid;
use surefoot::grid::Link;
use surefoot_bake::{BakeSettings, Baked, Scene, SceneSource, WorldBakeError, WorldTiling, bake};
use surefoot_testing::{data_folder, human_and_goat, load, name, repository};

/// Bakes all tiles of a scene, in an order of their numbers.
fn tiles(tiling: &WorldTiling, source: &SceneSource, order: &[usize]) -> Vec<Option<NavGrid>> {
    let mut tiles: Vec<Option<NavGrid>> = vec![None; tiling.tiles()];
    for &index in order {
        let input = tiling.input(source, index).expect("a tile");
        if input.colliders == 0 {
            continue;
        }
        let grid = tiling.bake_tile(source, index, &()).expect("it can be baked");
        let bytes = grid.to_bytes().expect("it can be written");
        let again = NavGrid::from_bytes(&bytes).expect("a tile is a grid");
        assert_eq!(again, grid);
        tiles[index] = Some(again);
    }
    tiles
}

/// Checks that the tiles of a scene merge to the bytes of one bake, and returns both.
fn check(scene: &Scene, settings: &BakeSettings, side: u32) -> Baked {
    let whole = bake(scene, settings, &()).expect("it can be baked");
    let source = SceneSource::new(scene.clone()).expect("a source");
    let tiling = WorldTiling::new(&source, settings, side).expect("a tiling");
    let mut order: Vec<usize> = (0..tiling.tiles()).collect();
    order.reverse();
    let merged = tiling.merge(&source, &tiles(&tiling, &source, &order), &());
    let merged = merged.unwrap_or_else(|error| panic!("{error}"));
    let generated = merged.grid.links().iter().filter(|link: &&Link| link.generated).count();
    println!(
        "{}: {} tiles of {side} cells, {} spans, {generated} generated links",
        scene.report.file,
        tiling.tiles(),
        merged.grid.spans().len(),
    );
    assert_eq!(differing(&merged, &whole), "", "{}: tiles of {side} cells", scene.report.file);
    let bytes = |baked: &Baked| baked.grid.to_bytes().expect("it can be written");
    assert!(bytes(&merged) == bytes(&whole), "{}: bytes", scene.report.file);
    merged
}

/// Says in what two bakes differ.
fn differing(a: &Baked, b: &Baked) -> String {
    let (x, y) = (a.grid.parts(), b.grid.parts());
    let layer = |at: usize| {
        let [x, y] = [x, y].map(|parts| &parts.layers[at]);
        let odd = x.standings.iter().zip(&y.standings).position(|(x, y)| x != y);
        match odd {
            _ if x == y => String::new(),
            Some(span) => format!(
                "agent {at}, span {span}: {:?} in place of {:?}; ",
                x.standings[span], y.standings[span]
            ),
            None => format!("agent {at} but for standings; "),
        }
    };
    let equal = [
        ("frame", x.frame == y.frame),
        ("first", x.first == y.first),
        ("spans", x.spans == y.spans),
        ("links", x.links == y.links),
        ("nodes", x.nodes == y.nodes),
        ("areas", x.areas == y.areas),
        ("provenance", x.provenance == y.provenance),
        ("problems", a.link_problems == b.link_problems),
        ("volumes", a.volumes == b.volumes),
        ("dropped regions", a.dropped_regions == b.dropped_regions),
    ];
    let odd = equal.iter().filter(|(_, is_equal)| !is_equal).map(|(name, _)| format!("{name}; "));
    odd.collect::<String>()
        + &(0..x.layers.len().min(y.layers.len())).map(layer).collect::<String>()
}

fn real(file: &str) -> Option<PathBuf> {
    let folder = data_folder();
    if folder.is_none() {
        println!("skipped: the test data is absent");
    }
    Some(folder?.join("scenes").join(file))
}

fn own(file: &str) -> PathBuf {
    repository().join("scenes").join(file)
}

fn check_file(path: &Path, settings: &BakeSettings, sides: &[u32]) {
    assert!(path.exists(), "{}", name(path));
    let scene = load(path);
    for &side in sides {
        check(&scene, settings, side);
    }
}

#[test]
fn tiles_of_own_scenes_merge_to_one_bake() {
    check_file(&own("village.glb"), &human_and_goat(0.8, true), &[64]);
    check_file(&own("two_storeys.glb"), &human_and_goat(0.12, true), &[64]);
    check_file(&own("spiral_tower.glb"), &human_and_goat(0.12, false), &[64]);
    check_file(&own("gaps.gltf"), &human_and_goat(0.12, true), &[64]);
}

#[test]
fn tiles_of_real_scenes_merge_to_one_bake() {
    for (file, cell_size, jumps, side) in [
        ("dungeon.gltf", 0.5, true, 64),
        ("undulating.glb", 0.9, true, 128),
        ("quake_dm2.glb", 0.45, true, 64),
        ("town_model.gltf", 2.8, false, 64),
    ] {
        let Some(path) = real(file) else { return };
        check_file(&path, &human_and_goat(cell_size, jumps), &[side]);
    }
}

#[test]
fn small_regions_are_dropped_from_the_whole_world_alone() {
    let scene = load(&own("village.glb"));
    let settings = BakeSettings { min_region_area: 8.0, ..human_and_goat(0.9, true) };
    let merged = check(&scene, &settings, 64);
    assert!(merged.dropped_regions.iter().any(|dropped| dropped.regions > 0));
}

#[test]
fn tiles_that_are_mixed_up_are_refused() {
    let scene = load(&own("village.glb"));
    let settings = human_and_goat(0.7, false);
    let source = SceneSource::new(scene).expect("a source");
    let tiling = WorldTiling::new(&source, &settings, 64).expect("a tiling");
    let order: Vec<usize> = (0..tiling.tiles()).collect();
    let sound = tiles(&tiling, &source, &order);
    assert!(sound.iter().flatten().count() > 1);
    let mut swapped = sound.clone();
    swapped.swap(0, 1);
    let error = tiling.merge(&source, &swapped, &()).expect_err("swapped");
    assert!(error.to_string().contains("other cells"), "{error}");
    let error = tiling.merge(&source, &sound[1..], &()).expect_err("one is missing");
    assert!(matches!(error, WorldBakeError::Tile { .. }), "{error}");
    let error = tiling.input(&source, 9999).expect_err("no such tile");
    assert!(error.to_string().contains("there is no tile 9999"), "{error}");
}
