//! Ramps at the slope limit and beyond it.

use super::*;

/// Flat ground up to the foot at x = 3, a ramp along x, turned about the foot, a platform on top.
fn ramp(site: &Site, degrees: f64, turn: f64) -> SceneBuilder {
    let (sin, cos) = turn.to_radians().sin_cos();
    let top = RUN * degrees.to_radians().tan();
    let point = |[x, y, z]: [f64; 3]| {
        let [u, v] = [x - FOOT[0], z - FOOT[1]];
        site.at([FOOT[0] + u * cos - v * sin, y, FOOT[1] + u * sin + v * cos])
    };
    let profile = [[-4.0, 0.0], [0.0, 0.0], [RUN, top], [RUN + 4.0, top]];
    let corners: Vec<_> = profile
        .iter()
        .flat_map(|[x, y]| [-3.0, 3.0].map(|z| point([FOOT[0] + x, *y, FOOT[1] + z])))
        .collect();
    let faces = [0u32, 2, 4].iter().flat_map(|&i| [[i, i + 1, i + 3], [i, i + 3, i + 2]]).collect();
    scene(&[("ramp", (corners, faces))])
}

const FOOT: [f64; 2] = [3.017, 2.963];
const RUN: f64 = 2.5;

/// How far a spot is from the foot along the ramp.
fn along(spot: &Spot, turn: f64) -> f64 {
    let (sin, cos) = turn.to_radians().sin_cos();
    (spot.x - FOOT[0]) * cos + (spot.z - FOOT[1]) * sin
}

/// A slope that rises along x, under a sheet so high above it everywhere.
fn under_sheet(site: &Site, degrees: f64, above: f64) -> SceneBuilder {
    let rise = degrees.to_radians().tan();
    let sheet = |y: f64| {
        let corners = [[0.0, 0.0], [0.0, SIDE], [SIDE, SIDE], [SIDE, 0.0]];
        let corners = corners.map(|[x, z]| site.at([x, y + rise * x, z])).to_vec();
        (corners, vec![[0, 1, 2], [0, 2, 3]])
    };
    scene(&[("slope", sheet(0.0)), ("sheet", sheet(above))])
}

const SIDE: f64 = 6.0;

fn climbers() -> Vec<Agent> {
    let climber = |radius, height| Agent {
        ledge_margin: Some(0.0),
        ..surefoot_testing::agent(&format!("{radius}"), radius, height)
    };
    vec![climber(0.3, 1.8), climber(0.6, 2.0), climber(1.2, 2.2)]
}

#[test]
fn a_ramp_at_the_limit_joins_the_ground_below_and_above() {
    for site in Site::all() {
        for turn in [0.0, 30.0, 90.0] {
            let result = site.result(ramp(&site, 45.0, turn), &climbers());
            for agent in 0..3 {
                let spots = result.spots();
                for spot in &spots {
                    if result.verdict(agent, spot) != Verdict::Walkable {
                        result.fail(agent, spot, "a ramp at the limit is walkable");
                    }
                }
                let regions = result.grid.layers()[agent].regions.len();
                assert_eq!(regions, 1, "{site:?} turned by {turn}, agent {agent}");
            }
        }
    }
}

#[test]
fn half_a_degree_more_is_too_steep() {
    for site in Site::all() {
        for turn in [0.0, 30.0, 90.0] {
            let result = site.result(ramp(&site, 45.5, turn), &climbers());
            let mut steep = 0;
            for spot in result.spots() {
                let along = along(&spot, turn);
                if along.abs() < 1e-3 || (along - RUN).abs() < 1e-3 {
                    continue;
                }
                for agent in 0..3 {
                    let is_steep = result.verdict(agent, &spot) == Verdict::TooSteep;
                    if is_steep != (0.0 < along && along < RUN) {
                        result.fail(agent, &spot, &format!("{along} m up the ramp"));
                    }
                    steep += usize::from(is_steep);
                }
            }
            assert!(steep > 0);
            for agent in 0..3 {
                assert_eq!(
                    result.grid.layers()[agent].regions.len(),
                    2,
                    "{site:?} turned by {turn}"
                );
            }
        }
    }
}

/// On a slope a round sole rests on its flank, above the floor at its middle, and so does the whole
/// body; by less than the 5 cm of its lift that counts as level.
#[test]
fn under_a_low_ceiling_a_body_fits_as_it_rests_on_a_slope() {
    let agents = climbers();
    for site in Site::near() {
        for (degrees, agent) in [(20.0, 0), (28.0, 0), (40.0, 0), (15.0, 1), (30.0, 1), (43.0, 1)] {
            let radius = f64::from(agents[agent].radius);
            let flank = radius * (1.0 / f64::to_radians(degrees).cos() - 1.0);
            let rise = if flank > 0.05 { flank } else { 0.0 };
            let needed = f64::from(agents[agent].height) + flank + rise;
            for (above, fits) in [(needed - 0.01, false), (needed + 0.01, true)] {
                let result = site.result(under_sheet(&site, degrees, above), &agents);
                let mut spots = result.spots();
                // The sheet is a floor as well, under the open sky.
                spots.retain(|spot| spot.span.headroom() < 10.0);
                spots.retain(|spot| depth_in([0.0, 0.0, SIDE, SIDE], spot) > 2.0 * radius);
                assert!(spots.len() > 20);
                for spot in spots {
                    let why = || format!("{above} m free at {degrees} degrees");
                    let found = match fits {
                        true => result.verdict(agent, &spot) == Verdict::Walkable,
                        false => result.is_obstacle(agent, &spot, "sheet"),
                    };
                    if !found {
                        result.fail(agent, &spot, &why());
                    }
                }
            }
        }
    }
}
