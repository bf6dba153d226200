//! The plan of the village: where its roads, houses and fields lie [m, x east, z south].

/// Where the bridge crosses the river, and how high the road meets it.
pub const BRIDGE: [f64; 3] = [54.0, 1.4, 20.0];
/// Half the length of the bridge.
pub const BRIDGE_REACH: f64 = 24.0;
/// The tunnel runs along x between two portals, at this z and floor height.
pub const TUNNEL_X: [f64; 2] = [-127.5, -97.5];
pub const TUNNEL_Z: f64 = 21.0;
pub const TUNNEL_Y: f64 = 3.0;
/// Middle of the church's terraces, of the castle, of the market and of the walled garden.
pub const CHURCH: [f64; 2] = [-38.0, -84.0];
pub const CASTLE: [f64; 2] = [100.0, -66.0];
pub const MARKET: [f64; 2] = [-8.0, 18.0];
pub const GARDEN: [f64; 2] = [126.0, -22.0];

/// A road through points; where a point has no height it follows the land.
pub struct Way {
    pub half_width: f64,
    /// How far beside the road the land bends to meet it.
    pub skirt: f64,
    pub points: &'static [(f64, f64, Option<f64>)],
}

const fn road(half_width: f64, points: &'static [(f64, f64, Option<f64>)]) -> Way {
    Way { half_width, skirt: 7.0, points }
}

/// All roads but the towpath.
pub const WAYS: [Way; 8] = [
    road(2.2, &[(-152.0, 21.0, Some(3.0)), (TUNNEL_X[0], TUNNEL_Z, Some(TUNNEL_Y))]),
    road(
        2.2,
        &[
            (TUNNEL_X[1], TUNNEL_Z, Some(TUNNEL_Y)),
            (-78.0, 22.5, None),
            (-60.0, 24.0, None),
            (-40.0, 21.0, None),
            (-25.0, 18.5, Some(1.8)),
            (8.0, 18.5, Some(1.8)),
            (31.0, 20.0, Some(1.4)),
        ],
    ),
    road(
        2.2,
        &[(77.0, 20.0, Some(1.4)), (97.0, 22.0, None), (122.0, 27.0, None), (152.0, 31.0, None)],
    ),
    road(
        2.0,
        &[
            (-8.0, 18.0, Some(1.8)),
            (-10.0, -15.0, None),
            (-27.0, -38.0, None),
            (-38.0, -58.0, None),
        ],
    ),
    road(
        2.0,
        &[(-5.0, 18.0, Some(1.8)), (0.0, 60.0, None), (-15.0, 100.0, None), (-20.0, 152.0, None)],
    ),
    road(
        2.0,
        &[(97.0, 22.0, None), (103.0, -8.0, None), (100.0, -28.0, None), (100.0, -42.0, None)],
    ),
    road(1.6, &[(0.0, 60.0, None), (-30.0, 70.0, None), (-60.0, 75.0, None), (-98.0, 86.0, None)]),
    road(1.3, &[(101.0, -24.0, None), (112.0, -15.0, None), (126.0, -12.0, None)]),
];

/// The kinds of houses.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Cottage,
    House,
    Barn,
}

impl Kind {
    /// Half the length along x and z.
    pub fn half(self) -> [f64; 2] {
        match self {
            Kind::Cottage => [4.0, 3.25],
            Kind::House => [5.0, 4.0],
            Kind::Barn => [7.0, 5.0],
        }
    }
}

/// A house: its kind, its middle, and the way its front looks [turns; 0 south, 0.25 east].
pub struct Lot {
    pub kind: Kind,
    pub x: f64,
    pub z: f64,
    pub yaw: f64,
}

const fn lot(kind: Kind, x: f64, z: f64, yaw: f64) -> Lot {
    Lot { kind, x, z, yaw }
}

pub const LOTS: [Lot; 23] = [
    // Along the main road from the tunnel to the market.
    lot(Kind::Cottage, -84.0, 12.0, 0.01),
    lot(Kind::House, -69.0, 12.5, -0.01),
    lot(Kind::House, -53.0, 12.0, 0.02),
    lot(Kind::Cottage, -39.0, 11.0, 0.02),
    lot(Kind::House, -77.0, 33.5, 0.49),
    lot(Kind::Cottage, -60.0, 34.5, 0.51),
    lot(Kind::House, -44.0, 32.5, 0.52),
    // Round the market.
    lot(Kind::House, -22.0, -4.0, 0.0),
    lot(Kind::House, 7.0, -4.0, 0.0),
    lot(Kind::House, -20.0, 42.0, 0.5),
    lot(Kind::House, 13.0, 42.0, 0.5),
    lot(Kind::Cottage, 24.0, 9.0, -0.02),
    // Up to the church.
    lot(Kind::Cottage, -27.0, -20.5, 0.15),
    lot(Kind::House, -7.0, -33.0, 0.65),
    // To the south and the farm.
    lot(Kind::House, 11.0, 68.0, 0.72),
    lot(Kind::Cottage, -18.0, 84.0, 0.2),
    lot(Kind::Cottage, 4.0, 90.0, 0.7),
    lot(Kind::Barn, -62.0, 90.0, 0.51),
    lot(Kind::Cottage, -84.0, 68.5, 0.03),
    // East of the river.
    lot(Kind::House, 86.0, 34.5, 0.49),
    lot(Kind::Cottage, 106.0, 37.0, 0.53),
    lot(Kind::House, 120.0, 13.0, 0.97),
    // The castle's keep.
    lot(Kind::House, 94.0, -68.0, 0.0),
];

/// A tilled field: its middle and half its lengths.
pub const FIELDS: [[f64; 4]; 5] = [
    [-45.0, 121.0, 21.0, 14.0],
    [-66.0, 54.0, 18.0, 9.0],
    [-106.0, 118.0, 24.0, 15.0],
    [92.0, 88.0, 24.0, 15.0],
    [118.0, 60.0, 16.0, 9.0],
];
