//! Provides [`Grain`]: how finely ground is taken apart, and how much is kept of it.

/// Sizes in spans. They decide how fast queries and changes are and how much memory is taken, never
/// what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grain {
    /// Districts of no more spans are not taken apart.
    pub small: usize,
    /// Districts of no more spans are searched by queries; of what is within them nothing is kept.
    pub block: u32,
    /// Of so many levels of larger districts the ways through one are kept; the others follow from
    /// them.
    pub levels: u8,
    /// The ways through districts of more spans are all kept: there are few, and dear to work out.
    pub large: u32,
    /// Districts of fewer spans are left to one thread.
    pub worth_threads: usize,
}

impl Grain {
    /// What measured best.
    pub(super) const USUAL: Grain =
        Grain { small: 64, block: 128, levels: 4, large: 4096, worth_threads: 1 << 14 };
}
