//! Provides [`Rooms`]: the rooms of one agent's spans, where they are less than the whole cell.

use std::ops::Range;

use super::room::SpanRoom;
use super::span_bits::{ReplacedSpans, bits_from, low_bits};
use crate::level::SpanId;

/// For one agent the room of each span. Spans in the open have no entry, so that a bit tells most of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rooms {
    blocks: Vec<RoomBlock>,
    /// The rooms of limited spans, by span.
    rooms: Vec<SpanRoom>,
}

/// A span whose room is less than its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitedSpan {
    /// The span.
    pub span: SpanId,
    /// Its room.
    pub room: SpanRoom,
}

/// The rooms of spans that replace others.
#[derive(Clone, Copy, Debug)]
pub struct RoomsOfRange<'a> {
    /// Number of the spans.
    pub spans: u32,
    /// Those that are limited, sorted, with their numbers among all.
    pub limited: &'a [LimitedSpan],
    /// Number of all spans after the replacement.
    pub total: u32,
}

/// Which spans of a block are limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RoomBlock {
    /// A bit for each span.
    limited: u64,
    /// The number of limited spans in the blocks before.
    before: u32,
}

/// Spans of a block.
const BLOCK_SPANS: usize = 64;

impl Rooms {
    /// Collects the rooms of limited spans, which are sorted by span and below `spans`. Full rooms need
    /// not be among them.
    pub fn new(spans: usize, limited: &[LimitedSpan]) -> Self {
        let limited = || limited.iter().filter(|limited| !limited.room.is_full());
        if limited().next().is_none() {
            return Rooms::default();
        }
        let mut blocks = vec![RoomBlock::default(); spans.div_ceil(BLOCK_SPANS)];
        for LimitedSpan { span, .. } in limited() {
            if let Some(block) = blocks.get_mut(span.index() / BLOCK_SPANS) {
                block.limited |= 1 << (span.index() % BLOCK_SPANS);
            }
        }
        let mut before = 0;
        for block in &mut blocks {
            block.before = before;
            before += block.limited.count_ones();
        }
        Rooms { blocks, rooms: limited().map(|limited| limited.room).collect() }
    }

    /// Replaces the rooms of a range of spans by those of `others`, which may be more or fewer spans and
    /// start at the same one. O(all spans / 64 + limited spans).
    pub fn replace(&mut self, spans: Range<u32>, others: &RoomsOfRange) {
        let spans = spans.start..spans.end.max(spans.start);
        let [start, end] = [spans.start, spans.end].map(|span| self.limited_before(span));
        let own = spans.start..spans.start.saturating_add(others.spans).min(others.total);
        let is_own =
            |limited: &&LimitedSpan| own.contains(&limited.span.0) && !limited.room.is_full();
        let limited = || others.limited.iter().filter(is_own);
        let replaced = ReplacedSpans { old: spans, new: others.spans, total: others.total };
        let mut bits = replaced.move_bits(|span| self.bits_at(span));
        self.rooms.splice(start..end, limited().map(|limited| limited.room));
        for LimitedSpan { span, .. } in limited() {
            bits[span.index() / BLOCK_SPANS] |= 1 << (span.index() % BLOCK_SPANS);
        }
        let mut before = 0;
        let blocks = bits.into_iter().map(|limited| {
            let block = RoomBlock { limited, before };
            before += limited.count_ones();
            block
        });
        self.blocks = blocks.collect();
        if self.rooms.is_empty() {
            self.blocks = Vec::new();
        }
    }

    /// Returns how many limited spans come before a span.
    fn limited_before(&self, span: u32) -> usize {
        let (block, bit) = (span as usize / BLOCK_SPANS, span % BLOCK_SPANS as u32);
        let Some(block) = self.blocks.get(block) else { return self.rooms.len() };
        (block.before + (block.limited & low_bits(bit)).count_ones()) as usize
    }

    /// Returns a bit for each of the spans from one on, as many as a block has.
    fn bits_at(&self, span: u32) -> u64 {
        bits_from(span, |block| self.blocks.get(block).map_or(0, |block| block.limited))
    }

