//! Provides [`Turn`]: what a member does about a narrow passage, as
//! [`OneWayControl`](super::one_way::OneWayControl) decides.

/// What a member does about the narrow passage ahead of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Turn {
    /// There is none.
    #[default]
    None,
    /// It waits for its turn.
    Waits {
        /// For how long [s].
        time: f32,
        stance: Stance,
    },
    /// It goes through.
    Passes {
        /// From here to the exit, along the path [m].
        left: f32,
    },
}

impl Turn {
    /// Whether the member stands in front of the passage, or walks back from its mouth.
    pub(crate) fn is_in_line(&self) -> bool {
        matches!(self, Turn::Waits { stance: Stance::Stands | Stance::BacksOff, .. })
    }

    /// Whether it walks back from the mouth.
    pub(crate) fn backs_off(&self) -> bool {
        matches!(self, Turn::Waits { stance: Stance::BacksOff, .. })
    }
}

/// What a member does while it waits for its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// It is not there yet, and walks on.
    Walks,
    /// It stands.
    Stands,
    /// Others have pushed it into the mouth, and it walks back.
    BacksOff,
}
