//! Followers, slides and crowds.

use std::sync::Arc;

use nalgebra::{Point3, Vector3};
use surefoot::crowd::{Crowd, CrowdSettings, Member, MemberId};
use surefoot::debug::draw_crowd;
use surefoot::follow::{FollowSettings, Follower, Motion, slide};
use surefoot::level::AreaId;
use surefoot::path::raycast;
use surefoot::search::GoalMode;
use surefoot::view::NavPoint;
use surefoot::{HeightCost, Navigator, Overlay, View};

use super::odd::{self, COUNTS, FLOATS};
use super::on_grids::{Nothing, obstacles};
use super::{Attack, call};

pub fn attack(attack: &mut Attack) {
    let views = odd::views();
    for view in &views {
        slides(attack, view);
        followers(attack, view);
        crowds(attack, view, &views);
    }
}

fn slides(attack: &mut Attack, view: &View) {
    for span in odd::spans() {
        for point in odd::points() {
            for by in odd::pairs().step_by(5) {
                let from = NavPoint { span, point };
                call!(attack, slide, view, from, by);
                call!(attack, raycast, view, &from, [by[0], 0.0, by[1]]);
            }
        }
    }
}

fn followers(attack: &mut Attack, view: &View) {
    let nav = &mut Navigator::new(view.grid().clone(), view.agent_id()).expect("a known agent");
    let path = nav.path([0.5, 0.0, 0.5], [1.5, 0.0, 1.5]).cloned();
    for [a, b] in odd::pairs() {
        let settings = FollowSettings { speed: a, replan_interval: b, ..Default::default() };
        let Some(Ok(mut follower)) = call!(attack, Follower::new, settings) else { continue };
        let follower = &mut follower;
        call!(attack, Follower::settings, follower);
        for point in odd::points() {
            call!(attack, Follower::set_goal, follower, point);
            call!(attack, Follower::set_target, follower, point);
            call!(attack, Follower::set_goal_mode, follower, GoalMode::Fail);
            steps(attack, follower, nav, point);
            if let Ok(path) = &path {
                call!(attack, Follower::set_path, follower, nav, path);
                steps(attack, follower, nav, point);
            }
        }
        call!(attack, Follower::stop, follower);
    }
}

fn steps(attack: &mut Attack, follower: &mut Follower, nav: &mut Navigator, point: Point3<f32>) {
    for velocity in [Vector3::zeros(), point.coords] {
        for position in [point, [0.5, 0.0, 0.5].into()] {
            for dt in [1.0 / 60.0, point.x] {
                let motion = Motion { position, velocity };
                call!(attack, Follower::step, follower, &mut *nav, &motion, dt);
            }
        }
    }
    call!(attack, Follower::state, follower);
    call!(attack, Follower::goal, follower);
    call!(attack, Follower::waypoints, follower);
    call!(attack, Follower::nav_point, follower);
    call!(attack, Follower::remaining_distance, follower);
    call!(attack, Follower::remaining_time, follower);
    call!(attack, Follower::traversal, follower);
    if point.x > 0.0 {
        call!(attack, Follower::take_over, follower);
        call!(attack, Follower::hand_back, follower, nav, point);
        call!(attack, Follower::hand_back_at_end, follower);
    }
}

fn crowds(attack: &mut Attack, view: &View, others: &[View]) {
    let grid = view.grid();
    let settings = CrowdSettings { neighbor_distance: f32::MAX, ..CrowdSettings::default() };
    call!(attack, Crowd::with_settings, grid.clone(), HeightCost::FLAT, settings);
    let crowd = call!(attack, Crowd::new, grid.clone(), HeightCost::default());
    let crowd = &mut crowd.expect("a crowd");
    for agent in odd::agents() {
        call!(attack, Crowd::prepare, crowd, agent);
        call!(attack, Crowd::view, crowd, agent);
        for point in odd::points() {
            call!(attack, Crowd::add, crowd, agent, point, FollowSettings::default());
        }
    }
    let ids: Vec<MemberId> = crowd.members().map(Member::id).collect();
    for (&id, point) in ids.iter().cycle().zip(odd::points()) {
        call!(attack, Crowd::set_goal, crowd, id, point);
        call!(attack, Crowd::set_target, crowd, id, point);
        call!(attack, Crowd::put, crowd, id, point, Vector3::new(point.x, 0.0, point.z));
        call!(attack, Crowd::set_priority, crowd, id, u8::MAX);
        call!(attack, Crowd::think, crowd, point.x);
        call!(attack, Crowd::step, crowd, point.y);
        call!(attack, Crowd::step, crowd, 1.0 / 60.0);
        call!(attack, Crowd::stop, crowd, id);
        call!(attack, Crowd::take_over, crowd, id);
        call!(attack, Crowd::hand_back, crowd, id, point);
        call!(attack, Crowd::hand_back_at_end, crowd, id);
    }
    crowd_questions(attack, crowd);
    crowd_changes(attack, crowd, others);
    for &id in ids.iter().chain(&ids) {
        call!(attack, Crowd::remove, crowd, id);
        call!(attack, Crowd::set_goal, crowd, id, [0.5; 3]);
        call!(attack, Crowd::put, crowd, id, [0.5; 3], Vector3::zeros());
    }
}

fn crowd_questions(attack: &mut Attack, crowd: &Crowd) {
    call!(attack, Crowd::len, crowd);
    call!(attack, Crowd::is_empty, crowd);
    call!(attack, Crowd::waiting, crowd);
    call!(attack, Crowd::grid, crowd);
    call!(attack, draw_crowd, crowd, &mut Nothing);
    let members = call!(attack, Crowd::members, crowd).into_iter().flatten();
    for member in members {
        call!(attack, Crowd::member, crowd, member.id());
        call!(attack, Crowd::held_up, crowd, member.id());
        call!(attack, Member::id, member);
        call!(attack, Member::agent, member);
        call!(attack, Member::position, member);
        call!(attack, Member::velocity, member);
        call!(attack, Member::facing, member);
        call!(attack, Member::span, member);
        call!(attack, Member::state, member);
        call!(attack, Member::goal, member);
        call!(attack, Member::waypoints, member);
        call!(attack, Member::remaining_distance, member);
        call!(attack, Member::settings, member);
        call!(attack, Member::priority, member);
        call!(attack, Member::traversal, member);
    }
}

fn crowd_changes(attack: &mut Attack, crowd: &mut Crowd, others: &[View]) {
    for obstacle in obstacles().into_iter().step_by(7) {
        if let Some(Ok(id)) = call!(attack, Crowd::block, crowd, obstacle) {
            call!(attack, Crowd::step, crowd, 0.1);
            call!(attack, Crowd::unblock, crowd, id);
        }
    }
    FLOATS.iter().for_each(|&by| {
        call!(attack, Crowd::set_factor, crowd, AreaId(3), by);
    });
    COUNTS.iter().for_each(|&at| {
        call!(attack, Crowd::set_link_open, crowd, at, true);
        call!(attack, Crowd::set_link_stop, crowd, at, Some(at as u32));
    });
    for other in others {
        call!(attack, Crowd::set_overlay, crowd, Arc::new(Overlay::new(other.grid())));
    }
    call!(attack, Crowd::overlay, crowd);
    for other in others {
        call!(attack, Crowd::set_grid, crowd, other.grid());
        call!(attack, Crowd::step, crowd, 0.1);
    }
}
