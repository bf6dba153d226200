//! The open list: spans that were reached and not yet closed, cheapest first. A bucket queue.
//!
//! Costs are whole and no step adds more than a few cells' worth to an estimate, so the open spans
//! lie in a narrow band of totals. A ring of buckets covers it; a bucket holds a narrow range of
//! totals, last in, first out, which goes straight ahead among paths that cost the same. Totals beyond
//! the ring wait in a heap. Within a bucket the order is only nearly right: a search has to accept better
//! paths to closed spans, and to go on until a bucket begins above its incumbent. A radix
//! heap gained nothing over this.
//! Based on: Dial, "Algorithm 360: shortest-path forest with topological ordering", 1969, with
//! ranges as in Denardo and Fox, "Shortest-route methods: reaching, pruning, and buckets", 1979.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grid::SpanAddress;

/// Spans by estimated total cost, with their columns, so that a search need not look those up.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenList {
    /// For each bucket of the ring the entry put there last.
    heads: Vec<u32>,
    /// A bit for each bucket that holds something.
    filled: [u64; BUCKETS / 64],
    entries: Vec<Entry>,
    /// The first of the entries that are no longer used.
    free: u32,
    /// Totals and spans beyond the ring.
    beyond: BinaryHeap<Reverse<(u32, SpanAddress)>>,
    /// Those below the current bucket: weighted totals may fall.
    below: BinaryHeap<Reverse<(u32, SpanAddress)>>,
    /// The least total that the span taken last can have.
    base: u32,
    /// A bucket holds totals that differ only in so many lowest bits.
    width: u32,
    /// Number of the first bucket that may hold something: its totals, less the lowest bits.
    current: u32,
}

/// A span in a bucket.
#[derive(Clone, Copy, Debug)]
struct Entry {
    address: SpanAddress,
    /// The entry below it in the bucket, or in the list of free ones.
    next: u32,
}

const NONE: u32 = u32::MAX;
const BUCKETS: usize = 512;

impl OpenList {
    /// Empties the list. `reach` is about the most that a step adds to a total.
    pub(crate) fn clear(&mut self, reach: u32) {
        self.empty(width_for(reach));
    }

    /// Empties the list, for totals to which a step adds from `least` to about `reach`. Wider buckets
    /// do no harm then: what lies in one does not better any other in it.
    pub(crate) fn clear_for_steps(&mut self, [least, reach]: [u32; 2]) {
        // On slopes half of what would be sound is faster: nearer to the order of totals, less is
        // found twice.
        let half_of_least = least.checked_ilog2().unwrap_or(0).saturating_sub(1);
        self.empty(half_of_least.max(width_for(reach)));
    }

    fn empty(&mut self, width: u32) {
        self.heads.resize(BUCKETS, NONE);
        for (word, bits) in self.filled.iter_mut().enumerate() {
            if *bits != 0 {
                self.heads[64 * word..64 * (word + 1)].fill(NONE);
                *bits = 0;
            }
        }
        self.entries.clear();
        self.beyond.clear();
        self.below.clear();
        (self.free, self.current, self.base) = (NONE, 0, 0);
        self.width = width;
    }

    /// The least total that the span taken last can have.
    #[inline]
    pub(crate) fn base(&self) -> u32 {
        self.base
    }

    /// Adds a span by its estimated total cost.
    #[inline(always)]
    pub(crate) fn push(&mut self, total: u32, address: SpanAddress) {
        // Below the current bucket the difference is a large number.
        let bucket = total >> self.width;
        if bucket.wrapping_sub(self.current) < BUCKETS as u32 {
            self.put(bucket, address);
        } else if bucket > self.current {
            self.beyond.push(Reverse((total, address)));
        } else {
            self.below.push(Reverse((total, address)));
        }
    }

