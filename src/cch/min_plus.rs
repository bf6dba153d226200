//! Provides [`lower_by`] and [`lower_chunks`]: find the lesser of many costs at once, in as many lanes
//! as the processor has.
//!
//! The loops are plain. They are compiled for several kinds of processors, and `pulp` tells at run time
//! which kind this one is. What runs in them has to be inlined, or it is compiled for the oldest kind.

use pulp::{Arch, NullaryFnOnce};

/// Costs that are lowered at once: no row is left with a rest.
pub(crate) type Chunk = [u32; LANES];
pub(crate) const LANES: usize = 8;

/// Runs a task with all the lanes that the processor has.
#[inline(always)]
pub(crate) fn in_lanes<T: NullaryFnOnce>(task: T) -> T::Output {
    Arch::new().dispatch(task)
}

/// Lowers each cost to that of the way by a span: so much to it, and on from there.
#[inline]
pub(crate) fn lower_by(costs: &mut [u32], to: u32, from: &[u32]) {
    in_lanes(LowerBy { costs, to, from });
}

struct LowerBy<'a> {
    costs: &'a mut [u32],
    to: u32,
    from: &'a [u32],
}

impl NullaryFnOnce for LowerBy<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let LowerBy { costs, to, from } = self;
        for (cost, &from) in costs.iter_mut().zip(from) {
            *cost = (to + from).min(*cost);
        }
    }
}

/// Lowers the costs of rows to those of the ways by several spans.
#[inline(always)]
pub(crate) fn lower_chunks<const SOME: usize>(
    costs: &mut [Chunk],
    to: [u32; SOME],
    from: [&[Chunk]; SOME],
) {
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
