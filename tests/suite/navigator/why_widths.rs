//! Widths of what is in the way are those of the geometry, however it lies to the cells.
//!
//! Each level has two places and one thing between them, of a size that is known, anywhere and at any
//! angle.

use nalgebra::{Isometry3, Point3, Vector3};
use surefoot::diagnosis::{Blocker, Separation, Shortfall};
use surefoot::{Agent, AgentId, NavGrid, Navigator};
use surefoot_bake::scene::{Placement, Scene, SceneBuilder};
use surefoot_bake::{BakeSettings, bake};
use surefoot_testing::Random;

/// Sizes are named to less than a centimetre [m].
const FINE: f32 = 0.006;
/// Levels of each kind.
const LEVELS: u64 = 12;

/// A level in which x leads from one place to the other, turned and moved as a whole.
struct Level {
    builder: SceneBuilder,
    pose: Isometry3<f32>,
    random: Random,
}

impl Level {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut part = |most: f32| most * random.below(10_000) as f32 / 10_000.0;
        let at = Vector3::new(part(1.0), part(3.0) - 1.0, part(1.0));
        let pose = Isometry3::new(at, Vector3::y() * part(std::f32::consts::TAU));
        Level { builder: SceneBuilder::new("level"), pose, random }
    }

    /// A number from a range.
    fn pick(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.random.below(10_000) as f32 / 10_000.0
    }

    /// Adds a box, from its least to its greatest corner [m].
    fn add(&mut self, name: &str, min: [f32; 3], max: [f32; 3]) {
        let half = [0, 1, 2].map(|axis| 0.5 * (max[axis] - min[axis]));
        let middle = [0, 1, 2].map(|axis| 0.5 * (max[axis] + min[axis]));
        let at = self.pose * nalgebra::Translation3::from(middle);
        self.builder.cuboid(name, half, Placement::from(at));
    }

    /// A hall with a roof, so that nothing leads over its walls.
    fn hall(&mut self) {
        self.add("Floor", [-5.0, -0.2, -3.5], [5.0, 0.0, 3.5]);
        self.add("Roof", [-5.0, 2.4, -3.5], [5.0, 2.6, 3.5]);
        self.add("North", [-5.0, 0.0, -3.5], [5.0, 2.4, -3.0]);
        self.add("South", [-5.0, 0.0, 3.0], [5.0, 2.4, 3.5]);
    }

    fn scene(self) -> (Scene, Isometry3<f32>) {
        (self.builder.build().expect("a sound scene"), self.pose)
    }

    /// What separates x = -4 from x = 4, at a height there [m].
    fn separation(self, cell_size: f32, y: f32) -> Separation {
        let (scene, pose) = self.scene();
        let ends = [[-4.0, 0.0, 0.0], [4.0, y, 0.0]].map(|at| pose * Point3::from(at));
        separation(&baked(&scene, cell_size), ends)
    }
}

fn baked(scene: &Scene, cell_size: f32) -> NavGrid {
    let settings = BakeSettings {
        agents: vec![Agent::new("human")],
        cell_size: Some(cell_size),
        ..BakeSettings::default()
    };
    bake(scene, &settings, &()).expect("it bakes").grid
}

fn separation(grid: &NavGrid, [from, to]: [Point3<f32>; 2]) -> Separation {
    let nav = Navigator::new(grid.clone(), AgentId(0)).expect("it has an agent");
    nav.why_not(from, to).expect("both ends are walkable")
}

#[track_caller]
fn only(separation: Separation, seed: u64) -> Blocker {
    assert_eq!(separation.blockers.len(), 1, "level {seed}: {separation}");
    separation.blockers.into_iter().next().expect("there is one")
}

#[track_caller]
fn check(found: f32, expected: f32, seed: u64) {
    assert!((found - expected).abs() <= FINE, "level {seed}: {found}, not {expected}");
}

/// Whether a blocker is at a place of the level that was not turned yet [m].
#[track_caller]
fn check_place(blocker: &Blocker, expected: Point3<f32>, seed: u64) {
    let off = (blocker.at - expected).norm();
    assert!(off < 0.5, "level {seed}: {blocker} is {off} m from {expected}");
}

fn passage_width(blocker: &Blocker, seed: u64) -> f32 {
    let Shortfall::NarrowPassage { width: Some(width), body: _ } = blocker.shortfall else {
        panic!("level {seed}: {blocker}")
    };
    width
}

/// Walls as thick as a cell or more: a thinner one may be taken for what is in the way.
#[test]
fn doors_are_as_wide_as_they_are() {
    for seed in 0..LEVELS {
        let mut level = Level::new(seed);
        level.hall();
        let (width, thick) = (level.pick(0.4, 0.59), level.pick(0.3, 0.6));
        let aside = level.pick(-1.0, 1.0);
        let [north, south] = [aside - 0.5 * width, aside + 0.5 * width];
        level.add("Left", [0.0, 0.0, -3.0], [thick, 2.4, north]);
        level.add("Right", [0.0, 0.0, south], [thick, 2.4, 3.0]);
        let place = level.pose * Point3::new(0.5 * thick, 0.0, aside);
        let cell_size = level.pick(0.1, 0.26);
        let door = only(level.separation(cell_size, 0.0), seed);
        check(passage_width(&door, seed), width, seed);
        check_place(&door, place, seed);
    }
}

