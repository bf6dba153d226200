//! How 32-bit words differ from predicted ones, so that the likely differences are small numbers.

/// How a word differs from its prediction. Decoding goes by keys: along a row each word waits for
/// the one before it, so what has to be done in between must be short.
pub(super) trait Difference {
    fn encode(word: u32, predicted: u32) -> u32;
    /// The key of a word; the inverse of [`Difference::of_key`].
    fn key(word: u32) -> u32 {
        word
    }
    /// The key of the word that differs so from the one with a predicted key.
    fn next_key(difference: u32, predicted: u32) -> u32;
    fn of_key(key: u32) -> u32 {
        key
    }
}

/// Floats, as steps along the number line.
pub(super) struct Heights;
/// Two 16-bit numbers.
pub(super) struct Halves;
/// Bit fields: most of them equal.
pub(super) struct Bits;
/// A standing's state: the clearance, a number, moves to the lowest byte.
pub(super) struct States;

impl Difference for Heights {
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

impl Difference for Halves {
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

impl Difference for Bits {
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

impl Difference for States {
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
        check::<Heights>();
        check::<Halves>();
        check::<Bits>();
        check::<States>();
    }

    #[test]
    fn near_heights_differ_little() {
        for height in [-3.0f32, -0.0, 1.5, 1000.0] {
            let next = f32::from_bits(height.to_bits() + 5);
            assert!(Heights::encode(height.to_bits(), next.to_bits()) <= 10);
        }
    }
}
