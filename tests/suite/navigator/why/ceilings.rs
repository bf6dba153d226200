//! Ceilings that are too low are named with the headroom that they leave, wherever they are between centers.

use super::*;

#[test]
fn a_low_ceiling_is_named() {
    let level = Level::new().floor("Ground", [-6.0, 6.0], 0.0);
    let low = level.add("Beam", [-0.5, 1.7, -2.0], [0.5, 2.2, 2.0]).only(0.0);
    let Shortfall::LowCeiling { headroom, height, .. } = low.shortfall else { panic!("{low}") };
    near(headroom, 1.7, FINE);
    assert_eq!((height, low.node.as_deref()), (1.8, Some("Beam")));

    let level = Level::new().floor("Ground", [-6.0, 6.0], 0.0);
    let low = level.plaster("Plaster", [-0.5, 0.5], 1.7).only(0.0);
    let Shortfall::LowCeiling { headroom, .. } = low.shortfall else { panic!("{low}") };
    near(headroom, 1.7, FINE);
    assert_eq!(low.node.as_deref(), Some("Plaster"));
}

#[test]
fn a_ceiling_that_begins_at_the_center_of_a_cell_is_no_wall() {
    for end in [0.625, 0.6, 0.65] {
        let level = Level::new().floor("Ground", [-6.0, 6.0], 0.0);
        let low = level.add("Beam", [-end, 1.7, -2.0], [end, 2.2, 2.0]).only(0.0);
        assert_eq!((low.shortfall.name(), low.node.as_deref()), ("low_ceiling", Some("Beam")));
    }
}

/// A body is lifted by its climb, and a capsule is no lower than it is wide.
#[test]
fn a_ceiling_that_no_lower_body_fits_under_says_so() {
    let low = |height: f32| {
        let level = Level::new().floor("Ground", [-6.0, 6.0], 0.0);
        let level = level.add("Beam", [-0.5, 1.02, -2.0], [0.5, 8.0, 2.0]);
        only(separation(&level.navigator_for(Agent { height, ..Agent::new("human") }), 0.0))
    };
    for height in [1.8, 1.01] {
        let low = low(height);
        let Shortfall::LowCeiling { headroom, height: needed, least } = low.shortfall else {
            panic!("{low}")
        };
        near(headroom, 1.02, FINE);
        near(least, 1.05, FINE);
        near(needed, height.max(1.05), FINE);
        assert_eq!(low.node.as_deref(), Some("Beam"));
        let text = low.to_string();
        assert!(text.contains("1.05") && text.contains("with this climb and radius"), "{text}");
    }
}

/// The headroom of the only thing in the way, which has to be a ceiling of a node.
#[track_caller]
fn headroom(level: Level, name: &str) -> f32 {
    let low = level.only(0.0);
    let Shortfall::LowCeiling { headroom, .. } = low.shortfall else { panic!("{low}") };
    assert_eq!(low.node.as_deref(), Some(name), "{low}");
    headroom
}

/// At no center is a lintel the ceiling, and a capsule's round head gets higher beside it.
#[test]
fn a_lintel_thinner_than_a_cell_is_named() {
    for part in 0..10 {
        let x = 0.025 * part as f32;
        for thickness in [0.02, 0.1] {
            let lintel = hall().add("Lintel", [x, 1.6, -1.5], [x + thickness, 6.0, 1.5]);
            near(headroom(lintel, "Lintel"), 1.6, FINE);
        }
    }
}

/// The lower edge of a roof decides, and not what is over the centers before it.
#[test]
fn a_roof_that_slopes_is_named_with_its_lowest_edge() {
    for part in 0..10 {
        let x = 1.0 + 0.025 * part as f32;
        let mut roof = hall();
        let [high, low] = [[x - 2.0, 2.4], [x, 1.5]];
        let corner = |[x, y]: [f32; 2], z: f32| [x, y, z];
        let vertices = [corner(high, -1.5), corner(low, -1.5), corner(low, 1.5), corner(high, 1.5)];
        let triangles = [[0, 1, 2], [0, 2, 3]];
        let shell = Triangles { vertices: &vertices, triangles: &triangles };
        roof.0.mesh("Roof", shell, Placement::default());
        near(headroom(roof, "Roof"), 1.5, FINE);
    }
}

