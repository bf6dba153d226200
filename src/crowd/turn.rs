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
