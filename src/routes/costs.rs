//! Provides [`RouteCosts`]: what ways within and through districts cost, by one cost model.

use crate::grid::for_each;
use crate::solve::CostModel;

use super::front::Front;
use super::pricing::{NO_WAY, Pricing};
use super::shape::{NONE, Shape};

/// What is kept of a district's front.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// For each of its own spans, by rank, the costs to all places after it, then those from
    /// them, as they were when it was left out. Empty for blocks.
    rows: Box<[u32]>,
    /// The ways through it: a square over its border. Empty for some; see [`keeps_through`].
    pub through: Box<[u32]>,
    /// The largest cost there is in it.
    pub most: u32,
}

/// The costs by one cost model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteCosts {
    /// For each district; nothing for those within blocks.
    pub(super) kept: Vec<Kept>,
}

/// The ways through every so many levels of districts are kept; the others follow from them.
const LEVELS: u8 = 4;

fn keeps_through(shape: &Shape, district: usize) -> bool {
    let whole = &shape.districts[district];
    whole.height % LEVELS == LEVELS / 2 && whole.parent != NONE
}

/// Works out costs, district by district.
pub(super) struct Workshop<'a, M: ?Sized> {
    pub shape: &'a Shape,
    pub pricing: Pricing<'a, M>,
}

/// A district and those within it, worked out.
struct Done {
    kept: Vec<Kept>,
    through: Vec<u32>,
}

impl<M: CostModel + Sync + ?Sized> Workshop<'_, M> {
    pub(super) fn all(&self) -> RouteCosts {
        let wholes: Vec<usize> = self.shape.wholes().collect();
        let done = for_each(wholes, self.shape.order.len(), |whole| {
            self.work_out(&mut Front::default(), whole)
        });
        RouteCosts { kept: done.into_iter().flat_map(|done| done.kept).collect() }
    }

    fn work_out(&self, front: &mut Front, district: usize) -> Done {
        let whole = &self.shape.districts[district];
        if self.shape.is_block(district) {
            let within = district - whole.first as usize;
            let mut kept = vec![Kept::default(); within];
            let (own, through) = self.close(front, district, &[]);
            kept.push(own);
            return Done { kept, through };
        }
        let mut parts: Vec<usize> = self.shape.parts(district).collect();
        parts.reverse();
        let spans = (whole.end - whole.begin) as usize;
        let done: Vec<Done> = if spans < WORTH_THREADS {
            parts.iter().map(|&part| self.work_out(front, part)).collect()
        } else {
            for_each(parts.clone(), spans, |part| self.work_out(&mut Front::default(), part))
        };
        let throughs: Vec<(usize, &[u32])> =
            parts.iter().zip(&done).map(|(&part, done)| (part, &done.through[..])).collect();
        let (own, through) = self.close(front, district, &throughs);
        let mut kept: Vec<Kept> = done.into_iter().flat_map(|done| done.kept).collect();
        kept.push(own);
        Done { kept, through }
    }

    /// Works out a district from its parts.
    fn close(
        &self,
        front: &mut Front,
        district: usize,
        parts: &[(usize, &[u32])],
    ) -> (Kept, Vec<u32>) {
        let is_block = self.shape.is_block(district);
        let throughs: Vec<(usize, Vec<u32>)> = if is_block {
            let parts: Vec<usize> = self.shape.parts(district).collect();
            parts.into_iter().map(|part| (part, self.close(front, part, &[]).1)).collect()
        } else {
            Vec::new()
        };
        front.begin((self.shape, district), &self.pricing);
        for (part, through) in parts {
            front.add(through, self.shape.outside(*part));
        }
        for (part, through) in &throughs {
            front.add(through, self.shape.outside(*part));
        }
        let whole = &self.shape.districts[district];
        let own = (whole.end - whole.own) as usize;
        let size = self.shape.front(district);
        let mut rows = Vec::with_capacity(if is_block { 0 } else { own * (2 * size - own - 1) });
        let mut most = 0;
        front.leave_out(own, |from, to| {
            if !is_block {
                rows.extend_from_slice(from);
                rows.extend_from_slice(to);
                most = largest(from).max(largest(to)).max(most);
            }
        });
        let through = front.through(own);
        let most = largest(&through).max(most);
        let keeps = keeps_through(self.shape, district);
        let kept = if keeps { through.clone().into() } else { Box::default() };
        (Kept { rows: rows.into(), through: kept, most }, through)
    }
}

/// Districts of fewer spans are worked out by one thread.
const WORTH_THREADS: usize = 1 << 16;

/// The largest cost that is one.
fn largest(costs: &[u32]) -> u32 {
    costs.iter().map(|&cost| if cost < NO_WAY { cost } else { 0 }).max().unwrap_or(0)
}

/// The costs of a district's own spans.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    entries: &'a [u32],
    size: usize,
}

impl RouteCosts {
    pub(super) fn rows(&self, shape: &Shape, district: usize) -> Rows<'_> {
        Rows { entries: &self.kept[district].rows, size: shape.front(district) }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let kept = self.kept.iter().map(|kept| 4 * (kept.rows.len() + kept.through.len()));
        kept.sum::<usize>() + self.kept.len() * size_of::<Kept>()
    }
}

impl<'a> Rows<'a> {
    /// The costs from an own span to all places after it, and to it from them.
    #[inline]
    pub(super) fn of(&self, place: usize) -> [&'a [u32]; 2] {
        let after = self.size - place - 1;
        let start = place * (2 * self.size - 1 - place);
        let (from, to) = self.entries[start..start + 2 * after].split_at(after);
        [from, to]
    }
}
