//! Grids from files: damaged ones, newer ones, and those that change while the program runs.

mod support;

use std::path::Path;
use std::time::Duration;

use bevy_app::App;
use bevy_asset::AssetServer;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::Messages;
use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::{NavGridFailed, NavGridSettings, surefoot};
use support::{add_agent, app_in, place, plain, plain_for, status, update};
use surefoot::{Agent, NavGrid};

const FILE: &str = "level.navgrid";

fn save(folder: &Path, grid: &NavGrid) {
    grid.save(folder.join(FILE)).expect("a folder");
}

/// A world on the file of a folder.
fn world_in(folder: &Path) -> (App, Entity) {
    let mut app = app_in(folder);
    let grid = app.world().resource::<AssetServer>().load(FILE);
    let world = app.world_mut().spawn(NavWorld::new(grid)).id();
    (app, world)
}

/// Files are read on other threads.
fn wait_until(app: &mut App, mut is_done: impl FnMut(&App) -> bool) {
    for _ in 0..2000 {
        app.update();
        if is_done(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("it did not happen within 10 s");
}

fn world_status(app: &App, world: Entity) -> &NavWorldStatus {
    app.world().get::<NavWorldStatus>(world).expect("a world")
}

fn failure(app: &App, world: Entity) -> String {
    match world_status(app, world) {
        NavWorldStatus::Failed { reason } | NavWorldStatus::KeptOldGrid { reason } => {
            reason.clone()
        }
        other => panic!("{other:?}"),
    }
}

fn reload(app: &App) {
    app.world().resource::<AssetServer>().reload(FILE);
}

#[test]
fn a_file_is_loaded_and_walked_on() {
    let folder = tempfile::tempdir().expect("a folder");
    save(folder.path(), &plain(20));
    let (mut app, world) = world_in(folder.path());
    let agent = add_agent(&mut app, Vec3::new(2.0, 0.0, 2.0));
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::new(9.0, 0.0, 9.0)));
    assert_eq!(status(&app, agent), NavStatus::NoGrid);
    wait_until(&mut app, |app| *world_status(app, world) == NavWorldStatus::Ready);
    update(&mut app, 400);
    assert_eq!(status(&app, agent), NavStatus::Arrived);
    assert!(place(&app, agent).distance(Vec3::new(9.0, 0.0, 9.0)) < 0.05);
}

#[test]
fn a_damaged_file_says_where_and_a_sound_one_in_its_place_is_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = plain(20).to_bytes().expect("bytes");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    std::fs::write(folder.path().join(FILE), &bytes).expect("a folder");
    let (mut app, world) = world_in(folder.path());
    let agent = add_agent(&mut app, Vec3::new(2.0, 0.0, 2.0));
    wait_until(&mut app, |app| matches!(world_status(app, world), NavWorldStatus::Failed { .. }));
    let reason = failure(&app, world);
    assert!(reason.contains("section") && reason.contains(FILE), "{reason}");
    assert!(!reason.contains('\n'), "one line: {reason}");
    assert_eq!(status(&app, agent), NavStatus::NoGrid);
    let mut messages = app.world_mut().resource_mut::<Messages<NavGridFailed>>();
    assert_eq!(messages.drain().collect::<Vec<_>>(), [NavGridFailed { world, reason }]);

    save(folder.path(), &plain(20));
    reload(&app);
    wait_until(&mut app, |app| *world_status(app, world) == NavWorldStatus::Ready);
    assert_eq!(status(&app, agent), NavStatus::Idle);
}

#[test]
fn a_file_of_a_newer_version_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bytes = plain(20).to_bytes().expect("bytes");
    bytes[8] = 99;
    std::fs::write(folder.path().join(FILE), &bytes).expect("a folder");
    let (mut app, world) = world_in(folder.path());
    wait_until(&mut app, |app| matches!(world_status(app, world), NavWorldStatus::Failed { .. }));
    assert!(failure(&app, world).contains("99"), "{}", failure(&app, world));
}

#[test]
fn a_file_that_takes_more_memory_than_allowed_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    save(folder.path(), &plain(20));
    let mut app = app_in(folder.path());
    let server = app.world().resource::<AssetServer>();
    let limit = |settings: &mut NavGridSettings| settings.memory_limit = 1000;
    let grid = server.load_builder().with_settings(limit).load(FILE);
    let world = app.world_mut().spawn(NavWorld::new(grid)).id();
    wait_until(&mut app, |app| matches!(world_status(app, world), NavWorldStatus::Failed { .. }));
    assert!(failure(&app, world).contains("1000 bytes"), "{}", failure(&app, world));
}

