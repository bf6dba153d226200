//! How often what is named as separating two places is what does: on each real level, pairs of places
//! in different regions are asked about, and the level is baked again with the limits that were named
//! relaxed to just above that. The share that is connected then is printed as a Markdown table.
//!
//! `cargo bench --bench why -- [PAIRS] [SCENE] [--seed=N] [--list] [--bounds=X0,Z0,X1,Z1]`. Real levels come
//! from the folder in `SUREFOOT_DATA`; of the largest, a rectangle is baked in less time.

mod granted;
mod pairs;

use std::env;
use std::time::{Duration, Instant};

use surefoot::{Agent, Navigator};
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_testing::{load, name, real_scenes};

use granted::{Granted, Relief};
use pairs::random_pairs;

/// Side of the cells [m].
const CELL_SIZE: f32 = 0.25;
/// Pairs for each level.
const PAIRS: usize = 50;

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let pairs = words.iter().find_map(|word| word.parse().ok()).unwrap_or(PAIRS);
    let wanted: Vec<&String> = words.iter().filter(|word| word.parse::<usize>().is_err()).collect();
    println!(
        "| level | limits alone | with a link | from storey to storey | through a wall | not explained | slowest |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let mut total = Share::default();
    for path in real_scenes() {
        let name = name(&path);
        if wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str())) {
            let share = Share::of(&load(&path), pairs);
            println!("{}", share.row(&name));
            total.add(&share);
        }
    }
    println!("{}", total.row("all"));
}

/// The seed of the pairs.
const SEED: u64 = 7;

fn seed() -> u64 {
    let mut words = env::args().filter_map(|word| word.strip_prefix("--seed=")?.parse().ok());
    words.next().unwrap_or(SEED)
}

/// Whether every pair is listed, not only those that stay apart.
fn lists_all() -> bool {
    env::args().any(|word| word == "--list")
}

/// The rectangle of each level that is baked, along x and z [m].
fn bounds() -> Option<[f32; 4]> {
    let given = env::args().find_map(|word| Some(word.strip_prefix("--bounds=")?.to_owned()))?;
    let numbers: Vec<f32> = given.split(',').filter_map(|number| number.parse().ok()).collect();
    Some(numbers.try_into().expect("bounds are four numbers"))
}

/// The settings of a bake for an agent.
fn settings(agent: Agent) -> BakeSettings {
    let (agents, cell_size, bounds) = (vec![agent], Some(CELL_SIZE), bounds());
    BakeSettings { agents, cell_size, bounds, ..BakeSettings::default() }
}

/// How many pairs were connected, of how many.
#[derive(Clone, Copy, Default)]
struct Count {
    connected: usize,
    asked: usize,
}

impl Count {
    fn add(&mut self, is_connected: bool) {
        self.connected += usize::from(is_connected);
        self.asked += 1;
    }
}

/// The pairs of a level, by what has to be granted.
#[derive(Default)]
struct Share {
    limits: Count,
    links: Count,
    storeys: Count,
    walls: Count,
    unexplained: usize,
    slowest: Duration,
}

impl Share {
    fn of(scene: &Scene, pairs: usize) -> Self {
        let mut share = Share::default();
        let human = Agent { ledge_margin: Some(0.3), ..Agent::new("human") };
        let grid = bake(scene, &settings(human), &()).expect("it bakes").grid;
        let nav = Navigator::new(grid.clone(), "human").expect("it has a human");
        for [from, to] in random_pairs(&grid, pairs, seed()) {
            let start = Instant::now();
            let separation = nav.why_not(from, to).expect("both ends are walkable");
            share.slowest = share.slowest.max(start.elapsed());
            if !separation.is_explained {
                share.unexplained += 1;
                eprintln!("{from} to {to}: {separation}");
                continue;
            }
            let granted = Granted::of(nav.view().agent(), &separation);
            let rest = granted.still_in_the_way(scene, [from, to]);
            let is_connected = rest.is_none();
            match granted.relief {
                Relief::Limits => share.limits.add(is_connected),
                Relief::Link => share.links.add(is_connected),
                Relief::Storey => share.storeys.add(is_connected),
                Relief::Wall => share.walls.add(is_connected),
            }
            if !is_connected || lists_all() {
                let end =
                    rest.map_or("connected".to_owned(), |rest| format!("still apart, {rest}"));
                let blockers: Vec<String> =
                    separation.blockers.iter().map(ToString::to_string).collect();
                eprintln!("{from} to {to}: {}: {end}", blockers.join("; "));
            }
        }
        share
    }

    fn add(&mut self, other: &Share) {
        let Share { limits, links, storeys, walls, unexplained, slowest } = other;
        for (own, other) in [
            (&mut self.limits, limits),
            (&mut self.links, links),
            (&mut self.storeys, storeys),
            (&mut self.walls, walls),
        ] {
            own.connected += other.connected;
            own.asked += other.asked;
        }
        self.unexplained += unexplained;
        self.slowest = self.slowest.max(*slowest);
    }

    fn row(&self, name: &str) -> String {
        let count = |count: &Count| format!("{} of {}", count.connected, count.asked);
        let kinds = [&self.limits, &self.links, &self.storeys, &self.walls];
        let counts = kinds.map(count).join(" | ");
        let slowest = self.slowest.as_millis();
        format!("| {name} | {counts} | {} | {slowest} ms |", self.unexplained)
    }
}
