//! What counts as floor and ceiling, and what may be stood on.

use super::*;
use surefoot::grid::Area;

const GROUND: [f64; 4] = [0.0, 0.0, 6.0, 6.0];
const ROOF: [f64; 4] = [1.913, 2.091, 3.747, 4.137];

fn turned(faces: Faces, down: bool) -> Faces {
    if down { surefoot_testing::inverted(faces) } else { faces }
}

/// The ground, and over a part of it one face at a height, looking up or down.
fn roofed(site: &Site, y: f64, down: bool, surface: impl Fn(Placement) -> Placement) -> Result {
    let mut builder = scene(&[("ground", site.floor(GROUND, 0.0))]);
    let roof = turned(site.floor(ROOF, y), down);
    add(&mut builder, "roof", &roof, surface(Placement::default()));
    site.result(builder, &bold_agents())
}

/// The spots on the ground under the roof, those at its border left out.
fn under(result: &Result) -> Vec<Spot> {
    let mut spots = result.spots_at(0.0);
    spots.retain(|spot| depth_in(ROOF, spot) > 2e-3);
    assert!(!spots.is_empty());
    spots
}

#[test]
fn a_face_limits_headroom_whichever_way_it_looks() {
    for site in Site::all() {
        for down in [false, true] {
            let result = roofed(&site, 0.9, down, |place| place);
            for spot in under(&result) {
                assert_eq!(result.verdict(0, &spot), Verdict::LowCeiling, "{site:?} {down}");
                assert!((spot.span.headroom() - 0.9).abs() < 1e-5);
            }
            assert_eq!(result.spots_at(0.9).is_empty(), down, "only the upper side is floor");
        }
    }
}

#[test]
fn both_sides_are_floor_where_marked() {
    for site in Site::all() {
        for down in [false, true] {
            let result = roofed(&site, 2.0, down, Placement::two_sided);
            let top = result.spots_at(2.0);
            assert_eq!(top.len(), under(&result).len());
            for spot in top {
                assert_eq!(result.verdict(0, &spot), Verdict::Walkable);
                assert!(spot.span.normal().y > 0.999);
            }
        }
    }
}

#[test]
fn a_ledge_at_a_face_that_looks_down_is_known_as_well() {
    for site in Site::all() {
        let mut builder = SceneBuilder::new("world");
        let roof = surefoot_testing::inverted(site.floor(ROOF, 2.0));
        add(&mut builder, "roof", &roof, Placement::default().two_sided());
        let result = site.result(builder, &[Agent::new("human")]);
        for spot in result.spots_at(2.0) {
            let beyond = depth_in(ROOF, &spot) - 0.3;
            let ledge = result.verdict(0, &spot) == Verdict::Ledge;
            assert!(beyond.abs() < 0.01 || ledge == (beyond < 0.0), "{site:?} {spot:?}");
        }
    }
}

#[test]
fn floors_closer_than_a_centimetre_are_one() {
    for site in Site::all() {
        for (gap, floors) in [(0.002, 1), (0.0095, 1), (0.0105, 2), (0.05, 2)] {
            let result = roofed(&site, gap, false, |place| place);
            let column = result.column(result.spot([2.8, 0.0, 3.1]).cell);
            assert_eq!(column.len(), floors, "{site:?} {gap}");
            let top = column[floors - 1];
            assert!((f64::from(top.span.floor) - gap).abs() < 1e-6, "the upper one stays");
            assert_eq!(result.verdict(0, &top), Verdict::Walkable);
            if floors == 2 {
                assert_eq!(result.verdict(0, &column[0]), Verdict::LowCeiling);
            }
            assert!(result.joins(0, [1.0, 0.0, 1.0], [2.8, gap, 3.1]), "{site:?} {gap}");
        }
    }
}

#[test]
fn nobody_stands_on_an_obstacle_and_it_blocks() {
    for site in Site::all() {
        let mut builder = scene(&[("ground", site.floor(GROUND, 0.0))]);
        let [x0, z0, x1, z1] = ROOF;
        let crate_ = site.block([x0, 0.0, z0], [x1, 2.5, z1]);
        add(&mut builder, "crate", &crate_, Placement::default().obstacle());
        let result = site.result(builder, &bold_agents());
        for agent in 0..3 {
            let top = result.spots_at(2.5);
            assert!(!top.is_empty());
            assert!(top.iter().all(|spot| result.verdict(agent, spot) == Verdict::Forbidden));
            for spot in result.spots_at(0.0) {
                let distance = distance_to(ROOF, &spot);
                let beyond = distance - f64::from(result.agent(agent).radius);
                if beyond.abs() > 1e-3 && distance > 2e-3 {
                    let blocked = result.is_obstacle(agent, &spot, "crate");
                    assert_eq!(blocked, beyond < 0.0, "{site:?} {spot:?}");
                }
            }
        }
    }
}

#[test]
fn nobody_stands_on_a_forbidden_area() {
    for site in Site::all() {
        let mut builder = SceneBuilder::new("world");
        let lava = builder.area(Area { name: "lava".to_owned(), cost: 1.0, forbidden: true });
        let mud = builder.area(Area { name: "mud".to_owned(), cost: 3.0, forbidden: false });
        let edge = 2.513;
        let [left, right] =
            [[0.0, 0.0, edge, 5.0], [edge, 0.0, 5.0, 5.0]].map(|rect| site.floor(rect, 0.0));
        add(&mut builder, "lava", &left, Placement::default().area(lava));
        add(&mut builder, "mud", &right, Placement::default().area(mud));
        let result = site.result(builder, &bold_agents());
        for spot in result.spots().iter().filter(|spot| (spot.x - edge).abs() > 1e-3) {
            let (area, verdict) =
                if spot.x < edge { (lava, Verdict::Forbidden) } else { (mud, Verdict::Walkable) };
            assert_eq!(spot.span.area(), area);
            assert_eq!(result.verdict(0, spot), verdict, "{site:?} {spot:?}");
        }
    }
}