#[test]
fn a_missing_file_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut app, world) = world_in(folder.path());
    wait_until(&mut app, |app| matches!(world_status(app, world), NavWorldStatus::Failed { .. }));
    assert!(failure(&app, world).contains("level.navgrid"), "{}", failure(&app, world));
}

#[test]
fn on_hot_reload_a_damaged_file_leaves_the_old_grid_and_a_sound_one_replaces_it() {
    let folder = tempfile::tempdir().expect("a folder");
    save(folder.path(), &plain(20));
    let (mut app, world) = world_in(folder.path());
    let agent = add_agent(&mut app, Vec3::new(2.0, 0.0, 2.0));
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::new(18.0, 0.0, 18.0)));
    wait_until(&mut app, |app| *world_status(app, world) == NavWorldStatus::Ready);

    std::fs::write(folder.path().join(FILE), b"no grid at all").expect("a folder");
    reload(&app);
    wait_until(&mut app, |app| {
        matches!(world_status(app, world), NavWorldStatus::KeptOldGrid { .. })
    });
    assert!(failure(&app, world).contains("not a .navgrid"), "{}", failure(&app, world));
    let before = place(&app, agent);
    update(&mut app, 30);
    assert!(place(&app, agent).distance(before) > 0.5, "it walks on");

    save(folder.path(), &plain(40));
    reload(&app);
    let spans = |app: &App| {
        let crowd = app.world().get::<NavCrowd>(world).and_then(NavCrowd::crowd);
        crowd.expect("a crowd").grid().spans().len()
    };
    wait_until(&mut app, |app| spans(app) == 6400);
    assert_eq!(*world_status(&app, world), NavWorldStatus::Ready);
    update(&mut app, 600);
    assert_eq!(status(&app, agent), NavStatus::Arrived, "it keeps its target");
}

#[test]
fn a_grid_for_other_agents_begins_the_crowd_again() {
    let folder = tempfile::tempdir().expect("a folder");
    save(folder.path(), &plain(20));
    let (mut app, world) = world_in(folder.path());
    let human = add_agent(&mut app, Vec3::new(2.0, 0.0, 2.0));
    let cart = add_agent(&mut app, Vec3::new(5.0, 0.0, 5.0));
    app.world_mut().get_mut::<NavAgent>(cart).expect("an agent").agent = "cart".to_owned();
    wait_until(&mut app, |app| *world_status(app, world) == NavWorldStatus::Ready);
    update(&mut app, 1);
    let known = vec!["human".to_owned()];
    assert_eq!(status(&app, cart), NavStatus::UnknownAgent { known });

    let cart_only = Agent { radius: 0.6, ..Agent::new("cart") };
    save(folder.path(), &plain_for(20, &[cart_only]));
    reload(&app);
    wait_until(&mut app, |app| status(app, cart) == NavStatus::Idle);
    let known = vec!["cart".to_owned()];
    assert_eq!(status(&app, human), NavStatus::UnknownAgent { known });
}

#[test]
fn routes_are_prepared_in_the_background() {
    let folder = tempfile::tempdir().expect("a folder");
    save(folder.path(), &plain(30));
    let (mut app, world) = world_in(folder.path());
    let prepare = vec!["human".to_owned()];
    app.world_mut().get_mut::<NavWorld>(world).expect("a world").prepare = prepare;
    let agent = add_agent(&mut app, Vec3::new(2.0, 0.0, 2.0));
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::new(20.0, 0.0, 25.0)));
    wait_until(&mut app, |app| status(app, agent) == NavStatus::Following);
    assert_eq!(*world_status(&app, world), NavWorldStatus::Ready);

    let prepare = vec!["nobody".to_owned()];
    app.world_mut().get_mut::<NavWorld>(world).expect("a world").prepare = prepare;
    wait_until(&mut app, |app| matches!(world_status(app, world), NavWorldStatus::Failed { .. }));
    assert!(failure(&app, world).contains("nobody"), "{}", failure(&app, world));
    update(&mut app, 1);
    assert_eq!(status(&app, agent), NavStatus::NoGrid);
}
