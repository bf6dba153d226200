//! Where bodies start and where they go: at random, no two on the same ground.

use nalgebra::Point3;
use surefoot::grid::RegionId;
use surefoot::{AgentId, NavGrid, SpanId};

use super::{Passages, Random};

/// Where a body starts and where it is to go [m].
#[derive(Clone, Copy)]
pub struct Trip {
    pub from: Point3<f32>,
    pub to: Point3<f32>,
}

/// Bodies start, and goals are, at least this far apart [m].
const APART: f32 = 0.65;

/// The trips of bodies that change places between rooms, `count` from each; or of as many that go
/// anywhere. Empty if there is no room for so many.
pub fn trips_between(passages: &Passages, grid: &NavGrid, count: usize, seed: u64) -> Vec<Trip> {
    if passages.rooms.is_empty() {
        return trips_anywhere(grid, count, seed);
    }
    let is_shared = passages.rooms.len() > 2;
    let mut trips = Vec::new();
    let mut random = Random(seed);
    let share = if is_shared { count.div_ceil(2) } else { count };
    let mut starts = Vec::new();
    for rooms in passages.rooms.chunks(2) {
        let sides: [Vec<Point3<f32>>; 2] = [0, 1].map(|side| {
            let is_in = |point: &Point3<f32>| Passages::contains(&rooms[side], point.x, point.z);
            free_places(grid, is_in, &starts).draw(share, &mut random)
        });
        if sides.iter().any(|side| side.len() < share) {
            return Vec::new();
        }
        let pairs = sides[0].iter().zip(&sides[1]);
        for (&one, &other) in pairs {
            trips.extend([Trip { from: one, to: other }, Trip { from: other, to: one }]);
        }
        starts.extend(sides.concat());
    }
    trips
}

/// On levels larger than this, bodies stay within this distance of one place, so that they can arrive within some
/// minutes [m].
const FARTHEST: f32 = 250.0;

/// The trips of bodies that go from anywhere to anywhere in the largest region, or in some hundred metres of it.
pub fn trips_anywhere(grid: &NavGrid, count: usize, seed: u64) -> Vec<Trip> {
    let mut random = Random(seed);
    let all = free_places(grid, |_| true, &[]).0;
    let Some(middle) = all.get(all.len() / 2) else { return Vec::new() };
    let is_near = |place: &Point3<f32>| (place - middle).norm() < FARTHEST;
    let [from, to] = [0, 1].map(|_| free_places(grid, is_near, &[]).draw(count, &mut random));
    if from.len() < count || to.len() < count {
        return Vec::new();
    }
    from.into_iter().zip(to).map(|(from, to)| Trip { from, to }).collect()
}

/// Places that are not taken yet.
struct FreePlaces(Vec<Point3<f32>>);

/// The centers of the largest region's cells, but for those near places that are taken.
fn free_places(
    grid: &NavGrid,
    is_in: impl Fn(&Point3<f32>) -> bool,
    taken: &[Point3<f32>],
) -> FreePlaces {
    let human = AgentId(0);
    let spans = (0..grid.spans().len() as u32).map(SpanId);
    let spans = spans.filter(|&span| grid.region(human, span) == Some(RegionId(0)));
    let mut free: Vec<_> = spans.filter_map(|span| grid.point(span)).filter(is_in).collect();
    free.retain(|place| taken.iter().all(|other| (place - other).norm() >= APART));
    FreePlaces(free)
}

impl FreePlaces {
    /// Takes some at random, no two on the same ground; fewer if there is no room.
    fn draw(mut self, count: usize, random: &mut Random) -> Vec<Point3<f32>> {
        let mut found = Vec::new();
        while found.len() < count && !self.0.is_empty() {
            let place = self.0[random.below(self.0.len())];
            found.push(place);
            self.0.retain(|other| (place - other).norm() >= APART);
        }
        found
    }
}
