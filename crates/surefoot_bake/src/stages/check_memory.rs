//! Estimates the memory that a bake will take, and refuses it if that is too much.
//!
//! A cell takes a few bytes, each floor over it many, and so does what is cast against. The number of floors is
//! sampled in columns all over the level. [`MemoryWatch`](super::memory_watch::MemoryWatch) counts what samples miss.

use rayon::prelude::*;

use super::observer::BakeObserver;
use super::plan::BakePlan;
use super::tile::find_floors::Floors;
use super::{BakeError, BakeSettings};
use crate::casts::{Caster, TileCaster, WorldSize};
use crate::scene::Scene;
use surefoot::grid::{Cell, GridFrame};
use surefoot::observer::check_cancelled;

/// Checks that a bake takes no more memory than allowed. Tells the observer the estimate [bytes], if it is
/// worth saying.
///
/// # Errors
/// Fails if the estimate is above the limit, or the observer cancels the bake.
pub(super) fn check_memory<C: Caster>(
    caster: &C,
    plan: &BakePlan,
    observer: &dyn BakeObserver,
) -> Result<(), BakeError> {
    let cells = plan.work.cells() as u64;
    if cells > MAX_CELLS || bytes_of_bake(plan, 0) > plan.memory_limit {
        return Err(too_large(plan, bytes_of_bake(plan, cells)));
    }
    // Nothing has to be sampled if there is memory for every surface over every cell.
    let most = cells.saturating_mul(caster.world().surfaces());
    if bytes_of_bake(plan, most) <= plan.memory_limit.min(MUCH_MEMORY) {
        return Ok(());
    }
    let floors = floors_per_cell(caster, plan, observer) * cells as f64;
    check_cancelled(observer)?;
    check_known_memory(plan, floors as u64, observer)
}

/// Does the same for a level whose number of spans is known.
///
/// # Errors
/// Fails if the estimate is above the limit.
pub(super) fn check_known_memory(
    plan: &BakePlan,
    spans: u64,
    observer: &dyn BakeObserver,
) -> Result<(), BakeError> {
    let bytes = bytes_of_bake(plan, spans);
    if bytes > plan.memory_limit {
        return Err(too_large(plan, bytes));
    }
    if bytes > MUCH_MEMORY {
        observer.memory_estimated(bytes);
    }
    Ok(())
}

/// Checks that the colliders of a scene alone take no more memory than allowed.
///
/// # Errors
/// Fails if they are estimated to take more.
pub(super) fn check_colliders(scene: &Scene, settings: &BakeSettings) -> Result<(), BakeError> {
    let WorldSize { colliders, triangles, bytes } = WorldSize::of(scene);
    let limit = settings.memory_limit;
    match bytes > limit {
        true => Err(BakeError::TooManyColliders { colliders, triangles, bytes, limit }),
        false => Ok(()),
    }
}

/// Returns how much a bake of a number of spans takes, with what it casts against [bytes].
pub(super) fn bytes_of_bake(plan: &BakePlan, spans: u64) -> u64 {
    let bytes_per_span = BYTES_PER_SPAN + BYTES_PER_AGENT * plan.agents.len() as u64;
    let of_cells = (plan.work.cells() as u64).saturating_mul(BYTES_PER_CELL);
    let of_spans = spans.saturating_mul(bytes_per_span);
    of_cells.saturating_add(of_spans).saturating_add(plan.collider_bytes)
}

fn too_large(plan: &BakePlan, bytes: u64) -> BakeError {
    let GridFrame { cell_size, size_x, size_z, .. } = plan.work;
    BakeError::TooLarge { cells: [size_x, size_z], bytes, limit: plan.memory_limit, cell_size }
}

/// Bytes per cell while baking, without floors: the number of its spans and where they start.
const BYTES_PER_CELL: u64 = 4 + 4;
/// Bytes per span while baking: the span in its tile and in the grid, and what the allocator keeps
/// of the work on tiles. Measured on four levels of 0.8 to 2 floors a cell, with one to six agents:
/// the estimate is 0.9 to 1.5 times what is held at most over the loaded scene.
const BYTES_PER_SPAN: u64 = 2 * 16 + 12;
/// Bytes that each agent adds to a span: its standing, twice as well, and where floors end.
const BYTES_PER_AGENT: u64 = 2 * 8 + 4;
/// Spans are counted in 32 bits; this leaves room for several layers.
const MAX_CELLS: u64 = 1 << 31;

/// Memory that users want to know of before a bake takes it [bytes].
const MUCH_MEMORY: u64 = 1 << 30;

/// Returns the mean number of floors over a cell, by samples; anything once the bake is cancelled.
fn floors_per_cell<C: Caster>(caster: &C, plan: &BakePlan, observer: &dyn BakeObserver) -> f64 {
    let cells = sample_cells(&plan.work);
    let goes_on = |_| !observer.is_cancelled();
    let floors = |cell: &Cell| {
        let frame = GridFrame { min: *cell, size_x: 1, size_z: 1, ..plan.work };
        let columns = caster.tile(&frame, &plan.probes).columns(&goes_on);
        Floors::find(caster.world(), &columns, 1, &plan.areas).floors.len()
    };
    cells.par_iter().map(floors).sum::<usize>() as f64 / cells.len().max(1) as f64
}

/// The most samples along a side, and the least distance between them [cells].
const MAX_SAMPLES: u32 = 32;
const MIN_SPACING: u32 = 16;

/// Returns cells all over a frame, one in each of its equal strata; not in rows, which walls may
/// follow.
fn sample_cells(frame: &GridFrame) -> Vec<Cell> {
    let [across, along] = [frame.size_x, frame.size_z].map(strata);
    let place = |stratum: u32, (size, strata): (u32, u32), shift: u32| {
        let [start, end] = [stratum, stratum + 1]
            .map(|stratum| (u64::from(stratum) * u64::from(size) / u64::from(strata)) as u32);
        (start + SAMPLE_STRIDE.wrapping_mul(shift + 1) % (end - start).max(1)) as i32
    };
    let all = (0..along).flat_map(|z| (0..across).map(move |x| (x, z)));
    let cell = |(x, z): (u32, u32)| {
        let from_min = [place(x, (frame.size_x, across), z), place(z, (frame.size_z, along), x)];
        Cell::new(frame.min.x + from_min[0], frame.min.z + from_min[1])
    };
    all.map(cell).collect()
}

/// Returns how many strata a side is divided into.
fn strata(size: u32) -> u32 {
    (size / MIN_SPACING).clamp(1, MAX_SAMPLES)
}

/// By how much the samples' offsets in their strata differ from one to the next, modulo any width:
/// 2^32 over the golden ratio.
const SAMPLE_STRIDE: u32 = 2_654_435_769;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread_over_the_frame() {
        for [size_x, size_z] in [[1, 1], [15, 4000], [100, 33], [40_000, 30_000], [0, 5]] {
            let frame = GridFrame { cell_size: 0.5, min: Cell::new(-7, 9), size_x, size_z };
            let cells = sample_cells(&frame);
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
