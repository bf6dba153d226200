//! What the program can get wrong has a status that says so, and nothing panics.

mod support;

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_math::{Vec2, Vec3};
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::crowd::CrowdSettings;
use bevy_surefoot::{NavMembership, NavObstacleStatus};
use bevy_transform::components::Transform;
use support::{add_agent, add_grid, add_world, app, place, plain, status, update};

const START: Vec3 = Vec3::new(2.0, 0.0, 2.0);

fn members(app: &App, world: Entity) -> usize {
    let crowd = app.world().get::<NavCrowd>(world).and_then(NavCrowd::crowd);
    crowd.expect("a crowd").len()
}

fn put(app: &mut App, entity: Entity, at: Vec3) {
    app.world_mut().get_mut::<Transform>(entity).expect("a body").translation = at;
}

fn send(app: &mut App, agent: Entity, target: NavTarget) {
    app.world_mut().entity_mut(agent).insert(target);
}

/// An app with a world and an agent.
fn app_with_agent() -> (App, Entity, Entity) {
    let mut app = app();
    let world = add_world(&mut app, plain(20));
    let agent = add_agent(&mut app, START);
    update(&mut app, 1);
    assert_eq!(status(&app, agent), NavStatus::Idle);
    (app, world, agent)
}

#[test]
fn an_agent_beside_the_grid_says_what_is_nearest_and_joins_once_it_is_there() {
    let (mut app, world, _) = app_with_agent();
    let agent = add_agent(&mut app, Vec3::new(-3.0, 0.0, 5.0));
    send(&mut app, agent, NavTarget::Point(Vec3::new(9.0, 0.0, 9.0)));
    update(&mut app, 3);
    let NavStatus::OffGrid { nearest: Some(nearest) } = status(&app, agent) else {
        panic!("{:?}", status(&app, agent));
    };
    assert!(nearest.x >= 0.0 && nearest.distance(Vec3::new(0.0, 0.0, 5.0)) < 1.0, "{nearest}");
    assert_eq!(place(&app, agent), Vec3::new(-3.0, 0.0, 5.0), "nobody moves it");
    put(&mut app, agent, nearest);
    update(&mut app, 2);
    assert_eq!(status(&app, agent), NavStatus::Following);
    assert_eq!(members(&app, world), 2);

    put(&mut app, agent, Vec3::new(-80.0, 0.0, 0.0));
    update(&mut app, 1);
    assert_eq!(status(&app, agent), NavStatus::OffGrid { nearest: None });
    assert_eq!(app.world().get::<NavVelocity>(agent), Some(&NavVelocity(Vec3::ZERO)));
    assert_eq!(members(&app, world), 1);

    put(&mut app, agent, Vec3::new(5.0, 80.0, 5.0));
    update(&mut app, 1);
    let nearest = Some(Vec3::new(5.0, 0.0, 5.0));
    assert_eq!(status(&app, agent), NavStatus::OffGrid { nearest }, "it flies");
    assert_eq!(members(&app, world), 1);
    put(&mut app, agent, Vec3::new(5.0, 1.0, 5.0));
    update(&mut app, 2);
    assert_eq!(status(&app, agent), NavStatus::Following);
}

#[test]
fn an_agent_beside_the_grid_joins_when_the_grid_comes_to_it() {
    let (mut app, world, _) = app_with_agent();
    let agent = add_agent(&mut app, Vec3::new(30.0, 0.0, 30.0));
    update(&mut app, 2);
    assert!(matches!(status(&app, agent), NavStatus::OffGrid { .. }));
    let larger = add_grid(&mut app, plain(40));
    app.world_mut().get_mut::<NavWorld>(world).expect("a world").grid = larger;
    update(&mut app, 1);
    assert_eq!(status(&app, agent), NavStatus::Idle);
    assert_eq!(members(&app, world), 2);
}

#[test]
fn who_is_despawned_leaves_at_once() {
    let (mut app, world, agent) = app_with_agent();
    let other = add_agent(&mut app, Vec3::new(5.0, 0.0, 5.0));
    let third = add_agent(&mut app, Vec3::new(7.0, 0.0, 5.0));
    send(&mut app, agent, NavTarget::Point(Vec3::new(9.0, 0.0, 9.0)));
    update(&mut app, 10);
    app.world_mut().entity_mut(agent).despawn();
    assert_eq!(members(&app, world), 2);
    app.world_mut().entity_mut(other).remove::<NavAgent>();
    assert_eq!(members(&app, world), 1);
    update(&mut app, 3);
    assert_eq!(app.world().get::<NavMembership>(other).expect("it stays").member(), None);
    assert_eq!(status(&app, third), NavStatus::Idle);

    // A body that comes later is another member.
    app.world_mut().entity_mut(other).insert(NavAgent::new("human"));
    update(&mut app, 1);
    assert_eq!(members(&app, world), 2);
}

