//! Provides [`SpanTable`]: values of those spans that have one.

use std::ops::Range;

use super::measure::SpanMeasure;
use super::room::SpanRoom;
use super::span_bits::{ReplacedSpans, bits_from, low_bits};
use crate::level::SpanId;

/// For one agent the rooms of spans where they are less than the whole cell.
pub type Rooms = SpanTable<SpanRoom>;

/// For one agent what was measured beside spans.
pub type Measures = SpanTable<SpanMeasure>;

/// Values of spans of which most have none, so that a bit tells most of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanTable<T> {
    blocks: Vec<TableBlock>,
    /// The values, by span.
    values: Vec<T>,
}

/// A span that has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanEntry<T> {
    /// The span.
    pub span: SpanId,
    /// Its value.
    pub value: T,
}

/// The values of spans that replace others.
#[derive(Clone, Copy, Debug)]
pub struct EntriesOfRange<'a, T> {
    /// Number of the spans.
    pub spans: u32,
    /// Those that have a value, sorted, with their numbers among all.
    pub entries: &'a [SpanEntry<T>],
    /// Number of all spans after the replacement.
    pub total: u32,
}

/// Which spans of a block have a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TableBlock {
    /// A bit for each span.
    has_value: u64,
    /// The number of values in the blocks before.
    before: u32,
}

/// Spans of a block.
const BLOCK_SPANS: usize = 64;

impl<T> Default for SpanTable<T> {
    fn default() -> Self {
        SpanTable { blocks: Vec::new(), values: Vec::new() }
    }
}

impl<T: Copy> SpanTable<T> {
    /// Collects the values of spans, which are sorted and below `spans`.
    pub fn new(spans: usize, entries: &[SpanEntry<T>]) -> Self {
        if entries.is_empty() {
            return SpanTable::default();
        }
        let mut bits = vec![0; spans.div_ceil(BLOCK_SPANS)];
        for SpanEntry { span, .. } in entries {
            if let Some(block) = bits.get_mut(span.index() / BLOCK_SPANS) {
                *block |= 1 << (span.index() % BLOCK_SPANS);
            }
        }
        let values = entries.iter().map(|entry| entry.value).collect();
        SpanTable { blocks: blocks(bits), values }
    }

    /// Replaces the values of a range of spans by those of `others`, which may be more or fewer spans and
    /// start at the same one. O(all spans / 64 + values).
    pub fn replace(&mut self, spans: Range<u32>, others: &EntriesOfRange<T>) {
        let spans = spans.start..spans.end.max(spans.start);
        let [start, end] = [spans.start, spans.end].map(|span| self.values_before(span));
        let own = spans.start..spans.start.saturating_add(others.spans).min(others.total);
        let entries = || others.entries.iter().filter(|entry| own.contains(&entry.span.0));
        let replaced = ReplacedSpans { old: spans, new: others.spans, total: others.total };
        let mut bits = replaced.move_bits(|span| self.bits_at(span));
        self.values.splice(start..end, entries().map(|entry| entry.value));
        for SpanEntry { span, .. } in entries() {
            bits[span.index() / BLOCK_SPANS] |= 1 << (span.index() % BLOCK_SPANS);
        }
        self.blocks = if self.values.is_empty() { Vec::new() } else { blocks(bits) };
    }

    /// Returns how many values come before a span.
    fn values_before(&self, span: u32) -> usize {
        let (block, bit) = (span as usize / BLOCK_SPANS, span % BLOCK_SPANS as u32);
        let Some(block) = self.blocks.get(block) else { return self.values.len() };
        (block.before + (block.has_value & low_bits(bit)).count_ones()) as usize
    }

    /// Returns a bit for each of the spans from one on, as many as a block has.
    fn bits_at(&self, span: u32) -> u64 {
        bits_from(span, |block| self.blocks.get(block).map_or(0, |block| block.has_value))
    }

