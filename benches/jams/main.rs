//! Whether crowds get through passages in which two bodies cannot pass: for each level, how many arrive
//! of all whose goals can be reached, and after how long the last crowd has come to rest, as a Markdown table;
//! below each row, who did not arrive, and why.
//!
//! `cargo bench --bench jams -- [LEVEL] [--seeds N] [--bodies N] [--seconds N] [--real]`. With `--real`, crowds of 200 walk
//! over the levels of scenes/ and over real levels from the folder in `SUREFOOT_DATA`.

use std::env;
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
/// So many start from each side.
const COUNTS: [usize; 7] = [1, 2, 3, 6, 12, 25, 50];

/// What is asked for.
struct Request {
    /// Levels whose names contain this; all if there is none.
    level: Option<String>,
    seeds: u64,
    /// Only crowds of so many from each side.
    bodies: Option<usize>,
    /// [s]
    seconds: u32,
    is_real: bool,
}

fn main() {
    let request = Request::read(env::args().skip(1));
    println!("| level | bodies | arrived | of | for each seed | after | slowest step |");
    println!("|---|--:|--:|--:|---|--:|--:|");
    let mut all = [0, 0];
    if request.is_real {
        for path in own_scenes().into_iter().chain(real_scenes()) {
            if request.is_wanted(&name(&path)) {
                let grid = grid(&load(&path));
                let trips = |seed| trips_anywhere(&grid, 200, seed);
                let row = request.measure(&name(&path), &grid, (1..=request.seeds).map(trips));
                row.print(&mut all);
            }
        }
    } else {
        for (level, passages) in levels() {
            if request.is_wanted(&level) {
                measure_level(&level, &passages, &request, &mut all);
            }
        }
    }
    println!("| all | | {} | {} | | | |", all[0], all[1]);
}

impl Request {
    fn read(words: impl Iterator<Item = String>) -> Self {
        let mut words = words.filter(|word| word != "--bench");
        let mut request =
            Request { level: None, seeds: 5, bodies: None, seconds: SECONDS, is_real: false };
        let mut level: Vec<String> = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--real" => request.is_real = true,
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

    /// Lets a crowd walk for each list of trips.
    fn measure(&self, level: &str, grid: &NavGrid, runs: impl Iterator<Item = Vec<Trip>>) -> Row {
        let mut row = Row { level: level.to_string(), ..Row::default() };
        for trips in runs.filter(|trips| !trips.is_empty()) {
            let walk = walk(grid, &trips, self.seconds);
            row.arrived.push(walk.arrived);
            row.bodies = trips.len();
            row.seconds = row.seconds.max(walk.seconds);
            row.slowest = row.slowest.max(walk.slowest);
            row.missing.extend(walk.missing);
        }
        row
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

/// Prints the rows of a level, which are measured on two threads.
fn measure_level(level: &str, passages: &Passages, request: &Request, all: &mut [usize; 2]) {
    let grid = grid(&passages.scene());
    let row = |count: &usize| {
        request.measure(
            level,
            &grid,
            (1..=request.seeds).map(|seed| trips_between(passages, &grid, *count, seed)),
        )
    };
    // Most of the time goes into the largest crowd.
    let is_wanted = |count: &&usize| request.bodies.is_none_or(|wanted| **count == wanted);
    let counts: Vec<usize> = COUNTS.iter().filter(is_wanted).copied().collect();
    let Some((most, few)) = counts.split_last() else { return };
    let (few, most) = thread::scope(|scope| {
        let few = scope.spawn(|| few.iter().map(row).collect::<Vec<_>>());
        let most = row(most);
        (few.join().expect("crowds that walk"), most)
    });
    few.into_iter().chain([most]).for_each(|row| row.print(all));
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

/// Crowds of one size on one level.
#[derive(Default)]
struct Row {
    level: String,
    /// In each crowd.
    bodies: usize,
    /// Of each crowd.
    arrived: Vec<usize>,
    /// Until the last of them had come to rest, or all that they had [s].
    seconds: f32,
    /// [ms]
    slowest: f32,
    /// Who did not arrive, where it is, and why: a line each.
    missing: Vec<String>,
}

impl Row {
    /// Prints the row, if there is room for so many, and adds it to the sums.
    fn print(&self, all: &mut [usize; 2]) {
        let Row { level, bodies, arrived, seconds, slowest, missing } = self;
        let (sum, of) = (arrived.iter().sum::<usize>(), bodies * arrived.len());
        if of > 0 {
            let each: Vec<String> = arrived.iter().map(usize::to_string).collect();
            let each = each.join(" ");
            println!(
                "| {level} | {bodies} | {sum} | {of} | {each} | {seconds:.0} s | {slowest:.1} ms |"
            );
            missing.iter().for_each(|line| println!("|   | {line} |"));
        }
        *all = [all[0] + sum, all[1] + of];
    }
}

/// How a crowd got on.
struct Walk {
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
    for trip in trips {
        let id = crowd.add("human", trip.from, FollowSettings::default()).expect("ground");
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
    Walk { arrived, seconds: steps as f32 * DT, slowest, missing }
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
