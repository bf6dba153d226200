//! The step of the crowds.

use bevy_ecs::query::With;
use bevy_ecs::system::{Query, Res};
use bevy_time::Time;

use crate::nav_world::{NavCrowd, NavWorld};

/// Moves the members of all crowds.
pub(crate) fn step_crowds(mut crowds: Query<&mut NavCrowd, With<NavWorld>>, time: Res<Time>) {
    for mut nav_crowd in &mut crowds {
        if let Some(crowd) = &mut nav_crowd.crowd {
            crowd.step(time.delta_secs());
        }
    }
}
