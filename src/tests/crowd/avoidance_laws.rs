//! Laws of avoidance.

use crate::crowd::avoidance::{Avoidance, Disc, HalfPlane, OrcaParameters};
use crate::tests::search::random::Random;

const MAX_SPEED: f32 = 3.0;

fn depth(plane: &HalfPlane, velocity: [f32; 2]) -> f32 {
    (velocity[0] - plane.point[0]) * plane.normal[0]
        + (velocity[1] - plane.point[1]) * plane.normal[1]
}

fn pair(random: &mut Random, most: f32) -> [f32; 2] {
    [0; 2].map(|_| random.between(-most, most))
}

/// Returns all velocities of a fine raster that are not too fast.
fn raster() -> impl Iterator<Item = [f32; 2]> {
    let steps = -60..=60;
    let all = steps.clone().flat_map(move |x| steps.clone().map(move |z| [x, z]));
    all.map(|at| at.map(|v| v as f32 * MAX_SPEED / 60.0)).filter(|v| v[0].hypot(v[1]) <= MAX_SPEED)
}

/// With walls alone, the velocity breaks none of them, and no allowed one is nearer to the desired one.
#[test]
fn the_velocity_is_the_nearest_that_all_walls_allow() {
    let mut random = Random(7);
    let mut solved = 0;
    for case in 0..400 {
        let mut planes = Vec::new();
        let mut avoidance = Avoidance::default();
        for _ in 0..random.below(9) {
            let angle = random.between(0.0, 6.3);
            let plane =
                HalfPlane { point: pair(&mut random, 2.0), normal: [angle.cos(), angle.sin()] };
            planes.push(plane);
            avoidance.add_wall(plane);
        }
        let desired = pair(&mut random, 3.0);
        let off = |v: [f32; 2]| (v[0] - desired[0]).hypot(v[1] - desired[1]);
        let allowed = |v: &[f32; 2]| planes.iter().all(|plane| depth(plane, *v) >= 0.0);
        let Some(best) = raster().filter(allowed).map(off).reduce(f32::min) else { continue };
        let found = avoidance.velocity(desired, MAX_SPEED);
        assert!(found[0].hypot(found[1]) <= MAX_SPEED * 1.001, "case {case}: too fast");
        let worst = planes.iter().map(|plane| depth(plane, found)).fold(0.0, f32::min);
        assert!(worst > -1e-3, "case {case}: a wall is broken by {worst}");
        assert!(off(found) <= best + 1e-3, "case {case}: {} for {best}", off(found));
        solved += 1;
    }
    assert!(solved > 200, "only {solved} cases had a solution");
}

/// If not all neighbors can be avoided, the worst violation is as small as possible.
#[test]
fn if_nothing_is_allowed_the_worst_violation_is_the_least() {
    let mut random = Random(11);
    let mut wedged = 0;
    for case in 0..300 {
        let own = Disc { center: [0.0; 2], velocity: pair(&mut random, 2.0), radius: 0.3 };
        let parameters = OrcaParameters { time_horizon: 1.0, dt: 1.0 / 30.0 };
        let mut avoidance = Avoidance::new(own, parameters);
        let mut planes = Vec::new();
        for _ in 0..8 {
            let angle = random.between(0.0, 6.3);
            let off = random.between(0.62, 0.9);
            let other = Disc {
                center: [angle.cos() * off, angle.sin() * off],
                velocity: pair(&mut random, 2.0),
                radius: 0.3,
            };
            avoidance.add_neighbor(&other, 0.5);
        }
        planes.extend_from_slice(avoidance.planes());
        let violation =
            |v: [f32; 2]| planes.iter().map(|plane| -depth(plane, v)).fold(0.0, f32::max);
        let best = raster().map(violation).fold(f32::INFINITY, f32::min);
        let found = violation(avoidance.velocity(pair(&mut random, 3.0), MAX_SPEED));
        // The slack is the width of the raster.
        assert!(found <= best + 0.05, "case {case}: {found} for {best}");
        wedged += usize::from(best > 0.1);
    }
    assert!(wedged > 50, "only {wedged} cases were wedged");
}

/// Two bodies that both do their share do not collide within the time horizon.
#[test]
fn two_that_do_their_share_do_not_collide() {
    let mut random = Random(3);
    for case in 0..2000 {
        let mut disc = || Disc {
            center: pair(&mut random, 2.0),
            velocity: pair(&mut random, 2.0),
            radius: random.between(0.2, 0.8),
        };
        let pair = [disc(), disc()];
        let offset = [0, 1].map(|axis| pair[1].center[axis] - pair[0].center[axis]);
        let touch = pair[0].radius + pair[1].radius;
        if offset[0].hypot(offset[1]) <= touch {
            continue;
        }
        let share = random.between(0.0, 1.0);
        let decided = [(0, 1, share), (1, 0, 1.0 - share)].map(|(own, other, share)| {
            let parameters = OrcaParameters { time_horizon: 1.0, dt: 0.1 };
            let mut avoidance = Avoidance::new(pair[own], parameters);
            avoidance.add_neighbor(&pair[other], share);
            avoidance.velocity(pair[own].velocity, 100.0)
        });
        for tick in 0..=20 {
            let time = tick as f32 / 20.0;
            let gap =
                [0, 1].map(|axis| offset[axis] + time * (decided[1][axis] - decided[0][axis]));
            let left = gap[0].hypot(gap[1]) - touch;
            assert!(left > -1e-3, "case {case}: {left} m apart after {time} s");
        }
    }
}

/// A body that another makes way for may slow down beside it, though it goes a little towards it: they would not
/// meet.
#[test]
fn whom_another_makes_way_for_may_brake_beside_it() {
    let other = Disc { center: [0.0, 0.0], velocity: [0.0, 0.0], radius: 0.3 };
    let own = Disc { center: [0.79, 0.0], velocity: [-0.38, 2.1], radius: 0.3 };
    let mut avoidance = Avoidance::new(own, OrcaParameters { time_horizon: 0.5, dt: 1.0 / 30.0 });
    avoidance.add_neighbor(&other, 0.0);
    let desired = [-0.2, 1.0];
    assert_eq!(avoidance.velocity(desired, 3.5), desired);
}
