//! Bakes the meshes of a level while the program runs, and bakes again what a falling wall has changed.
//!
//! `cargo run --example e02_bake_from_meshes --features mesh` ends by itself and opens no window.

use bevy_app::{App, Startup, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetPlugin, Assets};
use bevy_ecs::component::Component;
use bevy_ecs::message::Messages;
use bevy_ecs::query::With;
use bevy_ecs::system::{Commands, ResMut};
use bevy_math::Vec3;
use bevy_math::primitives::Cuboid;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::Agent;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

const GOAL: Vec3 = Vec3::new(6.0, 0.0, -6.0);

#[derive(Component)]
struct Wall;

fn setup(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>) {
    let settings = BakeSettings { agents: vec![Agent::new("human")], ..BakeSettings::default() };
    commands.spawn(NavBake::new(settings));
    let ground = Mesh3d(meshes.add(Cuboid::new(48.0, 1.0, 16.0)));
    commands.spawn((ground, NavSource::default(), Transform::from_xyz(0.0, -0.5, 0.0)));
    let wall = Mesh3d(meshes.add(Cuboid::new(0.5, 3.0, 16.0)));
    commands.spawn((Wall, wall, NavSource::default(), Transform::from_xyz(0.0, 1.5, 0.0)));
    let start = Transform::from_xyz(-6.0, 0.0, -6.0);
    commands.spawn((NavAgent::new("human"), NavTarget::Point(GOAL), start));
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.add_plugins((AssetPlugin::default(), SurefootPlugin)).init_asset::<Mesh>();
    app.add_systems(Startup, setup);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));

    let mut agents = app.world_mut().query::<(&NavStatus, &Transform)>();
    let mut walls = app.world_mut().query_filtered::<bevy_ecs::entity::Entity, With<Wall>>();
    let (mut bakes, mut was_cut_off) = (0, false);
    for _ in 0..20_000 {
        app.update();
        for baked in app.world_mut().resource_mut::<Messages<NavBaked>>().drain() {
            bakes += 1;
            println!("cast {} of {} cells", baked.cells_baked, baked.cells);
        }
        match agents.single(app.world()).expect("one agent") {
            (NavStatus::Partial { reason, gap }, _) if !was_cut_off => {
                println!("{gap:.1} m are missing: {reason}; the wall falls");
                was_cut_off = true;
                let wall = walls.single(app.world()).expect("one wall");
                app.world_mut().entity_mut(wall).despawn();
            }
            (NavStatus::Arrived, at) => {
                assert!(was_cut_off && bakes == 2, "{bakes} bakes");
                assert!(at.translation.distance(GOAL) < 0.05);
                println!("it has arrived");
                return;
            }
            _ => {}
        }
        // Bakes run on other threads.
        std::thread::yield_now();
    }
    panic!("it did not arrive: {:?}", agents.single(app.world()));
}
