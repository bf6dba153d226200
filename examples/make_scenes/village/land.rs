//! The lie of the land: how high it is, and how far from roads, water and houses.
//!
//! Rolling noise and a few hills; then the river is carved, the roads bend the land to meet them,
//! and every house gets a level lot.

use super::super::angle::{cos, turn};
use super::noise::{blend, hills, smooth};
use super::plan::{CASTLE, CHURCH, GARDEN, LOTS, MARKET, TUNNEL_X, TUNNEL_Y, TUNNEL_Z, WAYS};

/// Height of the water [m].
pub const WATER: f64 = -0.5;
const BED: f64 = -1.6;
/// Where the towpath runs, from the middle of the river toward the west.
const TOWPATH: f64 = 9.4;

/// A piece of a road between two points with heights.
struct Piece {
    from: [f64; 3],
    to: [f64; 3],
    half_width: f64,
    skirt: f64,
}

/// A level place: a turned rectangle at a height.
pub struct Lawn {
    pub middle: [f64; 2],
    pub half: [f64; 2],
    pub yaw: f64,
    pub height: f64,
    /// How far around the land bends to meet it.
    pub skirt: f64,
}

/// The land with everything that shapes it.
pub struct Land {
    roads: Vec<Vec<Piece>>,
    lawns: Vec<Lawn>,
}

impl Land {
    /// Lays out rivers, roads and lots of the plan.
    pub fn new() -> Self {
        let mut land = Land { roads: roads(), lawns: Vec::new() };
        land.level(MARKET, [21.0, 16.0], [-20.0, 18.0]);
        land.level([CHURCH[0], CHURCH[1] + 1.0], [32.0, 27.0], [CHURCH[0], CHURCH[1] + 26.0]);
        land.level(CASTLE, [23.0, 23.0], [CASTLE[0], CASTLE[1] + 24.0]);
        land.level(GARDEN, [8.0, 8.0], [GARDEN[0], GARDEN[1] + 9.0]);
        for lot in &LOTS {
            let [half_x, half_z] = lot.kind.half();
            let (x, z) = turn(0.0, half_z + 3.0, lot.yaw);
            let height = land.height(lot.x + x, lot.z + z);
            let half = [half_x + 2.2, half_z + 2.2];
            land.lawns.push(Lawn {
                middle: [lot.x, lot.z],
                half,
                yaw: lot.yaw,
                height,
                skirt: 6.5,
            });
        }
        land
    }

    /// Height of the land [m].
    pub fn height(&self, x: f64, z: f64) -> f64 {
        let wild = wild(x, z);
        let mut height = wild;
        let from_river = from_river(x, z);
        height = blend(1.2, height, smooth(13.0, 40.0, from_river));
        height = blend(BED, height, smooth(4.0, 10.5, from_river));
        for road in &self.roads {
            let Some((gap, road_height, skirt)) = beside(road, x, z) else { continue };
            height = blend(road_height, height, smooth(0.8, skirt, gap));
        }
        for lawn in &self.lawns {
            height = blend(lawn.height, height, smooth(0.0, lawn.skirt, lawn.distance(x, z)));
        }
        over_tunnel(x, z, wild).unwrap_or(height)
    }

    /// Metres inside the nearest road's edge; negative beside it.
    pub fn road(&self, x: f64, z: f64) -> f64 {
        let gaps = self.roads.iter().filter_map(|road| beside(road, x, z));
        let nearest = gaps.map(|(gap, ..)| -gap).fold(-1e3, f64::max);
        // Over the tunnel there is no road.
        if over_tunnel(x, z, 0.0).is_some() { -1e3 } else { nearest }
    }

    /// Metres inside the market's paving; negative outside.
    pub fn paving(&self, x: f64, z: f64) -> f64 {
        19.5 - (x - MARKET[0]).abs().max((z - MARKET[1]).abs() + 5.0)
    }

    /// Metres to the nearest level lot; zero on it.
    pub fn lawn(&self, x: f64, z: f64) -> f64 {
        self.lawns.iter().map(|lawn| lawn.distance(x, z)).fold(1e3, f64::min)
    }

    /// The level place round a point, if it lies on one.
    pub fn lawn_height(&self, middle: [f64; 2]) -> f64 {
        let lawn = self.lawns.iter().rev().find(|lawn| lawn.middle == middle);
        lawn.map_or_else(|| self.height(middle[0], middle[1]), |lawn| lawn.height)
    }

