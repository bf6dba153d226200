//! Levels that change: after every update the grid is, byte for byte, that of baking the changed scene
//! whole. So is the one that is made from the scene and the file of an older grid.

use std::path::PathBuf;

use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use rayon::prelude::*;
use surefoot::grid::{Area, LinkKind};
use surefoot::{Agent, AgentId, NavGrid, Navigator, SpanId};
use surefoot_bake::scene::{
    LinkMarker, Placement, SceneBuilder, Volume, VolumeEffect, VolumeShape,
};
use surefoot_bake::{
    BackgroundBake, BakeSettings, ColliderId, LiveBake, LiveError, Scene, bake, update_grid,
};

use surefoot_testing::{Random, data_folder, load, repository};

fn settings(cell_size: f32) -> BakeSettings {
    let human = Agent { jump_up: 0.9, jump_across: 1.5, drop: 3.0, ..Agent::new("human") };
    let cart = Agent { radius: 0.5, height: 1.0, max_climb: 0.2, ..Agent::new("cart") };
    BakeSettings { cell_size: Some(cell_size), agents: vec![human, cart], ..Default::default() }
}

fn whole(scene: &Scene, settings: &BakeSettings) -> NavGrid {
    bake(scene, settings, &()).expect("it bakes").grid
}

/// A level that is edited at random.
struct Edited {
    live: LiveBake,
    /// The file of the grid that was compared last.
    file: Vec<u8>,
    /// How many updates of the file did not bake everything.
    partial: usize,
    settings: BakeSettings,
    /// What was added and not removed.
    own: Vec<ColliderId>,
    random: Random,
    edits: usize,
    /// Follows the level from grid to grid.
    navigator: Navigator,
}

impl Edited {
    fn new(scene: Scene, settings: BakeSettings, seed: u64) -> Self {
        let live = LiveBake::new(scene, &settings, &()).expect("it bakes");
        let navigator = Navigator::new(live.grid().clone(), "human").expect("an agent");
        let file = live.grid().to_bytes().expect("it can be written");
        let (own, random) = (Vec::new(), Random(seed));
        Edited { live, file, partial: 0, settings, own, random, edits: 0, navigator }
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.random.below(10_001) as f32 / 10_000.0
    }

    /// Somewhere in the level, often near the border of a tile.
    fn place(&mut self) -> [f32; 3] {
        let (min, max) = self.live.grid().frame().bounds();
        let mut at = [0, 1].map(|axis| self.between(min[axis] + 0.8, max[axis] - 0.8));
        if self.random.below(2) == 0 {
            let tile = 64.0 * self.live.grid().frame().cell_size;
            at[0] = (min[0] + ((at[0] - min[0]) / tile).round() * tile)
                .clamp(min[0] + 0.8, max[0] - 0.8);
        }
        let heights: Vec<f32> = self.live.grid().spans().iter().map(|span| span.floor).collect();
        let y = heights[self.random.below(heights.len())];
        [at[0], y + self.between(-0.2, 1.0), at[1]]
    }

    fn pose(&mut self) -> Isometry3<f32> {
        let turn = Vector3::y() * self.between(0.0, 6.0);
        Isometry3::from_parts(self.place().into(), UnitQuaternion::from_scaled_axis(turn))
    }

    fn edit(&mut self) {
        self.edits += 1;
        match self.random.below(4) {
            0 if !self.own.is_empty() => {
                let at = self.random.below(self.own.len());
                let gone = self.own.swap_remove(at);
                self.live.remove(gone).expect("it is there");
            }
            1 if !self.own.is_empty() => {
                let at = self.random.below(self.own.len());
                let pose = self.pose();
                self.live.move_to(self.own[at], pose).expect("a sound pose");
            }
            _ => {
                let pose = self.pose();
                let name = format!("crate {}", self.random.below(5));
                let half = [0; 3].map(|_| self.between(0.1, 0.7));
                let mut parts = self.live.builder();
                if self.random.below(3) == 0 {
                    let corners =
                        [[-1.0, -1.0, -1.0], [1.0, -1.0, 0.0], [0.0, -1.0, 1.0], [0.0, 1.0, 0.0]];
                    let corners = corners
                        .map(|corner: [f32; 3]| [0, 1, 2].map(|axis| corner[axis] * half[axis]));
                    parts.hull(&name, &corners, pose);
                } else {
                    parts.cuboid(&name, half, pose);
                }
                self.own.extend(self.live.add(parts).expect("sound parts"));
            }
        }
    }

