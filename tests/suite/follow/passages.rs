//! Crowds in passages in which two bodies cannot pass: everyone arrives.

use surefoot::crowd::{Crowd, Member};
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::{Agent, HeightCost, NavGrid};
use surefoot_bake::{BakeSettings, bake};
use surefoot_testing::{Passages, Trip, load, repository, trips_anywhere, trips_between};

const DT: f32 = 1.0 / 30.0;

fn grid(scene: &surefoot_bake::Scene) -> NavGrid {
    let settings = BakeSettings { agents: vec![Agent::new("human")], ..BakeSettings::default() };
    bake(scene, &settings, &()).expect("it bakes").grid
}

/// Everyone arrives within a time [s].
fn check(grid: &NavGrid, trips: &[Trip], seconds: f32) {
    check_agents(grid, trips, |_| "human", seconds);
}

/// The same for agents that depend on the number of the trip.
fn check_agents(
    grid: &NavGrid,
    trips: &[Trip],
    agent: impl Fn(usize) -> &'static str,
    seconds: f32,
) {
    assert!(!trips.is_empty(), "room for everyone");
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    for (number, trip) in trips.iter().enumerate() {
        let id = crowd.add(agent(number), trip.from, FollowSettings::default()).expect("ground");
        crowd.set_goal(id, trip.to).expect("a member");
    }
    for _ in 0..(seconds / DT) as u32 {
        crowd.step(DT);
        if crowd.members().all(|member| member.state().is_at_rest()) {
            break;
        }
    }
    let is_on_its_way = |member: &&Member| member.state() != FollowState::Arrived;
    let left: Vec<_> = crowd.members().filter(is_on_its_way).collect();
    let reasons: Vec<_> = left.iter().map(|member| crowd.held_up(member.id())).collect();
    assert!(left.is_empty(), "{} of {} are left: {reasons:?}", left.len(), trips.len());
}

fn check_passages(level: &Passages, count: usize) {
    let grid = grid(&level.scene());
    check(&grid, &trips_between(level, &grid, count, 1), 300.0);
}

/// In every level bodies get from each room to the other.
#[test]
fn rooms_are_connected() {
    let levels: [fn(usize) -> Passages; 7] = [
        Passages::straight,
        Passages::corner,
        Passages::zigzag,
        Passages::stairs,
        Passages::tee,
        Passages::niche,
        Passages::dead_end,
    ];
    for (at, level) in levels.iter().enumerate() {
        for width in [9, 11, 15] {
            let level = level(width);
            let grid = grid(&level.scene());
            assert!(!trips_between(&level, &grid, 1, 1).is_empty(), "level {at}, width {width}");
        }
    }
}

/// One whose goal is in a passage is pushed into a corner, by one that goes on from there where only a smaller body can:
/// both have to go back to where they can pass each other.
#[test]
fn a_smaller_one_gets_past_a_larger_one_that_it_has_pushed_into_a_corner() {
    let level = Passages::maze(11, 1);
    let wide = Agent { radius: 0.45, ..Agent::new("wide") };
    let settings = BakeSettings { agents: vec![Agent::new("human"), wide], ..Default::default() };
    let grid = bake(&level.scene(), &settings, &()).expect("it bakes").grid;
    let agent = |number| if number % 2 == 0 { "wide" } else { "human" };
    check_agents(&grid, &trips_anywhere(&grid, 3, 5), agent, 200.0);
}

#[test]
fn twenty_five_from_each_side_pass_a_corridor_one_body_wide() {
    check_passages(&Passages::straight(9), 25);
}

#[test]
fn twenty_five_from_each_side_pass_a_corner() {
    check_passages(&Passages::corner(9), 25);
}

#[test]
fn twenty_five_from_each_side_pass_on_stairs_one_body_wide() {
    check_passages(&Passages::stairs(9), 25);
}

#[test]
fn twenty_five_find_their_ways_in_a_maze_one_body_wide() {
    check_passages(&Passages::maze(9, 1), 25);
}

/// They stand in each other's way from the start.
#[test]
fn bodies_of_two_sizes_change_places_in_one_passage() {
    let agents = vec![Agent::new("human"), Agent { radius: 0.2, ..Agent::new("child") }];
    let settings = BakeSettings { agents, ..BakeSettings::default() };
    let level = Passages::niche(9);
    let grid = bake(&level.scene(), &settings, &()).expect("it bakes").grid;
    let mut crowd = Crowd::new(grid, HeightCost::default());
    for at in 0..5 {
        let along = 10.9 + 0.8 * at as f32;
        let [left, right] = [[along, 0.0, 5.45], [28.2 - along, 0.0, 5.45]];
        let goals = [[26.0 - at as f32, 0.0, 8.0], [2.0 + at as f32, 0.0, 8.0]];
        let agents = if at % 2 == 0 { ["human", "child"] } else { ["child", "human"] };
        for (agent, from, to) in [(agents[0], left, goals[0]), (agents[1], right, goals[1])] {
            let id = crowd.add(agent, from, FollowSettings::default()).expect("ground");
            crowd.set_goal(id, to).expect("a member");
        }
    }
    for _ in 0..(120.0 / DT) as u32 {
        crowd.step(DT);
    }
    let left: Vec<_> =
        crowd.members().filter(|member| member.state() != FollowState::Arrived).collect();
    let places: Vec<_> = left.iter().map(|member| member.position()).collect();
    assert!(left.is_empty(), "{} are left: {places:?}", left.len());
}

#[test]
fn twenty_five_from_each_of_three_rooms_pass_a_junction() {
    check_passages(&Passages::tee(9), 25);
}

/// In full rooms those who wait in front of a passage stand in the way of some whose turn it is. Of 40 such crowds this
/// one takes longest; half are home within 100 s.
#[test]
fn fifty_from_each_side_get_through_full_rooms() {
    let level = Passages::zigzag(11);
    let grid = grid(&level.scene());
    check(&grid, &trips_between(&level, &grid, 50, 5), 400.0);
}

#[test]
fn twelve_from_each_side_pass_four_corners() {
    check_passages(&Passages::zigzag(9), 12);
}

#[test]
fn twelve_from_each_side_pass_on_narrow_stairs() {
    check_passages(&Passages::stairs(11), 12);
}

#[test]
fn twenty_five_walk_in_and_out_of_blind_passages() {
    check_passages(&Passages::comb(9), 25);
}

#[test]
fn two_change_places_with_two_in_a_dead_end() {
    check_passages(&Passages::dead_end(9), 2);
}

#[test]
fn six_walk_through_a_maze() {
    check_passages(&Passages::maze(9, 1), 6);
}

/// Two hundred on stairs one body wide, of a house and of a tower.
#[test]
fn two_hundred_walk_on_narrow_stairs() {
    for name in ["two_storeys.glb", "spiral_tower.glb"] {
        let grid = grid(&load(&repository().join("scenes").join(name)));
        check(&grid, &trips_anywhere(&grid, 200, 2), 300.0);
    }
}
