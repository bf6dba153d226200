//! What the plugin costs on top of the crowd: the same 5,000 agents, stepped by hand and by an app, in
//! turn, so that both see the same machine. Whole updates of the app are timed, and what the same app costs
//! without the plugin.
//!
//! ```sh
//! cargo bench --bench overhead            # 5,000 agents
//! cargo bench --bench overhead -- 1000    # another number
//! ```

use std::time::{Duration, Instant};

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::follow::FollowSettings;
use bevy_surefoot::surefoot::{Crowd, HeightCost, NavGrid};
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

/// Time of a fixed update.
const DT: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// Updates before the measured ones: everyone is under way.
const WARM_UP: usize = 120;
/// Measured updates.
const MEASURED: usize = 300;
/// The most that the plugin may cost on top of the crowd, as a part of it.
const MOST: f64 = 0.1;

/// Open ground with a pillar of a metre every 8 m.
fn field(cells: usize) -> NavGrid {
    let row = |z: usize| -> String {
        let is_pillar = move |x: usize| x % 16 < 2 && z % 16 < 2;
        (0..cells).map(|x| if is_pillar(x) { '@' } else { '.' }).collect()
    };
    let rows: Vec<String> = (0..cells).map(row).collect();
    let map = format!("type octile\nheight {cells}\nwidth {cells}\nmap\n{}\n", rows.join("\n"));
    NavGrid::from_map(&map, 0.5, &[]).expect("a map")
}

/// Start and goal of each agent: they cross the field in both directions.
fn ways(agents: usize) -> (NavGrid, Vec<[Vec3; 2]>) {
    let side = (agents as f32).sqrt().ceil();
    let length = 1.6 * side + 8.0;
    let place = |at: usize| {
        let (x, z) = ((at as f32 % side).floor(), (at as f32 / side).floor());
        Vec3::new(3.0 + 1.6 * x, 0.0, 3.0 + 1.6 * z)
    };
    let ways = (0..agents).map(|at| [place(at), place(agents - 1 - at)]).collect();
    (field((2.0 * length).ceil() as usize), ways)
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default()));
    app.insert_resource(Time::<Fixed>::from_duration(DT));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

fn time(step: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    step();
    begin.elapsed().as_secs_f64() * 1e3
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let mut numbers = std::env::args().filter_map(|argument| argument.parse().ok());
    let agents: usize = numbers.next().unwrap_or(5000);
    let (grid, ways) = ways(agents);

    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    let mut members = Vec::new();
    for [start, goal] in &ways {
        let id = crowd.add("human", start.to_array(), FollowSettings::default()).expect("ground");
        crowd.set_goal(id, goal.to_array()).expect("a member");
        members.push(id);
    }

    let mut bare = app();
    let mut with_plugin = app();
    with_plugin.add_plugins(SurefootPlugin);
    let grid = with_plugin
        .world_mut()
        .resource_mut::<Assets<NavGridAsset>>()
        .add(NavGridAsset::from(grid));
    with_plugin.world_mut().spawn(NavWorld::new(grid));
    let mut entities = Vec::new();
    for &[start, goal] in &ways {
        let at = Transform::from_translation(start);
        bare.world_mut().spawn(at);
        let agent = (NavAgent::new("human"), NavTarget::Point(goal), at);
        entities.push(with_plugin.world_mut().spawn(agent).id());
    }
    for app in [&mut bare, &mut with_plugin] {
        app.finish();
        app.cleanup();
        app.update();
    }

    let mut times = [const { Vec::new() }; 3];
    for step in 0..WARM_UP + MEASURED {
        let mut own = [0.0; 3];
        // In turn, so that neither always finds the caches of the other.
        let mut by_hand = || time(|| crowd.step(DT.as_secs_f32()));
        if step % 2 == 0 {
            own[0] = by_hand();
        }
        own[1] = time(|| with_plugin.update());
        if step % 2 == 1 {
            own[0] = by_hand();
        }
        own[2] = time(|| bare.update());
        if step >= WARM_UP {
            times.iter_mut().zip(own).for_each(|(times, own)| times.push(own));
        }
    }
    for (&member, &entity) in members.iter().zip(&entities) {
        let by_hand: [f32; 3] = crowd.member(member).expect("a member").position().into();
        let by_app = with_plugin.world().get::<Transform>(entity).expect("a body").translation;
        assert_eq!(by_hand, by_app.to_array(), "both are the same crowd");
    }

    // Of each update, how much more than the same step by hand.
    let mut parts: Vec<f64> =
        (0..MEASURED).map(|at| (times[1][at] - times[2][at]) / times[0][at] - 1.0).collect();
    let [by_hand, with_plugin, bare] = times.each_mut().map(|times| median(times));
    let part = median(&mut parts);
    println!("{agents} agents, medians of {MEASURED} updates:");
    println!("  crowd, by hand       {by_hand:7.3} ms");
    println!("  app with the plugin  {with_plugin:7.3} ms");
    println!("  app without it       {bare:7.3} ms");
    println!("  plugin on top of the crowd: {:.1} % (at most {:.0} %)", 100.0 * part, 100.0 * MOST);
    if part > MOST {
        eprintln!("the plugin costs more than it may");
        std::process::exit(1);
    }
}