    fn level(&mut self, middle: [f64; 2], half: [f64; 2], like: [f64; 2]) {
        let height = self.height(like[0], like[1]);
        self.lawns.push(Lawn { middle, half, yaw: 0.0, height, skirt: 14.0 });
    }
}

impl Lawn {
    fn distance(&self, x: f64, z: f64) -> f64 {
        let (x, z) = turn(x - self.middle[0], z - self.middle[1], -self.yaw);
        let (dx, dz) = ((x.abs() - self.half[0]).max(0.0), (z.abs() - self.half[1]).max(0.0));
        (dx * dx + dz * dz).sqrt()
    }
}

/// Metres from the middle of the river.
pub fn from_river(x: f64, z: f64) -> f64 {
    (x - river(z)).abs()
}

/// Where the middle of the river lies.
pub fn river(z: f64) -> f64 {
    42.0 + 12.0 * cos((z - 20.0) / 150.0)
}

/// The land before anything was built.
fn wild(x: f64, z: f64) -> f64 {
    let knoll = |at: [f64; 2], reach: f64| {
        let (dx, dz) = (x - at[0], z - at[1]);
        let near = (1.0 - (dx * dx + dz * dz) / (reach * reach)).max(0.0);
        near * near
    };
    let ridge = (1.0 - ((x + 112.5) / 36.0).powi(2)).max(0.0);
    let ridge = ridge * ridge * (11.0 + 5.0 * hills(z / 40.0, 0.5, 5));
    2.2 + 3.2 * hills(x / 64.0, z / 64.0, 11)
        + 0.8 * hills(x / 17.0, z / 17.0, 23)
        + ridge
        + 6.0 * knoll(CHURCH, 70.0)
        + 9.0 * knoll(CASTLE, 62.0)
        + 9.0 * knoll([135.0, 125.0], 70.0)
        + 7.0 * smooth(75.0, 150.0, x)
}

/// The hill above the tunnel, which the road beneath must not bend.
fn over_tunnel(x: f64, z: f64, wild: f64) -> Option<f64> {
    let inside = (x - TUNNEL_X[0]).min(TUNNEL_X[1] - x) - 1.5;
    let aside = (z - TUNNEL_Z).abs();
    if inside < -0.1 {
        return None;
    }
    // Above the portals the slope starts at one height, so that their frames reach it.
    let brow = TUNNEL_Y + 5.2 + 0.8 * inside;
    let hill = wild.max(TUNNEL_Y + 5.2);
    Some(blend(hill.min(brow), hill, smooth(5.0, 11.0, aside)))
}

fn roads() -> Vec<Vec<Piece>> {
    let ground = |x: f64, z: f64| blend(1.2, wild(x, z), smooth(13.0, 40.0, from_river(x, z)));
    let mut roads: Vec<Vec<Piece>> = Vec::new();
    for way in &WAYS {
        let point =
            |&(x, z, y): &(f64, f64, Option<f64>)| [x, y.unwrap_or_else(|| ground(x, z)), z];
        let points: Vec<[f64; 3]> = way.points.iter().map(point).collect();
        roads.push(pieces(&points, way.half_width, way.skirt));
    }
    let bank = |i: i32| {
        let z = f64::from(8 * i);
        [river(z) - TOWPATH, 0.15, z]
    };
    let bank: Vec<[f64; 3]> = (-8..=11).map(bank).collect();
    roads.push(pieces(&bank, 1.0, 3.6));
    roads
}

fn pieces(points: &[[f64; 3]], half_width: f64, skirt: f64) -> Vec<Piece> {
    let piece = |pair: &[[f64; 3]]| Piece { from: pair[0], to: pair[1], half_width, skirt };
    points.windows(2).map(piece).collect()
}

/// The gap to a road's edge [m, negative on it], its height there, and its skirt.
fn beside(road: &[Piece], x: f64, z: f64) -> Option<(f64, f64, f64)> {
    let near = |piece: &Piece| {
        let (along_x, along_z) = (piece.to[0] - piece.from[0], piece.to[2] - piece.from[2]);
        let (dx, dz) = (x - piece.from[0], z - piece.from[2]);
        let t = (dx * along_x + dz * along_z) / (along_x * along_x + along_z * along_z);
        let t = t.clamp(0.0, 1.0);
        let (dx, dz) = (dx - t * along_x, dz - t * along_z);
        let gap = (dx * dx + dz * dz).sqrt() - piece.half_width;
        (gap, blend(piece.from[1], piece.to[1], t), piece.skirt)
    };
    road.iter().map(near).min_by(|a, b| a.0.total_cmp(&b.0))
}
