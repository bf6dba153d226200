//! The laws of prepared routes, held on thousands of seeded random grids: whoever follows them pays
//! what the plainest search would have found.
//!
//! Random grids are small, so that they are taken apart more finely than real ones are.

mod change_laws;
mod limits;
mod order_laws;
mod route_laws;

use crate::tests::search::random::Random;

use crate::cch::parameters::Grain;

/// Districts within districts even of a few dozen spans.
fn random_grain(random: &mut Random) -> Grain {
    Grain {
        small: random.pick(&[1, 2, 5, 12]),
        block: random.pick(&[0, 1, 6, 20, 60]),
        open_block: random.pick(&[0, 30, 90]),
        levels: random.pick(&[1, 2, 4]),
        few: random.pick(&[0, 4, 1000]),
        worth_threads: random.pick(&[2, 50, 1 << 14]),
    }
}