    /// Updates. Returns the part of the cells that were baked.
    fn update(&mut self) -> f32 {
        let update = self.live.update(&()).expect("it bakes");
        self.navigator.set_grid(self.live.grid()).expect("the same agents");
        update.cells_baked as f32 / update.cells.max(1) as f32
    }

    /// Compares with a whole bake.
    fn compare(&mut self, what: &str) {
        let scene = self.live.scene().expect("sound colliders");
        let expected = whole(&scene, &self.settings);
        let bytes = |grid: &NavGrid| grid.to_bytes().expect("it can be written");
        let expected_bytes = bytes(&expected);
        assert!(bytes(self.live.grid()) == expected_bytes, "{what}, {} edits", self.edits);
        let old = NavGrid::from_bytes(&self.file).expect("it loads");
        let updated = update_grid(&old, &scene, &self.settings, &()).expect("it bakes");
        self.file = bytes(&updated.baked.grid);
        assert!(self.file == expected_bytes, "the file of {what}, {} edits", self.edits);
        self.partial += usize::from(updated.baked_whole.is_none());
        let mut fresh = Navigator::new(expected, "human").expect("an agent");
        for _ in 0..4 {
            let (from, to) = (self.place(), self.place());
            let found = [&mut self.navigator, &mut fresh].map(|navigator| {
                let path = navigator.path(from, to);
                path.map(|path| (path.cost(), path.waypoints().to_vec())).ok()
            });
            assert_eq!(found[0], found[1], "{what}, {} edits: {from:?} to {to:?}", self.edits);
        }
    }

    /// Updates, and compares with a whole bake. Returns the part of the cells that were baked.
    fn check(&mut self, what: &str) -> f32 {
        let part = self.update();
        self.compare(what);
        part
    }
}

/// A level to edit, and how often it is compared with a whole bake: every so many updates.
struct EditedLevel {
    path: PathBuf,
    cell_size: f32,
    every: usize,
}

fn levels_to_edit() -> Vec<EditedLevel> {
    let level =
        |path: PathBuf, cell_size: f32, every: usize| EditedLevel { path, cell_size, every };
    let own = |name: &str, every| level(repository().join("scenes").join(name), 0.25, every);
    let mut levels = vec![
        own("two_storeys.glb", 1),
        own("bridge.glb", 1),
        own("primitives.gltf", 2),
        own("pillars.gltf", 2),
        level(repository().join("scenes/village.glb"), 0.5, 40),
    ];
    if let Some(data) = data_folder() {
        levels.push(level(data.join("scenes/nav_test.glb"), 0.4, 4));
        levels.push(level(data.join("scenes/quake_dm2.glb"), 0.5, 8));
        levels.push(level(data.join("scenes/quake_e1m1.glb"), 0.5, 20));
    }
    levels
}

#[test]
fn random_edits_give_the_bytes_of_a_whole_bake() {
    levels_to_edit().par_iter().for_each(|EditedLevel { path, cell_size, every }| {
        let mut level = Edited::new(load(path), settings(*cell_size), 7);
        let (mut baked, mut updates) = (0.0, 0);
        // Some programs keep a grid for longer than others.
        let mut kept = None;
        while level.edits < 50 {
            for _ in 0..=level.random.below(3) {
                level.edit();
            }
            baked += level.update();
            updates += 1;
            if updates % every == 0 {
                level.compare(&path.display().to_string());
            }
            if level.random.below(2) == 0 {
                kept = Some(level.live.grid().clone());
            }
        }
        level.compare(&path.display().to_string());
        drop(kept);
        let part = baked / updates as f32;
        println!("{}: {part:.3} of the cells an update", path.display());
        println!("{} files were updated in part", level.partial);
    });
}

#[test]
fn parts_of_levels_and_levels_without_small_regions_follow() {
    let scene = load(&repository().join("scenes/village.glb"));
    let bounds = Some([-20.3, -14.9, 22.0, 18.2]);
    let part = BakeSettings { bounds, ..settings(0.25) };
    let large = BakeSettings { bounds, min_region_area: 2.0, ..settings(0.25) };
    for settings in [part, large] {
        let mut level = Edited::new(scene.clone(), settings, 11);
        for _ in 0..30 {
            level.edit();
            assert!(level.update() < 0.5);
        }
        level.compare("a part of the village");
    }
}

