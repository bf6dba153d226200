//! Provides [`RouteMetric`]: what ways within and through districts cost, by one cost model.

use crate::cost::FixedLowerBound;
use crate::search::Query;
use crate::view::{Directions, View};

use crate::cch::arc_costs::NO_WAY;
use crate::cch::elimination_tree::Shape;

/// What ways within and through the districts of a [`super::RouteIndex`] cost, by one cost model.
///
/// Worked out by [`super::RouteIndex::price`], and brought up to date after changes by
/// [`super::RouteIndex::refresh`]. An index may have several.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteMetric {
    /// For each district; nothing for those within blocks.
    pub(crate) kept: Vec<Kept>,
    pub(crate) rules: RouteRules,
    pub(crate) ground: Ground,
    /// The largest cost there is in any district.
    pub(crate) largest: u32,
}

/// What a query may ask for beside its ends; costs hold for queries that ask for the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RouteRules {
    /// The steepest ground to cross [rad]; `None` means the agent's own slope limit.
    pub slope_limit: Option<f32>,
    /// How many directions there are to step.
    pub directions: Directions,
}

/// What costs were worked out on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ground {
    /// Fingerprint of the grid.
    pub grid: u64,
    /// Names what changes had made of the bake.
    pub state: u64,
    pub coarseness: i32,
    pub least: FixedLowerBound,
    /// Ways cost the same there and back, but for the marks of their ends.
    pub is_symmetric: bool,
}

/// What is kept of a district's front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    /// For each of its own spans, by rank, the costs to all places after it, then, where they are
    /// not the same, those from them, as they were when it was left out. Empty for blocks.
    pub rows: Box<[u32]>,
    /// The ways through it: a square over its border, or the half that counts. Empty for some; they
    /// follow from others.
    pub through: Box<[u32]>,
    /// The largest cost there is in it.
    pub largest: u32,
}

impl Kept {
    /// Bytes that so many districts with so many costs take.
    pub(crate) fn bytes(districts: usize, costs: usize) -> usize {
        districts * size_of::<Kept>() + costs * size_of::<u32>()
    }
}

/// The costs of a district's own spans.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    entries: &'a [u32],
    size: usize,
    is_symmetric: bool,
}

impl RouteRules {
    /// What a query asks for.
    pub fn of(query: &Query) -> Self {
        RouteRules { slope_limit: query.slope_limit, directions: query.directions }
    }
}

impl RouteMetric {
    /// Whether these are the costs of a terrain as it is now.
    pub fn are_current(&self, view: &View) -> bool {
        self.ground.state == view.state() && self.ground.grid == view.grid().fingerprint()
    }

    /// What they hold for.
    pub fn rules(&self) -> RouteRules {
        self.rules
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let costs = self.kept.iter().map(|kept| kept.rows.len() + kept.through.len());
        Kept::bytes(self.kept.len(), costs.sum())
    }

    /// Sums of two costs stay below what can be counted, so that none was lost.
    pub(crate) fn are_countable(&self) -> bool {
        self.largest < NO_WAY / 2
    }

    pub(crate) fn find_largest(&mut self) {
        self.largest = self.kept.iter().map(|kept| kept.largest).max().unwrap_or(0);
    }

    pub(crate) fn rows(&self, shape: &Shape, district: usize) -> Rows<'_> {
        let entries = &self.kept[district].rows;
        Rows { entries, size: shape.front(district), is_symmetric: self.ground.is_symmetric }
    }
}

impl Rows<'_> {
    /// Entries of a district with so many own spans and such a front.
    pub(crate) fn count(own: usize, size: usize, is_symmetric: bool) -> usize {
        let both = own * (2 * size - own - 1);
        if is_symmetric { both / 2 } else { both }
    }
}

impl<'a> Rows<'a> {
    /// The costs from an own span to all places after it, and to it from them.
    #[inline]
    pub(crate) fn of(&self, place: usize) -> [&'a [u32]; 2] {
        let after = self.size - place - 1;
        let start = Rows::count(place, self.size, self.is_symmetric);
        let from = &self.entries[start..start + after];
        if self.is_symmetric {
            return [from, from];
        }
        [from, &self.entries[start + after..start + 2 * after]]
    }
}
