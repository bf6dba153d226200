//! Loads a grid and lets an agent walk over it.
//!
//! `cargo run --example e01_load_and_walk` ends by itself and opens no window: in a game, `DefaultPlugins`
//! take the place of the plugins here, and nobody counts updates.

use std::error::Error;

use bevy_app::{App, Startup, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer};
use bevy_ecs::message::MessageReader;
use bevy_ecs::system::{Commands, Res};
use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::NavGrid;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

const GOAL: Vec3 = Vec3::new(9.5, 0.0, 0.5);

fn setup(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(NavWorld::new(assets.load("yard.navgrid")));
    commands.spawn((
        NavAgent::new("human").with_speed(2.0),
        NavTarget::Point(GOAL),
        Transform::from_xyz(0.5, 0.0, 0.5),
    ));
}

fn greet(mut arrivals: MessageReader<AgentArrived>) {
    for arrival in arrivals.read() {
        println!("{} is there, at {}", arrival.agent, arrival.at);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // Usually the command `bake` writes the file. This yard of 10 by 5 m has a wall across it.
    let row =
        |is_open: bool| if is_open { "....................\n" } else { "..........@@........\n" };
    let rows: String = (0..10).map(|z| row(z > 7)).collect();
    let map = format!("type octile\nheight 10\nwidth 20\nmap\n{rows}");
    let folder = tempfile::tempdir()?;
    NavGrid::from_map(&map, 0.5, &[])?.save(folder.path().join("yard.navgrid"))?;

    let mut app = App::new();
    let file_path = folder.path().to_string_lossy().into_owned();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.add_plugins(AssetPlugin { file_path, ..AssetPlugin::default() });
    app.add_plugins(SurefootPlugin);
    app.add_systems(Startup, setup).add_systems(Update, greet);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));

    let mut agents = app.world_mut().query::<(&NavStatus, &Transform)>();
    for _ in 0..10_000 {
        app.update();
        if let Ok((NavStatus::Arrived, at)) = agents.single(app.world()) {
            assert!(at.translation.distance(GOAL) < 0.05);
            return Ok(());
        }
        // The file is read on another thread.
        std::thread::yield_now();
    }
    panic!("it did not arrive: {:?}", agents.single(app.world())?);
}