/// A floor 40 m square.
fn yard() -> Scene {
    let mut builder = SceneBuilder::new("yard");
    builder.cuboid("ground", [20.0, 0.5, 20.0], Placement::at([0.0, -0.5, 0.0]));
    builder.build().expect("a sound scene")
}

#[test]
fn prepared_routes_follow_with_the_costs_of_routes_prepared_anew() {
    let scene = load(&repository().join("scenes/two_storeys.glb"));
    let mut level = Edited::new(scene, settings(0.2), 3);
    level.navigator.prepare().expect("routes");
    for _ in 0..8 {
        level.edit();
        level.update();
        let grid = level.live.grid().clone();
        let human = AgentId(0);
        let all = (0..grid.spans().len() as u32).map(SpanId);
        let walkable: Vec<SpanId> = all.filter(|&span| grid.is_walkable(human, span)).collect();
        let some: Vec<SpanId> = walkable.iter().step_by(walkable.len() / 12 + 1).copied().collect();
        let mut fresh = Navigator::new(grid, "human").expect("an agent");
        fresh.prepare().expect("routes");
        let tables =
            [&mut level.navigator, &mut fresh].map(|navigator| navigator.table(&some, &some));
        assert!(tables[0].is_some());
        assert_eq!(tables[0], tables[1], "{} edits", level.edits);
    }
}

#[test]
fn clearance_on_open_ground_follows() {
    let human = vec![Agent::new("human")];
    let settings = BakeSettings { cell_size: Some(0.15), agents: human, ..Default::default() };
    let mut level = Edited::new(yard(), settings, 5);
    for _ in 0..24 {
        level.edit();
        level.check("open ground");
    }
    assert!(level.partial > 12, "{} files were updated in part", level.partial);
}

#[test]
fn an_update_bakes_only_the_cells_around_a_change() {
    let mut level = Edited::new(yard(), settings(0.25), 1);
    let mut parts = level.live.builder();
    parts.cuboid("crate", [0.5, 0.5, 0.5], Placement::at([3.0, 0.5, 3.0]));
    let ids = level.live.add(parts).expect("sound parts");
    let part = level.check("a crate");
    assert!(part > 0.0 && part < 0.5, "{part}");
    level.live.move_to(ids[0], Isometry3::translation(3.5, 0.5, 3.0)).expect("it is there");
    assert!(level.check("a crate that moves") < 0.5);
    assert_eq!(level.live.update(&()).expect("nothing to do").cells_baked, 0);
    assert_eq!(level.live.colliders("crate").collect::<Vec<_>>(), ids);
}

#[test]
fn volumes_and_links_may_be_added() {
    let mut level = Edited::new(yard(), settings(0.25), 1);
    let mut parts = level.live.builder();
    let pool = Area { name: "pool".to_owned(), forbidden: true, ..Area::walkable() };
    let pool = parts.area(pool);
    parts.volume(Volume {
        name: "pool".to_owned(),
        shape: VolumeShape::Sphere { center: [3.0, 0.0, 3.0].into(), radius: 2.0 },
        effect: VolumeEffect::Area(pool),
    });
    assert_eq!(level.live.add(parts).expect("a sound volume"), []);
    assert_eq!(level.check("a volume"), 1.0);
    assert!(
        !level.live.grid().is_walkable(AgentId(0), span_at(level.live.grid(), [3.0, 0.0, 3.0]))
    );
    let mut parts = level.live.builder();
    parts.link(LinkMarker {
        name: "tunnel".to_owned(),
        from: [-10.0, 0.0, 0.0].into(),
        to: [10.0, 0.0, 0.0].into(),
        two_way: true,
        cost: None,
        kind: LinkKind::Door,
        ..LinkMarker::default()
    });
    level.live.add(parts).expect("a sound link");
    assert_eq!(level.check("a link"), 0.0);
    assert_eq!(level.live.grid().links().len(), 1);
}

#[test]
fn an_area_that_nothing_is_made_of_is_known_to_the_grid() {
    let mut level = Edited::new(yard(), settings(0.25), 1);
    let mut parts = level.live.builder();
    parts.area(Area { name: "mud".to_owned(), cost: 2.0, ..Area::walkable() });
    level.live.add(parts).expect("a sound area");
    assert_eq!(level.check("an area"), 0.0);
    assert_eq!(level.live.grid().areas()[1].name, "mud");
}

