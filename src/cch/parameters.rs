//! Provides [`Grain`]: how finely ground is taken apart, and how much is kept of it.

/// Sizes in spans. They decide how fast queries and changes are and how much memory is taken, never
/// what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grain {
    /// Districts of no more spans are not taken apart.
    pub small: usize,
    /// Districts of no more spans are searched by queries; of what is within them nothing is kept.
    pub block: u32,
    /// So are, on open ground, those of up to so many spans that have long borders: a front grows with
    /// the square of the border, and there is more to be saved.
    pub open_block: u32,
    /// Of so many levels of larger districts the ways through one are kept; the others follow from
    /// them.
    pub levels: u8,
    /// Wherever they are no more than this for each span, they are kept, too.
    pub few: usize,
    /// Districts of fewer spans are left to one thread.
    pub worth_threads: usize,
}

impl Grain {
    /// What measured best.
    pub(crate) const USUAL: Grain =
        Grain { small: 64, block: 64, open_block: 512, levels: 3, few: 6, worth_threads: 1 << 14 };

    /// Whether a district of so many spans with such a border is a block, on open ground or not.
    pub(crate) fn makes_block(&self, (spans, border): (u32, usize), is_open: bool) -> bool {
        let is_long = border * border > LONG * spans as usize;
        spans <= self.block || is_open && is_long && spans <= self.open_block
    }
}

/// Whether ground of so many spans is open as a whole: it does not come apart but by wide cuts. In
/// levels, whose rooms have doors, fronts are narrower.
pub(crate) fn is_open(spans: usize, widest_front: usize) -> bool {
    widest_front * widest_front > spans
}

/// The square of a long border is more than so many times the spans within: around a square it is 16
/// times.
const LONG: usize = 13;
