//! The door: asks whatever finds the path soonest.

pub(crate) mod engine_choice;
pub(crate) mod field_cache;
pub(crate) mod router;
pub(crate) mod updater;

pub(crate) use field_cache::FieldCache;
pub use router::Router;
pub use updater::Update;
