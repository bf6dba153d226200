//! Bodies against walls, curbs and ceilings.

use super::*;
use surefoot::BodyShape;

const GROUND: [f64; 4] = [0.0, 0.0, 7.0, 7.0];
/// A wall on the ground, off any lattice.
const WALL: [f64; 4] = [3.013, 2.291, 3.247, 4.737];

/// The ground with a block from below it up to a height.
fn with_block(site: &Site, rect: [f64; 4], [low, high]: [f64; 2]) -> SceneBuilder {
    let [x0, z0, x1, z1] = rect;
    let block = site.block([x0, low, z0], [x1, high, z1]);
    scene(&[("ground", site.floor(GROUND, 0.0)), ("block", block)])
}

/// How near to a block a body touches it, and how exactly that is known [m].
struct Reach {
    limit: f64,
    tolerance: f64,
}

/// Compares the verdicts on the ground with the distance to the block.
fn check_blocked(
    result: &Result,
    agent: usize,
    reach: &Reach,
    distance: impl Fn(&Spot) -> f64,
) -> usize {
    let mut seen = [0, 0];
    for spot in result.spots_at(0.0) {
        let beyond = distance(&spot) - reach.limit;
        if beyond.abs() <= reach.tolerance
            || distance_to(WALL, &spot) <= 2.0 * result.site.rounding()
        {
            continue;
        }
        let blocked = result.is_obstacle(agent, &spot, "block");
        if blocked != (beyond < 0.0)
            || blocked == (result.verdict(agent, &spot) == Verdict::Walkable)
        {
            result.fail(agent, &spot, &format!("{beyond} m beyond {}", reach.limit));
        }
        seen[usize::from(blocked)] += 1;
    }
    assert!(seen[0] > 0, "{:?}: {seen:?}", result.site);
    seen[1]
}

#[test]
fn a_wall_blocks_within_the_radius() {
    let mut agents = bold_agents();
    // Wider than high: a ball.
    agents.push(Agent { ledge_margin: Some(0.0), ..surefoot_testing::agent("cart", 1.2, 2.2) });
    for site in Site::all() {
        let result = site.result(with_block(&site, WALL, [-0.1, 3.5]), &agents);
        for (agent, body) in agents.iter().enumerate() {
            let limits = Reach { limit: f64::from(body.radius), tolerance: 1e-3 };
            assert!(check_blocked(&result, agent, &limits, |spot| distance_to(WALL, spot)) > 0);
        }
    }
}

#[test]
fn a_box_reaches_as_far_along_x_as_along_z() {
    let crates = [0.3f32, 0.55].map(|radius| Agent {
        shape: BodyShape::Box,
        ledge_margin: Some(0.0),
        radius,
        ..Agent::new(format!("crate {radius}"))
    });
    for site in Site::all() {
        let result = site.result(with_block(&site, WALL, [-0.1, 3.5]), &crates);
        for (agent, body) in crates.iter().enumerate() {
            let blocked = check_blocked(
                &result,
                agent,
                &Reach { limit: f64::from(body.radius), tolerance: 1e-3 },
                |spot| {
                    let beside = |v: f64, low: f64, high: f64| (low - v).max(v - high).max(0.0);
                    let [x0, z0, x1, z1] = WALL;
                    beside(spot.x, x0, x1).max(beside(spot.z, z0, z1))
                },
            );
            assert!(blocked > 0);
        }
    }
}

#[test]
fn a_curb_within_the_climb_is_stepped_on() {
    let agents = bold_agents();
    for site in Site::all() {
        let rect = [2.013, 2.291, 4.247, 4.737];
        for (agent, body) in agents.iter().enumerate() {
            let height = f64::from(body.max_climb) - 0.01;
            let result = site.result(with_block(&site, rect, [0.0, height]), &agents);
            assert!(result.joins(agent, [1.0, 0.0, 1.0], [3.1, height, 3.5]), "{site:?} {agent}");
            for spot in result.spots() {
                let under = f64::from(spot.span.floor) < 0.001 && depth_in(rect, &spot) > -0.001;
                if !under && result.verdict(agent, &spot) != Verdict::Walkable {
                    result.fail(agent, &spot, "nothing is in the way");
                }
            }
        }
    }
}

