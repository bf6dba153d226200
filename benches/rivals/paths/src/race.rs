//! Runs sides in turn, round by round, so that a busy second of the machine hits all alike.

use crate::random::Random;
use crate::sides::Side;

/// In each, every side finds every path once.
const ROUNDS: u64 = 9;

/// How long each of a side's queries took at least, by pair [µs].
pub type Times = Vec<f64>;

/// The least times of each side, all in the same order, another one each round.
pub fn run(sides: &mut [Box<dyn Side + '_>], pairs: usize) -> Vec<Times> {
    let mut least = vec![vec![f64::INFINITY; pairs]; sides.len()];
    let mut order: Vec<usize> = (0..pairs).collect();
    for round in 0..ROUNDS {
        Random(round).shuffle(&mut order);
        for (side, least) in sides.iter_mut().zip(&mut least) {
            for (least, time) in least.iter_mut().zip(side.run(&order)) {
                *least = least.min(time);
            }
        }
    }
    least
}
