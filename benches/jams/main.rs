//! Whether crowds get through passages in which two bodies cannot pass: for each level, how many arrive
//! of all whose goals can be reached, as a Markdown table.
//!
//! `cargo bench --bench jams -- [LEVEL] [--seeds N] [--real]`. With `--real`, crowds of 200 walk over the
//! levels of scenes/ and over real levels from the folder in `SUREFOOT_DATA`.

use std::env;
use std::time::Instant;

use surefoot::crowd::Crowd;
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::{Agent, HeightCost, NavGrid};
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_testing::{
    Passages, Trip, load, name, own_scenes, real_scenes, trips_anywhere, trips_between,
};

/// Time that a crowd has [s].
const SECONDS: f32 = 300.0;
/// Length of a step [s].
const DT: f32 = 1.0 / 30.0;

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let seeds_at = words.iter().position(|word| word == "--seeds");
    let seeds = seeds_at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(5);
    let wanted = words.first().filter(|word| !word.starts_with("--"));
    let is_wanted = |level: &str| wanted.is_none_or(|wanted| level.contains(wanted.as_str()));
    println!("| level | bodies | arrived | of | for each seed | slowest step |");
    println!("|---|--:|--:|--:|---|--:|");
    let mut all = [0, 0];
    if words.iter().any(|word| word == "--real") {
        for path in own_scenes().into_iter().chain(real_scenes()) {
            if is_wanted(&name(&path)) {
                let grid = grid(&load(&path));
                let runs = (1..=seeds).map(|seed| trips_anywhere(&grid, 200, seed));
                measure(&name(&path), &grid, runs, &mut all);
            }
        }
    } else {
        for (level, passages) in levels().into_iter().filter(|(level, _)| is_wanted(level)) {
            let grid = grid(&passages.scene());
            for count in [1, 2, 3, 6, 12, 25, 50] {
                let runs = (1..=seeds).map(|seed| trips_between(&passages, &grid, count, seed));
                measure(&level, &grid, runs, &mut all);
            }
        }
    }
    println!("| all | | {} | {} | | |", all[0], all[1]);
}

/// The levels, by name: one body wide; where two wedge; and where they pass.
fn levels() -> Vec<(String, Passages)> {
    let mut levels = Vec::new();
    for (width, tiles) in [("one", 9), ("wedge", 11), ("two", 15)] {
        let mut add = |name: &str, level| levels.push((format!("{name} {width}"), level));
        add("straight", Passages::straight(tiles));
        add("corner", Passages::corner(tiles));
        add("zigzag", Passages::zigzag(tiles));
        add("stairs", Passages::stairs(tiles));
        add("tee", Passages::tee(tiles));
        add("niche", Passages::niche(tiles));
        add("dead_end", Passages::dead_end(tiles));
        add("comb", Passages::comb(tiles));
        add("maze", Passages::maze(tiles, 1));
    }
    levels
}

fn grid(scene: &Scene) -> NavGrid {
    let agents = vec![Agent::new("human")];
    let settings = BakeSettings { agents, ..BakeSettings::default() };
    bake(scene, &settings, &()).expect("it bakes").grid
}

/// Lets a crowd walk for each list of trips, and prints a row.
fn measure(
    level: &str,
    grid: &NavGrid,
    runs: impl Iterator<Item = Vec<Trip>>,
    all: &mut [usize; 2],
) {
    let (mut arrived, mut agents, mut counts, mut slowest) = (0, 0, Vec::new(), 0.0f32);
    for trips in runs.filter(|trips| !trips.is_empty()) {
        let walk = walk(grid, &trips);
        counts.push(walk.arrived.to_string());
        arrived += walk.arrived;
        agents += trips.len();
        slowest = slowest.max(walk.slowest);
    }
    if agents > 0 {
        let (each, bodies) = (counts.join(" "), agents / counts.len());
        println!("| {level} | {bodies} | {arrived} | {agents} | {each} | {slowest:.1} ms |");
    }
    all[0] += arrived;
    all[1] += agents;
}

/// How a crowd got on.
struct Walk {
    arrived: usize,
    /// [ms]
    slowest: f32,
}

fn walk(grid: &NavGrid, trips: &[Trip]) -> Walk {
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    for trip in trips {
        let id = crowd.add("human", trip.from, FollowSettings::default()).expect("ground");
        crowd.set_goal(id, trip.to).expect("a member");
    }
    let mut slowest = 0.0f32;
    for _ in 0..(SECONDS / DT) as u32 {
        let start = Instant::now();
        crowd.step(DT);
        slowest = slowest.max(start.elapsed().as_secs_f32() * 1e3);
        if crowd.members().all(|member| member.state().is_at_rest()) {
            break;
        }
    }
    let has_arrived = |member: &&surefoot::crowd::Member| member.state() == FollowState::Arrived;
    Walk { arrived: crowd.members().filter(has_arrived).count(), slowest }
}
