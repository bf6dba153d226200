//! How long gatherings take until all have arrived, with a picture of each in `target/crowd`, and
//! what a step costs on open ground, by the number of bodies.
//!
//! `cargo bench --bench crowd -- [gatherings] [numbers]`; both if none is named.

mod gatherings;

use std::time::Instant;

use surefoot::follow::FollowSettings;
use surefoot::{Agent, AgentId, Cell, Crowd, GridFrame, HeightCost, NavGrid};

/// Length of a step [s].
pub const DT: f32 = 1.0 / 30.0;
/// The only agent.
pub const HUMAN: AgentId = AgentId(0);

fn main() {
    // Cargo adds options of its own, such as `--bench`.
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wanted = |part: &str| words.is_empty() || words.iter().any(|word| word == part);
    if wanted("gatherings") {
        gatherings::print();
    }
    if wanted("numbers") {
        numbers();
    }
}

/// Level ground or hills.
pub fn ground(size: [u32; 2], height: impl Fn([f32; 2]) -> f32) -> NavGrid {
    let frame =
        GridFrame { cell_size: 0.25, min: Cell::new(0, 0), size_x: size[0], size_z: size[1] };
    let heights: Vec<f32> =
        (0..frame.cells()).map(|at| height(frame.center(frame.cell(at)))).collect();
    NavGrid::from_heights(frame, &heights, &[Agent::new("human")]).expect("sound heights")
}

/// Hills of 200 by 200 m; everyone walks 80 m, in all four directions.
fn numbers() {
    let hills = ground([800, 800], |[x, z]| 3.0 * (0.05 * x).sin() * (0.04 * z).cos());
    println!("| bodies on hills | ms a step, 1 thread | µs a body | ms, all threads |");
    println!("|--:|--:|--:|--:|");
    for count in [1250, 2500, 5000, 10_000] {
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let alone = one.install(|| step_time(&hills, count));
        let together = step_time(&hills, count);
        let each = alone * 1e3 / count as f64;
        println!("| {count} | {alone:.2} | {each:.2} | {together:.2} |");
    }
}

/// The mean time of a step once all are walking [ms].
fn step_time(grid: &NavGrid, count: usize) -> f64 {
    let mut crowd = Crowd::new(grid.clone(), HeightCost::FLAT);
    let side = (count as f32).sqrt().ceil() as usize;
    for at in 0..count {
        let start = [at % side, at / side].map(|place| (place as f32 + 0.5) * 200.0 / side as f32);
        let mut goal = start;
        let axis = at % 2;
        goal[axis] += if start[axis] < 100.0 { 80.0 } else { -80.0 };
        let [start, goal] = [start, goal].map(|[x, z]| [x, 0.0, z]);
        let id = crowd.add(HUMAN, start, FollowSettings::default()).expect("ground");
        crowd.set_goal(id, goal);
    }
    // Nearly all have a path after ten seconds, and have not arrived after fifteen.
    let steps = |crowd: &mut Crowd, seconds: f32| {
        let start = Instant::now();
        for _ in 0..(seconds / DT) as usize {
            crowd.step(DT);
        }
        start.elapsed().as_secs_f64() * 1e3 / f64::from(seconds / DT)
    };
    steps(&mut crowd, 10.0);
    let time = steps(&mut crowd, 5.0);
    let walking = crowd.members().filter(|member| member.remaining_distance() > Some(1.0)).count();
    assert!(walking * 10 > count * 9, "only {walking} of {count} still walk");
    time
}
