//! Bodies walk from place to place as straight as they can, the same way there and back.

use crate::mapf::PlaceId;
use crate::path::{GridSight, Sight};
use crate::search::Random;
use crate::tests::mapf::level::{Level, random_map};

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