#[test]
fn a_member_that_the_program_removes_joins_again() {
    let (mut app, world, agent) = app_with_agent();
    let member = |app: &App| app.world().get::<NavMembership>(agent).expect("an agent").member();
    let (_, before) = member(&app).expect("it is a member");
    let mut nav_crowd = app.world_mut().get_mut::<NavCrowd>(world).expect("a world");
    nav_crowd.crowd_mut().expect("a crowd").remove(before).expect("a member");
    update(&mut app, 1);
    let (_, after) = member(&app).expect("it is a member again");
    assert_ne!(before, after);
    assert_eq!(members(&app, world), 1);
}

#[test]
fn an_agent_whose_target_is_gone_stands_and_says_so() {
    let (mut app, _, agent) = app_with_agent();
    let target = app.world_mut().spawn(Transform::from_xyz(15.0, 0.0, 15.0)).id();
    send(&mut app, agent, NavTarget::Entity(target));
    update(&mut app, 30);
    assert_eq!(status(&app, agent), NavStatus::Following);
    app.world_mut().entity_mut(target).despawn();
    update(&mut app, 60);
    assert_eq!(status(&app, agent), NavStatus::TargetGone { target });
    let stands = place(&app, agent);
    update(&mut app, 60);
    assert_eq!(place(&app, agent), stands);
    send(&mut app, agent, NavTarget::Point(Vec3::new(4.0, 0.0, 4.0)));
    update(&mut app, 300);
    assert_eq!(status(&app, agent), NavStatus::Arrived);
    app.world_mut().entity_mut(agent).remove::<NavTarget>();
    update(&mut app, 1);
    assert_eq!(status(&app, agent), NavStatus::Idle);
}

#[test]
fn an_agent_goes_after_an_entity_that_moves() {
    let (mut app, _, agent) = app_with_agent();
    let target = app.world_mut().spawn(Transform::from_xyz(10.0, 0.0, 2.0)).id();
    send(&mut app, agent, NavTarget::Entity(target));
    for step in 0..900 {
        let at = Vec3::new(10.0, 0.0, 2.0 + (step as f32 * 0.02).min(12.0));
        put(&mut app, target, at);
        app.update();
    }
    assert_eq!(status(&app, agent), NavStatus::Arrived);
    assert!(
        place(&app, agent).distance(Vec3::new(10.0, 0.0, 14.0)) < 0.1,
        "{}",
        place(&app, agent)
    );
}

#[test]
fn an_unknown_agent_says_which_there_are_and_joins_under_a_known_name() {
    let (mut app, world, _) = app_with_agent();
    let agent =
        app.world_mut().spawn((NavAgent::new("giant"), Transform::from_translation(START))).id();
    update(&mut app, 3);
    assert_eq!(status(&app, agent), NavStatus::UnknownAgent { known: vec!["human".to_owned()] });
    app.world_mut().get_mut::<NavAgent>(agent).expect("an agent").agent = "human".to_owned();
    update(&mut app, 1);
    assert_eq!(members(&app, world), 2);
}

#[test]
fn settings_out_of_their_limits_are_named() {
    let (mut app, world, agent) = app_with_agent();
    app.world_mut().get_mut::<NavAgent>(agent).expect("an agent").settings.speed = -1.0;
    update(&mut app, 2);
    let NavStatus::Settings { reason } = status(&app, agent) else {
        panic!("{:?}", status(&app, agent));
    };
    assert!(reason.contains("speed is -1"), "{reason}");
    app.world_mut().get_mut::<NavAgent>(agent).expect("an agent").settings.speed = 1.0;
    update(&mut app, 2);
    assert_eq!(status(&app, agent), NavStatus::Idle);

    let settings = CrowdSettings { horizon: f32::NAN, ..CrowdSettings::default() };
    app.world_mut().get_mut::<NavWorld>(world).expect("a world").settings = settings;
    update(&mut app, 2);
    let NavWorldStatus::Failed { reason } = app.world().get(world).expect("a world") else {
        panic!("it is refused");
    };
    assert!(reason.contains("horizon"), "{reason}");
    assert_eq!(status(&app, agent), NavStatus::NoGrid);
    app.world_mut().get_mut::<NavWorld>(world).expect("a world").settings =
        CrowdSettings::default();
    update(&mut app, 2);
    assert_eq!(status(&app, agent), NavStatus::Idle);
}

