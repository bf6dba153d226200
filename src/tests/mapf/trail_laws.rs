//! Bodies walk from place to place as straight as they can, the same way there and back.

use nalgebra::Point3;

use crate::mapf::PlaceId;
use crate::path::{GridSight, Sight};
use crate::search::Random;
use crate::tests::mapf::level::{Level, random_map};
use crate::view::NavPoint;

/// On random maps: no point of a trail can be left out, and the way back is the way there.
#[test]
fn trails_have_no_needless_points() {
    let (mut random, mut turns) = (Random(1), 0);
    for seed in 0..60 {
        let Some(map) = random_map(seed) else { continue };
        let size = 0.5 * map.lines().count() as f32;
        let mut start = || [0; 2].map(|_| size * random.below(1000) as f32 / 1000.0);
        let starts = [0; 5].map(|_| start());
        let level = Level::with_starts(&map, &starts);
        let view = level.view();
        for from in 0..level.graph.len() as PlaceId {
            for step in level.graph.steps(from) {
                let trail = level.graph.trail(step);
                for points in trail.windows(3) {
                    let is_needless = GridSight.is_clear(&view, &points[0], &points[2]);
                    assert!(!is_needless, "map {seed}: {points:?}");
                    turns += 1;
                }
                let back = level.graph.step(step.to, from).expect("a step back");
                assert!(level.graph.trail(back).iter().rev().eq(trail), "map {seed}");
            }
        }
    }
    assert!(turns > 100, "{turns}");
}

/// Where bodies may push each other, one that is wedged against another is not kept from going away from it, although
/// the ground leads it a little nearer to the other at first.
#[test]
fn who_is_wedged_may_go_away() {
    let (mut random, mut wedged) = (Random(1), 0);
    for seed in 0..60 {
        let Some(map) = random_map(seed) else { continue };
        let size = 0.5 * map.lines().count() as f32;
        let first = [0; 2].map(|_| size * random.below(1000) as f32 / 1000.0);
        let second = first.map(|at| at + random.between(-0.6, 0.6));
        let graph = Level::with_pushing(&map, &[first, second]).graph;
        let steps = |from: PlaceId| graph.steps(from).iter().map(move |step| (from, step));
        for (from, step) in (0..graph.len() as PlaceId).flat_map(steps) {
            let trail = graph.trail(step);
            let others = graph.points.iter().zip(0..);
            for (other, place) in others.filter(|(_, place)| ![from, step.to].contains(place)) {
                let gap = |at: &Point3<f32>| (other.point - at).norm();
                let [at_first, at_rest] = [0, trail.len() - 1].map(|end| gap(&trail[end].point));
                let nearest = along(trail).map(|at| gap(&at)).fold(f32::INFINITY, f32::min);
                if at_rest > at_first && nearest > at_first - 0.1 {
                    let is_in_the_way = graph.in_the_way(step).contains(&place);
                    assert!(
                        !is_in_the_way,
                        "map {seed}: {place} on the way from {from} to {}",
                        step.to
                    );
                    wedged += usize::from(nearest < (at_first - 0.01).min(0.54));
                }
            }
        }
    }
    assert!(wedged > 10, "{wedged}");
}

/// Points on a trail, close together.
fn along(trail: &[NavPoint]) -> impl Iterator<Item = Point3<f32>> {
    trail.windows(2).flat_map(|ends| {
        let [from, to] = [ends[0].point, ends[1].point];
        (0..=20).map(move |part| from + (to - from) * (part as f32 / 20.0))
    })
}
