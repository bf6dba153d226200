//! Edges one could fall off.

use super::*;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

fn agents() -> Vec<Agent> {
    let margin =
        |name: &str, margin| Agent { ledge_margin: Some(margin), ..Agent::new(name.to_owned()) };
    let mut agents = Agent::default_set();
    agents.extend([margin("bold", 0.0), margin("timid", 1.0)]);
    agents
}

/// A platform off any lattice: x0, z0, x1, z1.
const PLATFORM: [f64; 4] = [0.131, 0.217, 3.973, 4.049];
/// Its height.
const TOP: f64 = 2.0;

fn platform(site: &Site) -> Faces {
    let [x0, z0, x1, z1] = PLATFORM;
    site.block([x0, 0.0, z0], [x1, TOP, z1])
}

/// Ledge within the margin, walkable beyond it, all steps between walkable neighbors.
fn check(result: &Result, tolerance: impl Fn(f64) -> f64, depth: impl Fn(&Spot) -> f64) {
    for (agent, layer) in result.grid.layers().iter().enumerate() {
        let margin = f64::from(layer.agent.ledge_margin());
        let mut seen = [0, 0];
        for spot in result.spots_at(TOP) {
            let (verdict, beyond) = (result.verdict(agent, &spot), depth(&spot) - margin);
            if beyond.abs() <= tolerance(margin) || beyond.is_nan() {
                continue;
            }
            let expected = if beyond < 0.0 { Verdict::Ledge } else { Verdict::Walkable };
            if verdict != expected {
                result.fail(agent, &spot, &format!("{beyond} m beyond the margin"));
            }
            seen[usize::from(beyond > 0.0)] += 1;
        }
        assert!(seen[1] > 0 && (seen[0] > 0) == (margin > 0.0), "{:?}: {seen:?}", result.site);
    }
}

#[test]
fn a_ledge_is_what_lies_nearer_to_the_edge_than_the_margin() {
    for site in Site::all() {
        let result = site.result(scene(&[("platform", platform(&site))]), &agents());
        check(&result, |_| 0.01, |spot| depth_in(PLATFORM, spot));
        let inside = |spot: &Spot| depth_in(PLATFORM, spot) > 2.0 * f64::from(site.cell) + 1.01;
        for spot in result.spots_at(TOP).iter().filter(|spot| inside(spot)) {
            for agent in 0..agents().len() {
                assert!(Dir::ALL.iter().all(|&dir| result.step(agent, spot, dir).is_some()));
            }
        }
    }
}

#[test]
fn every_center_over_the_platform_has_its_floor() {
    for site in Site::all() {
        let result = site.result(scene(&[("platform", platform(&site))]), &agents());
        let frame = *result.grid.frame();
        for cell in (0..frame.cells()).map(|index| frame.cell(index)) {
            let [x, z] = frame.center(cell).map(f64::from);
            let [x, z] = [x - site.origin[0], z - site.origin[1]];
            let [x0, z0, x1, z1] = PLATFORM;
            let depth = (x - x0).min(x1 - x).min(z - z0).min(z1 - z);
            if depth.abs() > 2.0 * site.rounding() {
                assert_eq!(
                    result.column(cell).len(),
                    usize::from(depth > 0.0),
                    "{site:?} {cell:?}"
                );
            }
        }
    }
}

/// Angles off the lines of cells and on them [degrees].
const TURNS: [f64; 5] = [8.0, 30.0, 45.0, 59.0, 81.0];

/// Blocks of one height, turned about the middle of the site.
fn turned(site: &Site, degrees: f64, blocks: &[[f32; 4]]) -> SceneBuilder {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), degrees.to_radians() as f32);
    let pose = Isometry3::from_parts(Translation3::from(site.at([3.0, 1.0, 3.0])), turn);
    let mut builder = SceneBuilder::new("world");
    for [x0, z0, x1, z1] in blocks.iter().copied() {
        let (corners, faces) = surefoot_testing::block([x0, -1.0, z0], [x1, 1.0, z1]);
        builder.mesh("block", Triangles { vertices: &corners, triangles: &faces }, pose);
    }
    builder
}

/// A spot as the turned blocks see it.
fn turned_back(spot: &Spot, degrees: f64) -> [f64; 2] {
    let [x, z] = [spot.x - 3.0, spot.z - 3.0];
    let (sin, cos) = degrees.to_radians().sin_cos();
    [x * cos - z * sin, x * sin + z * cos]
}

