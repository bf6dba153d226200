//! Lines over the ground near the cameras, and what agents do: to look at a level while it runs.

mod chunk_lines;
mod draw;

pub use draw::{NavGizmoGroup, NavGizmos, NavGroundLines};

use bevy_app::{App, Plugin, PostUpdate};
use bevy_gizmos::AppGizmoBuilder;

/// Draws walkable ground and agents as [`NavGizmos`] says, in `PostUpdate`. Add it after `GizmoPlugin`,
/// which `DefaultPlugins` has.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurefootGizmosPlugin;

impl Plugin for SurefootGizmosPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<NavGizmoGroup>().init_resource::<NavGizmos>();
        app.register_type::<NavGizmos>();
        app.add_systems(PostUpdate, (draw::draw_ground, draw::draw_agents));
    }
}
