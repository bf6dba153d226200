//! Baking from meshes and triangles while the program runs.

mod support;

use std::time::Duration;

use bevy_app::App;
use bevy_asset::{AssetApp, Assets, Handle};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_math::primitives::Cuboid;
use bevy_math::{Quat, Vec3};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::grid::Area;
use bevy_surefoot::surefoot::{Agent, NavGrid};
use bevy_surefoot::{NavBakeReport, NavSourceFault};
use bevy_transform::components::Transform;
use support::{add_agent, place, status, update};

/// An app that bakes while fixed updates wait, and its world.
fn app() -> (App, Entity) {
    let mut app = support::app();
    app.init_asset::<Mesh>();
    let settings = BakeSettings {
        agents: vec![Agent::new("human")],
        cell_size: Some(0.25),
        ..BakeSettings::default()
    };
    let bake = NavBake { in_background: false, ..NavBake::new(settings) };
    let world = app.world_mut().spawn(bake).id();
    (app, world)
}

fn add_mesh(app: &mut App, size: Vec3) -> Handle<Mesh> {
    let mesh = Mesh::from(Cuboid::from_size(size));
    app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh)
}

fn add_block(app: &mut App, size: Vec3, at: Transform) -> Entity {
    let mesh = add_mesh(app, size);
    app.world_mut().spawn((Mesh3d(mesh), NavSource::default(), at)).id()
}

/// Ground of 16 by 16 m with a wall across it that leaves 2 m free on one side.
fn add_yard(app: &mut App) -> [Entity; 2] {
    let ground = add_block(app, Vec3::new(16.0, 1.0, 16.0), Transform::from_xyz(0.0, -0.5, 0.0));
    let wall = add_block(app, Vec3::new(0.5, 3.0, 14.0), Transform::from_xyz(0.0, 1.5, -1.0));
    [ground, wall]
}

fn grid(app: &App, world: Entity) -> NavGrid {
    let crowd = app.world().get::<NavCrowd>(world).and_then(NavCrowd::crowd);
    crowd.expect("a crowd").grid().clone()
}

fn bytes(app: &App, world: Entity) -> Vec<u8> {
    grid(app, world).to_bytes().expect("bytes")
}

fn report(app: &App, world: Entity) -> NavBakeReport {
    app.world().get::<NavBakeReport>(world).expect("a world").clone()
}

fn put(app: &mut App, entity: Entity, at: Transform) {
    *app.world_mut().get_mut::<Transform>(entity).expect("it is somewhere") = at;
}

#[test]
fn agents_walk_on_what_was_baked_from_meshes_in_the_same_update() {
    let (mut app, world) = app();
    assert_eq!(app.world().get(world), Some(&NavBakeStatus::NoSources));
    add_yard(&mut app);
    let agent = add_agent(&mut app, Vec3::new(-6.0, 0.0, -6.0));
    let target = Vec3::new(6.0, 0.0, -6.0);
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(target));
    update(&mut app, 1);
    assert_eq!(app.world().get(world), Some(&NavBakeStatus::Done));
    let NavBakeReport { sources, faults, cells_baked, cells } = report(&app, world);
    assert_eq!((sources, faults.len(), cells_baked), (2, 0, cells));
    assert!(status(&app, agent).is_member());
    let mut farthest = f32::MIN;
    for _ in 0..900 {
        app.update();
        farthest = farthest.max(place(&app, agent).z);
    }
    assert_eq!(status(&app, agent), NavStatus::Arrived);
    assert!(farthest > 6.0, "it went around the wall: {farthest}");
    assert!(place(&app, agent).distance(target) < 0.1);
}

#[test]
fn what_changes_is_baked_by_box_to_the_bytes_of_a_whole_bake() {
    let crate_size = Vec3::ONE;
    let places = [
        Transform::from_xyz(4.0, 0.5, 4.0),
        Transform::from_xyz(5.1, 0.5, 3.7).with_rotation(Quat::from_rotation_y(0.4)),
        Transform::from_xyz(5.1, 0.75, 3.7).with_scale(Vec3::new(1.0, 1.5, 2.0)),
        Transform::from_xyz(-5.0, 0.5, -3.7).with_scale(Vec3::new(-1.0, 1.0, 2.0)),
    ];
    let (mut moving, world) = app();
    add_yard(&mut moving);
    let moved = add_block(&mut moving, crate_size, places[0]);
    update(&mut moving, 1);
    let mut fewest = usize::MAX;
    for at in places {
        put(&mut moving, moved, at);
        update(&mut moving, 1);
        let (mut fresh, fresh_world) = app();
        add_yard(&mut fresh);
        add_block(&mut fresh, crate_size, at);
        update(&mut fresh, 1);
        assert_eq!(bytes(&moving, world), bytes(&fresh, fresh_world), "at {at:?}");
        fewest = fewest.min(report(&moving, world).cells_baked);
    }
    let cells = report(&moving, world).cells;
    assert!(fewest > 0 && fewest < cells / 8, "{fewest} of {cells}");

    let before = grid(&moving, world);
    update(&mut moving, 3);
    assert!(std::ptr::eq(before.parts(), grid(&moving, world).parts()), "at rest nothing is baked");
    moving.world_mut().entity_mut(moved).despawn();
    update(&mut moving, 1);
    let (mut fresh, fresh_world) = app();
    add_yard(&mut fresh);
    update(&mut fresh, 1);
    assert_eq!(bytes(&moving, world), bytes(&fresh, fresh_world));
}

