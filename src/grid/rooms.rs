//! Provides [`Rooms`]: the rooms of one agent's spans, where they are less than the whole cell.

use super::room::SpanRoom;
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
