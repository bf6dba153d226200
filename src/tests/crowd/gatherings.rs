//! Small crowds in situations that other crowd simulations get wrong.

use nalgebra::Vector3;

use crate::agent::Agent;
use crate::cost::model::HeightCost;
use crate::crowd::member::MemberId;
use crate::crowd::settings::CrowdSettings;
use crate::crowd::{Crowd, JoinError, PutError, UnknownMember};
use crate::follow::settings::FollowSettings;
use crate::follow::state::{FollowState, StuckReason};
use crate::grid::{AgentId, Cell, GridFrame, NavGrid};
use crate::view::Obstacle;

const HUMAN: AgentId = AgentId(0);
const DT: f32 = 1.0 / 60.0;

pub(crate) fn settings() -> FollowSettings {
    FollowSettings::default()
}

/// A level square, `size` cells of 0.25 m wide.
pub(crate) fn plain(size: u32) -> NavGrid {
    let frame = GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: size, size_z: size };
    let agents = [Agent::new("human"), Agent { radius: 0.6, ..Agent::new("large") }];
    NavGrid::from_heights(frame, &vec![0.0; frame.cells()], &agents).expect("level")
}

/// Level ground where the rows have dots, in cells of 0.5 m.
fn map(rows: &[&str]) -> NavGrid {
    let frame = GridFrame {
        cell_size: 0.5,
        min: Cell::new(0, 0),
        size_x: rows[0].len() as u32,
        size_z: rows.len() as u32,
    };
    let height = |cell: char| if cell == '.' { 0.0 } else { f32::NAN };
    let heights: Vec<f32> = rows.iter().flat_map(|row| row.chars().map(height)).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("level")
}

/// Returns the deepest overlap of any two members [radii of the smaller].
pub(crate) fn deepest_overlap(crowd: &Crowd) -> f32 {
    let members: Vec<_> = crowd.members().collect();
    let radius = |id: AgentId| crowd.grid().layers()[id.index()].agent.radius;
    let mut deepest = 0f32;
    for (at, one) in members.iter().enumerate() {
        for other in &members[at + 1..] {
            let offset = other.position() - one.position();
            let radii = [radius(one.agent()), radius(other.agent())];
            let depth = radii[0] + radii[1] - offset.x.hypot(offset.z);
            let same_storey = offset.y.abs() < 1.8;
            if same_storey {
                deepest = deepest.max(depth / radii[0].min(radii[1]));
            }
        }
    }
    deepest
}

fn run(crowd: &mut Crowd, seconds: f32) {
    for _ in 0..(seconds / DT) as usize {
        crowd.step(DT);
    }
}

fn state(crowd: &Crowd, id: MemberId) -> FollowState {
    crowd.member(id).expect("a member").state()
}

#[test]
fn two_pass_in_a_corridor() {
    let grid = map(&[
        "............................",
        "............................",
        "............................",
    ]);
    let mut crowd = Crowd::new(grid, HeightCost::default());
    let ends = [[0.75, 0.0, 0.75], [13.25, 0.0, 0.75]];
    let ids = ends.map(|at| crowd.add(HUMAN, at, settings()).expect("ground"));
    crowd.set_goal(ids[0], ends[1]).expect("a member");
    crowd.set_goal(ids[1], ends[0]).expect("a member");
    let mut deepest = 0f32;
    for _ in 0..480 {
        crowd.step(DT);
        deepest = deepest.max(deepest_overlap(&crowd));
    }
    assert!(ids.iter().all(|&id| state(&crowd, id) == FollowState::Arrived));
    assert!(deepest < 0.1, "{deepest}");
}

