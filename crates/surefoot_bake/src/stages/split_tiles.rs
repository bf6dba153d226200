//! Tiling: how the cells of a bake are cut into tiles.

use surefoot::grid::{Cell, GridFrame};

/// Tiles to each thread, where there are several: enough that none waits long for another's last.
const TILES_A_THREAD: usize = 8;
/// Smaller tiles do too much of their neighbors' work again, in the rings round them [cells].
const LEAST_SIDE: u32 = 32;

/// The rectangles of cells that so many threads work on one by one, row by row, none longer than
/// `most` cells. They are as alike as can be: threads end together.
pub(super) fn tiles(work: &GridFrame, most: u32, threads: usize) -> Vec<GridFrame> {
    let &GridFrame { min, size_x, size_z, cell_size } = work;
    let side = side(work.cells(), most, threads);
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

/// Most cells along the side of a tile.
fn side(cells: usize, most: u32, threads: usize) -> u32 {
    if threads == 1 {
        return most;
    }
    let wanted = (cells as f64 / (TILES_A_THREAD * threads) as f64).sqrt() as u32;
    wanted.clamp(LEAST_SIDE.min(most), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(size: [u32; 2], most: u32, threads: usize) -> Vec<GridFrame> {
        let [size_x, size_z] = size;
        let work = GridFrame { cell_size: 0.25, min: Cell::new(-7, 3), size_x, size_z };
        tiles(&work, most, threads)
    }

    #[test]
    fn every_cell_is_in_one_tile() {
        for (size, most, threads) in
            [([1, 1], 64, 8), ([150, 155], 64, 2), ([65, 3], 64, 1), ([333, 97], 8, 3)]
        {
            let mut seen = vec![0; (size[0] * size[1]) as usize];
            for tile in cut(size, most, threads) {
                assert!(tile.size_x <= most && tile.size_z <= most, "{tile:?}");
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
        assert_eq!(cut([150, 155], 64, 1).len(), 9);
        assert_eq!(cut([150, 155], 64, 2).len(), 20);
        // Not at any price, and not for large levels.
        assert_eq!(cut([60, 60], 64, 16).len(), 4);
        assert_eq!(cut([640, 640], 64, 2).len(), 100);
        assert_eq!(cut([160, 160], 8, 2).len(), 400);
    }
}
