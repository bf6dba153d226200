//! Inputs made from other inputs, by a seed.

use surefoot_testing::Random;

/// Numbers at which things change.
const INTERESTING: [u32; 16] = [
    0,
    1,
    2,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x7F80_0000,
    0x7FC0_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFF80_0000,
    0xFFFF_FFFE,
    0xFFFF_FFFF,
];
/// One input in so many is new, not made from others.
const FRESH: usize = 8;
/// The most mutations of an input.
const MOST_MUTATIONS: usize = 6;
/// The longest block that is copied, inserted or removed [bytes].
const LONGEST_BLOCK: usize = 64;

/// Makes inputs from a corpus; the same ones for the same seed.
#[derive(Debug)]
pub struct Mutator {
    corpus: Vec<Vec<u8>>,
    seed: u64,
    longest: usize,
}

impl Mutator {
    /// A mutator of a corpus, for inputs of at most `longest` bytes.
    pub fn new(corpus: Vec<Vec<u8>>, seed: u64, longest: usize) -> Self {
        Mutator { corpus, seed, longest }
    }

    /// An input by its number: first the corpus as it is, then what is made from it.
    pub fn input(&self, number: usize) -> Vec<u8> {
        if let Some(input) = self.corpus.get(number) {
            return input.clone();
        }
        let mut random = Random(self.seed ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        if self.corpus.is_empty() || random.below(FRESH) == 0 {
            let length = random.below(self.longest + 1);
            return (0..length).map(|_| random.next() as u8).collect();
        }
        let mut input = self.corpus[random.below(self.corpus.len())].clone();
        for _ in 0..=random.below(MOST_MUTATIONS) {
            self.mutate(&mut input, &mut random);
        }
        input.truncate(self.longest);
        input
    }

    fn mutate(&self, input: &mut Vec<u8>, random: &mut Random) {
        if input.is_empty() {
            input.push(random.next() as u8);
        }
        let at = random.below(input.len());
        match random.below(8) {
            0 => input[at] ^= 1 << random.below(8),
            1 => input[at] = random.next() as u8,
            2 => input[at] = input[at].wrapping_add(random.below(17) as u8).wrapping_sub(8),
            3 => overwrite(input, at, &INTERESTING[random.below(16)].to_le_bytes()),
            4 => {
                let other = &self.corpus[random.below(self.corpus.len())];
                let block = block(other, random).to_vec();
                input.splice(at..at, block);
            }
            5 => {
                let block = block(input, random).to_vec();
                overwrite(input, at, &block);
            }
            6 => {
                let end = input.len().min(at + 1 + random.below(LONGEST_BLOCK));
                input.drain(at..end);
            }
            _ => {
                let other = &self.corpus[random.below(self.corpus.len())];
                input.truncate(at);
                input.extend(other.get(at..).unwrap_or_default());
            }
        }
    }
}

/// A few bytes that follow each other.
fn block<'a>(bytes: &'a [u8], random: &mut Random) -> &'a [u8] {
    let start = random.below(bytes.len());
    let end = bytes.len().min(start + 1 + random.below(LONGEST_BLOCK));
    bytes.get(start..end).unwrap_or_default()
}

/// Writes bytes over others, as far as there are any.
fn overwrite(input: &mut [u8], at: usize, bytes: &[u8]) {
    for (old, new) in input[at..].iter_mut().zip(bytes) {
        *old = *new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_inputs() {
        let corpus = vec![b"one".to_vec(), b"another".to_vec(), Vec::new()];
        let [a, b, c] = [7, 7, 8].map(|seed| Mutator::new(corpus.clone(), seed, 100));
        let inputs = |mutator: &Mutator| (0..500).map(|at| mutator.input(at)).collect::<Vec<_>>();
        assert_eq!(inputs(&a), inputs(&b));
        assert_ne!(inputs(&a), inputs(&c));
        assert_eq!(inputs(&a)[..3], corpus);
        assert!(inputs(&a).iter().all(|input| input.len() <= 100));
    }
}
