//! Varints: numbers in groups of seven bits, low ones first, so that small ones take one byte.
//!
//! Based on: LEB128 of DWARF, and the zigzag code of Protocol Buffers.

/// Appends a number.
pub(super) fn push_varint(raw: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        raw.push(number as u8 | 0x80);
        number >>= 7;
    }
    raw.push(number as u8);
}

/// The numbers that [`push_varint`] wrote, one after another.
pub(super) struct Varints<'a>(pub &'a [u8]);

/// The longest number [bits].
const MAX_BITS: u32 = 63;

impl Varints<'_> {
    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next number [0..2^63); `None` if it is cut short or too long, or nothing is left.
    #[inline]
    pub(super) fn next(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        while shift < MAX_BITS {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
        None
    }
}

/// The zigzag code of a signed number: 0, -1, 1, -2, 2... become 0, 1, 2, 3, 4...
pub(super) fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

/// The inverse of [`zigzag`].
pub(super) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let all = [0, 1, 0x7F, 0x80, 0x3FFF, 0x4000, u64::from(u32::MAX), (1 << 63) - 1];
        let mut raw = Vec::new();
        all.iter().for_each(|&number| push_varint(&mut raw, number));
        let mut numbers = Varints(&raw);
        assert_eq!(all.map(|_| numbers.next()), all.map(Some));
        assert!(numbers.is_empty());
        assert_eq!(numbers.next(), None);
    }

    #[test]
    fn numbers_cut_short_or_too_long_are_none() {
        assert_eq!(Varints(&[0x80]).next(), None);
        assert_eq!(Varints(&[0xFF; 9]).next(), None);
        assert_eq!(Varints(&[0xFF; 20]).next(), None);
    }

    #[test]
    fn zigzag_and_back() {
        for number in [0, -1, 1, -64, 63, i64::from(i32::MIN), 1 << 61, i64::MIN, i64::MAX] {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }
}
