//! Draws ground and agents.

use bevy_camera::Camera;
use bevy_color::Color;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::With;
use bevy_ecs::reflect::ReflectResource;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Local, Query, Res, SystemParam};
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::{Isometry3d, Quat, Vec3};
use bevy_reflect::Reflect;
use bevy_reflect::prelude::ReflectDefault;
use bevy_transform::components::GlobalTransform;
use surefoot::crowd::Member;
use surefoot::debug::DebugColor;
use surefoot::{AgentId, Crowd, Verdict};

use super::chunk_lines::{ChunkLines, LIFT};
use crate::convert::{vec3_along, vec3_at};
use crate::nav_world::{NavCrowd, NavWorld};

/// The gizmos of this plugin, for `GizmoConfigStore`: how wide lines are, and whether they hide behind
/// things.
#[derive(Clone, Copy, Debug, Default, Reflect, GizmoConfigGroup)]
#[reflect(Default)]
pub struct NavGizmoGroup;

/// What is drawn.
#[derive(Resource, Clone, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default)]
pub struct NavGizmos {
    /// The ground of an agent.
    pub ground: NavGroundLines,
    /// Whose ground, by name; `None` for the first agent of the grid.
    pub agent: Option<String>,
    /// Whether the bodies of agents are drawn, with their velocities and the waypoints ahead of them.
    pub agents: bool,
    /// Only what is within this distance of a camera is drawn [m].
    pub distance: f32,
}

impl Default for NavGizmos {
    fn default() -> Self {
        NavGizmos { ground: NavGroundLines::Edges, agent: None, agents: true, distance: 30.0 }
    }
}

/// Which lines are drawn over the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Default)]
pub enum NavGroundLines {
    /// None.
    None,
    /// Where walkable ground ends.
    #[default]
    Edges,
    /// The sides of all walkable cells.
    Cells,
}

/// Who looks, at what, and what of it is drawn.
#[derive(SystemParam)]
pub(crate) struct Looking<'w, 's> {
    cameras: Query<'w, 's, (&'static Camera, &'static GlobalTransform)>,
    crowds: Query<'w, 's, (Entity, &'static NavCrowd), With<NavWorld>>,
    settings: Res<'w, NavGizmos>,
}

impl Looking<'_, '_> {
    /// Where the cameras that are on are [m].
    fn eyes(&self) -> impl Iterator<Item = Vec3> {
        let on = self.cameras.iter().filter(|(camera, _)| camera.is_active);
        on.map(|(_, at)| at.translation()).filter(|at| at.is_finite())
    }
}

/// The lines of a world that are kept.
#[derive(Debug)]
pub(crate) struct WorldLines {
    of: LinesOf,
    lines: ChunkLines,
}

/// What lines are made from; they are made again once something of this is different.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LinesOf {
    world: Entity,
    grids: u64,
    /// The version of the overlay.
    version: u64,
    ground: NavGroundLines,
    agent: AgentId,
}

/// Draws the ground near the cameras.
pub(crate) fn draw_ground(
    looking: Looking,
    mut kept: Local<Vec<WorldLines>>,
    mut gizmos: Gizmos<NavGizmoGroup>,
) {
    let NavGizmos { ground, ref agent, distance, .. } = *looking.settings;
    kept.retain(|own| looking.crowds.contains(own.of.world));
    if ground == NavGroundLines::None {
        return;
    }
    for (world, nav_crowd) in &looking.crowds {
        let Some(crowd) = nav_crowd.crowd() else { continue };
        let named = agent.as_ref().map(|name| crowd.grid().agent_id(name.as_str()));
        let Ok(agent) = named.unwrap_or(Ok(AgentId(0))) else { continue };
        let Some(view) = crowd.view(agent) else { continue };
        let (grids, version) = (nav_crowd.counts.grids, crowd.overlay().version());
        let of = LinesOf { world, grids, version, ground, agent };
        let lines = lines_of(&mut kept, of);
        for eye in looking.eyes() {
            for chunk in ChunkLines::near(view.grid().frame(), eye, distance) {
                for &[from, to] in lines.chunk(chunk, view, ground) {
                    gizmos.line(from, to, color(DebugColor::Verdict(Verdict::Walkable)));
                }
            }
        }
    }
}

/// The lines that are kept of a world, or none yet if they are out of date.
fn lines_of(kept: &mut Vec<WorldLines>, of: LinesOf) -> &mut ChunkLines {
    let known = kept.iter().position(|own| own.of.world == of.world);
    let at = known.unwrap_or_else(|| {
        kept.push(WorldLines { of, lines: ChunkLines::default() });
        kept.len() - 1
    });
    let own = &mut kept[at];
    if own.of != of {
        own.of = of;
        own.lines.clear();
    }
    &mut own.lines
}

/// Draws the agents near the cameras: their bodies, where they go within a second, and the waypoints ahead.
pub(crate) fn draw_agents(looking: Looking, mut gizmos: Gizmos<NavGizmoGroup>) {
    if !looking.settings.agents {
        return;
    }
    let distance = looking.settings.distance;
    for (_, nav_crowd) in &looking.crowds {
        let Some(crowd) = nav_crowd.crowd() else { continue };
        for member in crowd.members() {
            let at = vec3_at(member.position());
            if looking.eyes().any(|eye| eye.distance(at) <= distance) {
                draw_member(member, crowd, &mut gizmos);
            }
        }
    }
}

fn draw_member(member: &Member, crowd: &Crowd, gizmos: &mut Gizmos<NavGizmoGroup>) {
    let feet = vec3_at(member.position()) + LIFT * Vec3::Y;
    let layer = crowd.grid().layers().get(member.agent().index());
    let radius = layer.map_or(0.0, |layer| layer.agent.radius);
    let level = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    gizmos.circle(Isometry3d::new(feet, level), radius, color(DebugColor::Body));
    gizmos.line(feet, feet + vec3_along(member.velocity()), color(DebugColor::Velocity));
    let ahead = member.waypoints().iter().map(|waypoint| vec3_at(waypoint.point) + LIFT * Vec3::Y);
    gizmos.linestrip(std::iter::once(feet).chain(ahead), color(DebugColor::Ahead));
}

fn color(of: DebugColor) -> Color {
    let [red, green, blue] = of.rgb();
    Color::srgb_u8(red, green, blue)
}
