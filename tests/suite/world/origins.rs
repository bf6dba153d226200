//! Worlds that are seen from one of their tiles: far away, answers are as precise as near the origin.

use nalgebra::Point3;
use surefoot::follow::FollowSettings;
use surefoot::world::{TilePlace, World, WorldBudget, WorldInfo};
use surefoot::{Cell, Crowd, GridFrame, HeightCost, NavGrid};

use super::{endless, hills, human};

/// Side of a tile [cells].
const SIDE: i32 = 32;
/// Where the hills are that lie at the origin elsewhere: 640 and 480 km away.
const PLACE: TilePlace = TilePlace::new(40_000, -30_000);

/// The endless hills, with those of the origin at another place.
fn far_hills() -> World {
    let info = WorldInfo::endless(0.5, SIDE as u32, human());
    let own = info.clone();
    let tile = move |place: TilePlace| {
        let cells = own.cells_of(place).grown(4).overlap(&own.frame);
        let height = |Cell { x, z }: Cell| hills(Cell::new(x - PLACE.x * SIDE, z - PLACE.z * SIDE));
        let heights = (0..cells.cells()).map(|at| height(cells.cell(at)).unwrap_or(f32::NAN));
        NavGrid::from_heights(cells, &heights.collect::<Vec<f32>>(), &own.agents).ok()
    };
    let mut world = World::generated(info, tile).expect("a world");
    world.set_budget(WorldBudget { bytes: 800_000, ..WorldBudget::default() });
    world
}

fn window(world: &mut World, at: Point3<f32>) -> NavGrid {
    world.set_interest(&[at]).expect("a point");
    world.wait().expect("ground")
}

#[test]
fn far_away_ground_is_what_it_is_near_the_origin() {
    let mut seen = far_hills().at_origin(PLACE).expect("a tile");
    for at in [[3.0, 0.0, 5.0], [40.0, 0.0, -71.0]].map(Point3::from) {
        let [near, far] = [&mut endless(), &mut seen].map(|world| window(world, at));
        assert!(near == far, "the same ground around {at}");
    }
    let tile = seen.tile(TilePlace::new(1, 2)).expect("it is made").expect("ground");
    assert_eq!(tile.frame().min, Cell::new(SIDE - 4, 2 * SIDE - 4));
}

#[test]
fn bodies_stutter_far_from_the_origin_of_the_world_and_not_from_their_own() {
    // Where one is after each step, from the tile at which the world begins.
    let walk = |mut world: World, start: [f32; 2]| {
        let at = |[x, z]: [f32; 2]| Point3::new(start[0] + x, 0.0, start[1] + z);
        let grid = window(&mut world, at([3.0, 5.0]));
        let mut crowd = Crowd::new(grid, HeightCost::default());
        let id = crowd.add("human", at([3.0, 5.0]), FollowSettings::default()).expect("ground");
        crowd.set_goal(id, at([12.0, 30.0])).expect("a member");
        let place = |crowd: &Crowd| crowd.member(id).expect("a member").position();
        let mut places = Vec::new();
        for _ in 0..300 {
            crowd.step(1.0 / 60.0);
            places.push([place(&crowd).x - start[0], place(&crowd).z - start[1]]);
        }
        places
    };
    let side = 0.5 * SIDE as f32;
    let near = walk(endless(), [0.0, 0.0]);
    let seen = walk(far_hills().at_origin(PLACE).expect("a tile"), [0.0, 0.0]);
    assert_eq!(seen, near, "to the last bit");
    let far = walk(far_hills(), [PLACE.x as f32 * side, PLACE.z as f32 * side]);
    let is_off = |(one, other): (&[f32; 2], &[f32; 2])| (one[0] - other[0]).abs() > 0.01;
    assert!(
        far.iter().zip(&near).filter(|pair| is_off(*pair)).count() > 50,
        "coordinates are rounded"
    );
}

#[test]
fn origins_that_are_nowhere_are_refused() {
    let world = far_hills();
    for place in [TilePlace::new(i32::MAX, 0), TilePlace::new(0, i32::MIN)] {
        let error = world.at_origin(place).expect_err("no cells").to_string();
        assert!(error.contains("no tile of it can be at"), "{error}");
    }
    // The last tile that has numbers.
    let last = world.info().first_place();
    let seen = world.at_origin(last).expect("a tile");
    let GridFrame { min, size_x, .. } = seen.info().frame;
    assert!(min == Cell::new(0, 0) && size_x <= 1 << 30, "{min:?} {size_x}");
    assert!(seen.info().check().is_ok());
}
