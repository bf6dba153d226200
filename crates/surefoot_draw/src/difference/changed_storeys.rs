//! Provides [`ChangedStoreys`]: on which storey of the new grid each changed span is drawn.

use surefoot::grid::{NavGrid, SpanId};
use surefoot::{Cancelled, Observer};

use super::super::patches::for_each_column;
use super::super::storeys::Storeys;

/// The storeys of the new grid, and where those of the old one went.
pub(super) struct ChangedStoreys<'a> {
    old: &'a NavGrid,
    new: &'a NavGrid,
    /// The storeys of the new grid.
    pub storeys: Storeys,
    old_storeys: Storeys,
    /// For each storey of the old grid the one of the new that most of it is on.
    new_of_old: Vec<Option<usize>>,
}

/// Floors at most this far apart are taken for the same [m].
const SAME_FLOOR: f32 = 0.5;

impl<'a> ChangedStoreys<'a> {
    pub(super) fn new(
        [old, new]: [&'a NavGrid; 2],
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let storeys = Storeys::observed(new, observer)?;
        let old_storeys = Storeys::observed(old, observer)?;
        let mut votes = vec![vec![0u32; storeys.drawn().len()]; old_storeys.drawn().len()];
        for_each_column(old, observer, |at, column| {
            let others = new.column_spans(old.frame().cell(at));
            for span in column {
                let floor = old.spans()[span as usize].floor;
                let is_same =
                    |other: &u32| (new.spans()[*other as usize].floor - floor).abs() <= SAME_FLOOR;
                let same = others.clone().find(is_same).and_then(|to| storeys.storey(SpanId(to)));
                if let Some((own, to)) = old_storeys.storey(SpanId(span)).zip(same) {
                    votes[own][to] += 1;
                }
            }
        })?;
        let most = |votes: &Vec<u32>| {
            // Of several the lowest.
            let best = votes.iter().enumerate().rev().max_by_key(|(_, votes)| **votes);
            best.filter(|(_, votes)| **votes > 0).map(|(storey, _)| storey)
        };
        let new_of_old = votes.iter().map(most).collect();
        Ok(ChangedStoreys { old, new, storeys, old_storeys, new_of_old })
    }

    /// How many storeys there are; at least one, if only to draw what is gone.
    pub(super) fn count(&self) -> usize {
        self.storeys.drawn().len().max(1)
    }

    /// The storey of a span of the new grid.
    pub(super) fn of_new(&self, span: SpanId) -> usize {
        let height = self.new.spans()[span.index()].floor;
        self.storeys.storey(span).unwrap_or_else(|| self.nearest(height))
    }

    /// The storey of the new grid that a span of the old grid is drawn on. It may be gone, or covered.
    pub(super) fn of_old(&self, span: SpanId) -> usize {
        let height = self.old.spans()[span.index()].floor;
        let own = self.old_storeys.storey(span);
        own.and_then(|own| self.new_of_old[own]).unwrap_or_else(|| self.nearest(height))
    }

    /// The storey whose floors are nearest to a height.
    fn nearest(&self, height: f32) -> usize {
        let off = |[low, high]: [f32; 2]| (low - height).max(height - high).max(0.0);
        let storeys = self.storeys.drawn().iter().enumerate();
        let nearest = storeys.min_by(|a, b| off(a.1.heights).total_cmp(&off(b.1.heights)));
        nearest.map_or(0, |(storey, _)| storey)
    }
}
