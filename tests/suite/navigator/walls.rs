//! Nearest walls on baked ground: exact to the room of the body, and on its own storey.

use surefoot::view::{NavPoint, Obstacle, WallSearch};
use surefoot::{Agent, NavGrid, Navigator, PathError, View};
use surefoot_bake::scene::{Placement, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};

/// How far the distance may be from the truth [m]: the bake measures rooms to a centimetre, against the
/// agent.
const EXACT: f32 = 0.01;

fn baked(builder: SceneBuilder) -> NavGrid {
    let agent = Agent { ledge_margin: Some(0.0), ..surefoot_testing::agent("human", 0.3, 1.8) };
    let settings =
        BakeSettings { cell_size: Some(0.25), agents: vec![agent], ..BakeSettings::default() };
    bake(&builder.build().expect("a sound scene"), &settings, &()).expect("it bakes").grid
}

/// A floor from -5 to 5 m, with a wall whose near side is at x = 2.23, and a gallery above.
fn hall() -> NavGrid {
    let mut builder = SceneBuilder::new("hall");
    builder.cuboid("floor", [5.0, 0.1, 5.0], Placement::at([0.0, -0.1, 0.0]));
    builder.cuboid("wall", [0.1, 1.5, 5.0], Placement::at([2.33, 1.5, 0.0]));
    builder.cuboid("gallery", [1.0, 0.1, 5.0], Placement::at([0.0, 3.9, 0.0]));
    baked(builder)
}

#[test]
fn the_distance_to_a_wall_is_that_of_the_body() {
    let mut nav = Navigator::new(hall(), "human").expect("a human");
    // The body of radius 0.3 m touches the wall at x = 1.93, which is no border of cells.
    for (x, z) in [(1.92, 0.0), (1.5, 0.11), (0.4, -1.3), (-0.31, 0.77)] {
        let wall = nav.nearest_wall([x, 0.0, z], 3.0).expect("ground").expect("a wall");
        assert!((wall.distance - (1.93 - x)).abs() < EXACT, "{wall:?} from {x}");
        assert!((wall.normal.x + 1.0).abs() < 1e-3 && wall.normal.y == 0.0, "{wall:?}");
        assert!((wall.point.x - 1.93).abs() < EXACT && (wall.point.z - z).abs() < EXACT);
    }
    assert_eq!(nav.nearest_wall([-0.5, 0.0, 0.0], 2.4).expect("ground"), None);
    assert_eq!(nav.has_clearance([0.93, 0.0, 0.0], 0.99), Ok(true));
    assert_eq!(nav.has_clearance([0.93, 0.0, 0.0], 1.01), Ok(false));
    // On the gallery above, the edges count, and the wall below does not.
    let edge = nav.nearest_wall([0.6, 4.0, 0.1], 3.0).expect("ground").expect("an edge");
    assert!((edge.point.x - 1.0).abs() < 0.13 && edge.point.y == 4.0, "{edge:?}");
    let nowhere = nav.nearest_wall([50.0, 0.0, 0.0], 1.0);
    assert!(matches!(nowhere, Err(PathError::StartOffGrid { .. })), "{nowhere:?}");
}

#[test]
fn obstacles_of_an_overlay_are_walls() {
    let mut nav = Navigator::new(hall(), "human").expect("a human");
    let before = nav.nearest_wall([-2.0, 0.0, 0.0], 9.0).expect("ground").expect("a wall");
    let base = [-3.4, 0.0, 0.0].into();
    let barrel = nav.block(Obstacle::Cylinder { base, radius: 0.3, height: 1.0 }).expect("a shape");
    let wall = nav.nearest_wall([-2.0, 0.0, 0.0], 9.0).expect("ground").expect("the barrel");
    // The cells whose centers a body in touch with the barrel has.
    assert!((wall.distance - 0.8).abs() < 0.25, "{wall:?}");
    assert!(wall.normal.x > 0.9, "{wall:?}");
    assert!(nav.unblock(barrel));
    assert_eq!(nav.nearest_wall([-2.0, 0.0, 0.0], 9.0), Ok(Some(before)));
}

/// Round a pillar the wall is its circle, grown by the body, or half a cell before it.
#[test]
fn a_pillar_is_round() {
    let mut builder = SceneBuilder::new("pillar");
    builder.cuboid("floor", [5.0, 0.1, 5.0], Placement::at([0.0, -0.1, 0.0]));
    builder.cylinder("pillar", [1.0, 0.7], Placement::at([0.05, 1.0, 0.1]));
    let grid = baked(builder);
    let view = View::new(&grid, "human").expect("a human");
    let mut search = WallSearch::default();
    let mut worst: f32 = 0.0;
    for degree in 0..360 {
        let (sin, cos) = (degree as f32).to_radians().sin_cos();
        let [x, z] = [0.05 + 2.2 * cos, 0.1 + 2.2 * sin];
        let span = grid.span_at([x, 0.0, z], 0.1).expect("a floor");
        let place = NavPoint { span, point: [x, 0.0, z].into() };
        let wall = search.nearest(&view, &place, 3.0).expect("the pillar");
        assert!(wall.distance < 1.2 + EXACT, "{degree}°: {wall:?}");
        worst = worst.max(1.2 - wall.distance);
    }
    // A cell whose center is too near to stand on is closed as a whole.
    assert!(worst < 0.25 * std::f32::consts::FRAC_1_SQRT_2, "{worst}");
}

/// A narrow spiral: the turns above and below are near, and their edges are not walls.
#[test]
fn turns_of_a_ramp_do_not_see_each_other() {
    let folder = surefoot_testing::repository().join("scenes");
    let scene = surefoot_testing::load(&folder.join("spiral_tower.glb"));
    let agent = surefoot_testing::agent("human", 0.3, 1.8);
    let settings =
        BakeSettings { cell_size: Some(0.2), agents: vec![agent], ..BakeSettings::default() };
    let grid = bake(&scene, &settings, &()).expect("it bakes").grid;
    let view = View::new(&grid, "human").expect("a human");
    let spans = (0..grid.spans().len() as u32).map(surefoot::SpanId);
    let mut above = 0;
    for span in spans.filter(|&span| view.is_walkable(span)).step_by(7) {
        let point = grid.point(span).expect("a span");
        let Some(wall) = view.nearest_wall(&NavPoint { span, point }, 2.0) else { continue };
        let climb = (wall.point.y - point.y).abs();
        assert!(climb <= wall.distance + 0.4, "{point} {wall:?}");
        above += usize::from(point.y > 3.0);
    }
    assert!(above > 100, "{above}");
}