#[test]
fn a_curb_above_the_climb_blocks_by_the_roundness_of_the_body() {
    let agents = bold_agents();
    let mut blocked = 0;
    for site in Site::all() {
        for (agent, body) in agents.iter().enumerate() {
            let height = lift(body) + 0.02;
            let result = site.result(with_block(&site, WALL, [0.0, height]), &agents);
            let limits = Reach { limit: touches_within(body.radius, 0.02), tolerance: 3e-3 };
            blocked += check_blocked(&result, agent, &limits, |spot| distance_to(WALL, spot));
            for spot in result.spots_at(0.0) {
                for to in Dir::ALL.iter().filter_map(|&dir| result.step(agent, &spot, dir)) {
                    assert!(to.span.floor < 0.001, "{site:?}: a step up from {spot:?}");
                }
            }
        }
    }
    assert!(blocked > 0);
}

/// Two rooms with a corridor between, its middle along z on the centers of cells.
fn corridor(site: &Site, width: f64) -> (SceneBuilder, f64) {
    let middle = site.center_after(3.0);
    let wall = |x0, x1| site.block([x0, -0.1, 2.5], [x1, 3.0, 4.5]);
    let left = wall(0.0, middle - 0.5 * width);
    let right = wall(middle + 0.5 * width, 7.0);
    let parts = [("ground", site.floor(GROUND, 0.0)), ("left", left), ("right", right)];
    (scene(&parts), middle)
}

#[test]
fn a_corridor_as_wide_as_the_body_lets_it_through() {
    let agents = bold_agents();
    for site in Site::all() {
        let exact = site.rounding() < 1e-4;
        for (agent, body) in agents.iter().enumerate() {
            let width = 2.0 * f64::from(body.radius) + if exact { 0.0 } else { 0.002 };
            let passes = |width: f64| {
                let (scene, _) = corridor(&site, width);
                let result = site.result(scene, &agents);
                result.joins(agent, [3.0, 0.0, 1.0], [3.0, 0.0, 6.0])
            };
            assert!(passes(width), "{site:?}: {} is kept out", body.name);
            assert!(!passes(2.0 * f64::from(body.radius) - 0.002), "{site:?}: {}", body.name);
        }
    }
}

#[test]
fn only_the_middle_of_a_tight_corridor_is_free() {
    let agents = bold_agents();
    for site in Site::near() {
        for (agent, body) in agents.iter().enumerate() {
            let (scene, middle) = corridor(&site, 2.0 * f64::from(body.radius));
            let result = site.result(scene, &agents);
            let within =
                |spot: &Spot| (2.51..4.49).contains(&spot.z) && (spot.x - middle).abs() < 0.24;
            for spot in result.spots_at(0.0).iter().filter(|spot| within(spot)) {
                let free = result.verdict(agent, spot) == Verdict::Walkable;
                if free != ((spot.x - middle).abs() < 1e-3) {
                    result.fail(agent, spot, "only the middle is free");
                }
            }
        }
    }
}

/// A slab over a part of the ground.
const SLAB: [f64; 4] = [2.013, 2.291, 5.247, 4.737];

#[test]
fn a_ceiling_as_high_as_the_body_lets_it_under() {
    let agents = bold_agents();
    for site in Site::all() {
        for (agent, body) in agents.iter().enumerate() {
            let low = f64::from(body.height);
            let result = site.result(with_block(&site, SLAB, [low, low + 0.3]), &agents);
            for spot in result.spots_at(0.0) {
                if result.verdict(agent, &spot) != Verdict::Walkable {
                    result.fail(agent, &spot, "there is room under the ceiling");
                }
            }
            assert!(result.joins(agent, [1.0, 0.0, 1.0], [3.5, 0.0, 3.5]));
        }
    }
}

#[test]
fn a_ceiling_lower_than_the_body_keeps_it_out() {
    let agents = bold_agents();
    let missing = 0.005;
    for site in Site::all() {
        for (agent, body) in agents.iter().enumerate() {
            let low = f64::from(body.height) - missing;
            let result = site.result(with_block(&site, SLAB, [low, low + 0.3]), &agents);
            let near = touches_within(body.radius, missing);
            for spot in result.spots_at(0.0) {
                let distance = distance_to(SLAB, &spot);
                let under = depth_in(SLAB, &spot);
                if under.abs() < 1e-3 || (under < 0.0 && (distance - near).abs() < 3e-3) {
                    continue;
                }
                let right = if under > 0.0 {
                    result.verdict(agent, &spot) == Verdict::LowCeiling
                } else if distance < near {
                    result.is_obstacle(agent, &spot, "block")
                } else {
                    result.verdict(agent, &spot) == Verdict::Walkable
                };
                if !right {
                    result.fail(agent, &spot, &format!("{under} m under, {distance} m beside"));
                }
            }
        }
    }
}
