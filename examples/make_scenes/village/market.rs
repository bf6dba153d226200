//! What stands on the market: stalls, a well, a monument.

use super::super::blocks::Blocks;
use super::super::shapes::{Mesh, Section, cuboid, extrude, frustum, pipe};

/// The counter and posts of a stall, and its awning, round the origin.
pub fn stall() -> [Mesh; 2] {
    let mut wood = Blocks::default().add([-1.5, -0.3, -0.4], [1.5, 0.95, 0.4]);
    for (x, z, top) in [(-1.5, -1.0, 2.5), (1.38, -1.0, 2.5), (-1.5, 0.88, 2.9), (1.38, 0.88, 2.9)]
    {
        wood = wood.add([x, -0.3, z], [x + 0.12, top, z + 0.12]);
    }
    let station = |x: f64, y: f64| Section { x, low: y, high: y + 0.08 };
    // Drawn along z from the low front to the high back, then turned to lie across.
    let cloth = extrude(&[station(-1.3, 2.35), station(1.3, 2.95)], -1.8, 1.8);
    [wood.mesh(), cloth.quarter_turned(3)]
}

/// The ring of a well and its roof.
pub fn well() -> [Mesh; 2] {
    let ring = pipe([0.85, 1.15], [-0.5, 0.9], 12);
    let posts = cuboid([-1.1, 0.7, -0.08], [-0.94, 2.6, 0.08])
        .with(cuboid([0.94, 0.7, -0.08], [1.1, 2.6, 0.08]));
    [ring.with(posts), frustum([1.9, 0.0], [2.5, 3.9], 8)]
}

/// Steps all round and a pillar in the middle.
pub fn monument() -> Mesh {
    Blocks::default()
        .add([-2.0, -0.5, -2.0], [2.0, 0.2, 2.0])
        .add([-1.5, 0.2, -1.5], [1.5, 0.4, 1.5])
        .mesh()
        .with(frustum([0.6, 0.35], [0.3, 5.0], 8))
        .with(frustum([0.55, 0.0], [4.95, 6.2], 8))
}

/// Where the stalls stand round the middle of the market, and which way they look [turns].
pub const STALLS: [(f64, f64, f64); 9] = [
    (-15.0, -9.0, 0.0),
    (-9.5, -9.5, 0.0),
    (-4.0, -9.0, 0.0),
    (10.0, -9.5, 0.0),
    (15.0, -8.5, 0.0),
    (9.5, 9.5, 0.5),
    (14.5, 9.0, 0.5),
    (-6.0, 9.5, 0.5),
    (-17.0, 8.0, 0.25),
];
