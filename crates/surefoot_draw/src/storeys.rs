//! Splits a layered grid into storeys, each with at most one span over a cell.
//!
//! It is done as an architect draws plans. A floor is *covered*, and on no plan, where the next
//! floor is less than the lowest agent's height above it: the ground under a table, a step or a
//! low crate. The others fall into patches (see [`super::patches`]). Patches are placed from the
//! largest to the smallest, each in the lowest storey that is above all patches placed beneath it
//! and below all patches placed above it; a new storey opens where there is none between. A patch
//! that is above and beneath the same storey, as a turn of a spiral tower may be, takes the lowest
//! storey that is free in all its columns. Last, storeys without enough ground to stand on are
//! left out, and counted.

use surefoot::grid::{Cell, NavGrid, SpanId};
use surefoot::observer::{check_cancelled, for_each_observed};
use surefoot::{Cancelled, Observer};

use super::patches::{Patches, cover, for_each_column};
use super::relief::MapSpan;
use super::unobserved;

/// Which storey each span of a grid is on.
#[derive(Clone, Debug)]
pub struct Storeys {
    of: Vec<u16>,
    drawn: Vec<Storey>,
    left_out: LeftOut,
}

/// One of the storeys.
#[derive(Clone, Copy)]
pub(super) struct StoreyRef<'a> {
    pub storeys: &'a Storeys,
    /// An index into [`Storeys::drawn`].
    pub number: usize,
}

impl StoreyRef<'_> {
    /// Whether a span is on it.
    pub(super) fn holds(&self, span: SpanId) -> bool {
        self.storeys.storey(span) == Some(self.number)
    }

    /// What is seen of it from above in a cell: its highest floor there, or else the highest beneath it.
    pub(super) fn span_at(&self, grid: &NavGrid, cell: Cell) -> Option<MapSpan> {
        let mut beneath = None;
        for span in grid.column_spans(cell).rev() {
            let spot = MapSpan { span: span as usize, here: true };
            match self.storeys.storey(SpanId(span)) {
                Some(storey) if storey == self.number => return Some(spot),
                Some(storey) if storey < self.number && beneath.is_none() => {
                    beneath = Some(MapSpan { here: false, ..spot });
                }
                _ => {}
            }
        }
        beneath
    }
}

/// One storey that has enough ground to stand on.
#[derive(Clone, Debug, PartialEq)]
pub struct Storey {
    /// Number of spans.
    pub spans: usize,
    /// For each agent the number of spans where it can stand.
    pub walkable: Vec<usize>,
    /// The lowest and the highest floor [m].
    pub heights: [f32; 2],
}

/// What is on no storey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeftOut {
    /// Spans too close beneath another floor for the lowest agent.
    pub covered: usize,
    /// Storeys with too little ground to stand on.
    pub storeys: usize,
    /// Spans on those storeys.
    pub spans: usize,
    /// For each agent the number of spans on those storeys where it could stand.
    pub walkable: Vec<usize>,
}

/// A storey is drawn if it holds this share of the ground where some agent can stand.
const MIN_SHARE: f64 = 0.005;
/// Spans on more storeys than this are left out.
const MAX_STOREYS: usize = 1024;
/// On no storey.
const NONE: u16 = u16::MAX;

impl Storeys {
    /// Splits a grid. O(spans · log spans), with 10 bytes a span and 4 a cell while it runs.
    pub fn of(grid: &NavGrid) -> Self {
        unobserved(Storeys::observed(grid, &()))
    }

    /// As [`Storeys::of`], with an observer.
    ///
    /// # Errors
    /// [`Cancelled`] if the observer says so.
    pub fn observed(grid: &NavGrid, observer: &dyn Observer) -> Result<Self, Cancelled> {
        let mut of = vec![NONE; grid.spans().len()];
        let covered = cover(grid, observer)?;
        let slots = if is_layered(grid, &covered, observer)? {
            place(grid, &Patches::of(grid, &covered, observer)?, &mut of, observer)?
        } else {
            place_all_on_one(&covered, &mut of)
        };
        let all = measure(grid, &of, slots, observer)?;
        let covered = covered.iter().filter(|&&covered| covered).count();
        check_cancelled(observer)?;
        Ok(keep_what_matters(of, all, covered))
    }

    /// The storeys, lowest first.
    pub fn drawn(&self) -> &[Storey] {
        &self.drawn
    }

    /// What is on none of them.
    pub fn left_out(&self) -> &LeftOut {
        &self.left_out
    }

    /// The storey of a span, an index into [`Storeys::drawn`]. O(1).
    pub fn storey(&self, span: SpanId) -> Option<usize> {
        self.of.get(span.index()).filter(|&&storey| storey != NONE).map(|&storey| storey.into())
    }
}

/// Whether some column has more than one span that is not covered.
fn is_layered(
    grid: &NavGrid,
    covered: &[bool],
    observer: &dyn Observer,
) -> Result<bool, Cancelled> {
    let open = |span: &u32| !covered[*span as usize];
    let mut is_layered = false;
    for_each_column(grid, observer, |_, column| {
        is_layered |= column.len() > 1 && column.filter(open).count() > 1;
    })?;
    Ok(is_layered)
}

/// What [`place`] does where no span lies above another; there is no need to find patches.
fn place_all_on_one(covered: &[bool], of: &mut [u16]) -> usize {
    for (slot, _) in of.iter_mut().zip(covered).filter(|(_, covered)| !**covered) {
        *slot = 0;
    }
    usize::from(!of.is_empty())
}

