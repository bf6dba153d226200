//! Whether crowds get through passages in which two bodies cannot pass: for each level, how many arrive
//! of all whose goals can be reached, and after how long each crowd has come to rest, as a Markdown table;
//! below each row, who did not arrive, and why.
//!
//! `cargo bench --bench jams -- [LEVEL] [--first N] [--seeds N] [--bodies N] [--seconds N] [--real] [--sizes]`. With
//! `--real`, crowds of 200 walk over the levels of scenes/ and over real levels from the folder in `SUREFOOT_DATA`, or
//! of fewer where there is no room for so many. With `--sizes`, every second member is half as wide again, where its
//! way is wide enough for that.

use std::env;
use std::iter;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use surefoot::crowd::{Crowd, Member};
use surefoot::follow::{FollowSettings, FollowState};
use surefoot::{Agent, HeightCost, NavGrid};
use surefoot_bake::{BakeSettings, Scene, bake};
use surefoot_testing::{
    Passages, Trip, load, name, own_scenes, real_scenes, trips_anywhere, trips_between,
};

/// Time that a crowd has, unless another is asked for [s].
const SECONDS: u32 = 300;
/// Length of a step [s].
const DT: f32 = 1.0 / 30.0;
/// Radius of the second size [m].
const WIDE_RADIUS: f32 = 0.45;
/// So many start from each side.
const COUNTS: [usize; 7] = [1, 2, 3, 6, 12, 25, 50];

/// What is asked for.
struct Request {
    /// Levels whose names contain this; all if there is none.
    level: Option<String>,
    /// Of the first crowd of each row.
    first_seed: u64,
    seeds: u64,
    /// Only crowds of so many from each side; of so many on real levels.
    bodies: Option<usize>,
    /// [s]
    seconds: u32,
    is_real: bool,
    /// Every second member is of the second size.
    has_sizes: bool,
}

fn main() {
    let request = Request::read(env::args().skip(1));
    println!("| level | bodies | arrived | of | for each seed | after [s] | mean | slowest step |");
    println!("|---|--:|--:|--:|---|---|--:|--:|");
    let mut all = [0, 0];
    if request.is_real {
        for path in own_scenes().into_iter().chain(real_scenes()) {
            if request.is_wanted(&name(&path)) {
                let grid = request.grid(&load(&path));
                let count = request.bodies.unwrap_or_else(|| largest_crowd(&grid));
                let trips = |seed| trips_anywhere(&grid, count, seed);
                request.measure(&name(&path), &grid, trips).print(&mut all);
            }
        }
    } else {
        for (level, passages) in levels() {
            if request.is_wanted(&level) {
                measure_level(&level, &passages, &request, &mut all);
            }
        }
    }
    println!("| all | | {} | {} | | | | |", all[0], all[1]);
}

impl Request {
    fn read(words: impl Iterator<Item = String>) -> Self {
        let mut words = words.filter(|word| word != "--bench");
        let mut request = Request {
            level: None,
            first_seed: 1,
            seeds: 5,
            bodies: None,
            seconds: SECONDS,
            is_real: false,
            has_sizes: false,
        };
        let mut level: Vec<String> = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--real" => request.is_real = true,
                "--sizes" => request.has_sizes = true,
                "--first" => request.first_seed = number(&word, words.next()),
                "--seeds" => request.seeds = number(&word, words.next()),
                "--bodies" => request.bodies = Some(number(&word, words.next()) as usize),
                "--seconds" => request.seconds = number(&word, words.next()) as u32,
                _ => level.push(word),
            }
        }
        // "straight one" may be given as one word or as two.
        request.level = (!level.is_empty()).then(|| level.join(" "));
        request
    }

    /// Lets a crowd walk for each seed, on two threads.
    fn measure(&self, level: &str, grid: &NavGrid, trips: impl Fn(u64) -> Vec<Trip> + Sync) -> Row {
        let seeds = self.first_seed..self.first_seed + self.seeds;
        let next = Mutex::new(seeds);
        let walk_all = || {
            let mut walks = Vec::new();
            loop {
                let seed = next.lock().expect("no panic").next();
                let Some(seed) = seed else { return walks };
                let trips = trips(seed);
                if !trips.is_empty() {
                    walks.push((seed, walk(grid, &trips, self.seconds)));
                }
            }
        };
        let mut walks = thread::scope(|scope| {
            let others = scope.spawn(walk_all);
            let mut walks = walk_all();
            walks.extend(others.join().expect("crowds that walk"));
            walks
        });
        walks.sort_unstable_by_key(|(seed, _)| *seed);
        Row { level: level.to_string(), walks: walks.into_iter().map(|(_, walk)| walk).collect() }
    }

    fn grid(&self, scene: &Scene) -> NavGrid {
        let wide = Agent { radius: WIDE_RADIUS, ..Agent::new("wide") };
        let agents =
            iter::once(Agent::new("human")).chain(self.has_sizes.then_some(wide)).collect();
        let settings = BakeSettings { agents, ..BakeSettings::default() };
        bake(scene, &settings, &()).expect("it bakes").grid
    }

    fn is_wanted(&self, level: &str) -> bool {
        self.level.as_ref().is_none_or(|wanted| level.contains(wanted.as_str()))
    }
}

