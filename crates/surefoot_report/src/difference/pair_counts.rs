//! Provides [`PairCounts`]: how much ground goes from one thing of the old grid to one of the new.

use surefoot::SpanId;

/// Counts spans by pairs of numbers, such as a region of the old grid and one of the new. Ground of one
/// pair mostly comes in a row, so that runs are counted and sorted in the end.
#[derive(Default)]
pub(super) struct PairCounts {
    runs: Vec<PairCount>,
}

/// The spans of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PairCount {
    /// A number of the old grid and one of the new.
    pub pair: [u32; 2],
    /// How many.
    pub spans: usize,
    /// One of them, of the old grid and of the new: the one with the greatest clearance.
    pub place: [SpanId; 2],
    /// The clearance there [m].
    pub clearance: f32,
}

impl PairCounts {
    /// Counts one span.
    #[inline]
    pub fn count(&mut self, pair: [u32; 2], place: [SpanId; 2], clearance: f32) {
        match self.runs.last_mut() {
            Some(run) if run.pair == pair => {
                run.spans += 1;
                if clearance > run.clearance {
                    (run.place, run.clearance) = (place, clearance);
                }
            }
            _ => self.runs.push(PairCount { pair, spans: 1, place, clearance }),
        }
    }

    /// The counts of all pairs, sorted.
    pub fn finish(mut self) -> Vec<PairCount> {
        self.runs.sort_by_key(|run| run.pair);
        self.runs.dedup_by(|next, first| {
            let is_same = next.pair == first.pair;
            if is_same {
                first.spans += next.spans;
                if next.clearance > first.clearance {
                    (first.place, first.clearance) = (next.place, next.clearance);
                }
            }
            is_same
        });
        self.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_pair_are_one_count() {
        let mut counts = PairCounts::default();
        for (span, pair, clearance) in [
            (0, [1, 0], 0.5),
            (1, [0, 0], 0.1),
            (2, [0, 0], 0.3),
            (3, [1, 0], 0.5),
            (4, [0, 0], 0.2),
        ] {
            counts.count(pair, [SpanId(span); 2], clearance);
        }
        let found = counts.finish();
        let found: Vec<_> = found.iter().map(|c| (c.pair, c.spans, c.place[0].0)).collect();
        assert_eq!(found, [([0, 0], 3, 2), ([1, 0], 2, 0)]);
    }
}
