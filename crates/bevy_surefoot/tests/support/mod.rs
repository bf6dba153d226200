//! Headless apps and small grids for the tests.
#![allow(dead_code)]

use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets, Handle};
use bevy_ecs::entity::Entity;
use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::{Agent, Cell, GridFrame, NavGrid};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

/// Time of a fixed update [s].
pub const DT: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// An app without a window, in which every update is one fixed update.
pub fn app() -> App {
    app_and(|_| {})
}

/// An app whose assets are in a folder.
pub fn app_in(folder: &std::path::Path) -> App {
    let file_path = folder.to_string_lossy().into_owned();
    app_with(AssetPlugin { file_path, ..AssetPlugin::default() }, |_| {})
}

/// An app with more plugins.
pub fn app_and(add: impl FnOnce(&mut App)) -> App {
    app_with(AssetPlugin::default(), add)
}

fn app_with(assets: AssetPlugin, add: impl FnOnce(&mut App)) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, assets));
    app.insert_resource(Time::<Fixed>::from_duration(DT));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.add_plugins(SurefootPlugin);
    add(&mut app);
    app.finish();
    app.cleanup();
    // The clock starts with the first update.
    app.update();
    app
}

/// Level ground of so many metres from side to side, in cells of half a metre.
pub fn plain(side: u32) -> NavGrid {
    plain_for(side, &[Agent::new("human")])
}

pub fn plain_for(side: u32, agents: &[Agent]) -> NavGrid {
    let cells = 2 * side;
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: cells, size_z: cells };
    NavGrid::from_heights(frame, &vec![0.0; (cells * cells) as usize], agents)
        .expect("sound heights")
}

/// Hills of 4 m with a pond in the middle, 30 m from side to side.
pub fn hills() -> NavGrid {
    const SIDE: u32 = 60;
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(0, 0), size_x: SIDE, size_z: SIDE };
    let height = |at: u32| {
        let (x, z) = ((at % SIDE) as f32 / 8.0, (at / SIDE) as f32 / 8.0);
        let pond = (at % SIDE).abs_diff(30) < 6 && (at / SIDE).abs_diff(25) < 9;
        if pond { f32::NAN } else { 2.0 * (x.sin() + z.cos()) }
    };
    let heights: Vec<f32> = (0..SIDE * SIDE).map(height).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("sound heights")
}

pub fn add_grid(app: &mut App, grid: NavGrid) -> Handle<NavGridAsset> {
    app.world_mut().resource_mut::<Assets<NavGridAsset>>().add(NavGridAsset::from(grid))
}

/// Adds a world on a grid.
pub fn add_world(app: &mut App, grid: NavGrid) -> Entity {
    let grid = add_grid(app, grid);
    app.world_mut().spawn(NavWorld::new(grid)).id()
}

pub fn add_agent(app: &mut App, at: Vec3) -> Entity {
    let agent = NavAgent { turns: false, ..NavAgent::new("human") };
    app.world_mut().spawn((agent, Transform::from_translation(at))).id()
}

pub fn update(app: &mut App, times: usize) {
    (0..times).for_each(|_| app.update());
}

pub fn status(app: &App, agent: Entity) -> NavStatus {
    app.world().get::<NavStatus>(agent).expect("an agent").clone()
}

pub fn place(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).expect("it is somewhere").translation
}
