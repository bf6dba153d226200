//! Provides [`Shape`]: the districts of a grid, who surrounds whom, and which spans are whose.

use std::ops::Range;

use crate::grid::{RouteOrder, RouteSupernode};
use crate::view::ViewRef;

use crate::cch::parameters::{Grain, is_open};
use crate::cch::subgraph::neighbors;

/// Ground within a border: small enough to be searched, or parts and the cut between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct District {
    /// Ranks of all its spans: those of its parts first.
    pub begin: u32,
    /// The first rank that is its own and none of its parts'.
    pub own: u32,
    pub end: u32,
    /// The district it is a part of; [`NONE`] for those that are part of none.
    pub parent: u32,
    /// The first of the districts within it; they end before itself.
    pub first: u32,
    /// The block that it is or lies within; [`NONE`] for larger districts.
    pub block: u32,
    /// Levels above blocks; 0 for blocks and for what is within them.
    pub height: u8,
    /// Where its border lies in the list of all.
    border: [u32; 2],
}

/// No district, no rank.
pub(crate) const NONE: u32 = u32::MAX;

/// What costs do not change: order, districts, borders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub grain: Grain,
    /// For each rank its span.
    pub order: Vec<u32>,
    /// For each span its rank; [`NONE`] where nobody walks.
    pub ranks: Vec<u32>,
    /// Parts before the whole.
    pub districts: Vec<District>,
    /// For each district the ranks around it, ascending.
    borders: Vec<u32>,
    /// For each of them its place in the front of the parent.
    outside: Vec<u32>,
}

impl Shape {
    /// Of an order that has been validated for this agent, or was made for it.
    pub(crate) fn new(view: &ViewRef, order: &RouteOrder, grain: Grain) -> Shape {
        let mut ranks = vec![NONE; view.spans().len()];
        for (rank, span) in (0..).zip(&order.spans) {
            ranks[span.index()] = rank;
        }
        let mut shape = Shape {
            grain,
            order: order.spans.iter().map(|span| span.0).collect(),
            ranks,
            districts: Vec::new(),
            borders: Vec::new(),
            outside: Vec::new(),
        };
        shape.nest(&order.supernodes);
        shape.find_borders(view);
        shape.find_blocks();
        shape
    }

    fn nest(&mut self, districts: &[RouteSupernode]) {
        let mut orphans: Vec<usize> = Vec::new();
        let mut own = 0;
        for (at, district) in districts.iter().enumerate() {
            let end = own + district.spans;
            let (mut begin, mut first) = (own, at as u32);
            for part in orphans.drain(orphans.len() - district.children as usize..) {
                self.districts[part].parent = at as u32;
                begin = begin.min(self.districts[part].begin);
                first = first.min(self.districts[part].first);
            }
            let (parent, block, height, border) = (NONE, NONE, 0, [0; 2]);
            let whole = District { begin, own, end, parent, first, block, height, border };
            self.districts.push(whole);
            orphans.push(at);
            own = end;
        }
    }

    /// Finds the blocks, from the largest districts down, and then how high districts are above
    /// them.
    fn find_blocks(&mut self) {
        let is_open = is_open(self.order.len(), self.widest());
        for at in (0..self.districts.len()).rev() {
            let District { parent, .. } = self.districts[at];
            let around = if parent == NONE { NONE } else { self.districts[parent as usize].block };
            let size = (self.districts[at].spans(), self.border(at).len());
            let makes_one = self.grain.makes_block(size, is_open);
            let own = if makes_one { at as u32 } else { NONE };
            self.districts[at].block = if around == NONE { own } else { around };
        }
        for at in 0..self.districts.len() {
            let District { parent, block, height, .. } = self.districts[at];
            if parent != NONE && self.districts[parent as usize].block == NONE {
                let above = if block == NONE { height + 1 } else { 1 };
                let parent = &mut self.districts[parent as usize];
                parent.height = parent.height.max(above);
            }
        }
    }

