//! Far paths beside the paths of one grid: in a square that fits into memory, what they cost and how long they take.

use std::time::Instant;

use nalgebra::Point3;
use surefoot::world::World;
use surefoot::{Navigator, SpanId};
use surefoot_testing::Random;

use super::{HUMAN, Times};

/// So many pairs of places are compared.
const PAIRS: usize = 200;

/// Compares far paths with those of the whole grid in the middle of a world, in a square of some side [m].
pub(super) fn compare(world: &World, side: f32) {
    let (low, high) = world.info().frame.bounds();
    let middle = [0, 1].map(|axis| 0.5 * (low[axis] + high[axis]));
    let half = 0.5 * side;
    let rect = [middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half];
    let grid = world.load(rect).expect("a square of the world");
    println!("a square of {side} m: {} spans", grid.spans().len());
    let routes = world.far_routes(&grid.layers()[HUMAN.index()].agent.name).expect("border costs");
    let start = Instant::now();
    let mut nav = Navigator::new(grid.clone(), HUMAN).expect("an agent");
    nav.prepare().expect("routes");
    let prepared = start.elapsed();
    println!(
        "prepared routes of the square: {prepared:.1?}, {} MB; border costs of the world: {} MB",
        nav.route_bytes() / 1_000_000,
        routes.bytes() / 1_000_000
    );
    let mut random = Random(7);
    // Paths out of the square and back may be cheaper: both ends lie in its inner half.
    let mut place = || loop {
        let span = SpanId(random.below(grid.spans().len()) as u32);
        let is_joined = grid.region(HUMAN, span).is_some_and(|region| region.0 == 0);
        let point = grid.point(span).filter(|_| is_joined);
        let is_inside = |point: &Point3<f32>| {
            (point.x - middle[0]).abs().max((point.z - middle[1]).abs()) < 0.5 * half
        };
        if let Some(point) = point.filter(is_inside) {
            break point;
        }
    };
    let pairs: Vec<[Point3<f32>; 2]> = (0..PAIRS).map(|_| [place(), place()]).collect();
    let [mut far_times, mut known_times, mut cost_times, mut path_times] =
        [(); 4].map(|()| Times::default());
    let (mut ratios, mut metres) = (Vec::new(), 0.0);
    for &[from, to] in &pairs {
        let far = far_times.take(|| world.far_path(&routes, from, to)).expect("a far path");
        known_times.take(|| world.far_path(&routes, from, to)).expect("a far path");
        let cost = cost_times.take(|| nav.cost(from, to)).expect("a path");
        path_times.take(|| nav.path(from, to)).expect("a path");
        ratios.push(far.cost / cost);
        metres += (to - from).norm() / PAIRS as f32;
    }
    ratios.sort_unstable_by(f32::total_cmp);
    let mean = ratios.iter().sum::<f32>() / PAIRS as f32;
    println!(
        "{PAIRS} pairs, {metres:.0} m apart on average: far cost / least cost over connections: mean {mean:.4}, \
         least {:.4}, most {:.4}",
        ratios[0],
        ratios[PAIRS - 1]
    );
    far_times.print("far path");
    known_times.print("far path, its ends known");
    cost_times.print("the grid's cost by prepared routes");
    path_times.print("the grid's path by prepared routes");
}
