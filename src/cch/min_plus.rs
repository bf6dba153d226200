//! The min-plus kernels: [`min_plus`] and [`min_plus_chunks`] lower many costs at once to those of
//! paths over a given span.
//!
//! The loops are plain. They are compiled for several kinds of processors, and `pulp` picks one of
//! them at run time. What runs in them has to be inlined, or it is compiled for the oldest kind.

use pulp::{Arch, NullaryFnOnce};

use crate::cch::cost_units::ReducedCost;

/// Costs that are lowered at once. Rows are filled up to whole chunks, so that none has a
/// remainder.
pub(crate) type CostChunk = [ReducedCost; LANES];
pub(crate) const LANES: usize = 8;

/// Runs a task with the widest vectors that the processor has.
#[inline(always)]
pub(crate) fn dispatch<T: NullaryFnOnce>(task: T) -> T::Output {
    Arch::new().dispatch(task)
}

/// Lowers each cost to that over a span: `to` it, and `from` it on.
#[inline]
pub(crate) fn min_plus(costs: &mut [ReducedCost], to: ReducedCost, from: &[ReducedCost]) {
    dispatch(MinPlus { costs, to, from });
}

struct MinPlus<'a> {
    costs: &'a mut [ReducedCost],
    to: ReducedCost,
    from: &'a [ReducedCost],
}

impl NullaryFnOnce for MinPlus<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let MinPlus { costs, to, from } = self;
        for (cost, &from) in costs.iter_mut().zip(from) {
            *cost = (to + from).min(*cost);
        }
    }
}

/// Lowers the costs of a row to those over several spans. Each chunk is read and written once for
/// all of them.
#[inline(always)]
pub(crate) fn min_plus_chunks<const SPANS: usize>(
    costs: &mut [CostChunk],
    to: [ReducedCost; SPANS],
    from: [&[CostChunk]; SPANS],
) {
    // Slices of one length need no bounds checks in the loop.
    let from = from.map(|from| &from[..costs.len()]);
    for (at, costs) in costs.iter_mut().enumerate() {
        let mut lowered = *costs;
        for (from, to) in from.iter().zip(to) {
            for (cost, from) in lowered.iter_mut().zip(from[at]) {
                *cost = (to + from).min(*cost);
            }
        }
        *costs = lowered;
    }
}