/// Four groups come from the four sides of a crossing and each goes straight over it.
#[test]
fn flows_that_cross_get_through() {
    const ARM: usize = 36;
    let rows: Vec<String> = (0..ARM)
        .map(|z| {
            let is_open = |x: usize| [x, z].iter().any(|at| (14..22).contains(at));
            (0..ARM).map(|x| if is_open(x) { '.' } else { '#' }).collect()
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut crowd = Crowd::new(map(&rows), HeightCost::default());
    for at in 0..30 {
        // Five side by side, six behind each other, 0.7 m apart.
        let (aside, behind) = (7.6 + 0.7 * (at % 5) as f32, 0.5 + 0.7 * (at / 5) as f32);
        let far = 18.0 - behind;
        let ends =
            [([behind, 0.0, aside], [far, 0.0, aside]), ([aside, 0.0, behind], [aside, 0.0, far])];
        for (start, goal) in ends.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            let id = crowd.add(HUMAN, start, settings()).expect("ground");
            crowd.set_goal(id, goal).expect("a member");
        }
    }
    run(&mut crowd, 45.0);
    let late = crowd.members().filter(|member| !member.state().is_at_rest()).count();
    assert_eq!(late, 0, "of {}", crowd.len());
}

/// Two rooms, and a passage round a corner between them, in which three can stand side by side: those
/// of each room all want into the other. That takes 35 to 51 s, whichever millimetre they start on; if they did not
/// turn round each other, it took twice as long.
#[test]
fn flows_that_meet_at_a_corner_get_through() {
    let rooms = [([0, 4], [12, 21]), ([19, 28], [36, 40])];
    let passages = [([0, 10], [30, 14]), ([26, 10], [30, 40])];
    let rows: Vec<String> = (0..40)
        .map(|z| {
            let is_in = |low: [usize; 2], high: [usize; 2], x: usize| {
                (low[0]..high[0]).contains(&x) && (low[1]..high[1]).contains(&z)
            };
            let is_open = |x| rooms.iter().chain(&passages).any(|&(low, high)| is_in(low, high, x));
            (0..36).map(|x| if is_open(x) { '.' } else { '#' }).collect()
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut crowd = Crowd::new(map(&rows), HeightCost::default());
    for at in 0..36 {
        let (column, row) = ((at % 6) as f32, (at / 6) as f32);
        let one = [0.8 + 0.75 * column, 0.0, 3.5 + 0.75 * row];
        let other = [11.0 + 0.95 * column, 0.0, 14.6 + 0.75 * row];
        for (start, goal) in [(one, other), (other, one)] {
            let id = crowd.add(HUMAN, start, settings()).expect("ground");
            crowd.set_goal(id, goal).expect("a member");
        }
    }
    run(&mut crowd, 60.0);
    let late = crowd.members().filter(|member| !member.state().is_at_rest()).count();
    assert_eq!(late, 0, "of {}", crowd.len());
}

#[test]
fn nobody_fights_for_a_goal_that_is_taken() {
    let mut crowd = Crowd::new(plain(120), HeightCost::default());
    let mut ids = Vec::new();
    for at in 0..30 {
        let angle = at as f32 * 0.2094;
        let place = [15.0 + 12.0 * angle.cos(), 0.0, 15.0 + 12.0 * angle.sin()];
        let id = crowd.add(HUMAN, place, settings()).expect("ground");
        crowd.set_goal(id, [15.0, 0.0, 15.0]).expect("a member");
        ids.push(id);
    }
    let mut steps = 0;
    while !ids.iter().all(|&id| state(&crowd, id) == FollowState::Arrived) {
        crowd.step(DT);
        steps += 1;
        assert!(steps < 60 * 10, "still not at rest");
    }
    run(&mut crowd, 1.0);
    let places: Vec<_> = crowd.members().map(|member| member.position()).collect();
    run(&mut crowd, 2.0);
    for (member, before) in crowd.members().zip(places) {
        assert!((member.position() - before).norm() < 0.01, "still moving");
    }
    assert!(deepest_overlap(&crowd) < 0.05);
}

#[test]
fn lower_priorities_make_way() {
    let mut crowd = Crowd::new(plain(100), HeightCost::default());
    let ends = [[3.0, 0.0, 12.5], [22.0, 0.0, 12.5]];
    let ids = ends.map(|at| crowd.add(HUMAN, at, settings()).expect("ground"));
    crowd.set_priority(ids[0], 200).expect("a member");
    crowd.set_goal(ids[0], ends[1]).expect("a member");
    crowd.set_goal(ids[1], ends[0]).expect("a member");
    let mut aside = [0f32; 2];
    for _ in 0..480 {
        crowd.step(DT);
        for (aside, &id) in aside.iter_mut().zip(&ids) {
            let at = crowd.member(id).expect("a member").position();
            *aside = aside.max((at.z - 12.5).abs());
        }
    }
    assert!(ids.iter().all(|&id| state(&crowd, id) == FollowState::Arrived));
    assert!(aside[1] > 0.3, "the lower went aside by {} m", aside[1]);
}

#[test]
fn members_react_to_doors_that_close_and_open() {
    let grid = map(&[
        ".................",
        "########.########",
        ".................",
        "................#",
        "................#",
    ]);
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let id = crowd.add(HUMAN, [0.25, 0.0, 0.25], settings()).expect("ground");
    crowd.set_goal(id, [0.25, 0.0, 2.25]).expect("a member");
    run(&mut crowd, 0.5);
    assert_eq!(state(&crowd, id), FollowState::Following);
    let center = [4.25, 1.0, 0.75].into();
    let door = Obstacle::Box { center, half: [0.25, 1.0, 0.25].into(), yaw: 0.0 };
    let door = crowd.block(door).expect("an obstacle");
    run(&mut crowd, 8.0);
    let is_short = matches!(state(&crowd, id), FollowState::Partial { .. });
    assert!(is_short, "{:?}", state(&crowd, id));
    crowd.unblock(door);
    run(&mut crowd, 8.0);
    assert_eq!(state(&crowd, id), FollowState::Arrived);
}

#[test]
fn a_member_under_an_obstacle_steps_back() {
    let grid = plain(60);
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let id = crowd.add(HUMAN, [7.0, 0.0, 7.0], settings()).expect("ground");
    crowd.set_goal(id, [12.0, 0.0, 7.0]).expect("a member");
    run(&mut crowd, 0.1);
    let base = [7.0, 0.0, 7.0].into();
    let obstacle = Obstacle::Cylinder { base, radius: 0.8, height: 2.0 };
    crowd.block(obstacle).expect("an obstacle");
    crowd.step(DT);
    assert!(matches!(state(&crowd, id), FollowState::OffGrid { nearest: Some(_) }));
    run(&mut crowd, 8.0);
    assert_eq!(state(&crowd, id), FollowState::Arrived);
}

#[test]
fn a_budget_makes_members_wait_and_forgets_nobody() {
    let rows: Vec<String> = (0..60)
        .map(|row| match row % 4 {
            1 => format!("{}.", "#".repeat(59)),
            3 => format!(".{}", "#".repeat(59)),
            _ => ".".repeat(60),
        })
        .collect();
    let grid = map(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let settings = CrowdSettings { planning_budget: 500, ..CrowdSettings::default() };
    let mut crowd = Crowd::with_settings(grid, HeightCost::default(), settings).expect("sound");
    for at in 0..20 {
        let place = [0.25 + at as f32, 0.0, 0.25];
        let id = crowd.add(HUMAN, place, FollowSettings::default()).expect("ground");
        crowd.set_goal(id, [29.75, 0.0, 8.25 + (at % 10) as f32 * 2.0]).expect("a member");
    }
    crowd.step(DT);
    crowd.step(DT);
    let waiting = |crowd: &Crowd| {
        crowd.members().filter(|member| member.state() == FollowState::Waiting).count()
    };
    assert!(waiting(&crowd) >= 19 && crowd.waiting() >= 18, "{} wait", waiting(&crowd));
    let mut steps = 0;
    while waiting(&crowd) > 0 {
        crowd.step(DT);
        steps += 1;
        assert!(steps < 2000, "{} still wait", waiting(&crowd));
    }
    assert!(steps > 5, "{steps} steps");
}

#[test]
fn nobody_joins_off_the_grid() {
    let mut crowd = Crowd::new(map(&["..", ".."]), HeightCost::default());
    let far = crowd.add(HUMAN, [50.0, 0.0, 50.0], settings());
    assert!(matches!(far, Err(JoinError::OffGrid { .. })));
    let nobody = crowd.add(AgentId(7), [0.5, 0.0, 0.5], settings());
    assert!(matches!(nobody, Err(JoinError::UnknownAgent(_))));
    let still = FollowSettings { speed: 0.0, ..settings() };
    let error = crowd.add(HUMAN, [0.5, 0.0, 0.5], still).expect_err("no speed");
    assert_eq!(error.to_string(), "speed is 0; it must be more than 0 and finite");
    let nan = crowd.add(HUMAN, [f32::NAN, 0.0, 0.5], settings());
    assert!(nan.is_err());
}

#[test]
fn ids_are_not_used_again() {
    let mut crowd = Crowd::new(plain(20), HeightCost::default());
    let first = crowd.add(HUMAN, [1.0, 0.0, 1.0], settings()).expect("ground");
    assert_eq!(crowd.remove(first), Ok(()));
    assert_eq!(crowd.remove(first), Err(UnknownMember));
    let second = crowd.add(HUMAN, [2.0, 0.0, 1.0], settings()).expect("ground");
    assert_ne!(first, second);
    assert!(crowd.member(first).is_none());
    assert_eq!(crowd.set_goal(first, [3.0, 0.0, 3.0]), Err(UnknownMember));
    let put = crowd.put(first, [3.0, 0.0, 3.0], Vector3::zeros());
    assert_eq!(put, Err(PutError::UnknownMember(UnknownMember)));
    let put = crowd.put(second, [50.0, 0.0, 50.0], Vector3::zeros());
    assert!(matches!(put, Err(PutError::OffGrid { .. })));
    assert_eq!(crowd.len(), 1);
}

#[test]
fn if_there_is_no_path_the_state_says_so() {
    let grid = map(&["...#...", "...#...", "...#..."]);
    let mut crowd = Crowd::new(grid, HeightCost::default());
    let id = crowd.add(HUMAN, [0.25, 0.0, 0.75], settings()).expect("ground");
    crowd.set_goal(id, [3.25, 0.0, 0.75]).expect("a member");
    run(&mut crowd, 3.0);
    // By default it goes as near as it gets.
    assert!(matches!(state(&crowd, id), FollowState::Partial { gap, .. } if gap > 1.0));
    crowd.set_goal(id, [f32::NAN, 0.0, 0.0]).expect("a member");
    run(&mut crowd, 1.0);
    let state = state(&crowd, id);
    let no_path = matches!(state, FollowState::Stuck { reason: StuckReason::NoPath(_) });
    assert!(no_path, "{state:?}");
}

#[test]
fn far_from_the_origin_and_in_small_steps_members_arrive() {
    let min = Cell::new(20_000, -20_000);
    let frame = GridFrame { cell_size: 0.25, min, size_x: 80, size_z: 80 };
    let heights = vec![0.0; frame.cells()];
    let grid = NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("level");
    for (dt, steps) in [(1.0 / 60.0, 600), (0.0005, 20_000)] {
        for start in 0..8 {
            let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
            // Next to a border between cells, and elsewhere.
            let at = [5002.0 + start as f32 / 1000.0, 0.0, -4998.0 + start as f32 / 500.0];
            let id = crowd.add(HUMAN, at, settings()).expect("ground");
            crowd.set_goal(id, [5015.0, 0.0, -4987.0]).expect("a member");
            for _ in 0..steps {
                crowd.step(dt);
            }
            assert_eq!(state(&crowd, id), FollowState::Arrived, "dt {dt}, start {start}");
        }
    }
}

/// Members that rest side by side are sent on to one goal, and get their paths one after the other: the first
/// does not take the other, which still stands, for one that has come there before it.
#[test]
fn neighbors_at_rest_are_sent_on_to_one_goal() {
    let settings_of_crowd = CrowdSettings { planning_budget: 1, ..CrowdSettings::default() };
    let crowd = Crowd::with_settings(plain(100), HeightCost::default(), settings_of_crowd);
    let mut crowd = crowd.expect("sound settings");
    let ids: Vec<MemberId> = (0..24)
        .map(|at| {
            let from = [3.0 + 0.65 * (at % 8) as f32, 0.0, 3.0 + 0.65 * (at / 8) as f32];
            let id = crowd.add(HUMAN, from, settings()).expect("ground");
            crowd.set_goal(id, from).expect("a member");
            id
        })
        .collect();
    run(&mut crowd, 2.0);
    assert!(ids.iter().all(|&id| state(&crowd, id) == FollowState::Arrived));
    let goal = nalgebra::Point3::new(20.0, 0.0, 20.0);
    ids.iter().for_each(|&id| crowd.set_target(id, goal).expect("a member"));
    run(&mut crowd, 20.0);
    for &id in &ids {
        let member = crowd.member(id).expect("a member");
        let off = (member.position() - goal).norm();
        assert!(off < 3.0 && state(&crowd, id) == FollowState::Arrived, "{off} m from the goal");
    }
}

/// A member of high priority comes to rest at its goal beside others that make way for it.
#[test]
fn who_has_priority_stops_beside_those_who_make_way() {
    let mut crowd = Crowd::new(plain(60), HeightCost::default());
    for x in [4.0, 5.5] {
        crowd.add(HUMAN, [x, 0.0, 7.0], settings()).expect("on the ground");
    }
    let own = crowd.add(HUMAN, [4.75, 0.0, 2.0], settings()).expect("on the ground");
    crowd.set_priority(own, 200).expect("a member");
    let goal = [4.75, 0.0, 7.2];
    crowd.set_goal(own, goal).expect("a member");
    for _ in 0..(10.0 / DT) as u32 {
        crowd.step(DT);
        let position = crowd.member(own).expect("a member").position();
        assert!(position.z < goal[2] + 0.1, "beyond its goal: {position:?}");
    }
    assert!(crowd.member(own).expect("a member").state().is_at_rest());
}
