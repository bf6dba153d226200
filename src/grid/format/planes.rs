//! Bulk arrays as byte planes of differences, which deflate well.
//!
//! Each 32-bit word of a record is stored as its difference from a predicted word: that of the span
//! in the same layer of the column before, or if there is none, of the span before. The four bytes
//! of the differences are stored in four planes, one after another.

use std::array::from_fn;
use std::ops::Range;

use super::super::span::Span;
use super::super::standing::Standing;
use super::super::strips::strips;
use super::differences::{
    Difference, FloatDifference, HalfWordsDifference, StateDifference, XorDifference,
};

/// A record made of 32-bit words, each with its own kind of difference from a predicted one.
pub(super) trait PlanarRecord: Copy {
    /// All words 0.
    const BLANK: Self;
    fn word(&self, at: usize) -> u32;
    fn set_word(&mut self, at: usize, word: u32);
    fn encode(at: usize, word: u32, predicted: u32) -> u32;
    /// From a word to its key, and from the key of the predicted word to that of the word.
    fn key(at: usize, word: u32) -> u32;
    fn next_key(at: usize, difference: u32, predicted: u32) -> u32;
    fn of_key(at: usize, key: u32) -> u32;
}

/// Floor, ceiling, normal, ground.
impl PlanarRecord for Span {
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
            0 | 1 => FloatDifference::encode(word, predicted),
            2 => HalfWordsDifference::encode(word, predicted),
            _ => XorDifference::encode(word, predicted),
        }
    }
    #[inline(always)]
    fn key(at: usize, word: u32) -> u32 {
        if at < 2 { FloatDifference::key(word) } else { word }
    }
    #[inline(always)]
    fn next_key(at: usize, difference: u32, predicted: u32) -> u32 {
        match at {
            0 | 1 => FloatDifference::next_key(difference, predicted),
            2 => HalfWordsDifference::next_key(difference, predicted),
            _ => XorDifference::next_key(difference, predicted),
        }
    }
    #[inline(always)]
    fn of_key(at: usize, key: u32) -> u32 {
        if at < 2 { FloatDifference::of_key(key) } else { key }
    }
}

/// Connections, state.
impl PlanarRecord for Standing {
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
        if at == 0 {
            XorDifference::encode(word, predicted)
        } else {
            StateDifference::encode(word, predicted)
        }
    }
    #[inline(always)]
    fn key(_: usize, word: u32) -> u32 {
        word
    }
    #[inline(always)]
    fn next_key(at: usize, difference: u32, predicted: u32) -> u32 {
        if at == 0 {
            XorDifference::next_key(difference, predicted)
        } else {
            StateDifference::next_key(difference, predicted)
        }
    }
    #[inline(always)]
    fn of_key(_: usize, key: u32) -> u32 {
        key
    }
}

/// Consecutive spans, each predicted by the one that lies a distance before it.
struct SpanRun {
    spans: Range<usize>,
    distance: usize,
}

/// All spans in order, as runs.
fn runs(first: &[u32]) -> impl Iterator<Item = SpanRun> {
    // Spans in the column before the strip.
    let mut before = 0;
    strips(first).flat_map(move |strip| {
        let depth = strip.depth as usize;
        let distance = std::mem::replace(&mut before, depth);
        let (start, end) = (strip.start as usize, strip.end() as usize);
        let (shared, second) = (start + depth.min(distance), start + depth);
        [
            SpanRun { spans: start..shared, distance },
            SpanRun { spans: shared..second, distance: 1 },
            SpanRun { spans: second..end, distance: depth },
        ]
    })
}

/// One word of every record, as four planes of differences; `first` closes with their number.
pub(super) fn pack<T: PlanarRecord>(records: &[T], first: &[u32], at: usize) -> Vec<u8> {
    let count = records.len();
    let mut planes = vec![0; 4 * count];
    for SpanRun { spans, distance } in runs(first) {
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

/// Records unpacked at once: their differences fit the fastest cache.
const RECORD_BLOCK: usize = 128;
/// One word of some records.
type Differences = [u32; RECORD_BLOCK];

/// The planes of one word: four bytes for each record.
#[derive(Clone, Copy)]
struct WordPlanes<'a>([&'a [u8]; 4]);

impl<'a> WordPlanes<'a> {
    fn new(planes: &'a [u8], count: usize) -> Self {
        let plane = |at: usize| &planes[at * count..(at + 1) * count];
        WordPlanes([plane(0), plane(1), plane(2), plane(3)])
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
pub(super) fn unpack<T: PlanarRecord, const N: usize>(
    planes: &[Vec<u8>; N],
    first: &[u32],
) -> Vec<T> {
    let count = first[first.len() - 1] as usize;
    let planes = planes.each_ref().map(|planes| WordPlanes::new(planes, count));
    let mut records = Vec::with_capacity(count);
    let mut differences = [[0; RECORD_BLOCK]; N];
    for SpanRun { spans, distance } in runs(first) {
        for start in spans.clone().step_by(RECORD_BLOCK) {
            let block = start..spans.end.min(start + RECORD_BLOCK);
            for (differences, planes) in differences.iter_mut().zip(&planes) {
                planes.copy_into(differences, &block);
            }
            decode(&mut records, &differences, SpanRun { spans: block, distance });
        }
    }
    records
}

/// Appends the records of a run, no longer than a block.
fn decode<T: PlanarRecord, const N: usize>(
    records: &mut Vec<T>,
    differences: &[Differences; N],
    SpanRun { spans, distance }: SpanRun,
) {
    let next = |index: usize, keys: [u32; N]| {
        from_fn(|at| T::next_key(at, differences[at][index], keys[at]))
    };
    let keys = |record: &T| from_fn(|at| T::key(at, record.word(at)));
    let record = |keys: [u32; N]| {
        let mut record = T::BLANK;
        (0..N).for_each(|at| record.set_word(at, T::of_key(at, keys[at])));
        record
    };
    if distance == 1 {
        // The usual case, one floor only: what was unpacked last is still at hand.
        let mut last = keys(records.last().unwrap_or(&T::BLANK));
        records.extend((0..spans.len().min(RECORD_BLOCK)).map(|index| {
            last = next(index, last);
            record(last)
        }));
    } else {
        for (index, span) in spans.enumerate() {
            records.push(record(next(index, keys(&records[span - distance]))));
        }
    }
}