#[test]
fn a_wall_that_goes_opens_the_way_for_who_is_under_way() {
    let (mut app, _) = app();
    let [_, wall] = add_yard(&mut app);
    let agent = add_agent(&mut app, Vec3::new(-6.0, 0.0, -6.0));
    let target = Vec3::new(6.0, 0.0, -6.0);
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(target));
    update(&mut app, 60);
    app.world_mut().entity_mut(wall).remove::<NavSource>();
    let mut farthest = f32::MIN;
    for _ in 0..400 {
        app.update();
        farthest = farthest.max(place(&app, agent).z);
    }
    assert_eq!(status(&app, agent), NavStatus::Arrived);
    assert!(farthest < 0.0, "it went straight: {farthest}");
}

#[test]
fn a_mesh_that_is_changed_is_baked_again() {
    let (mut app, world) = app();
    let [ground, wall] = add_yard(&mut app);
    update(&mut app, 3);
    let before = bytes(&app, world);
    let mesh = app.world().get::<Mesh3d>(wall).expect("a mesh").0.clone();
    let shorter = Mesh::from(Cuboid::new(0.5, 3.0, 4.0));
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(mesh.id(), shorter).expect("its place");
    update(&mut app, 3);
    assert_ne!(bytes(&app, world), before);
    assert_eq!(report(&app, world).sources, 2);
    assert!(app.world().get_entity(ground).is_ok());
}

#[test]
fn a_source_is_all_that_is_below_it_but_what_is_left_out() {
    let (mut app, world) = app();
    let [ground, wall] = add_yard(&mut app);
    let root = app.world_mut().spawn((Transform::default(), NavSource::default())).id();
    for part in [ground, wall] {
        app.world_mut().entity_mut(part).remove::<NavSource>().insert(ChildOf(root));
    }
    update(&mut app, 1);
    assert_eq!(report(&app, world).sources, 2);
    let left_out = NavSource { is_left_out: true, ..NavSource::default() };
    app.world_mut().entity_mut(wall).insert(left_out);
    update(&mut app, 1);
    assert_eq!(report(&app, world).sources, 1);
    put(&mut app, root, Transform::from_xyz(0.0, 5.0, 0.0));
    update(&mut app, 1);
    let highest = grid(&app, world).spans().iter().map(|span| span.floor).fold(f32::MIN, f32::max);
    assert!((highest - 5.0).abs() < 1e-3, "{highest}");
}

#[test]
fn sources_that_cannot_be_baked_are_named_and_the_others_are_baked() {
    let (mut app, world) = app();
    add_yard(&mut app);
    let lost = add_block(&mut app, Vec3::ONE, Transform::from_xyz(f32::NAN, 0.0, 0.0));
    let area = Some("lava".to_owned());
    let unknown_area = add_block(&mut app, Vec3::ONE, Transform::from_xyz(3.0, 0.0, 3.0));
    app.world_mut().entity_mut(unknown_area).insert(NavSource { area, ..NavSource::default() });
    let not_loaded = app.world_mut().spawn((
        Mesh3d(Handle::default()),
        NavSource::default(),
        Transform::default(),
    ));
    let not_loaded = not_loaded.id();
    let broken = NavTriangles { vertices: vec![Vec3::ZERO; 3], triangles: vec![[0, 1, 9]] };
    let broken = app.world_mut().spawn((broken, NavSource::default(), Transform::default())).id();
    update(&mut app, 2);
    assert_eq!(app.world().get(world), Some(&NavBakeStatus::Done));
    let NavBakeReport { sources, faults, .. } = report(&app, world);
    assert_eq!(sources, 2);
    let reason = |source: Entity| {
        let fault = faults.iter().find(|fault| fault.source == source);
        fault.map(|NavSourceFault { reason, .. }| reason.as_str()).expect("a fault")
    };
    assert_eq!(faults.len(), 4);
    assert!(reason(lost).contains("not finite"), "{}", reason(lost));
    assert!(reason(unknown_area).contains("lava"), "{}", reason(unknown_area));
    assert!(reason(not_loaded).contains("not loaded"), "{}", reason(not_loaded));
    assert!(reason(broken).contains("corner"), "{}", reason(broken));

    put(&mut app, lost, Transform::from_xyz(5.0, 0.5, 5.0));
    app.world_mut().entity_mut(broken).despawn();
    let lava = Area { name: "lava".to_owned(), cost: 5.0, forbidden: false };
    app.world_mut().get_mut::<NavBake>(world).expect("a bake").areas = vec![lava];
    update(&mut app, 2);
    let NavBakeReport { sources, faults, .. } = report(&app, world);
    assert_eq!((sources, faults.len()), (4, 1));
}

