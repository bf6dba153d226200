//! Differences of 32-bit words from predicted ones, coded so that likely differences are small numbers.
//!
//! Based on: the zigzag code of Protocol Buffers, for signed differences.

/// How the difference of a word from its prediction is coded. Decoding works on keys: along a row each
/// word waits for the one before it, so the work in between has to be short.
pub(super) trait Difference {
    fn encode(word: u32, predicted: u32) -> u32;
    /// The key of a word; the inverse of [`Difference::of_key`].
    fn key(word: u32) -> u32 {
        word
    }
    /// The key of a word, from its difference and the key of the predicted word.
    fn next_key(difference: u32, predicted: u32) -> u32;
    fn of_key(key: u32) -> u32 {
        key
    }
}

/// Floats: the number of floats between them.
pub(super) struct FloatDifference;
/// Two 16-bit numbers, each by itself.
pub(super) struct HalfWordsDifference;
/// Bit fields, most of which are equal.
pub(super) struct XorDifference;
/// The state of a standing: bit fields, and a number, the clearance, which moves to the lowest byte.
pub(super) struct StateDifference;

impl Difference for FloatDifference {
    #[inline]
    fn encode(word: u32, predicted: u32) -> u32 {
        let along = ordered(word).wrapping_sub(ordered(predicted));
        along << 1 ^ ((along as i32) >> 31) as u32
    }
    #[inline]
    fn key(word: u32) -> u32 {
        ordered(word)
    }
    #[inline]
    fn next_key(difference: u32, predicted: u32) -> u32 {
        let along = difference >> 1 ^ (difference & 1).wrapping_neg();
        predicted.wrapping_add(along)
    }
    #[inline]
    fn of_key(key: u32) -> u32 {
        unordered(key)
    }
}

/// The bits of a float as a number that grows with it.
#[inline]
fn ordered(bits: u32) -> u32 {
    bits ^ (((bits as i32) >> 31) as u32 | 1 << 31)
}

#[inline]
fn unordered(number: u32) -> u32 {
    number ^ ((!number as i32 >> 31) as u32 | 1 << 31)
}

impl Difference for HalfWordsDifference {
    #[inline]
    fn encode(word: u32, predicted: u32) -> u32 {
        halves(word, predicted, |word, predicted| {
            let along = word.wrapping_sub(predicted);
            along << 1 ^ ((along as i16) >> 15) as u16
        })
    }
    #[inline]
    fn next_key(difference: u32, predicted: u32) -> u32 {
        halves(difference, predicted, |difference, predicted| {
            let along = difference >> 1 ^ (difference & 1).wrapping_neg();
            predicted.wrapping_add(along)
        })
    }
}

#[inline]
fn halves(a: u32, b: u32, each: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(each(a as u16, b as u16)) | u32::from(each((a >> 16) as u16, (b >> 16) as u16)) << 16
}

impl Difference for XorDifference {
    #[inline]
    fn encode(word: u32, predicted: u32) -> u32 {
        word ^ predicted
    }
    #[inline]
    fn next_key(difference: u32, predicted: u32) -> u32 {
        difference ^ predicted
    }
}

/// Where a standing's state keeps the clearance: bits 4..12.
const CLEARANCE: u32 = 0xFF0;

impl Difference for StateDifference {
    #[inline]
    fn encode(word: u32, predicted: u32) -> u32 {
        let clearance = (word >> 4).wrapping_sub(predicted >> 4) & 0xFF;
        let rest = (word ^ predicted) & !CLEARANCE;
        clearance | (rest & 15) << 8 | rest & !0xFFF
    }
    #[inline]
    fn next_key(difference: u32, predicted: u32) -> u32 {
        let clearance = predicted.wrapping_add(difference << 4) & CLEARANCE;
        let rest = difference & !0xFFF | difference >> 8 & 15;
        clearance | (rest ^ predicted & !CLEARANCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<D: Difference>() {
        let words = [0, 1, 0x7F80_0000, 0x8000_0000, 0xBF80_1234, u32::MAX, 0x3F80_0001, 0xFF0];
        for word in words {
            for predicted in words {
                let key = D::next_key(D::encode(word, predicted), D::key(predicted));
                assert_eq!(D::of_key(key), word);
            }
        }
    }

    #[test]
    fn differences_come_back() {
        check::<FloatDifference>();
        check::<HalfWordsDifference>();
        check::<XorDifference>();
        check::<StateDifference>();
    }

    #[test]
    fn near_heights_differ_little() {
        for height in [-3.0f32, -0.0, 1.5, 1000.0] {
            let next = f32::from_bits(height.to_bits() + 5);
            assert!(FloatDifference::encode(height.to_bits(), next.to_bits()) <= 10);
        }
    }
}
