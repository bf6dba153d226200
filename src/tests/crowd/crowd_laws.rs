//! Laws of crowds, held on seeded random grids and in the open.

use crate::cost::model::HeightCost;
use crate::crowd::Crowd;
use crate::crowd::settings::CrowdSettings;
use crate::follow::state::FollowState;
use crate::grid::{NavGrid, SpanId};
use crate::tests::crowd::gatherings::{deepest_overlap, settings};
use crate::tests::search::cases::cases;
use crate::tests::search::random::Random;
use crate::tests::search::random_grids::AGENT;

/// On any ground, with any number of members: nobody leaves the ground, everyone has a state, and the
/// same crowd moves the same way again.
#[test]
fn nobody_leaves_the_ground_and_motion_is_reproducible() {
    let mut samples = 0;
    for mut case in cases(0..60) {
        let grid = case.grid.clone();
        let count = 1 + case.random.below(12);
        let trips: Vec<[SpanId; 2]> = (0..count).map(|_| [case.span(), case.span()]).collect();
        let hashes = [0; 2].map(|_| walk(&grid, &trips, &mut samples));
        assert_eq!(hashes[0], hashes[1], "seed {}", case.seed);
    }
    assert!(samples > 10_000, "only {samples} samples");
}

/// Sends a crowd from and to the centers of spans. Returns a hash of its motion.
fn walk(grid: &NavGrid, trips: &[[SpanId; 2]], samples: &mut usize) -> u64 {
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    for ends in trips {
        let [start, goal] = ends.map(|span| grid.point(span).expect("a span"));
        let id = crowd.add(AGENT, start, settings()).expect("ground");
        crowd.set_goal(id, goal).expect("a member");
    }
    let mut hash = 0u64;
    for _ in 0..150 {
        crowd.step(1.0 / 30.0);
        for member in crowd.members() {
            let at = member.position();
            assert_ne!(member.state(), FollowState::Idle);
            if let Some(span) = member.span() {
                assert!(grid.is_walkable(AGENT, span), "{at}");
                let height = grid.ground_height(at.x, at.z, span);
                assert_eq!(height, Some(at.y), "{at} is off its span");
                *samples += 1;
            }
            for v in [at.x, at.y, at.z] {
                assert!(v.is_finite());
                hash = hash.wrapping_mul(31).wrapping_add(u64::from(v.to_bits()));
            }
        }
    }
    hash
}

/// In the open, where everyone crosses everyone else's path, nobody overlaps another for long.
#[test]
fn bodies_keep_apart_in_the_open() {
    let grid = super::gatherings::plain(100);
    let mut random = Random(9);
    let mut crowd = Crowd::new(grid, HeightCost::default());
    for at in 0..64 {
        let corner = |at: usize| [2.0 + 3.0 * (at % 8) as f32, 0.0, 2.0 + 3.0 * (at / 8) as f32];
        let id = crowd.add(AGENT, corner(at), settings()).expect("ground");
        crowd.set_goal(id, corner(random.below(64))).expect("a member");
    }
    let mut deep = 0;
    for _ in 0..900 {
        crowd.step(1.0 / 60.0);
        let deepest = deepest_overlap(&crowd);
        deep = if deepest > 0.05 { deep + 1 } else { 0 };
        assert!(deep < 12, "{deepest} radii deep for {deep} steps");
    }
    let resting = crowd.members().filter(|member| member.state().is_at_rest()).count();
    assert_eq!(resting, 64);
}

/// A step that is not positive and finite changes nothing.
#[test]
fn a_step_without_time_changes_nothing() {
    let mut case = cases(0..1).next().expect("a case");
    let [start, goal] = [case.span(), case.span()].map(|span| case.grid.point(span));
    let mut crowd = Crowd::new(case.grid.clone(), HeightCost::default());
    let id = crowd.add(AGENT, start.expect("a span"), settings()).expect("ground");
    crowd.set_goal(id, goal.expect("a span")).expect("a member");
    crowd.step(1.0 / 30.0);
    let seen = |crowd: &Crowd| {
        let member = crowd.member(id).expect("a member");
        (member.position(), member.velocity(), member.facing(), member.state())
    };
    let before = seen(&crowd);
    for dt in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        crowd.step(dt);
        assert_eq!(seen(&crowd), before, "after {dt} s");
    }
}

/// Bodies that are pushed apart in next to no time have finite velocities, and go on.
#[test]
fn a_step_of_next_to_no_time_leaves_velocities_finite() {
    let mut crowd = Crowd::new(super::gatherings::plain(20), HeightCost::default());
    let mut add = |x: f32| {
        let id = crowd.add(AGENT, [x, 0.0, 5.0], settings()).expect("ground");
        crowd.set_goal(id, [x + 3.0, 0.0, 5.0]).expect("a member");
        id
    };
    let ids = [add(5.0), add(5.1)];
    for dt in [f32::from_bits(1), f32::MIN_POSITIVE, 1e-30, 1e-10] {
        crowd.step(dt);
        for id in ids {
            let velocity = crowd.member(id).expect("a member").velocity();
            assert!(velocity.iter().all(|v| v.is_finite()), "{velocity} after {dt} s");
        }
    }
    for _ in 0..300 {
        crowd.step(1.0 / 30.0);
    }
    assert!(crowd.members().all(|member| member.state().is_at_rest()));
}

#[test]
fn settings_out_of_their_limits_are_refused() {
    let case = cases(0..1).next().expect("a case");
    let grid = case.grid.clone();
    let defaults = CrowdSettings::default;
    let wrong = [
        CrowdSettings { planning_budget: 0, ..defaults() },
        CrowdSettings { horizon: 0.0, ..defaults() },
        CrowdSettings { neighbor_distance: f32::NAN, ..defaults() },
    ];
    let refused = wrong
        .map(|settings| Crowd::with_settings(grid.clone(), HeightCost::default(), settings).err());
    let fields = refused.map(|error| error.expect("an error").field);
    assert_eq!(fields, ["planning_budget", "horizon", "neighbor_distance"]);
}
