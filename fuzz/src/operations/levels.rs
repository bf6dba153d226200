//! The levels that everything happens on: small, and each with something of its own.

use std::sync::LazyLock;

use surefoot::grid::{Link, LinkKind, LinkLane};
use surefoot::{Agent, Cell, GridFrame, NavGrid, SpanId};
use surefoot_bake::{BakeSettings, bake};

/// Hills with holes, rooms with doors and links, two storeys, and an open plain.
pub(super) static LEVELS: LazyLock<[NavGrid; 4]> =
    LazyLock::new(|| [hills(), rooms(), storeys(), plain()]);

fn agents() -> [Agent; 2] {
    [Agent::new("human"), Agent { radius: 0.5, max_climb: 0.2, ..Agent::new("cart") }]
}

fn hills() -> NavGrid {
    let frame = GridFrame { cell_size: 0.5, min: Cell::new(-11, 40), size_x: 26, size_z: 22 };
    let height = |at: u32| match (at * 7) % 31 {
        0 => f32::NAN,
        step => (at % 26 / 4 + step / 9) as f32 * 0.12,
    };
    let heights: Vec<f32> = (0..26 * 22).map(height).collect();
    NavGrid::from_heights(frame, &heights, &agents()).expect("sound heights")
}

const ROOMS: &str = "type octile
height 11
width 17
map
.......@.........
.SSS...@...WWW...
.SSS.......WWW...
.SSS...@...WWW...
.......@.........
@@@.@@@@@@@@.@@@@
.......@.........
.......@....@....
...........@.@...
.......@....@....
.......@.........
";

fn rooms() -> NavGrid {
    let grid = NavGrid::from_map(ROOMS, 1.0, &agents()).expect("a sound map");
    let at = |x: f32, z: f32| grid.span_at([x, 0.0, z], 1.0).expect("ground");
    let ends = [[at(1.5, 0.5), at(15.5, 9.5)], [at(0.5, 10.5), at(16.5, 0.5)]];
    let kinds = [(LinkKind::Door, true), (LinkKind::Drop, false)];
    let layers = grid.layers().len();
    let links = ends.into_iter().zip(kinds).map(|(ends, (kind, two_way))| {
        let points = ends.map(|span: SpanId| grid.point(span).expect("a span"));
        let lanes = vec![vec![LinkLane::new(ends)]; layers];
        Link { two_way, cost: 3.0, lanes, ..Link::new(kind.name(), kind, points) }
    });
    let links = links.collect();
    let mut parts = grid.into_parts();
    parts.links = links;
    NavGrid::new(parts).expect("sound links")
}

fn storeys() -> NavGrid {
    let scene = surefoot_testing::repository().join("scenes/two_storeys.glb");
    let scene = surefoot_testing::load(&scene);
    let agents = agents().to_vec();
    let settings = BakeSettings { cell_size: Some(0.6), agents, ..BakeSettings::default() };
    bake(&scene, &settings, &()).expect("it bakes").grid
}

fn plain() -> NavGrid {
    let frame = GridFrame { cell_size: 0.7, min: Cell::new(0, 0), size_x: 24, size_z: 24 };
    NavGrid::from_heights(frame, &[0.0; 24 * 24], &agents()).expect("sound heights")
}
