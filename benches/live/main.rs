//! What an update of a level that changes costs, in parts of the whole bake, and how prepared routes
//! follow it: a crate of 1 m is moved. As Markdown tables. `cargo bench --bench live`.

use std::time::Instant;

use nalgebra::{Isometry3, Point3};
use surefoot::search::{Engine, Query};
use surefoot::{Agent, NavGrid, Navigator, SpanId};
use surefoot_bake::scene::{Placement, Scene};
use surefoot_bake::{BakeSettings, ColliderId, LiveBake, bake};
use surefoot_testing::{load, name, repository};

/// Each is timed so often; the least counts.
const TURNS: usize = 9;
/// The crate is moved so often before queries are timed.
const MOVES: usize = 100;
/// So many paths from anywhere to anywhere are timed.
const QUERIES: usize = 200;

fn main() {
    bakes();
    routes();
}

fn level(file: &str, cell_size: f32, drop: f32) -> (Scene, BakeSettings) {
    let scene = load(&repository().join("scenes").join(file));
    let agents = vec![Agent { drop, ..Agent::new("human") }];
    (scene, BakeSettings { cell_size: Some(cell_size), agents, ..Default::default() })
}

/// The level with a crate.
fn with_crate(scene: Scene, settings: &BakeSettings) -> (LiveBake, ColliderId) {
    let mut live = LiveBake::new(scene, settings, &()).expect("it bakes");
    let mut parts = live.builder();
    parts.cuboid("moved crate", [0.5; 3], Placement::at([0.0, 1.0, 0.0]));
    let ids = live.add(parts).expect("a crate");
    live.update(&()).expect("it bakes");
    (live, ids[0])
}

fn move_to(live: &mut LiveBake, id: ColliderId, [x, z]: [f32; 2]) -> usize {
    live.move_to(id, Isometry3::translation(x, 1.0, z)).expect("it is there");
    live.update(&()).expect("it bakes").cells_baked
}

/// What something returns, and how long it takes [s].
fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

fn bakes() {
    println!("| level | cells | spans | cells baked | update | whole bake | part |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (file, cell_size, drop) in
        [("village.glb", 0.2, 0.0), ("village.glb", 0.2, 3.0), ("two_storeys.glb", 0.1, 0.0)]
    {
        let (scene, settings) = level(file, cell_size, drop);
        let whole = |_| timed(|| bake(&scene, &settings, &()).expect("it bakes")).1;
        let whole = (0..TURNS).map(whole).fold(f64::INFINITY, f64::min);
        let (mut live, id) = with_crate(scene, &settings);
        let (mut update, mut cells) = (f64::INFINITY, 0);
        for turn in 0..TURNS {
            let (baked, time) = timed(|| move_to(&mut live, id, [0.1 * turn as f32, 0.0]));
            (update, cells) = (update.min(time), baked);
        }
        let what = if drop > 0.0 { ", drop 3 m" } else { "" };
        println!(
            "| {}{what} | {cell_size} | {} | {cells} | {:.1} ms | {:.1} ms | 1/{:.0} |",
            name(file.as_ref()),
            live.grid().spans().len(),
            1e3 * update,
            1e3 * whole,
            whole / update
        );
    }
}

fn routes() {
    println!(
        "\n| level | cells | spans | routes follow | routes anew | part | queries after {MOVES} moves |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (file, cell_size) in [("village.glb", 0.4), ("village.glb", 0.2), ("two_storeys.glb", 0.1)]
    {
        let (scene, settings) = level(file, cell_size, 0.0);
        let (mut live, id) = with_crate(scene, &settings);
        let mut followed = prepared(live.grid()).0;
        let mut follow = Vec::new();
        for turn in 0..MOVES {
            // Round a circle, a little further each time.
            let [x, z] = [f32::cos, f32::sin].map(|along| 3.0 * along(0.1 * turn as f32));
            move_to(&mut live, id, [x, z]);
            follow.push(timed(|| followed.set_grid(live.grid()).expect("the same agent")).1);
        }
        follow.sort_by(f64::total_cmp);
        let (mut fresh, mut anew) = prepared(live.grid());
        for _ in 1..3 {
            anew = anew.min(prepared(live.grid()).1);
        }
        let ends = ends(live.grid());
        let (mut times, mut sums) = ([f64::INFINITY; 2], [0.0; 2]);
        for _ in 0..TURNS {
            for (at, nav) in [&mut followed, &mut fresh].into_iter().enumerate() {
                let (sum, time) = timed(|| query_all(nav, &ends));
                (times[at], sums[at]) = (times[at].min(time), sum);
            }
        }
        assert_eq!(sums[0], sums[1], "the same costs");
        let middle = follow[follow.len() / 2];
        println!(
            "| {} | {cell_size} | {} | {:.1} ms (most {:.1}) | {:.0} ms | 1/{:.0} | × {:.2} |",
            name(file.as_ref()),
            live.grid().spans().len(),
            1e3 * middle,
            1e3 * follow[follow.len() - 1],
            1e3 * anew,
            anew / middle,
            times[0] / times[1]
        );
    }
}

/// A navigator with routes, and how long they took to prepare.
fn prepared(grid: &NavGrid) -> (Navigator, f64) {
    let mut nav = Navigator::new(grid.clone(), "human").expect("an agent");
    let ((), time) = timed(|| nav.prepare().expect("ground that comes apart"));
    (nav, time)
}

/// Places anywhere in the largest region.
fn ends(grid: &NavGrid) -> Vec<[Point3<f32>; 2]> {
    let nav = Navigator::new(grid.clone(), "human").expect("an agent");
    let agent = nav.view().agent_id();
    let standings = &grid.layers()[agent.index()].standings;
    let largest: Vec<u32> = (0..standings.len() as u32)
        .filter(|&span| standings[span as usize].region().is_some_and(|region| region.0 == 0))
        .collect();
    // Weyl's sequences spread evenly, and the same each time.
    let nth = |at: usize| largest[(at as u64 * 2_654_435_769 % largest.len() as u64) as usize];
    let point = |span: u32| grid.point(SpanId(span)).expect("a span");
    (1..=QUERIES).map(|at| [2 * at, 2 * at + 1].map(|at| point(nth(at)))).collect()
}

fn query_all(nav: &mut Navigator, ends: &[[Point3<f32>; 2]]) -> f64 {
    let cost = |&[from, to]: &[Point3<f32>; 2]| {
        let query = Query { engine: Some(Engine::Routes), ..Query::new(from, to) };
        nav.find(&query).path().map_or(0.0, |path| f64::from(path.corridor_cost()))
    };
    ends.iter().map(cost).sum()
}
