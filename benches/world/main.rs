//! What a world that streams costs on the caller's thread: a crowd of 500 in a window of 64 MiB, at a walk
//! over endless hills, and in fast motion across 10 km.
//!
//! `cargo bench --bench world -- [WORLD.navworld] [--speed M/S] [--planning-budget SPANS]`: fast motion across a
//! world with border costs, along the far path from one side to the other; across endless hills without one.
//! `-- WORLD.navworld --exact METRES`: far paths beside those of one grid, in a square of that side.

mod exact;
mod fast;

use std::path::Path;
use std::time::{Duration, Instant};

use nalgebra::Point3;
use surefoot::crowd::{CrowdSettings, MemberId};
use surefoot::follow::FollowSettings;
use surefoot::world::{TilePlace, World, WorldBudget, WorldInfo};
use surefoot::{Agent, AgentId, Crowd, HeightCost, NavGrid, Navigator};

const HUMAN: AgentId = AgentId(0);
const MEMBERS: usize = 500;
const DT: f32 = 1.0 / 30.0;
/// Side of a cell [m].
const CELL: f32 = 0.5;
/// Cells along a tile's side.
const SIDE: u32 = 64;

fn hills(info: &WorldInfo, place: TilePlace) -> Option<NavGrid> {
    let cells = info.cells_of(place).grown(2);
    let height = |at: usize| {
        let cell = cells.cell(at);
        (cell.x as f32 * 0.02).sin() + (cell.z as f32 * 0.03).cos()
    };
    let heights: Vec<f32> = (0..cells.cells()).map(height).collect();
    NavGrid::from_heights(cells, &heights, &info.agents).ok()
}

/// How long something took, each time.
#[derive(Default)]
struct Times {
    all: Vec<Duration>,
}

impl Times {
    fn take<T>(&mut self, act: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = act();
        let time = start.elapsed();
        self.all.push(time);
        result
    }

    fn count(&self) -> usize {
        self.all.len()
    }

    fn over(&self, limit: Duration) -> usize {
        self.all.iter().filter(|time| **time > limit).count()
    }

    fn print(&self, what: &str) {
        let mut sorted = self.all.clone();
        sorted.sort_unstable();
        let at = |part: f64| {
            let last = sorted.len().saturating_sub(1) as f64;
            sorted.get((part * last) as usize).copied().unwrap_or_default()
        };
        let mean = sorted.iter().sum::<Duration>() / sorted.len().max(1) as u32;
        println!(
            "{what:<34} {:>6} times, mean {mean:>8.1?}, 99 % {:>8.1?}, 99.9 % {:>8.1?}, worst {:>8.1?}",
            sorted.len(),
            at(0.99),
            at(0.999),
            at(1.0),
        );
    }
}

fn endless() -> World {
    let info = WorldInfo::endless(CELL, SIDE, vec![Agent::new("human")]);
    let own = info.clone();
    World::generated(info, move |place| hills(&own, place)).expect("a world")
}

fn main() {
    let mut given = std::env::args().skip(1).filter(|own| own != "--bench");
    let (mut file, mut speed, mut planning_budget, mut exact) = (None, 15.0, 10_000, None);
    while let Some(own) = given.next() {
        let number = |given: Option<String>| given.and_then(|own| own.parse().ok());
        match own.as_str() {
            "--speed" => speed = number(given.next()).expect("--speed takes metres per second"),
            "--planning-budget" => {
                let budget = number(given.next()).expect("--planning-budget takes spans");
                planning_budget = budget as u32;
            }
            "--exact" => exact = Some(number(given.next()).expect("--exact takes metres")),
            _ => file = Some(own),
        }
    }
    let (world, gates) = match file.as_ref().map(Path::new) {
        Some(path) => {
            let world = World::open(path).expect("a world");
            if let Some(side) = exact {
                exact::compare(&world, side);
                return;
            }
            let gates = fast::gates_of(&world).expect("a far path");
            (world, gates)
        }
        None => {
            walk();
            println!("\nno file of a world is given: fast motion across endless hills");
            let height = |x: f32| (x / CELL * 0.02).sin() + 1.0;
            let gate = |at: u8| f32::from(at) * 100.0;
            let gate = |at: u8| Point3::new(gate(at), height(gate(at)), 0.0);
            (endless(), (0..=100).map(gate).collect())
        }
    };
    fast::Trek { world, gates, speed, planning_budget }.walk();
}

/// A crowd walks over endless hills.
fn walk() {
    let mut world = endless();
    world.set_budget(WorldBudget::default());
    let starts =
        (0..MEMBERS).map(|at| Point3::new((at % 25) as f32 * 2.0, 0.0, (at / 25) as f32 * 2.0));
    let starts: Vec<Point3<f32>> = starts.collect();
    world.set_interest(&starts).expect("points");
    let start = Instant::now();
    let grid = world.wait().expect("ground");
    let spans = grid.spans().len();
    println!(
        "{spans} spans in {} tiles, generated in {:.1?}",
        world.loaded().count(),
        start.elapsed()
    );
    let settings = CrowdSettings { planning_budget: 10_000, ..CrowdSettings::default() };
    let crowd = Crowd::with_settings(grid.clone(), HeightCost::default(), settings);
    let mut crowd = crowd.expect("sound settings");
    let mut nav = Navigator::new(grid.clone(), HUMAN).expect("an agent");
    let add = |at: &Point3<f32>| crowd.add(HUMAN, *at, FollowSettings::default()).expect("a place");
    let ids: Vec<MemberId> = starts.iter().map(add).collect();
    drop(grid);
    let send = |crowd: &mut Crowd, id: MemberId| {
        let at = crowd.member(id).expect("nobody is lost").position();
        crowd.set_goal(id, [at.x + 60.0, at.y, at.z]).expect("a member");
    };
    ids.iter().for_each(|&id| send(&mut crowd, id));
    let [mut steps, mut after, mut paths] = [(); 3].map(|()| Times::default());
    let [mut updates, mut grids, mut crowds, mut navigators] = [(); 4].map(|()| Times::default());
    let mut since = usize::MAX;
    for step in 0..2400 {
        let positions: Vec<Point3<f32>> = crowd.members().map(|member| member.position()).collect();
        world.set_interest(&positions).expect("points");
        let start = Instant::now();
        let grid = world.update();
        let time = start.elapsed();
        if grid.is_some() { &mut grids } else { &mut updates }.all.push(time);
        if let Some(grid) = grid {
            let lost = crowds.take(|| crowd.set_grid(&grid)).expect("the same agents");
            assert!(lost.is_empty());
            navigators.take(|| nav.set_grid(&grid)).expect("the same agent");
            let at = positions[0];
            paths.take(|| nav.path(at, [at.x + 40.0, at.y, at.z])).expect("a path");
            since = 0;
        }
        if since < 5 {
            after.take(|| crowd.step(DT))
        } else {
            steps.take(|| crowd.step(DT))
        }
        since = since.saturating_add(1);
        if step % 300 == 299 {
            ids.iter().for_each(|&id| send(&mut crowd, id));
        }
    }
    updates.print("update, no grid");
    grids.print("update, a grid");
    crowds.print("Crowd::set_grid, 500 members");
    navigators.print("Navigator::set_grid");
    paths.print("its first path after that");
    steps.print("Crowd::step");
    after.print("the first five steps after a grid");
}
