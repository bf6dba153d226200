//! Crowds on ground that changes.

use std::sync::Arc;
use std::time::Duration;

use crate::cost::HeightCost;
use crate::crowd::{Crowd, MemberId};
use crate::follow::{FollowSettings, FollowState};
use crate::grid::{AgentId, AreaId};
use crate::navigator::Navigator;
use crate::tests::crowd::gatherings::{plain, settings};
use crate::tests::navigator::{SIDE, WALKER, half_door, hills};
use crate::tests::search::random::Random;
use crate::view::{Obstacle, OtherGrid, Overlay};

/// Returns the track of a crowd on changing ground, with a pause after each step.
fn walk_on_changing_ground(pause: impl Fn(usize) -> Duration) -> Vec<[u32; 3]> {
    let grid = hills();
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    crowd.prepare(WALKER).expect("ground that comes apart");
    let mut random = Random(4);
    let mut place = || {
        let [x, z] = [0; 2].map(|_| 2 + random.below(SIDE as usize - 4) as u32);
        let span = grid.column_spans(crate::grid::Cell::new(x as i32, z as i32)).next();
        span.and_then(|span| grid.point(crate::grid::SpanId(span)))
    };
    let mut ids: Vec<MemberId> = Vec::new();
    while ids.len() < 40 {
        let Some(at) = place() else { continue };
        let settings = FollowSettings { speed: 6.0, ..settings() };
        ids.extend(crowd.add(WALKER, at, settings));
    }
    let mut track = Vec::new();
    for step in 0..120 {
        if step % 30 == 10 {
            crowd.set_factor(AreaId(0), 1.0 + step as f32 / 50.0).expect("it can be set");
        }
        if step == 65 {
            crowd.block(half_door()).expect("a box");
        }
        // New goals all the time: before an update, while it runs and after it.
        for &id in ids.iter().skip(step % 8).step_by(8) {
            if let Some(goal) = place() {
                crowd.set_goal(id, goal).expect("a member");
            }
        }
        crowd.step(1.0 / 30.0);
        std::thread::sleep(pause(step));
        let positions = crowd.members().map(|member| member.position());
        track.extend(positions.map(|at| [at.x, at.y, at.z].map(f32::to_bits)));
    }
    track
}

/// Prepared routes are updated on a thread, and its speed makes no difference.
#[test]
fn the_speed_of_updates_changes_nothing() {
    let mut nav = Navigator::new(hills(), WALKER).expect("one agent");
    nav.prepare().expect("ground that comes apart");
    let span = nav.view().nearest_walkable([5.0, 0.0, 5.0], 1.0).expect("ground").0;
    assert!(nav.table(&[span], &[span]).is_some());
    nav.set_factor(AreaId(0), 2.0).expect("it can be set");
    assert!(nav.table(&[span], &[span]).is_none(), "such a change is updated on a thread");
    let expected = walk_on_changing_ground(|_| Duration::ZERO);
    assert!(expected.len() == 40 * 120);
    assert!(walk_on_changing_ground(|_| Duration::ZERO) == expected, "without pauses");
    let slow = walk_on_changing_ground(|_| Duration::from_millis(10));
    assert!(slow == expected, "with pauses");
    let uneven = walk_on_changing_ground(|step| Duration::from_millis(step as u64 * 7 % 23));
    assert!(uneven == expected, "with uneven pauses");
}

/// An overlay of another grid is refused; everyone walks on, over the ground as it was.
#[test]
fn an_overlay_of_another_grid_is_refused_and_nobody_freezes() {
    let grid = plain(60);
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let agents = [AgentId(0), AgentId(1)];
    let starts = [[2.0, 0.0, 3.0], [2.0, 0.0, 10.0]];
    let ids = [0, 1].map(|at| crowd.add(agents[at], starts[at], settings()).expect("ground"));
    for (&id, start) in ids.iter().zip(starts) {
        crowd.set_goal(id, [12.0, 0.0, start[2]]).expect("a member");
    }
    let wall =
        |z| Obstacle::Box { center: [7.0, 1.0, z].into(), half: [0.3, 1.0, 1.0].into(), yaw: 0.0 };
    crowd.block(wall(3.0)).expect("a box");
    let mut foreign = Overlay::new(&plain(61));
    foreign.block(wall(10.0)).expect("a box");
    let foreign = Arc::new(foreign);
    for step in 0..600 {
        if step % 50 == 5 {
            assert_eq!(crowd.set_overlay(foreign.clone()), Err(OtherGrid));
        }
        let before: Vec<_> = ids.iter().filter_map(|&id| crowd.member(id)).cloned().collect();
        crowd.step(1.0 / 60.0);
        for member in before.iter().filter(|member| member.velocity().norm() > 0.5) {
            let now = crowd.member(member.id()).expect("a member");
            assert_ne!(now.position(), member.position(), "step {step}");
        }
    }
    for &id in &ids {
        assert_eq!(crowd.member(id).expect("a member").state(), FollowState::Arrived);
    }
    assert_eq!(crowd.overlay().obstacles(), 1);
    for agent in agents {
        let view = crowd.view(agent).expect("an agent");
        assert_eq!(view.overlay().expect("its own").obstacles(), 1);
    }
    // An overlay of its own grid counts at once.
    let mut own = Overlay::new(&grid);
    own.block(wall(10.0)).expect("a box");
    assert_eq!(crowd.set_overlay(Arc::new(own)), Ok(()));
    let view = crowd.view(agents[0]).expect("an agent");
    let at = |z: f32| view.grid().span_at([7.0, 0.0, z], 0.5).expect("ground");
    assert!(view.is_walkable(at(3.0)) && !view.is_walkable(at(10.0)));
}
