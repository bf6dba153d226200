//! Crowds: surefoot, landmass, waymark-crowd and, for avoidance alone, dodgy_2d, on the same ground with the
//! same starts and goals, in one run.
//!
//! Real levels come from the folder in `SUREFOOT_DATA`. `cargo run --release --
//! [dungeon] [undulating] [disc]`; all where none is named. Prints a line for each side.

mod course;
mod ground;
#[path = "../../rerecast/src/level.rs"]
#[allow(dead_code, reason = "of its levels only the triangles are needed")]
mod level;
mod navmesh;
mod nearby;
mod ours;
mod race;
#[path = "../../../../tests/support/random.rs"]
#[allow(dead_code, reason = "only some numbers are needed")]
mod random;
mod score;
mod theirs;

use std::env;

use course::Course;
use ground::Ground;
use level::Level;
use navmesh::Navmesh;
use ours::Ways;
use race::{Entry, Side};
use theirs::waymark::Apart;
use theirs::{dodgy, landmass, waymark};

/// Radius of a body [m].
pub const RADIUS: f32 = 0.3;
/// Height of a body [m].
pub const HEIGHT: f32 = 1.8;
/// What everyone wants, and nobody may exceed [m/s].
pub const SPEED: f32 = 3.5;
/// Length of a step [s].
pub const DT: f32 = 1.0 / 30.0;

const ON_LEVELS: [usize; 3] = [100, 500, 1000];
const ON_DISCS: [usize; 2] = [1000, 10_000];

fn main() {
    // Sides are timed by the thread that steps them.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool yet");
    let words: Vec<String> = env::args().skip(1).collect();
    let wanted = |part: &str| words.is_empty() || words.iter().any(|word| word == part);
    print_head();
    for level in Level::all() {
        if level.name != "nav_test" && wanted(level.name) {
            run_level(&level);
        }
    }
    if wanted("disc") {
        run_discs();
    }
}

fn run_level(level: &Level) {
    let navmesh = Navmesh::bake(level.triangles());
    let ground = Ground::new(&navmesh);
    let island = landmass::mesh(&navmesh);
    let tile = waymark::mesh(&navmesh);
    let grid = ours::grid(level);
    for count in ON_LEVELS {
        let course = Course::on(&ground, count);
        let sides: Vec<Box<dyn Side + '_>> = vec![
            Box::new(ours::Crowd::new(&grid, &course, Ways::Searched)),
            Box::new(ours::Crowd::new(&grid, &course, Ways::Prepared)),
            Box::new(landmass::Crowd::new(&island, &ground, &course)),
            Box::new(waymark::Crowd::new(&tile, &course, Apart::Avoidance)),
            Box::new(waymark::Crowd::new(&tile, &course, Apart::Separation)),
        ];
        print(level.name, &race::run(&course, sides));
    }
}

/// Avoidance alone: everyone on a disc in an open plane wants to where its opposite stands.
fn run_discs() {
    for count in ON_DISCS {
        let course = Course::across_disc(count);
        let plane = ours::plane(&course);
        let sides: Vec<Box<dyn Side>> = vec![
            Box::new(ours::Crowd::new(&plane, &course, Ways::Searched)),
            Box::new(dodgy::Crowd::new(&course)),
        ];
        print("disc", &race::run(&course, sides));
    }
}

fn print_head() {
    println!(
        "| ground | agents | by | ms a step | p99 | arrived | goals | m/s | leaps | overlaps | most | deepest, m |"
    );
    println!("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
}

fn print(ground: &str, entries: &[Entry]) {
    for Entry { side, times, score } in entries {
        println!(
            "| {ground} | {} | {} | {:.2} | {:.2} | {} | {} | {:.2} | {} | {:.2} | {} | {:.3} |",
            score.agents(),
            side.name(),
            times.mean(),
            times.percentile(99),
            score.arrived(),
            score.goals(),
            score.speed(),
            score.leaps(),
            score.overlaps(),
            score.most_overlaps(),
            score.deepest(),
        );
    }
}
