//! Provides [`Climb`]: the costs between one span and the fronts of all districts it lies in, from
//! the smallest to the largest.

use crate::solve::Flow;

use super::costs::RouteCosts;
use super::front::lower_by;
use super::pricing::NO_WAY;
use super::shape::{NONE, Shape};

/// One end of a route, and what is known from there.
#[derive(Debug, Default)]
pub(super) struct Climb {
    pub levels: Vec<Level>,
    /// The costs of all fronts, one after another.
    values: Vec<u32>,
}

/// A district on the way up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub district: usize,
    /// Its own spans; none where a search has found the costs of its border.
    pub own: usize,
    /// Where its front begins among the values.
    start: usize,
    end: usize,
}

impl Climb {
    /// Begins in a block, with the costs of its border.
    pub(super) fn begin_outside(&mut self, block: usize, border: &[u32]) {
        self.levels.clear();
        self.values.clear();
        self.values.extend_from_slice(border);
        self.levels.push(Level { district: block, own: 0, start: 0, end: border.len() });
    }

    /// Begins at a span that is a district's own.
    pub(super) fn begin_at(&mut self, (shape, district): (&Shape, usize), place: usize) {
        self.levels.clear();
        self.values.clear();
        self.push((shape, district));
        self.values[place] = 0;
    }

    fn push(&mut self, (shape, district): (&Shape, usize)) {
        let start = self.values.len();
        let end = start + shape.front(district);
        self.values.resize(end, NO_WAY);
        let whole = &shape.districts[district];
        let own = (whole.end - whole.own) as usize;
        self.levels.push(Level { district, own, start, end });
    }

    /// Goes up by one district; false where there is none.
    pub(super) fn up(&mut self, shape: &Shape) -> bool {
        let Some(&below) = self.levels.last() else { return false };
        let parent = shape.districts[below.district].parent;
        if parent == NONE {
            return false;
        }
        self.push((shape, parent as usize));
        let (known, above) = self.values.split_at_mut(below.end);
        let border = &known[below.start + below.own..];
        for (&cost, &place) in border.iter().zip(shape.outside(below.district)) {
            above[place as usize] = cost;
        }
        true
    }

    /// Goes on from an own span of the highest district to all after it.
    #[inline]
    pub(super) fn pass(&mut self, place: usize, by: &[u32]) {
        let Some(level) = self.levels.last() else { return };
        let (known, after) = self.values[level.start..level.end].split_at_mut(place + 1);
        if known[place] < NO_WAY {
            lower_by(after, known[place], by);
        }
    }

    /// Passes all own spans of the highest district.
    pub(super) fn pass_all(&mut self, (shape, costs): (&Shape, &RouteCosts), flow: Flow) {
        let Some(&Level { district, own, .. }) = self.levels.last() else { return };
        let rows = costs.rows(shape, district);
        for place in 0..own {
            self.pass(place, rows.of(place)[side(flow)]);
        }
    }

    /// The costs of a level's front.
    pub(super) fn front(&self, level: usize) -> &[u32] {
        let Level { start, end, .. } = self.levels[level];
        &self.values[start..end]
    }

    /// The costs of the highest district's front.
    pub(super) fn top(&self) -> &[u32] {
        self.levels.last().map_or(&[], |level| &self.values[level.start..level.end])
    }
}

/// Which of a row's costs count: from the spans left out, or to them.
pub(super) fn side(flow: Flow) -> usize {
    match flow {
        Flow::FromSources => 0,
        Flow::ToSources => 1,
    }
}
