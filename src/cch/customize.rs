//! Provides [`Workshop`]: works out the costs of districts, all of them or those that changed.
//!
//! A district's front is made from the ways through its parts and what joins its own spans to
//! others. Once its own spans are left out, what remains are the ways through it, for the district
//! it is part of. A change of ground changes the ways through every district around it, up to the
//! first that it makes no difference to.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::cost::CostModel;
use crate::parallel::for_each_job;

use crate::cch::arc_costs::{NO_WAY, Pricing};
use crate::cch::elimination_tree::{District, NONE, Shape};
use crate::cch::frontal_matrix::Front;
use crate::cch::metric::Kept;
use crate::cch::metric::Rows;

/// Works out costs over a shape.
pub(crate) struct Workshop<'a, M: ?Sized> {
    pub shape: &'a Shape,
    pub pricing: Pricing<'a, M>,
}

/// A district, worked out.
struct Own {
    kept: Kept,
    /// The ways through it, where they are not kept.
    through: Vec<u32>,
}

/// A district and those within it, worked out.
struct Done {
    within: Vec<Kept>,
    own: Own,
}

/// Ways through districts that changed and are not kept.
type Changed = BTreeMap<usize, Vec<u32>>;

impl<M: CostModel + Sync + ?Sized> Workshop<'_, M> {
    /// What is kept of every district.
    pub(crate) fn all(&self) -> Vec<Kept> {
        let wholes: Vec<usize> = self.shape.wholes().collect();
        let spans = self.shape.order.len();
        let at_once = spans >= self.shape.grain.worth_threads;
        let done =
            for_each_job(wholes, at_once, |whole| self.work_out(&mut Front::default(), whole));
        done.into_iter().flat_map(Done::kept).collect()
    }

    fn work_out(&self, front: &mut Front, district: usize) -> Done {
        let District { first, .. } = self.shape.districts[district];
        if self.shape.is_block(district) {
            let within = vec![Kept::default(); district - first as usize];
            return Done { within, own: self.whole_block(front, district) };
        }
        let parts = self.shape.parts(district);
        let spans = self.shape.districts[district].spans() as usize;
        let done: Vec<Done> = if spans < self.shape.grain.worth_threads {
            parts.iter().map(|&part| self.work_out(front, part)).collect()
        } else {
            for_each_job(parts.clone(), true, |part| self.work_out(&mut Front::default(), part))
        };
        let throughs = parts.into_iter().zip(done.iter().map(|done| done.own.through().into()));
        let own = self.close(front, district, throughs);
        Done { within: done.into_iter().flat_map(Done::kept).collect(), own }
    }

    /// Works out a block.
    fn whole_block(&self, front: &mut Front, block: usize) -> Own {
        front.highest = 0;
        let mut own = self.block(front, block);
        // No search of the block finds a dearer way.
        let spans = self.shape.districts[block].spans();
        own.kept.largest = own.kept.largest.max(front.highest.saturating_mul(spans));
        own
    }

    /// Works out a block, or a district within one.
    fn block(&self, front: &mut Front, district: usize) -> Own {
        let parts = self.shape.parts(district).into_iter();
        let throughs: Vec<_> =
            parts.map(|part| (part, self.block(front, part).into_through().into())).collect();
        self.close(front, district, throughs)
    }

    /// Works out a district from the ways through its parts.
    fn close<'t>(
        &self,
        front: &mut Front,
        district: usize,
        parts: impl IntoIterator<Item = (usize, Cow<'t, [u32]>)>,
    ) -> Own {
        front.begin((self.shape, district), &self.pricing);
        for (part, through) in parts {
            front.add(&through, self.shape.outside(part));
        }
        let own = self.shape.own(district);
        let mut rows = Vec::new();
        let mut most = 0;
        if self.shape.is_block(district) {
            front.leave_out(own, |_, _| ());
        } else {
            let is_symmetric = self.pricing.is_symmetric;
            rows.reserve_exact(Rows::count(own, self.shape.front(district), is_symmetric));
            front.leave_out(own, |from, to| {
                let sides = [from, to];
                for side in &sides[usize::from(is_symmetric)..] {
                    rows.extend_from_slice(side);
                    most = most.max(largest(side));
                }
            });
        }
        let through = front.through(own);
        let largest = most.max(largest(&through));
        let (kept, through) = match self.shape.keeps_through(district) {
            true => (through, Vec::new()),
            false => (Vec::new(), through),
        };
        Own { kept: Kept { rows: rows.into(), through: kept.into(), largest }, through }
    }

    /// Works out again some districts, and all around them that this makes a difference to.
    /// Returns how many.
    pub(crate) fn again(&self, kept: &mut [Kept], mut districts: BTreeSet<usize>) -> usize {
        let (mut front, mut changed, mut count) = (Front::default(), Changed::new(), 0);
        while let Some(district) = districts.pop_first() {
            if let Some(block) = self.shape.block(district).filter(|&block| block != district) {
                districts.insert(block);
                continue;
            }
            let own = if self.shape.is_block(district) {
                self.whole_block(&mut front, district)
            } else {
                let throughs = self.throughs(&mut front, kept, (district, &mut changed));
                self.close(&mut front, district, throughs)
            };
            count += 1;
            let parent = self.shape.districts[district].parent;
            let is_kept = self.shape.keeps_through(district);
            let makes_a_difference = !is_kept || own.kept.through != kept[district].through;
            kept[district] = own.kept;
            if parent != NONE && makes_a_difference {
                districts.insert(parent as usize);
                if !is_kept {
                    changed.insert(district, own.through);
                }
            }
        }
        count
    }

    /// The ways through a district's parts: those that changed, those that are kept, and the
    /// others worked out.
    fn throughs<'k>(
        &self,
        front: &mut Front,
        kept: &'k [Kept],
        (district, changed): (usize, &mut Changed),
    ) -> Vec<(usize, Cow<'k, [u32]>)> {
        let mut through = |part| match changed.remove(&part) {
            Some(through) => through.into(),
            None => self.through(front, kept, part),
        };
        let parts = self.shape.parts(district).into_iter();
        parts.map(|part| (part, through(part))).collect()
    }

    /// The ways through a district that did not change, or that are kept.
    fn through<'k>(&self, front: &mut Front, kept: &'k [Kept], district: usize) -> Cow<'k, [u32]> {
        if self.shape.keeps_through(district) {
            return Cow::from(&*kept[district].through);
        }
        let own = if self.shape.is_block(district) {
            self.whole_block(front, district)
        } else {
            let throughs = self.throughs(front, kept, (district, &mut Changed::new()));
            self.close(front, district, throughs)
        };
        own.through.into()
    }
}

impl Own {
    fn through(&self) -> &[u32] {
        if self.through.is_empty() { &self.kept.through } else { &self.through }
    }

    fn into_through(self) -> Vec<u32> {
        if self.through.is_empty() { self.kept.through.into() } else { self.through }
    }
}

impl Done {
    /// What is kept of each of them, parts before the whole.
    fn kept(mut self) -> Vec<Kept> {
        self.within.push(self.own.kept);
        self.within
    }
}

/// The largest cost that is one.
fn largest(costs: &[u32]) -> u32 {
    costs.iter().map(|&cost| if cost < NO_WAY { cost } else { 0 }).max().unwrap_or(0)
}