#[test]
fn a_bake_that_fails_says_why_and_the_next_change_tries_again() {
    let (mut app, world) = app();
    app.world_mut().get_mut::<NavBake>(world).expect("a bake").settings.cell_size = Some(-1.0);
    let [_, wall] = add_yard(&mut app);
    update(&mut app, 2);
    let NavBakeStatus::Failed { reason } = app.world().get(world).expect("a bake") else {
        panic!("it is refused");
    };
    assert!(reason.contains("cell"), "{reason}");
    put(&mut app, wall, Transform::from_xyz(1.0, 1.5, -1.0));
    update(&mut app, 2);
    assert!(matches!(app.world().get(world), Some(NavBakeStatus::Failed { .. })));
    app.world_mut().get_mut::<NavBake>(world).expect("a bake").settings.cell_size = Some(0.5);
    update(&mut app, 2);
    assert_eq!(app.world().get(world), Some(&NavBakeStatus::Done));
    assert_eq!(grid(&app, world).frame().cell_size, 0.5);
}

/// A platform of 8 m, from which agents drop.
#[test]
fn agents_take_links_that_were_found_whoever_moves_them() {
    for movement in [NavMovement::Crowd, NavMovement::Controller] {
        let (mut app, world) = app();
        let jumper = Agent { drop: 9.0, ..Agent::new("human") };
        app.world_mut().get_mut::<NavBake>(world).expect("a bake").settings.agents = vec![jumper];
        add_block(&mut app, Vec3::new(24.0, 1.0, 12.0), Transform::from_xyz(0.0, -0.5, 0.0));
        add_block(&mut app, Vec3::new(6.0, 8.0, 6.0), Transform::from_xyz(-6.0, 4.0, 0.0));
        let agent = add_agent(&mut app, Vec3::new(-6.0, 8.0, 0.0));
        let target = Vec3::new(8.0, 0.0, 0.0);
        app.world_mut().entity_mut(agent).insert((movement, NavTarget::Point(target)));
        let (mut on_link, mut left) = (0, 0);
        for _ in 0..900 {
            app.update();
            on_link += usize::from(matches!(status(&app, agent), NavStatus::OnLink { .. }));
            left += usize::from(!status(&app, agent).is_member());
            if movement == NavMovement::Controller {
                let velocity = app.world().get::<NavVelocity>(agent).expect("an agent").0;
                let mut at = app.world_mut().get_mut::<Transform>(agent).expect("a body");
                at.translation += velocity * support::DT.as_secs_f32();
            }
        }
        assert_eq!(status(&app, agent), NavStatus::Arrived, "{movement:?}");
        assert!(place(&app, agent).distance(target) < 0.1, "{movement:?}: {}", place(&app, agent));
        assert!(on_link > 30 && left == 0, "{on_link} updates on a link, {left} in no crowd");
    }
}

#[test]
fn without_its_bake_a_world_keeps_its_grid_and_follows_nothing() {
    let (mut app, world) = app();
    let [_, wall] = add_yard(&mut app);
    update(&mut app, 1);
    let before = bytes(&app, world);
    let bake = app.world_mut().entity_mut(world).take::<NavBake>().expect("a bake");
    put(&mut app, wall, Transform::from_xyz(2.0, 1.5, -1.0));
    update(&mut app, 2);
    assert_eq!(bytes(&app, world), before);
    let still = NavBake { follows: false, ..bake };
    app.world_mut().entity_mut(world).insert(still);
    update(&mut app, 1);
    let after = bytes(&app, world);
    assert_ne!(after, before, "it was baked again, whole");
    put(&mut app, wall, Transform::from_xyz(4.0, 1.5, -1.0));
    update(&mut app, 2);
    assert_eq!(bytes(&app, world), after, "it does not follow");
}

#[test]
fn in_the_background_agents_walk_while_a_bake_runs() {
    let (mut app, world) = app();
    app.world_mut().get_mut::<NavBake>(world).expect("a bake").in_background = true;
    let [_, wall] = add_yard(&mut app);
    let wait = |app: &mut App| {
        for _ in 0..2000 {
            app.update();
            if app.world().get(world) == Some(&NavBakeStatus::Done) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("no bake within 10 s");
    };
    wait(&mut app);
    let agent = add_agent(&mut app, Vec3::new(-6.0, 0.0, -6.0));
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::new(6.0, 0.0, -6.0)));
    update(&mut app, 30);
    let before = bytes(&app, world);
    put(&mut app, wall, Transform::from_xyz(0.0, 1.5, 1.0));
    update(&mut app, 1);
    assert_eq!(app.world().get(world), Some(&NavBakeStatus::Baking));
    wait(&mut app);
    update(&mut app, 1);
    assert_ne!(bytes(&app, world), before);
    update(&mut app, 900);
    assert_eq!(status(&app, agent), NavStatus::Arrived);
}
