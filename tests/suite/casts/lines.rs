//! Surfaces over lines on the ground: what the tiled caster computes, against rays.

use surefoot::grid::GridFrame;
use surefoot_bake::casts::{
    Caster, CollisionWorld, GroundLine, RapierCaster, Section, TileCaster, TiledCaster,
};

use surefoot_testing::Random;

/// Lines a scene.
const LINES: usize = 400;
/// Rays a line.
const RAYS: usize = 6;
/// Closer to the end of a section a ray may hit or miss [m].
const NEAR_EDGE: f32 = 2e-3;
/// How far apart a section and a ray may be [m], on level ground; more by the slope.
const SAME_HEIGHT: f32 = 2e-3;

/// Tops of round solids are straight between sixteenths of a line [m].
const SAME_ROUND_HEIGHT: f32 = 2e-2;

/// All of a scene, as a tile.
fn whole(world: &CollisionWorld) -> GridFrame {
    let (low, high) = world.bounds().expect("not empty");
    GridFrame::covering(0.25, [low.x, low.z], [high.x, high.z]).expect("not too large")
}

fn random_line(frame: &GridFrame, random: &mut Random) -> GroundLine {
    let (min, max) = frame.bounds();
    let mut part = || random.below(1 << 16) as f32 / (1 << 16) as f32;
    let start = [0, 1].map(|i| min[i] + (max[i] - min[i]) * part());
    let end = [0, 1].map(|i| (start[i] + part() - 0.5).clamp(min[i], max[i]));
    GroundLine { ends: [start, end], heights: [-1e4, 1e4] }
}

/// Whether a section's end is so near to a place on its line that a ray may miss it.
fn is_near_end(section: &Section, along: f32, length: f32) -> bool {
    section.along.iter().any(|end| (end - along).abs() * length < NEAR_EDGE)
}

fn check(path: &std::path::Path) {
    let world = CollisionWorld::new(&surefoot_testing::load(path)).expect("a world");
    let rapier = RapierCaster::new(&world).expect("rapier takes it");
    let tiled = TiledCaster::new(&world);
    let frame = whole(&world);
    let (rays, mut lines) = (rapier.tile(&frame, &[]), tiled.tile(&frame, &[]));
    let (mut random, mut sections, mut hits) = (Random(11), Vec::new(), Vec::new());
    let mut compared = 0;
    for _ in 0..LINES {
        let line = random_line(&frame, &mut random);
        let [from, to] = line.ends;
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        lines.sections(&line, &mut sections);
        for ray in 0..RAYS {
            let along = (ray as f32 + 0.5) / RAYS as f32;
            if sections.iter().any(|section| is_near_end(section, along, length)) {
                continue;
            }
            rays.hits_at(line.at(along), line.heights, &mut hits);
            let over = sections.iter().filter(|s| (s.along[0]..=s.along[1]).contains(&along));
            for section in over {
                let part = (along - section.along[0]) / (section.along[1] - section.along[0]);
                let y = section.y[0] + (section.y[1] - section.y[0]) * part;
                // A steep surface is met higher or lower by a hair of a place.
                let is_round = section.edge.is_none() && section.up == 1.0;
                let level = if is_round { SAME_ROUND_HEIGHT } else { SAME_HEIGHT };
                let tolerance = level / section.up.abs().max(1e-3);
                let is_met = hits.iter().any(|hit| (hit.y - y).abs() < tolerance);
                assert!(is_met, "{}: {line:?} {along}: {section:?}", surefoot_testing::name(path));
                compared += 1;
            }
            // The undersides of round solids have no sections; no agent stands there.
            for hit in hits.iter().filter(|hit| hit.faces_up()) {
                let over = |s: &&Section| (s.along[0]..=s.along[1]).contains(&along);
                let is_known = sections.iter().filter(over).any(|s| s.solid == hit.solid);
                assert!(is_known, "{}: {line:?} {along}: {hit:?}", surefoot_testing::name(path));
            }
        }
    }
    println!("{:>24} {compared} places", surefoot_testing::name(path));
    assert!(compared > 0);
}

#[test]
fn sections_are_what_rays_meet_on_own_scenes() {
    surefoot_testing::own_scenes().iter().for_each(|path| check(path));
}

#[test]
fn sections_are_what_rays_meet_on_real_scenes() {
    surefoot_testing::real_scenes().iter().for_each(|path| check(path));
}
