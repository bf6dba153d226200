//! Random places to find paths between, the same in every run.

use glam::{Vec3, Vec3Swizzles};
use nalgebra::Point3;
use surefoot::view::View;
use surefoot::{AgentId, NavGrid, SpanId};

use crate::navmesh::{Triangle, locate};
use crate::random::Random;

pub const PAIRS: usize = 1000;
const SEED: u64 = 9;
/// A navmesh may lie this far below or above the grid's floor: on hills voxels do, and landmass looks
/// for ends within 0.75 m [m].
const SAME_FLOOR: f32 = 0.7;

/// Where paths begin and end.
pub type Pair = [Vec3; 2];

/// What everybody is asked for.
pub struct Course {
    pub pairs: Vec<Pair>,
    /// How many of the places that the body can stand on by the grid the navmesh has as well [%].
    pub shared: f64,
}

impl Course {
    /// Pairs of places that everybody can stand on, and that surefoot's regions join.
    pub fn on(grid: &NavGrid, triangles: &[Triangle]) -> Course {
        let view = View::new(grid, AgentId(0)).expect("one agent");
        let open = open_spans(grid);
        let random = Random(SEED);
        let mut places = Places { view: &view, open, triangles, random, seen: 0, shared: 0 };
        let mut pairs = Vec::new();
        while pairs.len() < PAIRS {
            let [(from, start), (to, goal)] = [places.next(), places.next()];
            if view.may_reach(from, to) {
                pairs.push([start, goal]);
            }
        }
        Course { pairs, shared: places.shared as f64 / places.seen as f64 * 100.0 }
    }
}

/// Places where the body can stand, without end.
struct Places<'a> {
    view: &'a View,
    open: Vec<SpanId>,
    triangles: &'a [Triangle],
    random: Random,
    /// Places by the grid so far, and how many of them the navmesh has as well.
    seen: usize,
    shared: usize,
}

impl Places<'_> {
    /// A place that everybody has.
    fn next(&mut self) -> (SpanId, Vec3) {
        loop {
            let span = self.open[self.random.below(self.open.len())];
            let at = anywhere_on(self.view.grid(), span, &mut self.random);
            if self.view.nearest_walkable(to_ours(at), 0.0) != Some((span, to_ours(at))) {
                continue;
            }
            self.seen += 1;
            if is_over(self.triangles, at) {
                self.shared += 1;
                return (span, at);
            }
        }
    }
}

/// Where the body can stand.
pub fn open_spans(grid: &NavGrid) -> Vec<SpanId> {
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    let standings = &grid.layers()[0].standings;
    spans.filter(|span| standings[span.index()].is_walkable()).collect()
}

/// A place over a span's cell, on its floor.
fn anywhere_on(grid: &NavGrid, span: SpanId, random: &mut Random) -> Vec3 {
    let center = grid.point(span).expect("a span of the grid");
    let mut off =
        || ((random.next() >> 40) as f32 / (1_u64 << 24) as f32 - 0.5) * grid.frame().cell_size;
    let (x, z) = (center.x + off(), center.z + off());
    Vec3::new(x, grid.ground_height(x, z, span).unwrap_or(center.y), z)
}

/// Whether a navmesh has ground there.
fn is_over(triangles: &[Triangle], at: Vec3) -> bool {
    triangles.iter().any(|corners| {
        let there = locate(corners, at.xz());
        there.inside >= 0.0 && (there.height - at.y).abs() <= SAME_FLOOR
    })
}

pub fn to_ours(point: Vec3) -> Point3<f32> {
    Point3::new(point.x, point.y, point.z)
}
