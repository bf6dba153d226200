//! Who moves a body, and how it is moved.

mod support;

use bevy_ecs::hierarchy::ChildOf;
use bevy_math::{Quat, Vec3};
use bevy_surefoot::AgentGround;
use bevy_surefoot::prelude::*;
use bevy_transform::components::Transform;
use support::{DT, add_agent, add_world, app, place, plain, status, update};

#[test]
fn a_body_turns_to_where_it_goes_no_faster_than_it_can() {
    let mut app = app();
    add_world(&mut app, plain(20));
    let start = Transform::from_xyz(10.0, 0.0, 4.0);
    let target = NavTarget::Point(Vec3::new(10.0, 0.0, 16.0));
    let agent = app.world_mut().spawn((NavAgent::new("human"), start, target)).id();
    let rate = app.world().get::<NavAgent>(agent).expect("an agent").settings.turn_rate;
    let mut before = start.rotation;
    for _ in 0..120 {
        app.update();
        let now = app.world().get::<Transform>(agent).expect("a body").rotation;
        assert!(before.angle_between(now) <= rate * DT.as_secs_f32() + 1e-3);
        before = now;
    }
    let forward = before * Vec3::NEG_Z;
    assert!(forward.dot(Vec3::Z) > 0.999, "it goes along +z, and looks along {forward}");
}

#[test]
fn a_child_walks_in_the_world_whatever_its_parent_does() {
    let mut app = app();
    add_world(&mut app, plain(20));
    let ship = Transform::from_xyz(5.0, 0.0, 3.0).with_rotation(Quat::from_rotation_y(1.0));
    let ship = app.world_mut().spawn(ship).id();
    let agent = add_agent(&mut app, Vec3::new(1.0, 0.0, 1.0));
    let target = Vec3::new(15.0, 0.0, 15.0);
    app.world_mut().entity_mut(agent).insert((ChildOf(ship), NavTarget::Point(target)));
    for _ in 0..500 {
        app.world_mut().get_mut::<Transform>(ship).expect("a ship").translation.x += 0.01;
        app.update();
        let ground = app.world().get::<AgentGround>(agent).expect("an agent").point;
        let ship = app.world().get::<Transform>(ship).expect("a ship");
        let in_world = ship.transform_point(place(&app, agent));
        assert!(in_world.distance(ground) < 1e-4, "{in_world} and {ground}");
    }
    assert_eq!(status(&app, agent), NavStatus::Arrived);
    let ground = app.world().get::<AgentGround>(agent).expect("an agent");
    assert!(ground.span.is_some() && ground.point.distance(target) < 0.05);
}

#[test]
fn a_body_that_is_put_somewhere_else_goes_on_from_there() {
    let mut app = app();
    add_world(&mut app, plain(20));
    let agent = add_agent(&mut app, Vec3::new(2.0, 0.0, 2.0));
    let target = Vec3::new(18.0, 0.0, 2.0);
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(target));
    update(&mut app, 60);
    app.world_mut().get_mut::<Transform>(agent).expect("a body").translation =
        Vec3::new(2.0, 0.0, 18.0);
    update(&mut app, 1);
    assert!(place(&app, agent).distance(Vec3::new(2.0, 0.0, 18.0)) < 0.1);
    for _ in 0..2 {
        update(&mut app, 900);
        assert_eq!(status(&app, agent), NavStatus::Arrived);
        assert!(place(&app, agent).distance(target) < 0.05);
        // Who has arrived goes back.
        let mut at = app.world_mut().get_mut::<Transform>(agent).expect("a body");
        at.translation = Vec3::new(4.0, 0.0, 16.0);
        update(&mut app, 2);
        assert_eq!(status(&app, agent), NavStatus::Following);
    }
}

#[test]
fn other_settings_take_effect_at_once_and_the_body_keeps_its_velocity() {
    let mut app = app();
    add_world(&mut app, plain(40));
    let agent = add_agent(&mut app, Vec3::new(2.0, 0.0, 2.0));
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::new(38.0, 0.0, 2.0)));
    update(&mut app, 60);
    let velocity =
        |app: &bevy_app::App| app.world().get::<NavVelocity>(agent).expect("an agent").0.x;
    assert!((velocity(&app) - 3.5).abs() < 0.01);
    app.world_mut().get_mut::<NavAgent>(agent).expect("an agent").settings.speed = 6.0;
    update(&mut app, 1);
    assert!(velocity(&app) > 3.2, "{}", velocity(&app));
    update(&mut app, 60);
    assert!((velocity(&app) - 6.0).abs() < 0.01, "{}", velocity(&app));
}

#[test]
fn others_go_around_a_body_that_is_moved_by_hand_and_it_ignores_its_target() {
    let mut app = app();
    add_world(&mut app, plain(20));
    let hand = add_agent(&mut app, Vec3::new(10.0, 0.0, 10.0));
    let away = NavTarget::Point(Vec3::new(2.0, 0.0, 2.0));
    app.world_mut().entity_mut(hand).insert((NavMovement::Manual, away));
    let walker = add_agent(&mut app, Vec3::new(4.0, 0.0, 10.0));
    app.world_mut().entity_mut(walker).insert(NavTarget::Point(Vec3::new(16.0, 0.0, 10.0)));
    let mut nearest = f32::INFINITY;
    for _ in 0..400 {
        app.update();
        nearest = nearest.min(place(&app, walker).distance(place(&app, hand)));
        assert_eq!(place(&app, hand), Vec3::new(10.0, 0.0, 10.0));
    }
    assert_eq!(status(&app, walker), NavStatus::Arrived);
    assert!(nearest > 0.55, "two bodies of 0.3 m came within {nearest} m");
    assert_eq!(status(&app, hand), NavStatus::Idle);
}

#[test]
fn a_change_of_priority_reaches_the_member() {
    let mut app = app();
    let world = add_world(&mut app, plain(20));
    let agent = add_agent(&mut app, Vec3::new(10.0, 0.0, 10.0));
    update(&mut app, 1);
    app.world_mut().get_mut::<NavAgent>(agent).expect("an agent").priority = 7;
    update(&mut app, 1);
    let nav_crowd = app.world().get::<NavCrowd>(world).expect("a world");
    let member = nav_crowd.crowd().expect("a crowd").members().next().expect("a member");
    assert_eq!(member.priority(), 7);
    assert_eq!(nav_crowd.entity(member.id()), Some(agent));
    assert!(nav_crowd.held_up(member.id()).expect("a member").1.is_empty());
}