    /// Returns the room of a span; `None` if that is the whole cell. O(1).
    #[inline]
    pub fn of(&self, span: SpanId) -> Option<&SpanRoom> {
        let block = self.blocks.get(span.index() / BLOCK_SPANS)?;
        let bit = span.index() % BLOCK_SPANS;
        if block.limited >> bit & 1 == 0 {
            return None;
        }
        let below = (block.limited & ((1 << bit) - 1)).count_ones();
        self.rooms.get((block.before + below) as usize)
    }

    /// Returns the limited spans in order.
    pub fn limited(&self) -> impl Iterator<Item = LimitedSpan> {
        let spans = self.blocks.iter().enumerate().flat_map(|(at, block)| {
            let bits = (0..BLOCK_SPANS).filter(|bit| block.limited >> bit & 1 == 1);
            bits.map(move |bit| SpanId((at * BLOCK_SPANS + bit) as u32))
        });
        spans.zip(&self.rooms).map(|(span, &room)| LimitedSpan { span, room })
    }

    /// Returns the limited ones of a range of spans in order.
    pub fn limited_in(&self, spans: Range<u32>) -> impl Iterator<Item = LimitedSpan> {
        let is_limited = |&span: &u32| self.bits_at(span) & 1 == 1;
        let before = self.limited_before(spans.start);
        let end = spans.end.min(self.blocks.len().saturating_mul(BLOCK_SPANS) as u32);
        let limited = (spans.start..end).filter(is_limited).zip(&self.rooms[before..]);
        limited.map(|(span, &room)| LimitedSpan { span: SpanId(span), room })
    }

    /// Returns whether every span has the whole cell, as on grids without geometry.
    pub fn is_empty(&self) -> bool {
        self.rooms.is_empty()
    }

    /// Returns the number of limited spans.
    pub fn len(&self) -> usize {
        self.rooms.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::RoomLimit;

    /// Rooms of spans that are limited at random.
    fn random(spans: u32, from: u32, state: &mut u64) -> Vec<LimitedSpan> {
        let mut limited = Vec::new();
        for span in from..from + spans {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            if *state >> 61 == 0 {
                let distance = (*state >> 40 & 0xFF) as f32 / 600.0;
                let mut limits = [RoomLimit { normal: [1.0, 0.0], distance }];
                let room = SpanRoom::within(&mut limits, 0.0);
                limited.push(LimitedSpan { span: SpanId(span), room });
            }
        }
        limited
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
            let mut rooms = Rooms::new(total as usize, &old);
            let limited = random(new, range.start, &mut state);
            let after = total - range.len() as u32 + new;
            let moved = old.iter().filter(|own| own.span.0 >= range.end).map(|own| LimitedSpan {
                span: SpanId(own.span.0 - range.end + range.start + new),
                ..*own
            });
            let kept = old.iter().filter(|own| own.span.0 < range.start).copied();
            let expected: Vec<_> = kept.chain(limited.iter().copied()).chain(moved).collect();
            let others = RoomsOfRange { spans: new, limited: &limited, total: after };
            rooms.replace(range.clone(), &others);
            assert_eq!(rooms, Rooms::new(after as usize, &expected), "{range:?} of {total}");
        }
    }

    #[test]
    fn rooms_are_found_by_span() {
        let room =
            |distance| SpanRoom::within(&mut [RoomLimit { normal: [1.0, 0.0], distance }], 0.0);
        let spans = [0u32, 5, 63, 64, 127, 300];
        let limited: Vec<_> = spans
            .iter()
            .map(|&span| LimitedSpan { span: SpanId(span), room: room(span as f32 / 1000.0) })
            .collect();
        let rooms = Rooms::new(301, &limited);
        for span in 0..400 {
            let found = limited.iter().find(|limited| limited.span.0 == span);
            assert_eq!(rooms.of(SpanId(span)), found.map(|limited| &limited.room), "{span}");
        }
        assert_eq!(rooms.limited().collect::<Vec<_>>(), limited);
        assert!(
            Rooms::new(301, &[LimitedSpan { span: SpanId(3), room: SpanRoom::FULL }]).is_empty()
        );
    }
}
