//! Numbers that look random, the same in every run.

/// Based on: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
#[derive(Clone)]
pub(super) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// `[0..bound)`; 0 for a bound of 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// `[low..high)`
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        let part = (self.next() >> 40) as f32 / (1u64 << 24) as f32;
        low + (high - low) * part
    }

    /// One of a few things.
    pub fn pick<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }
}
