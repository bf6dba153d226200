//! 5,000 agents cross a field of pillars in both directions.
//!
//! `cargo run --release --example e05_crowd_of_5000` ends by itself and opens no window.

use std::time::Instant;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::NavGrid;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

const AGENTS: usize = 5000;
/// Agents in a row.
const ROW: usize = 100;
/// Distance between neighbors at the start [m].
const APART: f32 = 1.6;
const UPDATES: usize = 240;

/// A field of 176 by 96 m with a pillar of a metre every 8 m.
fn field() -> NavGrid {
    let row = |z: usize| -> String {
        (0..352).map(|x| if x % 16 < 2 && z % 16 < 2 { '@' } else { '.' }).collect()
    };
    let rows: Vec<String> = (0..192).map(row).collect();
    let map = format!("type octile\nheight 192\nwidth 352\nmap\n{}\n", rows.join("\n"));
    NavGrid::from_map(&map, 0.5, &[]).expect("a map")
}

fn place(at: usize) -> Vec3 {
    let (x, z) = (at % ROW, at / ROW);
    Vec3::new(3.0 + APART * x as f32, 0.0, 3.0 + APART * z as f32)
}

fn main() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.add_plugins((AssetPlugin::default(), SurefootPlugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let grid =
        app.world_mut().resource_mut::<Assets<NavGridAsset>>().add(NavGridAsset::from(field()));
    app.world_mut().spawn(NavWorld::new(grid));
    for at in 0..AGENTS {
        let target = NavTarget::Point(place(AGENTS - 1 - at));
        let start = Transform::from_translation(place(at));
        app.world_mut().spawn((NavAgent::new("human"), target, start));
    }

    let begin = Instant::now();
    (0..UPDATES).for_each(|_| app.update());
    let mean = begin.elapsed().as_secs_f64() * 1e3 / UPDATES as f64;

    let mut agents = app.world_mut().query::<(&NavStatus, &NavVelocity, &AgentGround)>();
    let all: Vec<_> = agents.iter(app.world()).collect();
    let walking = all.iter().filter(|(_, velocity, _)| velocity.0.length() > 0.5).count();
    assert_eq!(all.len(), AGENTS);
    assert!(all.iter().all(|(status, _, ground)| status.is_member() && ground.span.is_some()));
    assert!(walking > AGENTS / 2, "only {walking} walk");
    println!("{mean:.1} ms for an update; {walking} of {AGENTS} agents walk");
}