fn span_at(grid: &NavGrid, at: [f32; 3]) -> SpanId {
    grid.span_at(at, 1.0).expect("ground")
}

#[test]
fn a_level_may_grow_and_shrink() {
    let mut level = Edited::new(yard(), settings(0.25), 1);
    let mut parts = level.live.builder();
    parts.cuboid("annex", [5.0, 0.5, 5.0], Placement::at([24.0, -0.5, 0.0]));
    let annex = level.live.add(parts).expect("sound parts");
    level.check("an annex");
    level.live.remove(annex[0]).expect("it is there");
    level.check("no annex");
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let mut level = Edited::new(yard(), settings(0.25), 1);
    let before = level.live.grid().clone();
    let ground = level.live.colliders("ground").next().expect("it is there");
    let nowhere = Isometry3::translation(f32::NAN, 0.0, 0.0);
    assert!(matches!(level.live.move_to(ground, nowhere), Err(LiveError::Scene(_))));
    let mut parts = level.live.builder();
    parts.cuboid("flat", [1.0, 0.0, 1.0], Placement::default());
    assert!(matches!(level.live.add(parts), Err(LiveError::Scene(_))));
    assert_eq!(level.live.update(&()).expect("nothing to do").cells_baked, 0);
    assert_eq!(*level.live.grid(), before);
    // Without its ground there is no level; the old grid stays until there is one again.
    level.live.remove(ground).expect("it is there");
    assert!(matches!(level.live.remove(ground), Err(LiveError::UnknownCollider(_))));
    assert!(level.live.update(&()).is_err());
    assert_eq!(*level.live.grid(), before);
    let mut parts = level.live.builder();
    parts.cuboid("ground", [20.0, 0.5, 20.0], Placement::at([0.0, -0.5, 0.0]));
    level.live.add(parts).expect("sound parts");
    level.check("the ground is back");
    assert_eq!(*level.live.grid(), before);
}

#[test]
fn edits_in_the_background_end_in_the_bytes_of_a_whole_bake() {
    let live = Edited::new(yard(), settings(0.25), 1).live;
    let before = live.grid().clone();
    let level = BackgroundBake::start(live);
    assert!(level.is_idle() && level.new_grid().is_none() && level.grid() == before);
    for number in 0..12 {
        level.edit(move |live| {
            let mut parts = live.builder();
            let at = Placement::at([number as f32 - 6.0, 0.5, 2.0]);
            parts.cuboid(&format!("crate {number}"), [0.4; 3], at);
            live.add(parts).expect("sound parts");
        });
    }
    let after = level.wait().expect("it bakes");
    assert!(level.is_idle() && after == level.grid());
    assert_eq!(level.new_grid(), Some(after.clone()));
    assert_eq!(level.new_grid(), None);
    // With something so far out there is no grid; the one before stays.
    let far_out = |x: f32| {
        move |live: &mut LiveBake| {
            let ground = live.colliders("ground").next().expect("it is there");
            live.move_to(ground, Isometry3::translation(x, -0.5, 0.0)).expect("a sound pose");
        }
    };
    level.edit(far_out(9e6));
    assert!(level.wait().is_err() && level.grid() == after);
    level.edit(far_out(0.0));
    assert!(level.wait().expect("it bakes") == after);
    let live = level.stop();
    let whole = whole(&live.scene().expect("sound colliders"), &settings(0.25));
    assert_eq!(live.grid().to_bytes().expect("bytes"), whole.to_bytes().expect("bytes"));
}

#[test]
#[should_panic(expected = "an edit of the level panicked")]
fn an_edit_that_panics_is_not_waited_for_in_vain() {
    let level = BackgroundBake::start(Edited::new(yard(), settings(0.5), 1).live);
    level.edit(|_| panic!("a fault of the program"));
    let _: Result<_, _> = level.wait();
}

#[test]
fn an_update_that_is_dropped_ends() {
    let level = BackgroundBake::start(Edited::new(yard(), settings(0.25), 1).live);
    level.edit(|live| {
        let ground = live.colliders("ground").next().expect("it is there");
        live.move_to(ground, Isometry3::translation(0.0, 1.0, 0.0)).expect("a sound pose");
    });
    let live = level.stop();
    let ground = live.colliders("ground").next().expect("it is there");
    assert_eq!(live.pose(ground), Some(&Isometry3::translation(0.0, 1.0, 0.0)));
}
