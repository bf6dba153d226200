//! What is inside of closed bodies.

use super::*;
use nalgebra::Vector3;

const GROUND: [f64; 4] = [0.0, 0.0, 6.0, 6.0];
const BLOCK: [f64; 4] = [1.913, 2.091, 3.747, 4.137];

fn block(site: &Site, [low, high]: [f64; 2]) -> Faces {
    let [x0, z0, x1, z1] = BLOCK;
    site.block([x0, low, z0], [x1, high, z1])
}

/// The ground is inside where `depth` is positive, and nowhere else.
fn check_inside(result: &Result, depth: impl Fn(&Spot) -> f64) {
    let mut inside = 0;
    for spot in result.spots_at(0.0) {
        let depth = depth(&spot);
        if depth.abs() < 2e-3 {
            continue;
        }
        let is_inside = result.verdict(0, &spot) == Verdict::InsideSolid;
        if is_inside != (depth > 0.0) {
            result.fail(0, &spot, &format!("{depth} m inside"));
        }
        inside += usize::from(is_inside);
    }
    assert!(inside > 0, "{:?}", result.site);
}

fn grid(site: &Site, parts: &[(&str, Faces)]) -> Result {
    let mut builder = scene(parts);
    add(&mut builder, "ground", &site.floor(GROUND, 0.0), Placement::default());
    site.result(builder, &bold_agents())
}

#[test]
fn the_ground_under_a_block_is_inside() {
    for site in Site::all() {
        for heights in [[0.0, 1.0], [-0.5, 0.7], [-1.0, 0.2], [-0.004, 2.0], [0.005, 1.0]] {
            let result = grid(&site, &[("block", block(&site, heights))]);
            check_inside(&result, |spot| depth_in(BLOCK, spot));
            assert_eq!(result.verdict(0, &result.spot([2.8, heights[1], 3.1])), Verdict::Walkable);
        }
    }
}

#[test]
fn overlapping_blocks_are_inside_together() {
    for site in Site::all() {
        let other = site.block([3.1, -0.2, 1.1], [4.9, 1.5, 3.3]);
        let rect = [3.1, 1.1, 4.9, 3.3];
        let depth = |spot: &Spot| depth_in(BLOCK, spot).max(depth_in(rect, spot));
        let apart = [("block", block(&site, [0.0, 1.0])), ("other", other.clone())];
        let result = grid(&site, &apart);
        check_inside(&result, depth);
        let top = result.spot([3.4, 1.0, 2.7]);
        assert_eq!(result.verdict(0, &top), Verdict::InsideSolid, "the lower top, in the other");
        let one = surefoot_testing::with(block(&site, [0.0, 1.0]), other);
        check_inside(&grid(&site, &[("both", one)]), depth);
    }
}

#[test]
fn boxes_that_share_an_edge_are_closed() {
    for site in Site::all() {
        // They share the upright edge at (3, 3).
        let rects = [[1.5, 1.5, 3.0, 3.0], [3.0, 3.0, 4.5, 4.5]];
        let blocks = rects.map(|[x0, z0, x1, z1]| site.block([x0, 0.0, z0], [x1, 1.0, z1]));
        let both = blocks.into_iter().reduce(surefoot_testing::with).unwrap();
        check_inside(&grid(&site, &[("both", both)]), |spot| {
            depth_in(rects[0], spot).max(depth_in(rects[1], spot))
        });
    }
}

#[test]
fn an_open_shell_has_no_inside() {
    for site in Site::all() {
        for missing in 0..6 {
            let (corners, mut faces) = block(&site, [-0.1, 2.5]);
            faces.drain(2 * missing..2 * missing + 2);
            let result = grid(&site, &[("shell", (corners, faces))]);
            for spot in result.spots_at(0.0) {
                if result.verdict(0, &spot) == Verdict::InsideSolid {
                    result.fail(0, &spot, "the shell is open");
                }
            }
            // The middle of the room is free, unless its lid hangs low.
            assert_eq!(result.verdict(0, &result.spot([2.8, 0.0, 3.1])), Verdict::Walkable);
        }
    }
}

