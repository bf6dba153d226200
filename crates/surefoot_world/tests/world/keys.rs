//! The keys of tiles: what is marked of a world is a matter of the tiles that see it.

use std::path::Path;

use surefoot::grid::{AreaId, GridFrame};
use surefoot_bake::scene::{LinkMarker, SceneMarks, VolumeShape};
use surefoot_bake::{Baked, WorldSource, bake};
use surefoot_world::{ComposedWorld, WorldFile, WorldJobs, WorldPlan, WorldRequest, WorldStore};

use crate::formats::EVERYWHERE;
use crate::tiles::{assert_same, marks, settings, write_world};

/// What became of a world with some marks in a store.
struct Outcome {
    plan: WorldPlan,
    /// How many tiles were baked.
    baked: usize,
    merged: Baked,
    /// The world baked at once.
    whole: Baked,
}

fn open(path: &Path, marks: &SceneMarks) -> ComposedWorld {
    let world = WorldFile::read(path).expect("a world").open(marks, 1 << 30, &());
    world.unwrap_or_else(|error| panic!("{error}"))
}

/// Plans and bakes a world, and merges it.
fn bake_in(store: &WorldStore, path: &Path, marks: &SceneMarks) -> Outcome {
    let world = open(path, marks);
    let request = WorldRequest { tile_side: 64, ..WorldRequest::new(path, settings()) };
    let plan = WorldPlan::new(&world, request, &()).expect("a plan");
    let jobs = WorldJobs::new(&world, &plan, store).expect("jobs");
    let baked = jobs.all_tiles(&()).expect("tiles");
    let merged = jobs.merge(&()).expect("a grid");
    let scene = world.scene_over(&EVERYWHERE).expect("all of it");
    let whole = bake(&scene, &settings(), &()).expect("it can be baked");
    Outcome { plan, baked, merged, whole }
}

/// The cells of the tiles whose keys differ.
fn changed(before: &WorldPlan, after: &WorldPlan) -> Vec<GridFrame> {
    let both = before.tiles.iter().zip(&after.tiles);
    both.filter(|(one, other)| one.key != other.key).map(|(one, _)| one.own).collect()
}

#[test]
fn a_mark_is_baked_again_only_by_the_tiles_that_see_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write_world(folder.path());
    let store = WorldStore::in_memory();
    let first = bake_in(&store, &path, &marks());
    let tiles = first.plan.tiles.len();
    assert!(first.baked == tiles && tiles > 20, "{} of {tiles}", first.baked);
    assert_same(&first.merged, &first.whole);

    // A link is found when tiles are merged.
    let mut linked = marks();
    let ferry = linked.links[0].clone();
    let (from, to) = ([12.0, 0.0, 52.0].into(), [30.0, 0.0, 60.0].into());
    linked.links.push(LinkMarker { name: "bridge".to_owned(), from, to, ..ferry });
    let second = bake_in(&store, &path, &linked);
    assert_eq!((second.baked, changed(&first.plan, &second.plan)), (0, Vec::new()));
    assert_ne!(second.plan.source_hash, first.plan.source_hash);
    assert_same(&second.merged, &second.whole);
    let links = [&first, &second].map(|outcome| outcome.merged.grid.links().len());
    assert!(links[0] < links[1], "{links:?}");

    // A volume changes the tiles around where it was and where it is.
    let mut moved = linked.clone();
    let VolumeShape::Sphere { center, .. } = &mut moved.volumes[0].shape else { panic!("a pond") };
    center.x += 1.5;
    let third = bake_in(&store, &path, &moved);
    let near = changed(&second.plan, &third.plan);
    assert!(third.baked == near.len() && (1..tiles / 2).contains(&near.len()), "{near:?}");
    let under = first.plan.frame.cell_at(50.0, 40.0);
    assert!(near.iter().any(|own| own.index(under).is_some()), "{near:?}");
    assert_same(&third.merged, &third.whole);
    let ice = |outcome: &Outcome| -> Vec<AreaId> {
        outcome.merged.grid.spans().iter().map(|span| span.area()).collect()
    };
    assert_ne!(ice(&second), ice(&third));

    // An area more has every tile's areas renumbered.
    let mut renamed = moved.clone();
    renamed.volumes[0].area = Some("alga".to_owned());
    let fourth = bake_in(&store, &path, &renamed);
    assert_eq!(fourth.baked, tiles);
    assert_same(&fourth.merged, &fourth.whole);
    // All tiles of the plan before are still there.
    assert_eq!(bake_in(&store, &path, &moved).baked, 0);
}
