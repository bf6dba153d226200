//! Paths: surefoot, landmass and polyanya between the same places of the same levels, in one run.
//!
//! Real levels come from the folder in `SUREFOOT_DATA`. `cargo run --release --
//! [nav_test] [dungeon] [undulating] [quake_e1m1] [proto_level]`; all where none is named.

mod levels;
mod memory;
mod navmesh;
mod pairs;
mod quality;
mod race;
#[path = "../../../../tests/support/random.rs"]
mod random;
mod reference;
mod sides;
mod table;
mod wire;

use std::env;
use std::time::Instant;

use levels::{Ground, LEVELS, Source};
use navmesh::{Navmesh, Triangle};
use pairs::{Course, Pair};
use quality::Judge;
use race::Times;
use sides::{
    Asked, Counted, Found, Kind, Landmass, Ours, Points, Polyanya, Polygons, Side, Wanted,
};
use table::{Entry, Level};

fn main() {
    // Everybody bakes and prepares on one thread.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("no pool yet");
    let words: Vec<String> = env::args().skip(1).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    for word in &words {
        assert!(LEVELS.iter().any(|level| level.name == word), "there is no level {word:?}");
    }
    let levels = LEVELS.iter().filter(|level| wanted(level.name));
    let levels: Vec<Level> = levels.filter_map(measure).collect();
    if !levels.is_empty() {
        table::print(&levels);
    }
}

/// Everything about a level; none if its file is not there.
fn measure(source: &Source) -> Option<Level> {
    let scene = source.load()?;
    let ground = source.ground(&scene);
    let soup = levels::triangles(&scene);
    let start = Instant::now();
    let navmesh = Navmesh::bake(&soup, &source.body);
    let navmesh_seconds = start.elapsed().as_secs_f64();
    let triangles: Vec<Triangle> = navmesh.triangles().flatten().collect();
    let Course { pairs, shared } = Course::on(&ground.grid, &triangles);
    eprintln!("{}: baked, {} pairs", source.name, pairs.len());
    let mut sides = sides(&ground, &navmesh, source, &pairs);
    let times = race::run(&mut sides, pairs.len());
    let judge = Judge::new(&ground.grid, &source.slim_ground(&scene).grid);
    let entry = |(side, times): (&mut Box<dyn Side + '_>, Times)| {
        let answers = side.answers().into_iter().zip(&pairs);
        let walks = answers.map(|(path, pair)| judge.walk(&path?, pair)).collect();
        let (name, output, preparation) = (side.name(), side.output(), side.preparation());
        Entry { name, output, times, walks, preparation }
    };
    let references = if source.is_flat { judge.references(&pairs) } else { Vec::new() };
    let entries = sides.iter_mut().zip(times).map(entry).collect();
    Some(Level {
        name: source.name,
        spans: pairs::open_spans(&ground.grid).len(),
        grid_seconds: ground.seconds,
        polygons: navmesh.outlines().count(),
        triangles: triangles.len(),
        navmesh_seconds,
        shared,
        references,
        entries,
    })
}

fn sides<'a>(
    ground: &Ground,
    navmesh: &Navmesh,
    source: &Source,
    pairs: &'a [Pair],
) -> Vec<Box<dyn Side + 'a>> {
    let mut sides: Vec<Box<dyn Side + 'a>> = Vec::new();
    for wanted in [Wanted::Path, Wanted::Corridor] {
        for counted in [Counted::Length, Counted::Heights] {
            for found in [Found::Searched, Found::Prepared] {
                sides.push(Box::new(Ours::new(ground, pairs, Kind { counted, found, wanted })));
            }
        }
    }
    sides.push(Box::new(Landmass::new(navmesh, &source.body, pairs)));
    for (ground, points) in [
        (Polygons::Own, Points::Corners),
        (Polygons::Detail, Points::Corners),
        (Polygons::Detail, Points::OnGround),
    ] {
        sides.push(Box::new(Polyanya::new(navmesh, pairs, Asked { ground, points })));
    }
    sides
}
