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
use bevy_ecs::entity::Entity;
use bevy_math::Vec3;
use bevy_surefoot::prelude::*;
use bevy_surefoot::surefoot::crowd::MemberId;
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

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The same agents three times.
struct Walkers {
    crowd: Crowd,
    members: Vec<MemberId>,
    /// With the plugin.
    app: App,
    entities: Vec<Entity>,
    /// An app with as many bodies that nobody moves.
    bare: App,
}

impl Walkers {
    fn new(agents: usize) -> Self {
        let (grid, ways) = ways(agents);
        let crowd = Crowd::new(grid.clone(), HeightCost::default());
        let (mut bare, mut app) = (app(), app());
        app.add_plugins(SurefootPlugin);
        let mut grids = app.world_mut().resource_mut::<Assets<NavGridAsset>>();
        let grid = grids.add(NavGridAsset::from(grid));
        app.world_mut().spawn(NavWorld::new(grid));
        for app in [&mut bare, &mut app] {
            app.finish();
            app.cleanup();
            // The clock starts with the first update.
            app.update();
        }
        let (members, entities) = (Vec::new(), Vec::new());
        let mut walkers = Walkers { crowd, members, app, entities, bare };
        ways.into_iter().for_each(|way| walkers.add(way));
        walkers
    }

    fn add(&mut self, [start, goal]: [Vec3; 2]) {
        let settings = FollowSettings::default();
        let member = self.crowd.add("human", start.to_array(), settings).expect("ground");
        self.crowd.set_goal(member, goal.to_array()).expect("a member");
        self.members.push(member);
        let at = Transform::from_translation(start);
        self.bare.world_mut().spawn(at);
        let agent = (NavAgent::new("human"), NavTarget::Point(goal), at);
        self.entities.push(self.app.world_mut().spawn(agent).id());
    }

    /// The times of a step by hand, of an update, and of one without the plugin [ms].
    fn step(&mut self, hand_is_first: bool) -> [f64; 3] {
        let Walkers { crowd, app, bare, .. } = self;
        let mut by_hand = || time(|| crowd.step(DT.as_secs_f32()));
        // In turn, so that neither always finds the caches of the other.
        let (hand, app) = if hand_is_first {
            (by_hand(), time(|| app.update()))
        } else {
            let app = time(|| app.update());
            (by_hand(), app)
        };
        [hand, app, time(|| bare.update())]
    }

    fn check(&self) {
        for (&member, &entity) in self.members.iter().zip(&self.entities) {
            let by_hand: [f32; 3] = self.crowd.member(member).expect("a member").position().into();
            let body = self.app.world().get::<Transform>(entity).expect("a body");
            assert_eq!(by_hand, body.translation.to_array(), "both are the same crowd");
        }
    }
}

fn main() {
    let mut numbers = std::env::args().filter_map(|argument| argument.parse().ok());
    let agents: usize = numbers.next().unwrap_or(5000);
    let mut walkers = Walkers::new(agents);
    for step in 0..WARM_UP {
        walkers.step(step % 2 == 0);
    }
    let times: Vec<[f64; 3]> = (0..MEASURED).map(|step| walkers.step(step % 2 == 0)).collect();
    walkers.check();

    let median_of = |each: &dyn Fn(&[f64; 3]) -> f64| median(times.iter().map(each).collect());
    println!("{agents} agents, medians of {MEASURED} updates:");
    println!("  crowd, by hand       {:7.3} ms", median_of(&|times| times[0]));
    println!("  app with the plugin  {:7.3} ms", median_of(&|times| times[1]));
    println!("  app without it       {:7.3} ms", median_of(&|times| times[2]));
    // Of each update, how much more than the same step by hand.
    let part = median_of(&|[hand, app, bare]| (app - bare) / hand - 1.0);
    println!("  plugin on top of the crowd: {:.1} % (at most {:.0} %)", 100.0 * part, 100.0 * MOST);
    if part > MOST {
        eprintln!("the plugin costs more than it may");
        std::process::exit(1);
    }
}
