//! Sines and cosines that are the same on every machine.
//!
//! The system's math library may differ in the last bit between platforms; these are plain
//! polynomials, so the files come out byte for byte alike. Angles are in turns (1 = 360°).

use std::f64::consts::TAU;

/// Sine of an angle in turns, to about 1e-12.
pub fn sin(turns: f64) -> f64 {
    let turns = turns - (turns + 0.5).floor();
    let folded = if turns > 0.25 {
        0.5 - turns
    } else if turns < -0.25 {
        -0.5 - turns
    } else {
        turns
    };
    let x = folded * TAU;
    let mut term = x;
    let mut sum = x;
    for k in 1..10 {
        let n = f64::from(2 * k);
        term *= -x * x / (n * (n + 1.0));
        sum += term;
    }
    sum
}

/// Cosine of an angle in turns, to about 1e-12.
pub fn cos(turns: f64) -> f64 {
    sin(turns + 0.25)
}

/// The rotation by `turns` round the axis [unit length], as glTF writes it: x, y, z, w.
pub fn quaternion(axis: [f64; 3], turns: f64) -> [f64; 4] {
    let s = sin(turns / 2.0);
    [axis[0] * s, axis[1] * s, axis[2] * s, cos(turns / 2.0)]
}

/// The point (x, z) turned about the y axis, as a node's rotation by `turns` does it.
pub fn turn(x: f64, z: f64, turns: f64) -> (f64, f64) {
    let (s, c) = (sin(turns), cos(turns));
    (c * x + s * z, c * z - s * x)
}
