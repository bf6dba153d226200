//! Navigators, followers and crowds go on to the next grid of a level that changes.

use nalgebra::Point3;
use surefoot::follow::{FollowSettings, FollowState, Follower, Motion, slide};
use surefoot::{Agent, Crowd, HeightCost, NavGrid, Navigator, Obstacle};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, ColliderId, LiveBake};

const DT: f32 = 1.0 / 30.0;

/// Two halls and a wall between them, with a way round it that is 40 m long.
fn halls() -> (LiveBake, ColliderId) {
    let mut builder = SceneBuilder::new("halls");
    builder.cuboid("ground", [10.0, 0.5, 20.0], Placement::at([0.0, -0.5, 0.0]));
    builder.cuboid("wall", [0.3, 2.0, 18.0], Placement::at([0.0, 2.0, -2.0]));
    let scene = builder.build().expect("a sound scene");
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.25), agents, ..BakeSettings::default() };
    let live = LiveBake::new(scene, &settings, &()).expect("it bakes");
    let wall = live.colliders("wall").next().expect("the wall");
    (live, wall)
}

fn fallen() -> [NavGrid; 2] {
    let (mut live, wall) = halls();
    let before = live.grid().clone();
    live.remove(wall).expect("the wall");
    live.update(&()).expect("it bakes");
    [before, live.grid().clone()]
}

const FROM: [f32; 3] = [-4.0, 0.0, -10.0];
const TO: [f32; 3] = [4.0, 0.0, -10.0];

#[test]
fn a_navigator_goes_on() {
    let [before, after] = fallen();
    let mut nav = Navigator::new(before, "human").expect("an agent");
    nav.prepare().expect("ground that comes apart");
    let pillar = Obstacle::Cylinder { base: [0.0, 0.0, -10.0].into(), radius: 0.5, height: 2.0 };
    let id = nav.block(pillar.clone()).expect("a pillar");
    assert!(nav.path(FROM, TO).expect("a path").length() > 40.0);
    nav.set_grid(&after).expect("the same agent");
    assert!(nav.is_prepared());
    let around = nav.path(FROM, TO).expect("a path").length();
    let mut fresh = Navigator::new(after.clone(), "human").expect("an agent");
    fresh.block(pillar).expect("a pillar");
    let searched = fresh.path(FROM, TO).expect("a path").length();
    assert!((around - searched).abs() < 1e-3, "{around} {searched}");
    assert!(around > 8.05 && around < 9.0, "{around}");
    assert!(nav.unblock(id), "obstacles keep their ids");
    assert!((nav.path(FROM, TO).expect("a path").length() - 8.0).abs() < 1e-3);
    let other =
        NavGrid::from_map("type octile\nheight 1\nwidth 2\nmap\n..\n", 1.0, &[Agent::new("cart")]);
    assert!(nav.set_grid(&other.expect("a map")).is_err());
    assert!((nav.path(FROM, TO).expect("a path").length() - 8.0).abs() < 1e-3);
}

#[test]
fn a_follower_takes_the_shorter_path_once_the_wall_is_gone() {
    let [before, after] = fallen();
    let mut nav = Navigator::new(before, "human").expect("an agent");
    let mut follower = Follower::new(FollowSettings::default()).expect("sound settings");
    follower.set_goal(TO);
    let (mut motion, mut walked, mut steps) = (Motion::at(FROM), 0.0, 0);
    while !follower.state().is_at_rest() && steps < 900 {
        if steps == 30 {
            nav.set_grid(&after).expect("the same agent");
        }
        let wanted = follower.step(&mut nav, &motion, DT).velocity;
        let ground = follower.nav_point().expect("ground underfoot");
        let position = slide(nav.view(), ground, [wanted.x * DT, wanted.z * DT]).point;
        walked += (position - motion.position).norm();
        motion = Motion { position, velocity: (position - motion.position) / DT };
        steps += 1;
    }
    assert_eq!(follower.state(), FollowState::Arrived);
    assert!(walked < 20.0, "it walked {walked} m");
}

#[test]
fn a_crowd_pours_through() {
    let [before, after] = fallen();
    let mut crowd = Crowd::new(before.clone(), HeightCost::default());
    let mut ids = Vec::new();
    for at in 0..24 {
        let point = [-4.0 - (at % 4) as f32, 0.0, -14.0 + (at / 4) as f32];
        let id = crowd.add("human", point, FollowSettings::default()).expect("ground");
        crowd.set_goal(id, [6.0, 0.0, point[2]]).expect("a member");
        ids.push(id);
    }
    for _ in 0..30 {
        crowd.step(DT);
    }
    let places: Vec<Point3<f32>> = crowd.members().map(|member| member.position()).collect();
    assert_eq!(crowd.set_grid(&after).expect("the same agents"), []);
    for (member, before) in crowd.members().zip(places) {
        assert!((member.position() - before).norm() < 1e-3, "nobody is moved");
    }
    for _ in 0..360 {
        crowd.step(DT);
    }
    assert!(crowd.members().all(|member| member.state() == FollowState::Arrived));
    // The wall is back: who stands in it has no ground.
    let inside = crowd.add("human", [0.0, 0.0, 0.0], FollowSettings::default()).expect("ground");
    assert_eq!(crowd.set_grid(&before).expect("the same agents"), []);
    let stands = crowd.member(inside).expect("a member").position();
    assert!(stands.x.abs() > 0.5 && stands.x.abs() < 1.0, "it is put beside the wall: {stands}");
}
