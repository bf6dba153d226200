//! Bits of spans: what is known of each in a word for 64 of them.

use std::ops::Range;

/// The spans that replace a range of others.
#[derive(Clone, Debug)]
pub(super) struct ReplacedSpans {
    /// The spans that are replaced.
    pub old: Range<u32>,
    /// Number of those in their place.
    pub new: u32,
    /// Number of all spans afterwards.
    pub total: u32,
}

impl ReplacedSpans {
    /// Returns the bits of all spans, those of the spans before and after the range moved to their new
    /// places, and none of the range; `bits_at` returns those of the 64 spans from one on, as they were.
    /// O(spans / 64).
    pub fn move_bits(&self, bits_at: impl Fn(u32) -> u64) -> Vec<u64> {
        let start = self.old.start;
        let end = start.saturating_add(self.new).min(self.total);
        let mut bits = vec![0; (self.total as usize).div_ceil(u64::BITS as usize)];
        for (at, word) in (0u32..).step_by(u64::BITS as usize).zip(&mut bits) {
            *word = bits_at(at) & low_bits(start.saturating_sub(at));
            let skipped = end.saturating_sub(at);
            if skipped < u64::BITS {
                let moved = (at + skipped).saturating_sub(end);
                *word |= bits_at(self.old.end.saturating_add(moved)) << skipped;
            }
        }
        bits
    }
}

/// Returns the bits of the 64 spans from one on; `word` returns those from a multiple of 64 on.
pub(super) fn bits_from(span: u32, word: impl Fn(usize) -> u64) -> u64 {
    let (at, bit) = ((span / u64::BITS) as usize, span % u64::BITS);
    if bit == 0 { word(at) } else { word(at) >> bit | word(at + 1) << (u64::BITS - bit) }
}

/// A word with so many of its lowest bits set.
pub(super) fn low_bits(count: u32) -> u64 {
    if count >= u64::BITS { u64::MAX } else { (1 << count) - 1 }
}
