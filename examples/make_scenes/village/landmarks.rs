//! What stands out: the bridge, the tunnel, the church's terraces, the castle, the walled garden.

use super::super::blocks::Blocks;
use super::super::shapes::{Mesh, Section, Stairs, cuboid, extrude, frustum};
use super::land::Land;
use super::plan::{BRIDGE_REACH, TUNNEL_X, TUNNEL_Y, TUNNEL_Z};

/// Half the width of the bridge [m].
const BRIDGE_HALF: f64 = 2.6;

/// A stone bridge along x round its origin, the road's level at y = 0: one wide arch over the
/// river and one on each bank that one can walk beneath.
pub fn bridge() -> Mesh {
    let deck = |x: f64| 3.0 * (1.0 - (x / BRIDGE_REACH).powi(2));
    let mut stations = Vec::new();
    let mut pier = |from: f64, to: f64| {
        let steps = ((to - from) / 1.5).ceil();
        for i in 0..=steps as u32 {
            let x = from + (to - from) * f64::from(i) / steps;
            stations.push(Section { x, low: -4.4, high: deck(x) });
        }
        to
    };
    let mut arches = Vec::new();
    let mut from = -BRIDGE_REACH;
    for (middle, half, spring, rise) in
        [(-9.2, 2.4, -1.2, 3.0), (0.0, 5.5, -1.9, 4.2), (9.2, 2.4, -1.2, 3.0)]
    {
        pier(from, middle - half - 0.05);
        arches.extend((0..=12).map(|i| {
            let t = f64::from(i) / 6.0 - 1.0;
            let x = middle + half * t;
            Section { x, low: spring + rise * (1.0 - t * t).sqrt(), high: deck(x) }
        }));
        from = middle + half + 0.05;
    }
    pier(from, BRIDGE_REACH);
    stations.extend(arches);
    stations.sort_by(|a, b| a.x.total_cmp(&b.x));
    let rail = |s: &Section| Section { x: s.x, low: s.high - 0.2, high: s.high + 0.9 };
    let rails: Vec<Section> = stations.iter().map(rail).collect();
    extrude(&stations, -BRIDGE_HALF, BRIDGE_HALF)
        .with(extrude(&rails, -BRIDGE_HALF, -BRIDGE_HALF + 0.35))
        .with(extrude(&rails, BRIDGE_HALF - 0.35, BRIDGE_HALF))
}

/// The tunnel's floor, walls and roof; the roof fills the hill up to just below its surface.
pub fn tunnel(land: &Land) -> Mesh {
    let [west, east] = TUNNEL_X;
    let (y, z) = (TUNNEL_Y, TUNNEL_Z);
    let tube = Blocks::default()
        .add([west - 0.2, y - 0.8, z - 2.4], [east + 0.2, y + 3.5, z + 2.4])
        .cut([west - 0.2, y + 0.02, z - 1.4], [east + 0.2, y + 3.5, z + 1.4]);
    let roof = |x: f64| {
        let heights = (-2..=2).map(|i| land.height(x, z + 1.5 * f64::from(i)));
        Section { x, low: y + 3.2, high: heights.fold(f64::MAX, f64::min) - 0.1 }
    };
    let inner = (1..20).map(|i| roof(west + 1.5 * f64::from(i)));
    let roof: Vec<Section> = inner.collect();
    tube.mesh().with(extrude(&roof, z - 2.4, z + 2.4))
}

/// The frame of the tunnel's mouth, round the origin at the road's level, looking to -x.
pub fn portal() -> Mesh {
    Blocks::default()
        .add([-0.7, -1.0, -4.5], [2.2, 5.4, 4.5])
        .cut([-0.7, 0.0, -1.4], [2.2, 3.2, 1.4])
        .add([-0.7, -1.0, -1.4], [2.2, 0.02, 1.4])
        .add([-1.0, 5.4, -4.8], [2.2, 5.8, 4.8])
        .mesh()
}

/// Three terraces of 2 m, with low walls along their fronts and room for the stairs.
pub fn terraces() -> Mesh {
    let mut blocks = Blocks::default();
    for (level, (x, back, front)) in
        [(28.0, 22.0, 20.0), (20.0, 20.0, 10.0), (13.0, 18.0, 0.0)].into_iter().enumerate()
    {
        let top = 2.0 * (level as f64 + 1.0);
        blocks = blocks
            .add([-x, -3.0, -back], [x, top, front])
            .add([-x, top, front - 0.4], [x, top + 0.8, front])
            .cut([-2.0, top, front - 0.4], [2.0, top + 0.8, front]);
    }
    blocks.mesh()
}

/// One flight of the stairs to the church: ten steps of 0.2 m that rise toward -z.
pub fn church_stairs() -> Mesh {
    let flight = Stairs { steps: 10, riser: 0.2, tread: 0.35, width: 4.0, low: -1.0 };
    flight.block().quarter_turned(1).moved([-2.0, 0.0, 0.0])
}

/// The castle's walls with a walk on top, a gate to the south, a slit to the north, and the stair.
pub fn castle() -> Mesh {
    let walls = Blocks::default()
        .add([-18.0, -3.0, -18.0], [18.0, 4.2, 18.0])
        .cut([-16.0, -3.0, -16.0], [16.0, 4.2, 16.0])
        .add([-18.0, 4.2, -18.0], [18.0, 5.1, 18.0])
        .cut([-17.6, 4.2, -17.6], [17.6, 5.1, 17.6])
        .cut([-1.75, -3.0, 16.0], [1.75, 3.2, 18.0])
        // Its middle is the middle of a 0.25 m cell: only the smallest fit.
        .cut([9.85, -3.0, -18.0], [10.4, 2.0, -16.0]);
    let flight = Stairs { steps: 21, riser: 0.2, tread: 0.3, width: 1.6, low: -1.0 };
    let landing = cuboid([-1.7, -1.0, -16.0], [0.3, 4.2, -14.4]);
    walls.mesh().with(flight.block().moved([-8.0, 0.0, -16.0])).with(landing).with(merlons())
}

/// The teeth of the battlements.
fn merlons() -> Mesh {
    let mut side = Mesh::default();
    for i in 0..13 {
        let x = f64::from(i) * 2.2 - 13.8;
        side = side.with(cuboid([x, 5.05, 17.55], [x + 1.2, 5.8, 18.0]));
    }
    (0..4).fold(Mesh::default(), |all, turn| all.with(side.clone().quarter_turned(turn)))
}

/// A round tower and its roof.
pub fn tower() -> [Mesh; 2] {
    let body = frustum([3.4, 3.1], [-3.0, 8.0], 12);
    let roof = frustum([3.9, 0.0], [7.9, 12.5], 12);
    [body, roof]
}

/// A walled garden of 10 m whose only way in is 0.55 m wide.
pub fn garden() -> Mesh {
    Blocks::default()
        .add([-5.0, -2.0, -5.0], [5.0, 2.6, 5.0])
        .cut([-4.5, -2.0, -4.5], [4.5, 2.6, 4.5])
        .cut([-0.15, -2.0, 4.5], [0.4, 2.6, 5.0])
        .mesh()
}