    fn find_borders(&mut self, view: &ViewRef) {
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); self.districts.len()];
        for at in 0..self.districts.len() {
            let District { own, end, parent, .. } = self.districts[at];
            let mut border = std::mem::take(&mut around[at]);
            for rank in own..end {
                neighbors(view, self.order[rank as usize], |other| {
                    border.push(self.ranks[other as usize]);
                });
            }
            border.sort_unstable();
            border.dedup();
            border.retain(|&rank| rank >= end);
            let start = self.borders.len() as u32;
            self.borders.extend(&border);
            self.districts[at].border = [start, self.borders.len() as u32];
            if let Some(above) = around.get_mut(parent as usize) {
                above.extend(border);
            }
        }
        self.outside = vec![0; self.borders.len()];
        for at in 0..self.districts.len() {
            let parent = self.districts[at].parent;
            if parent != NONE {
                for place in self.districts[at].border() {
                    let rank = self.borders[place];
                    self.outside[place] = self.place(parent as usize, rank).unwrap_or(0) as u32;
                }
            }
        }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.order, &self.ranks, &self.borders, &self.outside];
        let districts = self.districts.len() * size_of::<District>();
        districts + lists.map(|list| 4 * list.len()).iter().sum::<usize>()
    }

    /// Whether a district is a block or lies within one.
    pub(crate) fn is_block(&self, district: usize) -> bool {
        self.districts[district].block != NONE
    }

    /// The block that a district is or lies within; `None` for larger ones.
    pub(crate) fn block(&self, district: usize) -> Option<usize> {
        let block = self.districts[district].block;
        (block != NONE).then_some(block as usize)
    }

    /// Whether the ways through a district are kept.
    pub(crate) fn keeps_through(&self, district: usize) -> bool {
        let Grain { levels, few, .. } = self.grain;
        let whole = &self.districts[district];
        let border = self.border(district).len();
        let is_little = border * border <= few * whole.spans() as usize;
        whole.parent != NONE && (whole.height % levels == levels / 2 || is_little)
    }

    /// The ranks around a district, ascending.
    pub(crate) fn border(&self, district: usize) -> &[u32] {
        &self.borders[self.districts[district].border()]
    }

    /// For each rank of a district's border its place in the parent's front, ascending.
    pub(crate) fn outside(&self, district: usize) -> &[u32] {
        &self.outside[self.districts[district].border()]
    }

    /// Spans of a district's front: its own, then its border.
    pub(crate) fn front(&self, district: usize) -> usize {
        self.own(district) + self.border(district).len()
    }

    /// Spans of the widest front.
    pub(crate) fn widest(&self) -> usize {
        (0..self.districts.len()).map(|district| self.front(district)).max().unwrap_or(0)
    }

    /// Place of a rank in a district's front; `None` where it has none.
    pub(crate) fn place(&self, district: usize, rank: u32) -> Option<usize> {
        let District { own, end, .. } = self.districts[district];
        if rank < end {
            return rank.checked_sub(own).map(|place| place as usize);
        }
        let found = self.border(district).binary_search(&rank).ok()?;
        Some((end - own) as usize + found)
    }

    /// The rank at a place of a district's front.
    pub(crate) fn rank(&self, district: usize, place: usize) -> u32 {
        let District { own, end, .. } = self.districts[district];
        match place.checked_sub((end - own) as usize) {
            None => own + place as u32,
            Some(outside) => self.border(district)[outside],
        }
    }

    /// The parts of a district, in order.
    pub(crate) fn parts(&self, district: usize) -> Vec<usize> {
        let before = |&part: &usize| self.part_before(district, part);
        let mut parts: Vec<usize> = std::iter::successors(Some(district), before).skip(1).collect();
        parts.reverse();
        parts
    }

    /// The part of a district before another, or the last one before the district itself.
    pub(crate) fn part_before(&self, district: usize, part: usize) -> Option<usize> {
        let next = if part == district { district } else { self.districts[part].first as usize };
        let first = self.districts[district].first as usize;
        next.checked_sub(1).filter(|&before| before >= first)
    }

    /// Spans that are a district's own.
    pub(crate) fn own(&self, district: usize) -> usize {
        let District { own, end, .. } = self.districts[district];
        (end - own) as usize
    }

    /// The districts that are part of no other, in order.
    pub(crate) fn wholes(&self) -> impl Iterator<Item = usize> {
        (0..self.districts.len()).filter(|&at| self.districts[at].parent == NONE)
    }

    /// The district whose own a rank is.
    pub(crate) fn owner(&self, rank: u32) -> usize {
        self.districts.partition_point(|district| district.end <= rank)
    }
}

impl District {
    /// Number of its spans.
    pub(crate) fn spans(&self) -> u32 {
        self.end - self.begin
    }

    fn border(&self) -> Range<usize> {
        self.border[0] as usize..self.border[1] as usize
    }
}