#[test]
fn a_sealed_room_with_thick_walls_is_hollow() {
    for site in Site::all() {
        let outer = site.block([1.0, -0.5, 1.0], [5.0, 3.0, 5.0]);
        let inner = surefoot_testing::inverted(site.block([1.5, 0.0, 1.5], [4.5, 2.5, 4.5]));
        let stone = site.block([2.5, -0.1, 2.5], [3.5, 0.8, 3.5]);
        let room = surefoot_testing::with(outer, inner);
        let parts = [("house", surefoot_testing::with(room, stone))];
        let result = site.result(scene(&parts), &bold_agents());
        assert_eq!(result.verdict(0, &result.spot([2.0, 0.0, 2.0])), Verdict::Walkable);
        assert_eq!(result.verdict(0, &result.spot([3.0, 0.0, 3.0])), Verdict::InsideSolid);
        assert_eq!(result.verdict(0, &result.spot([3.0, 0.8, 3.0])), Verdict::Walkable);
    }
}

#[test]
fn a_room_seen_from_inside_is_free_but_for_what_stands_in_it() {
    for site in Site::all() {
        let room = surefoot_testing::inverted(site.block([0.5, 0.0, 0.5], [5.5, 2.5, 5.5]));
        let stone = site.block([2.5, -0.1, 2.5], [3.5, 0.8, 3.5]);
        for parts in [
            vec![("room", surefoot_testing::with(room.clone(), stone.clone()))],
            vec![("room", room), ("stone", stone)],
        ] {
            let result = site.result(scene(&parts), &bold_agents());
            assert_eq!(result.verdict(0, &result.spot([1.5, 0.0, 1.5])), Verdict::Walkable);
            assert_eq!(result.verdict(0, &result.spot([3.0, 0.0, 3.0])), Verdict::InsideSolid);
            assert_eq!(result.verdict(0, &result.spot([3.0, 0.8, 3.0])), Verdict::Walkable);
        }
    }
}

/// A scene of the ground and one primitive, around (3, 3).
fn with_primitive(site: &Site, y: f64, put: impl Fn(&mut SceneBuilder, Placement)) -> Result {
    let mut builder = scene(&[("ground", site.floor(GROUND, 0.0))]);
    put(&mut builder, Placement::at(site.at([3.013, y, 3.027])));
    site.result(builder, &bold_agents())
}

fn from_middle(spot: &Spot) -> f64 {
    (spot.x - 3.013).hypot(spot.z - 3.027)
}

#[test]
fn primitives_are_solid() {
    for site in Site::all() {
        let around = [3.013 - 0.9, 3.027 - 0.7, 3.013 + 0.9, 3.027 + 0.7];
        for y in [0.5, 0.3, 0.1] {
            let result = with_primitive(&site, y, |builder, at| {
                builder.cuboid("solid", Vector3::new(0.9, 0.5, 0.7), at);
            });
            check_inside(&result, |spot| depth_in(around, spot));
            let result = with_primitive(&site, y, |builder, at| {
                builder.cylinder("solid", [0.5, 0.9], at);
            });
            check_inside(&result, |spot| 0.9 - from_middle(spot));
            let result = with_primitive(&site, y, |builder, at| {
                let corners = surefoot_testing::CUBE.map(|[x, y, z]| [x * 0.9, y * 0.5, z * 0.7]);
                builder.hull("solid", &corners, at);
            });
            check_inside(&result, |spot| depth_in(around, spot));
            let result = with_primitive(&site, y, |builder, at| {
                builder.capsule("solid", [1.0, 0.8], at);
            });
            check_inside(&result, |spot| 0.8 - from_middle(spot));
            let result = with_primitive(&site, y, |builder, at| {
                builder.ball("solid", 1.1, at);
            });
            // Less than a centimetre under the ball is nothing.
            let low: f64 = y - 0.01;
            check_inside(&result, |spot| (1.21 - low * low).sqrt() - from_middle(spot));
        }
    }
}
