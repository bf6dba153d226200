//! Chance that is the same everywhere: a hash, numbers in a row, and smooth value noise.

/// Numbers in a row from a seed.
pub struct Dice {
    state: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice { state: seed }
    }

    /// The next number [0..1).
    pub fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        unit(mix(self.state))
    }

    /// The next number between two [low..high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// Hills of a size of about one, between -1 and 1, in three octaves.
pub fn hills(x: f64, z: f64, seed: u64) -> f64 {
    let octave = |scale: f64, seed: u64| value(x * scale, z * scale, seed) / scale;
    (octave(1.0, seed) + octave(2.0, seed + 1) + octave(4.0, seed + 2)) / 1.75
}

/// Smooth noise between -1 and 1 with a free value at every whole x and z.
fn value(x: f64, z: f64, seed: u64) -> f64 {
    let (x0, z0) = (x.floor(), z.floor());
    let corner = |dx: f64, dz: f64| {
        let (ix, iz) = ((x0 + dx) as i64 as u64, (z0 + dz) as i64 as u64);
        2.0 * unit(mix(ix ^ mix(iz ^ mix(seed)))) - 1.0
    };
    let (u, v) = (smooth(0.0, 1.0, x - x0), smooth(0.0, 1.0, z - z0));
    let near = blend(corner(0.0, 0.0), corner(1.0, 0.0), u);
    let far = blend(corner(0.0, 1.0), corner(1.0, 1.0), u);
    blend(near, far, v)
}

/// From 0 at `low` to 1 at `high`, level at both ends.
pub fn smooth(low: f64, high: f64, v: f64) -> f64 {
    let t = ((v - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// From `a` to `b` as `t` goes from 0 to 1.
pub fn blend(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

fn mix(mut v: u64) -> u64 {
    v = (v ^ (v >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    v = (v ^ (v >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    v ^ (v >> 31)
}

fn unit(v: u64) -> f64 {
    (v >> 11) as f64 / (1u64 << 53) as f64
}
