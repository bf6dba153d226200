//! Why a level cannot be changed.

use crate::scene::SceneError;

/// Why a level cannot be changed so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// There is no such collider, or it was removed.
    #[error("there is no collider {0}; it may have been removed")]
    UnknownCollider(u32),
    /// The builder knows other areas than the level.
    #[error("the parts were built for other areas; begin with LiveBake::builder")]
    OtherAreas,
    /// The colliders are not sound.
    #[error(transparent)]
    Scene(#[from] SceneError),
}
