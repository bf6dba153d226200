//! Houses one can enter: thick closed walls, a floor, a door, windows, and a roof too steep to
//! walk on. The middle of a house is its origin, the lot's level is y = 0, the front looks to +z.

use super::super::blocks::Blocks;
use super::super::shapes::{Mesh, Section, Stairs, cuboid, extrude, frustum};
use super::plan::Kind;

/// Height of the floor above the lot [m].
const FLOOR: f64 = 0.15;
/// Thickness of the walls [m].
const WALL: f64 = 0.4;
/// Height of the upper floor [m]: fifteen risers of 0.19 m above the lower one.
const UPPER: f64 = FLOOR + 15.0 * 0.19;

/// The parts of a house by what they are made of.
pub struct House {
    pub walls: Mesh,
    pub roof: Mesh,
    pub wood: Mesh,
}

/// A house of a kind.
pub fn house(kind: Kind) -> House {
    match kind {
        Kind::Cottage => cottage(),
        Kind::House => two_storeys(),
        Kind::Barn => barn(),
    }
}

fn cottage() -> House {
    let half = Kind::Cottage.half();
    let walls = shell(half, 2.7);
    let walls = opening(walls, half, [-1.6, -0.3], [FLOOR, FLOOR + 2.15]);
    let walls = opening(walls, half, [1.3, 2.4], [1.15, 2.05]);
    let walls = side_windows(walls, half, 1.15).mesh();
    let chimney = cuboid([2.2, 2.5, -1.4], [2.9, 7.4, -0.7]);
    let bed = cuboid([-3.4, FLOOR - 0.1, -2.65], [-1.4, 0.7, -1.75]);
    House { walls: walls.with(chimney), roof: gable(half, 2.7), wood: bed }
}

fn two_storeys() -> House {
    let half = Kind::House.half();
    let top = UPPER + 2.5;
    let [x, z] = [half[0] - WALL, half[1] - WALL];
    let walls = shell(half, top)
        .add([-x, UPPER - 0.25, -z], [x, UPPER, z])
        // The stairwell, along the back wall.
        .cut([-x + 1.2, UPPER - 0.25, -z], [-x + 5.4, UPPER, -z + 1.3]);
    let walls = opening(walls, half, [-0.65, 0.65], [FLOOR, FLOOR + 2.2]);
    let mut walls = side_windows(walls, half, 1.15);
    for left in [-3.6, 2.4] {
        walls = opening(walls, half, [left, left + 1.2], [1.15, 2.05]);
        walls = opening(walls, half, [left, left + 1.2], [UPPER + 0.95, UPPER + 1.85]);
    }
    let walls = walls.cut([-0.6, UPPER + 0.95, z], [0.6, UPPER + 1.85, half[1]]).mesh();
    let chimney = cuboid([2.6, top - 0.2, -2.0], [3.4, top + 5.2, -1.2]);
    let flight = Stairs { steps: 15, riser: 0.19, tread: 0.28, width: 1.3, low: -0.2 };
    let stair = flight.block().moved([-x + 1.2, FLOOR, -z]);
    let table = cuboid([2.0, FLOOR - 0.1, 0.4], [3.6, 0.95, 1.6]);
    House { walls: walls.with(chimney), roof: gable(half, top), wood: stair.with(table) }
}

fn barn() -> House {
    let half = Kind::Barn.half();
    let walls = shell(half, 4.2);
    let walls = opening(walls, half, [-2.0, 2.0], [FLOOR, FLOOR + 3.2]);
    let back = walls.cut([-1.5, FLOOR, -half[1]], [1.5, FLOOR + 2.8, -half[1] + WALL]).mesh();
    let hay = cuboid([3.5, FLOOR - 0.1, -4.0], [6.3, 1.6, -1.0])
        .with(cuboid([3.8, 1.5, -3.7], [6.0, 2.7, -1.5]));
    House { walls: back, roof: gable(half, 4.2), wood: hay }
}

/// Four walls up to `top` with a floor between them; the foundation reaches a metre down.
fn shell(half: [f64; 2], top: f64) -> Blocks {
    let [x, z] = half;
    Blocks::default()
        .add([-x, -1.0, -z], [x, top, z])
        .cut([-x + WALL, FLOOR, -z + WALL], [x - WALL, top, z - WALL])
}

/// Cuts a door or a window into the front wall, between two x and two heights.
fn opening(walls: Blocks, half: [f64; 2], x: [f64; 2], y: [f64; 2]) -> Blocks {
    walls.cut([x[0], y[0], half[1] - WALL], [x[1], y[1], half[1]])
}

fn side_windows(walls: Blocks, half: [f64; 2], sill: f64) -> Blocks {
    let (x, top) = (half[0], sill + 0.9);
    walls.cut([-x, sill, -0.5], [-x + WALL, top, 0.7]).cut([x - WALL, sill, -0.5], [x, top, 0.7])
}

/// A closed roof with its ridge along x, at 52° too steep for anyone.
fn gable(half: [f64; 2], eaves: f64) -> Mesh {
    let reach = half[1] + 0.45;
    let station = |x: f64, high: f64| Section { x, low: eaves - 0.05, high: eaves + high };
    let profile = [station(-reach, 0.12), station(0.0, reach * 1.28), station(reach, 0.12)];
    let length = half[0] + 0.35;
    // Drawn along z; a quarter turn lays the ridge along x.
    extrude(&profile, -length, length).quarter_turned(1)
}

/// The church: a nave with a door to the south and a tower to the west.
pub fn church() -> House {
    let half = [9.0, 4.5];
    let mut nave = shell(half, 6.0);
    nave = opening(nave, half, [-0.9, 0.9], [FLOOR, 3.0]);
    for x in [-6.0, -3.5, 3.0, 6.0] {
        nave = nave.cut([x, 2.0, -4.5], [x + 0.8, 4.8, -4.5 + WALL]);
        nave = opening(nave, half, [x, x + 0.8], [2.0, 4.8]);
    }
    // The way from the nave into the tower.
    nave = nave.cut([-9.0, FLOOR, -0.7], [-8.6, 2.6, 0.7]);
    let tower = Blocks::default()
        .add([-14.0, -1.0, -2.5], [-9.0, 15.0, 2.5])
        .cut([-13.4, FLOOR, -1.9], [-9.6, 12.0, 1.9])
        .cut([-9.6, FLOOR, -0.7], [-9.0, 2.6, 0.7])
        .cut([-14.0, 12.4, -0.8], [-9.0, 14.2, 0.8])
        .cut([-12.3, 12.4, -2.5], [-10.7, 14.2, 2.5]);
    let spire = frustum([3.7, 0.0], [14.95, 23.0], 4);
    let spire = spire.mapped(|p| {
        // A square pyramid whose sides lie along the tower's walls.
        let s = 0.5f64.sqrt();
        [(p[0] + p[2]) * s - 11.5, p[1], (p[2] - p[0]) * s]
    });
    House {
        walls: nave.mesh().with(tower.mesh()),
        roof: gable(half, 6.0).with(spire),
        wood: pews(),
    }
}

fn pews() -> Mesh {
    let mut mesh = cuboid([6.4, FLOOR - 0.1, -1.2], [7.4, 1.15, 1.2]);
    for i in 0..5 {
        let x = f64::from(i) * 1.2 - 5.6;
        if i < 4 {
            mesh = mesh.with(cuboid([x, FLOOR - 0.1, 1.0], [x + 0.4, 0.65, 3.6]));
        }
        mesh = mesh.with(cuboid([x, FLOOR - 0.1, -3.6], [x + 0.4, 0.65, -1.0]));
    }
    mesh
}