/// A smaller agent gets under what is named, and one that is a little higher does not.
#[test]
fn an_agent_of_the_named_height_gets_through() {
    for thickness in [0.02, 0.1, 1.0] {
        let level = || hall().add("Beam", [0.06, 1.5, -1.5], [0.06 + thickness, 6.0, 1.5]);
        let least = headroom(level(), "Beam");
        for (height, passes) in [(least - 0.002, true), (least + 0.01, false)] {
            let agent = Agent { height, ..Agent::new("human") };
            let separation = separation(&level().navigator_for(agent), 0.0);
            assert_eq!(separation.is_connected(), passes, "{thickness}, {height}: {separation}");
        }
    }
}

/// Whoever touches a wall too cannot stand there, however low: the ceiling is read elsewhere.
#[test]
fn a_ceiling_that_is_higher_beside_a_wall_is_named_where_a_body_fits() {
    let mut level = hall();
    let ridge = |y: f32, z: f32| [[-1.0, y, z], [1.0, y, z]];
    let ([a, b], [c, d], [e, f]) = (ridge(1.7, -1.5), ridge(1.5, 0.0), ridge(1.7, 1.5));
    let vertices = [a, b, c, d, e, f];
    let triangles = [[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]];
    let shell = Triangles { vertices: &vertices, triangles: &triangles };
    level.0.mesh("Vault", shell, Placement::default());
    // 0.35 m from the wall, at the center nearest to it where a body fits.
    let most = 1.5 + 0.2 * 1.125 / 1.5;
    let found = headroom(level, "Vault");
    assert!((1.6..=most).contains(&found), "{found}");
}

/// Whoever comes to rest on a kerb has less above: the kerb counts.
#[test]
fn a_ceiling_over_a_kerb_is_read_where_a_body_rests_on_it() {
    let level = || {
        hall().add("Kerb", [0.0, 0.0, -1.5], [0.2, 0.3, 1.5]).add(
            "Roof",
            [-1.0, 1.9, -1.5],
            [1.2, 6.0, 1.5],
        )
    };
    let least = headroom(level(), "Roof");
    near(least, 1.6, 0.02);
    let agent = Agent { height: least - 0.005, ..Agent::new("human") };
    let separation = separation(&level().navigator_for(agent), 0.0);
    assert!(separation.is_connected(), "{separation}");
}

/// A door that is wide enough, but not at the centers of cells, and has a lintel: both are named.
#[test]
fn a_low_door_is_named_with_its_width_where_no_center_is_in_its_middle() {
    let door = |middle: f32| {
        let [left, right] = [middle - 0.35, middle + 0.35];
        let door = hall()
            .add("Jamb", [0.0, 0.0, -1.5], [0.4, 6.0, left])
            .add("Jamb", [0.0, 0.0, right], [0.4, 6.0, 1.5])
            .add("Lintel", [0.0, 1.6, left], [0.4, 6.0, right]);
        let separation = door.separation(0.0);
        separation.blockers.iter().map(|found| found.shortfall.name()).collect::<Vec<_>>()
    };
    assert_eq!(door(0.125), ["low_ceiling"]);
    assert_eq!(door(0.25), ["low_ceiling", "narrow_passage"]);
}

/// Whoever climbs a step under the edge of a roof needs room between the two.
#[test]
fn a_roof_over_a_step_is_named_with_the_step() {
    for (roof, kinds) in [(3.0, vec!["step"]), (2.2, vec!["step", "low_ceiling"])] {
        let level =
            Level::new().floor("Ground", [-6.0, 0.0], 0.0).floor("Terrace", [0.0, 6.0], 0.7);
        let separation = level.add("Roof", [-6.0, roof, -2.0], [0.0, 4.0, 2.0]).separation(0.7);
        let mut found: Vec<&str> =
            separation.blockers.iter().map(|blocker| blocker.shortfall.name()).collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        assert_eq!(found, kinds, "{separation}");
        for blocker in &separation.blockers {
            if let Shortfall::LowCeiling { headroom, .. } = blocker.shortfall {
                near(headroom, roof - 0.7, FINE);
                assert_ne!(blocker.node.as_deref(), Some("Terrace"), "{separation}");
            }
        }
    }
}