#[test]
fn the_way_past_a_pillar_is_as_wide_as_it_is() {
    for seed in 0..LEVELS {
        let mut level = Level::new(100 + seed);
        level.hall();
        let (width, radius) = (level.pick(0.35, 0.58), level.pick(0.3, 0.7));
        let z = 3.0 - width - radius;
        let at = level.pose * nalgebra::Translation3::new(0.0, 1.2, z);
        level.builder.cylinder("Pillar", [1.2, radius], Placement::from(at));
        // What is left on the other side is closed.
        level.add("Screen", [-0.4, 0.0, -3.0], [0.4, 2.4, z]);
        let place = level.pose * Point3::new(0.0, 0.0, 3.0 - 0.5 * width);
        let cell_size = level.pick(0.1, 0.2);
        let passage = only(level.separation(cell_size, 0.0), seed);
        check(passage_width(&passage, seed), width, seed);
        check_place(&passage, place, seed);
    }
}

/// A passage is in the way once, however long it is.
#[test]
fn long_passages_are_named_once() {
    for seed in 0..LEVELS {
        let mut level = Level::new(200 + seed);
        level.hall();
        let (width, long) = (level.pick(0.4, 0.66), level.pick(1.0, 5.0));
        level.add("Left", [-0.5 * long, 0.0, -3.0], [0.5 * long, 2.4, -0.5 * width]);
        level.add("Right", [-0.5 * long, 0.0, 0.5 * width], [0.5 * long, 2.4, 3.0]);
        let separation = level.separation(0.15, 0.0);
        if width < 0.6 || !separation.is_connected() {
            check(passage_width(&only(separation, seed), seed), width, seed);
        }
    }
}

#[test]
fn gaps_are_as_wide_as_they_are() {
    for seed in 0..LEVELS {
        let mut level = Level::new(300 + seed);
        let width = level.pick(0.4, 2.5);
        let rise = if seed % 2 == 0 { 0.0 } else { level.pick(0.5, 1.2) };
        level.add("Near", [-5.0, -0.2, -2.0], [-0.5 * width, 0.0, 2.0]);
        level.add("Far", [0.5 * width, rise - 0.2, -2.0], [5.0, rise, 2.0]);
        let cell_size = level.pick(0.1, 0.26);
        let gap = only(level.separation(cell_size, rise), seed);
        let Shortfall::Gap { width: found, rise: up } = gap.shortfall else {
            panic!("level {seed}: {gap}")
        };
        check(found, width, seed);
        check(up, rise, seed);
    }
}

#[test]
fn of_two_gaps_with_an_island_both_are_named() {
    let mut level = Level::new(1);
    level.add("Near", [-5.0, -0.2, -2.0], [-2.0, 0.0, 2.0]);
    level.add("Island", [-1.1, -0.2, -2.0], [0.9, 0.0, 2.0]);
    level.add("Far", [2.4, -0.2, -2.0], [5.0, 0.0, 2.0]);
    let separation = level.separation(0.25, 0.0);
    let widths: Vec<_> = separation
        .blockers
        .iter()
        .filter_map(|blocker| match blocker.shortfall {
            Shortfall::Gap { width, .. } => Some(width),
            _ => None,
        })
        .collect();
    assert_eq!(widths.len(), 2, "{separation}");
    check(widths[0], 0.9, 1);
    check(widths[1], 1.5, 1);
}

#[test]
fn ledges_are_as_wide_as_they_are() {
    for seed in 0..LEVELS {
        let mut level = Level::new(400 + seed);
        let (width, long) = (level.pick(0.35, 0.55), level.pick(1.5, 4.0));
        level.add("Near", [-5.0, -0.2, -2.0], [-0.5 * long, 0.0, 2.0]);
        level.add("Far", [0.5 * long, -0.2, -2.0], [5.0, 0.0, 2.0]);
        level.add("Plank", [-0.5 * long, -0.2, -0.5 * width], [0.5 * long, 0.0, 0.5 * width]);
        let cell_size = level.pick(0.08, 0.15);
        let ledge = only(level.separation(cell_size, 0.0), seed);
        let Shortfall::NarrowLedge { width: Some(found), .. } = ledge.shortfall else {
            panic!("level {seed}: {ledge}")
        };
        check(found, width, seed);
    }
}

/// In files of older programs nothing was measured: what is in the way is named without a width.
#[test]
fn without_measures_passages_are_found_and_their_widths_not_named() {
    let mut level = Level::new(0);
    level.pose = Isometry3::identity();
    level.hall();
    level.add("Left", [0.0, 0.0, -3.0], [0.5, 2.4, -0.275]);
    level.add("Right", [0.0, 0.0, 0.275], [0.5, 2.4, 3.0]);
    let (scene, _) = level.scene();
    let mut parts = baked(&scene, 0.25).into_parts();
    assert!(!parts.layers[0].measures.is_empty());
    parts.layers[0].measures = Default::default();
    let grid = NavGrid::new(parts).expect("sound parts");
    let ends = [[-4.0, 0.0, 0.0], [4.0, 0.0, 0.0]].map(Point3::from);
    let passage = only(separation(&grid, ends), 0);
    assert_eq!(passage.shortfall, Shortfall::NarrowPassage { width: None, body: 0.6 });
    let words = "a passage too narrow for the body (0.60), or something thin in it at ";
    assert!(passage.to_string().starts_with(words), "{passage}");
}
