//! Bulk arrays as byte planes of differences, which deflate well.
//!
//! Each 32-bit word of a record is stored as its difference from a predicted one: that of the
//! span in the same layer of the column before, or else of the span before. The four bytes of the
//! differences lie in four planes, one after another.

use std::ops::Range;

use super::super::strips::strips;
use super::super::{Span, Standing};

/// A record made of 32-bit words, each with its own kind of difference from a predicted one.
pub(super) trait Words: Copy {
    /// All words 0.
    const BLANK: Self;
    fn word(&self, at: usize) -> u32;
    fn set_word(&mut self, at: usize, word: u32);
    fn encode(at: usize, word: u32, predicted: u32) -> u32;
    fn decode(at: usize, difference: u32, predicted: u32) -> u32;
}

/// Floor, ceiling, normal, ground.
impl Words for Span {
    const BLANK: Self = Span::BLANK;
    #[inline(always)]
    fn word(&self, at: usize) -> u32 {
        Span::word(self, at)
    }
    #[inline(always)]
    fn set_word(&mut self, at: usize, word: u32) {
        Span::set_word(self, at, word);
    }
    #[inline(always)]
    fn encode(at: usize, word: u32, predicted: u32) -> u32 {
        match at {
            0 | 1 => Heights::encode(word, predicted),
            2 => Halves::encode(word, predicted),
            _ => Bits::encode(word, predicted),
        }
    }
    #[inline(always)]
    fn decode(at: usize, difference: u32, predicted: u32) -> u32 {
        match at {
            0 | 1 => Heights::decode(difference, predicted),
            2 => Halves::decode(difference, predicted),
            _ => Bits::decode(difference, predicted),
        }
    }
}

/// Steps, state.
impl Words for Standing {
    const BLANK: Self = Standing::WALKABLE;
    #[inline(always)]
    fn word(&self, at: usize) -> u32 {
        Standing::word(self, at)
    }
    #[inline(always)]
    fn set_word(&mut self, at: usize, word: u32) {
        Standing::set_word(self, at, word);
    }
    #[inline(always)]
    fn encode(at: usize, word: u32, predicted: u32) -> u32 {
        if at == 0 { Bits::encode(word, predicted) } else { States::encode(word, predicted) }
    }
    #[inline(always)]
    fn decode(at: usize, difference: u32, predicted: u32) -> u32 {
        if at == 0 {
            Bits::decode(difference, predicted)
        } else {
            States::decode(difference, predicted)
        }
    }
}

/// Consecutive spans, each predicted by the one that lies a distance before it.
struct Stretch {
    spans: Range<usize>,
    distance: usize,
}

/// All spans in order, in stretches.
fn stretches(first: &[u32]) -> impl Iterator<Item = Stretch> {
    // Spans in the column before the strip.
    let mut before = 0;
    strips(first).flat_map(move |strip| {
        let depth = strip.depth as usize;
        let distance = std::mem::replace(&mut before, depth);
        let (start, end) = (strip.start as usize, strip.end() as usize);
        let (shared, second) = (start + depth.min(distance), start + depth);
        [
            Stretch { spans: start..shared, distance },
            Stretch { spans: shared..second, distance: 1 },
            Stretch { spans: second..end, distance: depth },
        ]
    })
}

/// How a word differs from its prediction.
trait Difference {
    fn encode(word: u32, predicted: u32) -> u32;
    fn decode(difference: u32, predicted: u32) -> u32;
}

/// Floats, as steps along the number line.
struct Heights;
/// Two 16-bit numbers.
struct Halves;
/// Bit fields: most of them equal.
struct Bits;
/// A standing's state: the clearance, a number, moves to the lowest byte.
struct States;

