//! What generated links connect, and what they take: for each level the share of ordered pairs of places
//! that are connected for an agent that walks, that drops, and that jumps as well; how many links there
//! are; and the time of the bake with links, in multiples of the bake without. For levels whose lifts and
//! teleporters are given in this folder, the shares with those as well. As a Markdown table.
//!
//! `cargo bench --bench links -- [LEVEL]`. Real levels are read from the folder in `SUREFOOT_DATA`.

mod authored;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use surefoot::grid::{AgentId, SpanId};
use surefoot::{Agent, NavGrid};
use surefoot_bake::scene::Scene;
use surefoot_bake::{BakeSettings, bake};
use surefoot_testing::{Random, load, marked_places, name, own_scenes, real_scenes};

/// The only agent of each bake.
const AGENT: AgentId = AgentId(0);
/// Side of a cell [m].
const CELL: f32 = 0.15;
/// Places where a level marks none.
const PLACES: usize = 100;
/// Each bake is timed so often, in turns.
const TURNS: usize = 5;

fn main() {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with("--"));
    println!(
        "| level | walking | drops | all | walking, with authored | all, with authored \
         | links by kind | drops, time | all, time |"
    );
    println!("|---|--:|--:|--:|--:|--:|---|--:|--:|");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for path in own_scenes().into_iter().chain(real_scenes()) {
        if wanted.as_ref().is_none_or(|wanted| name(&path).contains(wanted.as_str())) {
            pool.install(|| measure(&path));
        }
    }
}

/// An agent of Quake's size that walks; that drops; that jumps and climbs as well.
fn agents() -> [Agent; 3] {
    let walker = Agent { radius: 0.4, height: 1.75, max_climb: 0.57, ..Agent::new("player") };
    let dropper = Agent { drop: 8.0, ..walker.clone() };
    let jumper = Agent { jump_up: 1.1, jump_across: 3.5, ..dropper.clone() };
    [walker, dropper, jumper]
}

fn measure(path: &Path) {
    let (level, scene) = (name(path), load(path));
    let mut least = [f64::INFINITY; 3];
    let mut grids = Vec::new();
    for _ in 0..TURNS {
        grids.clear();
        for (agent, least) in agents().into_iter().zip(&mut least) {
            let start = Instant::now();
            grids.push(baked(&scene, agent));
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    let places = places(&grids[0], &marked_places(path));
    let percent = |grid: &NavGrid| format!("{:.1} %", 100.0 * share(grid, &places));
    let [walking, drops, all] = [0, 1, 2].map(|at| percent(&grids[at]));
    let [walker, _, jumper] = agents();
    let authored = authored::marks(&level).map(|marks| {
        let scene = Scene::load(path, &marks).unwrap_or_else(|error| panic!("{error}"));
        [walker, jumper].map(|agent| percent(&baked(&scene, agent))).join(" | ")
    });
    let authored = authored.unwrap_or_else(|| " | ".to_owned());
    let mut kinds = BTreeMap::new();
    for link in grids[2].links() {
        *kinds.entry((link.kind.name(), link.two_way)).or_insert(0) += 1;
    }
    let kind = |((kind, two_way), count): (&(&str, bool), &usize)| {
        let both = if *two_way { " both ways" } else { "" };
        format!("{count} {kind}{both}")
    };
    let kinds: Vec<String> = kinds.iter().map(kind).collect();
    let [drop_time, time] = [1, 2].map(|at| least[at] / least[0]);
    println!(
        "| {level} | {walking} | {drops} | {all} | {authored} | {} | {drop_time:.2} | {time:.2} |",
        kinds.join(", ")
    );
}

fn baked(scene: &Scene, agent: Agent) -> NavGrid {
    let agents = vec![agent];
    let settings = BakeSettings { cell_size: Some(CELL), agents, ..BakeSettings::default() };
    bake(scene, &settings, &()).expect("it bakes").grid
}

/// The spans under marked places, or random ones.
fn places(grid: &NavGrid, marked: &[[f32; 3]]) -> Vec<SpanId> {
    if !marked.is_empty() {
        let under = |place: &[f32; 3]| grid.nearest_walkable(AGENT, *place, 2.0);
        return marked.iter().filter_map(under).map(|(span, _)| span).collect();
    }
    let walkable = |span: &SpanId| grid.is_walkable(AGENT, *span);
    let all: Vec<_> = (0..grid.spans().len() as u32).map(SpanId).filter(walkable).collect();
    let mut random = Random(1);
    (0..PLACES).map(|_| all[random.below(all.len())]).collect()
}

/// The share of ordered pairs of places of which the first reaches the second.
fn share(grid: &NavGrid, places: &[SpanId]) -> f64 {
    let regions: Vec<_> = places.iter().filter_map(|&span| grid.region(AGENT, span)).collect();
    let (mut connected, mut pairs) = (0, 0);
    for (at, &from) in regions.iter().enumerate() {
        for (other, &to) in regions.iter().enumerate() {
            if at != other {
                pairs += 1;
                connected += usize::from(grid.region_reaches(AGENT, from, to));
            }
        }
    }
    connected as f64 / pairs.max(1) as f64
}
