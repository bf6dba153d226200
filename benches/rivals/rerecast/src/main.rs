//! surefoot against rerecast: the time of a bake, and what each calls walkable.
//!
//! Both get the same triangles, agent and cell size. rerecast bakes on one thread, surefoot on one
//! and on two. Real levels come from the folder in `SUREFOOT_DATA`.
//! `cargo run --release -- [speed] [floors]`; both where none is named.

mod compare;
mod level;
mod ours;
mod theirs;
#[path = "../../../bake/timing.rs"]
mod timing;

use std::env;

use rayon::ThreadPool;

use level::Level;
use timing::{alternate, millis, ratio};

const TURNS: usize = 15;

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let wanted = |part: &str| words.is_empty() || words.iter().any(|word| word == part);
    let levels = Level::all();
    if wanted("speed") {
        print_speed(&levels);
    }
    if wanted("floors") {
        compare::print_floors(&levels);
    }
}

fn print_speed(levels: &[Level]) {
    println!("\n### Whole bakes, milliseconds\n");
    println!(
        "| level | triangles | surefoot's threads | rerecast, one agent | surefoot, one agent | ratio | surefoot, three agents | ratio |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    for threads in [1, 2] {
        let pool = ours::pool(threads);
        levels.iter().for_each(|level| print_bakes(level, &pool));
    }
}

fn print_bakes(level: &Level, pool: &ThreadPool) {
    let (one, three) = (ours::settings(&[ours::RECAST]), ours::settings(&ours::THREE));
    let [rerecast, one, three] = alternate(
        TURNS,
        [
            &mut || drop(theirs::bake(level.triangles())),
            &mut || drop(ours::bake(level, &one, pool)),
            &mut || drop(ours::bake(level, &three, pool)),
        ],
    );
    println!(
        "| {} | {} | {} | {:.1} | {:.1} | **{:.2}** | {:.1} | **{:.2}** |",
        level.name,
        level.triangles().indices.len(),
        pool.current_num_threads(),
        millis(rerecast),
        millis(one),
        ratio(one, rerecast),
        millis(three),
        ratio(three, rerecast),
    );
}
