//! How much memory a bake will take, told before it begins.
//!
//! A cell takes a few bytes, each floor over it many: how many floors there are is counted in some
//! columns all over the level.

use rayon::prelude::*;

use super::BakeError;
use super::floors::Floors;
use super::settings::Plan;
use crate::casts::{Caster, TileCaster, World};
use surefoot::grid::{Area, Cell, GridFrame};

/// Refuses a bake that would take more memory than allowed [bytes], given the kinds of ground.
pub(super) fn check_memory<C: Caster>(
    (world, caster): (&World, &C),
    (plan, areas): (&Plan, &[Area]),
    limit: u64,
) -> Result<(), BakeError> {
    let GridFrame { cell_size, size_x, size_z, .. } = plan.work;
    let cells = u64::from(size_x) * u64::from(size_z);
    let a_span = BYTES_A_SPAN + BYTES_AN_AGENT * plan.agents.len() as u64;
    let bytes = |spans: u64| {
        cells.saturating_mul(BYTES_A_CELL).saturating_add(spans.saturating_mul(a_span))
    };
    let too_large =
        |bytes| Err(BakeError::TooLarge { cells: [size_x, size_z], bytes, limit, cell_size });
    if cells > MOST_CELLS || bytes(0) > limit {
        return too_large(bytes(cells));
    }
    if bytes(cells.saturating_mul(MANY_FLOORS)) <= limit {
        return Ok(());
    }
    let spans = floors_a_cell((world, caster), (plan, areas)) * cells as f64;
    let bytes = bytes(spans as u64);
    if bytes > limit { too_large(bytes) } else { Ok(()) }
}

/// What a cell takes while baking, floors or none: the number of its spans and where they start.
const BYTES_A_CELL: u64 = 4 + 4;
/// What a span takes while baking: the span in its tile and in the whole, and what the allocator
/// keeps of the work on tiles. Measured on four levels of 0.8 to 2 floors a cell, with one to six
/// agents: the estimate is 0.9 to 1.5 times what is held at most over the loaded scene.
const BYTES_A_SPAN: u64 = 2 * 16 + 12;
/// What each agent adds to a span: its standing, twice as well, and where floors end.
const BYTES_AN_AGENT: u64 = 2 * 8 + 4;
/// Spans are counted in 32 bits; this leaves room for several layers.
const MOST_CELLS: u64 = 1 << 31;

/// No level has so many floors over a cell on average: where there is room for them, none are counted.
const MANY_FLOORS: u64 = 64;

/// The mean number of floors over a cell, by samples.
fn floors_a_cell<C: Caster>((world, caster): (&World, &C), (plan, areas): (&Plan, &[Area])) -> f64 {
    let cells = samples(&plan.work);
    let floors = |cell: &Cell| {
        let frame = GridFrame { min: *cell, size_x: 1, size_z: 1, ..plan.work };
        let columns = caster.tile(&frame, &plan.probes).columns();
        Floors::find(world, &columns, 1, areas).floors.len()
    };
    cells.par_iter().map(floors).sum::<usize>() as f64 / cells.len().max(1) as f64
}

/// The most samples along a side, and the least cells from one to the next.
const SAMPLES: u32 = 32;
const SPACING: u32 = 16;

/// Cells all over a frame, one in each of its equal parts; not in rows, which walls may follow.
fn samples(frame: &GridFrame) -> Vec<Cell> {
    let [across, along] = [frame.size_x, frame.size_z].map(parts);
    let place = |part: u32, (size, parts): (u32, u32), shift: u32| {
        let [start, end] = [part, part + 1]
            .map(|part| (u64::from(part) * u64::from(size) / u64::from(parts)) as u32);
        (start + SKIP.wrapping_mul(shift + 1) % (end - start).max(1)) as i32
    };
    let all = (0..along).flat_map(|z| (0..across).map(move |x| (x, z)));
    let cell = |(x, z): (u32, u32)| {
        let from_min = [place(x, (frame.size_x, across), z), place(z, (frame.size_z, along), x)];
        Cell::new(frame.min.x + from_min[0], frame.min.z + from_min[1])
    };
    all.map(cell).collect()
}

/// How many parts a side is cut into.
fn parts(size: u32) -> u32 {
    (size / SPACING).clamp(1, SAMPLES)
}

/// Cells by which each sample lies further than the one before, in parts of any width.
const SKIP: u32 = 2_654_435_769;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread_over_the_frame() {
        for [size_x, size_z] in [[1, 1], [15, 4000], [100, 33], [40_000, 30_000], [0, 5]] {
            let frame = GridFrame { cell_size: 0.5, min: Cell::new(-7, 9), size_x, size_z };
            let cells = samples(&frame);
            assert!((1..=1024).contains(&cells.len()));
            let inside = |cell: &&Cell| frame.index(**cell).is_some();
            let outside = if size_x == 0 { cells.len() } else { 0 };
            assert_eq!(cells.len() - cells.iter().filter(inside).count(), outside);
            let mut sorted = cells.clone();
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len(), cells.len());
        }
    }
}
