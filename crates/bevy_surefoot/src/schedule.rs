//! Provides [`SurefootSystems`]: the order of the plugin's systems.

use bevy_ecs::schedule::SystemSet;

/// The steps of the plugin, one after the other, in `FixedUpdate`.
///
/// What the program changes before `Read` has its effect in the same fixed update; so whoever sets targets
/// or moves bodies in `FixedUpdate` does it before `Read`, and whoever uses
/// [`NavVelocity`](crate::NavVelocity) after `Write`. What is changed in `Update` is seen by the first fixed
/// update of the next frame, because Bevy runs those first.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SurefootSystems {
    /// Begins bakes, looks at what their geometry has become, and takes over grids that are done.
    Bake,
    /// Reads grids, obstacles, link switches, bodies and targets.
    Read,
    /// Steps the crowds.
    Step,
    /// Moves bodies, and writes velocities, grounds, states and messages.
    Write,
}
