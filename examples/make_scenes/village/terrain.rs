//! The terrain as a mesh: a grid of triangles, cut along the edges of roads, water and fields.
//!
//! Every triangle is split where a kind of ground begins, so borders are smooth lines. Triangles
//! that share an edge split it at the same point: the mesh has no cracks.

use super::super::shapes::{Mesh, P};
use super::land::{Land, WATER, from_river};
use super::noise::hills;
use super::plan::{FIELDS, TUNNEL_X, TUNNEL_Z};

/// Half the length of the terrain [m].
pub const REACH: f64 = 150.0;
/// Length of a square of the grid [m].
const SQUARE: f64 = 1.5;
/// A border this near to a corner goes through it [m]: it keeps slivers out.
const NEAR: f64 = 0.15;

/// The kinds of ground, in the order of the parts.
#[derive(Clone, Copy)]
pub enum Ground {
    Grass,
    Meadow,
    Rock,
    Road,
    Paving,
    Water,
    Field,
}

/// One mesh for each kind of [`Ground`].
pub fn terrain(land: &Land) -> Vec<Mesh> {
    let mut parts = vec![Mesh::default(); 7];
    let borders: [&dyn Fn(f64, f64) -> f64; 5] = [
        &|x, z| land.road(x, z),
        &|x, z| land.paving(x, z),
        &|x, z| water(land, x, z),
        &|x, z| field(x, z),
        &|x, z| meadow(x, z),
    ];
    let mut triangles = grid(land);
    for border in borders {
        triangles = triangles.into_iter().flat_map(|t| split(t, border)).collect();
    }
    for triangle in triangles {
        parts[ground(land, triangle) as usize].triangles.push(triangle);
    }
    parts
}

/// The plain grid, open at the two mouths of the tunnel.
fn grid(land: &Land) -> Vec<[P; 3]> {
    let squares = (2.0 * REACH / SQUARE) as usize;
    let at = |i: usize| i as f64 * SQUARE - REACH;
    let corner = |i: usize, k: usize| [at(i), land.height(at(i), at(k)), at(k)];
    let corners: Vec<Vec<P>> =
        (0..=squares).map(|i| (0..=squares).map(|k| corner(i, k)).collect()).collect();
    let mouth = |x: f64, z: f64| {
        let at_end = x == TUNNEL_X[0] || x == TUNNEL_X[1] - SQUARE;
        at_end && (TUNNEL_Z - SQUARE..TUNNEL_Z + SQUARE).contains(&z)
    };
    let mut triangles = Vec::new();
    for i in 0..squares {
        for k in 0..squares {
            if !mouth(at(i), at(k)) {
                let (a, b) = (corners[i][k], corners[i][k + 1]);
                let (c, d) = (corners[i + 1][k + 1], corners[i + 1][k]);
                triangles.extend(halves([a, b, c, d]));
            }
        }
    }
    triangles
}

/// Two triangles over the diagonal that follows the land better.
fn halves([a, b, c, d]: [P; 4]) -> [[P; 3]; 2] {
    if (a[1] - c[1]).abs() < (b[1] - d[1]).abs() {
        [[a, b, c], [a, c, d]]
    } else {
        [[a, b, d], [b, c, d]]
    }
}

/// Cuts a triangle where the border's value changes sign.
fn split(triangle: [P; 3], border: &dyn Fn(f64, f64) -> f64) -> Vec<[P; 3]> {
    let sides = triangle.map(|p| {
        let value = border(p[0], p[2]);
        if value.abs() < NEAR { 0.0 } else { value }
    });
    let crossed = |i: usize, k: usize| sides[i] * sides[k] < 0.0;
    // Turned so that the edges that are cut come first.
    let turned = (0..3).max_by_key(|&i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        (crossed(i, j), crossed(k, i))
    });
    let Some(i) = turned else { return vec![triangle] };
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let (a, b, c) = (triangle[i], triangle[j], triangle[k]);
    let cut = |p: usize, q: usize| between((triangle[p], sides[p]), (triangle[q], sides[q]));
    match (crossed(i, j), crossed(k, i)) {
        (true, true) => {
            let (ab, ca) = (cut(i, j), cut(k, i));
            vec![[a, ab, ca], [ab, b, c], [ab, c, ca]]
        }
        (true, false) => {
            let ab = cut(i, j);
            vec![[a, ab, c], [ab, b, c]]
        }
        _ => vec![triangle],
    }
}

/// The point between two corners where the border runs, whichever corner comes first.
fn between(one: (P, f64), other: (P, f64)) -> P {
    let (low, high) = if one.1 < other.1 { (one, other) } else { (other, one) };
    let t = low.1 / (low.1 - high.1);
    [0, 1, 2].map(|i| low.0[i] + (high.0[i] - low.0[i]) * t)
}

/// What kind of ground a triangle is.
fn ground(land: &Land, triangle: [P; 3]) -> Ground {
    let middle = |i: usize| (triangle[0][i] + triangle[1][i] + triangle[2][i]) / 3.0;
    let (x, z) = (middle(0), middle(2));
    if land.paving(x, z) > 0.0 {
        Ground::Paving
    } else if land.road(x, z) > 0.0 {
        Ground::Road
    } else if water(land, x, z) > 0.0 {
        Ground::Water
    } else if steep(triangle) && from_river(x, z) > 14.0 {
        Ground::Rock
    } else if field(x, z) > 0.0 {
        Ground::Field
    } else if meadow(x, z) > 0.0 {
        Ground::Meadow
    } else {
        Ground::Grass
    }
}

/// Metres below the water; the ponds that noise would make elsewhere stay dry.
fn water(land: &Land, x: f64, z: f64) -> f64 {
    if from_river(x, z) > 12.0 { -1.0 } else { 2.0 * (WATER - land.height(x, z)) }
}

/// Metres inside the nearest field; negative outside.
fn field(x: f64, z: f64) -> f64 {
    let inside = |f: &[f64; 4]| (f[2] - (x - f[0]).abs()).min(f[3] - (z - f[1]).abs());
    FIELDS.iter().map(inside).fold(-1e3, f64::max)
}

fn meadow(x: f64, z: f64) -> f64 {
    30.0 * hills(x / 36.0, z / 36.0, 77)
}

/// Whether a triangle is steeper than about 38°.
fn steep([a, b, c]: [P; 3]) -> bool {
    let side = |p: P| [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    let (u, v) = (side(b), side(c));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
    normal[1] < 0.79 * length
}
