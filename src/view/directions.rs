//! Provides [`Directions`]: in how many directions an agent steps.

/// In how many directions an agent steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Directions {
    /// Only along x and z.
    Four,
    /// Diagonals too; they never cut a corner.
    #[default]
    Eight,
}

impl Directions {
    /// The connection codes that count, as bits of all eight.
    pub(crate) fn step_codes(self) -> u32 {
        match self {
            Directions::Four => 0x0F0F_0F0F,
            Directions::Eight => u32::MAX,
        }
    }
}
