//! The open list: spans that were reached and not yet left, cheapest first.
//!
//! A 4-ary heap of 64-bit keys. A key holds the estimated total cost, then the rest of the way,
//! then the span: of equal totals the one nearest to the goal comes first, and of those the lowest
//! id, so that the order depends on nothing else. Spans whose cost fell are pushed again; whoever
//! pops them twice drops the second.
//! Based on: LaMarca and Ladner, "The influence of caches on the performance of heaps", 1996.

/// Spans by estimated total cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenList {
    keys: Vec<u64>,
    /// Bits of a key that hold the span.
    id_bits: u32,
    /// The rest of the way is cut by so many bits to fit beside the span.
    rest_cut: u32,
}

const ARITY: usize = 4;

impl OpenList {
    /// Empties the list for a search over so many spans, the first of them `farthest` units away.
    pub(crate) fn clear(&mut self, spans: usize, farthest: u32) {
        self.keys.clear();
        self.id_bits = usize::BITS - spans.leading_zeros();
        let room = 32u32.saturating_sub(self.id_bits);
        // Estimates grow past the first one: a spare bit, and whatever is still larger is cut off.
        let needed = (u32::BITS - farthest.leading_zeros() + 1).min(u32::BITS);
        self.rest_cut = needed.saturating_sub(room);
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The least estimated total; `None` where nothing is open.
    pub(crate) fn least(&self) -> Option<u32> {
        self.keys.first().map(|key| (key >> 32) as u32)
    }

    /// Adds a span by its estimated total and the part of it that is the rest of the way.
    #[inline]
    pub(crate) fn push(&mut self, total: u32, rest: u32, span: u32) {
        let room = 32 - self.id_bits.min(32);
        let rest = u64::from(rest) >> self.rest_cut;
        let rest = rest.min((1 << room) - 1) << self.id_bits;
        let key = u64::from(total) << 32 | rest | u64::from(span);
        self.keys.push(key);
        self.rise(self.keys.len() - 1);
    }

    /// Takes the span that comes first.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let last = self.keys.pop()?;
        let first = match self.keys.first() {
            Some(&first) => {
                self.sink(last);
                first
            }
            None => last,
        };
        Some((first & ((1 << self.id_bits) - 1)) as u32)
    }

    /// Moves a key towards the root until its parent comes before it.
    #[inline]
    fn rise(&mut self, mut at: usize) {
        let key = self.keys[at];
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if self.keys[parent] <= key {
                break;
            }
            self.keys[at] = self.keys[parent];
            at = parent;
        }
        self.keys[at] = key;
    }

    /// Puts a key into the root's place and down to where it belongs.
    #[inline]
    fn sink(&mut self, key: u64) {
        let keys = self.keys.as_mut_slice();
        let mut at = 0;
        loop {
            let child = ARITY * at + 1;
            let least = match keys.get(child..child + ARITY) {
                Some(&[a, b, c, d]) => {
                    let (low, low_at) = if b < a { (b, 1) } else { (a, 0) };
                    let (high, high_at) = if d < c { (d, 3) } else { (c, 2) };
                    child + if high < low { high_at } else { low_at }
                }
                _ => match (child..keys.len()).min_by_key(|&at| keys[at]) {
                    Some(least) => least,
                    None => break,
                },
            };
            if keys[least] >= key {
                break;
            }
            keys[at] = keys[least];
            at = least;
        }
        keys[at] = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_out_by_total_then_rest_then_span() {
        let mut open = OpenList::default();
        open.clear(1000, 4000);
        for (total, rest, span) in [(9, 0, 1), (7, 64, 2), (7, 0, 4), (7, 0, 3), (8, 9, 999)] {
            open.push(total, rest, span);
        }
        let order: Vec<u32> = std::iter::from_fn(|| open.pop()).collect();
        assert_eq!(order, [3, 4, 2, 999, 1]);
    }

    #[test]
    fn keeps_order_through_random_pushes_and_pops() {
        let mut open = OpenList::default();
        open.clear(usize::try_from(u32::MAX).unwrap_or(usize::MAX), u32::MAX);
        let mut plain = std::collections::BTreeSet::new();
        let mut state = 7u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            let (total, span) = ((state >> 40) as u32 & 0xFFF, (state >> 20) as u32);
            if state >> 61 < 4 {
                if plain.insert((total, span)) {
                    open.push(total, total, span);
                }
            } else {
                assert_eq!(open.least(), plain.first().map(|first| first.0));
                assert_eq!(open.pop(), plain.pop_first().map(|first| first.1));
            }
            assert_eq!(open.len(), plain.len());
        }
    }
}
