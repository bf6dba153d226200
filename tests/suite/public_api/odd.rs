//! Odd arguments: values that a sound program would not pass, and the grids to pass them with.

use nalgebra::Point3;
use surefoot::cost::{CostLowerBound, CostModel, Edge};
use surefoot::grid::{AgentKey, Link, LinkKind, LinkLane};
use surefoot::{Agent, AgentId, Cell, GridFrame, NavGrid, SpanId, View};

pub const FLOATS: [f32; 12] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    0.0,
    -0.0,
    1e-45,
    -1.0,
    0.5,
    2.5,
    1e30,
    f32::MAX,
    f32::MIN,
];
/// The oddest of the numbers, where every combination of three is tried.
pub const FEW: [f32; 6] = [f32::NAN, f32::INFINITY, f32::MIN, 0.5, 2.5, 1e30];
pub const IDS: [u32; 6] = [0, 1, 7, i32::MAX as u32, u32::MAX - 1, u32::MAX];
pub const INTEGERS: [i32; 6] = [i32::MIN, -1, 0, 2, 1 << 30, i32::MAX];
pub const COUNTS: [usize; 5] = [0, 1, 9, u32::MAX as usize + 1, usize::MAX];

/// All pairs of odd numbers.
pub fn pairs() -> impl Iterator<Item = [f32; 2]> {
    FLOATS.into_iter().flat_map(|a| FLOATS.map(|b| [a, b]))
}

/// Points of the oddest numbers.
pub fn points() -> impl Iterator<Item = Point3<f32>> {
    let rows = FEW.into_iter().flat_map(|x| FEW.map(|y| [x, y]));
    rows.flat_map(|[x, y]| FEW.map(|z| Point3::new(x, y, z)))
}

pub fn spans() -> [SpanId; 6] {
    IDS.map(SpanId)
}

pub fn agents() -> [AgentId; 3] {
    [0, 1, u16::MAX].map(AgentId)
}

pub fn cells() -> impl Iterator<Item = Cell> {
    INTEGERS.into_iter().flat_map(|x| INTEGERS.map(|z| Cell::new(x, z)))
}

pub fn frames() -> Vec<GridFrame> {
    let mut frames = Vec::new();
    for cell_size in FLOATS {
        for min in [Cell::new(i32::MIN, i32::MAX), Cell::new(0, 0), Cell::new(i32::MAX, -3)] {
            for [size_x, size_z] in [[0, 0], [0, 3], [3, 0], [2, 2], [u32::MAX; 2]] {
                frames.push(GridFrame { cell_size, min, size_x, size_z });
            }
        }
    }
    frames
}

/// Sound grids: without cells, without agents, of one cell, with a link, and far from the origin.
pub fn grids() -> Vec<NavGrid> {
    let frame = |at: i32, size: u32| GridFrame {
        cell_size: 1.0,
        min: Cell::new(at, at),
        size_x: size,
        size_z: size,
    };
    let human = [Agent::new("human"), Agent { radius: 0.6, ..Agent::new("large") }];
    let heights = |at, size: u32, agents: &[Agent]| {
        let heights: Vec<f32> = (0..size * size).map(|cell| 0.1 * cell as f32).collect();
        NavGrid::from_heights(frame(at, size), &heights, agents)
    };
    let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n.SW..\n..@..\n";
    let level = NavGrid::from_map(map, 1.0, &human).expect("a sound map");
    let far = (1 << 24) - 8;
    let grids = [heights(0, 0, &human), heights(0, 2, &[]), heights(0, 1, &human)];
    let far = [heights(far, 4, &human), heights(-far, 4, &human)];
    let sound = grids.into_iter().chain(far).map(|grid| grid.expect("a sound grid"));
    sound.chain([with_link(&level), level]).collect()
}

/// The grid with a link between its first and last span.
fn with_link(grid: &NavGrid) -> NavGrid {
    let mut parts = grid.clone().into_parts();
    let ends = [SpanId(0), SpanId(parts.spans.len() as u32 - 1)];
    let points = ends.map(|span| grid.point(span).expect("a span"));
    parts.links.push(Link {
        cost: 2.0,
        lanes: vec![vec![LinkLane::new(ends)]; parts.layers.len()],
        ..Link::new("rope", LinkKind::Authored, points)
    });
    NavGrid::new(parts).expect("a sound link")
}

/// Views of all agents of all odd grids, and one of a larger grid that fits none of them.
pub fn views() -> Vec<View> {
    let grids = grids();
    let views = grids.iter().flat_map(|grid| {
        let known = agents().into_iter().filter(|agent| agent.find_in(grid).is_ok());
        known.map(|agent| View::new(grid, agent).expect("a known agent")).collect::<Vec<_>>()
    });
    views.collect()
}

/// A cost model that answers everything with one odd number.
#[derive(Clone, Copy, Debug)]
pub struct OddCost(pub f32);

impl CostModel for OddCost {
    fn cost(&self, _: &Edge) -> f32 {
        self.0
    }

    fn lower_bound(&self, _: &View) -> CostLowerBound {
        CostLowerBound { straight: self.0, diagonal: self.0, ascend: self.0, descend: self.0 }
    }

    fn units(&self, _: &View) -> f32 {
        self.0
    }
}