/// Gives every patch its storey; returns how many storeys there are, lowest first in `of`.
fn place(
    grid: &NavGrid,
    patches: &Patches,
    of: &mut [u16],
    observer: &dyn Observer,
) -> Result<usize, Cancelled> {
    let mut stack = StoreyStack::default();
    for patch in patches.largest_first() {
        check_cancelled(observer)?;
        let placed = Placed { grid, patches, of: &*of, stack: &stack };
        let around = Surroundings::of(&placed, patch);
        let Some(slot) = around.slot(&mut stack) else { continue };
        for &span in patches.members(patch) {
            of[span as usize] = slot;
        }
    }
    for slot in of.iter_mut().filter(|slot| **slot != NONE) {
        *slot = stack.rank[usize::from(*slot)];
    }
    Ok(stack.order.len())
}

/// Storeys while more are being opened: a slot keeps its number, its rank may rise.
#[derive(Default)]
struct StoreyStack {
    /// The slots, lowest first.
    order: Vec<u16>,
    /// For each slot its position in `order`.
    rank: Vec<u16>,
}

impl StoreyStack {
    fn open(&mut self, rank: usize) {
        self.order.insert(rank, self.order.len() as u16);
        self.rank.push(0);
        for (rank, &slot) in self.order.iter().enumerate() {
            self.rank[usize::from(slot)] = rank as u16;
        }
    }
}

/// The patches that have their storeys already.
struct Placed<'a> {
    grid: &'a NavGrid,
    patches: &'a Patches,
    /// The slot of each span.
    of: &'a [u16],
    stack: &'a StoreyStack,
}

/// What has been placed in the columns of a patch.
struct Surroundings {
    /// Rank above the highest storey placed beneath it.
    above: usize,
    /// Rank of the lowest storey placed above it.
    below: usize,
    /// For each rank whether one of the columns is taken.
    taken: Vec<bool>,
}

impl Surroundings {
    fn of(placed: &Placed, patch: usize) -> Self {
        let Placed { grid, patches, of, stack } = *placed;
        let storeys = stack.order.len();
        let mut around = Surroundings { above: 0, below: storeys, taken: vec![false; storeys] };
        for &span in patches.members(patch) {
            let column = grid.column_spans(patches.cell(grid, span));
            for other in column.filter(|&other| of[other as usize] != NONE) {
                let rank = stack.rank[usize::from(of[other as usize])];
                around.note(usize::from(rank), other < span);
            }
        }
        around
    }

    fn note(&mut self, rank: usize, beneath: bool) {
        self.taken[rank] = true;
        if beneath {
            self.above = self.above.max(rank + 1);
        } else {
            self.below = self.below.min(rank);
        }
    }

    /// The slot the patch takes, opened where need be; `None` where there are too many.
    fn slot(&self, stack: &mut StoreyStack) -> Option<u16> {
        let tangled = self.above > self.below;
        let free = match tangled {
            true => self.taken.iter().position(|&taken| !taken),
            false => (self.above < self.below).then_some(self.above),
        };
        let rank = free.unwrap_or(if tangled { stack.order.len() } else { self.above });
        if free.is_none() {
            if stack.order.len() == MAX_STOREYS {
                return None;
            }
            stack.open(rank);
        }
        stack.order.get(rank).copied()
    }
}

fn measure(
    grid: &NavGrid,
    of: &[u16],
    slots: usize,
    observer: &dyn Observer,
) -> Result<Vec<Storey>, Cancelled> {
    let heights = [f32::INFINITY, f32::NEG_INFINITY];
    let empty = Storey { spans: 0, walkable: vec![0; grid.layers().len()], heights };
    let mut storeys = vec![empty; slots];
    for_each_observed(0..of.len(), observer, |at| {
        let Some(storey) = storeys.get_mut(usize::from(of[at])) else { return };
        let floor = grid.spans()[at].floor;
        storey.spans += 1;
        storey.heights = [storey.heights[0].min(floor), storey.heights[1].max(floor)];
    })?;
    for (agent, layer) in grid.layers().iter().enumerate() {
        for_each_observed(0..of.len(), observer, |at| {
            if let Some(storey) = storeys.get_mut(usize::from(of[at])) {
                storey.walkable[agent] += usize::from(layer.standings[at].is_walkable());
            }
        })?;
    }
    Ok(storeys)
}

fn keep_what_matters(mut of: Vec<u16>, all: Vec<Storey>, covered: usize) -> Storeys {
    let agents = all.first().map_or(0, |storey| storey.walkable.len());
    let walkable: Vec<usize> =
        (0..agents).map(|agent| all.iter().map(|storey| storey.walkable[agent]).sum()).collect();
    let spans: usize = all.iter().map(|storey| storey.spans).sum();
    let nobody_stands = walkable.iter().all(|&walkable| walkable == 0);
    let enough = |part: usize, whole: usize| part > 0 && part as f64 >= MIN_SHARE * whole as f64;
    let matters = |storey: &Storey| {
        let mut shares = storey.walkable.iter().zip(&walkable);
        shares.any(|(&part, &whole)| enough(part, whole))
            || nobody_stands && enough(storey.spans, spans)
    };
    let mut left_out = LeftOut { covered, walkable: vec![0; agents], ..LeftOut::default() };
    let mut drawn = Vec::new();
    let mut number = Vec::with_capacity(all.len());
    for storey in all {
        if matters(&storey) {
            number.push(drawn.len() as u16);
            drawn.push(storey);
            continue;
        }
        number.push(NONE);
        left_out.storeys += 1;
        left_out.spans += storey.spans;
        for (sum, part) in left_out.walkable.iter_mut().zip(&storey.walkable) {
            *sum += part;
        }
    }
    let loose = of.iter().filter(|&&slot| slot == NONE).count() - covered;
    left_out.spans += loose;
    for slot in &mut of {
        *slot = number.get(usize::from(*slot)).copied().unwrap_or(NONE);
    }
    Storeys { of, drawn, left_out }
}
