//! Files of all versions so far: the old ones still load.

use surefoot::NavGrid;

use super::memory::load;
use super::{bytes_of, named_sample, prepared_sample};

/// Written by the first version: two agents, names, an area, settings and a link.
const VERSION_1: &[u8] = include_bytes!("fixtures/v1.navgrid");
/// Written by the second version: the same sections, and a route order for each agent.
const VERSION_2: &[u8] = include_bytes!("fixtures/v2.navgrid");

/// A grid without its route orders, which may differ once a better order is found.
fn without_orders(grid: NavGrid) -> NavGrid {
    let mut parts = grid.into_parts();
    parts.layers.iter_mut().for_each(|layer| layer.order = None);
    NavGrid::new(parts).expect("sound parts")
}

#[test]
fn version_1_still_loads() {
    assert_eq!(VERSION_1[8..12], [1, 0, 0, 0]);
    assert_eq!(load(VERSION_1).expect("it loads"), named_sample());
}

#[test]
fn version_2_still_loads() {
    assert_eq!(VERSION_2[8..12], [2, 0, 0, 0]);
    let grid = load(VERSION_2).expect("it loads");
    assert!(grid.layers().iter().all(|layer| layer.order.is_some()));
    assert_eq!(without_orders(grid), without_orders(prepared_sample()));
}

#[test]
fn old_files_are_saved_in_the_newest_version() {
    for (old, sample) in [(VERSION_1, named_sample()), (VERSION_2, prepared_sample())] {
        let grid = load(old).expect("it loads");
        let bytes = bytes_of(&grid);
        assert_eq!(bytes[8..12], bytes_of(&sample)[8..12]);
        assert_eq!(load(&bytes).expect("it loads"), grid);
    }
}
