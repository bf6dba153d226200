//! Baking while the program runs: from meshes, colliders or triangles, whole at first, and by box when
//! something changes.
//!
//! ```text
//! NavSource + geometry ─► BakeJob ─► another thread ─► NavGridAsset ─► the crowd goes on to it
//! ```
//!
//! The main thread copies triangles of what is new; everything else happens in Bevy's
//! `AsyncComputeTaskPool`. A job at a time: what changes meanwhile goes into the next one.

mod components;
mod geometry;
mod job;
mod known;
mod level;
mod scan;
mod shapes;

pub use components::{
    NavBake, NavBakeReport, NavBakeStatus, NavBaked, NavSource, NavSourceFault, NavTriangles,
};
pub use surefoot_bake::BakeSettings;
pub use surefoot_bake::scene::LinkMarker;

use bevy_app::{App, FixedUpdate};
use bevy_ecs::schedule::IntoScheduleConfigs;

use crate::schedule::SurefootSystems;

pub(crate) fn build(app: &mut App) {
    app.add_message::<NavBaked>();
    app.register_required_components::<NavBake, level::BakedSources>();
    app.add_observer(level::forget);
    let bake = level::bake_levels.in_set(SurefootSystems::Bake);
    app.add_systems(FixedUpdate, bake.after(shapes::ShapeChanges));
    shapes::build(app);
}