    /// Takes a span from the first bucket that holds one.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<SpanAddress> {
        if !self.below.is_empty() {
            return self.pop_below();
        }
        loop {
            self.base = self.current << self.width;
            let place = self.current as usize % BUCKETS;
            let head = self.heads.get(place).copied().unwrap_or(NONE);
            if let Some(entry) = self.entries.get_mut(head as usize) {
                self.heads[place] = std::mem::replace(&mut entry.next, self.free);
                self.free = head;
                return Some(entry.address);
            }
            if !self.move_on() {
                return None;
            }
        }
    }

    /// Takes the first of the spans whose totals turned out to lie before the current bucket.
    #[cold]
    fn pop_below(&mut self) -> Option<SpanAddress> {
        let Reverse((total, address)) = self.below.pop()?;
        self.base = total;
        Some(address)
    }

    /// Whether two totals lie in one bucket.
    #[inline(always)]
    pub(crate) fn are_as_one(&self, a: u32, b: u32) -> bool {
        a >> self.width == b >> self.width
    }

    #[inline(always)]
    fn put(&mut self, bucket: u32, address: SpanAddress) {
        let place = bucket as usize % BUCKETS;
        let entry = Entry { address, next: self.heads[place] };
        let at = match self.entries.get_mut(self.free as usize) {
            Some(unused) => {
                let at = std::mem::replace(&mut self.free, unused.next);
                *unused = entry;
                at
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        self.heads[place] = at;
        self.filled[place / 64] |= 1 << (place % 64);
    }

    /// Goes on to the next bucket that holds something, and fetches what the ring has come to
    /// cover. False if nothing is left.
    #[inline(never)]
    fn move_on(&mut self) -> bool {
        let here = self.current as usize % BUCKETS;
        self.filled[here / 64] &= !(1 << (here % 64));
        let in_ring = self.next_filled(here).map(|ahead| self.current + ahead as u32);
        let waiting = self.beyond.peek().map(|Reverse((total, _))| total >> self.width);
        let Some(next) = in_ring.into_iter().chain(waiting).min() else { return false };
        self.current = next;
        while let Some(&Reverse((total, address))) = self.beyond.peek()
            && (total >> self.width) - next < BUCKETS as u32
        {
            self.beyond.pop();
            self.put(total >> self.width, address);
        }
        true
    }

    /// How far ahead of a place of the ring the next filled one is.
    fn next_filled(&self, here: usize) -> Option<usize> {
        let words = BUCKETS / 64;
        let first = self.filled[here / 64] >> (here % 64);
        if first != 0 {
            return Some(first.trailing_zeros() as usize);
        }
        (1..=words).find_map(|ahead| {
            let bits = self.filled[(here / 64 + ahead) % words];
            (bits != 0).then(|| 64 * ahead - here % 64 + bits.trailing_zeros() as usize)
        })
    }
}

/// With buckets of this width the ring covers what steps add.
fn width_for(reach: u32) -> u32 {
    u32::BITS - (reach / BUCKETS as u32).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(span: u32) -> SpanAddress {
        SpanAddress { span, column: 7 * span }
    }

    #[test]
    fn comes_out_by_total_and_the_last_of_equals_first() {
        let mut open = OpenList::default();
        open.clear(0);
        for (total, span) in [(9, 1), (7, 2), (7, 4), (7, 3), (8_000_000, 5), (8, 999)] {
            open.push(total, address(span));
        }
        let order: Vec<SpanAddress> = std::iter::from_fn(|| open.pop()).collect();
        assert_eq!(order, [3, 4, 2, 999, 1, 5].map(address));
    }

    /// Pushes and pops as a search does, never below what was popped, and holds the order of
    /// buckets against a sorted list.
    fn check(reach: u32, spread: u64) {
        let mut open = OpenList::default();
        for round in 0..3 {
            open.clear(reach);
            // What an earlier search left behind is gone.
            open.push(5, address(5));
            open.clear(reach);
            let (mut plain, mut totals) = (Vec::new(), Vec::new());
            let mut state = 7u64 + round;
            for _ in 0..4_000 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
                if state >> 61 < 5 {
                    let total = open.base() + ((state >> 20) % spread) as u32;
                    open.push(total, address(totals.len() as u32));
                    plain.push(total);
                    totals.push(total);
                } else {
                    let total = open.pop().map(|address| totals[address.span as usize]);
                    let bucket = |total: u32| total >> open.width;
                    let least = plain.iter().copied().map(bucket).min();
                    assert_eq!(total.map(bucket), least);
                    plain.extract_if(.., |other| Some(*other) == total).next();
                }
            }
        }
    }

    #[test]
    fn buckets_come_in_order_within_the_ring_and_beyond() {
        check(0, 1000);
        check(0, 100_000);
        check(1 << 16, 50_000);
    }
}
