//! What the plugin moves, moves exactly as a crowd that is driven by hand.

mod support;

use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::follow::FollowSettings;
use bevy_surefoot::surefoot::{AgentId, Crowd, HeightCost};
use support::{DT, add_agent, add_world, app, hills, place, update};

/// Places on the ground, a few metres apart.
fn places() -> Vec<[f32; 3]> {
    let grid = hills();
    let places =
        (0..100).map(|at| [2.0 + (at % 10) as f32 * 2.6, 0.0, 2.0 + (at / 10) as f32 * 2.6]);
    places
        .filter_map(|place| grid.nearest_walkable(AgentId(0), place, 3.0))
        .map(|(_, at)| at.into())
        .collect()
}

#[test]
fn six_hundred_fixed_updates_give_the_positions_of_a_crowd_to_the_last_bit() {
    let places = places();
    assert!(places.len() > 50, "{}", places.len());
    let goal = |at: usize| places[places.len() - 1 - at];
    let mut crowd = Crowd::new(hills(), HeightCost::default());
    let members: Vec<_> = places
        .iter()
        .map(|&place| crowd.add("human", place, FollowSettings::default()).expect("ground"))
        .collect();
    for (at, &member) in members.iter().enumerate() {
        crowd.set_goal(member, goal(at)).expect("a member");
    }

    let mut app = app();
    add_world(&mut app, hills());
    let agents: Vec<_> = (0..places.len())
        .map(|at| {
            let agent = add_agent(&mut app, places[at].into());
            app.world_mut().entity_mut(agent).insert(NavTarget::Point(goal(at).into()));
            agent
        })
        .collect();

    for step in 0..600 {
        crowd.step(DT.as_secs_f32());
        app.update();
        for (&member, &agent) in members.iter().zip(&agents) {
            let by_hand = crowd.member(member).expect("a member").position();
            let by_plugin = place(&app, agent);
            assert_eq!(by_plugin.to_array(), <[f32; 3]>::from(by_hand), "in step {step}");
        }
    }
    let arrived = agents.iter().filter(|&&agent| support::status(&app, agent).is_at_rest()).count();
    assert!(arrived > agents.len() / 2, "only {arrived} of {} arrived", agents.len());
}

/// A body that a controller moves exactly as it should goes where the crowd would move it.
#[test]
fn a_perfect_controller_follows_as_the_crowd_does() {
    let walk = |movement: NavMovement| {
        let mut app = app();
        add_world(&mut app, support::plain(20));
        let agent = add_agent(&mut app, Vec3::new(2.0, 0.9, 2.0));
        let target = NavTarget::Point(Vec3::new(15.0, 0.0, 12.0));
        let offset = NavOffset(Vec3::new(0.0, 0.9, 0.0));
        app.world_mut().entity_mut(agent).insert((movement, target, offset));
        for _ in 0..600 {
            app.update();
            if movement == NavMovement::Controller {
                let velocity = app.world().get::<NavVelocity>(agent).expect("an agent").0;
                let mut transform = app
                    .world_mut()
                    .get_mut::<bevy_transform::components::Transform>(agent)
                    .expect("a body");
                transform.translation += velocity * DT.as_secs_f32();
            }
        }
        assert_eq!(support::status(&app, agent), NavStatus::Arrived);
        place(&app, agent)
    };
    let (crowd, controller) = (walk(NavMovement::Crowd), walk(NavMovement::Controller));
    assert!(crowd.distance(Vec3::new(15.0, 0.9, 12.0)) < 0.05, "{crowd}");
    assert!(crowd.distance(controller) < 0.05, "{crowd} and {controller}");
}

#[test]
fn what_is_spawned_walks_in_the_same_fixed_update() {
    let mut app = app();
    add_world(&mut app, support::plain(20));
    let agent = add_agent(&mut app, Vec3::new(2.0, 0.0, 2.0));
    app.world_mut().entity_mut(agent).insert(NavTarget::Point(Vec3::new(15.0, 0.0, 12.0)));
    update(&mut app, 2);
    assert!(place(&app, agent).x > 2.0);
    assert_eq!(support::status(&app, agent), NavStatus::Following);
}