    /// Returns the value of a span, if it has one. O(1).
    #[inline]
    pub fn of(&self, span: SpanId) -> Option<&T> {
        let block = self.blocks.get(span.index() / BLOCK_SPANS)?;
        let bit = span.index() % BLOCK_SPANS;
        if block.has_value >> bit & 1 == 0 {
            return None;
        }
        let below = (block.has_value & ((1 << bit) - 1)).count_ones();
        self.values.get((block.before + below) as usize)
    }

    /// Returns the values, in the order of their spans.
    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }

    /// Returns the values, in the order of their spans.
    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Returns the spans that have a value, in order.
    pub fn entries(&self) -> impl Iterator<Item = SpanEntry<T>> {
        let spans = self.blocks.iter().enumerate().flat_map(|(at, block)| {
            let bits = (0..BLOCK_SPANS).filter(|bit| block.has_value >> bit & 1 == 1);
            bits.map(move |bit| SpanId((at * BLOCK_SPANS + bit) as u32))
        });
        spans.zip(&self.values).map(|(span, &value)| SpanEntry { span, value })
    }

    /// Returns those of a range of spans that have a value, in order.
    pub fn entries_in(&self, spans: Range<u32>) -> impl Iterator<Item = SpanEntry<T>> {
        let has_value = |&span: &u32| self.bits_at(span) & 1 == 1;
        let before = self.values_before(spans.start);
        let end = spans.end.min(self.blocks.len().saturating_mul(BLOCK_SPANS) as u32);
        let own = (spans.start..end).filter(has_value).zip(&self.values[before..]);
        own.map(|(span, &value)| SpanEntry { span: SpanId(span), value })
    }

    /// Returns whether no span has a value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the number of spans that have a value.
    pub fn len(&self) -> usize {
        self.values.len()
    }
}

/// Counts the values before each block.
fn blocks(bits: Vec<u64>) -> Vec<TableBlock> {
    let mut before = 0;
    let blocks = bits.into_iter().map(|has_value| {
        let block = TableBlock { has_value, before };
        before += has_value.count_ones();
        block
    });
    blocks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of spans at random.
    fn random(spans: u32, from: u32, state: &mut u64) -> Vec<SpanEntry<u32>> {
        let mut entries = Vec::new();
        for span in from..from + spans {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            if *state >> 61 == 0 {
                let value = (*state >> 40) as u32 & 0xFF;
                entries.push(SpanEntry { span: SpanId(span), value });
            }
        }
        entries
    }

    #[test]
    fn a_range_is_replaced_by_more_or_fewer_spans() {
        let mut state = 5;
        for (total, range, new) in [
            (300, 100..130, 30),
            (300, 100..130, 95),
            (300, 64..128, 0),
            (129, 0..129, 64),
            (70, 3..70, 200),
            (500, 250..250, 77),
            (40, 0..40, 0),
        ] {
            let old = random(total, 0, &mut state);
            let mut table = SpanTable::new(total as usize, &old);
            let entries = random(new, range.start, &mut state);
            let after = total - range.len() as u32 + new;
            let moved = old.iter().filter(|own| own.span.0 >= range.end).map(|own| SpanEntry {
                span: SpanId(own.span.0 - range.end + range.start + new),
                ..*own
            });
            let kept = old.iter().filter(|own| own.span.0 < range.start).copied();
            let expected: Vec<_> = kept.chain(entries.iter().copied()).chain(moved).collect();
            let others = EntriesOfRange { spans: new, entries: &entries, total: after };
            table.replace(range.clone(), &others);
            assert_eq!(table, SpanTable::new(after as usize, &expected), "{range:?} of {total}");
        }
    }

    #[test]
    fn values_are_found_by_span() {
        let spans = [0u32, 5, 63, 64, 127, 300];
        let entries = spans.map(|span| SpanEntry { span: SpanId(span), value: 3 * span });
        let table = SpanTable::new(301, &entries);
        for span in 0..400 {
            let found = entries.iter().find(|entry| entry.span.0 == span);
            assert_eq!(table.of(SpanId(span)), found.map(|entry| &entry.value), "{span}");
        }
        assert_eq!(table.entries().collect::<Vec<_>>(), entries);
        assert_eq!(table.len(), spans.len());
        assert!(SpanTable::<u32>::new(301, &[]).is_empty());
    }
}