#[test]
fn a_turned_platform_keeps_its_margins() {
    for (site, degrees) in Site::all().flat_map(|site| TURNS.map(|turn| (site, turn))) {
        let half = [1.93, 2.11];
        let block = [-half[0], -half[1], half[0], half[1]];
        let result = site.result(turned(&site, degrees, &[block]), &agents());
        check(
            &result,
            |_| 0.01,
            |spot| {
                let [u, v] = turned_back(spot, degrees);
                (f64::from(half[0]) - u.abs()).min(f64::from(half[1]) - v.abs())
            },
        );
    }
}

#[test]
fn an_edge_ends_where_a_bridge_meets_it() {
    // The platform's long edge knows nothing of the bridge: nothing joins the two but their place.
    let platform = [-1.93f32, -2.11, 1.93, 2.11];
    let bridge = [1.93f32, -0.55, 4.5, 0.75];
    let [x0, z0, x1, z1] = platform.map(f64::from);
    let [_, south, end, north] = bridge.map(f64::from);
    let edges = [
        [x0, z0, x0, z1],
        [x0, z0, x1, z0],
        [x0, z1, x1, z1],
        [x1, z0, x1, south],
        [x1, north, x1, z1],
        [x1, south, end, south],
        [x1, north, end, north],
        [end, south, end, north],
    ];
    for (site, degrees) in Site::all().flat_map(|site| TURNS.map(|turn| (site, turn))) {
        let result = site.result(turned(&site, degrees, &[platform, bridge]), &agents());
        check(
            &result,
            |_| 0.01,
            |spot| {
                let [u, v] = turned_back(spot, degrees);
                let foot = |[a, b, c, d]: [f64; 4]| [u.clamp(a, c), v.clamp(b, d)];
                let away = |[x, z]: [f64; 2]| (u - x).hypot(v - z);
                let nearest =
                    edges.map(foot).into_iter().min_by(|a, b| away(*a).total_cmp(&away(*b)));
                let [x, z] = nearest.expect("there are edges");
                // Where exactly the platform's edge gives way to the bridge is known to a cell.
                let blur = 1.5 * f64::from(site.cell);
                let is_blurred = |corner: f64| (x - x1).hypot(z - corner) < blur;
                if is_blurred(south) || is_blurred(north) { f64::NAN } else { away([x, z]) }
            },
        );
    }
}

/// A platform with a railing of a height along each of its edges, inside of them.
fn railed(site: &Site, height: f64) -> SceneBuilder {
    let [x0, z0, x1, z1] = PLATFORM;
    let rail = |[x0, z0, x1, z1]: [f64; 4]| site.block([x0, TOP, z0], [x1, TOP + height, z1]);
    let width = RAIL;
    let rails = [
        [x0, z0, x1, z0 + width],
        [x0, z1 - width, x1, z1],
        [x0, z0 + width, x0 + width, z1 - width],
        [x1 - width, z0 + width, x1, z1 - width],
    ];
    let rails = rails.map(rail).into_iter().reduce(surefoot_testing::with).unwrap();
    scene(&[("platform", platform(site)), ("railing", rails)])
}

const RAIL: f64 = 0.05;

#[test]
fn a_railing_blocks_instead() {
    for site in Site::all() {
        let result = site.result(railed(&site, 2.0), &agents());
        for spot in result.spots_at(TOP) {
            let depth = depth_in(PLATFORM, &spot) - RAIL;
            if depth.abs() < 2.0 * site.rounding() {
                continue;
            }
            for agent in 0..agents().len() {
                let beyond = depth - f64::from(result.agent(agent).radius);
                if depth < 0.0 {
                    assert_eq!(result.verdict(agent, &spot), Verdict::InsideSolid);
                } else if beyond.abs() > 1e-3 {
                    let blocked = result.is_obstacle(agent, &spot, "railing");
                    let walkable = result.verdict(agent, &spot) == Verdict::Walkable;
                    if blocked != (beyond < 0.0) || walkable == blocked {
                        result.fail(agent, &spot, &format!("{beyond} m beyond the radius"));
                    }
                }
            }
        }
    }
}

#[test]
fn a_railing_one_steps_over_does_not_help() {
    for site in Site::all() {
        let result = site.result(railed(&site, 0.2), &agents());
        check(
            &result,
            |_| 0.01,
            |spot| {
                // Under the railing there is no room to ask about.
                let depth = depth_in(PLATFORM, spot);
                if depth <= RAIL + 0.001 { f64::NAN } else { depth }
            },
        );
    }
}