#[test]
fn numbers_that_are_not_finite_are_said_and_survived() {
    let (mut app, world, agent) = app_with_agent();
    for movement in [NavMovement::Crowd, NavMovement::Controller, NavMovement::Manual] {
        app.world_mut().entity_mut(agent).insert(movement);
        for bad in [f32::NAN, f32::INFINITY] {
            put(&mut app, agent, Vec3::new(2.0, bad, 2.0));
            update(&mut app, 2);
            assert_eq!(status(&app, agent), NavStatus::NotFinite);
            assert_eq!(members(&app, world), 0);
            put(&mut app, agent, START);
            update(&mut app, 2);
            assert_eq!(status(&app, agent), NavStatus::Idle);
        }
    }
    app.world_mut().entity_mut(agent).insert(NavMovement::Crowd);
    send(&mut app, agent, NavTarget::Point(Vec3::NAN));
    update(&mut app, 2);
    assert_eq!(status(&app, agent), NavStatus::TargetNotFinite);
    let target = app.world_mut().spawn(Transform::from_xyz(f32::NAN, 0.0, 0.0)).id();
    send(&mut app, agent, NavTarget::Entity(target));
    update(&mut app, 2);
    assert_eq!(status(&app, agent), NavStatus::TargetNotFinite);
    put(&mut app, target, Vec3::new(5.0, 0.0, 5.0));
    update(&mut app, 2);
    assert_eq!(status(&app, agent), NavStatus::Following);
    assert!(place(&app, agent).is_finite());
}

#[test]
fn obstacles_without_a_shape_say_so() {
    let (mut app, world, _) = app_with_agent();
    let corners = vec![Vec2::ZERO, Vec2::X];
    let shapes = [
        NavObstacleShape::Box { half: Vec3::new(1.0, f32::NAN, 1.0) },
        NavObstacleShape::Cylinder { radius: -1.0, height: 1.0 },
        NavObstacleShape::Prism { corners, height: 1.0 },
    ];
    let at = Transform::from_xyz(8.0, 0.0, 8.0);
    let obstacles = shapes.map(|shape| app.world_mut().spawn((NavObstacle::new(shape), at)).id());
    let lost = app
        .world_mut()
        .spawn((
            NavObstacle::new(NavObstacleShape::Box { half: Vec3::ONE }),
            Transform::from_xyz(f32::NAN, 0.0, 0.0),
        ))
        .id();
    update(&mut app, 2);
    for obstacle in obstacles.into_iter().chain([lost]) {
        let status = app.world().get::<NavObstacleStatus>(obstacle).expect("an obstacle");
        assert!(matches!(status, NavObstacleStatus::NoShape { .. }), "{status:?}");
    }
    let crowd = app.world().get::<NavCrowd>(world).and_then(NavCrowd::crowd).expect("a crowd");
    assert_eq!(crowd.overlay().obstacles(), 0);
    put(&mut app, lost, Vec3::new(8.0, 0.0, 8.0));
    update(&mut app, 1);
    assert_eq!(app.world().get(lost), Some(&NavObstacleStatus::Placed));
}

#[test]
fn worlds_that_are_missing_or_too_many_are_said() {
    let mut app = app();
    let agent = add_agent(&mut app, START);
    update(&mut app, 2);
    assert_eq!(status(&app, agent), NavStatus::NoWorld { named: None });
    let one = add_world(&mut app, plain(20));
    update(&mut app, 1);
    assert_eq!(status(&app, agent), NavStatus::Idle);
    let two = add_world(&mut app, plain(10));
    let other = add_agent(&mut app, START);
    update(&mut app, 2);
    assert_eq!(status(&app, agent), NavStatus::Idle, "it stays where it was");
    assert_eq!(status(&app, other), NavStatus::SeveralWorlds { worlds: 2 });
    app.world_mut().entity_mut(other).insert(InNavWorld(two));
    update(&mut app, 1);
    assert_eq!([members(&app, one), members(&app, two)], [1, 1]);
    app.world_mut().entity_mut(other).insert(InNavWorld(one));
    update(&mut app, 1);
    assert_eq!([members(&app, one), members(&app, two)], [2, 0]);
    app.world_mut().entity_mut(one).despawn();
    update(&mut app, 1);
    assert_eq!(status(&app, other), NavStatus::NoWorld { named: Some(one) });
    assert_eq!(status(&app, agent), NavStatus::Idle, "now there is only one");
    assert_eq!(members(&app, two), 1);
    let world = app.world_mut().entity_mut(two).take::<NavWorld>().expect("a world");
    update(&mut app, 1);
    assert_eq!(status(&app, agent), NavStatus::NoWorld { named: None });
    app.world_mut().entity_mut(two).insert(world);
    update(&mut app, 1);
    assert_eq!(status(&app, agent), NavStatus::Idle, "it begins again");
    assert_eq!(members(&app, two), 1);
}
