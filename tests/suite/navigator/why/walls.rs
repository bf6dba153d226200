//! What stands between the centers of cells is named, also where it is thinner than a cell.

use super::*;

/// A thin wall right across, which no column meets.
fn railing(level: Level) -> Level {
    level.add("Railing", [-0.01, 0.0, -2.0], [0.01, 3.0, 2.0])
}

#[test]
fn something_thin_between_places_to_stand_is_named() {
    let level = railing(Level::new().floor("Ground", [-6.0, 6.0], 0.0));
    // Thin enough to stand at the centers of the cells on both sides.
    let agent = Agent { radius: 0.1, ..Agent::new("human") };
    let thin = only(separation(&level.navigator_for(agent), 0.0));
    assert_eq!(thin.shortfall, Shortfall::Wall { thickness: 0.0 }, "{thin}");
    near(thin.at.x, 0.0, CELL);
}

#[test]
fn a_thin_wall_that_ends_at_a_drop_is_named() {
    let level = Level::new().floor("Ground", [-6.0, 0.0], 0.0);
    let level = railing(level.add("Pier", [0.0, -0.2, -2.0], [6.0, 0.0, 0.6]));
    let thin = level.only(0.0);
    assert_eq!(thin.shortfall, Shortfall::Wall { thickness: 0.0 }, "{thin}");
    assert_eq!(thin.node.as_deref(), Some("Railing"));
}

#[test]
fn something_thin_on_the_edge_of_a_step_is_named() {
    let level = Level::new().floor("Ground", [-6.0, 0.0], 0.0).floor("Terrace", [0.0, 6.0], 0.62);
    let separation = railing(level).separation(0.62);
    let kinds: Vec<&str> =
        separation.blockers.iter().map(|blocker| blocker.shortfall.name()).collect();
    assert_eq!(kinds, ["wall", "step"], "{separation}");
    assert_eq!(separation.blockers[0].node.as_deref(), Some("Railing"));
}

#[test]
fn a_wall_on_the_edge_of_a_step_is_named() {
    for rise in [0.0, 0.7, 1.2] {
        let wall = terrace(rise).add("Wall", [-0.3, 0.0, -2.0], [0.3, 8.0, 2.0]).only(rise);
        let Shortfall::Wall { thickness } = wall.shortfall else { panic!("{rise}: {wall}") };
        near(thickness, 0.6, CELL);
    }
}

/// Between the centers of two cells, and touched from neither.
#[test]
fn a_fence_that_no_cell_shows_is_named() {
    let level = Level::new().floor("Ground", [-6.0, 6.0], 0.0);
    let fence = level.add("Fence", [-0.01, 0.0, -2.0], [0.01, 2.0, 2.0]);
    let mouse = Agent { radius: 0.05, height: 0.2, max_climb: 0.1, ..Agent::new("mouse") };
    let mut nav = fence.navigator_for(mouse);
    assert_eq!(nav.path(WEST, [4.0, 0.0, 0.0]), Err(PathError::DifferentRegion));
    let blocker = only(separation(&nav, 0.0));
    assert_eq!(blocker.shortfall, Shortfall::Wall { thickness: 0.0 });
    near(blocker.at.x, 0.0, FINE);
}

/// From the top of a thin slope, through a pane above it, down to the ground behind: nobody gets there by the drop
/// alone, though a body may be over the slope and over the ground.
#[test]
fn a_pane_over_a_step_from_ground_too_steep_to_stand_on_is_named() {
    let sheet = |name: &str, [bottom, top]: [[f32; 2]; 2]| {
        let corners = |[x, y]: [f32; 2], z: f32| [x, y, z];
        let vertices =
            [corners(bottom, -2.0), corners(top, -2.0), corners(top, 2.0), corners(bottom, 2.0)];
        (name.to_owned(), vertices)
    };
    for low in [0.0, 0.6] {
        let mut level =
            Level::new().floor("Ground", [-6.0, 6.0], 0.0).floor("Shelf", [-6.0, -0.6], 0.3 + low);
        let foot = 0.3 + low;
        let sheets = [
            sheet("Slope", [[-0.6, foot], [0.02, foot + 0.75]]),
            sheet("Pane", [[0.02, foot + 0.75], [0.03, foot + 4.0]]),
            sheet("Roof", [[0.03, foot + 4.0], [6.0, foot + 4.0]]),
        ];
        for (name, vertices) in &sheets {
            let triangles = [[0, 2, 1], [0, 3, 2]];
            let shell = Triangles { vertices, triangles: &triangles };
            level.0.mesh(name, shell, Placement::default());
        }
        let separation = separation(&level.navigator(), 0.0);
        let kinds: Vec<&str> =
            separation.blockers.iter().map(|blocker| blocker.shortfall.name()).collect();
        assert!(kinds.contains(&"wall"), "{separation}");
    }
}