/// The number after an option.
fn number(option: &str, word: Option<String>) -> u64 {
    let number = word.and_then(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("a number after {option}"))
}

/// How many walk over a level: 200, or half as many again and again, until there is room for them.
fn largest_crowd(grid: &NavGrid) -> usize {
    let has_room = |count: &usize| !trips_anywhere(grid, *count, 1).is_empty();
    [200, 100, 50, 25].into_iter().find(has_room).unwrap_or(0)
}

/// Prints the rows of a level.
fn measure_level(level: &str, passages: &Passages, request: &Request, all: &mut [usize; 2]) {
    let grid = request.grid(&passages.scene());
    for count in COUNTS {
        if request.bodies.is_none_or(|wanted| wanted == count) {
            let trips = |seed| trips_between(passages, &grid, count, seed);
            request.measure(level, &grid, trips).print(all);
        }
    }
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

/// Crowds of one count on one level.
struct Row {
    level: String,
    /// For each seed.
    walks: Vec<Walk>,
}

impl Row {
    /// Prints the row, if there is room for so many, and adds it to the sums.
    fn print(&self, all: &mut [usize; 2]) {
        let Row { level, walks } = self;
        let Some(first) = walks.first() else { return };
        let arrived: usize = walks.iter().map(|walk| walk.arrived).sum();
        let of: usize = walks.iter().map(|walk| walk.bodies).sum();
        let mean = walks.iter().map(|walk| walk.seconds).sum::<f32>() / walks.len() as f32;
        let slowest = walks.iter().map(|walk| walk.slowest).fold(0.0, f32::max);
        let list = |of: fn(&Walk) -> String| walks.iter().map(of).collect::<Vec<_>>().join(" ");
        println!(
            "| {level} | {} | {arrived} | {of} | {} | {} | {mean:.0} | {slowest:.1} ms |",
            first.bodies,
            list(|walk| walk.arrived.to_string()),
            list(|walk| format!("{:.0}", walk.seconds)),
        );
        for missing in walks.iter().flat_map(|walk| &walk.missing) {
            println!("|   | {missing} |");
        }
        *all = [all[0] + arrived, all[1] + of];
    }
}

/// How a crowd got on.
struct Walk {
    bodies: usize,
    arrived: usize,
    /// Until all had come to rest, or all that they had [s].
    seconds: f32,
    /// [ms]
    slowest: f32,
    /// Who did not arrive, where it is, and why: a line each.
    missing: Vec<String>,
}

fn walk(grid: &NavGrid, trips: &[Trip], seconds: u32) -> Walk {
    let mut crowd = Crowd::new(grid.clone(), HeightCost::default());
    for (number, trip) in trips.iter().enumerate() {
        let is_wide = number % 2 == 0 && has_way_for_wide(grid, trip);
        let agent = if is_wide { "wide" } else { "human" };
        let id = crowd.add(agent, trip.from, FollowSettings::default()).expect("ground");
        crowd.set_goal(id, trip.to).expect("a member");
    }
    let (mut slowest, mut steps) = (0.0f32, 0);
    for _ in 0..(seconds as f32 / DT) as u32 {
        let start = Instant::now();
        crowd.step(DT);
        slowest = slowest.max(start.elapsed().as_secs_f32() * 1e3);
        steps += 1;
        if crowd.members().all(|member| member.state().is_at_rest()) {
            break;
        }
    }
    let has_arrived = |member: &&Member| member.state() == FollowState::Arrived;
    let arrived = crowd.members().filter(has_arrived).count();
    let missing = crowd.members().filter(|member| !has_arrived(member));
    let missing = missing.map(|member| held_up(&crowd, member)).collect();
    Walk { bodies: trips.len(), arrived, seconds: steps as f32 * DT, slowest, missing }
}

/// Whether the second size is asked for, and can go from the beginning of a trip to its end.
fn has_way_for_wide(grid: &NavGrid, trip: &Trip) -> bool {
    let Ok(wide) = grid.agent_id("wide") else { return false };
    let height = grid.layers()[wide.index()].agent.height;
    let region = |at| grid.span_at(at, height).and_then(|span| grid.region(wide, span));
    region(trip.from).is_some_and(|from| region(trip.to) == Some(from))
}

/// What keeps a member from its goal.
fn held_up(crowd: &Crowd, member: &Member) -> String {
    let held_up = crowd.held_up(member.id()).expect("a member");
    let goal = member.goal().unwrap_or(held_up.position);
    format!(
        "{:.2?} to {:.2?}: {:?}, held up for {:.1} s where the ground is {:.2} m wide, touches {}",
        held_up.position.coords.as_slice(),
        goal.coords.as_slice(),
        member.state(),
        held_up.time,
        held_up.width,
        held_up.touched.len()
    )
}
