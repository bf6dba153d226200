//! Numbers without a pattern, the same for the same seed.
//!
//! Based on: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.

/// A row of such numbers, by its seed.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// `[0..bound)`; 0 for a bound of 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// `[low..high)`
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        let part = (self.next() >> 40) as f32 / (1u64 << 24) as f32;
        low + (high - low) * part
    }
}