impl Difference for Heights {
    #[inline]
    fn encode(word: u32, predicted: u32) -> u32 {
        let along = ordered(word).wrapping_sub(ordered(predicted));
        along << 1 ^ ((along as i32) >> 31) as u32
    }
    #[inline]
    fn decode(difference: u32, predicted: u32) -> u32 {
        let along = difference >> 1 ^ (difference & 1).wrapping_neg();
        unordered(ordered(predicted).wrapping_add(along))
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
    fn decode(difference: u32, predicted: u32) -> u32 {
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
    fn decode(difference: u32, predicted: u32) -> u32 {
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
    fn decode(difference: u32, predicted: u32) -> u32 {
        let clearance = (predicted >> 4).wrapping_add(difference) & 0xFF;
        let rest = difference & !0xFFF | difference >> 8 & 15;
        clearance << 4 | (rest ^ predicted & !CLEARANCE)
    }
}

/// One word of every record, as four planes of differences; `first` closes with their number.
pub(super) fn pack<T: Words>(records: &[T], first: &[u32], at: usize) -> Vec<u8> {
    let count = records.len();
    let mut planes = vec![0; 4 * count];
    for Stretch { spans, distance } in stretches(first) {
        for span in spans {
            // Nothing predicts the first one.
            let predicted = span.checked_sub(distance).map_or(0, |other| records[other].word(at));
            let bytes = T::encode(at, records[span].word(at), predicted).to_le_bytes();
            for (plane, byte) in bytes.into_iter().enumerate() {
                planes[plane * count + span] = byte;
            }
        }
    }
    planes
}

/// Records unpacked at once: their differences wait in the fastest memory.
const BLOCK: usize = 128;
/// One word of some records.
type Differences = [u32; BLOCK];

/// The planes of one word: four bytes for each record.
#[derive(Clone, Copy)]
struct Planes<'a>([&'a [u8]; 4]);

impl<'a> Planes<'a> {
    fn new(planes: &'a [u8], count: usize) -> Self {
        let plane = |at: usize| &planes[at * count..(at + 1) * count];
        Planes([plane(0), plane(1), plane(2), plane(3)])
    }

    /// Puts the bytes of some records together.
    fn copy_into(self, differences: &mut Differences, spans: &Range<usize>) {
        let [a, b, c, d] = self.0.map(|plane| &plane[spans.clone()]);
        let bytes = a.iter().zip(b).zip(c.iter().zip(d));
        for (word, ((a, b), (c, d))) in differences.iter_mut().zip(bytes) {
            *word = u32::from_le_bytes([*a, *b, *c, *d]);
        }
    }
}

/// The records of all words' planes, each four bytes for each record. All words in one pass: each
/// waits for its prediction, and so they wait together.
pub(super) fn unpack<T: Words, const N: usize>(planes: &[Vec<u8>; N], first: &[u32]) -> Vec<T> {
    let count = first[first.len() - 1] as usize;
    let planes = planes.each_ref().map(|planes| Planes::new(planes, count));
    let mut records = Vec::with_capacity(count);
    let mut differences = [[0; BLOCK]; N];
    for Stretch { spans, distance } in stretches(first) {
        for start in spans.clone().step_by(BLOCK) {
            let block = start..spans.end.min(start + BLOCK);
            for (differences, planes) in differences.iter_mut().zip(&planes) {
                planes.copy_into(differences, &block);
            }
            decode(&mut records, &differences, Stretch { spans: block, distance });
        }
    }
    records
}

/// Appends the records of a stretch, no longer than a block.
fn decode<T: Words, const N: usize>(
    records: &mut Vec<T>,
    differences: &[Differences; N],
    Stretch { spans, distance }: Stretch,
) {
    let record = |index: usize, predicted: T| {
        let mut record = T::BLANK;
        for (at, differences) in differences.iter().enumerate() {
            record.set_word(at, T::decode(at, differences[index], predicted.word(at)));
        }
        record
    };
    if distance == 1 {
        // The usual case, one floor only: what was unpacked last is still at hand.
        let mut last = records.last().copied().unwrap_or(T::BLANK);
        records.extend((0..spans.len().min(BLOCK)).map(|index| {
            last = record(index, last);
            last
        }));
    } else {
        for (index, span) in spans.enumerate() {
            records.push(record(index, records[span - distance]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<D: Difference>() {
        let words = [0, 1, 0x7F80_0000, 0x8000_0000, 0xBF80_1234, u32::MAX, 0x3F80_0001, 0xFF0];
        for word in words {
            for predicted in words {
                assert_eq!(D::decode(D::encode(word, predicted), predicted), word);
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
