//! Characters that avian moves: baked from colliders, led by `NavVelocity`, around a wall and up a step.
//!
//! `cargo run --example e03_avian_character --features avian` ends by itself and opens no window.

use avian3d::prelude::{
    Collider, MoveAndSlide, MoveAndSlideConfig, MoveAndSlideHitResponse, PhysicsPlugins, RigidBody,
    SpatialQuery, SpatialQueryFilter,
};
use bevy_app::{App, FixedUpdate, Startup, TaskPoolPlugin};
use bevy_asset::AssetPlugin;
use bevy_ecs::entity::Entity;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Commands, Query, Res};
use bevy_math::{Dir3, Vec3};
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::Agent;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

/// The capsules float as high as their agent climbs, so that steps pass below them [m].
const FLOAT: f32 = 0.4;
/// Half the height of a capsule from end to end: it floats under 1.8 m [m].
const HALF: f32 = 0.5 * (1.8 - FLOAT);
const RADIUS: f32 = 0.3;
/// From the feet to the middle of the capsule [m].
const MIDDLE: f32 = FLOAT + HALF;

fn setup(mut commands: Commands) {
    let settings = BakeSettings { agents: vec![Agent::new("human")], ..BakeSettings::default() };
    // The first fixed update waits for the grid, so that every run is the same.
    commands.spawn(NavBake { in_background: false, ..NavBake::new(settings) });
    let blocks = [
        (Vec3::new(16.0, 1.0, 16.0), Vec3::new(0.0, -0.5, 0.0)),
        // A wall with a way around it, and a platform of one step behind that.
        (Vec3::new(0.5, 3.0, 12.0), Vec3::new(0.0, 1.5, -2.0)),
        (Vec3::new(4.0, 0.3, 16.0), Vec3::new(6.0, 0.15, 0.0)),
    ];
    for (size, at) in blocks {
        let collider = Collider::cuboid(size.x, size.y, size.z);
        let at = Transform::from_translation(at);
        commands.spawn((RigidBody::Static, collider, NavSource::default(), at));
    }
    for number in 0..6 {
        let feet = Vec3::new(-6.5 + 1.2 * number as f32, 0.0, -6.0);
        let feet = Vec3::new(feet.x.min(-1.0), 0.0, feet.z + 1.2 * (number % 3) as f32);
        commands.spawn((
            NavAgent::new("human"),
            NavTarget::Point(Vec3::new(6.0, 0.3, -6.0 + 1.2 * number as f32)),
            NavMovement::Controller,
            NavOffset(Vec3::Y * MIDDLE),
            RigidBody::Kinematic,
            Collider::capsule(RADIUS, 2.0 * (HALF - RADIUS)),
            Transform::from_translation(feet + Vec3::Y * MIDDLE),
        ));
    }
}

/// Moves the capsules by the velocities that they should have, and keeps them afloat.
fn control(
    mut bodies: Query<(Entity, &Collider, &NavVelocity, &mut Transform)>,
    slide: MoveAndSlide,
    rays: SpatialQuery,
    time: Res<Time>,
) {
    for (entity, collider, velocity, mut at) in &mut bodies {
        let filter = SpatialQueryFilter::from_excluded_entities([entity]);
        let level = Vec3::new(velocity.0.x, 0.0, velocity.0.z);
        let moved = slide.move_and_slide(
            collider,
            at.translation,
            at.rotation,
            level,
            time.delta(),
            &MoveAndSlideConfig::default(),
            &filter,
            |_| MoveAndSlideHitResponse::Accept,
        );
        at.translation = moved.position;
        let down = rays.cast_ray(at.translation, Dir3::NEG_Y, 2.0 * MIDDLE, true, &filter);
        if let Some(ground) = down {
            at.translation.y += MIDDLE - ground.distance;
        }
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.add_plugins((AssetPlugin::default(), PhysicsPlugins::default(), SurefootPlugin));
    app.add_systems(Startup, setup);
    app.add_systems(FixedUpdate, control.after(SurefootSystems::Write));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();

    let mut agents = app.world_mut().query::<(&NavStatus, &Transform)>();
    for update in 0..1800 {
        app.update();
        let all: Vec<_> = agents.iter(app.world()).collect();
        let places: Vec<Vec3> = all.iter().map(|(_, at)| at.translation).collect();
        let is_inside_wall = |at: &Vec3| at.x.abs() < 0.25 + 0.9 * RADIUS && at.z < 4.0;
        assert!(!places.iter().any(is_inside_wall), "{places:?}");
        if all.iter().all(|(status, _)| **status == NavStatus::Arrived) && !all.is_empty() {
            let heights = places.iter().map(|at| at.y - MIDDLE);
            assert!(heights.clone().all(|height| (height - 0.3).abs() < 0.05), "on the platform");
            println!("{} characters arrived after {update} updates", all.len());
            return;
        }
    }
    panic!("some are late: {:?}", agents.iter(app.world()).collect::<Vec<_>>());
}
