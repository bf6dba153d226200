//! Target `operations`: sequences of changes, queries and steps on a navigator and a crowd.
//!
//! Both walk on the same small level. Obstacles, costs and links change; routes are prepared and follow
//! the changes; members join, leave, are sent and put. After every operation the laws hold, and the
//! whole sequence gives the same answers and the same motion again, on one thread and on two.

mod levels;
mod operation;
mod world;

use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use rayon::{ThreadPool, ThreadPoolBuilder};

use levels::LEVELS;
use operation::Operation;
use world::World;

/// Operations beyond these are left out.
const MOST: usize = 48;

/// Carries out the operations that an input describes.
///
/// # Panics
/// A law does not hold.
pub fn run(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let Ok(level) = input.choose_index(LEVELS.len()) else { return };
    let agent = input.arbitrary().unwrap_or_default();
    let mut operations = Vec::new();
    while !input.is_empty()
        && operations.len() < MOST
        && let Ok(operation) = Operation::arbitrary(&mut input)
    {
        operations.push(operation);
    }
    let hashes = POOLS.each_ref().map(|pool| {
        pool.install(|| {
            let mut world = World::new(&LEVELS[level], agent);
            operations.iter().for_each(|operation| world.carry_out(operation));
            world.hash()
        })
    });
    assert_eq!(hashes[0], hashes[1], "one thread, and two");
}

static POOLS: LazyLock<[ThreadPool; 2]> = LazyLock::new(|| {
    [1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"))
});
