//! Splits the cells of a bake into tiles.

use surefoot::grid::{Cell, GridFrame};

/// Tiles per thread, if there are several: enough that no thread waits long for the last of
/// another.
const TILES_PER_THREAD: usize = 8;
/// Least side of a tile [cells]: smaller tiles repeat too much of their neighbors' work in the
/// rings around them.
const MIN_TILE_SIDE: u32 = 32;

/// Splits a frame into tiles for a number of threads, row by row, with sides of at most `max_side`
/// cells. The tiles are as equal as possible, so that threads end together.
pub(super) fn split_tiles(work: &GridFrame, max_side: u32, threads: usize) -> Vec<GridFrame> {
    let &GridFrame { min, size_x, size_z, cell_size } = work;
    let side = side(work.cells(), max_side, threads);
    let strips = |size: u32| {
        let count = size.div_ceil(side).max(1);
        let width = size.div_ceil(count).max(1);
        (0..size).step_by(width as usize).map(move |start| (start, width.min(size - start)))
    };
    let tile = |(x, size_x): (u32, u32), (z, size_z): (u32, u32)| {
        let min = Cell::new(min.x + x as i32, min.z + z as i32);
        GridFrame { cell_size, min, size_x, size_z }
    };
    strips(size_z).flat_map(|z| strips(size_x).map(move |x| tile(x, z))).collect()
}

/// Returns the most cells along the side of a tile.
fn side(cells: usize, max_side: u32, threads: usize) -> u32 {
    if threads == 1 {
        return max_side;
    }
    let wanted = (cells as f64 / (TILES_PER_THREAD * threads) as f64).sqrt() as u32;
    wanted.clamp(MIN_TILE_SIDE.min(max_side), max_side)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(size: [u32; 2], max_side: u32, threads: usize) -> Vec<GridFrame> {
        let [size_x, size_z] = size;
        let work = GridFrame { cell_size: 0.25, min: Cell::new(-7, 3), size_x, size_z };
        split_tiles(&work, max_side, threads)
    }

    #[test]
    fn every_cell_is_in_one_tile() {
        for (size, max_side, threads) in
            [([1, 1], 64, 8), ([150, 155], 64, 2), ([65, 3], 64, 1), ([333, 97], 8, 3)]
        {
            let mut seen = vec![0; (size[0] * size[1]) as usize];
            for tile in split(size, max_side, threads) {
                assert!(tile.size_x <= max_side && tile.size_z <= max_side, "{tile:?}");
                for at in 0..tile.cells() {
                    let cell = tile.cell(at);
                    seen[((cell.z - 3) as u32 * size[0]) as usize + (cell.x + 7) as usize] += 1;
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{size:?}");
        }
    }

    #[test]
    fn small_levels_have_enough_tiles_for_all_threads() {
        assert_eq!(split([150, 155], 64, 1).len(), 9);
        assert_eq!(split([150, 155], 64, 2).len(), 20);
        // But no tiny tiles, and no more tiles for large levels.
        assert_eq!(split([60, 60], 64, 16).len(), 4);
        assert_eq!(split([640, 640], 64, 2).len(), 100);
        assert_eq!(split([160, 160], 8, 2).len(), 400);
    }
}
