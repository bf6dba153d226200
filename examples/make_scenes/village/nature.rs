//! Trees, rocks, fences, and where they stand.

use super::super::blocks::Blocks;
use super::super::shapes::{Mesh, boulder, cylinder, frustum};
use super::land::{Land, from_river};
use super::noise::{Dice, hills};
use super::plan::{BRIDGE, BRIDGE_REACH, CHURCH, FIELDS, TUNNEL_X, TUNNEL_Z};
use super::terrain::REACH;

/// Length of a piece of fence [m].
pub const FENCE: f64 = 3.0;

/// A thing of nature: where it stands, how it is turned [turns], and how large it is.
pub struct Spot {
    pub at: [f64; 3],
    pub yaw: f64,
    pub size: f64,
    /// A second number for the choice of a kind [0..1).
    pub choice: f64,
}

/// Trunk and crown of a fir.
pub fn fir() -> [Mesh; 2] {
    let crown = frustum([1.9, 0.5], [2.4, 5.0], 8).with(frustum([1.3, 0.0], [4.6, 8.2], 8));
    [cylinder(0.22, [-1.0, 3.0], 6), crown]
}

/// Trunk and crown of a leaf tree.
pub fn oak() -> [Mesh; 2] {
    let crown = boulder(2.3, |p| 1.0 + 0.12 * p[0] * p[1] - 0.1 * p[2]);
    [cylinder(0.28, [-1.0, 3.0], 6), crown.moved([0.0, 4.7, 0.0])]
}

/// A rock about 2 m across.
pub fn rock() -> Mesh {
    boulder(1.0, |p| 1.0 + 0.25 * p[0] * p[1] - 0.2 * p[2] * p[2] + 0.15 * p[0] * p[2])
}

/// Three metres of fence along x.
pub fn fence() -> Mesh {
    Blocks::default()
        .add([0.0, -0.8, -0.07], [0.14, 1.15, 0.07])
        .add([1.5, -0.8, -0.07], [1.64, 1.15, 0.07])
        .add([0.0, 0.35, -0.03], [FENCE, 0.5, 0.03])
        .add([0.0, 0.8, -0.03], [FENCE, 0.95, 0.03])
        .mesh()
}

/// Where trees stand: woods where the noise is high, a few in the open, none in the way.
pub fn trees(land: &Land) -> Vec<Spot> {
    let woods = |x: f64, z: f64| hills(x / 34.0, z / 34.0, 303) + (-x - 95.0).max(0.0) / 90.0;
    let mut dice = Dice::new(7);
    let mut spots = avenues(land);
    for _ in 0..2600 {
        let spot = scatter(land, &mut dice);
        let [x, _, z] = spot.at;
        let wanted = if woods(x, z) > 0.22 { 0.75 } else { 0.07 };
        let apart = |other: &Spot| far(other.at, spot.at, 3.6);
        let grows = dice.next() < wanted && free(land, x, z);
        if grows && spots.iter().all(apart) {
            spots.push(spot);
        }
    }
    spots
}

/// Rows of trees along the fronts of the church's terraces.
fn avenues(land: &Land) -> Vec<Spot> {
    let [x, z] = CHURCH;
    let y = land.lawn_height([x, z + 1.0]);
    let mut spots = Vec::new();
    for (row, up, front) in
        [(&[7.0, 13.0, 19.0, 25.0][..], 2.0, 15.0), (&[6.0, 11.5, 17.0], 4.0, 5.5)]
    {
        for (i, aside) in row.iter().flat_map(|aside| [*aside, -aside]).enumerate() {
            let yaw = 0.37 * i as f64;
            let at = [x + aside, y + up, z + front];
            spots.push(Spot { at, yaw: yaw - yaw.floor(), size: 0.85, choice: 0.9 });
        }
    }
    spots
}

/// Where rocks lie: beside the river and up the hills.
pub fn rocks(land: &Land) -> Vec<Spot> {
    let mut dice = Dice::new(99);
    let spots = (0..700).map(|_| scatter(land, &mut dice));
    let lies = |spot: &Spot| {
        let [x, y, z] = spot.at;
        let bank = (8.5..13.0).contains(&from_river(x, z));
        (bank && spot.choice < 0.8 || y > 7.5 && spot.choice < 0.22) && free(land, x, z)
    };
    spots.filter(lies).collect()
}

/// Pieces of fence round the fields, with a gap in each side: where, and which way along x or z.
pub fn fences(land: &Land) -> Vec<Spot> {
    let mut spots = Vec::new();
    for [x, z, half_x, half_z] in FIELDS {
        let (half_x, half_z) = (half_x + 0.75, half_z + 0.75);
        let (along_x, along_z) = ((2.0 * half_x / FENCE) as i32, (2.0 * half_z / FENCE) as i32);
        for (count, yaw) in [(along_x, 0.0), (along_z, 0.25)] {
            for i in (0..count).filter(|&i| i != count / 2) {
                let step = FENCE * f64::from(i);
                for side in [-1.0, 1.0] {
                    let [px, pz] = if yaw == 0.0 {
                        [x - half_x + step, z + side * half_z]
                    } else {
                        [x + side * half_x, z + half_z - step]
                    };
                    let y = land.height(px, pz);
                    spots.push(Spot { at: [px, y, pz], yaw, size: 1.0, choice: 0.0 });
                }
            }
        }
    }
    spots
}

fn scatter(land: &Land, dice: &mut Dice) -> Spot {
    let reach = REACH - 3.0;
    let (x, z) = (dice.between(-reach, reach), dice.between(-reach, reach));
    let (yaw, size, choice) = (dice.next(), dice.between(0.8, 1.35), dice.next());
    Spot { at: [x, land.height(x, z), z], yaw, size, choice }
}

/// Whether nothing is in the way of a tree or a rock.
fn free(land: &Land, x: f64, z: f64) -> bool {
    let within = |x0: f64, z0: f64, half_x: f64, half_z: f64| {
        (x - x0).abs() < half_x && (z - z0).abs() < half_z
    };
    let field = FIELDS.iter().any(|f| within(f[0], f[1], f[2] + 3.0, f[3] + 3.0));
    let bridge = within(BRIDGE[0], BRIDGE[2], BRIDGE_REACH + 4.0, 5.0);
    let tunnel = TUNNEL_X.iter().any(|&mouth| within(mouth, TUNNEL_Z, 5.0, 7.0));
    let blocked = field || bridge || tunnel;
    !blocked && land.road(x, z) < -2.2 && land.lawn(x, z) > 1.5 && from_river(x, z) > 8.5
}

fn far(a: [f64; 3], b: [f64; 3], gap: f64) -> bool {
    let (dx, dz) = (a[0] - b[0], a[2] - b[2]);
    dx * dx + dz * dz > gap * gap
}
